//! Runs a function on the emulator: operands in LM0, vector by vector, results in LM1.

use tessera_isa_mncore::ast::Program as Statements;
use tessera_isa_mncore::memory::{Bank, Precision, Width};
use tessera_isa_mncore::table::{AluKind, AluOp};
use tessera_mncore::geometry::CYCLES;
use tessera_mncore::machine::{Machine, Options};
use tessera_mncore::undetermined::UndeterminedSet;
use tessera_mncore_code::functions::Function;
use tessera_mncore_code::program::{self, IssueOrder};
use tessera_mncore_code::sched::{schedule, Options as Reserved};
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::{Op, Operand, Place, Source};
use tessera_mncore_ir::program::{Node, Program, ScheduledLoop};
use tessera_mncore_ir::schedule::Report;

/// An operand of a function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Argument {
    /// A vector with one or two long words per cycle.
    Vector(Width),
    /// A vector that the function reads from memory directly.
    InMemory,
    /// A constant.
    Constant(f32),
}

impl Argument {
    /// Returns the arguments that a function is tested with, one for each operand.
    pub fn for_function(function: Function) -> Vec<Argument> {
        let argument = |index| match (function, index) {
            (Function::LeakyRelu, 1) => Argument::Constant(0.01),
            (function, _) if function.is_along_cycles() => Argument::InMemory,
            (Function::ToHalf, _) => Argument::Vector(Width::Double),
            _ => LONG,
        };
        (0..function.row().arity).map(argument).collect()
    }
}

/// A vector with one long word per cycle.
pub const LONG: Argument = Argument::Vector(Width::Long);

/// The vectors of an operand or result in LM0 or LM1: the address of the first one, and the long
/// words per cycle.
#[derive(Clone, Copy, Debug)]
struct VectorPlace {
    bank: Bank,
    at: u32,
    longs: u32,
}

/// A function in a loop over vectors.
pub struct Kernel {
    machine: Machine,
    statements: Statements,
    vectors: usize,
    operands: Vec<VectorPlace>,
    results: Vec<VectorPlace>,
    /// The quality of the schedule.
    pub report: Report,
}

/// Allocates the vectors of a loop in a memory, one operand after the other.
struct Area {
    bank: Bank,
    vectors: u32,
    taken: u32,
}

impl Area {
    fn allocate(&mut self, width: Width, places: &mut Vec<VectorPlace>) -> Place {
        let words = 4 * u32::from(width.words());
        let at = self.taken;
        self.taken += words * self.vectors;
        assert!(self.taken <= u32::from(self.bank.words()), "memory is full");
        places.push(VectorPlace {
            bank: self.bank,
            at,
            longs: words / 8,
        });
        Place::consecutive(self.bank, width, Address::affine(at, &[words]))
    }
}

impl Kernel {
    /// Compiles a function in a loop over this many vectors.
    pub fn new(function: Function, arguments: &[Argument], vectors: u32) -> Self {
        let options = Options::default();
        Self::with(function, arguments, vectors, IssueOrder::Scheduled, options)
    }

    /// Compiles as [`Kernel::new`], with an issue order and options of the machine.
    pub fn with(
        function: Function,
        arguments: &[Argument],
        vectors: u32,
        form: IssueOrder,
        options: Options,
    ) -> Self {
        let mut body = Body::new(&[], &[vectors]);
        let area = |bank| Area {
            bank,
            vectors,
            taken: 0,
        };
        let (mut sources, mut targets) = (area(Bank::Lm0), area(Bank::Lm1));
        let (mut operands, mut results) = (Vec::new(), Vec::new());
        let mut input = |argument: &Argument| match *argument {
            Argument::Constant(number) => Source::Constant(number.to_bits()).into(),
            Argument::InMemory => sources.allocate(Width::Long, &mut operands).into(),
            Argument::Vector(width) => {
                let place = sources.allocate(width, &mut operands);
                let value = body.value(width, Home::Any);
                body.push(copy(), vec![place.into()], vec![value.into()]);
                value.into()
            }
        };
        let inputs: Vec<Operand> = arguments.iter().map(&mut input).collect();
        let outcome = function.append(&mut body, &inputs);
        for value in outcome.expect("it takes these") {
            let place = targets.allocate(body.kind(value).width, &mut results);
            body.push(copy(), vec![value.into()], vec![place.into()]);
        }
        let scheduled = schedule(&body, &Reserved::default());
        let (schedule, report) = scheduled.unwrap_or_else(|error| panic!("{function:?}: {error}"));
        let part = ScheduledLoop {
            name: function.row().name.into(),
            body,
            schedule,
        };
        let program = Program {
            nodes: vec![Node::Loop(part)],
        };
        let statements = program::statements(&program, form);
        Kernel {
            machine: Machine::new(options),
            statements: statements.unwrap_or_else(|error| panic!("{error}")),
            vectors: vectors as usize,
            operands,
            results,
            report,
        }
    }

    /// Returns the number of single-precision words of an operand with one long word per cycle.
    pub fn len(&self) -> usize {
        self.vectors * CYCLES * 2 * self.lanes()
    }

    /// Returns the number of words of each operand.
    pub fn lengths(&self) -> Vec<usize> {
        let operands = self.operands.iter();
        operands
            .map(|place| place.longs as usize * self.len())
            .collect()
    }

    fn lanes(&self) -> usize {
        let geometry = self.machine.geometry();
        geometry.block_count() * geometry.lanes()
    }

    /// Runs the function. Operands and results are lists of words: vector by vector, cycle by
    /// cycle, PE by PE, the upper word of a long word first.
    pub fn run(&mut self, operands: &[&[u32]]) -> Vec<Vec<u32>> {
        for (place, words) in self.operands.iter().zip(operands) {
            assert_eq!(words.len(), self.len() * place.longs as usize);
            let lanes = self.machine.geometry().lanes();
            let planes = words.chunks_exact(2 * self.lanes());
            for (plane, words) in planes.enumerate() {
                let blocks = self.machine.blocks.all_mut().iter_mut();
                for (block, words) in blocks.zip(words.chunks_exact(2 * lanes)) {
                    let memory = &mut block.memory[place.bank as usize];
                    let to = memory.plane_mut(place.at as usize / 2 + plane);
                    for (to, word) in to.iter_mut().zip(words.chunks_exact(2)) {
                        *to = u64::from(word[0]) << 32 | u64::from(word[1]);
                    }
                }
            }
        }
        let outcome = self.machine.run(&self.statements, &mut |_| {});
        outcome.unwrap_or_else(|trap| panic!("{trap:?}"));
        assert_eq!(
            self.machine.undetermined_points(),
            UndeterminedSet::NONE,
            "open points met"
        );
        let results = self.results.iter();
        results.map(|&place| self.result(place)).collect()
    }

    fn result(&self, place: VectorPlace) -> Vec<u32> {
        let planes = self.vectors * CYCLES * place.longs as usize;
        let mut words = Vec::with_capacity(planes * 2 * self.lanes());
        for plane in 0..planes {
            for block in self.machine.blocks.iter() {
                let memory = &block.memory[place.bank as usize];
                let longs = memory.plane(place.at as usize / 2 + plane).iter();
                words.extend(longs.flat_map(|&long| [(long >> 32) as u32, long as u32]));
            }
        }
        words
    }
}

/// Returns the ALU operation that copies all bits.
fn copy() -> Op {
    let op = AluOp::new(AluKind::Passa, Some(Precision::Int));
    Op::Alu(op, 0)
}
