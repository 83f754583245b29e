//! Conversion of kernel arguments to and from long words of the groups' DRAM.

use std::borrow::Cow;

use tessera_isa_mncore::layout::pack::Raw;
use tessera_isa_mncore::layout::{self, Image, LayoutError};
use tessera_program::{GlobalId, MncoreStorage, MncoreTensor, TensorDesc};
use tessera_pto::kernel::Element;
use tessera_reference::Tensor;

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
) -> Result<Image, MncoreError> {
    let (values, data) = viewed(argument, tensor);
    if let Some(element) = values.iter().position(|value| value.is_nan()) {
        return Err(MncoreError::NotANumber {
            kernel: kernel.to_owned(),
            id,
            element: of_tensor(argument, element),
        });
    }
    let layout = &argument.layout;
    let packed = match argument.storage {
        MncoreStorage::Bf16 => layout::pack(layout, &Raw::<2>, &data),
        MncoreStorage::Single => {
            let element = argument.tensor.element;
            let words = values.iter().map(|value| word(element, *value));
            let bytes: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
            layout::pack(layout, &Raw::<4>, &bytes)
        }
    };
    packed.map_err(unfit(kernel, id))
}

/// Returns the elements of a tensor that an argument covers, as numbers and as bytes.
fn viewed<'t>(argument: &MncoreTensor, tensor: &'t Tensor) -> (Vec<f64>, Cow<'t, [u8]>) {
    let (values, data) = (tensor.to_f64s(), tensor.data());
    let Some(view) = &argument.view else {
        return (values, data.into());
    };
    let size = tensor.data_type().size();
    let bytes = view.indices().flat_map(|at| &data[at * size..][..size]);
    let bytes: Vec<u8> = bytes.copied().collect();
    (view.indices().map(|at| values[at]).collect(), bytes.into())
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
        for (place, value) in view.indices().zip(values) {
            self.values[place] = value;
            if let Some(is_missing) = self.is_missing.get_mut(place) {
                *is_missing = false;
            }
        }
        Ok(())
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
