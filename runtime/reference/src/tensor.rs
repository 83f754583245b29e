//! Tensors on the host.

use std::sync::Arc;

use tessera_ops::eval::Array;
use tessera_ops::rounding::{bf16_to_f64, f64_to_bf16, f64_to_integer};
use tessera_ops::shape::Extents;
use tessera_ops::TensorType;
use tessera_program::{DataType, TensorDesc};

/// A tensor in the host's memory: little-endian elements, row-major, without padding. Extents are
/// positive, and the data has exactly as many bytes as shape and type ask for. Clones share the
/// data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tensor {
    shape: Vec<u64>,
    data_type: DataType,
    data: Arc<Vec<u8>>,
}

/// Why a tensor is invalid.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TensorError {
    /// Shape and data disagree.
    #[error(
        "a {} tensor of {} has {expected} bytes, but {found} were given",
        .data_type, Extents(.shape)
    )]
    Length {
        /// The shape.
        shape: Vec<u64>,
        /// The type.
        data_type: DataType,
        /// Bytes by shape and type.
        expected: u64,
        /// Bytes given.
        found: u64,
    },
    /// No elements.
    #[error("the shape {} has an extent of 0: there are no empty tensors", Extents(.0))]
    Empty(Vec<u64>),
    /// More elements than can be counted.
    #[error("a tensor of shape {} does not fit in memory", Extents(.0))]
    TooLarge(Vec<u64>),
    /// An integer type does not have the value.
    #[error("the value {value} at element {index} is no {data_type}")]
    Unrepresentable {
        /// The value.
        value: f64,
        /// Row-major index of the element.
        index: usize,
        /// The type.
        data_type: DataType,
    },
}

impl Tensor {
    /// Returns a tensor of the given bytes.
    ///
    /// # Errors
    /// If an extent is 0, or `data` does not have as many bytes as shape and type ask for.
    pub fn new(shape: Vec<u64>, data_type: DataType, data: Vec<u8>) -> Result<Self, TensorError> {
        let expected = byte_count(&shape, data_type)?;
        let found = data.len() as u64;
        if expected != found {
            return Err(TensorError::Length {
                shape,
                data_type,
                expected,
                found,
            });
        }
        Ok(Self {
            shape,
            data_type,
            data: Arc::new(data),
        })
    }

    /// Returns a tensor of the shape and type of `desc`, all of whose bytes are `byte`.
    ///
    /// # Errors
    /// If it does not fit in memory.
    pub fn filled(desc: &TensorDesc, byte: u8) -> Result<Self, TensorError> {
        let size = byte_count(&desc.shape, desc.data_type)?;
        let size = usize::try_from(size).map_err(|_| TensorError::TooLarge(desc.shape.clone()))?;
        Self::new(desc.shape.clone(), desc.data_type, vec![byte; size])
    }

    /// Returns a tensor of `values`, row-major, each rounded once: floats to nearest, ties to even,
    /// integers towards zero.
    ///
    /// # Errors
    /// If the number of values is not that of the shape, or an integer type does not have one of
    /// them.
    pub fn from_f64s(
        shape: Vec<u64>,
        data_type: DataType,
        values: &[f64],
    ) -> Result<Self, TensorError> {
        let bytes = match data_type {
            DataType::BF16 => bytes(values, |x| Some(f64_to_bf16(x).to_le_bytes())),
            DataType::F32 => bytes(values, |x| Some((x as f32).to_le_bytes())),
            DataType::SI32 => bytes(values, |x| f64_to_integer(x).map(i32::to_le_bytes)),
            DataType::UI32 => bytes(values, |x| f64_to_integer(x).map(u32::to_le_bytes)),
            DataType::UI16 => bytes(values, |x| f64_to_integer(x).map(u16::to_le_bytes)),
            DataType::UI8 => bytes(values, |x| f64_to_integer(x).map(u8::to_le_bytes)),
        };
        let data = bytes.map_err(|index| TensorError::Unrepresentable {
            value: values[index],
            index,
            data_type,
        })?;
        Self::new(shape, data_type, data)
    }

    /// Returns shape and element type.
    pub fn tensor_type(&self) -> TensorType {
        TensorType {
            shape: self.shape.clone(),
            element: self.data_type.into(),
        }
    }

    /// Converts to an array of `f64` elements.
    pub fn to_array(&self) -> Array {
        Array {
            shape: self.shape.clone(),
            values: self.to_f64s(),
        }
    }

    /// Returns the elements, row-major; every type's values are `f64` values.
    pub fn to_f64s(&self) -> Vec<f64> {
        self.first_f64s(usize::MAX)
    }

    /// Returns the first elements, `count` at most.
    pub fn first_f64s(&self, count: usize) -> Vec<f64> {
        match self.data_type {
            DataType::BF16 => self.map(count, |bytes| bf16_to_f64(u16::from_le_bytes(bytes))),
            DataType::F32 => self.map(count, |bytes| f32::from_le_bytes(bytes).into()),
            DataType::SI32 => self.map(count, |bytes| i32::from_le_bytes(bytes).into()),
            DataType::UI32 => self.map(count, |bytes| u32::from_le_bytes(bytes).into()),
            DataType::UI16 => self.map(count, |bytes| u16::from_le_bytes(bytes).into()),
            DataType::UI8 => self.map(count, |[byte]| byte.into()),
        }
    }

    fn map<const N: usize>(&self, count: usize, value: impl Fn([u8; N]) -> f64) -> Vec<f64> {
        self.data
            .chunks_exact(N)
            .take(count)
            .map(|bytes| value(bytes.try_into().expect("chunks have N bytes")))
            .collect()
    }

    /// Returns the extents, outermost first.
    pub fn shape(&self) -> &[u64] {
        &self.shape
    }

    /// Returns the type of an element.
    pub fn data_type(&self) -> DataType {
        self.data_type
    }

    /// Returns the elements' bytes.
    pub fn data(&self) -> &[u8] {
        &self.data
    }

    /// Returns the number of elements.
    pub fn elements(&self) -> usize {
        self.data.len() / self.data_type.size()
    }

    /// Returns whether shape and type are those of `desc`.
    pub fn fits(&self, desc: &TensorDesc) -> bool {
        self.shape == desc.shape && self.data_type == desc.data_type
    }
}

fn byte_count(shape: &[u64], data_type: DataType) -> Result<u64, TensorError> {
    if shape.contains(&0) {
        return Err(TensorError::Empty(shape.to_vec()));
    }
    shape
        .iter()
        .try_fold(data_type.size() as u64, |bytes, &extent| {
            bytes.checked_mul(extent)
        })
        .filter(|&bytes| bytes <= isize::MAX as u64)
        .ok_or_else(|| TensorError::TooLarge(shape.to_vec()))
}

/// Converts all values, or returns the index of the first one that cannot be converted.
fn bytes<const N: usize>(
    values: &[f64],
    convert: impl Fn(f64) -> Option<[u8; N]>,
) -> Result<Vec<u8>, usize> {
    let mut data = vec![0; values.len() * N];
    for (index, (to, &value)) in data.chunks_exact_mut(N).zip(values).enumerate() {
        to.copy_from_slice(&convert(value).ok_or(index)?);
    }
    Ok(data)
}

#[cfg(test)]
mod tests;
