//! Conversion between host tensors and the long words of the groups' DRAM or PDM.
//!
//! A host tensor is a row-major byte array in little endian order. A [`Codec`] converts its
//! elements. [`Raw`] keeps the bits. It suits f32, f64, integers, block floats computed by the
//! host, and bf16, which is stored in 16 bits and expanded on the chip by a mask or a shift.
//! [`Converted`] takes two functions, for half precision. Padding is zero, or repeats the last
//! element along dimensions with [`Dim::edge`](super::Dim::edge). Packing writes all replicas;
//! unpacking reads the first.

use std::borrow::Cow;

use super::place::{ElementBits, Memory, Place};
use super::table::LocationTable;
use super::{Layout, LayoutError, Slot};

/// A conversion between host elements and chip elements.
pub trait Codec {
    /// Returns the element width on the chip.
    fn element(&self) -> ElementBits;
    /// Returns the size of a host element in bytes.
    fn bytes(&self) -> usize;
    /// Converts a host element; the result is right-aligned.
    fn encode(&self, host: &[u8]) -> u64;
    /// Converts a chip element to host bytes.
    fn decode(&self, chip: u64, host: &mut [u8]);
}

/// Keeps the bits of elements; `BYTES` is 2, 4 or 8.
#[derive(Clone, Copy, Debug, Default)]
pub struct Raw<const BYTES: usize>;

impl<const BYTES: usize> Raw<BYTES> {
    const ELEMENT: ElementBits = match BYTES {
        2 => ElementBits::Sixteen,
        4 => ElementBits::ThirtyTwo,
        8 => ElementBits::SixtyFour,
        _ => panic!("elements have 2, 4 or 8 bytes"),
    };
}

impl<const BYTES: usize> Codec for Raw<BYTES> {
    fn element(&self) -> ElementBits {
        Self::ELEMENT
    }

    fn bytes(&self) -> usize {
        BYTES
    }

    #[inline]
    fn encode(&self, host: &[u8]) -> u64 {
        let mut word = [0; 8];
        word[..BYTES].copy_from_slice(&host[..BYTES]);
        u64::from_le_bytes(word)
    }

    #[inline]
    fn decode(&self, chip: u64, host: &mut [u8]) {
        host[..BYTES].copy_from_slice(&chip.to_le_bytes()[..BYTES]);
    }
}

/// Converts elements with two functions.
#[derive(Clone, Copy, Debug)]
pub struct Converted<E, D> {
    /// The element width on the chip.
    pub element: ElementBits,
    /// The size of a host element in bytes, at most 8.
    pub bytes: usize,
    /// Converts host bits to chip bits.
    pub encode: E,
    /// Converts chip bits to host bits.
    pub decode: D,
}

impl<E: Fn(u64) -> u64, D: Fn(u64) -> u64> Codec for Converted<E, D> {
    fn element(&self) -> ElementBits {
        self.element
    }

    fn bytes(&self) -> usize {
        self.bytes
    }

    fn encode(&self, host: &[u8]) -> u64 {
        let mut word = [0; 8];
        word[..self.bytes].copy_from_slice(host);
        (self.encode)(u64::from_le_bytes(word))
    }

    fn decode(&self, chip: u64, host: &mut [u8]) {
        host.copy_from_slice(&(self.decode)(chip).to_le_bytes()[..self.bytes]);
    }
}

/// The long words of a tensor in the memories of the four groups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// The address of the first long word.
    pub base: u32,
    /// The long words of each group; empty for a group without a part of the tensor.
    pub groups: [Vec<u64>; 4],
}

impl Image {
    /// Creates a zeroed image of a layout, including its padding.
    ///
    /// # Errors
    /// Layouts in memories other than DRAM and PDM.
    pub fn new(layout: &Layout) -> Result<Image, LayoutError> {
        Ok(Image {
            base: layout.base(),
            groups: Image::group_words(layout)?.map(|count| vec![0; count]),
        })
    }

    /// Returns the number of long words of each group.
    fn group_words(layout: &Layout) -> Result<[usize; 4], LayoutError> {
        let memory = layout.memory();
        if !matches!(memory, Memory::Dram | Memory::Pdm) {
            return Err(LayoutError::NotForHost { memory });
        }
        let words = layout.padded_words() as usize;
        let count = |group| if layout.has_group(group) { words } else { 0 };
        Ok(std::array::from_fn(count))
    }
}

impl Layout {
    /// Returns whether a group holds a part of the tensor or of its padding.
    pub fn has_group(&self, group: usize) -> bool {
        (0..2).all(|bit| match self.bit(Slot(bit)) {
            super::Bit::Fixed(value) => value == (group >> bit & 1 == 1),
            _ => true,
        })
    }
}

/// Packs a tensor into an image of its layout.
///
/// # Errors
/// A layout that the host cannot write, a wrong element width, or a wrong number of bytes.
pub fn pack(layout: &Layout, codec: &impl Codec, bytes: &[u8]) -> Result<Image, LayoutError> {
    let mut image = Image::new(layout)?;
    check(layout, codec, bytes.len())?;
    let element = layout.element();
    let bytes = pad_edges(layout, codec.bytes(), bytes);
    let mut elements = bytes.chunks_exact(codec.bytes());
    LocationTable::new(&layout.with_edge_padding()).for_each_location(|at| {
        let Some(host) = elements.next() else { return };
        image.groups[at.group()][at.address()] |= codec.encode(host) << at.shift(element);
    });
    replicate(&mut image, layout.replicated());
    Ok(image)
}

/// Returns the elements of a tensor enlarged by its edge padding.
fn pad_edges<'b>(layout: &Layout, size: usize, bytes: &'b [u8]) -> Cow<'b, [u8]> {
    let mut data = Cow::Borrowed(bytes);
    // The bytes of one index of the dimension.
    let mut one = size;
    for dim in layout.dims().iter().rev() {
        let (extent, padded) = (dim.extent as usize, dim.padded_extent() as usize);
        if padded > extent {
            let mut grown = Vec::with_capacity(data.len() / extent * padded);
            for block in data.chunks_exact(one * extent) {
                grown.extend_from_slice(block);
                let last = &block[one * (extent - 1)..];
                (extent..padded).for_each(|_| grown.extend_from_slice(last));
            }
            data = Cow::Owned(grown);
        }
        one *= padded;
    }
    data
}

/// Copies the elements to all settings of these place bits, which are 0 in their locations so far.
fn replicate(image: &mut Image, bits: u64) {
    for slot in Slot::all().filter(|slot| bits & slot.mask() != 0) {
        match slot.place() {
            (Place::Group, bit) => {
                for group in (0..image.groups.len()).filter(|group| group >> bit & 1 == 1) {
                    image.groups[group] = image.groups[group ^ 1 << bit].clone();
                }
            }
            (Place::Part, bit) => {
                let words = image.groups.iter_mut().flatten();
                words.for_each(|word| *word |= *word >> (16 << bit));
            }
            (_, bit) => image
                .groups
                .iter_mut()
                .for_each(|words| repeat_runs(words, 1 << bit)),
        }
    }
}

/// Copies every other run of `count` long words to the next one.
fn repeat_runs(words: &mut [u64], count: usize) {
    for pair in words.chunks_mut(2 * count) {
        let (from, to) = pair.split_at_mut(count.min(pair.len()));
        to.copy_from_slice(&from[..to.len()]);
    }
}

/// Unpacks a tensor from an image of its layout.
///
/// # Errors
/// As [`pack`], and layouts with partial sums or images with too few long words.
pub fn unpack(layout: &Layout, codec: &impl Codec, image: &Image) -> Result<Vec<u8>, LayoutError> {
    let needed = Image::group_words(layout)?;
    if layout.summed() != 0 {
        return Err(LayoutError::PartialSums);
    }
    for (group, (words, needed)) in image.groups.iter().zip(needed).enumerate() {
        let found = words.len();
        if found < needed {
            return Err(LayoutError::Image {
                group,
                found,
                needed,
            });
        }
    }
    let (element, size) = (layout.element(), codec.bytes());
    let mut bytes = vec![0; layout.elements() as usize * size];
    check(layout, codec, bytes.len())?;
    let ones = u64::MAX >> (64 - element.bits());
    let mut values = bytes.chunks_exact_mut(size);
    LocationTable::new(layout).for_each_location(|at| {
        let Some(host) = values.next() else { return };
        let word = image.groups[at.group()][at.address()];
        codec.decode(word >> at.shift(element) & ones, host);
    });
    Ok(bytes)
}

/// Checks that layout, format and byte count match.
fn check(layout: &Layout, codec: &impl Codec, found: usize) -> Result<(), LayoutError> {
    let (ours, theirs) = (layout.element().bits(), codec.element().bits());
    if ours != theirs {
        return Err(LayoutError::Format {
            layout: ours,
            format: theirs,
        });
    }
    let (elements, size) = (layout.elements(), codec.bytes());
    if found as u64 != elements * size as u64 {
        return Err(LayoutError::Bytes {
            found,
            elements,
            size,
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests;
