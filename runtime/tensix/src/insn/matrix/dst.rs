//! Rows of Dst in the accumulator's format, IEEE order.

use crate::arith::spec::bits;
use crate::arith::spec::fpu::Accumulator;
use crate::arith::Row;
use crate::state::dst_rows::DstRows;
use crate::trap::Fault;

/// Reads a row.
pub(super) fn read(rows: &mut DstRows, format: Accumulator, row: usize) -> Result<Row, Fault> {
    match format {
        Accumulator::F32 => Ok(rows.read32(row)?.map(bits::fp32_from_dst)),
        Accumulator::Bf16 => Ok(rows.read16(row)?.map(|x| bits::bf16_from_dst(x).into())),
        Accumulator::Fp16 => Ok(rows.read16(row)?.map(|x| bits::fp16_from_dst(x).into())),
    }
}

/// Writes a row.
pub(super) fn write(rows: &mut DstRows, format: Accumulator, row: usize, datums: Row) {
    match format {
        Accumulator::F32 => rows.write32(row, datums.map(bits::dst_from_fp32)),
        Accumulator::Bf16 => rows.write16(row, datums.map(|x| bits::dst_from_bf16(x as u16))),
        Accumulator::Fp16 => rows.write16(row, datums.map(|x| bits::dst_from_fp16(x as u16))),
    }
}
