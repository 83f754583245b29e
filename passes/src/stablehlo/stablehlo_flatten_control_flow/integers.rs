//! The values of operations on known integers, as StableHLO's specification defines them.

#[cfg(test)]
mod tests;

use tessera_dialects::mlir::{DenseElements, Op, Scalar, ScalarType, Sign, TensorType, Type};

use crate::stablehlo::source::comparison_direction;
use crate::ttir::ttir_element_type_normalization::number::Number;

/// Returns the only element of the result of an operation whose operands are known integers, or
/// `None` if the operation is another one, invalid, or undefined for these operands.
pub fn evaluate(op: Op, operands: &[i128]) -> Option<i128> {
    let result = op.result(0).filter(|_| op.result_count() == 1)?.r#type();
    let element = Element::from_type(result)?;
    let types = op.operands().into_iter().map(|operand| operand.r#type());
    let types: Vec<_> = types.collect();
    let is_uniform = |types: &[Type]| types.iter().all(|r#type| *r#type == types[0]);
    match (op.name(), operands) {
        ("stablehlo.constant", []) => {
            let data = op.attribute("value")?.dense()?;
            let scalar = data.r#type.element_type()?.scalar()?;
            let number = Number::decode(scalar, &data.bytes).next()?;
            (data.r#type == result).then_some(number.to_integer())
        }
        ("stablehlo.compare", &[a, b]) if is_uniform(&types) && element.is_boolean() => {
            let is_true = match comparison_direction(op)?.as_str() {
                "EQ" => a == b,
                "NE" => a != b,
                "GE" => a >= b,
                "GT" => a > b,
                "LE" => a <= b,
                "LT" => a < b,
                _ => return None,
            };
            Some(i128::from(is_true))
        }
        ("stablehlo.select", &[condition, then, otherwise])
            if is_uniform(&[types[1], types[2], result])
                && Element::from_type(types[0])?.is_boolean() =>
        {
            Some(if condition == 0 { otherwise } else { then })
        }
        ("stablehlo.convert", &[number]) if element.is_boolean() => Some(i128::from(number != 0)),
        ("stablehlo.convert", &[number]) => Some(element.wrap(number)),
        ("stablehlo.reshape" | "stablehlo.broadcast_in_dim", &[number]) => {
            (Element::from_type(types[0])? == element).then_some(number)
        }
        (name, &[a]) if types[0] == result => element.unary(name, a),
        (name, &[a, b]) if is_uniform(&[types[0], types[1], result]) => element.binary(name, a, b),
        _ => None,
    }
}

/// The integer type of a tensor of one element.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Element {
    width: u32,
    sign: Sign,
}

impl Element {
    /// Returns `None` for other types.
    fn from_type(r#type: Type) -> Option<Self> {
        let is_single = r#type.static_shape()?.iter().all(|extent| *extent == 1);
        match r#type.element_type()?.scalar()? {
            Scalar::Integer { width, sign } if is_single && width <= 64 => {
                Some(Element { width, sign })
            }
            _ => None,
        }
    }

    fn is_boolean(self) -> bool {
        self.width == 1
    }

    /// Returns a number modulo two to the power of the width.
    fn wrap(self, number: i128) -> i128 {
        let unused = 128 - self.width;
        match self.is_boolean() || self.sign == Sign::Unsigned {
            true => ((number << unused) as u128 >> unused) as i128,
            false => number << unused >> unused,
        }
    }

    fn unary(self, name: &str, a: i128) -> Option<i128> {
        match name {
            "stablehlo.not" if self.is_boolean() => Some(1 - a),
            "stablehlo.not" => Some(self.wrap(!a)),
            "stablehlo.negate" if !self.is_boolean() => Some(self.wrap(-a)),
            "stablehlo.abs" if !self.is_boolean() => Some(self.wrap(a.abs())),
            _ => None,
        }
    }

    fn binary(self, name: &str, a: i128, b: i128) -> Option<i128> {
        Some(match name {
            "stablehlo.and" => a & b,
            "stablehlo.or" => a | b,
            "stablehlo.xor" => a ^ b,
            "stablehlo.maximum" => a.max(b),
            "stablehlo.minimum" => a.min(b),
            _ if self.is_boolean() => return None,
            "stablehlo.add" => self.wrap(a + b),
            "stablehlo.subtract" => self.wrap(a - b),
            "stablehlo.multiply" => self.wrap(a.wrapping_mul(b)),
            // The quotient that overflows is undefined, as is any by zero.
            "stablehlo.divide" => a
                .checked_div(b)
                .filter(|quotient| self.wrap(*quotient) == *quotient)?,
            "stablehlo.remainder" => a.checked_rem(b)?,
            _ => return None,
        })
    }
}
