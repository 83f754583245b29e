//! The arithmetic of the units, as pure functions on bit patterns.
//!
//! Nothing here depends on register files, threads or configuration. [`spec`] is the specification,
//! written to be read; [`fast`] computes the same for whole rows and vectors, in vector
//! instructions of the host, and tests compare both. Neither does arithmetic on the host's floats,
//! which the crate enforces by lint; they only convert integers to float32, which rounds as the
//! hardware does. The exceptions are the modules `fused` and `float_sum` of [`fast`]: there, every
//! operation on the host's floats is exact or rounds as the hardware does.

pub mod fast;
pub mod spec;

/// Datums in a row of SrcA, SrcB and Dst.
pub const COLUMNS: usize = 16;
/// A row of 32-bit values.
pub type Row = [u32; COLUMNS];

/// Number of lanes of the Vector Unit.
pub const LANES: usize = 32;
/// A value per lane.
pub type Lanes = [u32; LANES];
