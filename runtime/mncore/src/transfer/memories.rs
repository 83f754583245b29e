//! The memories that transfers access.

use crate::board::{read_wrapping, write_wrapping, Board};
use crate::footprint::Memory;
use crate::geometry::Geometry;
use crate::trap::Reason;

/// Reads long words. Fails for DRAM that was never written.
pub fn read(
    board: &Board,
    geometry: &Geometry,
    (memory, address): (Memory, u64),
    words: &mut [u64],
) -> Result<(), Reason> {
    match memory {
        Memory::Pdm(group) => read_wrapping(&board.groups[group].pdm, address as usize, words),
        Memory::L2bm(group, l2b) => {
            let memory = &board.l2bm[geometry.l2_index(group, l2b)];
            read_wrapping(memory, address as usize, words);
        }
        Memory::Dram(group) => {
            let read = board.groups[group].dram.read(address, words);
            read.map_err(|never| Reason::NeverWritten {
                group,
                address: never.0,
            })?;
        }
    }
    Ok(())
}

/// Writes long words.
pub fn write(
    board: &mut Board,
    geometry: &Geometry,
    (memory, address): (Memory, u64),
    words: &[u64],
) {
    match memory {
        Memory::Pdm(group) => write_wrapping(&mut board.groups[group].pdm, address as usize, words),
        Memory::L2bm(group, l2b) => {
            let l2 = geometry.l2_index(group, l2b);
            write_wrapping(&mut board.l2bm[l2], address as usize, words);
        }
        Memory::Dram(group) => board.groups[group].dram.write(address, words),
    }
}
