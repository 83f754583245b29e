//! NumPy's `.npy` files, versions 1 to 3 of the format, as `numpy.lib.format` describes it.
//!
//! The format has no bfloat16. A bf16 tensor is read from float32, each element rounded to nearest,
//! ties to even, and written as float32, exactly; or both as its bits in uint16. Every other type
//! is read from and written as the type of its own name only: nothing is converted silently.
//!
//! The header is parsed here and not by a crate: those that exist evaluate it as a general Python
//! literal, which recurses as deep as a hostile header nests, and multiply extents without a check.
//! A header that NumPy writes is a flat dictionary of three keys, and nothing else is accepted.

mod header;

use tessera_ops::rounding::f64_to_bf16;
use tessera_ops::shape::Extents;
use tessera_program::DataType;

use crate::{Tensor, TensorError};
use header::Header;
pub use header::HeaderError;

/// The representation of a bf16 tensor in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bf16Form {
    /// As float32.
    Values,
    /// As its bits, in uint16.
    Bits,
}

/// Why a file is not the expected tensor.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NpyError {
    /// The header is not one NumPy writes.
    #[error(transparent)]
    Header(#[from] HeaderError),
    /// Another type of element.
    #[error("the file has elements of type '{found}', but a {wanted} tensor is read \
             from {}{}", type_name(*wanted, *form), type_hint(*wanted, *form, found))]
    Type {
        /// NumPy's code of the file's type.
        found: String,
        /// Type of the tensor.
        wanted: DataType,
        /// The expected representation of a bf16 tensor.
        form: Bf16Form,
    },
    /// Another shape.
    #[error("the file has shape {}, but the tensor has {}", Extents(.found), Extents(.wanted))]
    Shape {
        /// In the file.
        found: Vec<u64>,
        /// Of the tensor.
        wanted: Vec<u64>,
    },
    /// Less or more data than the header says.
    #[error(
        "the file has {found} bytes of data, but its header says {expected}: it is truncated or \
         was appended to"
    )]
    Data {
        /// Bytes after the header.
        found: u64,
        /// Bytes by the header.
        expected: u64,
    },
    /// No tensor can have the shape.
    #[error(transparent)]
    Tensor(#[from] TensorError),
}

/// A tensor from a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Loaded {
    /// The tensor.
    pub tensor: Tensor,
    /// Number of elements that had to be rounded to bf16.
    pub rounded: usize,
}

/// Reads a tensor of type `wanted` and any shape.
///
/// # Errors
/// If `bytes` are no `.npy` file, or one of another type.
pub fn read(bytes: &[u8], wanted: DataType, form: Bf16Form) -> Result<Loaded, NpyError> {
    let (header, data) = Header::parse(bytes)?;
    let little = match header.descr.split_at_checked(1) {
        Some(("<" | "|", code)) if code == stored_type(wanted, form) => true,
        Some((">", code)) if code == stored_type(wanted, form) => false,
        _ => {
            return Err(NpyError::Type {
                found: header.descr,
                wanted,
                form,
            })
        }
    };
    let size = stored_size(wanted, form);
    let expected = header
        .elements()
        .and_then(|elements| elements.checked_mul(size as u64));
    let Some(expected) = expected else {
        return Err(TensorError::TooLarge(header.shape).into());
    };
    if data.len() as u64 != expected {
        return Err(NpyError::Data {
            found: data.len() as u64,
            expected,
        });
    }
    let mut data = if header.fortran_order {
        row_major(data, &header.shape, size)
    } else {
        data.to_vec()
    };
    if !little {
        data.chunks_exact_mut(size).for_each(<[u8]>::reverse);
    }
    let (data, rounded) = if is_widened(wanted, form) {
        narrowed(&data)
    } else {
        (data, 0)
    };
    Ok(Loaded {
        tensor: Tensor::new(header.shape, wanted, data)?,
        rounded,
    })
}

/// As [`read`], of one shape.
///
/// # Errors
/// As [`read`], or if the file has another shape.
pub fn read_shaped(
    bytes: &[u8],
    wanted: DataType,
    shape: &[u64],
    form: Bf16Form,
) -> Result<Loaded, NpyError> {
    let loaded = read(bytes, wanted, form)?;
    if loaded.tensor.shape() != shape {
        return Err(NpyError::Shape {
            found: loaded.tensor.shape().to_vec(),
            wanted: shape.to_vec(),
        });
    }
    Ok(loaded)
}

/// Returns the file of a tensor, in version 1 of the format.
pub fn write(tensor: &Tensor, form: Bf16Form) -> Vec<u8> {
    let data_type = tensor.data_type();
    let byte_order = if stored_size(data_type, form) == 1 {
        '|'
    } else {
        '<'
    };
    let mut file = Header {
        descr: format!("{byte_order}{}", stored_type(data_type, form)),
        fortran_order: false,
        shape: tensor.shape().to_vec(),
    }
    .to_bytes();
    if is_widened(data_type, form) {
        for bits in tensor.data().chunks_exact(2) {
            file.extend([0, 0, bits[0], bits[1]]);
        }
    } else {
        file.extend(tensor.data());
    }
    file
}

/// Returns NumPy's code, without byte order, of the type that stores tensors of a type.
fn stored_type(data_type: DataType, form: Bf16Form) -> &'static str {
    match (data_type, form) {
        (DataType::BF16, Bf16Form::Bits) | (DataType::UI16, _) => "u2",
        (DataType::BF16, Bf16Form::Values) | (DataType::F32, _) => "f4",
        (DataType::SI32, _) => "i4",
        (DataType::UI32, _) => "u4",
        (DataType::UI8, _) => "u1",
    }
}

/// Returns NumPy's name of [`stored_type`].
fn type_name(data_type: DataType, form: Bf16Form) -> &'static str {
    match stored_type(data_type, form) {
        "f4" => "float32",
        "u2" => "uint16",
        "i4" => "int32",
        "u4" => "uint32",
        _ => "uint8",
    }
}

fn type_hint(wanted: DataType, form: Bf16Form, found: &str) -> String {
    match (wanted, form, found.get(1..)) {
        (DataType::BF16, Bf16Form::Values, Some("u2")) => {
            " (or from its bits in uint16, with --raw-bits)".into()
        }
        _ => format!(
            ": save it with numpy.save(path, array.astype('{}'))",
            type_name(wanted, form)
        ),
    }
}

fn stored_size(data_type: DataType, form: Bf16Form) -> usize {
    data_type.size() * if is_widened(data_type, form) { 2 } else { 1 }
}

/// Returns whether a bf16 tensor is stored as float32.
fn is_widened(data_type: DataType, form: Bf16Form) -> bool {
    data_type == DataType::BF16 && form == Bf16Form::Values
}

/// Rounds little-endian binary32 to bf16. Returns the bytes, and how many elements changed.
fn narrowed(data: &[u8]) -> (Vec<u8>, usize) {
    let mut rounded = 0;
    let narrow = |bytes: &[u8]| {
        let value = f32::from_le_bytes(bytes.try_into().expect("chunks have 4 bytes"));
        let bits = f64_to_bf16(value.into());
        rounded += usize::from(u32::from(bits) << 16 != value.to_bits());
        bits.to_le_bytes()
    };
    (data.chunks_exact(4).flat_map(narrow).collect(), rounded)
}

/// Converts column-major elements of `size` bytes to row-major order.
fn row_major(data: &[u8], shape: &[u64], size: usize) -> Vec<u8> {
    let mut result = Vec::with_capacity(data.len());
    let mut index = vec![0_u64; shape.len()];
    for _ in 0..data.len() / size {
        let at = index
            .iter()
            .zip(shape)
            .rev()
            .fold(0, |at, (index, extent)| at * extent + index) as usize;
        result.extend(&data[at * size..][..size]);
        for (index, extent) in index.iter_mut().zip(shape).rev() {
            *index += 1;
            if *index < *extent {
                break;
            }
            *index = 0;
        }
    }
    result
}
