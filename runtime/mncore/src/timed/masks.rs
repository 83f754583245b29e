//! The effect of write masks: the words of the data path that are written in each cycle, and a PE
//! that writes them.
//!
//! Manual, sections 3.6.2 and 3.6.2.1. A flag covers a half word of the upper long word, and the
//! lower long word is always written. With two long words, a flag covers a single word. Mask
//! registers differ between PEs and are read in the state before the step.

use tessera_isa_mncore::ast::Mask;

use crate::block::Block;
use crate::copy_on_write::CopyOnWrite;
use crate::geometry::{CYCLES, PES};
use crate::violation::WriteLocation;

/// Half words of the data path.
pub const HALVES: usize = 8;

/// For each cycle and each half word of the data path, a PE that writes it, if any.
pub type Written = [[Option<WriteLocation>; HALVES]; CYCLES];

/// Returns the half words that a mask lets through.
pub fn written(mask: Option<Mask>, blocks: &CopyOnWrite<Block>) -> Written {
    let Some(mask) = mask.filter(|mask| mask.entry != 0) else {
        return [[Some(WriteLocation::EveryPe); HALVES]; CYCLES];
    };
    std::array::from_fn(|cycle| {
        std::array::from_fn(|half| match flag(half, mask.wide) {
            None => Some(WriteLocation::EveryPe),
            Some(bit) if mask.entry < 16 => first_pe(mask.entry, cycle, bit, blocks),
            // The entry's number contains one flag per cycle, cycle 0 highest.
            Some(_) => (mask.entry >> (3 - cycle) & 1 == 1).then_some(WriteLocation::EveryPe),
        })
    })
}

/// Returns the flag that covers a half word, bit 3 being the first; `None` if it is always written.
fn flag(half: usize, wide: bool) -> Option<u32> {
    match (wide, half) {
        (true, _) => Some(3 - half as u32 / 2),
        (false, 0..4) => Some(3 - half as u32),
        (false, _) => None,
    }
}

/// Returns the first PE whose mask register has a flag set.
fn first_pe(
    entry: u8,
    cycle: usize,
    bit: u32,
    blocks: &CopyOnWrite<Block>,
) -> Option<WriteLocation> {
    // The first block of those with equal flags is their owner, so that its position is right.
    blocks.iter().find_map(|block| {
        let flags = block.masks[usize::from(entry)].cycle(cycle);
        let lane = flags.iter().position(|flags| flags >> bit & 1 == 1)?;
        Some(WriteLocation::Pe {
            block: block.id,
            mab: lane / PES,
            pe: lane % PES,
        })
    })
}
