//! The memory of a kernel as text: who lies where.

use std::fmt::Write as _;
use std::ops::Range;

use super::Wanted;
use crate::pto::machine::{Machine, Memory};

/// A line for each memory that has something, and one for each piece in it, by address. Pieces that
/// have no address are left out.
pub fn text(machine: &Machine, wanted: &[Wanted], placed: &[Option<u64>]) -> String {
    let mut text = String::new();
    for (number, memory) in machine.memories.iter().enumerate() {
        let all = wanted.iter().zip(placed);
        let mut lines: Vec<_> = all
            .filter(|(wanted, _)| wanted.memory == number)
            .filter_map(|(wanted, at)| Some(((*at)?, wanted)))
            .collect();
        lines.sort_by_key(|(at, wanted)| (*at, wanted.first_time()));
        if lines.is_empty() {
            continue;
        }
        let _ = write!(text, "\n  {}", heading(memory, &lines));
        for (at, wanted) in lines {
            let bytes = wanted.piece.bytes;
            let range = at..at.saturating_add(bytes);
            let _ = write!(
                text,
                "\n  {} {}",
                columns(&range, bytes),
                wanted.described()
            );
        }
    }
    text
}

fn heading(memory: &Memory, lines: &[(u64, &Wanted)]) -> String {
    let ends = lines
        .iter()
        .map(|(at, wanted)| at.saturating_add(wanted.piece.bytes));
    let (room, end) = (&memory.room, ends.max().unwrap_or(0));
    format!(
        "{}, {} to {}: used up to {end}, {} bytes left behind it",
        memory.name,
        room.start,
        room.end,
        room.end.saturating_sub(end)
    )
}

fn columns(range: &Range<u64>, bytes: u64) -> String {
    format!("{:>9} to {:>9} {bytes:>8} bytes", range.start, range.end)
}
