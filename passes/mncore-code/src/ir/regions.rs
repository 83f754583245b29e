//! Regions of L2BM, DRAM and PDM that MV instructions and L2BM transfers access.

use std::ops::Range;

use tessera_isa_mncore::memory::{CYCLES, DRAM_WORDS, L2BM_WORDS, PDM_WORDS};
use tessera_isa_mncore::table::l2bm::Direction;
use tessera_isa_mncore::table::mv;
use tessera_isa_mncore::table::L2bmOp;

use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::item::{Item, Move, MoveMemory, MovePlace, Op};

/// A memory outside of the L1 blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Memory {
    Pdm,
    Dram,
    L2bm,
}

/// A range of long words in some instances of a memory.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    pub memory: Memory,
    pub words: Range<u64>,
    /// The instances, as a bit mask. Of L2BM, bit `2 · group + l2b`; of others, both bits of the
    /// group.
    pub set: u8,
}

/// Long words per block: every instruction moves whole blocks.
pub(crate) const BLOCK: u64 = 16;

impl Memory {
    /// Returns the name for diagnostics.
    pub fn name(self) -> &'static str {
        match self {
            Memory::Pdm => "PDM",
            Memory::Dram => "DRAM",
            Memory::L2bm => "L2BM",
        }
    }

    /// Returns the size in long words.
    pub fn size(self) -> u64 {
        match self {
            Memory::Pdm => PDM_WORDS.into(),
            Memory::Dram => DRAM_WORDS.into(),
            Memory::L2bm => L2BM_WORDS.into(),
        }
    }
}

impl Region {
    /// Returns the blocks of the region, wrapping around the end of the memory.
    pub fn blocks(&self) -> impl Iterator<Item = u64> {
        let blocks = self.memory.size() / BLOCK;
        let (first, end) = (self.words.start / BLOCK, self.words.end.div_ceil(BLOCK));
        (first..end.min(first + blocks)).map(move |block| block % blocks)
    }

    /// Returns the first word that both regions share.
    pub fn first_overlap(&self, other: &Region) -> Option<u64> {
        if self.memory != other.memory || self.set & other.set == 0 {
            return None;
        }
        let size = self.memory.size();
        let apart = |from: u64, to: u64| (to + size - from % size) % size;
        let (mine, theirs) = (&self.words, &other.words);
        if apart(mine.start, theirs.start % size) < mine.end - mine.start {
            Some(theirs.start % size)
        } else if apart(theirs.start, mine.start % size) < theirs.end - theirs.start {
            Some(mine.start % size)
        } else {
            None
        }
    }
}

/// Returns the region of L2BM that a transfer between L2BM and L1BM accesses, and whether it writes
/// there.
pub(crate) fn l2bm_region(op: &L2bmOp, address: u32) -> Option<(Region, bool)> {
    let row = op.kind.row();
    let count = u64::from(row.l2_rate) * CYCLES as u64;
    let region = Region {
        memory: Memory::L2bm,
        words: address.into()..u64::from(address) + count,
        set: 0xff,
    };
    match row.flow {
        Direction::Down => Some((region, false)),
        Direction::Up => Some((region, true)),
        Direction::Across => None,
    }
}

/// Returns the regions that an MV instruction reads and writes.
pub(crate) fn move_regions(transfer: &Move, index: &[u32]) -> (Region, Region) {
    let row = transfer.mode.row();
    let units = u64::from(transfer.words).div_ceil(transfer.mode.unit().into());
    let region = |place: &MovePlace, (kind, unit): (mv::OperandForm, u32)| {
        let first = u64::from(place.address.eval(index));
        let memory = match place.memory {
            MoveMemory::Pdm => Memory::Pdm,
            MoveMemory::Dram => Memory::Dram,
            MoveMemory::L2bm => Memory::L2bm,
        };
        Region {
            memory,
            words: first..first + units * u64::from(unit),
            set: instance_mask(place, kind),
        }
    };
    (
        region(&transfer.source, row.source),
        region(&transfer.target, row.target),
    )
}

/// Returns the regions outside of the L1 blocks that an item accesses, with their addresses and
/// whether it writes. Their sizes are the same in every iteration.
pub(crate) fn item_regions(item: &Item) -> Vec<(Region, &Address, bool)> {
    match &item.op {
        Op::L2bm { op, l2, .. } => {
            let region = l2bm_region(op, l2.eval(&[]));
            region
                .map(|(region, write)| (region, l2, write))
                .into_iter()
                .collect()
        }
        Op::Mv(transfer) => {
            let (read, write) = move_regions(transfer, &[]);
            vec![
                (read, &transfer.source.address, false),
                (write, &transfer.target.address, true),
            ]
        }
        _ => Vec::new(),
    }
}

/// Returns the instances of a memory that an operand selects, as a bit mask.
fn instance_mask(place: &MovePlace, kind: mv::OperandForm) -> u8 {
    let groups = match place.group {
        Some(group) => 0b11 << (2 * group),
        None => 0xff,
    };
    let sides = match (place.l2b, kind) {
        (Some(l2b), mv::OperandForm::L2bmOne | mv::OperandForm::L2bmSide) => 0b0101_0101 << l2b,
        _ => 0xff,
    };
    groups & sides
}
