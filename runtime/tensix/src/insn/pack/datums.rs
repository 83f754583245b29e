//! PACR datum by datum, as documented; [`super::rows`] is tested against it.

use super::addresses::Source;
use super::unit::Memory;
use crate::arith::spec::bits;
use crate::arith::spec::packer::early::{Reading, Type};
use crate::arith::{Row, COLUMNS};
use crate::state::dst_rows::DstRows;
use crate::state::histogram::Histogram;
use crate::state::l1::L1;
use crate::state::packer::{Configured, Datapath, Output, Position};
use crate::trap::Fault;

/// Datum addresses in Dst have 14 bits.
const DST_MASK: u32 = 0x3FFF;

/// The work of one packer.
pub(super) struct Task<'a> {
    pub(super) source: Source,
    pub(super) datums: u32,
    pub(super) settings: &'a Configured,
    /// Whether exponents are counted.
    pub(super) counts: bool,
}

/// The state of a packer that datums change.
pub(super) struct Progress<'a> {
    pub(super) position: &'a mut Position,
    pub(super) histogram: &'a mut Histogram,
    pub(super) output: &'a mut Output,
}

/// Packs the datums of a packer after the first `done`, which are whole rows.
#[inline]
pub(super) fn run(
    task: &Task<'_>,
    done: u32,
    progress: &mut Progress<'_>,
    memory: &mut Memory<'_>,
) -> Result<(), Fault> {
    match done == task.datums {
        true => Ok(()),
        false => pack(task, done, progress, memory),
    }
}

fn pack(
    task: &Task<'_>,
    done: u32,
    progress: &mut Progress<'_>,
    memory: &mut Memory<'_>,
) -> Result<(), Fault> {
    let Configured { path, masks, .. } = task.settings;
    let mut row = None;
    let mut downsample = path.downsample;
    for k in done..task.datums {
        let x = match task.source {
            Source::Dst { first } => {
                let (index, kept) = (first + k, masks.columns_at(*progress.position));
                let column = index as usize % COLUMNS;
                if column == 0 {
                    row = None;
                }
                masks.advance(progress.position, 1);
                let x = if kept >> column & 1 == 0 {
                    path.masked(masks.to_infinity())?
                } else {
                    let row: Row = match row {
                        Some(row) => row,
                        None => *row.insert(fetch(index, path, memory.dst_rows())?),
                    };
                    path.early.apply(path.typ, row[column])
                };
                path.check_relu(x)?;
                let activated = path.relu.apply(path.kind, x);
                progress
                    .histogram
                    .update(path.kind, &[activated], task.counts);
                activated
            }
            Source::L1 { address, width } => fetch_l1(address + k * width, width, path, memory.l1)?,
            Source::Null => 0,
        };
        let x = path.threshold.map_or(x, |threshold| threshold.apply(x));
        let stays = downsample & 1 != 0;
        downsample = downsample.rotate_right(1);
        if stays {
            path.check_late(x)?;
            progress.output.push(path.late.apply(x), memory.l1)?;
        }
    }
    Ok(())
}

/// Reads the row of Dst that contains datum `index`.
pub(super) fn fetch(index: u32, path: &Datapath, mut dst: DstRows<'_>) -> Result<Row, Fault> {
    let row = ((index & DST_MASK) / COLUMNS as u32) as usize;
    Ok(match path.reading {
        Reading::Wide => dst.read32(row)?.map(bits::fp32_from_dst),
        Reading::WideHigh => dst.read32(row)?.map(|x| x >> 16),
        Reading::Bf16 => dst
            .read16(row)?
            .map(|x| u32::from(bits::bf16_from_dst(x)) << 16),
        Reading::Fp16 => dst.read16(row)?.map(|x| bits::fp16_from_dst(x).into()),
        Reading::Narrow => dst.read16(row)?.map(u32::from),
    })
}

/// Reads a datum from L1 into the form in which the packer holds it.
fn fetch_l1(address: u32, width: u32, path: &Datapath, l1: &mut L1) -> Result<u32, Fault> {
    let bytes = l1.read(address, width as usize)?;
    let x = bytes
        .iter()
        .rev()
        .fold(0, |x, &byte| x << 8 | u32::from(byte));
    Ok(match path.typ {
        Type::Bf16 => x << 16,
        Type::Fp8 => x << 8,
        _ => x,
    })
}
