//! Instructions of the vector unit on virtual registers.
//!
//! A [`VirtualInst`] becomes one instruction, except [`Op::Constant`], which may take two.
//! Operations whose destination the hardware also reads, and all instructions between [`Op::If`]
//! and [`Op::EndIf`], update an existing register. All others define a new one.

/// A virtual register: 32 lanes of 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reg(pub(crate) usize);

/// An operand of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A register.
    Reg(Reg),
    /// The same 32 bits in all lanes.
    Constant(u32),
}

impl From<Reg> for Operand {
    fn from(reg: Reg) -> Self {
        Operand::Reg(reg)
    }
}

impl From<f32> for Operand {
    fn from(number: f32) -> Self {
        Operand::Constant(number.to_bits())
    }
}

impl From<u32> for Operand {
    fn from(word: u32) -> Self {
        Operand::Constant(word)
    }
}

/// A condition on a lane's 32 bits as a signed integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Negative: the sign is set.
    Negative,
    /// The sign is not set.
    NotNegative,
    /// All bits are zero.
    Zero,
    /// Some bit is one.
    NotZero,
}

/// An operation. `a`, `b` and `c` denote its operands in order; `d` is the old value of its
/// destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Loads from this row of Dst.
    Load(u32),
    /// Stores `a` to this row of Dst.
    Store(u32),
    /// The same 32 bits in all lanes.
    Constant(u32),
    /// `a · b + c`, partly fused.
    Mad,
    /// `a + b`
    Add,
    /// `a · b`
    Mul,
    /// `a`
    Copy,
    /// `-a` of a float.
    Negate,
    /// `a` with this sign.
    SetSign(bool),
    /// `a` with this biased exponent.
    SetExponent(u8),
    /// `a` with a mantissa of which these are the upper twelve bits.
    SetMantissa(u16),
    /// `a` with the sign of `d`.
    CopySign,
    /// The unbiased exponent of `a`, an integer.
    Exponent,
    /// The mantissa of `a`, an integer, with the hidden bit or without.
    Mantissa(bool),
    /// `|a|` of an integer.
    IntAbs,
    /// `a` plus a signed 12-bit constant.
    IntAddNumber(i16),
    /// `a + d`
    IntAdd,
    /// `a - d`
    IntSub,
    /// `a` plus a signed 12-bit constant, which also restricts execution to lanes where the sum is
    /// negative, or where it is not.
    IntAddNumberIf {
        /// The constant.
        number: i16,
        /// Whether lanes with a negative sum continue.
        negative: bool,
    },
    /// `a - d`, which also restricts execution to lanes where it is negative, or where it is not.
    IntSubIf {
        /// Whether lanes with a negative difference continue.
        negative: bool,
    },
    /// `d` shifted left by a constant, or right if that is negative.
    ShiftBy(i8),
    /// `d` shifted by `a`.
    Shift,
    /// `a & d`
    And,
    /// `a | d`
    Or,
    /// `a ^ d`
    Xor,
    /// `!a`
    Not,
    /// The sign-magnitude integer `a` as a float.
    Cast,
    /// `a` rounded to bf16, as packers do.
    RoundBf16,
    /// The lesser of `a` and `d` in total order. `a` is a constant.
    Min,
    /// The greater of `a` and `d` in total order. `a` is a constant.
    Max,
    /// Sorts floats in total order: `d` becomes the lesser and the other register the greater of
    /// both.
    Sort,
    /// Restricts execution to lanes in which `a` satisfies a condition.
    If(Condition),
    /// Ends all restrictions.
    EndIf,
    /// No operation, for one cycle.
    Nop,
}

impl Op {
    /// Returns whether the operation reads its destination.
    pub(crate) fn reads_dest(self) -> bool {
        matches!(
            self,
            Op::CopySign
                | Op::IntAdd
                | Op::IntSub
                | Op::IntSubIf { .. }
                | Op::ShiftBy(_)
                | Op::Shift
                | Op::And
                | Op::Or
                | Op::Xor
                | Op::Min
                | Op::Max
                | Op::Sort
        )
    }

    /// Returns whether the next instruction cannot read the result yet (`VectorUnit.md`,
    /// latencies).
    pub(crate) fn is_multi_cycle(self) -> bool {
        matches!(self, Op::Mad | Op::Add | Op::Mul)
    }

    /// Returns whether it restricts the executing lanes.
    pub(crate) fn narrows_lanes(self) -> bool {
        matches!(
            self,
            Op::If(_) | Op::IntSubIf { .. } | Op::IntAddNumberIf { .. }
        )
    }
}

/// An instruction on virtual registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VirtualInst {
    /// The operation.
    pub op: Op,
    /// The register written.
    pub dest: Option<Reg>,
    /// Operands, besides the destination.
    pub reads: Vec<Operand>,
    /// The other register that [`Op::Sort`] reads and writes.
    pub other: Option<Reg>,
    /// Whether the destination's old value is read or partly kept.
    pub reads_dest: bool,
}

impl VirtualInst {
    /// Creates an instruction without registers.
    pub(crate) fn new(op: Op) -> Self {
        VirtualInst {
            op,
            dest: None,
            reads: Vec::new(),
            other: None,
            reads_dest: false,
        }
    }

    /// Returns the instruction with other registers and rows of Dst.
    pub(crate) fn moved(&self, registers: usize, rows: u32) -> Self {
        let moved = |reg: Reg| Reg(reg.0 + registers);
        let reads = self.reads.iter().map(|read| match *read {
            Operand::Reg(reg) => Operand::Reg(moved(reg)),
            constant => constant,
        });
        VirtualInst {
            op: match self.op {
                Op::Load(row) => Op::Load(row + rows),
                Op::Store(row) => Op::Store(row + rows),
                op => op,
            },
            dest: self.dest.map(moved),
            reads: reads.collect(),
            other: self.other.map(moved),
            reads_dest: self.reads_dest,
        }
    }

    /// Returns the registers that must be defined before.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = Reg> + '_ {
        let read = self.reads.iter().filter_map(|operand| match operand {
            Operand::Reg(reg) => Some(*reg),
            Operand::Constant(_) => None,
        });
        read.chain(self.dest.filter(|_| self.reads_dest))
            .chain(self.other)
    }

    /// Returns the registers written.
    pub(crate) fn outputs(&self) -> impl Iterator<Item = Reg> {
        self.dest.into_iter().chain(self.other)
    }
}
