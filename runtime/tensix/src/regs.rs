//! The register files.

/// SrcA, SrcB, Dst, LRegs and row counters.
#[derive(Clone, Debug, Default)]
pub struct Registers {}
