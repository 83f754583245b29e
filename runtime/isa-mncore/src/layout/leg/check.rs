//! Whether an instruction takes a tensor from one stage to another: every bit of both ends is
//! looked at.

use super::{Leg, Loop, Refusal, Stage};
use crate::layout::mover::{End, TransferOp};
use crate::layout::place::{Place, Slot};
use crate::layout::Bit;
use crate::table::L1bmKind;

impl Leg {
    /// Whether the bits that the hardware carries, fills and sums hold what they should.
    pub(super) fn carried(&self, outer: &[Bit]) -> Result<(), Refusal> {
        let mut sources = self.renaming.source_named | self.renaming.summed;
        for (from, to) in &self.renaming.moved {
            sources |= from.mask();
            let fits = match (self.from.bit(*from), self.to.bit(*to)) {
                (Bit::Replicated, Bit::Fixed(_)) => true,
                // In each round both values would be moved, one of them too early or too late.
                (one @ Bit::Index { .. }, _) if outer.contains(&one) => false,
                (one, other) => one == other,
            };
            if !fits {
                return Err(self.missing(*to));
            }
        }
        for slot in Slot::all() {
            let (from, to) = (self.from.bit(slot), self.to.bit(slot));
            if self.renaming.summed & slot.mask() != 0 && from != Bit::Summed {
                return Err(self.lost(slot));
            }
            let fills = self.renaming.filled & slot.mask() != 0;
            if fills && !matches!(to, Bit::Replicated | Bit::Fixed(_)) {
                return Err(self.missing(slot));
            }
            if sources & slot.mask() == 0 && from != Bit::Fixed(false) {
                return Err(self.lost(slot));
            }
        }
        Ok(())
    }

    fn lost(&self, slot: Slot) -> Refusal {
        Refusal::Lost {
            slot,
            memory: self.from.memory,
        }
    }

    fn missing(&self, slot: Slot) -> Refusal {
        Refusal::Missing {
            slot,
            memory: self.to.memory,
        }
    }

    /// Where what the target's named bits hold comes from.
    pub(super) fn named_targets(&mut self, outer: &[Bit]) -> Result<(), Refusal> {
        let mut reached = self.renaming.target_named | self.renaming.filled;
        reached |= self
            .renaming
            .moved
            .iter()
            .fold(0, |mask, pair| mask | pair.1.mask());
        for slot in Slot::all() {
            let to = self.to.bit(slot);
            if reached & slot.mask() == 0 && to != Bit::Fixed(false) {
                return Err(self.missing(slot));
            }
            if self.renaming.target_named & slot.mask() == 0 {
                continue;
            }
            if self.renaming.tied & slot.mask() != 0 {
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
                // Summands that the program carries would need names of their own.
                Bit::Summed => return Err(self.missing(slot)),
                Bit::Index { dim, bit } => {
                    let named = |slot: &Slot| self.renaming.source_named & slot.mask() != 0;
                    let source = self.from.find(to);
                    let inside = outer.contains(&to);
                    if source.is_some_and(|slot| !named(&slot)) || source.is_none() && !inside {
                        return Err(self.missing(slot));
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

    /// A bit that both operands name alike: what it holds stays.
    fn tied_target(&mut self, slot: Slot, outer: &[Bit]) -> Result<(), Refusal> {
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
            _ => return Err(self.missing(slot)),
        };
        self.loops.push(Loop {
            source: Some(slot),
            target: Some(slot),
            index,
        });
        Ok(())
    }

    /// Where what the source's named bits hold goes.
    pub(super) fn named_sources(&mut self, outer: &[Bit]) -> Result<(), Refusal> {
        for slot in Slot::all() {
            if self.renaming.source_named & slot.mask() == 0 {
                continue;
            }
            match self.from.bit(slot) {
                Bit::Fixed(value) => self.origin[0] |= u64::from(value) << slot.index(),
                // Any of them will do.
                Bit::Replicated => {}
                Bit::Summed => return Err(self.lost(slot)),
                Bit::Index { dim, bit } => {
                    let wanted = Bit::Index { dim, bit };
                    let named = |slot: &Slot| self.renaming.target_named & slot.mask() != 0;
                    match self.to.find(wanted) {
                        Some(target) if named(&target) => {}
                        None if outer.contains(&wanted) => self.outer.push(Loop {
                            source: Some(slot),
                            target: None,
                            index: Some((dim, bit)),
                        }),
                        _ => return Err(self.lost(slot)),
                    }
                }
            }
        }
        // Outer bits that neither end has, so that their part of the index is known.
        for one in outer {
            let Bit::Index { dim, bit } = *one else {
                continue;
            };
            if self.from.find(*one).is_none() && self.to.find(*one).is_none() {
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

    /// Gives the cycles of a step the loops they walk over.
    pub(super) fn walked(&mut self) -> Result<(), Refusal> {
        let Some((end, slots)) = self.renaming.walk else {
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
                // A cycle cannot have another owner, nor all cycles of a step the same bit of an
                // outer loop.
                return Err(match end {
                    End::Source => self.lost(slot),
                    End::Target => self.missing(slot),
                });
            }
        }
        Ok(())
    }

    /// Whether the addresses are aligned and the memories have what is touched.
    pub(super) fn touched(&self) -> Result<(), Refusal> {
        let units = [self.renaming.units.0, self.renaming.units.1];
        for ((stage, words), unit) in [&self.from, &self.to]
            .into_iter()
            .zip(self.words())
            .zip(units)
        {
            let (memory, base) = (stage.memory, stage.base);
            if base % unit != 0 {
                return Err(Refusal::Alignment { memory, base, unit });
            }
            if u64::from(base) + words > u64::from(memory.words()) {
                return Err(Refusal::Capacity {
                    memory,
                    base,
                    words,
                });
            }
        }
        // A second long word four behind the first does not cross a multiple of eight: section
        // 3.6.8.7.
        let (memory, base) = (self.from.memory, self.from.base);
        let inside = self.origin[0] & (Slot::address(0).mask() | Slot::address(1).mask());
        if self.mover == TransferOp::L1bm(L1bmKind::PeBroadcast, true) && inside != 0 {
            let unit = self.renaming.units.0;
            return Err(Refusal::Alignment { memory, base, unit });
        }
        let [read, write] = self.words();
        let (from, to) = (u64::from(self.from.base), u64::from(self.to.base));
        let memory = self.from.memory;
        if memory == self.to.memory && from < to + write && to < from + read {
            return Err(Refusal::Overlap { memory });
        }
        Ok(())
    }

    /// The long words touched in each instance of the source and of the target: what an instruction
    /// moves whole, it reads and writes whole, whether the tensor has it or not.
    pub fn words(&self) -> [u64; 2] {
        let address = |slots: u64| slots >> Place::Address.slots().0;
        let moved = |side: fn(&(Slot, Slot)) -> Slot| {
            self.renaming
                .moved
                .iter()
                .fold(0, |mask, pair| mask | side(pair).mask())
        };
        let mut whole = [moved(|pair| pair.0), moved(|pair| pair.1)];
        if let Some((end, slots)) = self.renaming.walk {
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

    /// The largest address that the part of an index that is not moved whole reaches.
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
