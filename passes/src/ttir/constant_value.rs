//! The numbers that constant tensors consist of.

use tessera_dialects::mlir::{
    AttributeValue, DenseElements, Scalar, ScalarType, TensorType, Value,
};

use super::ttir_element_type_normalization::number::Number;

/// Returns the number that all elements of a constant are, if the value is one: a constant, or a
/// tensor of one value, possibly reshaped, broadcast or cast.
pub fn splat_number(value: Value) -> Option<f64> {
    let op = value.defining_op()?;
    match op.name() {
        "ttir.zeros" => Some(0.0),
        "ttir.ones" => Some(1.0),
        "ttir.full" => {
            let fill = op.attribute("fill_value")?;
            let integer = || fill.integer().map(|integer| integer as f64);
            fill.float().or_else(integer)
        }
        "ttir.reshape" | "ttir.broadcast" => splat_number(op.operand(0)?),
        "ttir.typecast" => {
            let number = Number::Float(splat_number(op.operand(0)?)?);
            match value.r#type().element_type()?.scalar()? {
                Scalar::Integer { width: 1, .. } => None,
                Scalar::Integer { .. } | Scalar::Index => Some(number.to_integer() as f64),
                float => match number.to_float(float) {
                    Number::Float(rounded) => Some(rounded),
                    Number::Integer(_) => None,
                },
            }
        }
        "ttir.constant" => {
            let data = op.attribute("value")?.dense()?;
            let is_one = data.splat || data.r#type.static_shape()?.iter().all(|one| *one == 1);
            let scalar = data.r#type.element_type()?.scalar()?;
            let first = Number::decode(scalar, &data.bytes)
                .next()
                .filter(|_| is_one);
            Some(match first? {
                Number::Float(value) => value,
                Number::Integer(value) => value as f64,
            })
        }
        _ => None,
    }
}
