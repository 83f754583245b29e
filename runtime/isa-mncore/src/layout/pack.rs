//! Tensors of the host as long words of the groups' DRAM or PDM, and back.
//!
//! A tensor is bytes, row-major, little endian. What an element becomes on the chip says a
//! [`Codec`]: [`Raw`] keeps its bits, which is right for f32, f64 and integers, for bf16 (stored as
//! it is in 16 bits; the chip makes a single of it with a mask or a shift) and for block floats,
//! whose bits the host computed before; [`Converted`] takes two functions, for half precision.
//! Padding is zero, or along dimensions with [`Dim::edge`](super::Dim::edge) the last element
//! again. Replicas are all written, and the first is read.

use super::place::{ElementBits, Location, Memory, SLOTS};
use super::table::Table;
use super::{Layout, LayoutError, Slot};

/// How an element of the host becomes one of the chip, and back.
pub trait Codec {
    /// The width on the chip.
    fn element(&self) -> ElementBits;
    /// The bytes of an element of the host.
    fn bytes(&self) -> usize;
    /// The chip's bits, in the low end of the result.
    fn encode(&self, host: &[u8]) -> u64;
    /// The host's bytes.
    fn decode(&self, chip: u64, host: &mut [u8]);
}

/// Elements whose bits stay what they are; `BYTES` is 2, 4 or 8.
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

/// Elements that two functions convert, from and to the host's bits.
#[derive(Clone, Copy, Debug)]
pub struct Converted<E, D> {
    /// The width on the chip.
    pub element: ElementBits,
    /// The bytes of an element of the host: at most 8.
    pub bytes: usize,
    /// From the host's bits to the chip's.
    pub encode: E,
    /// From the chip's bits to the host's.
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
    /// The long words of each group; none where the layout has nothing.
    pub groups: [Vec<u64>; 4],
}

impl Image {
    /// The long words of a layout, padding with them, all zero.
    ///
    /// # Errors
    /// Layouts of other memories than DRAM and PDM.
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
    /// Whether a group has a part of the tensor, or of its padding.
    pub fn has_group(&self, group: usize) -> bool {
        (0..2).all(|bit| match self.bit(Slot(bit)) {
            super::Bit::Fixed(value) => value == (group >> bit & 1 == 1),
            _ => true,
        })
    }
}

/// Puts a tensor where the layout says.
///
/// # Errors
/// Layouts that the host cannot write, another width of elements, another number of bytes.
pub fn pack(layout: &Layout, codec: &impl Codec, bytes: &[u8]) -> Result<Image, LayoutError> {
    let mut image = Image::new(layout)?;
    check(layout, codec, bytes.len())?;
    if layout.dims().iter().any(|dim| dim.edge) {
        let numbers = Numbers::new(layout);
        let size = codec.bytes();
        let elements = numbers.filter_map(|number| bytes.get(number * size..(number + 1) * size));
        fill(&mut image, &layout.grown(), codec, elements);
    } else {
        fill(&mut image, layout, codec, bytes.chunks_exact(codec.bytes()));
    }
    Ok(image)
}

/// Puts elements where the layout says, all of them in row-major order.
fn fill<'b>(
    image: &mut Image,
    layout: &Layout,
    codec: &impl Codec,
    mut elements: impl Iterator<Item = &'b [u8]>,
) {
    let element = layout.element();
    let replicas = replicas(layout.replicated());
    let base = layout.base() as usize;
    each_element(layout, |at| {
        let Some(host) = elements.next() else { return };
        let chip = codec.encode(host);
        for replica in &replicas {
            let at = at_replica(at, *replica, base);
            let word = &mut image.groups[at.group()][at.address()];
            *word |= chip << at.shift(element);
        }
    });
}

/// Takes a tensor from where the layout says.
///
/// # Errors
/// As [`pack`]; partial sums; an image with fewer long words than the layout has.
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
    each_element(layout, |at| {
        let Some(host) = values.next() else { return };
        let at = at_replica(at, 0, base);
        let word = image.groups[at.group()][at.address()];
        codec.decode(word >> at.shift(element) & ones, host);
    });
    Ok(bytes)
}

/// Whether layout, format and bytes fit each other.
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

/// Tells the places of all elements, in row-major order.
fn each_element(layout: &Layout, mut tell: impl FnMut(Location)) {
    let table = Table::new(layout);
    let Some(inner) = layout.dims().len().checked_sub(1) else {
        return tell(table.location(0));
    };
    for row in table.rows(layout) {
        for index in 0..layout.dims()[inner].extent {
            tell(table.location(row | table.offset(inner, index)));
        }
    }
}

/// The numbers of the elements that a tensor with its repeated ones has, in row-major order.
struct Numbers {
    /// Of each dimension: the next index, how many there are, how many elements.
    dims: Vec<[u64; 3]>,
    is_over: bool,
}

impl Numbers {
    fn new(layout: &Layout) -> Self {
        let grown = layout.grown();
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

/// Every setting of these place bits.
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

/// A replica of a place, its address counted from the layout's first long word.
fn at_replica(at: Location, replica: u64, base: usize) -> Location {
    let first = super::Place::Address.slots().0;
    Location((at.0 - ((base as u64) << first)) | replica)
}

#[cfg(test)]
mod tests;
