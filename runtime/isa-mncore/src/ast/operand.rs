//! Operands of PE expressions (manual, sections 3.6.1 and 3.6.2).

use crate::diagnostic::Span;
use crate::memory::{Bank, Width};

/// An operand that is read.
#[derive(Clone, Copy, Debug)]
pub struct Input {
    /// The source location in the program text.
    pub span: Span,
    /// The register, memory or constant that is read.
    pub source: Source,
    /// Whether the prefix `-` inverts the signs.
    pub negate: bool,
    /// The conversion, from the suffix `e` or `r`.
    pub convert: Convert,
}

/// A precision conversion of an input operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Convert {
    /// No conversion.
    None,
    /// `e`: widens from the next narrower precision.
    Widen,
    /// `r`: narrows from the next wider precision.
    Narrow,
}

/// The source of an input operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// A PE memory.
    Memory(MemoryOperand),
    /// The T register: the two long words of the current cycle.
    T,
    /// A forwarding register.
    Forward(Forward),
    /// A constant.
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

/// A constant operand (section 3.6.1.20). It is replicated to each element of the ALU's precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fixed {
    /// `$l2bid`: number of the L2B on the board, 2 · group + L2B.
    L2bId,
    /// `$l1bid`: number of the L1B in its L2B.
    L1bId,
    /// `$mabid`: number of the MAB in its L1B.
    MabId,
    /// `$peid`: number of the PE in its L1B, 4 · MAB + PE.
    PeId,
    /// `$subpeid`: number of the PE in its MAB.
    SubPeId,
    /// `$msb1`: only the most significant bit set.
    Msb1,
}

/// An access to a PE memory over the four cycles of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MemoryOperand {
    /// The memory.
    pub bank: Bank,
    /// The width of the access.
    pub width: Width,
    /// The addresses of the four cycles, in single words.
    pub pattern: Pattern,
    /// The run-time modification of the addresses.
    pub modify: Modify,
}

/// A run-time addend to the address, besides the base address register of a local memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Modify {
    /// No addend.
    None,
    /// `t`: adds the upper long word of the T register of the same cycle; LM0 only.
    T,
    /// `j<n>`: adds the access width in PEs 0 to n; LM0 and LM1 only.
    UpToPe(u8),
}

/// The addresses of the four cycles, in single words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// `base`, `base + stride`, …: representable in both instruction modes.
    Stride {
        /// The address in cycle 0.
        base: u16,
        /// The increment per cycle.
        stride: u16,
    },
    /// Four independent addresses: flat mode only.
    Flat([u16; 4]),
}

impl Pattern {
    /// Returns the address in a cycle (0 to 3), before reduction modulo the memory size.
    pub fn address_at(self, cycle: usize) -> u16 {
        match self {
            Pattern::Stride { base, stride } => {
                base.wrapping_add(stride.wrapping_mul(cycle as u16))
            }
            Pattern::Flat(addresses) => addresses[cycle],
        }
    }
}

impl MemoryOperand {
    /// Returns the first single word accessed in a cycle (0 to 3), without run-time addends.
    pub fn address(&self, cycle: usize) -> u16 {
        self.pattern.address_at(cycle) % self.bank.words()
    }
}

/// An operand that is written.
#[derive(Clone, Copy, Debug)]
pub struct Output {
    /// The source location in the program text.
    pub span: Span,
    /// The register or memory that is written.
    pub target: Target,
    /// The write mask (section 3.6.2.1).
    pub mask: Option<Mask>,
}

/// The destination of an output operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// A PE memory.
    Memory(MemoryOperand),
    /// The T register.
    T,
    /// The base address register of LM0 or LM1, written from a single word or a long word.
    Base(Bank, Width),
    /// An entry of the mask registers, 1 to 15; it receives the mask flags.
    MaskRegister(u8),
    /// `$nowrite`: no destination, so only the forwarding register receives the result.
    Nowrite,
}

/// A mask on a write or on a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mask {
    /// The entry. 1 to 15 are mask registers. 16 to 31 are fixed patterns, one bit per cycle: bit 3
    /// for cycle 0, bit 0 for cycle 3.
    pub entry: u8,
    /// Whether the four flags cover the single words of both long words. Otherwise they cover the
    /// half words of the upper long word.
    pub wide: bool,
}
