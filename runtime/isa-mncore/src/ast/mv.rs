//! MV instructions (manual, section 3.5).

use crate::diagnostic::Span;
use crate::table::{MvMode, Rrn};

/// An MV instruction.
#[derive(Clone, Debug)]
pub struct Mv {
    /// The transfer; none is `mvnop`.
    pub transfer: Option<Transfer>,
}

/// The transfer of an MV instruction.
#[derive(Clone, Debug)]
pub struct Transfer {
    /// Which.
    pub mode: MvMode,
    /// The operation of a reduction.
    pub rrn: Option<Rrn>,
    /// Long words, counted as section 3.5.3 says: a positive multiple of the mode's unit.
    pub words: u32,
    /// The tag, 1 to 255, if there is one.
    pub tag: Option<u8>,
    /// 0 to 3.
    pub priority: u8,
    /// With DRAM addresses from DAR: how often an entry is used before the next; none is always the
    /// first.
    pub per_entry: Option<u32>,
    /// Where it reads.
    pub source: MvOperand,
    /// Where it writes.
    pub target: MvOperand,
}

/// An operand of an MV instruction.
#[derive(Clone, Copy, Debug)]
pub struct MvOperand {
    /// Where it stands.
    pub span: Span,
    /// The memory and its address.
    pub memory: MvMemory,
    /// The group; none is all of them.
    pub group: Option<u8>,
    /// The L2B; none is both. In `mvp` from L2BM it may be left out although the manual does not
    /// say so: then both must hold the same.
    pub l2b: Option<u8>,
}

/// The memory of an MV operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MvMemory {
    /// PDM, long word address.
    Pdm(u32),
    /// DRAM, long word address.
    Dram(u32),
    /// DRAM, addresses from this DAR entry on.
    DramIndirect(u16),
    /// L2BM, long word address.
    L2bm(u16),
}
