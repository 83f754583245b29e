//! Memories as slots: as large as all accesses allow, one for each group of instances that are
//! always accessed together.

use std::collections::HashMap;
use std::ops::Range;

use tessera_isa_mncore::memory::{Bank, DRAM_WORDS, L2BM_WORDS, PDM_WORDS};

use super::reaches::{Place, Reach};
use super::Slot;
use crate::dependence::touches::{self, size_of_space};
use crate::regions::Memory;
use tessera_mncore_ir::address::common_divisor;

/// The memories beside those of [`touches`].
pub(super) const T: usize = touches::SPACES;
pub(super) const FLAGS: usize = T + 1;
const L2BM: usize = T + 2;
const DRAM: usize = T + 3;
const PDM: usize = T + 4;
const SPACES: usize = T + 5;

/// The memory of a region.
pub(super) const fn outside(memory: Memory) -> usize {
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
        _ => size_of_space(space),
    }
}

fn name(space: usize) -> &'static str {
    match space {
        T => "the T register",
        FLAGS => "mask register",
        L2BM => Memory::L2bm.name(),
        DRAM => Memory::Dram.name(),
        PDM => Memory::Pdm.name(),
        touches::L1BM => "L1BM",
        touches::MATRIX => "row of $x",
        space if space > touches::MATRIX => "row of $y",
        _ => Bank::ALL[space].name(),
    }
}

/// A memory.
#[derive(Clone, Debug)]
struct Area {
    /// Words of a slot.
    grain: u32,
    /// Groups of instances.
    classes: Vec<u8>,
    /// The first slot; of the large ones, slots are numbered as they come.
    first: usize,
}

/// Blocks of a page of a large memory. Their sizes are powers of two, as are those of memories, so
/// no page goes around the end of one.
const PAGE: u32 = 64;

/// All memories.
#[derive(Clone, Debug)]
pub(super) struct Areas {
    areas: [Area; SPACES],
    /// Pages of the large memories: space, page.
    pages: HashMap<(usize, u32), Vec<Option<u32>>>,
    /// Of each of their slots the space and the block.
    large: Vec<(usize, u32)>,
    /// The first of those.
    behind: usize,
}

impl Area {
    /// The slots of blocks of a small memory.
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

impl Areas {
    /// With slots as small as these accesses need.
    pub fn new<'r>(reaches: impl Iterator<Item = &'r Reach>) -> Self {
        let mut areas: [Area; SPACES] = std::array::from_fn(|space| Area {
            grain: size(space),
            classes: vec![0xff],
            first: 0,
        });
        for reach in reaches {
            let area = &mut areas[reach.space];
            area.grain = common_divisor(area.grain, reach.grain());
            let split = |class: u8| [class & reach.set, class & !reach.set];
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
        Areas {
            areas,
            pages: HashMap::new(),
            large: Vec::new(),
            behind: next,
        }
    }

    /// How many slots there are so far.
    pub fn len(&self) -> usize {
        self.behind + self.large.len()
    }

    /// Shows `each` the slots of an access.
    pub fn slots(
        &mut self,
        reach: &Reach,
        index: &[u32],
        iteration: u64,
        each: &mut impl FnMut(usize),
    ) {
        let base = match &reach.place {
            Place::At(address) => address.at(index),
            Place::Slot(register, width) => register.address(*width, iteration).into(),
        };
        let space = reach.space;
        let grain = self.areas[space].grain;
        for run in &reach.runs {
            let mut blocks = (base + run.start) / grain..(base + run.end) / grain;
            if space < DRAM {
                self.areas[space].slots(space, blocks, reach.set, each);
                continue;
            }
            while !blocks.is_empty() {
                let end = blocks.end.min((blocks.start / PAGE + 1) * PAGE);
                self.slots_of_page(space, blocks.start..end, reach.set, each);
                blocks.start = end;
            }
        }
    }

    /// The slots of blocks of a page of a large memory, which have numbers from when they are first
    /// asked for.
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

    /// What a slot is called.
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
