//! The constant instructions that the cores of a `tensix.program` push, as a tree of lists and
//! loops. Input of `tensix-form-replay` and `tensix-form-mop`.

use tessera_dialects::arith::ConstantOp;
use tessera_dialects::mlir::{AttributeValue, Block, Definition, Op, Value};
use tessera_dialects::scf::ForOp;
use tessera_dialects::tensix::program::{constant_instruction, Core};
use tessera_dialects::tensix::ProgramOp;
use tessera_isa_tensix::{Arch, Instruction, Opcode};

/// Assumed trip count of loops with unknown bounds.
const UNKNOWN_TRIP: u64 = 16;

/// Iterates over the code of all thread cores, with its program.
pub fn threads(module: Op) -> impl Iterator<Item = (ProgramOp, Block)> {
    let programs = module.find_all::<ProgramOp>().into_iter();
    programs.flat_map(|program| {
        let cores = Core::ALL.into_iter().zip(program.regions());
        let threads = cores.filter(|(core, _)| core.has_thread());
        threads.filter_map(move |(_, region)| Some((program, *region.blocks().first()?)))
    })
}

/// Returns the chip of a `tensix.program`; verified programs have one.
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
        /// Trip count, if known.
        trip: Option<u64>,
        /// Whether it only repeats its body: no iteration arguments, and an unused induction
        /// variable.
        plain: bool,
        /// The body.
        body: Vec<Part<'a>>,
    },
    /// Anything else; the bodies of branches are lists of their own.
    Other {
        /// The operation.
        op: Op<'a>,
        /// Its nested lists.
        bodies: Vec<Vec<Part<'a>>>,
    },
}

impl<'a> Part<'a> {
    /// Returns the operation.
    pub fn op(&self) -> Op<'a> {
        match self {
            Part::Word(_, op) | Part::Loop { op, .. } | Part::Other { op, .. } => *op,
        }
    }
}

/// Returns the parts of a block.
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

/// Returns the trip count of a loop with constant bounds.
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

/// Returns the weight of a loop's body: its known or assumed trip count.
pub fn weight(trip: Option<u64>) -> u64 {
    trip.unwrap_or(UNKNOWN_TRIP)
}

/// Returns whether an instruction is handled by an expander. Expanders do not expand their own
/// output again.
pub fn is_expanded(instruction: Instruction) -> bool {
    matches!(
        instruction.opcode(),
        Opcode::Mop | Opcode::MopCfg | Opcode::Replay
    )
}
