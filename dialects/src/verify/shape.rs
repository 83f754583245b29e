//! Shapes of tensors as verifiers see and print them.

use crate::mlir::{TensorType, Value};
pub(crate) use tessera_ops::shape::join;

/// Returns the shape of a ranked tensor.
///
/// # Errors
/// If a dimension is dynamic: nothing below TTIR knows such tensors.
pub(crate) fn static_shape(value: Value) -> Result<Vec<u64>, String> {
    value.r#type().static_shape().ok_or_else(|| {
        format!(
            "dynamic shapes are not supported: {}; give every dimension a size",
            value.r#type()
        )
    })
}
