//! Which accesses to the memories that MV instructions reach can have a block in common with a
//! write, and how they move with the loops around a body.
//!
//! An access is told to have what it can reach in any iteration: those two that nowhere meet are no
//! matter of each other. So tensors that are only read in a loop, each in its own way, are not
//! followed at all. Tags are a memory like the others, of which each tag is a block.
//!
//! Accesses that can meet, with all that those can meet, are a [`Kin`]. If they move together, or
//! together around a ring of slots none of which they leave, what is found of them is the same
//! wherever they are.

use std::ops::Range;

use crate::regions::{self, Memory, BLOCK};
use tessera_mncore_ir::address::{common_divisor, Address};
use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::item::{Item, Move, Op};

/// What an item does to a memory, or with its tag.
#[derive(Clone, Debug)]
struct Reach {
    item: usize,
    /// None is tags.
    memory: Option<Memory>,
    address: Address,
    words: u32,
    /// The instances of the memory.
    set: u8,
    write: bool,
    /// All blocks of all iterations.
    blocks: Range<u64>,
    /// Of a ring: what all addresses are a multiple of, behind the offset.
    grain: u64,
}

/// Accesses that can meet one another.
#[derive(Clone, Debug)]
struct Kin {
    reaches: Vec<Reach>,
    /// The ring that all go around without leaving the slot in which they are, if there is one.
    slots: Option<u32>,
}

/// Accesses of a body that can meet a write.
#[derive(Clone, Debug)]
pub(super) struct Outside {
    kins: Vec<Kin>,
    /// Of each item, whether its read and its write are among them.
    followed: Vec<[bool; 2]>,
}

impl Outside {
    pub fn of(body: &Body) -> Self {
        let mut reaches = Vec::new();
        for (number, item) in body.items.iter().enumerate() {
            add(body, number, item, &mut reaches);
        }
        let mut kins: Vec<Kin> = Vec::new();
        for group in groups(&reaches) {
            let group = group.iter().map(|&at| reaches[at].clone());
            kins.push(Kin::new(group.collect(), body.outer.len()));
        }
        let mut followed = vec![[false; 2]; body.items.len()];
        let memories = kins.iter().flat_map(|kin| &kin.reaches);
        for reach in memories.filter(|reach| reach.memory.is_some()) {
            followed[reach.item][usize::from(reach.write)] = true;
        }
        Outside { kins, followed }
    }

    /// Whether an item's read, or its write, can meet a write.
    pub fn follows(&self, item: usize, write: bool) -> bool {
        self.followed[item][usize::from(write)]
    }

    /// Follows all accesses.
    #[cfg(test)]
    pub fn follow_all(&mut self) {
        self.followed.fill([true; 2]);
    }

    /// Adds how far accesses have moved from one another in an iteration of the loops around.
    pub fn add_pattern(&self, outer: &[u32], pattern: &mut Vec<u64>) {
        for kin in &self.kins {
            kin.add_pattern(outer, pattern);
        }
    }
}

impl Kin {
    fn new(reaches: Vec<Reach>, around: usize) -> Self {
        let slots = slots(&reaches, around);
        Kin { reaches, slots }
    }

    fn add_pattern(&self, outer: &[u32], pattern: &mut Vec<u64>) {
        let first = &self.reaches[0];
        let unit = unit(first.memory);
        let free = self
            .reaches
            .iter()
            .all(|reach| reach.address.ring.is_none());
        let size = match self.slots {
            Some(ring) => ring.into(),
            None => size(first.memory),
        };
        let start = first.address.moved(outer);
        // Blocks are where they are.
        pattern.push(start % unit);
        for reach in &self.reaches {
            let now = reach.address.moved(outer);
            pattern.push(if free || self.slots.is_some() {
                (now % size + size - start % size) % size
            } else {
                now
            });
        }
    }
}

/// Words of a memory; as many tags as there are addresses.
fn size(memory: Option<Memory>) -> u64 {
    memory.map_or(1 << 32, Memory::size)
}

/// Words of a block: tags are by themselves.
fn unit(memory: Option<Memory>) -> u64 {
    memory.map_or(1, |_| BLOCK)
}

/// What an item does, if it ever issues.
fn add(body: &Body, number: usize, item: &Item, reaches: &mut Vec<Reach>) {
    let mut reach = |memory, address: &Address, words, set, write| {
        if let Some(course) = Course::of(body, item, address) {
            reaches.push(Reach {
                item: number,
                memory,
                address: address.clone(),
                words,
                set,
                write,
                blocks: course.blocks(memory, words),
                grain: course.grain,
            });
        }
    };
    for (region, address, write) in regions::of_item(item) {
        let words = (region.words.end - region.words.start) as u32;
        reach(Some(region.memory), address, words, region.set, write);
    }
    match &item.op {
        Op::Mv(Move { tag, .. }) | Op::Wait(tag) => reach(None, tag, 1, 0xff, true),
        _ => {}
    }
}

/// Where an address comes to in the iterations in which an item issues.
#[derive(Clone, Debug)]
struct Course {
    /// The first and the last address.
    ends: [u64; 2],
    /// Of a ring: what all addresses are a multiple of, behind the offset.
    grain: u64,
}

impl Course {
    /// None if the item never issues.
    fn of(body: &Body, item: &Item, address: &Address) -> Option<Self> {
        let (mut first, mut way) = (u64::from(address.base), 0);
        let ring = address.ring.map(u64::from);
        let mut grain = ring.unwrap_or(1);
        for (dimension, &extent) in body.outer.iter().chain(&body.trip).enumerate() {
            let guards = item
                .when
                .iter()
                .filter(|guard| guard.dimension == dimension);
            let holds = |index: &u32| guards.clone().all(|guard| guard.test.holds(*index));
            let mut indices = (0..extent).filter(holds);
            let start = indices.next()?;
            let step = address.steps.get(dimension).copied().unwrap_or(0);
            first += u64::from(step) * u64::from(start);
            let mut last = start;
            for index in indices {
                grain = common_divisor(grain, u64::from(step) * u64::from(index - last));
                last = index;
            }
            way += u64::from(step) * u64::from(last - start);
        }
        if let Some(ring) = ring {
            grain = common_divisor(grain, first);
            (first, way) = (0, ring - grain);
        }
        let ends = [first, first + way].map(|word| word + u64::from(address.offset));
        Some(Course { ends, grain })
    }

    /// All blocks of so many words from each address on; the whole memory if it goes around its
    /// end.
    fn blocks(&self, memory: Option<Memory>, words: u32) -> Range<u64> {
        let unit = unit(memory);
        let end = self.ends[1] + u64::from(words);
        match size(memory) {
            size if end > size => 0..size / unit,
            _ => self.ends[0] / unit..end.div_ceil(unit),
        }
    }
}

/// Accesses that can meet one another, of which one at least is a write: the numbers of each.
fn groups(reaches: &[Reach]) -> Vec<Vec<usize>> {
    let mut group: Vec<usize> = (0..reaches.len()).collect();
    for (number, one) in reaches.iter().enumerate() {
        for (other, two) in reaches[..number].iter().enumerate() {
            let (old, new) = (group[number], group[other]);
            if old != new && one.meets(two) {
                group
                    .iter_mut()
                    .filter(|of| **of == old)
                    .for_each(|of| *of = new);
            }
        }
    }
    let of = |number| -> Vec<usize> {
        let all = group.iter().enumerate();
        all.filter(|(_, of)| **of == number)
            .map(|(at, _)| at)
            .collect()
    };
    let groups = (0..reaches.len()).map(of);
    groups
        .filter(|group| group.iter().any(|&at| reaches[at].write))
        .collect()
}

impl Reach {
    /// Whether both can have a block in common, and one of them writes it.
    fn meets(&self, other: &Reach) -> bool {
        self.memory == other.memory
            && (self.write || other.write)
            && self.set & other.set != 0
            && self.blocks.start < other.blocks.end
            && other.blocks.start < self.blocks.end
    }
}

/// The size of the ring that all go around in slots, each within one: loops around a body move them
/// by whole slots.
fn slots(reaches: &[Reach], around: usize) -> Option<u32> {
    let ring = reaches[0].address.ring?;
    let begin = reaches.iter().map(|reach| reach.address.offset).min()?;
    let steps = reaches
        .iter()
        .flat_map(|reach| reach.address.steps.iter().take(around));
    let slot = steps.fold(u64::from(ring), |slot, &step| {
        common_divisor(slot, step.into())
    });
    let within = |reach: &Reach| {
        let end = u64::from(reach.address.offset - begin) + u64::from(reach.words);
        reach.address.ring == Some(ring) && end <= common_divisor(slot, reach.grain)
    };
    let unit = unit(reaches[0].memory);
    let whole = u64::from(begin) % unit == 0 && slot % unit == 0;
    (whole && reaches.iter().all(within)).then_some(ring)
}
