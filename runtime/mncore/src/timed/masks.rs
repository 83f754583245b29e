//! What a write mask lets pass: which words of the data path reach the memory in which cycle, and
//! in which PE.
//!
//! Sections 3.6.2 and 3.6.2.1. A flag stands for a half word of the upper long word, and the lower
//! long word passes; or, with two long words, for a single word. A mask register differs between
//! PEs, and is read as the step finds it.

use tessera_isa_mncore::ast::Mask;

use super::early::Place;
use crate::block::Block;
use crate::geometry::{CYCLES, PES};

/// Half words of the data path.
pub const HALVES: usize = 8;

/// For each cycle and each half word of the data path: a PE that writes it, if any does.
pub type Written = [[Option<Place>; HALVES]; CYCLES];

/// What passes a mask.
pub fn written(mask: Option<Mask>, blocks: &[Block]) -> Written {
    let Some(mask) = mask.filter(|mask| mask.entry != 0) else {
        return [[Some(Place::EveryPe); HALVES]; CYCLES];
    };
    std::array::from_fn(|cycle| {
        std::array::from_fn(|half| match flag(half, mask.wide) {
            None => Some(Place::EveryPe),
            Some(bit) if mask.entry < 16 => first(mask.entry, cycle, bit, blocks),
            // The entry's number holds the cycles' flags, the first cycle's highest.
            Some(_) => (mask.entry >> (3 - cycle) & 1 == 1).then_some(Place::EveryPe),
        })
    })
}

/// The flag that decides about a half word, bit 3 for the first; none for what always passes.
fn flag(half: usize, wide: bool) -> Option<u32> {
    match (wide, half) {
        (true, _) => Some(3 - half as u32 / 2),
        (false, 0..4) => Some(3 - half as u32),
        (false, _) => None,
    }
}

/// The first PE whose mask register has a flag set.
fn first(entry: u8, cycle: usize, bit: u32, blocks: &[Block]) -> Option<Place> {
    blocks.iter().find_map(|block| {
        let flags = block.masks[usize::from(entry)].cycle(cycle);
        let lane = flags.iter().position(|flags| flags >> bit & 1 == 1)?;
        Some(Place::Pe {
            block: block.id,
            mab: lane / PES,
            pe: lane % PES,
        })
    })
}
