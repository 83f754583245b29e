//! What a vector program is made of: operations of the vector unit on virtual registers.
//!
//! An [`VirtualInst`] is one instruction, but for [`Op::Constant`], which may take two. Operations whose
//! destination the hardware reads, too, and whatever stands between [`Op::If`] and [`Op::EndIf`],
//! change a register; all others give a register its first value.

/// A virtual register: 32 lanes of 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reg(pub(crate) usize);

/// What an operation reads.
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

/// What decides which lanes go on, of a register's 32 bits as an integer with a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// It is below zero: the sign is set.
    Negative,
    /// The sign is not set.
    NotNegative,
    /// All bits are zero.
    Zero,
    /// Some bit is one.
    NotZero,
}

/// An operation. Its operands are called `a`, `b`, `c` in their order; `d` is what its destination
/// holds before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// What Dst holds in this row on.
    Load(u32),
    /// Dst holds `a` in this row on.
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
    /// `a` with the other sign.
    Negate,
    /// `a` with this sign.
    SetSign(bool),
    /// `a` with this biased exponent.
    SetExponent(u8),
    /// `a` with a mantissa of which these are the upper twelve bits.
    SetMantissa(u16),
    /// `a` with the sign of `d`.
    CopySign,
    /// The exponent of `a` without its bias, an integer.
    Exponent,
    /// The mantissa of `a`, an integer, with the hidden bit or without.
    Mantissa(bool),
    /// `|a|` of an integer.
    IntAbs,
    /// `a` plus a number of twelve bits with a sign.
    IntAddNumber(i16),
    /// `a + d`
    IntAdd,
    /// `a - d`
    IntSub,
    /// `a - d`; the lanes go on where that is not below zero, or else where it is.
    IntSubIf {
        /// Whether they go on where it is below zero.
        negative: bool,
    },
    /// `d` shifted left by so many bits, or right if that is negative.
    ShiftBy(i8),
    /// The same by `a`.
    Shift,
    /// `a & d`
    And,
    /// `a | d`
    Or,
    /// `a ^ d`
    Xor,
    /// `!a`
    Not,
    /// The float of an integer, `a`, that has a sign and a magnitude.
    Cast,
    /// `a` rounded to bf16, as packers do.
    RoundBf16,
    /// The lesser of `d` and the item's other register, which becomes the greater one: floats in
    /// total order.
    Sort,
    /// From here on only lanes in which `a` is so, of those that go on already.
    If(Condition),
    /// All lanes again.
    EndIf,
    /// Nothing, for a cycle.
    Nop,
}

impl Op {
    /// Whether the destination is read, in an item that all lanes execute.
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
                | Op::Sort
        )
    }

    /// Whether the next instruction cannot read its result yet (`VectorUnit.md`, latencies).
    pub(crate) fn is_multi_cycle(self) -> bool {
        matches!(self, Op::Mad | Op::Add | Op::Mul)
    }

    /// Whether it says which lanes go on.
    pub(crate) fn narrows_lanes(self) -> bool {
        matches!(self, Op::If(_) | Op::IntSubIf { .. })
    }
}

/// An operation on registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VirtualInst {
    /// The operation.
    pub op: Op,
    /// What it writes.
    pub dest: Option<Reg>,
    /// What it reads beside its destination.
    pub reads: Vec<Operand>,
    /// The other register that [`Op::Sort`] reads and writes.
    pub other: Option<Reg>,
    /// Whether the destination is read, or keeps lanes.
    pub reads_dest: bool,
}

impl VirtualInst {
    /// An item without registers.
    pub(crate) fn new(op: Op) -> Self {
        VirtualInst {
            op,
            dest: None,
            reads: Vec::new(),
            other: None,
            reads_dest: false,
        }
    }

    /// The registers that must hold values before.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = Reg> + '_ {
        let read = self.reads.iter().filter_map(|operand| match operand {
            Operand::Reg(reg) => Some(*reg),
            Operand::Constant(_) => None,
        });
        read.chain(self.dest.filter(|_| self.reads_dest))
            .chain(self.other)
    }

    /// The registers that are written.
    pub(crate) fn outputs(&self) -> impl Iterator<Item = Reg> {
        self.dest.into_iter().chain(self.other)
    }
}
