//! A leg of a transfer plan: one instruction, repeated over its operands until the tensor is in
//! another layout.
//!
//! [`Leg::new`] performs all checks. Every index bit must arrive where the target layout has it. No
//! summand may be lost. No constant bit may be treated as data. Addresses must be aligned, and both
//! memories must have the long words that are accessed. The search for plans proposes candidates
//! without checking; only legs that pass are issued.

mod check;
mod issue;
#[cfg(test)]
mod tests;

pub(super) use issue::below;

use super::place::{ElementBits, Memory, Slot, SLOTS};
use super::transfer::{BitRenaming, TransferOp};
use super::{used_bits, Bit, Dim, Layout, LayoutError};
use crate::table::Rrn;

/// A tensor, or part of one, in a memory during a transfer. Index bits that no index below the
/// extent sets count as constants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The memory.
    pub memory: Memory,
    /// The address of the first long word.
    pub base: u32,
    /// The width of elements.
    pub element: ElementBits,
    /// The content of each place bit.
    pub bits: [Bit; SLOTS],
}

impl Stage {
    /// Creates a stage whose bits are all constant.
    pub fn empty(memory: Memory, base: u32, element: ElementBits) -> Stage {
        Stage {
            memory,
            base,
            element,
            bits: [Bit::Fixed(false); SLOTS],
        }
    }

    /// Returns the stage of a tensor with this layout.
    pub fn from_layout(layout: &Layout) -> Stage {
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

    /// Returns the layout of this stage, which must hold all index bits.
    ///
    /// # Errors
    /// A layout that does not fit into the memory.
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
        layout.check_capacity()?;
        Ok(layout)
    }

    /// Returns the content of a place bit.
    pub fn bit(&self, slot: Slot) -> Bit {
        self.bits[slot.index()]
    }

    /// Returns the place bit with this content.
    pub fn slot_of(&self, wanted: Bit) -> Option<Slot> {
        Slot::all().find(|slot| self.bit(*slot) == wanted)
    }
}

/// The reason why an instruction cannot take a tensor from one stage to another.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LegError {
    /// The instruction connects other memories.
    #[error("it does not go from {from} to {to}")]
    Memories {
        /// The memory of the tensor.
        from: Memory,
        /// The memory it should move to.
        to: Memory,
    },
    /// The content of a source bit arrives at the wrong place.
    #[error("the content of {slot} of {memory} does not arrive at the required place")]
    Lost {
        /// The place bit.
        slot: Slot,
        /// The memory.
        memory: Memory,
    },
    /// The content of a target bit does not come from the source.
    #[error("the required content of {slot} of {memory} does not come from the source")]
    Missing {
        /// The place bit.
        slot: Slot,
        /// The memory.
        memory: Memory,
    },
    /// An address is not aligned as the instruction requires.
    #[error("{memory} address {base} is not a multiple of {unit}")]
    Alignment {
        /// The memory.
        memory: Memory,
        /// The address of the layout's first long word.
        base: u32,
        /// The required alignment in long words.
        unit: u32,
    },
    /// The transfer exceeds the memory.
    #[error("it accesses {words} long words of {memory} from {base} on")]
    Capacity {
        /// The memory.
        memory: Memory,
        /// The address of the first long word.
        base: u32,
        /// The number of long words accessed.
        words: u64,
    },
    /// Source and target overlap.
    #[error("source and target overlap in {memory}")]
    Overlap {
        /// The memory.
        memory: Memory,
    },
    /// The reduction is missing or unsupported for these elements.
    #[error("the reduction is missing or does not support elements of this width")]
    Reduction,
}

/// A loop over the two values of a named place bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Loop {
    /// The bit of the source; `None` if both iterations read the same data.
    source: Option<Slot>,
    /// The bit of the target; `None` if both iterations write the same location.
    target: Option<Slot>,
    /// The index bit as dimension and bit; `None` for a copy.
    index: Option<(u8, u8)>,
}

/// An instruction repeated over a tensor.
#[derive(Clone, Debug)]
pub struct Leg {
    op: TransferOp,
    renaming: BitRenaming,
    rrn: Option<Rrn>,
    from: Stage,
    to: Stage,
    extents: Vec<u64>,
    /// The loops inside the leg, innermost first.
    loops: Vec<Loop>,
    /// The loops around several legs, one per outer index bit.
    outer: Vec<Loop>,
    /// The bits that the cycles of a step select: in a row, and in a PE memory.
    walk: [Option<Loop>; 2],
    /// The constant named bits of source and target.
    origin: [u64; 2],
}

impl Leg {
    /// Creates the leg and checks it. `outer` lists index bits over which an enclosing loop
    /// iterates; a stage between two such legs does not hold them.
    ///
    /// # Errors
    /// The first violation found.
    pub fn new(
        op: TransferOp,
        rrn: Option<Rrn>,
        (from, to): (&Stage, &Stage),
        extents: &[u64],
        outer: &[Bit],
    ) -> Result<Leg, LegError> {
        let renaming = op.renaming();
        if (from.memory.level(), to.memory.level()) != (renaming.source, renaming.target) {
            let (from, to) = (from.memory, to.memory);
            return Err(LegError::Memories { from, to });
        }
        if op.reduces() && !rrn.is_some_and(|rrn| op.supports(rrn, from.element)) {
            return Err(LegError::Reduction);
        }
        let mut leg = Leg {
            op,
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
        leg.check_transferred_bits(outer)?;
        leg.resolve_named_targets(outer)?;
        leg.resolve_named_sources(outer)?;
        leg.assign_cycle_bits()?;
        leg.check_bounds()?;
        Ok(leg)
    }

    /// Returns the instruction.
    pub fn op(&self) -> TransferOp {
        self.op
    }

    /// Returns the stage before the transfer.
    pub fn from(&self) -> &Stage {
        &self.from
    }

    /// Returns the stage after the transfer.
    pub fn to(&self) -> &Stage {
        &self.to
    }
}
