//! Decoding and encoding of the elements of constants.

use half::{bf16, f16};
use std::fmt;
use tessera_dialects::mlir::{Scalar, Sign};

/// The value of an element. `f64` represents all supported floats, `i128` all supported integers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A floating-point number.
    Float(f64),
    /// An integer; booleans are 0 and 1.
    Integer(i128),
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Number::Float(value) => write!(f, "{value:?}"),
            Number::Integer(value) => write!(f, "{value}"),
        }
    }
}

impl Number {
    /// Decodes the elements of a constant from the bytes of [`tessera_dialects::mlir::DenseData`].
    pub fn decode(scalar: Scalar, bytes: &[u8]) -> impl Iterator<Item = Number> + '_ {
        let width = match scalar {
            Scalar::BF16 | Scalar::F16 => 2,
            Scalar::F32 => 4,
            Scalar::F64 | Scalar::Index => 8,
            Scalar::Integer { width, .. } => (width as usize).div_ceil(8),
        };
        bytes
            .chunks_exact(width)
            .map(move |bytes| match (scalar, bytes) {
                (Scalar::BF16, &[a, b]) => Number::Float(bf16::from_le_bytes([a, b]).to_f64()),
                (Scalar::F16, &[a, b]) => Number::Float(f16::from_le_bytes([a, b]).to_f64()),
                (Scalar::F32, &[a, b, c, d]) => {
                    Number::Float(f32::from_le_bytes([a, b, c, d]).into())
                }
                (Scalar::F64, &[a, b, c, d, e, f, g, h]) => {
                    Number::Float(f64::from_le_bytes([a, b, c, d, e, f, g, h]))
                }
                _ => Number::Integer(integer(bytes, scalar)),
            })
    }

    /// Returns whether both are the same value. All NaNs are the same.
    pub fn is(self, other: Number) -> bool {
        match (self, other) {
            (Number::Float(a), Number::Float(b)) => a == b || (a.is_nan() && b.is_nan()),
            (Number::Integer(a), Number::Integer(b)) => a == b,
            (Number::Integer(integer), Number::Float(float))
            | (Number::Float(float), Number::Integer(integer)) => {
                float == integer as f64 && float as i128 == integer
            }
        }
    }

    /// Rounds to a floating-point type, to nearest with ties to even. Overflows to infinity.
    pub fn to_float(self, scalar: Scalar) -> Number {
        let value = match self {
            Number::Float(value) => value,
            // Constants have integers of at most 64 bits; those beyond 2^53 are rounded twice.
            Number::Integer(value) => value as f64,
        };
        Number::Float(match scalar {
            Scalar::BF16 => bf16::from_f64(value).to_f64(),
            Scalar::F16 => f16::from_f64(value).to_f64(),
            Scalar::F32 => f64::from(value as f32),
            _ => value,
        })
    }

    /// Truncates to an integer.
    pub fn to_integer(self) -> i128 {
        match self {
            Number::Float(value) => value as i128,
            Number::Integer(value) => value,
        }
    }

    /// Clamps to the range of an integer type. Signless integers are signed, except booleans.
    pub fn clamp(self, width: u32, sign: Sign) -> Number {
        let bits = width.min(64);
        let (least, most) = match sign {
            Sign::Unsigned => (0, (1 << bits) - 1),
            Sign::Signless if bits == 1 => (0, 1),
            _ => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        };
        Number::Integer(self.to_integer().clamp(least, most))
    }
}

/// Decodes an integer from at most eight little-endian bytes.
fn integer(bytes: &[u8], scalar: Scalar) -> i128 {
    let has_sign = match scalar {
        Scalar::Integer { width, sign } => width > 1 && sign != Sign::Unsigned,
        _ => true,
    };
    let negative = has_sign && bytes.last().is_some_and(|byte| byte & 0x80 != 0);
    let mut wide = [if negative { 0xff } else { 0 }; 16];
    wide[..bytes.len()].copy_from_slice(bytes);
    i128::from_le_bytes(wide)
}

/// Appends the little-endian bytes of a number of a type.
pub fn encode(number: Number, scalar: Scalar, bytes: &mut Vec<u8>) {
    match (scalar, number) {
        (Scalar::BF16, Number::Float(value)) => {
            bytes.extend(bf16::from_f64(value).to_le_bytes());
        }
        (Scalar::F16, Number::Float(value)) => bytes.extend(f16::from_f64(value).to_le_bytes()),
        (Scalar::F32, Number::Float(value)) => bytes.extend((value as f32).to_le_bytes()),
        (Scalar::F64, Number::Float(value)) => bytes.extend(value.to_le_bytes()),
        (Scalar::Integer { width, .. }, number) => {
            let width = (width as usize).div_ceil(8);
            bytes.extend_from_slice(&number.to_integer().to_le_bytes()[..width]);
        }
        (Scalar::Index, number) => {
            bytes.extend_from_slice(&number.to_integer().to_le_bytes()[..8]);
        }
        (scalar, Number::Integer(_)) => encode(number.to_float(scalar), scalar, bytes),
    }
}

#[cfg(test)]
mod tests;
