//! An expression or MV instruction before it has registers and a step.
//!
//! Opcodes are those of the ISA table. Operands are places in memory, with addresses that move with
//! the iteration, or values, whose place a [`Schedule`](crate::schedule::Schedule) decides.

use tessera_isa_mncore::ast::{Convert, Fixed, Mask, MatrixRows};
use tessera_isa_mncore::memory::{Bank, Precision, Side, Width};
use tessera_isa_mncore::table::{AluOp, Group, L1bmOp, L2bmOp, MauOp, MvMode, Rrn};

use crate::address::Address;

/// A value of a loop's body: what an item hands to others of the same iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(pub u32);

/// What issues as a part of one step, or beside steps.
#[derive(Clone, Debug)]
pub struct Item {
    /// What it does.
    pub op: Op,
    /// What it reads from PE memories, one for each port of the operation.
    pub inputs: Vec<Operand>,
    /// What it writes in PE memories.
    pub outputs: Vec<Dest>,
    /// In which iterations it issues: those that satisfy all of these.
    pub when: Vec<Guard>,
    /// The line it stands for, in a table that is the caller's; 0 is none.
    pub line: u32,
}

/// What an item does.
#[derive(Clone, Debug)]
pub enum Op {
    /// MAU arithmetic, perhaps with a matrix register.
    Mau(MauOp, Option<Side>),
    /// ALU arithmetic; the word of `imm` and `immu`, else 0.
    Alu(AluOp, u32),
    /// A write to a matrix register.
    Mwrite(Precision, MatrixRows),
    /// A transposed read of a matrix register.
    Mread(Precision, MatrixRows),
    /// A transfer between L1BM, at this address, and PEs.
    L1bm(L1bmOp, Address),
    /// A transfer between L2BM and L1BM.
    L2bm {
        /// Which.
        op: L2bmOp,
        /// The address in L2BM; of a multicast, the source's in L1BM.
        l2: Address,
        /// The address in L1BM.
        l1: Address,
    },
    /// Waits for the MV instruction with this tag.
    Wait(Address),
    /// An MV instruction, issued before the step.
    Mv(Move),
}

/// An MV instruction.
#[derive(Clone, Debug)]
pub struct Move {
    /// Which.
    pub mode: MvMode,
    /// The operation of a reduction.
    pub rrn: Option<Rrn>,
    /// Long words, counted as the manual's section 3.5.3 says.
    pub words: u32,
    /// Its tag, 1 to 255.
    pub tag: Address,
    /// Where it reads.
    pub source: MovePlace,
    /// Where it writes.
    pub target: MovePlace,
}

/// An operand of an MV instruction.
#[derive(Clone, Debug)]
pub struct MovePlace {
    /// The memory.
    pub memory: MoveMemory,
    /// The address in it, in long words.
    pub address: Address,
    /// The group; none is all of them.
    pub group: Option<u8>,
    /// The L2B; none is both.
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

/// What is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operand {
    /// From where.
    pub source: Source,
    /// Whether signs are inverted.
    pub negate: bool,
    /// The conversion.
    pub convert: Convert,
}

/// From where an item reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A PE memory.
    Memory(Place),
    /// A value of the body.
    Value(Value),
    /// A word, the same in every half of every long word.
    Constant(u32),
    /// A fixed value of the machine.
    Fixed(Fixed),
}

/// A place in a PE memory that an item names itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The memory.
    pub bank: Bank,
    /// The width of the access.
    pub width: Width,
    /// The address in cycle 0, in single words.
    pub address: Address,
    /// What each cycle adds.
    pub stride: u16,
}

impl Place {
    /// Four consecutive words of a width.
    pub fn consecutive(bank: Bank, width: Width, address: impl Into<Address>) -> Self {
        Place {
            bank,
            width,
            address: address.into(),
            stride: width.words(),
        }
    }
}

/// What is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dest {
    /// Where.
    pub target: Target,
    /// Which parts.
    pub mask: Option<Masking>,
}

/// Where an item writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A PE memory.
    Memory(Place),
    /// A value of the body. A second write to a value needs a mask; readers see both.
    Value(Value),
}

/// A mask on a write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Masking {
    /// Fixed.
    Fixed(Mask),
    /// Where flags are set that an item put into this value.
    Flags(Value),
}

/// A condition on the iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Guard {
    /// The dimension, 0 the outermost.
    pub dimension: usize,
    /// The condition.
    pub test: Test,
}

/// A condition on an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Test {
    /// It is this.
    Is(u32),
    /// It is anything else.
    IsNot(u32),
    /// It is less than this.
    Below(u32),
    /// It is this or more.
    From(u32),
    /// Divided by the first it leaves the second.
    Every(u32, u32),
}

impl Guard {
    /// Whether an iteration satisfies it.
    pub fn holds(&self, iteration: &[u32]) -> bool {
        self.test.holds(iteration[self.dimension])
    }
}

impl Test {
    /// Whether an index satisfies it.
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
    /// Whether it issues in an iteration.
    pub fn issues(&self, iteration: &[u32]) -> bool {
        self.when.iter().all(|guard| guard.holds(iteration))
    }

    /// The slot of a step that it takes; none for an MV instruction.
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

    /// The values it reads: as operands, and as masks.
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

    /// The values it writes.
    pub fn writes(&self) -> impl Iterator<Item = Value> + '_ {
        self.outputs
            .iter()
            .filter_map(|output| match output.target {
                Target::Value(value) => Some(value),
                Target::Memory(_) => None,
            })
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
