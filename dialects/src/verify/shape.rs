//! Static shapes of tensors.

use crate::mlir::{TensorType, Value};
pub(crate) use tessera_ops::shape::join;

/// Returns the shape of a ranked tensor.
///
/// # Errors
/// A dimension is dynamic, which no dialect below TTIR supports.
pub(crate) fn static_shape(value: Value) -> Result<Vec<u64>, String> {
    value.r#type().static_shape().ok_or_else(|| {
        format!(
            "dynamic shapes are not supported: {}; give every dimension a size",
            value.r#type()
        )
    })
}
