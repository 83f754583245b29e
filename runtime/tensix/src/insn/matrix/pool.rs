//! GMPOOL: the maximum of each column over sixteen SrcA rows and a row of Dst. (GAPOOL, the sum, is
//! in `multiply`.) [`crate::arith::spec::pool`] has the comparison.
//!
//! With indices, a 32-bit Dst also receives the index of the maximum among the first eight rows.
//! The index is scrambled as in hardware and placed above the number of groups of eight pooled so
//! far. For TF32 and integers, Dst receives the index alone. The three rows below hold what the
//! functional model computes; the text calls that "zero or garbage".

use tessera_isa_tensix::table::Gmpool;

use super::handover;
use super::setup::{aligned, Setup};
use super::unit::MatrixUnit;
use crate::arith::fast;
use crate::arith::spec::fpu::SrcStyle;
use crate::arith::spec::pool::{next_eight, DstFormat, Pooling, SrcReading};
use crate::arith::{Row, COLUMNS};
use crate::state::banks::Src;
use crate::state::dst_rows::DstRows;
use crate::state::matrix::Arithmetic;
use crate::state::model::Model;
use crate::state::row32::Row32;
use crate::trap::Fault;

/// Rows of Dst that are written: the first gets the maximum, the others zero.
const ROWS: usize = 4;

/// The value of a row marked by ZEROACC: less than any datum.
const MARKED: u32 = u32::MAX;

pub(super) fn gmpool(i: &Gmpool, thread: usize, unit: &mut MatrixUnit) -> Result<(), Fault> {
    if i.instr_mod19 == 0 {
        return Err(Fault::undefined(
            "GMPOOL with instr_mod19 = 0; the documentation has 1",
        ));
    }
    let setup = Setup::read(unit, thread, i.dst)?;
    let (pooling, wide) = formats(setup.arithmetic, i.max_pool_index_en != 0);
    let dst_row = aligned("Dst", setup.dst_row, ROWS)?;
    let rwc = &unit.rwcs[thread];
    let (a_row, b_row) = (rwc.src_a.value as usize, rwc.src_b.value as usize);
    let a_row = aligned("SrcA", a_row, COLUMNS)?;
    *unit.last_src_a_row = Some(a_row);
    let b_row = aligned("SrcB", b_row, 8)?;
    let [a_bank, b_bank] = [Src::A, Src::B].map(|src| unit.banks.matrix_bank(src));
    let [a, b] = &*unit.src;
    let scales = match setup.arithmetic {
        Arithmetic::Floats(_) => &setup.rows(b, b_bank, Src::B, b_row, 1)?[0],
        // For integers SrcB may have any format.
        Arithmetic::Integers(_) => b.row(b_bank, b_row)?,
    };
    let keeps_indices = pooling.indices && wide;
    let level = match unit.model {
        Model::Fast(level) if !keeps_indices && unit.dst.holds_four(dst_row, wide) => Some(level),
        _ => None,
    };
    if let Some(level) = level {
        let rows = setup.rows(a, a_bank, Src::A, a_row, COLUMNS)?;
        let rows = rows.first_chunk().expect("these are sixteen rows");
        let (high, low) = unit.dst.four(dst_row, wide);
        fast::pool::pool(level, pooling, rows, scales, high, low);
        unit.access.dst_read.insert_dst_block(dst_row, 1, wide);
        unit.access.dst_write.insert_dst_block(dst_row, ROWS, wide);
    } else {
        let (dst, access) = (&mut *unit.dst, &mut *unit.access);
        let held = read(&mut DstRows { dst, access }, dst_row, wide)?;
        let rows = setup.rows(a, a_bank, Src::A, a_row, COLUMNS)?;
        let first = maxima(unit.model, pooling, (rows, scales), &held);
        write_rows(first, keeps_indices, (dst_row, wide), unit)?;
    }
    handover::flip(unit.banks, unit.config, thread, i.clear_dvalid)?;
    unit.apply_addr_mod(thread, i.addr_mode)
}

/// Returns the formats of a pooling, and whether Dst has 32 bits.
fn formats(arithmetic: Arithmetic, indices: bool) -> (Pooling, bool) {
    let Arithmetic::Floats(mode) = arithmetic else {
        let pooling = Pooling {
            from: SrcReading::Integers,
            to: DstFormat::Integers,
            indices,
        };
        return (pooling, true);
    };
    let to = match (mode.style, mode.dst32, indices) {
        (SrcStyle::Tf32, _, true) => DstFormat::Integers,
        (_, true, false) => DstFormat::Tf32,
        (SrcStyle::Fp16, ..) => DstFormat::Fp16,
        _ => DstFormat::Bf16,
    };
    let pooling = Pooling {
        from: SrcReading::Floats(mode.style),
        to,
        indices,
    };
    (pooling, mode.dst32)
}

/// Returns the maxima of columns of rows of SrcA, scaled by SrcB, and of a row of Dst.
fn maxima(model: Model, pooling: Pooling, (rows, scales): (&[Row], &Row), held: &Row) -> Row {
    match (model, rows.first_chunk()) {
        (Model::Fast(level), Some(rows)) => fast::pool::maxima(level, pooling, rows, scales, held),
        _ => std::array::from_fn(|column| {
            pooling.column(held[column], |row| (rows[row][column], scales[row]))
        }),
    }
}

/// Writes the maxima to the first row; the other rows become zero, or keep their index.
fn write_rows(
    first: Row,
    keeps_indices: bool,
    (dst_row, wide): (usize, bool),
    unit: &mut MatrixUnit,
) -> Result<(), Fault> {
    for row in 0..ROWS {
        let datums = match (row, keeps_indices) {
            (0, _) => first,
            (_, false) => [0; COLUMNS],
            (_, true) => read(&mut unit.dst_rows(), dst_row + row, true)?.map(next_eight),
        };
        match wide {
            true => unit.dst_rows().write32(dst_row + row, datums),
            false => unit
                .dst_rows()
                .write16(dst_row + row, datums.map(|x| (x >> 16) as u16)),
        }
    }
    Ok(())
}

/// Returns a row of Dst as stored; 16 bits are in the upper halves.
fn read(rows: &mut DstRows, row: usize, wide: bool) -> Result<Row, Fault> {
    let (held, place) = match wide {
        true => (rows.read32(row)?, Row32::new(row).halves()[0]),
        false => (rows.read16(row)?.map(|x| u32::from(x) << 16), row),
    };
    Ok(match rows.dst.is_marked(place, wide) {
        true => [MARKED; COLUMNS],
        false => held,
    })
}
