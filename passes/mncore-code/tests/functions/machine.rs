//! A function on the emulator: operands in LM0, vector by vector, results beside them.
//!
//! The schedule is the plainest there is: items one after the other, every value and every constant in words of its own, in a bank that
//! nothing else uses which is read with it.

use std::collections::HashMap;

use tessera_isa_mncore::ast::{Op as Expression, Program as Statements, StatementKind};
use tessera_isa_mncore::memory::{Bank, Precision, Width};
use tessera_isa_mncore::table::{AluKind, AluOp};
use tessera_mncore::geometry::{Geometry, CYCLES};
use tessera_mncore::machine::{Machine, Options};
use tessera_mncore::undetermined::Doubts;
use tessera_mncore_code::address::Address;
use tessera_mncore_code::body::{Body, Home};
use tessera_mncore_code::functions::Function;
use tessera_mncore_code::item::{Item, Op, Operand, Place, Source, Target, Value};
use tessera_mncore_code::program::{Form, Node, Part, Program};
use tessera_mncore_code::schedule::{Constant, Register, Schedule};

/// An operand of a function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Argument {
    /// A vector of long words in each cycle, or of two.
    Vector(Width),
    /// The same in memory, not copied before.
    InMemory,
    /// A constant.
    Constant(f32),
}

/// One long word in each cycle.
pub const LONG: Argument = Argument::Vector(Width::Long);

/// A function in a loop over vectors.
pub struct Kernel {
    machine: Machine,
    statements: Statements,
    vectors: usize,
    /// Words of LM0 where operands and results begin, and long words a cycle.
    operands: Vec<(u32, u32)>,
    results: Vec<(u32, u32)>,
}

impl Kernel {
    /// The function in a loop over so many vectors.
    pub fn new(function: Function, arguments: &[Argument], vectors: u32) -> Self {
        let mut body = Body::new(&[], &[vectors]);
        let mut free = 0;
        let mut take = |width: Width| {
            let words = 4 * u32::from(width.words());
            let at = free;
            free += words * vectors;
            assert!(free <= u32::from(Bank::Lm0.words()), "LM0 is full");
            let place = Place::consecutive(Bank::Lm0, width, Address::moving(at, &[words]));
            ((at, words / 8), place)
        };
        let mut operands = Vec::new();
        let inputs: Vec<Operand> = arguments
            .iter()
            .map(|argument| match *argument {
                Argument::Constant(number) => Source::Constant(number.to_bits()).into(),
                Argument::InMemory => {
                    let (at, place) = take(Width::Long);
                    operands.push(at);
                    place.into()
                }
                Argument::Vector(width) => {
                    let (at, place) = take(width);
                    operands.push(at);
                    let value = body.value(width, Home::Any);
                    body.push(copy(), vec![place.into()], vec![value.into()]);
                    value.into()
                }
            })
            .collect();
        let outcome = function.append(&mut body, &inputs).expect("it takes these");
        let mut results = Vec::new();
        for value in outcome {
            let (at, place) = take(body.kind(value).width);
            results.push(at);
            body.push(copy(), vec![value.into()], vec![place.into()]);
        }
        body.check().expect("the body is one");
        let schedule = plain(&body, free as u16);
        let part = Part {
            name: function.row().name.to_owned(),
            body,
            schedule,
        };
        let program = Program {
            nodes: vec![Node::Part(part)],
        };
        let statements = program.statements(Form::Scheduled);
        let mut statements = statements.unwrap_or_else(|error| panic!("{error}"));
        // What a step writes is there for the next one, in the functional model.
        statements.statements.retain(|statement| {
            let StatementKind::Step(step) = &statement.kind else {
                return true;
            };
            !matches!(step.expressions[0].op, Expression::Nop)
        });
        Kernel {
            machine: Machine::new(Options::default()),
            statements,
            vectors: vectors as usize,
            operands,
            results,
        }
    }

    /// How many words of single precision an operand of a long word a cycle has.
    pub fn len(&self) -> usize {
        self.vectors * CYCLES * 2 * self.lanes()
    }

    fn lanes(&self) -> usize {
        let geometry = Geometry::BOARD;
        geometry.block_count() * geometry.lanes()
    }

    /// The results of operands, each a list of words: vector by vector, cycle by cycle, PE by PE, the upper word of a long word first.
    pub fn run(&mut self, operands: &[&[u32]]) -> Vec<Vec<u32>> {
        for (&(at, longs), words) in self.operands.iter().zip(operands) {
            assert_eq!(words.len(), self.len() * longs as usize);
            let lanes = Geometry::BOARD.lanes();
            let planes = words.chunks_exact(2 * self.lanes());
            for (plane, words) in planes.enumerate() {
                let blocks = self.machine.blocks.iter_mut();
                for (block, words) in blocks.zip(words.chunks_exact(2 * lanes)) {
                    let memory = &mut block.memory[Bank::Lm0 as usize];
                    let to = memory.plane_mut(at as usize / 2 + plane);
                    for (to, word) in to.iter_mut().zip(words.chunks_exact(2)) {
                        *to = u64::from(word[0]) << 32 | u64::from(word[1]);
                    }
                }
            }
        }
        let outcome = self.machine.run(&self.statements, &mut |_| {});
        outcome.unwrap_or_else(|trap| panic!("{trap:?}"));
        assert_eq!(self.machine.marks(), Doubts::NONE, "open points met");
        let results = self.results.iter();
        results.map(|&(at, longs)| self.result(at, longs)).collect()
    }

    fn result(&self, at: u32, longs: u32) -> Vec<u32> {
        let planes = self.vectors * CYCLES * longs as usize;
        let mut words = Vec::with_capacity(planes * 2 * self.lanes());
        for plane in 0..planes {
            for block in &self.machine.blocks {
                let memory = &block.memory[Bank::Lm0 as usize];
                let longs = memory.plane(at as usize / 2 + plane).iter();
                words.extend(longs.flat_map(|&long| [(long >> 32) as u32, long as u32]));
            }
        }
        words
    }
}

/// A copy by the ALU, of all that there is.
fn copy() -> Op {
    let op = AluOp {
        kind: AluKind::Passa,
        precision: Some(Precision::Int),
        unsigned: false,
        mantissa: 0,
    };
    Op::Alu(op, 0)
}

/// What takes words of a bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Holder {
    Value(Value),
    Constant(u32),
}

/// What an item reads from values and constants, each once.
fn reads(item: &Item) -> Vec<Holder> {
    let mut all = Vec::new();
    for input in &item.inputs {
        let holder = match input.source {
            Source::Value(value) => Holder::Value(value),
            Source::Constant(word) => Holder::Constant(word),
            _ => continue,
        };
        if !all.contains(&holder) {
            all.push(holder);
        }
    }
    all
}

/// Items four steps apart; banks found by trying. The first words of LM0 are taken.
fn plain(body: &Body, taken: u16) -> Schedule {
    let mut holders = Vec::new();
    for item in &body.items {
        let written = item.writes().filter(|&v| body.kind(v).home != Home::Flags);
        for holder in reads(item).into_iter().chain(written.map(Holder::Value)) {
            if !holders.contains(&holder) {
                holders.push(holder);
            }
        }
    }
    let mut banks = HashMap::new();
    assert!(place(body, &holders, &mut banks), "no banks found");
    let mut schedule = Schedule {
        at: (0..body.items.len() as u32).map(|item| 4 * item).collect(),
        places: vec![None; body.values.len()],
        ..Schedule::default()
    };
    schedule.ii = 4 * body.items.len() as u32;
    let mut free = HashMap::from([(Bank::Lm0, taken)]);
    for holder in &holders {
        let bank = banks[holder];
        let words = match *holder {
            Holder::Value(value) => 4 * body.kind(value).width.words(),
            Holder::Constant(_) => Width::Double.words(),
        };
        let end = free.entry(bank).or_default();
        let first = *end;
        *end += words;
        assert!(*end <= bank.words(), "{bank:?} is full");
        match *holder {
            Holder::Value(value) => {
                let slots = 1;
                schedule.places[value.0 as usize] = Some(Register::Words { bank, first, slots });
            }
            Holder::Constant(word) => schedule.constants.push(Constant {
                word,
                bank,
                address: first,
            }),
        }
    }
    let flags = (0..)
        .zip(&body.values)
        .filter(|(_, v)| v.home == Home::Flags);
    for (first, (value, _)) in (1..).zip(flags) {
        assert!(first < 16, "no mask register left");
        let value: usize = value;
        schedule.places[value] = Some(Register::Flags { first, slots: 1 });
    }
    schedule
}

/// Gives the first of `holders` a bank, then the others; false if there is none.
fn place(body: &Body, holders: &[Holder], banks: &mut HashMap<Holder, Bank>) -> bool {
    let Some((&holder, rest)) = holders.split_first() else {
        return true;
    };
    for bank in [Bank::Grf0, Bank::Grf1, Bank::Lm1, Bank::Lm0] {
        if bank == Bank::Lm0 && matches!(holder, Holder::Constant(_)) {
            // Immediates do not go there.
            continue;
        }
        banks.insert(holder, bank);
        let mut with = body.items.iter().filter(|item| takes_part(item, holder));
        if with.all(|item| fits(item, banks)) && place(body, rest, banks) {
            return true;
        }
    }
    banks.remove(&holder);
    false
}

/// Whether an item reads or writes something.
fn takes_part(item: &Item, holder: Holder) -> bool {
    reads(item).contains(&holder) || item.writes().any(|v| Holder::Value(v) == holder)
}

/// Whether no two operands of an item lie in one bank, nor what is written in a local memory that is read.
fn fits(item: &Item, banks: &HashMap<Holder, Bank>) -> bool {
    let places = item.inputs.iter().filter_map(|input| match &input.source {
        Source::Memory(place) => Some(place.bank),
        _ => None,
    });
    let of_holders = reads(item)
        .into_iter()
        .filter_map(|h| banks.get(&h).copied());
    let read: Vec<Bank> = places.chain(of_holders).collect();
    let twice = (1..read.len()).any(|index| read[..index].contains(&read[index]));
    let mut written = item
        .outputs
        .iter()
        .filter_map(|output| match &output.target {
            Target::Memory(place) => Some(place.bank),
            Target::Value(value) => banks.get(&Holder::Value(*value)).copied(),
        });
    !twice && !written.any(|bank| bank.is_local() && read.contains(&bank))
}
