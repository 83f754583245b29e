//! The slots of memories. Slots are as large as all accesses allow; each set of instances that are
//! always accessed together has its own.

use std::collections::HashMap;
use std::ops::Range;

use tessera_isa_mncore::memory::{Bank, DRAM_WORDS, L2BM_WORDS, PDM_WORDS};

use super::accesses::{Access, AccessAddress};
use super::Slot;
use crate::analysis::dependence::accesses::{self, space_size};
use crate::ir::regions::Memory;
use tessera_mncore_ir::address::gcd;

/// Memories beyond those of [`accesses`].
pub(super) const T: usize = accesses::SPACES;
pub(super) const FLAGS: usize = T + 1;
const L2BM: usize = T + 2;
const DRAM: usize = T + 3;
const PDM: usize = T + 4;
const SPACES: usize = T + 5;

/// Returns the memory of a region.
pub(super) const fn region_space(memory: Memory) -> usize {
    match memory {
        Memory::L2bm => L2BM,
        Memory::Dram => DRAM,
        Memory::Pdm => PDM,
    }
}

fn size(space: usize) -> u32 {
    match space {
        T => 1,
        FLAGS => 16,
        L2BM => L2BM_WORDS,
        DRAM => DRAM_WORDS,
        PDM => PDM_WORDS,
        _ => space_size(space),
    }
}

fn name(space: usize) -> &'static str {
    match space {
        T => "the T register",
        FLAGS => "mask register",
        L2BM => Memory::L2bm.name(),
        DRAM => Memory::Dram.name(),
        PDM => Memory::Pdm.name(),
        accesses::L1BM => "L1BM",
        accesses::MATRIX => "row of $x",
        space if space > accesses::MATRIX => "row of $y",
        _ => Bank::ALL[space].name(),
    }
}

/// The slots of one memory.
#[derive(Clone, Debug)]
struct SpaceSlots {
    /// Words per slot.
    grain: u32,
    /// Sets of instances that are always accessed together, as bit masks.
    classes: Vec<u8>,
    /// The first slot; slots of DRAM and PDM are numbered on first use.
    first: usize,
}

/// Blocks per page of a large memory. Block counts of memories are powers of two, so no page wraps
/// around the end of a memory.
const PAGE: u32 = 64;

/// The slots of all memories.
#[derive(Clone, Debug)]
pub(super) struct SlotMap {
    areas: [SpaceSlots; SPACES],
    /// Pages of the large memories, by memory and page number.
    pages: HashMap<(usize, u32), Vec<Option<u32>>>,
    /// The memory and the block of each slot of a large memory.
    large: Vec<(usize, u32)>,
    /// The number of the first slot of a large memory.
    behind: usize,
}

impl SpaceSlots {
    /// Calls `each` for the slots of blocks of a small memory.
    fn slots(&self, space: usize, blocks: Range<u32>, set: u8, each: &mut impl FnMut(usize)) {
        let count = size(space) / self.grain;
        for block in blocks {
            let first = self.first + (block % count) as usize * self.classes.len();
            for (class, instances) in self.classes.iter().enumerate() {
                if instances & set != 0 {
                    each(first + class);
                }
            }
        }
    }
}

impl SlotMap {
    /// Creates slots as small as these accesses need.
    pub fn new<'r>(accesses: impl Iterator<Item = &'r Access>) -> Self {
        let mut areas: [SpaceSlots; SPACES] = std::array::from_fn(|space| SpaceSlots {
            grain: size(space),
            classes: vec![0xff],
            first: 0,
        });
        for access in accesses {
            let area = &mut areas[access.space];
            area.grain = gcd(area.grain, access.grain());
            let split = |class: u8| [class & access.set, class & !access.set];
            let parts = area.classes.iter().flat_map(|class| split(*class));
            area.classes = parts.filter(|class| *class != 0).collect();
        }
        let mut next = 0;
        for (space, area) in areas.iter_mut().enumerate() {
            area.first = next;
            if space < DRAM {
                next += (size(space) / area.grain) as usize * area.classes.len();
            }
        }
        SlotMap {
            areas,
            pages: HashMap::new(),
            large: Vec::new(),
            behind: next,
        }
    }

    /// Returns the number of slots so far.
    pub fn len(&self) -> usize {
        self.behind + self.large.len()
    }

    /// Calls `each` for the slots of an access.
    pub fn slots(
        &mut self,
        access: &Access,
        index: &[u32],
        iteration: u64,
        each: &mut impl FnMut(usize),
    ) {
        let base = match &access.place {
            AccessAddress::At(address) => address.eval(index),
            AccessAddress::Slot(register, width) => register.address(*width, iteration).into(),
        };
        let space = access.space;
        let grain = self.areas[space].grain;
        for run in &access.runs {
            let mut blocks = (base + run.start) / grain..(base + run.end) / grain;
            if space < DRAM {
                self.areas[space].slots(space, blocks, access.set, each);
                continue;
            }
            while !blocks.is_empty() {
                let end = blocks.end.min((blocks.start / PAGE + 1) * PAGE);
                self.slots_of_page(space, blocks.start..end, access.set, each);
                blocks.start = end;
            }
        }
    }

    /// Calls `each` for the slots of blocks in one page of a large memory. Slots are numbered on
    /// first use.
    fn slots_of_page(
        &mut self,
        space: usize,
        blocks: Range<u32>,
        set: u8,
        each: &mut impl FnMut(usize),
    ) {
        let area = &self.areas[space];
        let count = size(space) / area.grain;
        let (first, classes) = (blocks.start % count, area.classes.len());
        let page = self.pages.entry((space, first / PAGE));
        let page = page.or_insert_with(|| vec![None; PAGE as usize * classes]);
        for block in blocks {
            let block = block % count;
            let of_block = &mut page[(block % PAGE) as usize * classes..][..classes];
            for (slot, instances) in of_block.iter_mut().zip(&area.classes) {
                if instances & set == 0 {
                    continue;
                }
                let large = *slot.get_or_insert_with(|| {
                    self.large.push((space, block));
                    self.large.len() as u32 - 1
                });
                each(self.behind + large as usize);
            }
        }
    }

    /// Returns the name of a slot for diagnostics.
    pub fn slot(&self, number: usize) -> Slot {
        let (space, block) = match number.checked_sub(self.behind) {
            Some(large) => self.large[large],
            None => {
                let space = self.areas[..DRAM].partition_point(|area| area.first <= number) - 1;
                let area = &self.areas[space];
                let block = (number - area.first) / area.classes.len();
                (space, block as u32)
            }
        };
        Slot {
            memory: name(space),
            address: u64::from(block) * u64::from(self.areas[space].grain),
        }
    }
}
