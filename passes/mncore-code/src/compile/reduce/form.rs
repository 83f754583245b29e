//! The data distributions of reductions.

use crate::compile::data::distribution::{Distribution, Extents};

/// The parameters of a kernel with reductions.
#[derive(Clone, Copy)]
pub(crate) enum Form {
    /// L2Bs have their own columns.
    OverL2bs {
        /// Maximum number of column vectors per block.
        steps: u32,
        /// Whether cycles hold the reduced axis.
        tall: bool,
    },
    /// Groups have their own columns.
    InGroups,
}

impl Form {
    /// Returns the distribution for these extents.
    pub fn distribution(self, extents: &Extents) -> Distribution {
        match self {
            Form::OverL2bs { steps, tall } => Distribution::for_reduction(extents, steps, tall),
            Form::InGroups => Distribution::for_reduction_in_groups(extents),
        }
    }
}
