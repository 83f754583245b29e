//! Layouts: where the elements of a tensor lie in the memories of the board.
//!
//! A layout gives each bit of each dimension's index a bit of a place (rulings on MN-Core 2,
//! section 4): the group, the L2B, the L1B, the MAB, the PE, the part of a long word, the address.
//! A place bit that no index bit has is replicated, a summand of a partial sum, or constant. So a
//! layout is a partial injection on bits, and what an instruction does to it is a renaming of place
//! bits.
//!
//! | module | holds |
//! |---|---|
//! | [`place`] | memories, place bits, locations |
//! | [`spec`] | a layout as it is written or built: digits, clauses; checked into a [`Layout`] |
//! | [`text`] | the text form, read and printed |
//! | [`judge`] | the same in the notation of the public test cases |
//! | [`table`] | places of many elements at once |
//! | [`mover`] | what each instruction that moves data does to place bits |
//! | [`leg`] | an instruction repeated over a tensor, from one layout to another |
//! | [`emit`] | the instruction with its operands |
//! | [`plan`] | the cheapest chain of legs, with both ends known or one |
//! | [`mod@pack`] | tensors of the host as long words of the four groups, and back |
//! | [`error`] | what can be wrong |
//!
//! Checked when a layout is made: no place bit is taken twice, every bit of every owner is spoken
//! for, digits hold the extents, the memory holds the words. Not checked: whether other tensors lie
//! in the same words, and what an instruction wants of alignment; that a transfer checks.
//!
//! ```
//! use tessera_isa_mncore::layout::Layout;
//!
//! let layout: Layout = "k:(h:4,p:4,a:64) n:(T:4,a:2,m:16,b:8) @LM0+0, rep(g,c)".parse().unwrap();
//! let at = layout.place(&[5, 9]).unwrap();
//! assert_eq!((at.pe(), at.mab(), at.l1b(), at.address()), (1, 1, 0, 1));
//! assert_eq!(layout.index(at), Some(vec![5, 9]));
//! assert_eq!(layout.words(), 512);
//! ```

pub mod emit;
pub mod error;
pub mod judge;
pub mod leg;
pub mod mover;
pub mod pack;
pub mod place;
pub mod plan;
pub mod spec;
pub mod table;
pub mod text;

pub use error::LayoutError;
pub use pack::{pack, unpack, Image};
pub use place::{ElementBits, Location, Memory, Place, Slot};
pub use spec::{Digit, Part, Spec};

use place::SLOTS;

#[cfg(test)]
mod tests;

/// What a place bit holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bit {
    /// A bit of a dimension's index; bits are counted from the least significant.
    Index {
        /// The dimension's number.
        dim: u8,
        /// The bit of its index.
        bit: u8,
    },
    /// Both values hold the same.
    Replicated,
    /// The values of both are summands.
    Summed,
    /// Only this value holds anything.
    Fixed(bool),
}

/// A dimension of a tensor.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Dim {
    /// Its name.
    pub name: String,
    /// How many elements it has.
    pub extent: u64,
    /// How many index bits places are given to: all bits of an index below the extent, and perhaps
    /// more.
    pub bits: u8,
    /// What the host puts at indices from the extent on: the last element if this is set, else
    /// zero.
    pub edge: bool,
}

impl Dim {
    /// How many indices places are given to.
    fn holds(&self) -> u64 {
        1 << self.bits
    }
}

/// Where the elements of a tensor lie.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    memory: Memory,
    base: u32,
    element: ElementBits,
    dims: Vec<Dim>,
    bits: [Bit; SLOTS],
}

impl Layout {
    /// The memory it lies in.
    pub fn memory(&self) -> Memory {
        self.memory
    }

    /// The first long word.
    pub fn base(&self) -> u32 {
        self.base
    }

    /// The width of elements.
    pub fn element(&self) -> ElementBits {
        self.element
    }

    /// The dimensions, the outermost of a row-major tensor first.
    pub fn dims(&self) -> &[Dim] {
        &self.dims
    }

    /// The extents of the dimensions.
    pub fn extents(&self) -> Vec<u64> {
        self.dims.iter().map(|dim| dim.extent).collect()
    }

    /// The elements of the tensor, without padding.
    pub fn elements(&self) -> u64 {
        self.dims.iter().map(|dim| dim.extent).product()
    }

    /// The same, with padding that repeats the last element along the dimensions of these names,
    /// as numpy's `pad` does with `mode='edge'`. What has no padding stays as it is.
    #[must_use]
    pub fn with_edges(mut self, names: &[&str]) -> Layout {
        for dim in &mut self.dims {
            dim.edge = names.contains(&dim.name.as_str()) && dim.extent < dim.holds();
        }
        self
    }

    /// The same of a tensor to which the padding belongs that repeats elements.
    fn grown(&self) -> Layout {
        let mut grown = self.clone();
        for dim in grown.dims.iter_mut().filter(|dim| dim.edge) {
            dim.extent = dim.holds();
        }
        grown
    }

    /// What a place bit holds; constant 0 where the memory has no such place.
    pub fn bit(&self, slot: Slot) -> Bit {
        self.bits[slot.index()]
    }

    /// The place bit of an index bit.
    pub fn slot(&self, dim: usize, bit: u8) -> Option<Slot> {
        let wanted = Bit::Index {
            dim: dim as u8,
            bit,
        };
        Slot::all().find(|slot| self.bit(*slot) == wanted)
    }

    /// The place bits that hold this.
    fn mask(&self, wanted: impl Fn(Bit) -> bool) -> u64 {
        let slots = Slot::all().filter(|slot| wanted(self.bit(*slot)));
        slots.fold(0, |mask, slot| mask | slot.mask())
    }

    /// The place bits whose both values hold the same.
    pub fn replicated(&self) -> u64 {
        self.mask(|bit| bit == Bit::Replicated)
    }

    /// The place bits whose values are summands.
    pub fn summed(&self) -> u64 {
        self.mask(|bit| bit == Bit::Summed)
    }

    /// The constant bits that are one.
    fn ones(&self) -> u64 {
        self.mask(|bit| bit == Bit::Fixed(true))
    }

    /// The place bits of a part of an index, the others 0, without the base address.
    fn offset(&self, dim: usize, index: u64) -> u64 {
        let set = (0..self.dims[dim].bits).filter(|bit| index >> bit & 1 == 1);
        set.filter_map(|bit| self.slot(dim, bit))
            .fold(0, |mask, slot| mask | slot.mask())
    }

    /// Where an element lies; replicated and summed bits are 0.
    ///
    /// # Errors
    /// An index that the tensor does not have.
    pub fn place(&self, index: &[u64]) -> Result<Location, LayoutError> {
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

    /// Which element lies at a place: none where the layout says nothing, and in its padding.
    pub fn index(&self, at: Location) -> Option<Vec<u64>> {
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

    /// How many long words lie between the first and the last, both counted, in each instance of
    /// the memory.
    pub fn words(&self) -> u64 {
        let first = Place::Address.slots().0;
        let last: u64 = (0..self.dims.len())
            .map(|dim| self.max_address(dim))
            .sum::<u64>()
            + (self.mask(|bit| matches!(bit, Bit::Replicated | Bit::Summed)) >> first);
        last + 1
    }

    /// How many long words its digits could reach, padding with them: what a tensor takes that is
    /// moved in whole vectors or tiles.
    pub fn padded_words(&self) -> u64 {
        let held = self.mask(|bit| !matches!(bit, Bit::Fixed(_)));
        (held >> Place::Address.slots().0) + 1
    }

    /// The largest address that the indices of a dimension reach.
    fn max_address(&self, dim: usize) -> u64 {
        let last = self.dims[dim].extent - 1;
        let address = |index| self.offset(dim, index) >> Place::Address.slots().0;
        // Of the indices below one of the last index's ones, that with all lower bits set has the
        // largest address.
        let below = (0..64)
            .filter(|bit| last >> bit & 1 == 1)
            .map(|bit| (last & !(1 << bit)) | ((1 << bit) - 1));
        below.map(address).fold(address(last), u64::max)
    }

    /// The place bits that indices below the extents ever set.
    pub fn live(&self) -> u64 {
        let dims = self.dims.iter().enumerate();
        dims.fold(0, |mask, (number, dim)| {
            mask | self.offset(number, used_bits(dim.extent))
        })
    }

    /// The same tensor somewhere else in the same memory.
    ///
    /// # Errors
    /// What does not fit there.
    pub fn at(&self, base: u32) -> Result<Layout, LayoutError> {
        let moved = Layout {
            base,
            ..self.clone()
        };
        moved.fits()?;
        Ok(moved)
    }

    /// The layout of a tensor of which this is one of several blocks along a dimension, `stride`
    /// long words apart: how operands lie that a kernel reads block by block. Block `i` is this
    /// layout at the base plus `i` times the stride.
    ///
    /// # Errors
    /// A dimension whose blocks are no power of two, a stride that is none or less than a block,
    /// and what does not fit into the memory.
    pub fn blocks(&self, dim: usize, extent: u64, stride: u64) -> Result<Layout, LayoutError> {
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
        grown.fits()?;
        Ok(grown)
    }

    /// Whether the memory has all of it.
    fn fits(&self) -> Result<(), LayoutError> {
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

/// The bits that indices below an extent ever set.
fn used_bits(extent: u64) -> u64 {
    let last = extent - 1;
    last.checked_ilog2().map_or(0, |top| u64::MAX >> (63 - top))
}
