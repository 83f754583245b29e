//! The source of an UNPACR's datums.
//!
//! Source: ISA documentation, `UNPACR_Regular.md`.

use crate::state::unpacker::{Exponents, Fifo};

/// The source of datums.
pub(super) struct Input {
    /// Address of the first datum, in bits.
    pub datums: u64,
    /// The exponents of the datums.
    pub exponents: Exponents,
    /// Number of datums; `None` if compressed datums determine it.
    pub count: Option<u32>,
    /// Number of contiguous datums: a power of two.
    pub row: u32,
    /// Bytes between such rows.
    pub stride: u32,
    /// The range within which addresses wrap.
    pub fifo: Fifo,
    /// Additional state of compressed datums.
    pub compressed: Option<Compressed>,
}

impl Fifo {
    /// Wraps an address, in units of which there are `units` per byte.
    pub fn wrap(&self, address: u64, units: u64) -> u64 {
        if address > self.limit * units {
            address.saturating_sub(self.size * units)
        } else {
            address
        }
    }
}

/// Additional state of compressed datums.
#[derive(Clone, Copy)]
pub(super) struct Compressed {
    /// Address of the number of zeros after the first datum, in half bytes.
    pub zeros: u64,
    /// Number of datums and zeros to be dropped first.
    pub drop: u32,
    /// Number of datums and zeros to be kept after that, if limited.
    pub keep: Option<u32>,
}
