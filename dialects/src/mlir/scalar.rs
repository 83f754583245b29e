//! The numbers that tensors are made of, as values to match on.

use super::context::ContextRef;
use melior::ir::{Type, TypeLike};
use mlir_sys::*;

/// A type of numbers. Those of MLIR that no program for our chips has are not among them.
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
        /// How the bits are read.
        sign: Sign,
    },
}

/// What the type of an integer says about its sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sign {
    /// Nothing: `i32`.
    Signless,
    /// Two's complement: `si32`.
    Signed,
    /// Not negative: `ui32`.
    Unsigned,
}

/// Seeing a type as a [`Scalar`].
pub trait ScalarType: Copy {
    /// Returns the scalar this type is, if it is one.
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
    /// Returns the type that is this scalar.
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
