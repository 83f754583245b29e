//! The selection of an implementation: fast, or the readable specification.

use crate::arith::fast::Level;

/// The implementation of arithmetic, packing and unpacking. All give the same results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// Vector instructions of the host where [`crate::arith::fast`] supports the operation, and
    /// whole rows in packers and unpackers where all their datums are treated alike; otherwise the
    /// reference.
    Fast(Level),
    /// Element by element, as in [`crate::arith::spec`] and in the files `datums.rs` of packers and
    /// unpackers.
    Reference,
}

impl Model {
    /// Returns the fast model with the widest vector instructions of the host.
    pub fn fast() -> Model {
        Model::Fast(Level::best())
    }
}
