//! A generator of random programs: valid steps and MV instructions over every family of the
//! instruction tables, and memory contents.
//!
//! Opcodes are drawn from the tables without replacement, so that each occurs soon. Operands mostly
//! satisfy the rules of section 3.6.4, and mostly read data that earlier steps produced. Statements
//! that the checker rejects anyway are dropped. A few percent violate conditions that only the
//! machine checks (a larger machine needed, a register not filled, a tag not issued), since traps
//! are compared too.
//!
//! Statements are numbered by line, as in a printed program.

mod expressions;
mod operands;
mod transfers;
mod values;

use std::collections::HashSet;

use tessera_isa_mncore::ast::{Expression, L1bm, Mask, Mv, Op, PeOperands};
use tessera_isa_mncore::check::{operands as operand_rules, step as step_rules};
use tessera_isa_mncore::memory::Precision;
use tessera_isa_mncore::table::mv::rows;
use tessera_isa_mncore::table::{AluOp, Group, L1bmOp, L2bmOp, MauOp};
use tessera_isa_mncore::{check, hazards, Program, Span, Statement, StatementKind, Step};
use tessera_mncore::geometry::Geometry;
use tessera_mncore::machine::{Machine, Options};

use expressions::Decks;
use operands::Frame;
use tessera_test_support::random::Rng;
use transfers::Modes;

/// A generator of random programs for machines of one geometry.
pub struct Generator {
    rng: Rng,
    decks: Decks,
    modes: Modes,
    flow: Direction,
    last: Option<Frame>,
    /// The most frequent precision of the MAU and of memory contents.
    precision: Precision,
    /// The percentage of MAU operations that multiply a matrix register.
    matrices: usize,
}

/// Random memory contents, equal for all machines of a geometry.
#[derive(Clone, Copy)]
pub struct Contents {
    seed: u64,
    precision: Precision,
    /// Whether the program often multiplies matrices.
    multiplies: bool,
}

impl Contents {
    /// Fills the parts that most addresses refer to.
    pub fn fill(&self, machine: &mut Machine) {
        values::fill(
            &mut Rng::new(self.seed),
            (self.precision, self.multiplies),
            machine,
        );
    }
}

/// The state that earlier statements leave to later ones.
#[derive(Default)]
struct Direction {
    /// The units that produced a result, in the order of the forwarding registers.
    forwarded: [bool; 4],
    /// The transfer that filled the turn-around register.
    filled: Option<L1bmOp>,
    /// The tags that can be waited for.
    tags: Vec<u8>,
}

/// A kind of expression.
#[derive(Clone, Copy)]
enum Family {
    Alu,
    Mau,
    Mwrite,
    Mread,
    L1bm,
    L2bm,
    DarStart,
    DarWrite,
    Noforward,
}

const FAMILIES: &[(usize, Family)] = &[
    (26, Family::Alu),
    (26, Family::Mau),
    (10, Family::Mwrite),
    (8, Family::Mread),
    (18, Family::L1bm),
    (12, Family::L2bm),
    (2, Family::DarStart),
    (4, Family::DarWrite),
    (3, Family::Noforward),
];

/// The percentage of MAU operations that multiply a matrix register, in programs without a focus on
/// them.
const SELDOM: usize = 3;

const MATRIX_PRECISIONS: [Precision; 4] = [
    Precision::Double,
    Precision::Single,
    Precision::Pseudo,
    Precision::Half,
];

impl Generator {
    /// Creates a generator; the same seed gives the same programs.
    pub fn new(seed: u64, geometry: Geometry) -> Self {
        Generator {
            rng: Rng::new(seed),
            decks: Decks::new(geometry),
            modes: Modes::new(geometry),
            flow: Direction::default(),
            last: None,
            precision: Precision::Half,
            matrices: 20,
        }
    }

    /// Generates a step that may follow the earlier ones.
    pub fn step(&mut self) -> Step {
        let rng = &mut self.rng;
        let precision = if rng.percent(92) {
            self.precision
        } else {
            rng.pick(&MATRIX_PRECISIONS)
        };
        let matrices = if precision == self.precision {
            self.matrices
        } else {
            SELDOM
        };
        let mut frame = Frame::new(rng, (precision, matrices), self.flow.forwarded);
        if let Some(last) = &self.last {
            frame.follow(rng, last);
        }
        let mut step = Step {
            expressions: Vec::new(),
        };
        let count = self
            .rng
            .weighted(&[(25, 1), (30, 2), (25, 3), (15, 4), (5, 6)]);
        for _ in 0..count {
            for _ in 0..4 {
                let family = self.rng.weighted(FAMILIES);
                let zero_flush = frame.zero_flush(&mut self.rng);
                let op = self.op(family, &frame);
                if op.is_some_and(|op| add(&mut step, op, zero_flush)) {
                    break;
                }
            }
        }
        if step.expressions.is_empty() || self.rng.percent(5) {
            step.expressions.clear();
            add(&mut step, Op::Nop, None);
        }
        let issued = !self.flow.tags.is_empty();
        // Waiting for a tag that was not issued never ends: a trap.
        if self.rng.below(400) < if issued { 200 } else { 1 } {
            let tag = self.flow.tags.pop().unwrap_or(200);
            add(&mut step, Op::Wait(tag), None);
        }
        self.flow.follow(&step);
        self.last = Some(frame);
        step
    }

    fn op(&mut self, family: Family, frame: &Frame) -> Option<Op> {
        let rng = &mut self.rng;
        match family {
            Family::Alu => self.decks.alu(rng, frame),
            Family::Mau => self.decks.mau(rng, frame),
            Family::Mwrite => Some(expressions::mwrite(rng, frame)),
            Family::Mread => Some(expressions::mread(rng, frame)),
            Family::L1bm => self.decks.l1bm(rng, frame, self.flow.filled),
            Family::L2bm => self.decks.l2bm(rng),
            Family::DarStart => Some(self.decks.dar_start(rng)),
            Family::DarWrite => Some(Op::DarWrite),
            Family::Noforward => Some(Op::Noforward),
        }
    }

    /// Generates two steps; the second often accesses data of the first.
    pub fn pair(&mut self) -> (Step, Step) {
        self.flow = Direction::default();
        (self.step(), self.step())
    }

    /// Generates an MV instruction without a tag; `None` if no mode fits the machine.
    pub fn mv(&mut self) -> Option<Mv> {
        self.modes.mv(&mut self.rng, None)
    }

    /// Generates a program of about this many statements that breaks no rule except hazards.
    pub fn program(&mut self, length: usize) -> Program {
        self.flow = Direction::default();
        self.precision = self.rng.pick(&MATRIX_PRECISIONS);
        self.matrices = self.rng.weighted(&[(55, SELDOM), (45, 50)]);
        let statements = (1..=length).map(|line| Statement {
            span: Span {
                line: line as u32,
                column: 1,
                length: 1,
            },
            kind: self.statement(),
        });
        let mut program = Program {
            statements: statements.collect(),
        };
        for statement in &mut program.statements {
            if let StatementKind::Step(step) = &mut statement.kind {
                for expression in &mut step.expressions {
                    expression.span = statement.span;
                }
            }
        }
        loop {
            let wrong: HashSet<u32> = check(&program)
                .iter()
                .map(|found| found.span.line)
                .collect();
            if wrong.is_empty() {
                return program;
            }
            program
                .statements
                .retain(|statement| !wrong.contains(&statement.span.line));
        }
    }

    fn statement(&mut self) -> StatementKind {
        if self.rng.percent(12) {
            let tag = self.rng.percent(60).then(|| 1 + self.rng.below(9) as u8);
            if let Some(mv) = self.modes.mv(&mut self.rng, tag) {
                if mv.transfer.is_some() {
                    self.flow.tags.extend(tag);
                }
                return StatementKind::Mv(mv);
            }
        }
        StatementKind::Step(self.step())
    }

    /// Generates random contents for the memories that the last program reads.
    pub fn contents(&mut self) -> Contents {
        Contents {
            seed: self.rng.next_u64(),
            precision: self.precision,
            multiplies: self.matrices > SELDOM,
        }
    }
}

/// Adds an expression to a step if the rules allow it; returns whether they do.
fn add(step: &mut Step, op: Op, zero_flush: Option<Mask>) -> bool {
    let zero_flush = zero_flush.filter(|_| !op.outputs().is_empty());
    let expression = Expression {
        span: Span::default(),
        op,
        zero_flush,
    };
    let allowed = operand_rules::check(&expression).is_none();
    step.expressions.push(expression);
    let allowed = allowed && step_rules::check(Span::default(), step).is_none();
    if !allowed {
        step.expressions.pop();
    }
    allowed
}

impl Direction {
    fn follow(&mut self, step: &Step) {
        if step.is_nop() || step.find(Group::Noforward).is_some() {
            return;
        }
        self.forwarded = [false; 4];
        let mut read = false;
        let mut filled = None;
        for expression in &step.expressions {
            match &expression.op {
                Op::Mau(_) => self.forwarded[0] = true,
                Op::Alu(_) => self.forwarded[1] = true,
                Op::Mread { .. } => self.forwarded[3] = true,
                Op::L1bm(L1bm {
                    op,
                    pe: PeOperands::Up(_),
                    ..
                }) => filled = Some(*op),
                Op::L1bm(l1bm) => {
                    self.forwarded[2] = true;
                    read |= l1bm.is_turnaround();
                }
                _ => {}
            }
        }
        if read || filled.is_some() {
            self.filled = filled;
        }
    }
}

/// The table rows that some statements use.
#[derive(Default)]
struct Coverage {
    mnemonics: HashSet<String>,
    modes: HashSet<String>,
}

impl Coverage {
    fn statement(&mut self, kind: &StatementKind) {
        match kind {
            StatementKind::Step(step) => {
                for expression in &step.expressions {
                    let text = expression.to_string();
                    let name = match &expression.op {
                        Op::L2bm { op, .. } => format!("{op:?}"),
                        Op::L1bm(l1bm) => format!("{:?}", l1bm.op),
                        Op::Mau(mau) => format!("{:?}", mau.op),
                        Op::Alu(alu) => format!("{:?}", alu.op),
                        _ => text.split(' ').next().unwrap_or_default().to_owned(),
                    };
                    self.mnemonics.insert(name);
                }
            }
            StatementKind::Mv(mv) => {
                let name = mv.transfer.as_ref().map(|transfer| {
                    let rrn = transfer.rrn.map(|rrn| rrn.mnemonic());
                    format!("{:?} {}", transfer.mode, rrn.unwrap_or_default())
                });
                self.modes.insert(name.unwrap_or_default());
            }
            _ => {}
        }
    }

    /// Returns the table rows that were not used.
    fn missing(&self) -> Vec<String> {
        let plain = "nop noforward wait l2bmdars l2bmdarw dmwrite fmwrite gmwrite hmwrite dmread \
                     fmread gmread hmread";
        let plain = plain.split(' ').map(str::to_owned);
        let names = plain
            .chain(L2bmOp::all().into_iter().map(|op| format!("{op:?}")))
            .chain(L1bmOp::all().into_iter().map(|op| format!("{op:?}")))
            .chain(MauOp::all().into_iter().map(|op| format!("{op:?}")))
            .chain(AluOp::all().into_iter().map(|op| format!("{op:?}")))
            .filter(|name| !self.mnemonics.contains(name));
        let modes = rows().iter().map(|row| format!("{:?}", row.mode));
        let modes = modes.filter(|mode| {
            !self
                .modes
                .iter()
                .any(|seen| seen.starts_with(mode.as_str()))
        });
        names.chain(modes).collect()
    }
}

#[test]
fn every_opcode_is_generated() {
    let mut generator = Generator::new(1, Geometry::BOARD);
    let mut seen = Coverage::default();
    for _ in 0..2_500 {
        let program = generator.program(10);
        program
            .statements
            .iter()
            .for_each(|statement| seen.statement(&statement.kind));
    }
    assert_eq!(seen.missing(), Vec::<String>::new());
}

#[test]
fn programs_are_in_the_language() {
    let mut statements = 0;
    for seed in 0..300 {
        let program = Generator::new(seed, Geometry::SMALL).program(8);
        statements += program.statements.len();
        let printed = program.to_string();
        let parsed = tessera_isa_mncore::parse(&printed);
        let parsed =
            parsed.unwrap_or_else(|found| panic!("{}", found[0].render("random", &printed)));
        assert_eq!(parsed.to_string(), printed);
        assert_eq!(check(&parsed), vec![], "{printed}");
    }
    assert!(statements > 2_000, "{statements}");
}

#[test]
fn most_programs_run_to_their_end() {
    let geometry = Geometry {
        groups: 1,
        l2bs: 1,
        l1bs: 2,
        mabs: 4,
    };
    let mut reasons = std::collections::BTreeMap::new();
    for seed in 0..200 {
        let mut generator = Generator::new(seed, geometry);
        let program = generator.program(8);
        let mut machine = Machine::new(Options {
            geometry,
            zero_dram: true,
            ..Options::default()
        });
        generator.contents().fill(&mut machine);
        if let Err(trap) = machine.run(&program, &mut |_| ()) {
            *reasons.entry(trap.reason.to_string()).or_insert(0) += 1;
        }
    }
    let trapped: usize = reasons.values().sum();
    assert!((20..130).contains(&trapped), "{trapped}: {reasons:#?}");
}

#[test]
fn pairs_of_steps_often_clash() {
    let mut generator = Generator::new(5, Geometry::SMALL);
    let clashes = (0..300).filter(|_| {
        let (first, second) = generator.pair();
        let statements = [first, second].map(|step| Statement {
            span: Span::default(),
            kind: StatementKind::Step(step),
        });
        let program = Program {
            statements: statements.into(),
        };
        !hazards(&program).is_empty()
    });
    let clashes = clashes.count();
    assert!((30..270).contains(&clashes), "{clashes}");
}
