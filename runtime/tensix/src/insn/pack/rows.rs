//! Packing whole rows of Dst, a group of eight at a time, by the stages in
//! [`crate::arith::fast::packer`].
//!
//! Where a datum would be undefined, or a row or the bytes in L1 cannot be read, the rest is left
//! to [`super::datums`], which finds the first such datum.

use super::addresses::Source;
use super::datums::{Progress, Task};
use super::unit::Memory;
use crate::arith::fast::packer::{add, blocks, convert, store, Addend, Kept};
use crate::arith::fast::Level;
use crate::arith::spec::format::Format;
use crate::arith::spec::packer::early::Reading;
use crate::arith::{Row, COLUMNS};
use crate::state::l1::L1;
use crate::state::model::Model;
use crate::state::packer::{Configured, Output, Position};
use crate::state::row32::Row32;
use crate::trap::Fault;

/// Rows that are converted at once, and bytes of a datum.
const GROUP: usize = 8;
const WIDEST: usize = 4;
/// Halves of 32-bit rows, or 16-bit rows.
type Halves = [[u16; COLUMNS]; GROUP];
/// Rows that each fill a cache line. Vectors across two lines are slower.
#[repr(align(64))]
struct Lines([Row; GROUP]);
/// Rows of Dst, of 16 bits, as datum addresses count them.
const ROWS: u32 = 1024;

/// Packs datums of a packer in whole rows with the fast model; returns their number.
pub(super) fn run(
    task: &Task<'_>,
    progress: &mut Progress<'_>,
    memory: &mut Memory<'_>,
) -> Result<u32, Fault> {
    let (Model::Fast(level), Source::Dst { first }) = (memory.model, task.source) else {
        return Ok(0);
    };
    let Configured { path, masks, .. } = task.settings;
    if !is_in_rows(task, first, *progress.position, progress.output) {
        return Ok(0);
    }
    let replacement = match masks.keep_all() {
        true => Ok(0),
        false => path.masked(masks.to_infinity()),
    };
    let Ok(replacement) = replacement else {
        return Ok(0);
    };
    let wide = matches!(path.reading, Reading::Wide | Reading::WideHigh);
    let group = Group {
        level,
        task,
        replacement,
        wide,
    };
    let most = match memory.dst.has_blocks(wide) {
        true => GROUP as u32,
        false => GROUP as u32 / 2,
    };
    let end = first + task.datums;
    let mut datum = first;
    while datum < end {
        let row = datum / COLUMNS as u32 % ROWS;
        let count = ((end - datum) / COLUMNS as u32).min(most - row % most);
        if !group.pack(row as usize, count as usize, progress, memory)? {
            break;
        }
        datum += count * COLUMNS as u32;
    }
    Ok(datum - first)
}

/// Returns whether a task is whole rows, which this module supports.
fn is_in_rows(task: &Task<'_>, first: u32, position: Position, output: &Output) -> bool {
    let Configured { path, masks, .. } = task.settings;
    let is_whole = |datums: u32| datums as usize % COLUMNS == 0;
    is_whole(first)
        && is_whole(task.datums)
        && (is_whole(position.x) || masks.keep_all())
        && output.is_between_blocks()
        && !(path.accumulate && output.is_within_line())
        && !task.counts
        && path.downsample == 0xFFFF
}

/// What is the same for all groups of rows of a task.
struct Group<'a> {
    level: Level,
    task: &'a Task<'a>,
    /// What edge masks put in place of removed datums.
    replacement: u32,
    /// Whether rows have 32 bits.
    wide: bool,
}

impl Group<'_> {
    /// Packs rows of a group in Dst; returns whether it did, or has changed nothing.
    fn pack(
        &self,
        first: usize,
        count: usize,
        progress: &mut Progress<'_>,
        memory: &mut Memory<'_>,
    ) -> Result<bool, Fault> {
        let Configured {
            path,
            stages,
            masks,
            ..
        } = self.task.settings;
        let mut position = *progress.position;
        let mut columns = [0xFFFF; GROUP];
        let columns = &mut columns[..count];
        masks.columns_of(&mut position, columns);
        let kept = (!masks.keep_all()).then_some(Kept {
            columns,
            replacement: self.replacement,
        });
        let gathered: [Halves; 2];
        let dst = match memory.dst.held_rows(first, count, self.wide) {
            Some(rows) => rows,
            None => {
                let Some(rows) = self.gather(first, columns, memory) else {
                    return Ok(false);
                };
                gathered = rows;
                (&gathered[0][..count], &gathered[1][..count])
            }
        };
        let mut rows = Lines([[0; COLUMNS]; GROUP]);
        let rows = &mut rows.0[..count];
        let found = convert(self.level, stages, kept, dst, rows);
        if found.is_undefined || !self.push(rows, progress.output, memory.l1)? {
            return Ok(false);
        }
        self.note(first, columns, memory);
        progress.histogram.add_greatest(path.kind, found.greatest);
        *progress.position = position;
        Ok(true)
    }

    /// Returns the rows of which some columns are kept, although some rows are not held.
    #[cold]
    fn gather(&self, first: usize, columns: &[u16], memory: &Memory<'_>) -> Option<[Halves; 2]> {
        let mut halves = [[[0; COLUMNS]; GROUP]; 2];
        for (k, _) in (0..).zip(columns).filter(|(_, &columns)| columns != 0) {
            if self.wide {
                let row = memory.dst.row32(Row32::new(first + k)).ok()?;
                halves[0][k] = row.map(|x| (x >> 16) as u16);
                halves[1][k] = row.map(|x| x as u16);
            } else {
                halves[0][k] = memory.dst.row16(first + k).ok()?;
            }
        }
        Some(halves)
    }

    /// Records that the rows were read of which some columns are kept.
    fn note(&self, first: usize, columns: &[u16], memory: &mut Memory<'_>) {
        let rows = &mut memory.access.dst_read;
        if columns.iter().all(|&columns| columns != 0) {
            return rows.insert_dst_block(first, columns.len(), self.wide);
        }
        let wanted = (first..).zip(columns).filter(|(_, &columns)| columns != 0);
        wanted.for_each(|(row, _)| rows.insert_dst_block(row, 1, self.wide));
    }

    /// Appends converted rows to the output; returns whether it did.
    fn push(&self, rows: &[Row], output: &mut Output, l1: &mut L1) -> Result<bool, Fault> {
        let path = &self.task.settings.path;
        let bits = path.out.bits().unwrap_or(32);
        let size = rows.len() * COLUMNS * bits as usize / 8;
        if !output.fits(size, rows.len(), l1) {
            return Ok(false);
        }
        let mut exponents = [0; GROUP];
        let exponents = match path.out.is_block() {
            true => &mut exponents[..rows.len()],
            false => &mut [],
        };
        if path.accumulate && l1.read(output.address(), size).is_err() {
            return Ok(false);
        }
        match output.next(size, l1) {
            Some(bytes) => self.fill(bits, rows, bytes, exponents),
            None => {
                let mut bytes = [0; GROUP * COLUMNS * WIDEST];
                let bytes = &mut bytes[..size];
                self.fill(bits, rows, bytes, exponents);
                output.push_bytes(bytes, l1)?;
            }
        }
        if path.out.is_block() {
            output.push_exponents(exponents, l1)?;
        }
        Ok(true)
    }

    /// Writes converted rows, or their sums with what is there.
    fn fill(&self, bits: u32, rows: &[Row], bytes: &mut [u8], exponents: &mut [u8]) {
        let path = &self.task.settings.path;
        match (path.out, path.accumulate) {
            (out, _) if out.is_block() => blocks(self.level, bits, rows, bytes, exponents),
            (_, false) => store(self.level, bits as usize / 8, rows, bytes),
            (Format::FP32, true) => add(self.level, Addend::Fp32, rows, bytes),
            (Format::FP16, true) => add(self.level, Addend::Fp16, rows, bytes),
            (_, true) => add(self.level, Addend::Bf16, rows, bytes),
        }
    }
}

#[cfg(test)]
mod tests;
