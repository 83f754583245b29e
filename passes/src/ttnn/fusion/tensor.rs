//! Tensors that kernels load and store.

use std::fmt;

use tessera_dialects::mlir::{Op, Reported, Scalar, ScalarType, Sign, TensorType, Value};

use super::extent::{Extent, MatrixIndex};

/// An element type that kernels load or store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Element {
    /// bfloat16: what kernels compute with, rounded to when a result is stored.
    #[default]
    Bf16,
    /// fp32: what values of the accumulators and of the vector unit are.
    F32,
    /// Integers of 32 bits, which the vector unit computes as such.
    I32,
}

impl Element {
    /// Returns the element type of a tensor value, if kernels support it.
    pub fn from_value(value: Value) -> Option<Element> {
        match value.r#type().element_type()?.scalar()? {
            Scalar::BF16 => Some(Element::Bf16),
            Scalar::F32 => Some(Element::F32),
            Scalar::Integer {
                width: 32,
                sign: Sign::Signed | Sign::Signless,
            } => Some(Element::I32),
            _ => None,
        }
    }

    /// Returns the size of an element in bytes.
    pub fn bytes(self) -> u64 {
        match self {
            Element::Bf16 => 2,
            Element::F32 | Element::I32 => 4,
        }
    }

    /// Returns the element type of intermediate values: fp32, or i32 for integers.
    pub fn between(self) -> Element {
        match self {
            Element::Bf16 | Element::F32 => Element::F32,
            Element::I32 => Element::I32,
        }
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Element::Bf16 => "bf16",
            Element::F32 => "f32",
            Element::I32 => "i32",
        })
    }
}

/// Returns the size of a tensor's elements in bytes.
pub fn bytes(value: Value) -> u64 {
    let shape = value.r#type().static_shape().unwrap_or_default();
    let element = Element::from_value(value).map_or(4, Element::bytes);
    shape.iter().product::<u64>() * element
}

/// A tensor that a kernel loads or stores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tensor {
    /// Its extent.
    pub extent: Extent,
    /// Its element type.
    pub element: Element,
    /// The matrix that belongs to each matrix of the result.
    pub index: MatrixIndex,
}

impl Tensor {
    /// Creates the description of an operand or result, whose element type has been checked before.
    pub fn new(
        op: Op,
        value: Value,
        extent: Extent,
        index: MatrixIndex,
    ) -> Result<Tensor, Reported> {
        let element = Element::from_value(value);
        let element = element.ok_or_else(|| {
            op.error("internal error: has an element type that kernels do not support")
        })?;
        Ok(Tensor {
            extent,
            element,
            index,
        })
    }
}
