//! Moves within the sources: SrcB to SrcA, transposing SrcB, shifting a row of SrcB or rows of
//! SrcA.

use tessera_isa_tensix::table::{Movb2a, Shiftxa, Shiftxb};

use super::columns::SkippedColumns;
use super::moves::within_src;
use super::row_moves::{flushes, matrix_bank, rows_moved, src_row};
use super::setup::{aligned, DisputedBits};
use super::unit::MatrixUnit;
use crate::arith::spec::bits::SRC_EXPONENT;
use crate::arith::spec::fpu::SrcStyle;
use crate::arith::{Row, COLUMNS};
use crate::state::banks::Src;
use crate::trap::Fault;

/// Number of rows of SrcB that TRNSPSRCB transposes.
const TRANSPOSED: usize = 16;

/// MOVB2A: moves one row or four; datums with a zero exponent become zero.
#[inline]
pub(super) fn movb2a(i: &Movb2a, thread: usize, mut unit: MatrixUnit) -> Result<(), Fault> {
    match i.instr_mod == 2 && within_src((i.srcb, i.srca), thread, &mut unit).is_some() {
        true => unit.apply_addr_mod(thread, i.addr_mode),
        false => movb2a_by_rows(i, thread, &mut { unit }),
    }
}

fn movb2a_by_rows(i: &Movb2a, thread: usize, unit: &mut MatrixUnit) -> Result<(), Fault> {
    let rows = rows_moved(i.instr_mod, 4)?;
    let flush = flushes(unit.config, thread);
    let rwc = unit.rwcs[thread];
    let from = aligned("SrcB", src_row(rwc.src_b.value, i.srcb), rows)?;
    let to = aligned("SrcA", src_row(rwc.src_a.value, i.srca), rows)?;
    let bank = matrix_bank(unit.banks, Src::A)?;
    *unit.last_src_a_row = Some(to);
    let skipped = SkippedColumns::read(unit.vector, unit.access);
    let disputed = DisputedBits::read((unit.config, unit.banks), thread, SrcStyle::Tf32)?;
    for row in 0..rows {
        let datums = *unit
            .src(Src::B)
            .row(unit.banks.matrix_bank(Src::B), from + row)?;
        disputed.refuse(&datums)?;
        let kept = |x: u32| if flush && x & SRC_EXPONENT == 0 { 0 } else { x };
        skipped.write_src(unit.src_mut(Src::A), (bank, to + row), datums.map(kept));
    }
    unit.apply_addr_mod(thread, i.addr_mode)
}

/// TRNSPSRCB: transposes rows 16 to 31 of SrcB.
pub(super) fn trnspsrcb(unit: &mut MatrixUnit) -> Result<(), Fault> {
    let bank = unit.banks.matrix_bank(Src::B);
    let before = unit.src(Src::B).rows(bank, TRANSPOSED, COLUMNS)?;
    let column = |column: usize| -> Row { std::array::from_fn(|row| before[row][column]) };
    let transposed: [Row; COLUMNS] = std::array::from_fn(column);
    for (row, datums) in transposed.into_iter().enumerate() {
        unit.src_mut(Src::B)
            .write_row(bank, TRANSPOSED + row, datums);
    }
    Ok(())
}

/// SHIFTXB: shifts a row of SrcB by one column to the left; the first datum or zero is shifted in.
pub(super) fn shiftxb(i: &Shiftxb, thread: usize, unit: &mut MatrixUnit) -> Result<(), Fault> {
    let bank = unit.banks.matrix_bank(Src::B);
    let row = src_row(unit.rwcs[thread].src_b.value, i.shift_row);
    let mut datums = *unit.src(Src::B).row(bank, row)?;
    datums.rotate_left(1);
    if i.rot_shift != 0 {
        datums[COLUMNS - 1] = 0;
    }
    unit.src_mut(Src::B).write_row(bank, row, datums);
    unit.apply_addr_mod(thread, i.addr_mode)
}

/// SHIFTXA: shifts sixteen rows of SrcA by one column to the right or left, into the first sixteen
/// rows; zero is shifted in. Because of a hardware bug, the last instruction that computed a row of
/// SrcA selects the source rows. Moves between SrcB and Dst count as such instructions, but their
/// row is undocumented.
pub(super) fn shiftxa(i: &Shiftxa, unit: &mut MatrixUnit) -> Result<(), Fault> {
    let Some(last) = *unit.last_src_a_row else {
        return Err(Fault::undefined(
            "SHIFTXA where the instruction that chooses its rows is a move between SrcB and Dst, \
             or none; put one that reads SrcA before it",
        ));
    };
    let bank = unit.banks.matrix_bank(Src::A);
    let first = last & !(COLUMNS - 1);
    let before = unit.src(Src::A).rows(bank, first, COLUMNS)?.to_vec();
    for (row, mut datums) in before.into_iter().enumerate() {
        match i.shift_mode {
            2 => {
                datums.rotate_right(1);
                datums[0] = 0;
            }
            3 => {
                datums.rotate_left(1);
                datums[COLUMNS - 1] = 0;
            }
            other => {
                return Err(Fault::undefined(format!(
                    "SHIFTXA in mode {other}; 2 shifts to the right, 3 to the left"
                )))
            }
        }
        unit.src_mut(Src::A).write_row(bank, row, datums);
    }
    Ok(())
}
