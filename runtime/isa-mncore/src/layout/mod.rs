//! Tensor layouts: the assignment of tensor elements to locations in the memories of the board.
//!
//! A layout is a bit-level linear layout, the power-of-two case of CuTe's layouts. It assigns each
//! bit of a dimension's index to one bit of a *place*: group, L2B, L1B, MAB, PE, part of a long
//! word, or address. A place bit without an index bit is replicated (both values hold the same
//! data), summed (both values hold summands of a partial sum), or constant. A layout is therefore a
//! partial injection from index bits to place bits. A transfer instruction applies a renaming of
//! place bits to it.
//!
//! | module | holds |
//! |---|---|
//! | [`place`] | memories, place bits (slots), locations |
//! | [`spec`] | the unchecked description of a layout: digits and clauses; checked into a [`Layout`] |
//! | [`text`] | the text form: parser and printer |
//! | [`notation`] | printer for the notation of the public test cases |
//! | [`table`] | lookup tables for the locations of many elements |
//! | [`transfer`] | the renaming of place bits by each transfer instruction |
//! | [`leg`] | one transfer instruction, repeated until a tensor is in another layout |
//! | [`emit`] | a transfer instruction with its operands |
//! | [`plan`] | the cheapest chain of transfers between two layouts, or with one end to be chosen |
//! | [`mod@pack`] | conversion between host tensors and the long words of the four groups |
//! | [`error`] | errors |
//!
//! Constructing a layout checks four properties. No place bit is assigned twice. Every place bit of
//! the memory's owners is assigned. The digits of each dimension hold its extent. The memory is
//! large enough. Overlap with other tensors is not checked, and neither are the alignment rules of
//! instructions; transfers check the latter.
//!
//! ```
//! use tessera_isa_mncore::layout::Layout;
//!
//! let layout: Layout = "k:(h:4,p:4,a:64) n:(T:4,a:2,m:16,b:8) @LM0+0, rep(g,c)".parse().unwrap();
//! let at = layout.location(&[5, 9]).unwrap();
//! assert_eq!((at.pe(), at.mab(), at.l1b(), at.address()), (1, 1, 0, 1));
//! assert_eq!(layout.index_at(at), Some(vec![5, 9]));
//! assert_eq!(layout.words(), 512);
//! ```

pub mod emit;
pub mod error;
pub mod leg;
pub mod notation;
pub mod pack;
pub mod place;
pub mod plan;
pub mod spec;
pub mod table;
pub mod text;
pub mod transfer;

pub use error::LayoutError;
pub use pack::{pack, unpack, Image};
pub use place::{ElementBits, Location, Memory, Place, Slot};
pub use spec::{Digit, PlaceBits, Spec};

use place::SLOTS;

#[cfg(test)]
mod tests;

/// The content of a place bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bit {
    /// A bit of a dimension's index.
    Index {
        /// The number of the dimension.
        dim: u8,
        /// The bit of its index, counted from the least significant.
        bit: u8,
    },
    /// Replicated: both values of the place bit hold the same data.
    Replicated,
    /// Summed: both values of the place bit hold summands.
    Summed,
    /// Constant: only this value of the place bit holds data.
    Fixed(bool),
}

/// A dimension of a tensor.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Dim {
    /// The name.
    pub name: String,
    /// The number of elements.
    pub extent: u64,
    /// The number of index bits that have a place: at least enough for the extent.
    pub bits: u8,
    /// The padding mode: repeats the last element if set, otherwise pads with zero.
    pub edge: bool,
}

impl Dim {
    /// Returns the number of indices that have a place, at least the extent.
    fn holds(&self) -> u64 {
        1 << self.bits
    }

    /// Returns the number of indices that have an element, including edge padding.
    fn padded_extent(&self) -> u64 {
        if self.edge {
            self.holds()
        } else {
            self.extent
        }
    }
}

/// The assignment of a tensor's elements to locations in one memory.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    memory: Memory,
    base: u32,
    element: ElementBits,
    dims: Vec<Dim>,
    bits: [Bit; SLOTS],
}

impl Layout {
    /// Returns the memory.
    pub fn memory(&self) -> Memory {
        self.memory
    }

    /// Returns the address of the first long word.
    pub fn base(&self) -> u32 {
        self.base
    }

    /// Returns the width of an element.
    pub fn element(&self) -> ElementBits {
        self.element
    }

    /// Returns the dimensions, outermost first for a row-major tensor.
    pub fn dims(&self) -> &[Dim] {
        &self.dims
    }

    /// Returns the extents of the dimensions.
    pub fn extents(&self) -> Vec<u64> {
        self.dims.iter().map(|dim| dim.extent).collect()
    }

    /// Returns the number of elements of the tensor, without padding.
    pub fn elements(&self) -> u64 {
        self.dims.iter().map(|dim| dim.extent).product()
    }

    /// Returns the layout with edge padding along the named dimensions: padding repeats the last
    /// element, as in NumPy's `pad` with `mode='edge'`. Dimensions without padding do not change.
    #[must_use]
    pub fn with_edges(mut self, names: &[&str]) -> Layout {
        for dim in &mut self.dims {
            dim.edge = names.contains(&dim.name.as_str()) && dim.extent < dim.holds();
        }
        self
    }

    /// Returns the layout of the tensor enlarged by its edge padding.
    fn with_edge_padding(&self) -> Layout {
        let mut grown = self.clone();
        for dim in &mut grown.dims {
            dim.extent = dim.padded_extent();
        }
        grown
    }

    /// Returns the content of a place bit; constant 0 if the memory does not have this place.
    pub fn bit(&self, slot: Slot) -> Bit {
        self.bits[slot.index()]
    }

    /// Returns the place bit that an index bit is assigned to.
    pub fn slot_of(&self, dim: usize, bit: u8) -> Option<Slot> {
        let wanted = Bit::Index {
            dim: dim as u8,
            bit,
        };
        Slot::all().find(|slot| self.bit(*slot) == wanted)
    }

    /// Returns the mask of the place bits whose content satisfies `wanted`.
    fn mask(&self, wanted: impl Fn(Bit) -> bool) -> u64 {
        let slots = Slot::all().filter(|slot| wanted(self.bit(*slot)));
        slots.fold(0, |mask, slot| mask | slot.mask())
    }

    /// Returns the mask of the replicated place bits.
    pub fn replicated(&self) -> u64 {
        self.mask(|bit| bit == Bit::Replicated)
    }

    /// Returns the mask of the summed place bits.
    pub fn summed(&self) -> u64 {
        self.mask(|bit| bit == Bit::Summed)
    }

    /// Returns the mask of the place bits that are constant 1.
    fn ones(&self) -> u64 {
        self.mask(|bit| bit == Bit::Fixed(true))
    }

    /// Returns the place bits that an index of one dimension sets, without the base address.
    fn offset(&self, dim: usize, index: u64) -> u64 {
        let set = (0..self.dims[dim].bits).filter(|bit| index >> bit & 1 == 1);
        set.filter_map(|bit| self.slot_of(dim, bit))
            .fold(0, |mask, slot| mask | slot.mask())
    }

    /// Returns the location of an element; replicated and summed bits are 0.
    ///
    /// # Errors
    /// An index outside the tensor.
    pub fn location(&self, index: &[u64]) -> Result<Location, LayoutError> {
        let within = index
            .iter()
            .zip(&self.dims)
            .all(|(value, dim)| *value < dim.extent);
        if index.len() != self.dims.len() || !within {
            return Err(LayoutError::Index {
                index: index.to_vec(),
                extents: self.extents(),
            });
        }
        let offsets = index.iter().enumerate();
        let offset = offsets.fold(self.ones(), |all, (dim, value)| {
            all | self.offset(dim, *value)
        });
        Ok(Location(offset).advanced(self.base))
    }

    /// Returns the index of the element at a location; `None` in padding and where the layout has
    /// nothing.
    pub fn index_at(&self, at: Location) -> Option<Vec<u64>> {
        let address = (at.address() as u64).checked_sub(self.base.into())?;
        let first = Place::Address.slots().0;
        let at = at.0 & ((1 << first) - 1) | address << first;
        let mut index = vec![0; self.dims.len()];
        for slot in Slot::all() {
            let set = at & slot.mask() != 0;
            match self.bit(slot) {
                Bit::Index { dim, bit } => index[usize::from(dim)] |= u64::from(set) << bit,
                Bit::Fixed(value) if value != set => return None,
                _ => {}
            }
        }
        let mut values = index.iter().zip(&self.dims);
        values
            .all(|(value, dim)| *value < dim.extent)
            .then_some(index)
    }

    /// Returns the number of long words from the first to the last one of the tensor, in each
    /// instance of the memory.
    pub fn words(&self) -> u64 {
        let first = Place::Address.slots().0;
        let last: u64 = (0..self.dims.len())
            .map(|dim| self.max_address(dim))
            .sum::<u64>()
            + (self.mask(|bit| matches!(bit, Bit::Replicated | Bit::Summed)) >> first);
        last + 1
    }

    /// Returns the number of long words that the digits can reach, including padding. A tensor that
    /// is transferred in whole vectors or tiles occupies this many.
    pub fn padded_words(&self) -> u64 {
        let held = self.mask(|bit| !matches!(bit, Bit::Fixed(_)));
        (held >> Place::Address.slots().0) + 1
    }

    /// Returns the largest address offset that an index of a dimension reaches.
    fn max_address(&self, dim: usize) -> u64 {
        let last = self.dims[dim].extent - 1;
        let address = |index| self.offset(dim, index) >> Place::Address.slots().0;
        // Among the indices that differ from the last one first at a given one bit, the index with
        // all lower bits set has the largest address.
        let below = (0..64)
            .filter(|bit| last >> bit & 1 == 1)
            .map(|bit| (last & !(1 << bit)) | ((1 << bit) - 1));
        below.map(address).fold(address(last), u64::max)
    }

    /// Returns the mask of the place bits that indices below the extents can set.
    pub fn used_slots(&self) -> u64 {
        let dims = self.dims.iter().enumerate();
        dims.fold(0, |mask, (number, dim)| {
            mask | self.offset(number, used_bits(dim.extent))
        })
    }

    /// Returns the layout with another base address in the same memory.
    ///
    /// # Errors
    /// A base address where the tensor does not fit.
    pub fn with_base(&self, base: u32) -> Result<Layout, LayoutError> {
        let moved = Layout {
            base,
            ..self.clone()
        };
        moved.check_capacity()?;
        Ok(moved)
    }

    /// Returns the layout of a larger tensor that consists of blocks of this layout along a
    /// dimension, `stride` long words apart. Block `i` has this layout at the base plus `i ·
    /// stride`. Kernels that read operands block by block use it.
    ///
    /// # Errors
    /// A block extent that is not a power of two, a stride that is not a power of two or smaller
    /// than a block, or a result that does not fit into the memory.
    pub fn tiled_layout(
        &self,
        dim: usize,
        extent: u64,
        stride: u64,
    ) -> Result<Layout, LayoutError> {
        let block = &self.dims[dim];
        if block.extent != 1 << block.bits || !stride.is_power_of_two() || stride < self.words() {
            return Err(LayoutError::Blocks {
                dim: block.name.clone(),
                extent: block.extent,
                words: self.words(),
                stride,
            });
        }
        let mut grown = self.clone();
        let first = Slot::address(0).index() + stride.trailing_zeros() as usize;
        let last = used_bits(extent)
            .checked_ilog2()
            .map_or(0, |top| top as u8 + 1);
        for (bit, slot) in (block.bits..last).zip(first..) {
            let Some(held) = grown.bits.get_mut(slot) else {
                return Err(LayoutError::Extent {
                    dim: block.name.clone(),
                    extent,
                    holds: 1 << bit,
                });
            };
            *held = Bit::Index {
                dim: dim as u8,
                bit,
            };
        }
        grown.dims[dim].bits = block.bits.max(last);
        grown.dims[dim].extent = extent;
        grown.check_capacity()?;
        Ok(grown)
    }

    /// Checks that the layout fits into the memory.
    fn check_capacity(&self) -> Result<(), LayoutError> {
        let (words, has) = (self.words(), u64::from(self.memory.words()));
        if u64::from(self.base) + words <= has {
            return Ok(());
        }
        Err(LayoutError::Capacity {
            layout: self.to_string(),
            memory: self.memory,
            base: self.base.into(),
            words,
            has,
        })
    }
}

/// Returns the mask of the bits that indices below an extent can set.
fn used_bits(extent: u64) -> u64 {
    let last = extent - 1;
    last.checked_ilog2().map_or(0, |top| u64::MAX >> (63 - top))
}
