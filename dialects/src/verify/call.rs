//! Adapter from tensor operations to the operation table.
//!
//! The entry of an operation in [`tessera_ops::table`] infers the shape of its result and lists the
//! supported element types. The verifiers of `ttir` and `ttnn`, and passes, use it through this
//! module.

use tessera_ops::{
    table, AttributeInfo, AttributeKind, AttributeValue, Attributes, Call, CallError, Class,
    ComputeConfig, Dialects, ElementType, OpInfo, TensorType,
};

use super::{result, shape};
use crate::mlir::{
    AttributeValue as _, Op, Scalar, ScalarType, Sign, TensorType as _, Type, Value,
};
use crate::{ttir, ttnn};

/// An operation of `ttir` or `ttnn` with the types of its operands and its attributes.
#[derive(Clone, Debug)]
pub struct TensorCall {
    /// Its entry in the operation table.
    pub op: &'static OpInfo,
    /// The types of its inputs.
    pub operands: Vec<TensorType>,
    /// Its attributes, except the elements of constants.
    pub attributes: Attributes,
}

/// Returns the entry of an operation of `ttir` or `ttnn` in the operation table.
pub fn info(op: Op) -> Option<&'static OpInfo> {
    match op.name().split_once('.')? {
        ("ttir", name) => table::from_ttir_name(name),
        ("ttnn", name) => table::from_name(name).filter(|op| op.in_ttnn),
        _ => None,
    }
}

/// Returns the class of an operation of `ttir` or `ttnn`.
pub fn class(op: Op) -> Option<Class> {
    info(op).map(|info| info.class)
}

impl TensorCall {
    /// Converts an operation of `ttir` or `ttnn` to a call.
    ///
    /// # Errors
    /// If it is not in the operation table, or a tensor has no static shape of numbers.
    pub fn new(op: Op) -> Result<Self, String> {
        let info =
            info(op).ok_or_else(|| format!("'{}' is not in the operation table", op.name()))?;
        let operands = inputs(op).into_iter().map(tensor_type);
        Ok(TensorCall {
            op: info,
            operands: operands.collect::<Result<_, _>>()?,
            attributes: attributes(op, info),
        })
    }

    /// Returns the call itself.
    pub fn as_call(&self) -> Call<'_> {
        Call {
            op: self.op,
            operands: &self.operands,
            attributes: &self.attributes,
        }
    }

    /// Returns the reduced dimensions, ascending.
    ///
    /// # Errors
    /// If it names one that the operand does not have, or one twice.
    pub fn reduced_dimensions(&self) -> Result<Vec<usize>, String> {
        self.as_call().reduced_dimensions()
    }
}

/// Returns the input tensors of an operation, without output and device operands.
pub fn inputs(op: Op) -> Vec<Value> {
    let operands = match op.name().starts_with("ttir.") {
        true => ttir::inputs(op),
        false => op.operands(),
    };
    let is_tensor = |value: &Value| value.r#type().element_type().is_some();
    operands.into_iter().filter(is_tensor).collect()
}

/// Returns the shape and the element type of a tensor.
///
/// # Errors
/// If a dimension is dynamic, or the elements are not numbers.
pub fn tensor_type(value: Value) -> Result<TensorType, String> {
    let element = value.r#type().element_type();
    Ok(TensorType {
        shape: shape::static_shape(value)?,
        element: element.and_then(element_type).ok_or_else(|| {
            format!(
                "tensors of type {} are not supported; use numbers",
                value.r#type()
            )
        })?,
    })
}

/// Returns the element type of the table for a scalar type.
pub fn element_type(scalar: Type) -> Option<ElementType> {
    Some(match scalar.scalar()? {
        Scalar::BF16 => ElementType::Bf16,
        Scalar::F16 => ElementType::F16,
        Scalar::F32 => ElementType::F32,
        Scalar::F64 => ElementType::F64,
        Scalar::Index => ElementType::Int(64),
        Scalar::Integer { width: 1, .. } => ElementType::Bool,
        Scalar::Integer {
            width,
            sign: Sign::Unsigned,
        } => ElementType::Uint(width),
        Scalar::Integer { width, .. } => ElementType::Int(width),
    })
}

/// Returns the attributes that the entry declares for the dialect, except the elements of
/// constants.
pub fn attributes(op: Op, info: &'static OpInfo) -> Attributes {
    let hidden = match op.name().starts_with("ttir.") {
        true => Dialects::Ttnn,
        false => Dialects::Ttir,
    };
    let declared = info.attributes.iter().filter(|one| one.dialects != hidden);
    declared.fold(Attributes::none(), |attributes, declared| {
        match attribute(op, declared) {
            Some(value) => attributes.with(declared.name, value),
            None => attributes,
        }
    })
}

/// Returns the value of a declared attribute, or `None` if it is absent, or holds the elements of a
/// constant.
fn attribute(op: Op, declared: &AttributeInfo) -> Option<AttributeValue> {
    let value = op.attribute(declared.name)?;
    Some(match declared.kind {
        AttributeKind::Bool => AttributeValue::Bool(value.boolean()?),
        AttributeKind::Int
        | AttributeKind::Unsigned
        | AttributeKind::I32
        | AttributeKind::I64
        | AttributeKind::SignedI64 => AttributeValue::Int(value.integer()?),
        AttributeKind::Float => AttributeValue::Float(value.float()?),
        AttributeKind::Number => AttributeValue::Float(number(op, declared.name)?),
        AttributeKind::IntArray => {
            let elements = value.elements()?.into_iter();
            AttributeValue::Ints(elements.map(|one| one.integer()).collect::<Option<_>>()?)
        }
        AttributeKind::DenseInts | AttributeKind::DenseI32s | AttributeKind::Segments => {
            AttributeValue::Ints(value.integers()?)
        }
        AttributeKind::IntOrDenseI32s => {
            let one = || value.integer().map(|value| vec![value]);
            AttributeValue::Ints(value.integers().or_else(one)?)
        }
        AttributeKind::Elements => return None,
        AttributeKind::Text => AttributeValue::Text(value.text()?.to_owned()),
        AttributeKind::ComputeConfig => {
            let config = ttnn::ComputeConfig::from_attribute(value)?;
            AttributeValue::ComputeConfig(ComputeConfig {
                math_fidelity: config.math_fidelity().unwrap_or(ttnn::MathFidelity::HiFi4),
                fp32_dest_acc: config.fp32_dest_acc_en().unwrap_or(true),
            })
        }
    })
}

/// Returns the value of a float or integer attribute.
pub fn number(op: Op, name: &str) -> Option<f64> {
    let value = op.attribute(name)?;
    let integer = || value.integer().map(|integer| integer as f64);
    value.float().or_else(integer)
}

/// Verifies an operation by its table entry: upstream's checks, the result shape, and the operand
/// element types.
///
/// # Errors
/// The text of the first check that fails.
pub(crate) fn verify(op: Op) -> Result<(), String> {
    let call = TensorCall::new(op)?;
    let (call, found) = (call.as_call(), tensor_type(result(op)?)?);
    (call.op.verify)(&call, &found)?;
    call.check_shape(&found.shape).map_err(text)?;
    call.check_domain().map_err(text)
}

/// Verifies an operation that creates a tensor by its entry.
///
/// # Errors
/// The text of upstream's check.
pub(crate) fn verify_creation(op: Op) -> Result<(), String> {
    let call = TensorCall::new(op)?;
    (call.op.verify)(&call.as_call(), &tensor_type(result(op)?)?)
}

/// Returns an error message without the name of the operation, which MLIR prints.
fn text(error: CallError) -> String {
    match error {
        CallError::Domain {
            element, instead, ..
        } => format!("does not support element type '{element}'; cast to '{instead}' first"),
        error => error.to_string(),
    }
}
