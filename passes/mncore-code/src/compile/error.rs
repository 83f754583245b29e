//! Why a group cannot be compiled.

use tessera_isa_mncore::layout::LayoutError;
use tessera_pto::kernel::TensorType;
use thiserror::Error;

use crate::raise::RaiseError;

/// Why a group cannot be compiled.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum CompileError {
    /// The group is not arithmetic on whole tensors.
    #[error(transparent)]
    Raise(#[from] RaiseError),
    /// The group needs an operation without code generation.
    #[error("{what}")]
    Unsupported {
        /// The place of the operation, an index of
        /// [`Group::locations`](tessera_pto::kernel::Group::locations); `None` for the whole group.
        location: Option<usize>,
        /// The operation, and what to do instead.
        what: String,
    },
    /// A tensor does not fit into DRAM.
    #[error("tensor {tensor} ({kind}) cannot be laid out in DRAM: {error}; split the model into smaller kernels")]
    Layout {
        /// The tensor.
        tensor: usize,
        /// Its type.
        kind: TensorType,
        /// The reason.
        error: LayoutError,
    },
}

impl CompileError {
    /// Returns the place of the operation concerned, an index of
    /// [`Group::locations`](tessera_pto::kernel::Group::locations); `None` for the whole group.
    pub fn location(&self) -> Option<usize> {
        match self {
            CompileError::Raise(error) => Some(error.location),
            CompileError::Unsupported { location, .. } => *location,
            CompileError::Layout { .. } => None,
        }
    }
}

/// Returns the error for an operation without code generation.
pub(crate) fn unsupported(
    location: impl Into<Option<usize>>,
    what: impl Into<String>,
) -> CompileError {
    CompileError::Unsupported {
        location: location.into(),
        what: what.into(),
    }
}
