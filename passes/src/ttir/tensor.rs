//! Values that are tensors of static shape.

use tessera_dialects::mlir::{Scalar, ScalarType, Type, Value};

/// A tensor of static shape.
#[derive(Clone)]
pub struct Tensor<'a> {
    /// The value.
    pub value: Value<'a>,
    /// Its extents.
    pub shape: Vec<u64>,
    /// Its element type.
    pub element: Type<'a>,
}

impl<'a> Tensor<'a> {
    /// Returns the number of dimensions.
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// Returns whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.shape.contains(&0)
    }

    /// Returns whether the elements are booleans.
    pub fn is_boolean(&self) -> bool {
        matches!(
            self.element.scalar(),
            Some(Scalar::Integer { width: 1, .. })
        )
    }
}
