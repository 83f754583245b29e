//! Which accesses to the memories that MV instructions reach can have a block in common with a write, and how they move with the loops around a body.
//!
//! An access is told to have what it can reach in any iteration: those two that nowhere meet are no matter of each other. So tensors that are only read in
//! a loop, each in its own way, are not followed at all. Tags are a memory like the others, of which each tag is a block.
//!
//! Accesses that can meet, with all that those can meet, are a [`Kin`]. If they move together, or together around a ring of slots none of which they
//! leave, what is found of them is the same wherever they are.

use std::ops::Range;

use crate::address::{common_divisor, Address};
use crate::body::Body;
use crate::item::{Item, Op};
use crate::regions::{self, Memory, BLOCK};

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
            kins.push(Kin::new(
                group.iter().map(|&at| reaches[at].clone()).collect(),
            ));
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
    fn new(reaches: Vec<Reach>) -> Self {
        let slots = slots(&reaches);
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

/// What an item does.
fn add(body: &Body, number: usize, item: &Item, reaches: &mut Vec<Reach>) {
    for (region, address, write) in regions::of_item(item) {
        let words = (region.words.end - region.words.start) as u32;
        reaches.push(Reach {
            item: number,
            memory: Some(region.memory),
            address: address.clone(),
            words,
            set: region.set,
            write,
            blocks: blocks(body, Some(region.memory), address, words),
        });
    }
    let tag = match &item.op {
        Op::Mv(transfer) => &transfer.tag,
        Op::Wait(tag) => tag,
        _ => return,
    };
    reaches.push(Reach {
        item: number,
        memory: None,
        address: tag.clone(),
        words: 1,
        set: 0xff,
        write: true,
        blocks: blocks(body, None, tag, 1),
    });
}

/// All blocks that an address comes to; the whole memory if it goes around its end.
fn blocks(body: &Body, memory: Option<Memory>, address: &Address, words: u32) -> Range<u64> {
    let extents = body.outer.iter().chain(&body.trip);
    let steps = address.steps.iter().zip(extents);
    let way: u64 = steps
        .map(|(&step, &extent)| u64::from(step) * u64::from(extent.saturating_sub(1)))
        .sum();
    let (first, last) = match address.ring {
        Some(ring) => (0, u64::from(ring)),
        None => (address.base.into(), u64::from(address.base) + way),
    };
    let [first, end] =
        [first, last + u64::from(words)].map(|word| word + u64::from(address.offset));
    let unit = unit(memory);
    match size(memory) {
        size if end > size => 0..size / unit,
        _ => first / unit..end.div_ceil(unit),
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

/// The size of the ring that all go around in slots, each within one.
fn slots(reaches: &[Reach]) -> Option<u32> {
    let ring = reaches[0].address.ring?;
    let begin = reaches.iter().map(|reach| reach.address.offset).min()?;
    let mut slot = ring;
    for Reach { address, .. } in reaches {
        if address.ring != Some(ring) {
            return None;
        }
        slot = common_divisor(slot, address.base);
        slot = address.steps.iter().copied().fold(slot, common_divisor);
    }
    let within = reaches
        .iter()
        .all(|reach| reach.address.offset - begin + reach.words <= slot);
    let unit = unit(reaches[0].memory);
    let whole = [begin, slot]
        .iter()
        .all(|&word| u64::from(word) % unit == 0);
    (within && whole).then_some(ring)
}
