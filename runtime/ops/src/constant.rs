//! Constant folding of operations.
//!
//! The result is what the reference device computes: in `f64`, or in 32-bit integers, rounded once
//! to the element type. Constants that repeat one value (splats) are folded for every shape if the
//! result is a splat, too. Other constants are folded only if they are small, because the program
//! stores constants but not operations.
//!
//! Composites are not folded, because their operations round separately after decomposition.
//! Results that are not finite are not folded, because devices disagree on them.

use crate::element::{ElementType, TensorType};
use crate::eval::{eval, Array};
use crate::index_map::StridedCopy;
use crate::op::{Call, Class};
use crate::rounding::{bf16_to_f64, f64_to_bf16, f64_to_integer};
use crate::scalar::Arithmetic;
use crate::shape::count_elements;

/// The greatest number of elements of a constant that is not a splat.
pub const MAX_ELEMENTS: u64 = 1024;

/// A constant tensor of finite elements.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    r#type: TensorType,
    elements: Elements,
}

/// The elements of a constant, all of which the element type represents.
#[derive(Clone, Debug, PartialEq)]
enum Elements {
    /// One value for all elements.
    Splat(f64),
    /// One value per element, row-major.
    Each(Vec<f64>),
}

impl Constant {
    /// Returns a constant that repeats a value, rounded once. Returns `None` if the element type is
    /// not folded, or the rounded value is not finite.
    pub fn splat(r#type: TensorType, value: f64) -> Option<Self> {
        let elements = Elements::Splat(round(r#type.element, value)?);
        Some(Constant { r#type, elements })
    }

    /// Returns a constant of little-endian elements, one for all or one for each position. Returns
    /// `None` if the element type is not folded, elements are not finite, or there are too many.
    pub fn from_bytes(r#type: TensorType, bytes: &[u8]) -> Option<Self> {
        let element = r#type.element;
        let values = decode(element, bytes)?;
        let values = values.into_iter().map(|value| round(element, value));
        let values: Vec<f64> = values.collect::<Option<_>>()?;
        Self::new(r#type, values)
    }

    /// Returns a constant of elements that its type represents, one for all or one for each
    /// position.
    fn new(r#type: TensorType, values: Vec<f64>) -> Option<Self> {
        let (&first, rest) = values.split_first()?;
        let count = count_elements(&r#type.shape)?;
        let is_splat = rest.iter().all(|value| value.to_bits() == first.to_bits());
        let elements = match is_splat {
            true if values.len() == 1 || values.len() as u64 == count => Elements::Splat(first),
            false if values.len() as u64 == count && count <= MAX_ELEMENTS => {
                Elements::Each(values)
            }
            _ => return None,
        };
        Some(Constant { r#type, elements })
    }

    /// Returns the little-endian elements: one for all, or one for each position in row-major
    /// order.
    pub fn to_bytes(&self) -> Vec<u8> {
        let values = match &self.elements {
            Elements::Splat(value) => std::slice::from_ref(value),
            Elements::Each(values) => values,
        };
        let bytes = values.iter().flat_map(|value| match self.r#type.element {
            ElementType::Bf16 => f64_to_bf16(*value).to_le_bytes().to_vec(),
            ElementType::F32 => (*value as f32).to_le_bytes().to_vec(),
            _ => (*value as i32).to_le_bytes().to_vec(),
        });
        bytes.collect()
    }

    /// Returns the shape and element type.
    pub fn tensor_type(&self) -> &TensorType {
        &self.r#type
    }

    /// Returns all elements, or `None` if there are too many.
    fn to_array(&self) -> Option<Array> {
        let shape = self.r#type.shape.clone();
        let values = match &self.elements {
            Elements::Each(values) => values.clone(),
            Elements::Splat(value) => {
                let count = count_elements(&shape).filter(|count| *count <= MAX_ELEMENTS)?;
                vec![*value; count as usize]
            }
        };
        Some(Array { shape, values })
    }
}

/// Returns the result of an operation on constants with this element type, or `None` if it is not
/// folded.
pub fn fold(call: &Call, operands: &[Constant], result: ElementType) -> Option<Constant> {
    let is_folded = call.op.is_arithmetic() && !matches!(call.op.class, Class::Composite(_));
    if !is_folded || operands.is_empty() || call.check_domain().is_err() {
        return None;
    }
    let arithmetic = operands.last()?.r#type.element.arithmetic();
    // Integer sums wrap, which sums in `f64` do not.
    if matches!(call.op.class, Class::Contraction) && arithmetic == Arithmetic::Integer {
        return None;
    }
    let r#type = TensorType {
        shape: call.infer_shape().ok()?,
        element: result,
    };
    let elements = count_elements(&r#type.shape).filter(|count| *count > 0)?;
    if let Some(value) = eval_splat(call, arithmetic, operands) {
        return Constant::splat(r#type, value);
    }
    if elements > MAX_ELEMENTS {
        return None;
    }
    let arrays: Vec<Array> = operands
        .iter()
        .map(Constant::to_array)
        .collect::<Option<_>>()?;
    let values = eval(call, arithmetic, &arrays).ok()?.values.into_iter();
    let values = values.map(|value| round(result, value));
    Constant::new(r#type, values.collect::<Option<_>>()?)
}

/// Returns the value of every element of the result before rounding, if all operands are splats
/// that determine it.
fn eval_splat(call: &Call, arithmetic: Arithmetic, operands: &[Constant]) -> Option<f64> {
    let splat = |operand: &Constant| match operand.elements {
        Elements::Splat(value) => Some(value),
        Elements::Each(_) => None,
    };
    let values: Vec<f64> = operands.iter().map(splat).collect::<Option<_>>()?;
    match call.op.class {
        Class::Movement(map) => {
            let map = map(call);
            let copied = map.copies.iter().map(StridedCopy::elements);
            let copied: u64 = copied.sum::<Option<u64>>()?;
            let first = *values.first()?;
            let is_same = |value: &f64| value.to_bits() == first.to_bits();
            // Elements that no copy writes have the fill value.
            let is_all = copied == count_elements(&call.infer_shape().ok()?)?;
            (is_all && values.iter().all(is_same)).then_some(first)
        }
        Class::Unary(_)
        | Class::Binary(_)
        | Class::Ternary(_)
        | Class::Parametric(_)
        | Class::Cast => {
            let scalar = |operand: &Constant| TensorType {
                shape: Vec::new(),
                element: operand.r#type.element,
            };
            let types: Vec<_> = operands.iter().map(scalar).collect();
            let arrays = values.iter().map(|value| Array {
                shape: Vec::new(),
                values: vec![*value],
            });
            let call = Call {
                operands: &types,
                ..*call
            };
            let result = eval(&call, arithmetic, &arrays.collect::<Vec<_>>());
            result.ok()?.values.first().copied()
        }
        _ => None,
    }
}

/// Rounds a value to an element type. Returns `None` if the result is not finite, or the type is
/// not folded.
fn round(element: ElementType, value: f64) -> Option<f64> {
    let rounded = match element {
        ElementType::Bf16 => bf16_to_f64(f64_to_bf16(value)),
        ElementType::F32 => f64::from(value as f32),
        ElementType::Int(32) => f64_to_integer::<i32>(value)?.into(),
        _ => return None,
    };
    rounded.is_finite().then_some(rounded)
}

/// Decodes little-endian elements.
fn decode(element: ElementType, bytes: &[u8]) -> Option<Vec<f64>> {
    fn each<const N: usize>(bytes: &[u8], value: impl Fn([u8; N]) -> f64) -> Option<Vec<f64>> {
        let elements = bytes.chunks(N).map(|bytes| bytes.try_into().ok());
        elements.map(|bytes| bytes.map(&value)).collect()
    }
    match element {
        ElementType::Bf16 => each(bytes, |bytes| bf16_to_f64(u16::from_le_bytes(bytes))),
        ElementType::F32 => each(bytes, |bytes| f32::from_le_bytes(bytes).into()),
        ElementType::Int(32) => each(bytes, |bytes| i32::from_le_bytes(bytes).into()),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
