//! Operands of PE expressions (manual, sections 3.6.1 and 3.6.2).

use crate::diagnostic::Span;
use crate::memory::{Bank, Width};

/// An operand that is read.
#[derive(Clone, Copy, Debug)]
pub struct Input {
    /// Where it stands.
    pub span: Span,
    /// What is read.
    pub source: Source,
    /// The prefix `-`: signs are inverted.
    pub negate: bool,
    /// The suffix `e` or `r`.
    pub convert: Convert,
}

/// A conversion of an operand that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Convert {
    /// None.
    None,
    /// `e`: from the next narrower precision.
    Widen,
    /// `r`: from the next wider precision.
    Narrow,
}

/// What is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// A PE memory.
    Memory(MemoryOperand),
    /// The T register, two long words of the cycle.
    T,
    /// A forwarding register.
    Forward(Forward),
    /// A fixed value.
    Fixed(Fixed),
}

/// A forwarding register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Forward {
    /// `$mauf`, section 3.6.1.15.
    Mau,
    /// `$aluf`, section 3.6.1.16.
    Alu,
    /// `$lbf`, section 3.6.1.17.
    L1bm,
    /// `$mreadf`, section 3.6.1.18.
    Mread,
}

/// A fixed value (section 3.6.1.20), one for each element of the ALU's precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fixed {
    /// `$l2bid`: group times 2 plus L2B.
    L2bId,
    /// `$l1bid`: L1B.
    L1bId,
    /// `$mabid`: MAB.
    MabId,
    /// `$peid`: MAB times 4 plus PE.
    PeId,
    /// `$subpeid`: PE.
    SubPeId,
    /// `$msb1`: the top bit.
    Msb1,
}

/// An access to a PE memory in four cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MemoryOperand {
    /// The memory.
    pub bank: Bank,
    /// The width of the access.
    pub width: Width,
    /// The addresses, in single words.
    pub pattern: Pattern,
    /// What is added to them.
    pub modify: Modify,
}

/// What is added to an address, besides the base address register of a local memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Modify {
    /// Nothing.
    None,
    /// `t`: the upper long word of the T register in this cycle; LM0 only.
    T,
    /// `j<n>`: the access's width, in PEs 0 to n; LM0 and LM1 only.
    UpToPe(u8),
}

/// The addresses of four cycles, in single words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// `base`, `base + stride`, …: what both modes express.
    Stride {
        /// The address in cycle 0.
        base: u16,
        /// Added every cycle.
        stride: u16,
    },
    /// Four addresses: flat mode only.
    Flat([u16; 4]),
}

impl Pattern {
    /// The address in a cycle (0 to 3), before it is taken modulo the memory's size.
    pub fn at(self, cycle: usize) -> u16 {
        match self {
            Pattern::Stride { base, stride } => {
                base.wrapping_add(stride.wrapping_mul(cycle as u16))
            }
            Pattern::Flat(addresses) => addresses[cycle],
        }
    }
}

impl MemoryOperand {
    /// The first single word accessed in a cycle (0 to 3), without what is added at run time.
    pub fn address(&self, cycle: usize) -> u16 {
        self.pattern.at(cycle) % self.bank.words()
    }
}

/// An operand that is written.
#[derive(Clone, Copy, Debug)]
pub struct Output {
    /// Where it stands.
    pub span: Span,
    /// What is written.
    pub target: Target,
    /// The mask that decides what is written (section 3.6.2.1).
    pub mask: Option<Mask>,
}

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// A PE memory.
    Memory(MemoryOperand),
    /// The T register.
    T,
    /// A base address register: of LM0 or LM1, from a single word or a long word.
    Base(Bank, Width),
    /// An entry of the mask registers, 1 to 15: the flags.
    MaskRegister(u8),
    /// Nothing but the forwarding register.
    Nowrite,
}

/// A mask applied to a write or to a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mask {
    /// The entry: 1 to 15 mask registers, 16 to 31 fixed: bit 3 of the number for cycle 0, bit 0
    /// for cycle 3.
    pub entry: u8,
    /// Flags stand for the single words of both long words, not for the half words of the upper
    /// one.
    pub wide: bool,
}
