//! Which arithmetic a core computes with.

use crate::numerics::fast::Level;

/// How the matrix and the vector unit compute. Both ways give the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// In the vector instructions of this processor, as far as [`crate::numerics::fast`] goes;
    /// otherwise as the reference.
    Fast(Level),
    /// Element by element, as [`crate::numerics::fpu`] and [`crate::numerics::sfpu`] state it.
    Reference,
}

impl Model {
    /// Returns the fast model with the widest vector instructions of the host.
    pub fn fast() -> Model {
        Model::Fast(Level::best())
    }
}
