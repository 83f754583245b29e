//! The selection of an arithmetic implementation.

use crate::arith::fast::Level;

/// The implementation of the matrix and the vector unit's arithmetic. All give the same results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// Vector instructions of the host where [`crate::arith::fast`] supports the operation;
    /// otherwise the reference.
    Fast(Level),
    /// Element by element, as in [`crate::arith::spec::fpu`] and [`crate::arith::spec::sfpu`].
    Reference,
}

impl Model {
    /// Returns the fast model with the widest vector instructions of the host.
    pub fn fast() -> Model {
        Model::Fast(Level::best())
    }
}
