//! Search states: where index bits can be after a prefix of a chain, and lower bounds on costs.

use super::super::leg::{below, Stage};
use super::super::place::{ElementBits, Place, Slot, SLOTS};
use super::super::transfer::{BitRenaming, End, Level, TransferOp};
use super::super::Bit;
use crate::table::Rrn;

/// The available transfer instructions with their renamings.
pub(super) struct TransferSet {
    pub(super) ops: Vec<(TransferOp, BitRenaming)>,
}

impl TransferSet {
    /// Returns the instructions for elements of this width; reductions only if `rrn` is given.
    pub(super) fn new(rrn: Option<Rrn>, element: ElementBits) -> TransferSet {
        let fits = |op: &TransferOp| match op {
            TransferOp::Mwrite(precision) | TransferOp::Mread(precision) => {
                precision.bits() >= element.bits()
            }
            op if op.reduces() => rrn.is_some_and(|rrn| op.supports(rrn, element)),
            _ => true,
        };
        let ops = TransferOp::all().into_iter().filter(fits);
        TransferSet {
            ops: ops.map(|op| (op, op.renaming())).collect(),
        }
    }
}

/// The size of a tensor, for cost estimates.
pub(super) struct Size {
    pub(super) elements: u64,
    pub(super) element: ElementBits,
}

impl Size {
    /// Returns a lower bound on the cycles of a transfer, assuming that every instruction is full.
    pub(super) fn bound(&self, renaming: &BitRenaming) -> u64 {
        let (first, count) = self.element.parts();
        let told = |slot: Slot| {
            slot.place().0 != Place::Part
                || (usize::from(first)..usize::from(first + count)).contains(&slot.index())
        };
        let carried = renaming
            .moved
            .iter()
            .filter(|(from, to)| told(*from) && told(*to))
            .count();
        let walked = if renaming.cycle_bits.is_some() { 2 } else { 0 };
        self.elements.div_ceil(1 << (carried + walked)) * renaming.cycles
    }
}

/// Returns the rank of a memory in the hierarchy. A higher memory has fewer owner bits.
pub(super) const fn rank(level: Level) -> usize {
    match level {
        Level::Matrix | Level::Pe => 0,
        Level::L1bm => 1,
        Level::L2bm => 2,
        Level::Pdm | Level::Dram => 3,
    }
}

/// Returns the rank to which a tensor must move to change this place.
pub(super) const fn rank_to_change(place: Place) -> usize {
    match place {
        Place::Group | Place::L2b => 3,
        Place::L1b => 2,
        Place::Mab => 1,
        // Matrix registers exchange these with address bits.
        Place::Pe | Place::Part | Place::Address => 0,
    }
}

/// Set element: replicated data.
pub(super) const REPLICATED: u64 = 1 << 63;
/// Set element: replicated data, at the cost of one copy per value.
pub(super) const COPIED: u64 = 1 << 61;
/// Set element: summands.
pub(super) const SUMMAND: u64 = 1 << 62;

/// For each place bit, the set of index bits that can be in it, as a mask of index bit numbers. The
/// last entry holds the index bits that operands named and that may thus be anywhere.
pub(super) type State = [u64; SLOTS + 1];

/// The numbering of the index bits.
pub(super) struct IndexBits(Vec<Bit>);

impl IndexBits {
    pub(super) fn new(stage: &Stage) -> IndexBits {
        let bits = stage.bits.iter().copied();
        IndexBits(
            bits.filter(|bit| matches!(bit, Bit::Index { .. }))
                .collect(),
        )
    }

    pub(super) fn mask(&self, bit: Bit) -> u64 {
        match bit {
            Bit::Replicated => REPLICATED,
            Bit::Summed => SUMMAND,
            Bit::Fixed(_) => 0,
            Bit::Index { .. } => {
                let number = self.0.iter().position(|one| *one == bit);
                number.map_or(0, |number| 1 << number)
            }
        }
    }

    pub(super) fn all(&self) -> u64 {
        (1 << self.0.len()) - 1
    }

    /// Returns the state of the source.
    pub(super) fn sets(&self, from: &Stage) -> State {
        let mut sets = [0; SLOTS + 1];
        for slot in Slot::all() {
            sets[slot.index()] = self.mask(from.bit(slot));
        }
        sets
    }

    /// Returns the number of combined values of a set of index bits.
    pub(super) fn values(&self, set: u64, extents: &[u64]) -> u64 {
        let mut masks = vec![0; extents.len()];
        for (number, bit) in self.0.iter().enumerate() {
            if let (Bit::Index { dim, bit }, true) = (*bit, set >> number & 1 == 1) {
                masks[usize::from(dim)] |= 1 << bit;
            }
        }
        masks
            .iter()
            .zip(extents)
            .map(|(mask, extent)| below(*mask, *extent))
            .product()
    }
}

/// Returns the state after an instruction; `None` if data would be lost.
pub(super) fn advance(
    sets: &State,
    renaming: &BitRenaming,
    index_bits: &IndexBits,
) -> Option<State> {
    let mut next = [0; SLOTS + 1];
    let mut pool = sets[SLOTS];
    let mut seen = renaming.source_named | renaming.summed;
    for (from, to) in &renaming.moved {
        next[to.index()] = sets[from.index()];
        seen |= from.mask();
    }
    for slot in Slot::all() {
        let set = sets[slot.index()];
        let (named, summed) = (
            renaming.source_named & slot.mask() != 0,
            renaming.summed & slot.mask() != 0,
        );
        if summed != (set & SUMMAND != 0) && (summed || named)
            || seen & slot.mask() == 0 && set & SUMMAND != 0
        {
            return None;
        }
        if named {
            pool |= set & index_bits.all();
        }
    }
    next[SLOTS] = pool;
    for slot in Slot::all() {
        if renaming.shared & slot.mask() != 0 {
            next[slot.index()] = sets[slot.index()];
        } else if renaming.target_named & slot.mask() != 0 {
            next[slot.index()] = pool | COPIED;
        } else if renaming.broadcast & slot.mask() != 0 {
            next[slot.index()] = REPLICATED;
        }
    }
    let there = next.iter().fold(0, |all, set| all | set);
    (there & index_bits.all() == index_bits.all()).then_some(next)
}

/// Returns the index bits over which an instruction must be repeated: those that can only be in
/// named bits, except two that its cycles can select.
pub(super) fn repeated(sets: &State, renaming: &BitRenaming, index_bits: &IndexBits) -> u64 {
    let walked = |slot: Slot| match renaming.cycle_bits {
        Some((End::Source, slots)) => slots.contains(&slot),
        Some((End::Target, _)) => slot.place().0 == Place::Address,
        None => false,
    };
    let (mut forced, mut walks) = (
        sets[SLOTS] & index_bits.all(),
        sets[SLOTS] & index_bits.all(),
    );
    forced |= index_bits.all();
    for slot in Slot::all() {
        let set = sets[slot.index()];
        if renaming.source_named & slot.mask() == 0 {
            forced &= !set;
        }
        if walked(slot) {
            walks |= set;
        }
    }
    let mut left = 2;
    for number in 0..index_bits.0.len() {
        if left > 0 && (forced & walks) >> number & 1 == 1 {
            forced &= !(1 << number);
            left -= 1;
        }
    }
    forced
}
