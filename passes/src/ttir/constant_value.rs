//! Constant folding of tensors whose elements are all equal.

use tessera_dialects::mlir::{
    AttributeValue, DenseElements, Op, Scalar, ScalarType, TensorType, Value,
};
use tessera_dialects::verify::call;
use tessera_ops::Class;

use super::ttir_element_type_normalization::number::Number;

/// Maximum number of operations that are evaluated for one value.
const MAX_OPERATIONS: usize = 32;

/// Returns the value of all elements of a splat. It is known for constants and for element-wise
/// operations on them, also if reshaped, broadcast or cast.
pub fn splat_number(value: Value) -> Option<f64> {
    let mut budget = MAX_OPERATIONS;
    number(value, &mut budget)
}

/// Evaluates a value. Each evaluated operation decreases the budget by one.
fn number(value: Value, budget: &mut usize) -> Option<f64> {
    *budget = budget.checked_sub(1)?;
    let op = value.defining_op()?;
    match op.name() {
        "ttir.zeros" => Some(0.0),
        "ttir.ones" => Some(1.0),
        "ttir.full" => {
            let fill = op.attribute("fill_value")?;
            let integer = || fill.integer().map(|integer| integer as f64);
            fill.float().or_else(integer)
        }
        "ttir.reshape" | "ttir.broadcast" => number(op.operand(0)?, budget),
        "ttir.typecast" => rounded(number(op.operand(0)?, budget)?, value),
        "ttir.constant" => constant(op),
        _ => rounded(evaluated(op, budget)?, value),
    }
}

/// Returns the element of a constant that has one element or is a splat.
fn constant(op: Op) -> Option<f64> {
    let data = op.attribute("value")?.dense()?;
    let is_one = data.splat || data.r#type.static_shape()?.iter().all(|one| *one == 1);
    let scalar = data.r#type.element_type()?.scalar()?;
    let first = Number::decode(scalar, &data.bytes).next();
    Some(match first.filter(|_| is_one)? {
        Number::Float(value) => value,
        Number::Integer(value) => value as f64,
    })
}

/// Evaluates an element-wise function of splats.
fn evaluated(op: Op, budget: &mut usize) -> Option<f64> {
    let mut operand = |index| number(op.operand(index)?, budget);
    let element = op.operand(0)?.r#type().element_type()?;
    let arithmetic = call::element_type(element)?.arithmetic();
    match call::class(op)? {
        Class::Unary(function) => Some(function.eval(arithmetic, operand(0)?)),
        Class::Binary(function) => Some(function.eval(arithmetic, operand(0)?, operand(1)?)),
        _ => None,
    }
}

/// Rounds a number to the element type of a value.
fn rounded(found: f64, value: Value) -> Option<f64> {
    match value.r#type().element_type()?.scalar()? {
        Scalar::Integer { width: 1, .. } => {
            Some(found).filter(|number| [0.0, 1.0].contains(number))
        }
        Scalar::Integer { .. } | Scalar::Index => Some(Number::Float(found).to_integer() as f64),
        float => match Number::Float(found).to_float(float) {
            Number::Float(rounded) => Some(rounded),
            Number::Integer(_) => None,
        },
    }
}
