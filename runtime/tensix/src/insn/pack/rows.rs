//! Packing whole rows of Dst for common pairs of formats: 32 bits unchanged, BF16 rounded, BFP8
//! through BF16.

use super::addresses::Source;
use super::datums::{fetch, Task};
use super::unit::Packers;
use crate::arith::spec::format::Format;
use crate::arith::spec::packer::early::{EarlyConversion, Type};
use crate::arith::spec::packer::late::LateConversion;
use crate::arith::spec::packer::relu::Relu;
use crate::arith::{Row, COLUMNS};
use crate::state::l1::L1;
use crate::state::model::Model;
use crate::state::packer::{Output, Packer};
use crate::trap::Fault;

/// The supported pairs of formats.
#[derive(Clone, Copy)]
enum Pair {
    /// FP32 or INT32.
    Words,
    Bf16,
    Bfp8,
}

/// Packs the datums of a packer, if whole rows can be packed and the model is the fast one; returns
/// whether it did.
pub(super) fn run(
    task: &Task,
    packer: &mut Packer,
    output: &mut Output,
    unit: &mut Packers<'_>,
) -> Result<bool, Fault> {
    let (Model::Fast(_), Some(pair), Source::Dst { first }) = (unit.model, pair(task), task.source)
    else {
        return Ok(false);
    };
    let whole = |n: u32| n as usize % COLUMNS == 0;
    if !(whole(first) && whole(task.datums) && task.masks.keep_all() && output.is_between_blocks())
    {
        return Ok(false);
    }
    let mut lines = Lines::default();
    for row in (first..first + task.datums).step_by(COLUMNS) {
        let datums = middle(task, fetch(row, &task.path, unit.dst_rows())?);
        packer
            .histogram
            .update(task.path.kind, &datums, task.path.counts);
        match pair {
            Pair::Words => lines.push(&bytes::<4, 64>(&datums, |x| x.to_le_bytes())),
            Pair::Bf16 => lines.push(&bytes::<2, 32>(&datums, |x| {
                ((x >> 16) as u16).to_le_bytes()
            })),
            Pair::Bfp8 => {
                let of_block = |x| LateConversion::Block8From8.apply(x) as u16;
                output.push_block(datums.map(of_block), unit.l1)?;
            }
        }
        if lines.is_full() {
            lines.flush(output, unit.l1)?;
        }
        task.masks.advance(&mut packer.position, COLUMNS as u32);
    }
    lines.flush(output, unit.l1)?;
    Ok(true)
}

/// Rows to be appended to an output, at most a face.
struct Lines {
    bytes: [u8; 16 * 64],
    filled: usize,
}

impl Default for Lines {
    fn default() -> Self {
        Lines {
            bytes: [0; 16 * 64],
            filled: 0,
        }
    }
}

impl Lines {
    fn push(&mut self, row: &[u8]) {
        self.bytes[self.filled..][..row.len()].copy_from_slice(row);
        self.filled += row.len();
    }

    /// Returns whether there may be no space for another row.
    fn is_full(&self) -> bool {
        self.filled + 64 > self.bytes.len()
    }

    fn flush(&mut self, output: &mut Output, l1: &mut L1) -> Result<(), Fault> {
        output.push_bytes(&self.bytes[..self.filled], l1)?;
        self.filled = 0;
        Ok(())
    }
}

fn pair(task: &Task) -> Option<Pair> {
    let path = &task.path;
    if !path.is_plain() {
        return None;
    }
    match (path.early, path.typ, path.late) {
        // FP32 with ReLU is handled datum by datum.
        (EarlyConversion::Identity, Type::Bits32, LateConversion::Identity)
            if path.relu == Relu::Off =>
        {
            Some(Pair::Words)
        }
        (
            EarlyConversion::Round8 | EarlyConversion::RoundNarrow8,
            Type::Bf16,
            LateConversion::Bf16 { .. },
        ) => Some(Pair::Bf16),
        (
            EarlyConversion::Round8 | EarlyConversion::RoundNarrow8,
            Type::Bf16,
            LateConversion::Block8From8,
        ) if path.out == Format::BFP8 => Some(Pair::Bfp8),
        _ => None,
    }
}

/// Performs the early conversion and the ReLU of a row.
fn middle(task: &Task, row: Row) -> Row {
    let path = &task.path;
    let early = |x| match path.early {
        EarlyConversion::Identity => x,
        // Rounding to BF16 does not depend on the width of Dst.
        _ => EarlyConversion::Round8.apply(Type::Bf16, x),
    };
    match path.relu {
        Relu::Zero => row.map(|x| Relu::Zero.apply(path.kind, early(x))),
        _ => row.map(early),
    }
}

/// Returns the bytes of sixteen datums, `N` of each.
fn bytes<const N: usize, const ALL: usize>(row: &Row, of: impl Fn(u32) -> [u8; N]) -> [u8; ALL] {
    let mut bytes = [0; ALL];
    for (place, &datum) in bytes.chunks_exact_mut(N).zip(row) {
        place.copy_from_slice(&of(datum));
    }
    bytes
}

#[cfg(test)]
mod tests;
