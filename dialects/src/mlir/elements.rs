//! The values of dense constants, as bytes.
//!
//! Invariant: [`DenseData`] has exactly one element if it is a splat, else one for each position of
//! the shape, in row-major order; an element takes whole little-endian bytes, a boolean one byte
//! that is 0 or 1.
//!
//! A resource (`dense_resource<...>`) is readable if the module contains its bytes. It has one
//! element for each position, and one byte for a boolean. Sparse constants are not supported.

use super::context::ContextRef;
use super::ffi;
use super::make::TensorType;
use super::scalar::{Scalar, ScalarType};
use melior::ir::{Attribute, AttributeLike, Type, TypeLike};
use mlir_sys::*;

/// The values of a dense constant.
#[derive(Clone, Debug, PartialEq)]
pub struct DenseData<'a> {
    /// The shaped type of the constant.
    pub r#type: Type<'a>,
    /// Whether it is a splat.
    pub splat: bool,
    /// The elements.
    pub bytes: Vec<u8>,
}

/// Reading the values of dense constants.
pub trait DenseElements<'a>: Copy {
    /// Returns the values of a `dense<...>` or `dense_resource<...>` attribute of integers or
    /// floating-point numbers.
    fn dense(self) -> Option<DenseData<'a>> {
        self.try_dense().ok()
    }

    /// Like [`DenseElements::dense`], with the reason if the values are not readable.
    fn try_dense(self) -> Result<DenseData<'a>, String>;

    /// Returns whether it is a splat `dense<...>` attribute.
    fn is_splat(self) -> bool;
}

/// The name that MLIR prints for an elided resource.
const ELIDED: &str = "__elided__";

impl<'a> DenseElements<'a> for Attribute<'a> {
    fn try_dense(self) -> Result<DenseData<'a>, String> {
        // SAFETY: the attribute is alive, and `resource` is called for one.
        unsafe {
            if mlirAttributeIsADenseResourceElements(self.to_raw()) {
                return resource(self.to_raw());
            }
        }
        written_out(self)
            .ok_or_else(|| "holds values in an unsupported form; write dense<...>".into())
    }

    fn is_splat(self) -> bool {
        let raw = self.to_raw();
        // SAFETY: the attribute is alive, and the second question is asked of a dense constant.
        unsafe { mlirAttributeIsADenseElements(raw) && mlirDenseElementsAttrIsSplat(raw) }
    }
}

/// Returns the values of a `dense<...>` attribute.
fn written_out(attribute: Attribute) -> Option<DenseData> {
    let raw = attribute.to_raw();
    // SAFETY: the getters are called for a dense constant, whose raw data has `count` elements of
    // `width` bytes and lives as long as the context; the indices are in range.
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

/// Returns the values of a `dense_resource<...>` attribute.
///
/// # Safety
/// `raw` must be one, of a living context.
unsafe fn resource<'a>(raw: MlirAttribute) -> Result<DenseData<'a>, String> {
    // SAFETY: the caller's promise; names and bytes of resources live as long as the context.
    let (name, r#type, bytes) = unsafe {
        let mut bytes = ffi::string_ref("");
        let found = ffi::tesseraResourceData(raw, &mut bytes);
        (
            ffi::str_of(ffi::tesseraResourceName(raw)),
            Type::from_raw(mlirAttributeGetType(raw)),
            found.then(|| ffi::bytes_of(bytes)),
        )
    };
    let Some(bytes) = bytes else {
        return Err(match name {
            ELIDED => "lost its values when it was printed; print it without \
                       --mlir-elide-elementsattrs-if-larger"
                .into(),
            _ => format!(
                "refers to the resource '{name}', which the input does not hold; add it to \
                 'dialect_resources', or write dense<...>"
            ),
        });
    };
    let (width, is_bit) = match r#type.element_type().and_then(element_bytes) {
        Some(Width::Bit) => (1, true),
        Some(Width::Bytes(width)) => (width as u64, false),
        None => (0, false),
    };
    let shape = r#type.static_shape().unwrap_or_default();
    let size = |size: u64, extent: &u64| size.checked_mul(*extent);
    let expected = shape.iter().try_fold(width, size);
    if width == 0 || expected != Some(bytes.len() as u64) {
        return Err(format!(
            "refers to the resource '{name}' of {} bytes, which do not match '{type}'",
            bytes.len()
        ));
    }
    Ok(DenseData {
        r#type,
        splat: false,
        bytes: match is_bit {
            true => bytes.iter().map(|byte| u8::from(*byte != 0)).collect(),
            false => bytes.to_vec(),
        },
    })
}

impl<'a> ContextRef<'a> {
    /// Calls [`dense_attribute`] for a type of this context.
    pub fn dense_attribute(self, r#type: Type<'a>, bytes: &[u8]) -> Option<Attribute<'a>> {
        dense_attribute(r#type, bytes)
    }
}

/// Creates `dense<...>` of a tensor type. `bytes` holds one element for all positions, or one for
/// each in row-major order. Returns `None` if the element type has no whole-byte form or the bytes
/// are too few or too many.
pub fn dense_attribute<'a>(r#type: Type<'a>, bytes: &[u8]) -> Option<Attribute<'a>> {
    let Width::Bytes(width) = element_bytes(r#type.element_type()?)? else {
        return None;
    };
    let count = r#type.static_shape()?.iter().product::<u64>();
    let elements = (bytes.len() / width) as u64;
    if bytes.len() % width != 0 || (elements != 1 && elements != count) {
        return None;
    }
    // SAFETY: the type is a ranked tensor of known shape, and the bytes, read during the call, are
    // of the size it wants.
    unsafe {
        Attribute::from_option_raw(mlirDenseElementsAttrRawBufferGet(
            r#type.to_raw(),
            bytes.len(),
            bytes.as_ptr().cast(),
        ))
    }
}

/// The storage size of an element in a dense constant.
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
mod tests;
