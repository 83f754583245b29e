//! One leg of a transfer: an instruction that takes a tensor from one layout to another, repeated
//! over what its operands name.
//!
//! [`Leg::new`] is where everything is checked: every index bit arrives where the target layout
//! wants it, no summand is lost, no constant is taken for data, addresses are aligned, both
//! memories have the words touched. The search for plans may propose what it likes; only legs that
//! pass are issued.

mod check;
mod issue;
#[cfg(test)]
mod tests;

pub(super) use issue::below;

use super::mover::{Renaming, TransferOp};
use super::place::{ElementBits, Memory, Slot, SLOTS};
use super::{used_bits, Bit, Dim, Layout, LayoutError};
use crate::table::Rrn;

/// A tensor, or a part of it, in a memory. Index bits that no index below the extent ever sets
/// count as constants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The memory.
    pub memory: Memory,
    /// The first long word.
    pub base: u32,
    /// The width of elements.
    pub element: ElementBits,
    /// What each place bit holds.
    pub bits: [Bit; SLOTS],
}

impl Stage {
    /// A memory that holds nothing yet.
    pub fn empty(memory: Memory, base: u32, element: ElementBits) -> Stage {
        Stage {
            memory,
            base,
            element,
            bits: [Bit::Fixed(false); SLOTS],
        }
    }

    /// Where a layout has a tensor.
    pub fn of(layout: &Layout) -> Stage {
        let live =
            |dim: u8, bit: u8| used_bits(layout.dims[usize::from(dim)].extent) >> bit & 1 == 1;
        let bits = layout.bits.map(|bit| match bit {
            Bit::Index { dim, bit } if !live(dim, bit) => Bit::Fixed(false),
            other => other,
        });
        Stage {
            memory: layout.memory,
            base: layout.base,
            element: layout.element,
            bits,
        }
    }

    /// The layout of a tensor that lies so, if all of its index bits are there.
    ///
    /// # Errors
    /// What does not fit into the memory.
    pub fn layout(&self, dims: &[Dim]) -> Result<Layout, LayoutError> {
        let bits = |dim: &Dim| (64 - used_bits(dim.extent).leading_zeros()) as u8;
        let layout = Layout {
            memory: self.memory,
            base: self.base,
            element: self.element,
            dims: dims
                .iter()
                .map(|dim| Dim {
                    bits: bits(dim),
                    ..dim.clone()
                })
                .collect(),
            bits: self.bits,
        };
        layout.fits()?;
        Ok(layout)
    }

    /// What a place bit holds.
    pub fn bit(&self, slot: Slot) -> Bit {
        self.bits[slot.index()]
    }

    /// The place bit of an index bit.
    pub fn find(&self, wanted: Bit) -> Option<Slot> {
        Slot::all().find(|slot| self.bit(*slot) == wanted)
    }
}

/// Why an instruction does not take a tensor from one stage to another.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It works between other memories.
    #[error("it does not go from {from} to {to}")]
    Memories {
        /// Where the tensor is.
        from: Memory,
        /// Where it should go.
        to: Memory,
    },
    /// A bit of the source that arrives elsewhere.
    #[error("what is in {slot} of {memory} does not arrive where it should")]
    Lost {
        /// The place bit.
        slot: Slot,
        /// The memory.
        memory: Memory,
    },
    /// A bit of the target that nothing of the kind reaches.
    #[error("what should be in {slot} of {memory} does not come from the source")]
    Missing {
        /// The place bit.
        slot: Slot,
        /// The memory.
        memory: Memory,
    },
    /// An address that the instruction cannot have.
    #[error("{memory} address {base} is no multiple of {unit}")]
    Alignment {
        /// The memory.
        memory: Memory,
        /// The layout's first long word.
        base: u32,
        /// What it must be a multiple of.
        unit: u32,
    },
    /// More than the memory has.
    #[error("it touches {words} long words of {memory} from {base} on")]
    Capacity {
        /// The memory.
        memory: Memory,
        /// The first long word.
        base: u32,
        /// How many are touched.
        words: u64,
    },
    /// Source and target are in each other's way.
    #[error("it reads and writes the same {memory}, where the two overlap")]
    Overlap {
        /// The memory.
        memory: Memory,
    },
    /// A reduction that is not there, or not of these elements.
    #[error("the reduction is missing, or it is none of elements of this width")]
    Reduction,
}

/// A loop over the two values of a named bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Loop {
    /// The bit of the source; none where the same is read for both.
    source: Option<Slot>,
    /// The bit of the target.
    target: Option<Slot>,
    /// The index bit; none for a copy.
    index: Option<(u8, u8)>,
}

/// An instruction repeated over a tensor.
#[derive(Clone, Debug)]
pub struct Leg {
    mover: TransferOp,
    renaming: Renaming,
    rrn: Option<Rrn>,
    from: Stage,
    to: Stage,
    extents: Vec<u64>,
    /// Inside the leg, the innermost first.
    loops: Vec<Loop>,
    /// Around several legs: one for each outer index bit.
    outer: Vec<Loop>,
    /// The bits that the cycles of a step walk over: in a row, and in a PE memory.
    walk: [Option<Loop>; 2],
    /// Named constants.
    origin: [u64; 2],
}

impl Leg {
    /// The leg, if the instruction can be one. `outer` are index bits over which someone else
    /// loops; a stage between two such legs does not have them.
    ///
    /// # Errors
    /// The first thing that does not fit.
    pub fn new(
        mover: TransferOp,
        rrn: Option<Rrn>,
        (from, to): (&Stage, &Stage),
        extents: &[u64],
        outer: &[Bit],
    ) -> Result<Leg, Refusal> {
        let renaming = mover.renaming();
        if (from.memory.level(), to.memory.level()) != (renaming.source, renaming.target) {
            let (from, to) = (from.memory, to.memory);
            return Err(Refusal::Memories { from, to });
        }
        if mover.reduces() && !rrn.is_some_and(|rrn| mover.takes(rrn, from.element)) {
            return Err(Refusal::Reduction);
        }
        let mut leg = Leg {
            mover,
            rrn,
            from: from.clone(),
            to: to.clone(),
            extents: extents.to_vec(),
            loops: Vec::new(),
            outer: Vec::new(),
            walk: [None; 2],
            origin: [0; 2],
            renaming,
        };
        leg.carried(outer)?;
        leg.named_targets(outer)?;
        leg.named_sources(outer)?;
        leg.walked()?;
        leg.touched()?;
        Ok(leg)
    }

    /// The instruction.
    pub fn mover(&self) -> TransferOp {
        self.mover
    }

    /// Where the tensor comes from.
    pub fn from(&self) -> &Stage {
        &self.from
    }

    /// Where it goes.
    pub fn to(&self) -> &Stage {
        &self.to
    }
}
