//! Items: instructions before scheduling and register allocation.
//!
//! Opcodes are those of the ISA table. Operands are memory places, whose addresses depend on the
//! iteration, or values, to which a [`Schedule`](crate::schedule::Schedule) assigns registers.

use tessera_isa_mncore::ast::{Convert, Fixed, Mask, MatrixRows};
use tessera_isa_mncore::memory::{Bank, Precision, Side, Width};
use tessera_isa_mncore::table::{AluOp, Group, L1bmOp, L2bmOp, MauOp, MvMode, Rrn};

use crate::address::Address;

/// A value of a body, which items of one iteration pass to one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(pub u32);

/// An instruction that issues in one slot of a step, or an MV instruction before it.
#[derive(Clone, Debug)]
pub struct Item {
    /// The operation.
    pub op: Op,
    /// The operands, one for each port of the operation.
    pub inputs: Vec<Operand>,
    /// The destinations in PE memories.
    pub outputs: Vec<Dest>,
    /// Guards, in conjunction: the item issues in iterations that satisfy all of them.
    pub when: Vec<Guard>,
    /// The source line in a table of the caller; 0 means none.
    pub line: u32,
}

/// The operation of an item.
#[derive(Clone, Debug)]
pub enum Op {
    /// MAU arithmetic, with the matrix register that it reads, if any.
    Mau(MauOp, Option<Side>),
    /// ALU arithmetic, with the immediate word of `imm` and `immu` (otherwise 0).
    Alu(AluOp, u32),
    /// A write to a matrix register.
    Mwrite(Precision, MatrixRows),
    /// A transposed read of a matrix register.
    Mread(Precision, MatrixRows),
    /// A transfer between L1BM, at this address, and PEs.
    L1bm(L1bmOp, Address),
    /// A transfer between L2BM and L1BM.
    L2bm {
        /// The opcode.
        op: L2bmOp,
        /// The address in L2BM; of a multicast, the source's in L1BM.
        l2: Address,
        /// The address in L1BM.
        l1: Address,
    },
    /// A wait for the MV instruction with this tag.
    Wait(Address),
    /// An MV instruction, issued before the step.
    Mv(Move),
}

/// An MV instruction.
#[derive(Clone, Debug)]
pub struct Move {
    /// The opcode.
    pub mode: MvMode,
    /// The operation of a reduction.
    pub rrn: Option<Rrn>,
    /// Long words, counted as in section 3.5.3 of the developer manual.
    pub words: u32,
    /// Its tag, 1 to 255.
    pub tag: Address,
    /// The source.
    pub source: MovePlace,
    /// The target.
    pub target: MovePlace,
}

/// An operand of an MV instruction.
#[derive(Clone, Debug)]
pub struct MovePlace {
    /// The memory.
    pub memory: MoveMemory,
    /// The address in it, in long words.
    pub address: Address,
    /// The group; `None` for all.
    pub group: Option<u8>,
    /// The L2B; `None` for both.
    pub l2b: Option<u8>,
}

/// The memory of an MV operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveMemory {
    /// PDM.
    Pdm,
    /// DRAM.
    Dram,
    /// L2BM.
    L2bm,
}

/// An operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operand {
    /// The source.
    pub source: Source,
    /// Whether it is negated.
    pub negate: bool,
    /// The conversion on reading.
    pub convert: Convert,
}

/// The source of an operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A PE memory.
    Memory(Place),
    /// A value of the body.
    Value(Value),
    /// A word, repeated in all halves of all long words.
    Constant(u32),
    /// A fixed value of the machine.
    Fixed(Fixed),
}

/// An explicitly addressed place in a PE memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The memory.
    pub bank: Bank,
    /// The width of the access.
    pub width: Width,
    /// The address in cycle 0, in single words.
    pub address: Address,
    /// The increment per cycle.
    pub stride: u16,
}

impl Place {
    /// Returns consecutive words, one per cycle.
    pub fn consecutive(bank: Bank, width: Width, address: impl Into<Address>) -> Self {
        Place {
            bank,
            width,
            address: address.into(),
            stride: width.words(),
        }
    }
}

/// A destination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dest {
    /// The target.
    pub target: Target,
    /// The mask of the write, if it is partial.
    pub mask: Option<Masking>,
}

/// The target of a write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A PE memory.
    Memory(Place),
    /// A value of the body. Further writes to a value need a mask; readers see their union.
    Value(Value),
}

/// A mask on a write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Masking {
    /// A fixed mask.
    Fixed(Mask),
    /// The flags in this value.
    Flags(Value),
}

/// A condition on one loop index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Guard {
    /// The dimension, 0 being the outermost.
    pub dimension: usize,
    /// The condition.
    pub test: Test,
}

/// A condition on an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Test {
    /// Equal to this.
    Is(u32),
    /// Different from this.
    IsNot(u32),
    /// Less than this.
    Below(u32),
    /// At least this.
    From(u32),
    /// Leaves the second as the remainder of division by the first.
    Every(u32, u32),
}

impl Guard {
    /// Returns whether an iteration satisfies it.
    pub fn holds(&self, iteration: &[u32]) -> bool {
        self.test.holds(iteration[self.dimension])
    }
}

impl Test {
    /// Returns whether an index satisfies it.
    pub fn holds(self, index: u32) -> bool {
        match self {
            Test::Is(value) => index == value,
            Test::IsNot(value) => index != value,
            Test::Below(value) => index < value,
            Test::From(value) => index >= value,
            Test::Every(count, rest) => index % count == rest,
        }
    }
}

impl Item {
    /// Returns whether it issues in an iteration.
    pub fn issues(&self, iteration: &[u32]) -> bool {
        self.when.iter().all(|guard| guard.holds(iteration))
    }

    /// Returns the slot of the instruction word that it takes; `None` for an MV instruction.
    pub fn group(&self) -> Option<Group> {
        Some(match &self.op {
            Op::Mau(..) => Group::MauCalc,
            Op::Alu(..) => Group::Alu,
            Op::Mwrite(..) => Group::Mwrite,
            Op::Mread(..) => Group::Mread,
            Op::L1bm(..) => Group::L1bm,
            Op::L2bm { .. } => Group::L2bm,
            Op::Wait(_) => Group::Wait,
            Op::Mv(_) => return None,
        })
    }

    /// Returns the values it reads, as operands and as masks.
    pub fn reads(&self) -> impl Iterator<Item = Value> + '_ {
        let operands = self.inputs.iter().filter_map(|input| match input.source {
            Source::Value(value) => Some(value),
            _ => None,
        });
        let masks = self.outputs.iter().filter_map(|output| match output.mask {
            Some(Masking::Flags(value)) => Some(value),
            _ => None,
        });
        operands.chain(masks)
    }

    /// Returns the values it writes.
    pub fn writes(&self) -> impl Iterator<Item = Value> + '_ {
        self.outputs
            .iter()
            .filter_map(|output| match output.target {
                Target::Value(value) => Some(value),
                Target::Memory(_) => None,
            })
    }
}

impl Operand {
    /// Returns whether it is read from this memory of the PEs.
    pub fn is_in(&self, bank: Bank) -> bool {
        matches!(&self.source, Source::Memory(place) if place.bank == bank)
    }
}

impl From<Value> for Operand {
    fn from(value: Value) -> Self {
        Source::Value(value).into()
    }
}

impl From<Place> for Operand {
    fn from(place: Place) -> Self {
        Source::Memory(place).into()
    }
}

impl From<Source> for Operand {
    fn from(source: Source) -> Self {
        Operand {
            source,
            negate: false,
            convert: Convert::None,
        }
    }
}

impl From<Value> for Dest {
    fn from(value: Value) -> Self {
        Dest {
            target: Target::Value(value),
            mask: None,
        }
    }
}

impl From<Place> for Dest {
    fn from(place: Place) -> Self {
        Dest {
            target: Target::Memory(place),
            mask: None,
        }
    }
}
