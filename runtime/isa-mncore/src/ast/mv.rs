//! MV instructions (manual, section 3.5).

use crate::diagnostic::Span;
use crate::table::{MvMode, Rrn};

/// An MV instruction.
#[derive(Clone, Debug)]
pub struct Mv {
    /// The transfer, or `None` for `mvnop`.
    pub transfer: Option<Transfer>,
}

/// The transfer of an MV instruction.
#[derive(Clone, Debug)]
pub struct Transfer {
    /// The transfer mode.
    pub mode: MvMode,
    /// The operation of a reduction.
    pub rrn: Option<Rrn>,
    /// The length in long words, as section 3.5.3 counts it: a positive multiple of the mode's
    /// unit.
    pub words: u32,
    /// The tag, 1 to 255, if there is one.
    pub tag: Option<u8>,
    /// The priority, 0 to 3.
    pub priority: u8,
    /// For indirect DRAM addresses: how many bursts use one DAR entry before the next entry is
    /// taken. `None` uses the first entry throughout.
    pub per_entry: Option<u32>,
    /// The source operand.
    pub source: MvOperand,
    /// The target operand.
    pub target: MvOperand,
}

/// An operand of an MV instruction.
#[derive(Clone, Copy, Debug)]
pub struct MvOperand {
    /// The source location in the program text.
    pub span: Span,
    /// The memory and its address.
    pub memory: MvMemory,
    /// The group; `None` means all groups.
    pub group: Option<u8>,
    /// The L2B; `None` means both. An `mvp` from L2BM may omit it although the manual does not say
    /// so; both L2BM must then hold the same data.
    pub l2b: Option<u8>,
}

/// The memory of an MV operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MvMemory {
    /// PDM: long word address.
    Pdm(u32),
    /// DRAM: long word address.
    Dram(u32),
    /// DRAM with indirect addresses, starting at this DAR entry.
    DramIndirect(u16),
    /// L2BM: long word address.
    L2bm(u16),
}
