//! Packing whole rows of Dst, a face at a time, by the stages in [`crate::arith::fast::packer`].
//!
//! Where a datum would be undefined, or a row or the bytes in L1 cannot be read, the rest is left
//! to [`super::datums`], which finds the first such datum.

use super::addresses::Source;
use super::datums::Task;
use super::unit::Packers;
use crate::arith::fast::packer::{add, blocks, convert, store, Addend, Kept};
use crate::arith::fast::Level;
use crate::arith::spec::format::Format;
use crate::arith::spec::packer::early::Reading;
use crate::arith::{Row, COLUMNS};
use crate::state::model::Model;
use crate::state::packer::{Output, Packer, Position};
use crate::trap::Fault;

/// Rows that are converted at once, and bytes of a datum.
const FACE: usize = 16;
const WIDEST: usize = 4;
/// Rows of Dst, of 16 bits, as datum addresses count them.
const ROWS: u32 = 1024;

/// Packs datums of a packer in whole rows with the fast model; returns their number.
pub(super) fn run(
    task: &Task,
    packer: &mut Packer,
    output: &mut Output,
    unit: &mut Packers<'_>,
) -> Result<u32, Fault> {
    let (Model::Fast(level), Source::Dst { first }) = (unit.model, task.source) else {
        return Ok(0);
    };
    if !is_in_rows(task, first, packer.position, output) {
        return Ok(0);
    }
    let replacement = match task.masks.keep_all() {
        true => Ok(0),
        false => task.path.masked(task.masks.to_infinity()),
    };
    let Ok(replacement) = replacement else {
        return Ok(0);
    };
    let mut face = Face {
        level,
        replacement,
        rows: [[0; COLUMNS]; FACE],
        bytes: [0; FACE * COLUMNS * WIDEST],
    };
    let end = first + task.datums;
    let mut datum = first;
    while datum < end {
        let row = datum / COLUMNS as u32 % ROWS;
        let count = ((end - datum) / COLUMNS as u32).min(FACE as u32 - row % FACE as u32);
        if !face.pack(task, (row as usize, count as usize), packer, output, unit)? {
            break;
        }
        datum += count * COLUMNS as u32;
    }
    Ok(datum - first)
}

/// Returns whether a task is whole rows, which this module supports.
fn is_in_rows(task: &Task, first: u32, position: Position, output: &Output) -> bool {
    let path = &task.path;
    let is_whole = |datums: u32| datums as usize % COLUMNS == 0;
    is_whole(first)
        && is_whole(task.datums)
        && (is_whole(position.x) || task.masks.keep_all())
        && output.is_between_blocks()
        && !(path.accumulate && output.is_within_line())
        && !task.counts
        && path.downsample == 0xFFFF
}

/// The rows of a face in several stages.
struct Face {
    level: Level,
    /// What edge masks put in place of removed datums.
    replacement: u32,
    rows: [Row; FACE],
    bytes: [u8; FACE * COLUMNS * WIDEST],
}

impl Face {
    /// Packs rows of Dst; returns whether it did, or has changed nothing.
    fn pack(
        &mut self,
        task: &Task,
        (first, count): (usize, usize),
        packer: &mut Packer,
        output: &mut Output,
        unit: &mut Packers<'_>,
    ) -> Result<bool, Fault> {
        let path = &task.path;
        let mut position = packer.position;
        let mut columns = [0; FACE];
        let columns = &mut columns[..count];
        for columns in columns.iter_mut() {
            *columns = task.masks.columns_at(position);
            task.masks.advance(&mut position, COLUMNS as u32);
        }
        if self.read(path.reading, first, columns, unit).is_err() {
            return Ok(false);
        }
        let kept = (!task.masks.keep_all()).then_some(Kept {
            columns,
            replacement: self.replacement,
        });
        let rows = &mut self.rows[..count];
        let found = convert(self.level, &path.stages(), kept, rows);
        if found.is_undefined || !self.push(path.out, path.accumulate, count, output, unit)? {
            return Ok(false);
        }
        packer.histogram.add_greatest(path.kind, found.greatest);
        packer.position = position;
        Ok(true)
    }

    /// Reads the rows of which some columns are kept.
    fn read(
        &mut self,
        reading: Reading,
        first: usize,
        columns: &[u16],
        unit: &mut Packers<'_>,
    ) -> Result<(), Fault> {
        let wide = matches!(reading, Reading::Wide | Reading::WideHigh);
        let rows = &mut self.rows[..columns.len()];
        if columns.iter().all(|&columns| columns != 0) {
            return unit.dst_rows().read(first, wide, rows);
        }
        let wanted = (columns.iter().enumerate()).filter(|(_, &columns)| columns != 0);
        for (row, _) in wanted {
            unit.dst_rows()
                .read(first + row, wide, &mut rows[row..row + 1])?;
        }
        Ok(())
    }

    /// Appends converted rows to the output; returns whether it did.
    fn push(
        &mut self,
        format: Format,
        accumulates: bool,
        count: usize,
        output: &mut Output,
        unit: &mut Packers<'_>,
    ) -> Result<bool, Fault> {
        let rows = &self.rows[..count];
        let bits = format.bits().unwrap_or(32);
        let bytes = &mut self.bytes[..count * COLUMNS * bits as usize / 8];
        if format.is_block() {
            let mut exponents = [0; FACE];
            blocks(self.level, bits, rows, bytes, &mut exponents[..count]);
            output.push_blocks(bytes, &exponents[..count], unit.l1)?;
            return Ok(true);
        }
        store(self.level, bits as usize / 8, rows, bytes);
        if accumulates {
            let Ok(stored) = unit.l1.read(output.address(), bytes.len()) else {
                return Ok(false);
            };
            let addend = match format {
                Format::FP32 => Addend::Fp32,
                Format::FP16 => Addend::Fp16,
                _ => Addend::Bf16,
            };
            add(self.level, addend, stored, bytes);
        }
        output.push_sums(bytes, unit.l1)?;
        Ok(true)
    }
}

#[cfg(test)]
mod tests;
