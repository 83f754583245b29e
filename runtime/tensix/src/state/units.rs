//! The units that stay busy after an instruction has been issued, as bits of masks.

/// The number of units.
pub(crate) const UNITS: usize = 10;
pub(crate) const MATRIX: usize = 2;
/// The first of the four packers.
pub(crate) const PACKER: usize = 3;
pub(crate) const VECTOR: usize = 7;
/// The memory requests of the scalar unit.
pub(crate) const SCALAR: usize = 8;
pub(crate) const MOVER: usize = 9;
/// The packers.
pub(crate) const PACKERS: u32 = 0b1111 << PACKER;
/// Unpackers and packers, which use configuration until they end.
pub(crate) const CONFIG_USERS: u32 = 0b11 | PACKERS;
