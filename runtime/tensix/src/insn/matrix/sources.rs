//! Moves within the sources: SrcB to SrcA, transposing SrcB, shifting a row of SrcB or rows of
//! SrcA.

use tessera_isa_tensix::cfg;
use tessera_isa_tensix::table::{Movb2a, Shiftxa, Shiftxb};

use super::apply_addr_mod;
use super::columns::SkippedColumns;
use super::moves::{matrix_bank, rows_moved, src_row};
use super::setup::{aligned, DisputedBits};
use crate::arith::spec::bits::SRC_EXPONENT;
use crate::arith::spec::fpu::SrcStyle;
use crate::arith::{Row, COLUMNS};
use crate::state::banks::Src;
use crate::state::core_state::CoreState;
use crate::trap::Fault;

/// Number of rows of SrcB that TRNSPSRCB transposes.
const TRANSPOSED: usize = 16;

/// MOVB2A: moves one row or four; datums with a zero exponent become zero.
pub(super) fn movb2a(i: &Movb2a, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    let rows = rows_moved(i.instr_mod, 4)?;
    let flag = cfg::ALU_ACC_CTRL_Zero_Flag_disabled_src;
    let flush = core.config.get(thread, flag) == 0;
    let rwc = core.regs.rwcs[thread];
    let from = aligned("SrcB", src_row(rwc.src_b.value, i.srcb), rows)?;
    let to = aligned("SrcA", src_row(rwc.src_a.value, i.srca), rows)?;
    let bank = matrix_bank(core, Src::A)?;
    core.regs.last_src_a_row = Some(to);
    let skipped = SkippedColumns::read(core);
    let disputed = DisputedBits::read(core, thread, SrcStyle::Tf32)?;
    for row in 0..rows {
        let datums = *core
            .regs
            .src(Src::B)
            .row(core.banks.matrix_bank(Src::B), from + row)?;
        disputed.refuse(&datums)?;
        let kept = |x: u32| if flush && x & SRC_EXPONENT == 0 { 0 } else { x };
        skipped.write_src(core, Src::A, (bank, to + row), datums.map(kept));
    }
    apply_addr_mod(core, thread, i.addr_mode, true)
}

/// TRNSPSRCB: transposes rows 16 to 31 of SrcB.
pub(super) fn trnspsrcb(core: &mut CoreState) -> Result<(), Fault> {
    let bank = core.banks.matrix_bank(Src::B);
    let before = core.regs.src(Src::B).rows(bank, TRANSPOSED, COLUMNS)?;
    let column = |column: usize| -> Row { std::array::from_fn(|row| before[row][column]) };
    let transposed: [Row; COLUMNS] = std::array::from_fn(column);
    for (row, datums) in transposed.into_iter().enumerate() {
        let target = core.regs.src_mut(Src::B);
        target.write_row(bank, TRANSPOSED + row, datums);
    }
    Ok(())
}

/// SHIFTXB: shifts a row of SrcB by one column to the left; the first datum or zero is shifted in.
pub(super) fn shiftxb(i: &Shiftxb, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    let bank = core.banks.matrix_bank(Src::B);
    let row = src_row(core.regs.rwcs[thread].src_b.value, i.shift_row);
    let mut datums = *core.regs.src(Src::B).row(bank, row)?;
    datums.rotate_left(1);
    if i.rot_shift != 0 {
        datums[COLUMNS - 1] = 0;
    }
    core.regs.src_mut(Src::B).write_row(bank, row, datums);
    apply_addr_mod(core, thread, i.addr_mode, true)
}

/// SHIFTXA: shifts sixteen rows of SrcA by one column to the right or left, into the first sixteen
/// rows; zero is shifted in. Because of a hardware bug, the last instruction that computed a row of
/// SrcA selects the source rows. Moves between SrcB and Dst count as such instructions, but their
/// row is undocumented.
pub(super) fn shiftxa(i: &Shiftxa, core: &mut CoreState) -> Result<(), Fault> {
    let Some(last) = core.regs.last_src_a_row else {
        return Err(Fault::undefined(
            "SHIFTXA where the instruction that chooses its rows is a move between SrcB and Dst, \
             or none; put one that reads SrcA before it",
        ));
    };
    let bank = core.banks.matrix_bank(Src::A);
    let first = last & !(COLUMNS - 1);
    let before = core.regs.src(Src::A).rows(bank, first, COLUMNS)?.to_vec();
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
        core.regs.src_mut(Src::A).write_row(bank, row, datums);
    }
    Ok(())
}
