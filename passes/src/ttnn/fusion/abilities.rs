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
    /// Whether kernels compute with a number that fills a tensor instead of loading the tensor.
    pub numbers: bool,
}

impl Abilities {
    /// Returns the capabilities for groups that are stages of one kernel. They have the default
    /// view, so that all stages view a tensor alike.
    #[must_use]
    pub fn for_stages(self) -> Self {
        Abilities {
            may_collapse_dims: false,
            ..self
        }
    }
}
