//! One leg of a transfer: an instruction that takes a tensor from one layout to another, repeated over what its operands name.
//!
//! [`Leg::new`] is where everything is checked: every index bit arrives where the target layout wants it, no summand is lost, no constant
//! is taken for data, addresses are aligned, both memories have the words touched. The search for plans may propose what it
//! likes; only legs that pass are issued.

use super::emit::{Instruction, Operand, Walk};
use super::mover::{End, Mover, Renaming};
use super::place::{ElementBits, Location, Memory, Place, Slot, SLOTS};
use super::{used_bits, Bit, Dim, Layout, LayoutError};
use crate::memory::CYCLES;
use crate::table::{mv, Rrn};

/// A tensor, or a part of it, in a memory. Index bits that no index below the extent ever sets count as constants.
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
    mover: Mover,
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
    /// The leg, if the instruction can be one. `outer` are index bits over which someone else loops; a stage between two such legs
    /// does not have them.
    ///
    /// # Errors
    /// The first thing that does not fit.
    pub fn new(
        mover: Mover,
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
        leg.carried()?;
        leg.named_targets(outer)?;
        leg.named_sources(outer)?;
        leg.walked()?;
        leg.touched()?;
        Ok(leg)
    }

    /// Whether the bits that the hardware carries, fills and sums hold what they should.
    fn carried(&self) -> Result<(), Refusal> {
        let mut sources = self.renaming.source_named | self.renaming.summed;
        for (from, to) in &self.renaming.moved {
            sources |= from.mask();
            let fits = match (self.from.bit(*from), self.to.bit(*to)) {
                (Bit::Replicated, Bit::Fixed(_)) => true,
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
    fn named_targets(&mut self, outer: &[Bit]) -> Result<(), Refusal> {
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
    fn named_sources(&mut self, outer: &[Bit]) -> Result<(), Refusal> {
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
    fn walked(&mut self) -> Result<(), Refusal> {
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
                // A cycle cannot have another owner, nor all cycles of a step the same bit of an outer loop.
                return Err(match end {
                    End::Source => self.lost(slot),
                    End::Target => self.missing(slot),
                });
            }
        }
        Ok(())
    }

    /// Whether the addresses are aligned and the memories have what is touched.
    fn touched(&self) -> Result<(), Refusal> {
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
        let [read, write] = self.words();
        let (from, to) = (u64::from(self.from.base), u64::from(self.to.base));
        let memory = self.from.memory;
        if memory == self.to.memory && from < to + write && to < from + read {
            return Err(Refusal::Overlap { memory });
        }
        Ok(())
    }

    /// The long words touched in each instance of the source and of the target: what an instruction moves whole, it reads and writes
    /// whole, whether the tensor has it or not.
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
                last += self.farthest(stage, dim, whole);
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
    fn farthest(&self, stage: &Stage, dim: usize, whole: u64) -> u64 {
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

    /// The instruction.
    pub fn mover(&self) -> Mover {
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

    /// How long it takes in all, in cycles, over all rounds of the outer loops.
    pub fn cycles(&self) -> u64 {
        let Mover::Mv(mode) = self.mover else {
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
            self.each(round, |source, target| {
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

    /// How many instructions there are, of MV instructions units, over all rounds of the outer loops.
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

    /// The instructions of a round of the outer loops.
    pub fn instructions(&self, round: u64) -> Vec<Instruction> {
        let mut found: Vec<(Location, Location, u8)> = Vec::new();
        self.each(round, |source, target| {
            found.push((source, target, self.written(round, source, target)));
        });
        let Mover::Mv(mode) = self.mover else {
            let one = |(source, target, written)| self.instruction(source, target, 0, written);
            return found.into_iter().map(one).collect();
        };
        self.joined(mode.row(), mode.unit(), &found)
    }

    /// Units that follow one another on both sides, as one MV instruction.
    fn joined(
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

    /// Tells the operands' places of a round, in order.
    fn each(&self, round: u64, mut tell: impl FnMut(Location, Location)) {
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

    /// The outer loops, as all legs of a phase order them.
    fn outer_in_order(&self) -> Vec<&Loop> {
        let mut outer: Vec<&Loop> = self.outer.iter().collect();
        outer.sort_by_key(|one| one.index);
        outer
    }

    /// The cycles in which something of the tensor is written to a PE memory; cycle c is bit c.
    fn written(&self, round: u64, source: Location, target: Location) -> u8 {
        if !matches!(self.renaming.walk, Some((End::Source, _))) {
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

    /// The instruction between two places.
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
        let walk = self.walk(written);
        self.mover
            .instruction(self.rrn, source, target, words, walk)
    }

    /// How the cycles walk over the PE memory.
    fn walk(&self, written: u8) -> Walk {
        let Some((end, _)) = self.renaming.walk else {
            return Walk::straight(false);
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
                    // The same is read again.
                    (Some(_), None) => {}
                    (Some(_), Some(slot)) => offset |= 1 << slot.place().1,
                }
            }
            (end == End::Target || written >> cycle & 1 == 1).then_some(offset)
        });
        Walk { offsets, written }
    }
}

fn is_address(slot: Slot) -> bool {
    slot.place().0 == Place::Address
}

/// Takes the other value of a loop's bit.
fn set(one: &Loop, ends: &mut [u64; 2], index: &mut [u64]) {
    ends[0] |= one.source.map_or(0, Slot::mask);
    ends[1] |= one.target.map_or(0, Slot::mask);
    if let Some((dim, bit)) = one.index {
        index[usize::from(dim)] |= 1 << bit;
    }
}

/// How many numbers below `limit` have no bits outside `mask`.
fn below(mask: u64, limit: u64) -> u64 {
    let last = limit - 1;
    // Numbers that agree with the last one above a bit and have a zero where it has a one.
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
mod tests {
    use super::*;

    #[test]
    fn numbers_within_a_mask() {
        for mask in 0..32_u64 {
            for limit in 1..40_u64 {
                let expect = (0..limit).filter(|number| number & !mask == 0).count() as u64;
                assert_eq!(below(mask, limit), expect, "{mask:b} below {limit}");
            }
        }
    }
}
