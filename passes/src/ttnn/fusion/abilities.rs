//! Capabilities of a target's kernels.

/// Capabilities of a target's kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abilities {
    /// Whether a kernel may collapse dimensions of a tensor, that is, view it as other matrices
    /// than those of its last two dimensions, and multiply by vectors. Possible if the host lays
    /// out tensors for each kernel.
    pub may_collapse_dims: bool,
    /// Whether movement kernels read positions from tensors. Otherwise the runtime moves such
    /// elements.
    pub lookups: bool,
    /// Whether products read transposed factors.
    pub transposed_factors: bool,
    /// Whether products read f32 factors, and add an f32 bias, without truncation.
    pub exact_factors: bool,
    /// Whether the chip has NaN. Otherwise the runtime selects between elements of which some are a
    /// constant NaN: a program may select it only in case of an error, such as an index that is out
    /// of range.
    pub nan: bool,
    /// Bytes of local tensors that a kernel may have; 0 if kernels have none.
    pub local_bytes: u64,
}
