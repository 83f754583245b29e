//! The verifier of `constant`, shared by TTIR and TTNN.

use crate::mlir::{Attribute, AttributeLike, TensorType, Type, TypeLike, Value};

/// Checks that the value is dense, of numbers and of the element type of the result. ODS compares
/// the shapes.
pub(crate) fn verify(value: Option<Attribute>, result: Value) -> Result<(), String> {
    let value = super::declared(value)?;
    if !value.is_dense_elements() && !value.to_string().starts_with("dense_resource") {
        return Err(
            "value attribute must be one of DenseResourceElementsAttr or DenseElementsAttr.".into(),
        );
    }
    let (found, expected) = (
        value.r#type().element_type(),
        result.r#type().element_type(),
    );
    let number = |element: &Type| element.is_integer() || element.is_float();
    if !found.as_ref().is_some_and(number) {
        return Err("value attribute must be of int or float type.".into());
    }
    match (found, expected) {
        (Some(found), Some(expected)) if found != expected => Err(format!(
            "value has elements of type {found}, but the result of type {expected}"
        )),
        _ => Ok(()),
    }
}
