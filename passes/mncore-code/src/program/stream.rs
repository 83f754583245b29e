//! The statement stream of a kernel: each statement passes the assembler's rules, and `nop`s
//! separate loops whose results are still on their way.

use tessera_isa_mncore::ast::{
    Alu, Convert, Expression, Forward, Input, MemoryOperand, Modify, Op, Output, Pattern, Source,
    Statement, StatementKind, Step, Target,
};
use tessera_isa_mncore::check::hazard::Window;
use tessera_isa_mncore::check::Checker;
use tessera_isa_mncore::diagnostic::{Diagnostic, Span};
use tessera_isa_mncore::memory::{Bank, Precision, Width};
use tessera_isa_mncore::table::{AluKind, AluOp};
use tessera_mncore_ir::program::ScheduledLoop;
use tessera_mncore_ir::schedule::{Constant, Schedule};

use super::error::ProgramError;
use crate::emit::{self, Issue};
use crate::ir::prepared::Prepared;

/// A consumer of statements, each with the source lines it stands for.
pub type Sink<'s> = dyn FnMut(&Statement, &[u32]) -> Result<(), Diagnostic> + 's;

/// The statement stream, with the state of the assembler's rules.
pub(super) struct Stream<'a, 's> {
    window: Window,
    checker: Checker,
    sink: &'a mut Sink<'s>,
}

/// The position of a statement in its loop.
struct StatementPosition<'a> {
    part: &'a str,
    /// The step at which the loop began.
    begin: u64,
    /// Statements of the loop so far.
    line: u32,
}

impl<'a, 's> Stream<'a, 's> {
    /// Creates a stream at its beginning.
    pub(super) fn new(sink: &'a mut Sink<'s>) -> Self {
        Stream {
            window: Window::default(),
            checker: Checker::default(),
            sink,
        }
    }

    /// Streams nodes within an iteration of the loops around them.
    pub(super) fn stream_nodes(
        &mut self,
        nodes: &[Prepared],
        outer: &mut Vec<u32>,
    ) -> Result<(), ProgramError> {
        for node in nodes {
            match node {
                Prepared::Loop(part, schedule) => self.stream_loop(part, schedule, outer)?,
                Prepared::Repeat(count, nodes) => {
                    for index in 0..*count {
                        outer.push(index);
                        self.stream_nodes(nodes, outer)?;
                        outer.pop();
                    }
                }
            }
        }
        Ok(())
    }

    /// Streams a loop in one iteration of the loops around it, unless no item issues in it.
    fn stream_loop(
        &mut self,
        part: &ScheduledLoop,
        schedule: &Schedule,
        outer: &[u32],
    ) -> Result<(), ProgramError> {
        if !part.body.issues(outer) {
            return Ok(());
        }
        let mut place = StatementPosition {
            part: &part.name,
            begin: 0,
            line: 0,
        };
        for constant in &schedule.constants {
            place.begin = self.window.step_count();
            for issue in load_constant(constant) {
                self.stream_packet(issue, &mut place)?;
            }
        }
        place.begin = self.window.step_count();
        place.line = 0;
        let mut refused = None;
        let emitted = emit::emit(&part.body, schedule, outer, &mut |issue| {
            if refused.is_none() {
                refused = self.stream_packet(issue, &mut place).err();
            }
        });
        emitted.map_err(|error| ProgramError::Emit {
            part: part.name.to_string(),
            error,
        })?;
        refused.map_or(Ok(()), Err)
    }

    /// Streams an issue packet.
    fn stream_packet(
        &mut self,
        issue: Issue,
        place: &mut StatementPosition,
    ) -> Result<(), ProgramError> {
        let span = Span::default();
        for mv in issue.moves {
            let kind = StatementKind::Mv(mv);
            self.stream_statement(&Statement { span, kind }, &issue.lines, place)?;
        }
        let mut step = Step {
            expressions: issue.expressions,
        };
        if step.expressions.iter().all(|e| matches!(e.op, Op::Wait(_))) {
            step.expressions.append(&mut Step::nop().expressions);
        }
        let kind = StatementKind::Step(step);
        self.stream_statement(&Statement { span, kind }, &issue.lines, place)
    }

    /// Checks a statement, inserts `nop`s that it needs, and passes it on.
    fn stream_statement(
        &mut self,
        statement: &Statement,
        lines: &[u32],
        place: &mut StatementPosition,
    ) -> Result<(), ProgramError> {
        place.line += 1;
        let effects = Window::statement_effects(&statement.kind).unwrap_or_default();
        let own = || self.window.worst_hazard(&effects, place.begin..u64::MAX);
        let bad = self.checker.check_statement(statement);
        if let Some(bad) = bad.or_else(|| own().map(|(_, hazard)| hazard)) {
            return Err(place.refused(statement, bad));
        }
        let before = self.window.worst_hazard(&effects, 0..place.begin);
        let mut told = Ok(());
        if let Some((nops, _)) = before {
            for _ in 0..nops {
                told = told.and_then(|()| (self.sink)(&Statement::nop(), &[]));
            }
            self.window.push_nops(nops);
        }
        told = told.and_then(|()| (self.sink)(statement, lines));
        if let StatementKind::Step(_) = statement.kind {
            self.window.push_step(effects);
        }
        told.map_err(|bad| place.refused(statement, bad))
    }
}

impl StatementPosition<'_> {
    fn refused(&self, statement: &Statement, diagnostic: Diagnostic) -> ProgramError {
        ProgramError::Refused {
            part: self.part.to_owned(),
            line: self.line,
            statement: statement.to_string(),
            diagnostic: Box::new(diagnostic),
        }
    }
}

/// Returns the packets that load a constant into its register. An immediate is in the bits of
/// LM0's address; there it is written from the forwarding register.
fn load_constant(constant: &Constant) -> Vec<Issue> {
    let memory = Target::Memory(MemoryOperand {
        bank: constant.bank,
        width: Width::Long,
        pattern: Pattern::Stride {
            base: constant.address,
            stride: 0,
        },
        modify: Modify::None,
    });
    let forwarded = Input {
        span: Span::default(),
        source: Source::Forward(Forward::Alu),
        negate: false,
        convert: Convert::None,
    };
    let imm = |target| alu(AluKind::Imm, None, constant.word, Vec::new(), target);
    let copy = |target| {
        let inputs = vec![forwarded];
        alu(AluKind::Passa, Some(Precision::Long), 0, inputs, target)
    };
    match constant.bank {
        Bank::Lm0 => vec![imm(Target::Nowrite), copy(memory)],
        _ => vec![imm(memory)],
    }
}

/// Returns the packet of an ALU operation.
fn alu(
    kind: AluKind,
    precision: Option<Precision>,
    immediate: u32,
    inputs: Vec<Input>,
    target: Target,
) -> Issue {
    let output = Output {
        span: Span::default(),
        target,
        mask: None,
    };
    let alu = Alu {
        op: AluOp::new(kind, precision),
        immediate,
        inputs,
        outputs: vec![output],
    };
    Issue {
        expressions: vec![Expression {
            span: Span::default(),
            op: Op::Alu(alu),
            zero_flush: None,
        }],
        ..Issue::default()
    }
}
