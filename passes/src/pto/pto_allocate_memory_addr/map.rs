//! The memory map of a kernel as text.

use std::fmt::Write as _;
use std::ops::Range;

use super::Allocation;
use crate::pto::machine::{Machine, Memory};

/// Returns a line for each memory in use and one for each allocation in it, by address. Allocations
/// without an address are omitted.
pub fn text(machine: &Machine, allocations: &[Allocation], placed: &[Option<u64>]) -> String {
    let mut text = String::new();
    for (number, memory) in machine.memories.iter().enumerate() {
        let all = allocations.iter().zip(placed);
        let mut lines: Vec<_> = all
            .filter(|(allocations, _)| allocations.memory == number)
            .filter_map(|(allocations, at)| Some(((*at)?, allocations)))
            .collect();
        lines.sort_by_key(|(at, allocations)| (*at, allocations.first_time()));
        if lines.is_empty() {
            continue;
        }
        let _ = write!(text, "\n  {}", heading(memory, &lines));
        for (at, allocations) in lines {
            let bytes = allocations.block.bytes;
            let range = at..at.saturating_add(bytes);
            let _ = write!(
                text,
                "\n  {} {}",
                columns(&range, bytes),
                allocations.described()
            );
        }
    }
    text
}

fn heading(memory: &Memory, lines: &[(u64, &Allocation)]) -> String {
    let ends = lines
        .iter()
        .map(|(at, allocations)| at.saturating_add(allocations.block.bytes));
    let (room, end) = (&memory.room, ends.max().unwrap_or(0));
    format!(
        "{}, {} to {}: used up to {end}, {} bytes free after it",
        memory.name,
        room.start,
        room.end,
        room.end.saturating_sub(end)
    )
}

fn columns(range: &Range<u64>, bytes: u64) -> String {
    format!("{:>9} to {:>9} {bytes:>8} bytes", range.start, range.end)
}
