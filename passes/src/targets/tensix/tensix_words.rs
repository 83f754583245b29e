//! The constant instructions that the cores of a `tensix.program` push, as lists and loops: what
//! `tensix-form-replay` and `tensix-form-mop` look at.

use tessera_dialects::arith::ConstantOp;
use tessera_dialects::mlir::{AttributeValue, Block, Definition, Op, Value};
use tessera_dialects::scf::ForOp;
use tessera_dialects::tensix::program::{constant_instruction, Core};
use tessera_dialects::tensix::ProgramOp;
use tessera_isa_tensix::{Arch, Instruction, Opcode};

/// How often a loop is taken to turn whose bounds are not known.
const UNKNOWN_TRIP: u64 = 16;

/// The code of every thread's core, with its program.
pub fn threads(module: Op) -> impl Iterator<Item = (ProgramOp, Block)> {
    let programs = module.find_all::<ProgramOp>().into_iter();
    programs.flat_map(|program| {
        let cores = Core::ALL.into_iter().zip(program.regions());
        let threads = cores.filter(|(core, _)| core.has_thread());
        threads.filter_map(move |(_, region)| Some((program, *region.blocks().first()?)))
    })
}

/// The chip of a `tensix.program`; verified ones have one.
pub fn arch(program: ProgramOp) -> Option<Arch> {
    program.arch()?.parse().ok()
}

/// One operation of a list.
#[derive(Clone, Debug)]
pub enum Part<'a> {
    /// A push of a constant instruction.
    Word(Instruction, Op<'a>),
    /// A loop.
    Loop {
        /// The operation.
        op: Op<'a>,
        /// How often it turns, if that is known.
        trip: Option<u64>,
        /// Whether it does nothing but turn: it carries no values, and nobody reads its variable.
        plain: bool,
        /// What is in it.
        body: Vec<Part<'a>>,
    },
    /// Anything else; the bodies of branches are lists of their own.
    Other {
        /// The operation.
        op: Op<'a>,
        /// Its lists.
        bodies: Vec<Vec<Part<'a>>>,
    },
}

impl<'a> Part<'a> {
    /// The operation.
    pub fn op(&self) -> Op<'a> {
        match self {
            Part::Word(_, op) | Part::Loop { op, .. } | Part::Other { op, .. } => *op,
        }
    }
}

/// The parts of a block.
pub fn parts(block: Block) -> Vec<Part> {
    block.ops().into_iter().map(part).collect()
}

fn part(op: Op) -> Part {
    if let Some(instruction) = constant_instruction(op) {
        return Part::Word(instruction, op);
    }
    let bodies = op.regions().into_iter().flat_map(|region| region.blocks());
    let mut bodies: Vec<Vec<Part>> = bodies.map(parts).collect();
    let Some(r#for) = op.dyn_cast().filter(|_| bodies.len() == 1) else {
        return Part::Other { op, bodies };
    };
    let mut body = bodies.remove(0);
    // The yield.
    body.pop();
    let arguments = op.body().map(|body| body.arguments()).unwrap_or_default();
    Part::Loop {
        op,
        trip: trip(r#for),
        plain: arguments.len() == 1 && !arguments[0].has_uses(),
        body,
    }
}

/// How often a loop turns, if its bounds are constants.
fn trip(r#for: ForOp) -> Option<u64> {
    let bounds = [r#for.lower_bound(), r#for.upper_bound(), r#for.step()];
    let [low, high, step] = bounds.map(|bound| constant(bound?));
    let (low, high, step) = (low?, high?, step?);
    let span = u64::try_from(high.checked_sub(low)?).unwrap_or(0);
    u64::try_from(step)
        .ok()
        .filter(|step| *step > 0)
        .map(|step| span.div_ceil(step))
}

fn constant(value: Value) -> Option<i64> {
    match value.definition() {
        Definition::Result(op, _) => op.dyn_cast::<ConstantOp>()?.value()?.integer(),
        Definition::Argument(..) => None,
    }
}

/// How often the body of a loop is executed for each time that the loop is.
pub fn weight(trip: Option<u64>) -> u64 {
    trip.unwrap_or(UNKNOWN_TRIP)
}

/// Whether an instruction goes to an expander, which does not expand what it has expanded.
pub fn is_expanded(instruction: Instruction) -> bool {
    matches!(
        instruction.opcode(),
        Opcode::Mop | Opcode::MopCfg | Opcode::Replay
    )
}
