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
    /// The element type of a tensor; nothing for others.
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

    /// Bytes of one.
    pub fn bytes(self) -> u64 {
        match self {
            Element::Bf16 => 2,
            Element::F32 | Element::I32 => 4,
        }
    }

    /// What values between operations are: integers, or fp32.
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

/// The bytes of a tensor's elements.
pub fn bytes(value: Value) -> u64 {
    let shape = value.r#type().static_shape().unwrap_or_default();
    let element = Element::from_value(value).map_or(4, Element::bytes);
    shape.iter().product::<u64>() * element
}

/// A tensor that a kernel loads or stores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tensor {
    /// As a sequence of matrices.
    pub extent: Extent,
    /// Of what.
    pub element: Element,
    /// Which of its matrices belongs to each of the result's.
    pub index: MatrixIndex,
}

impl Tensor {
    /// What an operation's operand or result is that it sees so; its elements have been found to be
    /// such as kernels have.
    pub fn new(
        op: Op,
        value: Value,
        extent: Extent,
        index: MatrixIndex,
    ) -> Result<Tensor, Reported> {
        let element = Element::from_value(value);
        let element = element.ok_or_else(|| {
            op.error("internal error: has elements of which there are no kernels")
        })?;
        Ok(Tensor {
            extent,
            element,
            index,
        })
    }
}
