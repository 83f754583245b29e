//! What is known of a tensor behind the first instructions of a chain, and the least that
//! instructions take.

use super::super::leg::{below, Stage};
use super::super::mover::{End, Level, Renaming, TransferOp};
use super::super::place::{ElementBits, Place, Slot, SLOTS};
use super::super::Bit;
use crate::table::Rrn;

/// Instructions with their renamings.
pub(super) struct TransferSet {
    pub(super) movers: Vec<(TransferOp, Renaming)>,
}

impl TransferSet {
    /// What moves elements of this width; reductions only with an operation.
    pub(super) fn new(rrn: Option<Rrn>, element: ElementBits) -> TransferSet {
        let fits = |mover: &TransferOp| match mover {
            TransferOp::Mwrite(precision) | TransferOp::Mread(precision) => {
                precision.bits() >= element.bits()
            }
            mover if mover.reduces() => rrn.is_some_and(|rrn| mover.takes(rrn, element)),
            _ => true,
        };
        let movers = TransferOp::all().into_iter().filter(fits);
        TransferSet {
            movers: movers.map(|mover| (mover, mover.renaming())).collect(),
        }
    }
}

/// A tensor, as far as costs are concerned.
pub(super) struct Size {
    pub(super) elements: u64,
    pub(super) element: ElementBits,
}

impl Size {
    /// The least cycles in which an instruction moves it: as if each were full.
    pub(super) fn bound(&self, renaming: &Renaming) -> u64 {
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
        let walked = if renaming.walk.is_some() { 2 } else { 0 };
        self.elements.div_ceil(1 << (carried + walked)) * renaming.cycles
    }
}

/// How high a memory is: what is above tells more owners alike.
pub(super) const fn rank(level: Level) -> usize {
    match level {
        Level::Matrix | Level::Pe => 0,
        Level::L1bm => 1,
        Level::L2bm => 2,
        Level::Pdm | Level::Dram => 3,
    }
}

/// How high a tensor must go to change this place.
pub(super) const fn change(place: Place) -> usize {
    match place {
        Place::Group | Place::L2b => 3,
        Place::L1b => 2,
        Place::Mab => 1,
        // Matrix registers exchange these with addresses.
        Place::Pe | Place::Part | Place::Address => 0,
    }
}

/// In a state's set: anything, the same everywhere.
pub(super) const SAME: u64 = 1 << 63;
/// The same, at the price of a copy for each value.
pub(super) const COPIED: u64 = 1 << 61;
/// A summand.
pub(super) const SUMMAND: u64 = 1 << 62;

/// What may be in each place bit: sets of index bits, by number. The last is what outer loops may
/// have.
pub(super) type Sets = [u64; SLOTS + 1];

/// Index bits by number.
pub(super) struct IndexBits(Vec<Bit>);

impl IndexBits {
    pub(super) fn of(stage: &Stage) -> IndexBits {
        let bits = stage.bits.iter().copied();
        IndexBits(
            bits.filter(|bit| matches!(bit, Bit::Index { .. }))
                .collect(),
        )
    }

    pub(super) fn mask(&self, bit: Bit) -> u64 {
        match bit {
            Bit::Replicated => SAME,
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

    /// What is where at the source.
    pub(super) fn sets(&self, from: &Stage) -> Sets {
        let mut sets = [0; SLOTS + 1];
        for slot in Slot::all() {
            sets[slot.index()] = self.mask(from.bit(slot));
        }
        sets
    }

    /// How many values these index bits have together.
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

/// What an instruction makes of a state; none if it loses something.
pub(super) fn advance(sets: &Sets, renaming: &Renaming, tokens: &IndexBits) -> Option<Sets> {
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
            pool |= set & tokens.all();
        }
    }
    next[SLOTS] = pool;
    for slot in Slot::all() {
        if renaming.tied & slot.mask() != 0 {
            next[slot.index()] = sets[slot.index()];
        } else if renaming.target_named & slot.mask() != 0 {
            next[slot.index()] = pool | COPIED;
        } else if renaming.filled & slot.mask() != 0 {
            next[slot.index()] = SAME;
        }
    }
    let there = next.iter().fold(0, |all, set| all | set);
    (there & tokens.all() == tokens.all()).then_some(next)
}

/// The index bits over whose values an instruction must be repeated: those that can only be in bits
/// it names, but for two over which its cycles may walk.
pub(super) fn repeated(sets: &Sets, renaming: &Renaming, tokens: &IndexBits) -> u64 {
    let walked = |slot: Slot| match renaming.walk {
        Some((End::Source, slots)) => slots.contains(&slot),
        Some((End::Target, _)) => slot.place().0 == Place::Address,
        None => false,
    };
    let (mut forced, mut walks) = (sets[SLOTS] & tokens.all(), sets[SLOTS] & tokens.all());
    forced |= tokens.all();
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
    for number in 0..tokens.0.len() {
        if left > 0 && (forced & walks) >> number & 1 == 1 {
            forced &= !(1 << number);
            left -= 1;
        }
    }
    forced
}
