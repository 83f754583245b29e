//! Conversion of kernel arguments to and from long words of the groups' DRAM.

use std::borrow::Cow;

use tessera_isa_mncore::layout::pack::Raw;
use tessera_isa_mncore::layout::{self, Image, LayoutError};
use tessera_ops::rounding::bf16_to_f64;
use tessera_ops::ViewRun;
use tessera_program::{DataType, GlobalId, MncoreStorage, MncoreTensor, TensorDesc};
use tessera_pto::kernel::Element;
use tessera_reference::{Tensor, TensorError};

use super::MncoreError;
use crate::DeviceError;

/// The initial value of results: a NaN in either storage class, which no kernel computes. Read as
/// an integer, the value may be computed.
const UNWRITTEN: u64 = 0x7fed_7fed_7fed_7fed;

/// The bits of infinity in binary32.
const INFINITY: u32 = f32::INFINITY.to_bits();

/// Returns the long words of a tensor that a kernel reads.
pub fn pack(
    kernel: &str,
    id: GlobalId,
    argument: &MncoreTensor,
    tensor: &Tensor,
) -> Result<Image, DeviceError> {
    let (data_type, data) = (tensor.data_type(), viewed(argument, tensor));
    if let Some(element) = find_nan(data_type, &data) {
        return Err(DeviceError::from(MncoreError::NotANumber {
            kernel: kernel.to_owned(),
            id,
            element: of_tensor(argument, element),
        }));
    }
    let layout = &argument.layout;
    let packed = match argument.storage {
        MncoreStorage::Bf16 => layout::pack(layout, &Raw::<2>, &data),
        MncoreStorage::Single => {
            let words = words(argument.tensor.element, data_type, data)?;
            layout::pack(layout, &Raw::<4>, &words)
        }
    };
    packed.map_err(unfit(kernel, id)).map_err(DeviceError::from)
}

/// Returns the bytes of the elements of a tensor that an argument covers.
fn viewed<'t>(argument: &MncoreTensor, tensor: &'t Tensor) -> Cow<'t, [u8]> {
    let data = tensor.data();
    let Some(view) = &argument.view else {
        return data.into();
    };
    let size = tensor.data_type().size();
    let mut bytes = Vec::new();
    view.for_each_run(|run| match run.as_range() {
        Some(range) => bytes.extend_from_slice(&data[range.start * size..range.end * size]),
        None => run
            .indices()
            .for_each(|at| bytes.extend_from_slice(&data[at * size..][..size])),
    });
    bytes.into()
}

/// Returns the first element that is a NaN.
fn find_nan(data_type: DataType, data: &[u8]) -> Option<usize> {
    match data_type {
        DataType::F32 => data.chunks_exact(4).position(|bytes| {
            f32::from_le_bytes(bytes.try_into().expect("chunks have 4 bytes")).is_nan()
        }),
        DataType::BF16 => data.chunks_exact(2).position(|bytes| {
            bf16_to_f64(u16::from_le_bytes(
                bytes.try_into().expect("chunks have 2 bytes"),
            ))
            .is_nan()
        }),
        DataType::SI32 | DataType::UI32 | DataType::UI16 | DataType::UI8 => None,
    }
}

/// Returns the words of elements in little-endian order, of a tensor's bytes without NaN.
fn words(element: Element, data_type: DataType, data: Cow<[u8]>) -> Result<Cow<[u8]>, TensorError> {
    match (element, data_type) {
        // The bytes of these are their words.
        (Element::I32, DataType::SI32) | (Element::F32 | Element::Bf16, DataType::F32) => Ok(data),
        _ => {
            let count = (data.len() / data_type.size()) as u64;
            let tensor = Tensor::new(vec![count], data_type, data.into_owned())?;
            let words = tensor.to_f64s().into_iter();
            Ok(words
                .flat_map(|value| word(element, value).to_le_bytes())
                .collect())
        }
    }
}

/// Returns the index in the tensor of an element of an argument.
fn of_tensor(argument: &MncoreTensor, element: usize) -> usize {
    let found = argument
        .view
        .as_ref()
        .and_then(|view| view.indices().nth(element));
    found.unwrap_or(element)
}

/// Returns the initial long words of a result.
pub fn unwritten(
    kernel: &str,
    id: GlobalId,
    argument: &MncoreTensor,
) -> Result<Image, MncoreError> {
    let mut image = Image::new(&argument.layout).map_err(unfit(kernel, id))?;
    image
        .groups
        .iter_mut()
        .for_each(|words| words.fill(UNWRITTEN));
    Ok(image)
}

/// Returns whether a kernel has certainly written all elements of a result. Otherwise some may be
/// unwritten, or only padding is.
pub fn is_written(argument: &MncoreTensor, image: &Image) -> bool {
    fn contains<T: PartialEq + bytemuck::AnyBitPattern>(image: &Image, element: T) -> bool {
        let mut groups = image.groups.iter();
        groups.any(|words| bytemuck::cast_slice::<u64, T>(words).contains(&element))
    }
    argument.tensor.element.is_integer()
        || match argument.storage {
            MncoreStorage::Bf16 => !contains(image, UNWRITTEN as u16),
            MncoreStorage::Single => !contains(image, UNWRITTEN as u32),
        }
}

/// A result of a kernel, assembled from its arguments in their order. Each argument is the whole
/// tensor or a view of it.
#[derive(Debug)]
pub struct Assembly {
    /// Which tensor.
    pub id: GlobalId,
    /// The elements; empty before the first argument.
    values: Vec<f64>,
    /// For each element, whether no argument has covered it yet.
    is_missing: Vec<bool>,
}

impl Assembly {
    /// Creates a result without elements.
    pub fn new(id: GlobalId) -> Self {
        Assembly {
            id,
            values: Vec::new(),
            is_missing: Vec::new(),
        }
    }

    /// Adds the elements that a kernel left in the long words of an argument.
    pub fn add(
        &mut self,
        kernel: &str,
        argument: &MncoreTensor,
        image: &Image,
    ) -> Result<(), MncoreError> {
        let values = unpack(kernel, self.id, argument, image)?;
        let Some(view) = &argument.view else {
            self.values = values;
            self.is_missing.clear();
            return Ok(());
        };
        if self.values.is_empty() {
            let count = argument.tensor.elements().unwrap_or_default() as usize;
            self.values = vec![0.0; count];
            self.is_missing = vec![true; count];
        }
        let mut rest = &values[..];
        view.for_each_run(|run| {
            let (values, later) = rest.split_at(run.count);
            rest = later;
            self.add_run(run, values);
        });
        Ok(())
    }

    /// Adds consecutive elements of an argument.
    fn add_run(&mut self, run: ViewRun, values: &[f64]) {
        // Without missing elements, the first argument was the whole tensor.
        let keeps_track = !self.is_missing.is_empty();
        match run.as_range() {
            Some(range) => {
                self.values[range.clone()].copy_from_slice(values);
                if keeps_track {
                    self.is_missing[range].fill(false);
                }
            }
            None => {
                for (place, value) in run.indices().zip(values) {
                    self.values[place] = *value;
                    if keeps_track {
                        self.is_missing[place] = false;
                    }
                }
            }
        }
    }

    /// Returns the tensor, once all elements are known.
    pub fn finish(self, kernel: &str, desc: &TensorDesc) -> Result<Tensor, DeviceError> {
        if let Some(element) = self.is_missing.iter().position(|missing| *missing) {
            return Err(MncoreError::Unwritten {
                kernel: kernel.to_owned(),
                id: self.id,
                element,
            }
            .into());
        }
        Ok(Tensor::from_f64s(
            desc.shape.clone(),
            desc.data_type,
            &self.values,
        )?)
    }
}

/// Returns the elements that a kernel left in the long words of an argument.
fn unpack(
    kernel: &str,
    id: GlobalId,
    argument: &MncoreTensor,
    image: &Image,
) -> Result<Vec<f64>, MncoreError> {
    let layout = &argument.layout;
    let singles: Vec<u32> = match argument.storage {
        MncoreStorage::Bf16 => elements(layout::unpack(layout, &Raw::<2>, image), |bytes| {
            u32::from(u16::from_le_bytes(bytes)) << 16
        }),
        MncoreStorage::Single => {
            elements(layout::unpack(layout, &Raw::<4>, image), u32::from_le_bytes)
        }
    }
    .map_err(unfit(kernel, id))?;
    let nobodys = match argument.storage {
        MncoreStorage::Bf16 => UNWRITTEN as u32 & 0xffff_0000,
        MncoreStorage::Single => UNWRITTEN as u32,
    };
    let element = argument.tensor.element;
    let unwritten = |single: &u32| *single == nobodys && !element.is_integer();
    if let Some(element) = singles.iter().position(unwritten) {
        return Err(MncoreError::Unwritten {
            kernel: kernel.to_owned(),
            id,
            element: of_tensor(argument, element),
        });
    }
    let singles = singles.into_iter();
    Ok(singles.map(|single| value(element, single)).collect())
}

/// Returns the word of an element; a float is stored as the single of the same value.
fn word(element: Element, value: f64) -> u32 {
    match element {
        Element::I32 => value as i32 as u32,
        Element::F32 | Element::Bf16 => (value as f32).to_bits(),
    }
}

/// Returns the value of a word of the chip. All words with the greatest exponent are infinities.
fn value(element: Element, single: u32) -> f64 {
    if element.is_integer() {
        return f64::from(single as i32);
    }
    let mantissa = (1 << 23) - 1;
    let infinite = single & INFINITY == INFINITY;
    f32::from_bits(if infinite { single & !mantissa } else { single }).into()
}

fn elements<const N: usize>(
    bytes: Result<Vec<u8>, LayoutError>,
    element: impl Fn([u8; N]) -> u32,
) -> Result<Vec<u32>, LayoutError> {
    let bytes = bytes?;
    let chunks = bytes.chunks_exact(N);
    let element = |chunk: &[u8]| element(chunk.try_into().expect("chunks have N bytes"));
    Ok(chunks.map(element).collect())
}

/// Returns the number of bytes in all groups.
pub fn bytes(image: &Image) -> u64 {
    image
        .groups
        .iter()
        .map(|words| 8 * words.len() as u64)
        .sum()
}

fn unfit(kernel: &str, id: GlobalId) -> impl FnOnce(LayoutError) -> MncoreError + '_ {
    move |error| MncoreError::Layout {
        kernel: kernel.to_owned(),
        id,
        error: Box::new(error),
    }
}
