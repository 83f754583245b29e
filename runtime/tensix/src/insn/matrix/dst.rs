//! Rows of Dst in the accumulator's format, IEEE order.

use crate::arith::spec::bits;
use crate::arith::spec::fpu::Accumulator;
use crate::arith::Row;
use crate::state::core_state::CoreState;
use crate::trap::Fault;

/// Reads a row.
pub(super) fn read(core: &mut CoreState, format: Accumulator, row: usize) -> Result<Row, Fault> {
    match format {
        Accumulator::F32 => Ok(core.dst_rows().read32(row)?.map(bits::fp32_from_dst)),
        Accumulator::Bf16 => Ok(core
            .dst_rows()
            .read16(row)?
            .map(|x| bits::bf16_from_dst(x).into())),
        Accumulator::Fp16 => Ok(core
            .dst_rows()
            .read16(row)?
            .map(|x| bits::fp16_from_dst(x).into())),
    }
}

/// Writes a row.
pub(super) fn write(core: &mut CoreState, format: Accumulator, row: usize, datums: Row) {
    match format {
        Accumulator::F32 => core
            .dst_rows()
            .write32(row, datums.map(bits::dst_from_fp32)),
        Accumulator::Bf16 => core
            .dst_rows()
            .write16(row, datums.map(|x| bits::dst_from_bf16(x as u16))),
        Accumulator::Fp16 => core
            .dst_rows()
            .write16(row, datums.map(|x| bits::dst_from_fp16(x as u16))),
    }
}
