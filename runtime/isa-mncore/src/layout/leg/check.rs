//! Checks that an instruction takes a tensor from one stage to another, bit by bit at both ends.

use super::{Leg, LegError, Loop, Stage};
use crate::layout::place::{Place, Slot};
use crate::layout::transfer::{End, TransferOp};
use crate::layout::Bit;
use crate::table::L1bmKind;

impl Leg {
    /// Checks that the bits which the hardware moves, broadcasts and sums have the required
    /// content.
    pub(super) fn check_transferred_bits(&self, outer: &[Bit]) -> Result<(), LegError> {
        let mut sources = self.renaming.source_named | self.renaming.summed;
        for (from, to) in &self.renaming.moved {
            sources |= from.mask();
            let fits = match (self.from.bit(*from), self.to.bit(*to)) {
                (Bit::Replicated, Bit::Fixed(_)) => true,
                // Each round would move both values of an outer bit, one of them in the wrong
                // round.
                (one @ Bit::Index { .. }, _) if outer.contains(&one) => false,
                (one, other) => one == other,
            };
            if !fits {
                return Err(self.missing_error(*to));
            }
        }
        for slot in Slot::all() {
            let (from, to) = (self.from.bit(slot), self.to.bit(slot));
            if self.renaming.summed & slot.mask() != 0 && from != Bit::Summed {
                return Err(self.lost_error(slot));
            }
            let fills = self.renaming.broadcast & slot.mask() != 0;
            if fills && !matches!(to, Bit::Replicated | Bit::Fixed(_)) {
                return Err(self.missing_error(slot));
            }
            if sources & slot.mask() == 0 && from != Bit::Fixed(false) {
                return Err(self.lost_error(slot));
            }
        }
        Ok(())
    }

    fn lost_error(&self, slot: Slot) -> LegError {
        LegError::Lost {
            slot,
            memory: self.from.memory,
        }
    }

    fn missing_error(&self, slot: Slot) -> LegError {
        LegError::Missing {
            slot,
            memory: self.to.memory,
        }
    }

    /// Finds the source of the content of each named target bit.
    pub(super) fn resolve_named_targets(&mut self, outer: &[Bit]) -> Result<(), LegError> {
        let mut reached = self.renaming.target_named | self.renaming.broadcast;
        reached |= self
            .renaming
            .moved
            .iter()
            .fold(0, |mask, pair| mask | pair.1.mask());
        for slot in Slot::all() {
            let to = self.to.bit(slot);
            if reached & slot.mask() == 0 && to != Bit::Fixed(false) {
                return Err(self.missing_error(slot));
            }
            if self.renaming.target_named & slot.mask() == 0 {
                continue;
            }
            if self.renaming.shared & slot.mask() != 0 {
                self.tied_target(slot, outer)?;
                continue;
            }
            match to {
                Bit::Fixed(value) => self.origin[1] |= u64::from(value) << slot.index(),
                Bit::Replicated => self.loops.push(Loop {
                    source: None,
                    target: Some(slot),
                    index: None,
                }),
                // Summands moved by the program would need distinct names.
                Bit::Summed => return Err(self.missing_error(slot)),
                Bit::Index { dim, bit } => {
                    let named = |slot: &Slot| self.renaming.source_named & slot.mask() != 0;
                    let source = self.from.slot_of(to);
                    let inside = outer.contains(&to);
                    if source.is_some_and(|slot| !named(&slot)) || source.is_none() && !inside {
                        return Err(self.missing_error(slot));
                    }
                    let one = Loop {
                        source,
                        target: Some(slot),
                        index: Some((dim, bit)),
                    };
                    if inside {
                        self.outer.push(one);
                    } else {
                        self.loops.push(one);
                    }
                }
            }
        }
        Ok(())
    }

    /// Checks a bit that both operands name alike, so its content stays.
    fn tied_target(&mut self, slot: Slot, outer: &[Bit]) -> Result<(), LegError> {
        let (from, to) = (self.from.bit(slot), self.to.bit(slot));
        let index = match (from, to) {
            (Bit::Index { dim, bit }, _) if from == to && !outer.contains(&from) => {
                Some((dim, bit))
            }
            (Bit::Replicated, Bit::Replicated) => None,
            (Bit::Replicated, Bit::Fixed(value)) => {
                self.origin = self
                    .origin
                    .map(|end| end | u64::from(value) << slot.index());
                return Ok(());
            }
            (Bit::Fixed(value), _) if from == to => {
                self.origin[1] |= u64::from(value) << slot.index();
                return Ok(());
            }
            _ => return Err(self.missing_error(slot)),
        };
        self.loops.push(Loop {
            source: Some(slot),
            target: Some(slot),
            index,
        });
        Ok(())
    }

    /// Finds the target of the content of each named source bit.
    pub(super) fn resolve_named_sources(&mut self, outer: &[Bit]) -> Result<(), LegError> {
        for slot in Slot::all() {
            if self.renaming.source_named & slot.mask() == 0 {
                continue;
            }
            match self.from.bit(slot) {
                Bit::Fixed(value) => self.origin[0] |= u64::from(value) << slot.index(),
                // Either replica can be read.
                Bit::Replicated => {}
                Bit::Summed => return Err(self.lost_error(slot)),
                Bit::Index { dim, bit } => {
                    let wanted = Bit::Index { dim, bit };
                    let named = |slot: &Slot| self.renaming.target_named & slot.mask() != 0;
                    match self.to.slot_of(wanted) {
                        Some(target) if named(&target) => {}
                        None if outer.contains(&wanted) => self.outer.push(Loop {
                            source: Some(slot),
                            target: None,
                            index: Some((dim, bit)),
                        }),
                        _ => return Err(self.lost_error(slot)),
                    }
                }
            }
        }
        // Outer bits that neither end holds still contribute to the index.
        for one in outer {
            let Bit::Index { dim, bit } = *one else {
                continue;
            };
            if self.from.slot_of(*one).is_none() && self.to.slot_of(*one).is_none() {
                self.outer.push(Loop {
                    source: None,
                    target: None,
                    index: Some((dim, bit)),
                });
            }
        }
        let addresses_first =
            |slot: Option<Slot>| slot.map(|slot| (slot.place().0 != Place::Address, slot.index()));
        self.loops
            .sort_by_key(|one| (addresses_first(one.source.or(one.target)), one.target));
        Ok(())
    }

    /// Assigns loops to the cycles of a step.
    pub(super) fn assign_cycle_bits(&mut self) -> Result<(), LegError> {
        let Some((end, slots)) = self.renaming.cycle_bits else {
            return Ok(());
        };
        for (number, slot) in slots.into_iter().enumerate() {
            let at = |one: &Loop| match end {
                End::Source => one.source == Some(slot) && one.target.is_some_and(is_address),
                End::Target => one.target == Some(slot) && one.source.is_none_or(is_address),
            };
            if let Some(position) = self.loops.iter().position(at) {
                self.walk[number] = Some(self.loops.remove(position));
            } else if self.loops.iter().chain(&self.outer).any(|one| match end {
                End::Source => one.source == Some(slot),
                End::Target => one.target == Some(slot),
            }) {
                // The cycles of a step share their owners, and cannot iterate over an outer loop.
                return Err(match end {
                    End::Source => self.lost_error(slot),
                    End::Target => self.missing_error(slot),
                });
            }
        }
        Ok(())
    }

    /// Checks that addresses are aligned and that both memories contain the accessed words.
    pub(super) fn check_bounds(&self) -> Result<(), LegError> {
        let units = [self.renaming.units.0, self.renaming.units.1];
        for ((stage, words), unit) in [&self.from, &self.to]
            .into_iter()
            .zip(self.words())
            .zip(units)
        {
            let (memory, base) = (stage.memory, stage.base);
            if base % unit != 0 {
                return Err(LegError::Alignment { memory, base, unit });
            }
            if u64::from(base) + words > u64::from(memory.words()) {
                return Err(LegError::Capacity {
                    memory,
                    base,
                    words,
                });
            }
        }
        // The pair of long words with distance four must not cross a multiple of eight (section
        // 3.6.8.7).
        let (memory, base) = (self.from.memory, self.from.base);
        let inside = self.origin[0] & (Slot::address(0).mask() | Slot::address(1).mask());
        if self.op == TransferOp::L1bm(L1bmKind::PeBroadcast, true) && inside != 0 {
            let unit = self.renaming.units.0;
            return Err(LegError::Alignment { memory, base, unit });
        }
        let [read, write] = self.words();
        let (from, to) = (u64::from(self.from.base), u64::from(self.to.base));
        let memory = self.from.memory;
        if memory == self.to.memory && from < to + write && to < from + read {
            return Err(LegError::Overlap { memory });
        }
        Ok(())
    }

    /// Returns the number of long words accessed in each instance of source and target.
    /// Instructions access whole units, even where the tensor has no elements.
    pub fn words(&self) -> [u64; 2] {
        let address = |slots: u64| slots >> Place::Address.slots().0;
        let moved = |side: fn(&(Slot, Slot)) -> Slot| {
            self.renaming
                .moved
                .iter()
                .fold(0, |mask, pair| mask | side(pair).mask())
        };
        let mut whole = [moved(|pair| pair.0), moved(|pair| pair.1)];
        if let Some((end, slots)) = self.renaming.cycle_bits {
            let row = &mut whole[usize::from(end == End::Target)];
            *row |= slots.iter().fold(0, |mask, slot| mask | slot.mask());
        }
        let sides = [(&self.from, whole[0]), (&self.to, whole[1])];
        sides.map(|(stage, whole)| {
            let mut last = address(whole);
            for dim in 0..self.extents.len() {
                last += self.max_address(stage, dim, whole);
            }
            for slot in Slot::all().filter(|slot| whole & slot.mask() == 0) {
                if matches!(stage.bit(slot), Bit::Replicated | Bit::Summed) {
                    last += address(slot.mask());
                }
            }
            last + 1
        })
    }

    /// Returns the largest address that the index bits outside whole units reach.
    fn max_address(&self, stage: &Stage, dim: usize, whole: u64) -> u64 {
        let slots: Vec<(u8, Slot)> = Slot::all()
            .filter(|slot| whole & slot.mask() == 0)
            .filter_map(|slot| match stage.bit(slot) {
                Bit::Index { dim: of, bit } if usize::from(of) == dim => Some((bit, slot)),
                _ => None,
            })
            .collect();
        let address = |index: u64| {
            let set = slots.iter().filter(|(bit, _)| index >> bit & 1 == 1);
            set.fold(0, |mask, (_, slot)| mask | slot.mask()) >> Place::Address.slots().0
        };
        let last = self.extents[dim] - 1;
        let below = (0..64)
            .filter(|bit| last >> bit & 1 == 1)
            .map(|bit| (last & !(1 << bit) & !((1 << bit) - 1)) | ((1 << bit) - 1));
        below.map(address).fold(address(last), u64::max)
    }
}

fn is_address(slot: Slot) -> bool {
    slot.place().0 == Place::Address
}
