//! What kernels can do with tensors.

/// What the kernels of a target can do with tensors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abilities {
    /// Whether an operation may see a tensor as other matrices than those of its last two
    /// dimensions, and a vector as a factor of a product: the host lays out tensors for each
    /// kernel.
    pub may_collapse_dims: bool,
    /// Whether products read transposed factors.
    pub transposed_factors: bool,
    /// Whether products read f32, and add a bias of f32, with all its bits.
    pub exact_factors: bool,
}
