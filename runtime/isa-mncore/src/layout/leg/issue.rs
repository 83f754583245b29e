//! Generates the instructions of a leg and computes its cost.

use super::{Leg, Loop, Stage};
use crate::layout::emit::{CycleOffsets, Instruction, Operand};
use crate::layout::place::{Location, Place, Slot};
use crate::layout::transfer::{End, TransferOp};
use crate::memory::CYCLES;
use crate::table::mv;

impl Leg {
    /// Returns the duration in cycles over all rounds of the outer loops.
    pub fn cycles(&self) -> u64 {
        let TransferOp::Mv(mode) = self.op else {
            return self.renaming.cycles * self.instances();
        };
        let (near, far) = mode.row().rate;
        if near == far {
            return self.renaming.cycles * self.instances();
        }
        let unit = u64::from(mode.unit());
        let mut cycles = 0;
        let rounds = 1 << self.outer.len();
        for round in 0..rounds {
            self.for_each_instruction(round, |source, target| {
                let rate = if source.group() == target.group() {
                    near
                } else {
                    far
                };
                cycles += unit.div_ceil(rate.into());
            });
        }
        cycles
    }

    /// Returns the number of instructions over all rounds of the outer loops; for MV instructions,
    /// the number of units.
    fn instances(&self) -> u64 {
        let mut loops = self.loops.iter().chain(&self.outer);
        let copies = loops.clone().filter(|one| one.index.is_none()).count();
        let mut masks = vec![0_u64; self.extents.len()];
        loops
            .by_ref()
            .filter_map(|one| one.index)
            .for_each(|(dim, bit)| masks[usize::from(dim)] |= 1 << bit);
        let values = masks
            .iter()
            .zip(&self.extents)
            .map(|(mask, extent)| below(*mask, *extent));
        values.product::<u64>() << copies
    }

    /// Returns the instructions of one round of the outer loops.
    pub fn instructions(&self, round: u64) -> Vec<Instruction> {
        let mut found: Vec<(Location, Location, u8)> = Vec::new();
        self.for_each_instruction(round, |source, target| {
            found.push((source, target, self.written(round, source, target)));
        });
        let TransferOp::Mv(mode) = self.op else {
            let one = |(source, target, written)| self.instruction(source, target, 0, written);
            return found.into_iter().map(one).collect();
        };
        self.merge_units(mode.row(), mode.unit(), &found)
    }

    /// Merges units that are consecutive at both ends into one MV instruction.
    fn merge_units(
        &self,
        row: &mv::Row,
        unit: u32,
        found: &[(Location, Location, u8)],
    ) -> Vec<Instruction> {
        let mut all = Vec::new();
        let mut rest = found;
        while let Some((source, target, _)) = rest.first() {
            let follows = |(number, (from, to, _)): &(usize, &(Location, Location, u8))| {
                let units = *number as u32;
                *from == source.advanced(units * row.source.1)
                    && *to == target.advanced(units * row.target.1)
            };
            let count = rest.iter().enumerate().take_while(follows).count();
            all.push(self.instruction(*source, *target, count as u32 * unit, 0b1111));
            rest = &rest[count..];
        }
        all
    }

    /// Calls `tell` with the locations of both operands for each instruction of a round, in order.
    fn for_each_instruction(&self, round: u64, mut tell: impl FnMut(Location, Location)) {
        let mut index = vec![0_u64; self.extents.len()];
        let mut ends = self.origin;
        for (number, one) in self.outer_in_order().into_iter().enumerate() {
            if round >> number & 1 == 1 {
                set(one, &mut ends, &mut index);
            }
        }
        for number in 0..1_u64 << self.loops.len() {
            let (mut ends, mut index) = (ends, index.clone());
            for (bit, one) in self.loops.iter().enumerate() {
                if number >> bit & 1 == 1 {
                    set(one, &mut ends, &mut index);
                }
            }
            if index
                .iter()
                .zip(&self.extents)
                .all(|(value, extent)| value < extent)
            {
                let [source, target] = ends.map(Location);
                tell(
                    source.advanced(self.from.base),
                    target.advanced(self.to.base),
                );
            }
        }
    }

    /// Returns the outer loops in the order that all legs of a phase share.
    fn outer_in_order(&self) -> Vec<&Loop> {
        let mut outer: Vec<&Loop> = self.outer.iter().collect();
        outer.sort_by_key(|one| one.index);
        outer
    }

    /// Returns the cycles in which the step writes elements of the tensor to a PE memory; bit c for
    /// cycle c.
    fn written(&self, round: u64, source: Location, target: Location) -> u8 {
        if !matches!(self.renaming.cycle_bits, Some((End::Source, _))) {
            return 0b1111;
        }
        let mut base = vec![0_u64; self.extents.len()];
        let mut ends = [0; 2];
        for (number, one) in self.outer_in_order().into_iter().enumerate() {
            if round >> number & 1 == 1 {
                set(one, &mut ends, &mut base);
            }
        }
        let offset = |at: Location, stage: &Stage| {
            at.0 - (u64::from(stage.base) << Place::Address.slots().0)
        };
        let (source, target) = (offset(source, &self.from), offset(target, &self.to));
        for one in &self.loops {
            let holds =
                |slot: Option<Slot>, at: u64| slot.is_some_and(|slot| at & slot.mask() != 0);
            if holds(one.source, source) || holds(one.target, target) {
                set(one, &mut ends, &mut base);
            }
        }
        (0..CYCLES as u8)
            .filter(|cycle| {
                let mut index = base.clone();
                (0..2_usize).all(|bit| match (cycle >> bit & 1, self.walk[bit]) {
                    (0, _) => true,
                    (_, Some(one)) => {
                        set(&one, &mut [0; 2], &mut index);
                        true
                    }
                    (_, None) => false,
                }) && index
                    .iter()
                    .zip(&self.extents)
                    .all(|(value, extent)| value < extent)
            })
            .fold(0, |mask, cycle| mask | 1 << cycle)
    }

    /// Returns the instruction between two locations.
    fn instruction(
        &self,
        source: Location,
        target: Location,
        words: u32,
        written: u8,
    ) -> Instruction {
        let source = Operand {
            memory: self.from.memory,
            at: source,
        };
        let target = Operand {
            memory: self.to.memory,
            at: target,
        };
        let walk = self.cycle_offsets(written);
        self.op.instruction(self.rrn, source, target, words, walk)
    }

    /// Returns the addresses that the cycles access in the PE memory.
    fn cycle_offsets(&self, written: u8) -> CycleOffsets {
        let Some((end, _)) = self.renaming.cycle_bits else {
            return CycleOffsets::straight(false);
        };
        let step = |bit: usize| match (end, self.walk[bit]) {
            (_, None) => None,
            (End::Source, Some(one)) => one.target,
            (End::Target, Some(one)) => one.source,
        };
        let offsets = std::array::from_fn(|cycle| {
            let mut offset = 0;
            for bit in (0..2).filter(|bit| cycle >> bit & 1 == 1) {
                match (self.walk[bit], step(bit)) {
                    (None, _) => return None,
                    // The same address is read again.
                    (Some(_), None) => {}
                    (Some(_), Some(slot)) => offset |= 1 << slot.place().1,
                }
            }
            (end == End::Target || written >> cycle & 1 == 1).then_some(offset)
        });
        CycleOffsets { offsets, written }
    }
}

/// Sets the bit of a loop to its other value.
fn set(one: &Loop, ends: &mut [u64; 2], index: &mut [u64]) {
    ends[0] |= one.source.map_or(0, Slot::mask);
    ends[1] |= one.target.map_or(0, Slot::mask);
    if let Some((dim, bit)) = one.index {
        index[usize::from(dim)] |= 1 << bit;
    }
}

/// Counts the numbers below `limit` that have no bits outside `mask`.
pub(in crate::layout) fn below(mask: u64, limit: u64) -> u64 {
    let last = limit - 1;
    // For each one bit of the limit, counts the numbers that agree above it and have a zero there.
    let mut count = 0;
    for bit in (0..64).rev() {
        let ones_below = (mask & ((1_u64 << bit) - 1)).count_ones();
        if last >> bit & 1 == 1 {
            count += 1 << ones_below;
            if mask >> bit & 1 == 0 {
                return count;
            }
        }
    }
    count + 1
}

#[cfg(test)]
mod tests;
