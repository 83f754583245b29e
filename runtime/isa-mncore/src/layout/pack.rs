//! Conversion between host tensors and the long words of the groups' DRAM or PDM.
//!
//! A host tensor is a row-major byte array in little endian order. A [`Codec`] converts its
//! elements. [`Raw`] keeps the bits. It suits f32, f64, integers, block floats computed by the
//! host, and bf16, which is stored in 16 bits and expanded on the chip by a mask or a shift.
//! [`Converted`] takes two functions, for half precision. Padding is zero, or repeats the last
//! element along dimensions with [`Dim::edge`](super::Dim::edge). Packing writes all replicas;
//! unpacking reads the first.

use super::place::{ElementBits, Location, Memory, SLOTS};
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
        let memory = layout.memory();
        if !matches!(memory, Memory::Dram | Memory::Pdm) {
            return Err(LayoutError::NotForHost { memory });
        }
        let groups = std::array::from_fn(|group| {
            let count = if layout.has_group(group) {
                layout.padded_words()
            } else {
                0
            };
            vec![0; count as usize]
        });
        Ok(Image {
            base: layout.base(),
            groups,
        })
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
    if layout.dims().iter().any(|dim| dim.edge) {
        let numbers = Numbers::new(layout);
        let size = codec.bytes();
        let elements = numbers.filter_map(|number| bytes.get(number * size..(number + 1) * size));
        fill(&mut image, &layout.with_edge_padding(), codec, elements);
    } else {
        fill(&mut image, layout, codec, bytes.chunks_exact(codec.bytes()));
    }
    Ok(image)
}

/// Stores elements, given in row-major order, at their locations.
fn fill<'b>(
    image: &mut Image,
    layout: &Layout,
    codec: &impl Codec,
    mut elements: impl Iterator<Item = &'b [u8]>,
) {
    let element = layout.element();
    let replicas = replicas(layout.replicated());
    let base = layout.base() as usize;
    for_each_element(layout, |at| {
        let Some(host) = elements.next() else { return };
        let chip = codec.encode(host);
        for replica in &replicas {
            let at = replica_location(at, *replica, base);
            let word = &mut image.groups[at.group()][at.address()];
            *word |= chip << at.shift(element);
        }
    });
}

/// Unpacks a tensor from an image of its layout.
///
/// # Errors
/// As [`pack`], and layouts with partial sums or images with too few long words.
pub fn unpack(layout: &Layout, codec: &impl Codec, image: &Image) -> Result<Vec<u8>, LayoutError> {
    let own = Image::new(layout)?;
    if layout.summed() != 0 {
        return Err(LayoutError::PartialSums);
    }
    for (group, (found, needed)) in image.groups.iter().zip(&own.groups).enumerate() {
        if found.len() < needed.len() {
            return Err(LayoutError::Image {
                group,
                found: found.len(),
                needed: needed.len(),
            });
        }
    }
    let (element, size) = (layout.element(), codec.bytes());
    let mut bytes = vec![0; layout.elements() as usize * size];
    check(layout, codec, bytes.len())?;
    let ones = u64::MAX >> (64 - element.bits());
    let base = layout.base() as usize;
    let mut values = bytes.chunks_exact_mut(size);
    for_each_element(layout, |at| {
        let Some(host) = values.next() else { return };
        let at = replica_location(at, 0, base);
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

/// Calls `tell` with the locations of all elements in row-major order.
fn for_each_element(layout: &Layout, mut tell: impl FnMut(Location)) {
    let table = LocationTable::new(layout);
    let Some(inner) = layout.dims().len().checked_sub(1) else {
        return tell(table.location_at_offset(0));
    };
    for row in table.rows(layout) {
        for index in 0..layout.dims()[inner].extent {
            tell(table.location_at_offset(row | table.offset(inner, index)));
        }
    }
}

/// Iterates over the element numbers of a tensor enlarged by edge padding, in row-major order.
struct Numbers {
    /// For each dimension: next index, number of indices, number of elements.
    dims: Vec<[u64; 3]>,
    is_over: bool,
}

impl Numbers {
    fn new(layout: &Layout) -> Self {
        let grown = layout.with_edge_padding();
        let both = layout.dims().iter().zip(grown.dims());
        Numbers {
            dims: both.map(|(own, all)| [0, all.extent, own.extent]).collect(),
            is_over: false,
        }
    }
}

impl Iterator for Numbers {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        if self.is_over {
            return None;
        }
        let number = self.dims.iter().fold(0, |number, [index, _, extent]| {
            number * extent + index.min(&(extent - 1))
        });
        self.is_over = true;
        for [index, all, _] in self.dims.iter_mut().rev() {
            *index += 1;
            if index < all {
                self.is_over = false;
                break;
            }
            *index = 0;
        }
        Some(number as usize)
    }
}

/// Returns every combination of these place bits.
fn replicas(bits: u64) -> Vec<u64> {
    let mut all = vec![0];
    for slot in (0..SLOTS as u8)
        .map(Slot)
        .filter(|slot| bits & slot.mask() != 0)
    {
        all.extend(all.clone().iter().map(|other| other | slot.mask()));
    }
    all
}

/// Returns the location of a replica, with its address relative to the layout's base.
fn replica_location(at: Location, replica: u64, base: usize) -> Location {
    let first = super::Place::Address.slots().0;
    Location((at.0 - ((base as u64) << first)) | replica)
}

#[cfg(test)]
mod tests;
