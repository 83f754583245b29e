//! Scalar types as values that can be matched.

use super::context::ContextRef;
use melior::ir::{Type, TypeLike};
use mlir_sys::*;

/// A scalar type of tensors. Other number types of MLIR are not supported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// `bf16`
    BF16,
    /// `f16`
    F16,
    /// `f32`
    F32,
    /// `f64`
    F64,
    /// `index`
    Index,
    /// `i<width>`, `si<width>`, `ui<width>`
    Integer {
        /// Bits.
        width: u32,
        /// Its signedness.
        sign: Sign,
    },
}

/// The signedness of an integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sign {
    /// Signless: `i32`.
    Signless,
    /// Signed: `si32`.
    Signed,
    /// Unsigned: `ui32`.
    Unsigned,
}

/// Conversion of a type to a [`Scalar`].
pub trait ScalarType: Copy {
    /// Returns the type as a scalar, or `None` for other types.
    fn scalar(self) -> Option<Scalar>;
}

impl ScalarType for Type<'_> {
    fn scalar(self) -> Option<Scalar> {
        let raw = self.to_raw();
        // SAFETY: the type is alive, and the getters of integer types are called for one.
        unsafe {
            Some(match () {
                () if mlirTypeIsABF16(raw) => Scalar::BF16,
                () if mlirTypeIsAF16(raw) => Scalar::F16,
                () if mlirTypeIsAF32(raw) => Scalar::F32,
                () if mlirTypeIsAF64(raw) => Scalar::F64,
                () if mlirTypeIsAIndex(raw) => Scalar::Index,
                () if mlirTypeIsAInteger(raw) => Scalar::Integer {
                    width: mlirIntegerTypeGetWidth(raw),
                    sign: match () {
                        () if mlirIntegerTypeIsSigned(raw) => Sign::Signed,
                        () if mlirIntegerTypeIsUnsigned(raw) => Sign::Unsigned,
                        () => Sign::Signless,
                    },
                },
                () => return None,
            })
        }
    }
}

impl<'a> ContextRef<'a> {
    /// Converts to a type.
    pub fn scalar(self, scalar: Scalar) -> Type<'a> {
        match scalar {
            Scalar::BF16 => self.bf16(),
            Scalar::F16 => self.f16(),
            Scalar::F32 => self.f32(),
            Scalar::F64 => self.f64(),
            Scalar::Index => self.index(),
            Scalar::Integer { width, sign } => match sign {
                Sign::Signless => self.integer(width),
                Sign::Signed => self.signed(width),
                Sign::Unsigned => self.unsigned(width),
            },
        }
    }
}

#[cfg(test)]
mod tests;
