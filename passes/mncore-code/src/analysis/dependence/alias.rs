//! Alias analysis of the memories that MV instructions reach.
//!
//! Each access is described by the range of blocks that it can reach in any iteration. Two accesses
//! whose ranges are disjoint are independent, so tensors that the loop only reads need no tracking
//! at all. Tags are treated as one more memory, with one block per tag.
//!
//! The transitive closure of "may overlap, and one of the two writes" partitions accesses into
//! [`AliasClass`]es. If all accesses of a class move together, or together around a ring without
//! leaving their slots, their dependences are the same wherever they are.

use std::ops::Range;

use crate::ir::regions::{self, Memory, BLOCK};
use tessera_mncore_ir::address::{gcd, Address};
use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::item::{Item, Move, Op};

/// An access of an item to a memory, or to its tag.
#[derive(Clone, Debug)]
struct RegionAccess {
    item: usize,
    /// The memory; `None` for tags.
    memory: Option<Memory>,
    address: Address,
    words: u32,
    /// The instances of the memory, as a bit mask.
    set: u8,
    write: bool,
    /// The blocks accessed in any iteration.
    blocks: Range<u64>,
    /// In a ring: a common divisor of all addresses relative to its offset.
    grain: u64,
}

/// A set of accesses that may alias, directly or through others of the set.
#[derive(Clone, Debug)]
struct AliasClass {
    accesses: Vec<RegionAccess>,
    /// The size of the ring that all accesses share without leaving their slots, if there is one.
    slots: Option<u32>,
}

/// The accesses of a body that may alias a write.
#[derive(Clone, Debug)]
pub(super) struct AliasAnalysis {
    classes: Vec<AliasClass>,
    /// Of each item, whether its read and its write are among them.
    tracked: Vec<[bool; 2]>,
}

impl AliasAnalysis {
    pub fn new(body: &Body) -> Self {
        let mut accesses = Vec::new();
        for (number, item) in body.items.iter().enumerate() {
            add(body, number, item, &mut accesses);
        }
        let mut classes: Vec<AliasClass> = Vec::new();
        for group in alias_groups(&accesses) {
            let group = group.iter().map(|&at| accesses[at].clone());
            classes.push(AliasClass::new(group.collect(), body.outer.len()));
        }
        let mut tracked = vec![[false; 2]; body.items.len()];
        let memories = classes.iter().flat_map(|class| &class.accesses);
        for access in memories.filter(|access| access.memory.is_some()) {
            tracked[access.item][usize::from(access.write)] = true;
        }
        AliasAnalysis { classes, tracked }
    }

    /// Returns whether an item's read, or its write, is in an alias class with a write. Every write
    /// is, unless its item never issues.
    pub fn may_alias_write(&self, item: usize, write: bool) -> bool {
        self.tracked[item][usize::from(write)]
    }

    /// Marks all accesses as aliasing.
    #[cfg(test)]
    pub fn track_all(&mut self) {
        self.tracked.fill([true; 2]);
    }

    /// Appends the relative displacements of the accesses in an iteration of the outer loops.
    pub fn extend_signature(&self, outer: &[u32], signature: &mut Vec<u64>) {
        for class in &self.classes {
            class.extend_signature(outer, signature);
        }
    }
}

impl AliasClass {
    fn new(accesses: Vec<RegionAccess>, around: usize) -> Self {
        let slots = common_ring(&accesses, around);
        AliasClass { accesses, slots }
    }

    fn extend_signature(&self, outer: &[u32], signature: &mut Vec<u64>) {
        let first = &self.accesses[0];
        let unit = block_size(first.memory);
        let free = self
            .accesses
            .iter()
            .all(|access| access.address.ring.is_none());
        let size = match self.slots {
            Some(ring) => ring.into(),
            None => memory_size(first.memory),
        };
        let start = first.address.outer_displacement(outer);
        // Accesses are tracked by block, so the position within a block matters.
        signature.push(start % unit);
        for access in &self.accesses {
            let now = access.address.outer_displacement(outer);
            signature.push(if free || self.slots.is_some() {
                (now % size + size - start % size) % size
            } else {
                now
            });
        }
    }
}

/// Returns the number of words of a memory; of tags, the number of possible values.
fn memory_size(memory: Option<Memory>) -> u64 {
    memory.map_or(1 << 32, Memory::size)
}

/// Returns the words of a block; each tag is a block of its own.
fn block_size(memory: Option<Memory>) -> u64 {
    memory.map_or(1, |_| BLOCK)
}

/// Adds the accesses of an item, if it ever issues.
fn add(body: &Body, number: usize, item: &Item, accesses: &mut Vec<RegionAccess>) {
    let mut access = |memory, address: &Address, words, set, write| {
        if let Some(range) = AddressRange::new(body, item, address) {
            accesses.push(RegionAccess {
                item: number,
                memory,
                address: address.clone(),
                words,
                set,
                write,
                blocks: range.blocks(memory, words),
                grain: range.grain,
            });
        }
    };
    for (region, address, write) in regions::item_regions(item) {
        let words = (region.words.end - region.words.start) as u32;
        access(Some(region.memory), address, words, region.set, write);
    }
    match &item.op {
        Op::Mv(Move { tag, .. }) | Op::Wait(tag) => access(None, tag, 1, 0xff, true),
        _ => {}
    }
}

/// The range of an address over the iterations in which its item issues.
#[derive(Clone, Debug)]
struct AddressRange {
    /// The lowest and the highest address.
    ends: [u64; 2],
    /// In a ring: a common divisor of all addresses relative to its offset.
    grain: u64,
}

impl AddressRange {
    /// Computes the range of an address; `None` if the item never issues. In a ring it is the whole
    /// ring, up to the last multiple of the grain.
    fn new(body: &Body, item: &Item, address: &Address) -> Option<Self> {
        let (mut first, mut length) = (u64::from(address.base), 0);
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
                grain = gcd(grain, u64::from(step) * u64::from(index - last));
                last = index;
            }
            length += u64::from(step) * u64::from(last - start);
        }
        if let Some(ring) = ring {
            grain = gcd(grain, first);
            (first, length) = (0, ring - grain);
        }
        let ends = [first, first + length].map(|word| word + u64::from(address.offset));
        Some(AddressRange { ends, grain })
    }

    /// Returns the blocks of accesses of this many words; the whole memory if an access wraps
    /// around its end.
    fn blocks(&self, memory: Option<Memory>, words: u32) -> Range<u64> {
        let unit = block_size(memory);
        let end = self.ends[1] + u64::from(words);
        match memory_size(memory) {
            size if end > size => 0..size / unit,
            _ => self.ends[0] / unit..end.div_ceil(unit),
        }
    }
}

/// Returns the alias classes that contain a write, as indices of accesses.
fn alias_groups(accesses: &[RegionAccess]) -> Vec<Vec<usize>> {
    let mut group: Vec<usize> = (0..accesses.len()).collect();
    for (number, one) in accesses.iter().enumerate() {
        for (other, two) in accesses[..number].iter().enumerate() {
            let (old, new) = (group[number], group[other]);
            if old != new && one.may_alias(two) {
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
    let groups = (0..accesses.len()).map(of);
    groups
        .filter(|group| group.iter().any(|&at| accesses[at].write))
        .collect()
}

impl RegionAccess {
    /// Returns whether both may access a block in common that one of them writes.
    fn may_alias(&self, other: &RegionAccess) -> bool {
        self.memory == other.memory
            && (self.write || other.write)
            && self.set & other.set != 0
            && self.blocks.start < other.blocks.end
            && other.blocks.start < self.blocks.end
    }
}

/// Returns the size of the ring that all accesses share, each within one slot, if the outer loops
/// move them by whole slots.
fn common_ring(accesses: &[RegionAccess], around: usize) -> Option<u32> {
    let ring = accesses[0].address.ring?;
    let begin = accesses.iter().map(|access| access.address.offset).min()?;
    let steps = accesses
        .iter()
        .flat_map(|access| access.address.steps.iter().take(around));
    let slot = steps.fold(u64::from(ring), |slot, &step| gcd(slot, step.into()));
    let within = |access: &RegionAccess| {
        let end = u64::from(access.address.offset - begin) + u64::from(access.words);
        access.address.ring == Some(ring) && end <= gcd(slot, access.grain)
    };
    let unit = block_size(accesses[0].memory);
    let whole = u64::from(begin) % unit == 0 && slot % unit == 0;
    (whole && accesses.iter().all(within)).then_some(ring)
}
