//! The values of dense constants, as bytes.
//!
//! Invariant: [`DenseData`] has exactly one element if it is a splat, else one for each position of the shape, in
//! row-major order; an element takes whole little-endian bytes, a boolean one byte that is 0 or 1.
//!
//! Not read: resources (`dense_resource<...>`) and sparse constants, for which [`DenseElements::dense`] has nothing.

use super::context::ContextRef;
use super::make::TensorType;
use super::scalar::{Scalar, ScalarType};
use melior::ir::{Attribute, AttributeLike, Type, TypeLike};
use mlir_sys::*;

/// The values of a dense constant.
#[derive(Clone, Debug, PartialEq)]
pub struct DenseData<'a> {
    /// The shaped type of the constant.
    pub r#type: Type<'a>,
    /// Whether one element stands for all.
    pub splat: bool,
    /// The elements.
    pub bytes: Vec<u8>,
}

/// Reading the values of dense constants.
pub trait DenseElements<'a>: Copy {
    /// The values of a `dense<...>` attribute of integers or floating-point numbers.
    fn dense(self) -> Option<DenseData<'a>>;
}

impl<'a> DenseElements<'a> for Attribute<'a> {
    fn dense(self) -> Option<DenseData<'a>> {
        let raw = self.to_raw();
        // SAFETY: the getters are called for a dense constant, whose raw data has `count` elements of `width` bytes and lives
        // as long as the context; the indices are in range.
        unsafe {
            if !mlirAttributeIsADenseElements(raw) {
                return None;
            }
            let r#type = Type::from_raw(mlirAttributeGetType(raw));
            let width = element_bytes(r#type.element_type()?)?;
            let splat = mlirDenseElementsAttrIsSplat(raw);
            let count = match splat {
                true => 1,
                false => usize::try_from(mlirElementsAttrGetNumElements(raw)).ok()?,
            };
            let bytes = match width {
                Width::Bit if splat => {
                    vec![u8::from(mlirDenseElementsAttrGetBoolSplatValue(raw) != 0)]
                }
                Width::Bit => (0..count)
                    .map(|index| u8::from(mlirDenseElementsAttrGetBoolValue(raw, index as isize)))
                    .collect(),
                Width::Bytes(width) if count > 0 => {
                    let data = mlirDenseElementsAttrGetRawData(raw).cast::<u8>();
                    std::slice::from_raw_parts(data, count * width).to_vec()
                }
                Width::Bytes(_) => Vec::new(),
            };
            Some(DenseData {
                r#type,
                splat,
                bytes,
            })
        }
    }
}

impl<'a> ContextRef<'a> {
    /// `dense<...>` of a tensor type, from one element for all positions or one for each, in row-major order.
    /// Nothing if the element type has no whole-byte form or the bytes are too few or too many.
    pub fn dense_attribute(self, r#type: Type<'a>, bytes: &[u8]) -> Option<Attribute<'a>> {
        let Width::Bytes(width) = element_bytes(r#type.element_type()?)? else {
            return None;
        };
        let count = r#type.static_shape()?.iter().product::<u64>();
        let elements = (bytes.len() / width) as u64;
        if bytes.len() % width != 0 || (elements != 1 && elements != count) {
            return None;
        }
        // SAFETY: the type is a ranked tensor of known shape, and the bytes, read during the call, are of the size it wants.
        unsafe {
            Attribute::from_option_raw(mlirDenseElementsAttrRawBufferGet(
                r#type.to_raw(),
                bytes.len(),
                bytes.as_ptr().cast(),
            ))
        }
    }
}

/// What an element takes in a dense constant.
enum Width {
    /// MLIR packs booleans.
    Bit,
    Bytes(usize),
}

fn element_bytes(element: Type) -> Option<Width> {
    Some(match element.scalar()? {
        Scalar::BF16 | Scalar::F16 => Width::Bytes(2),
        Scalar::F32 => Width::Bytes(4),
        Scalar::F64 | Scalar::Index => Width::Bytes(8),
        Scalar::Integer { width: 1, .. } => Width::Bit,
        Scalar::Integer { width, .. } if matches!(width, 8 | 16 | 32 | 64) => {
            Width::Bytes(width as usize / 8)
        }
        Scalar::Integer { .. } => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Context, DenseElements};

    #[test]
    fn reads_and_makes_dense_constants() {
        let context = Context::new();
        let context = context.as_ref();
        let rows: &[(&str, Option<(bool, &[u8])>)] = &[
            ("dense<1> : tensor<2x2xi32>", Some((true, &[1, 0, 0, 0]))),
            (
                "dense<[1, -2]> : tensor<2xsi16>",
                Some((false, &[1, 0, 254, 255])),
            ),
            ("dense<1.0> : tensor<4xbf16>", Some((true, &[0x80, 0x3f]))),
            (
                "dense<[true, false, true]> : tensor<3xi1>",
                Some((false, &[1, 0, 1])),
            ),
            ("dense<true> : tensor<3xi1>", Some((true, &[1]))),
            ("dense<> : tensor<0xf32>", Some((false, &[]))),
            ("dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>", None),
            ("dense<1> : tensor<2xi7>", None),
            ("1 : i32", None),
        ];
        for (text, expected) in rows {
            let attribute = context.parse_attribute(text).expect("an attribute");
            let got = attribute.dense();
            let values = got.as_ref().map(|data| (data.splat, data.bytes.as_slice()));
            assert_eq!(values, *expected, "{text}");
            if let Some(data) = got.filter(|_| !text.contains("xi1")) {
                let again = context.dense_attribute(data.r#type, &data.bytes);
                assert_eq!(again, Some(attribute), "{text}");
            }
        }
    }

    #[test]
    fn refuses_bytes_that_do_not_fill_the_shape() {
        let context = Context::new();
        let context = context.as_ref();
        for (text, length) in [
            ("tensor<3xf32>", 8),
            ("tensor<3xf32>", 11),
            ("tensor<3xf32>", 0),
            ("tensor<?xf32>", 4),
            ("tensor<3xi1>", 3),
            ("f32", 4),
        ] {
            let r#type = context.parse_type(text).expect("a type");
            assert_eq!(
                context.dense_attribute(r#type, &vec![0; length]),
                None,
                "{text}"
            );
        }
    }
}
