//! Memories as slots: as large as all accesses allow, one for each group of instances that are always accessed together.

use std::collections::HashMap;

use tessera_isa_mncore::memory::{Bank, DRAM_WORDS, L2BM_WORDS, PDM_WORDS};

use super::reaches::{Place, Reach};
use super::Slot;
use crate::address::common_divisor;
use crate::dependence::touches::{self, size_of_space};
use crate::regions::Memory;

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

/// All memories.
#[derive(Clone, Debug)]
pub(super) struct Areas {
    areas: [Area; SPACES],
    /// Slots of the large memories: space, block, class.
    known: HashMap<(usize, u32, usize), usize>,
    large: Vec<(usize, u32)>,
    /// The first of those.
    behind: usize,
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
            known: HashMap::new(),
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
        let area = &self.areas[space];
        let blocks = size(space) / area.grain;
        for run in &reach.runs {
            let first = (base + run.start) / area.grain;
            let end = (base + run.end) / area.grain;
            for block in first..end {
                let block = block % blocks;
                for (class, instances) in area.classes.iter().enumerate() {
                    if instances & reach.set == 0 {
                        continue;
                    }
                    each(if space < DRAM {
                        area.first + block as usize * area.classes.len() + class
                    } else {
                        let next = self.behind + self.large.len();
                        *self.known.entry((space, block, class)).or_insert_with(|| {
                            self.large.push((space, block));
                            next
                        })
                    });
                }
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
