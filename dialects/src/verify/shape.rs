//! Shapes of tensors as verifiers see and print them.

use crate::mlir::{TensorType, Value};

/// The shape of a ranked tensor.
///
/// # Errors
/// If a dimension is dynamic: nothing below TTIR knows such tensors.
pub(crate) fn of(value: Value) -> Result<Vec<u64>, String> {
    value.r#type().static_shape().ok_or_else(|| {
        format!(
            "dynamic shapes are not supported: {}; give every dimension a size",
            value.r#type()
        )
    })
}

/// The dimensions with a separator between them.
pub(crate) fn join(shape: &[u64], separator: &str) -> String {
    shape
        .iter()
        .map(u64::to_string)
        .collect::<Vec<_>>()
        .join(separator)
}
