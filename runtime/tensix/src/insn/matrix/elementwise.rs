//! ELWADD, ELWSUB, ELWMUL: 8x16 elements of SrcA with 8x16 elements of SrcB. A row or column 0 of
//! SrcB can be broadcast.

use tessera_isa_tensix::table::{Elwadd, Elwmul, Elwsub};

use super::setup::{aligned, Setup};
use super::unit::MatrixUnit;
use super::{dst, handover};
use crate::arith::fast::{self, Level};
use crate::arith::spec::fpu::{Mode, Operation};
use crate::arith::{Row, COLUMNS};
use crate::state::banks::Src;
use crate::state::matrix::Arithmetic;
use crate::state::model::Model;
use crate::trap::Fault;

const ROWS: usize = 8;

/// The operands that the three instructions share.
struct Operands {
    operation: Operation,
    clear_dvalid: u32,
    accumulate: bool,
    broadcast_row: bool,
    broadcast_column: bool,
    addr_mode: u32,
    dst: u32,
}

macro_rules! operands {
    ($operation:expr, $i:expr) => {
        Operands {
            operation: $operation,
            clear_dvalid: $i.clear_dvalid,
            accumulate: $i.dest_accum_en != 0,
            broadcast_row: $i.instr_mod19 & 2 != 0,
            broadcast_column: $i.instr_mod19 & 1 != 0,
            addr_mode: $i.addr_mode,
            dst: $i.dst,
        }
    };
}

pub(super) fn elwadd(i: &Elwadd, thread: usize, unit: &mut MatrixUnit) -> Result<(), Fault> {
    run(&operands!(Operation::Add, i), thread, unit)
}

pub(super) fn elwsub(i: &Elwsub, thread: usize, unit: &mut MatrixUnit) -> Result<(), Fault> {
    run(&operands!(Operation::Subtract, i), thread, unit)
}

pub(super) fn elwmul(i: &Elwmul, thread: usize, unit: &mut MatrixUnit) -> Result<(), Fault> {
    run(&operands!(Operation::Multiply, i), thread, unit)
}

fn run(i: &Operands, thread: usize, unit: &mut MatrixUnit) -> Result<(), Fault> {
    let setup = Setup::read(unit, thread, i.dst)?;
    refuse(i, &setup)?;
    let dst_row = aligned("Dst", setup.dst_row, ROWS)?;
    let rwc = &unit.rwcs[thread];
    let b_row = rwc.src_b.value as usize;
    let a_row = aligned("SrcA", rwc.src_a.value as usize, ROWS)?;
    *unit.last_src_a_row = Some(a_row);
    let b_row = match i.broadcast_row {
        true => b_row,
        false => aligned("SrcB", b_row, ROWS)?,
    };
    if i.operation != Operation::Add && setup.keeps_zeros() {
        let (setup, count) = (setup, if i.broadcast_row { 1 } else { ROWS });
        setup.refuse_kept_zeros(setup.source(unit, Src::B, b_row, count)?)?;
    }
    let rows = [dst_row, a_row, b_row];
    match (unit.model, setup.arithmetic) {
        (Model::Fast(level), Arithmetic::Floats(mode)) if unit.dst.has_blocks(mode.dst32) => {
            run_fast(level, mode, i, &setup, rows, unit)?
        }
        _ => run_as_reference(i, &{ setup }, rows, unit)?,
    }
    handover::flip(unit.banks, unit.config, thread, i.clear_dvalid)?;
    unit.apply_addr_mod(thread, i.addr_mode)
}

impl Operands {
    /// Returns whether the result is added to Dst.
    fn accumulates(&self) -> bool {
        self.accumulate || self.operation == Operation::Multiply
    }

    /// Returns eight rows of SrcB, with the first row or the first column broadcast if requested.
    fn broadcast(&self, rows: &[Row]) -> [Row; ROWS] {
        let row = |m: usize| rows[m % rows.len()];
        std::array::from_fn(|m| match self.broadcast_column {
            true => [row(m)[0]; COLUMNS],
            false => row(m),
        })
    }
}

#[inline(always)]
fn run_fast(
    level: Level,
    mode: Mode,
    i: &Operands,
    setup: &Setup,
    [dst_row, a_row, b_row]: [usize; 3],
    unit: &mut MatrixUnit,
) -> Result<(), Fault> {
    let accumulates = i.accumulates();
    unit.dst_rows()
        .note_block(dst_row, ROWS, mode.dst32, accumulates);
    let [a_bank, b_bank] = [Src::A, Src::B].map(|src| unit.banks.matrix_bank(src));
    let [a, b] = &*unit.src;
    let a = setup.rows(a, a_bank, Src::A, a_row, ROWS)?;
    let b_count = if i.broadcast_row { 1 } else { ROWS };
    let b = setup.rows(b, b_bank, Src::B, b_row, b_count)?;
    let dst = unit.dst.block(dst_row, ROWS, mode.dst32, accumulates)?;
    let how = (mode, i.operation, setup.phase, accumulates);
    match (a.first_chunk(), b.first_chunk()) {
        (Some(a), Some(b)) if !i.broadcast_column => fast::elementwise(level, how, a, b, dst),
        _ => run_broadcast(level, how, i, [a, b], dst),
    }
    Ok(())
}

#[inline(never)] // Its rows would make a large frame.
fn run_broadcast(
    level: Level,
    how: fast::Elementwise,
    i: &Operands,
    [a, b]: [&[Row]; 2],
    dst: fast::Halves,
) {
    fast::elementwise(level, how, &eight(a), &i.broadcast(b), dst);
}

#[inline(never)] // As above.
fn run_as_reference(
    i: &Operands,
    setup: &Setup,
    [dst_row, a_row, b_row]: [usize; 3],
    unit: &mut MatrixUnit,
) -> Result<(), Fault> {
    let a = eight(setup.source(unit, Src::A, a_row, ROWS)?);
    let b_count = if i.broadcast_row { 1 } else { ROWS };
    let b = i.broadcast(setup.source(unit, Src::B, b_row, b_count)?);
    let accumulator = setup.arithmetic.accumulator();
    let mut results = [[0; COLUMNS]; ROWS];
    if i.accumulates() {
        for (m, held) in results.iter_mut().enumerate() {
            *held = dst::read(&mut unit.dst_rows(), accumulator, dst_row + m)?;
        }
    }
    setup
        .arithmetic
        .elementwise(i.operation, setup.phase, &a, &b, &mut results);
    for (m, results) in results.iter().enumerate() {
        dst::write(&mut unit.dst_rows(), accumulator, dst_row + m, *results);
    }
    Ok(())
}

#[inline(always)]
fn refuse(i: &Operands, setup: &Setup) -> Result<(), Fault> {
    if i.operation == Operation::Multiply && i.accumulate {
        return Err(Fault::undefined(
            "ELWMUL with dest_accum_en; it always accumulates, leave the bit clear",
        ));
    }
    let divides = i.operation != Operation::Multiply && setup.phase.index() != 0;
    if divides && matches!(setup.arithmetic, Arithmetic::Floats(_)) {
        return Err(Fault::unmodelled(format!(
            "ELWADD or ELWSUB in fidelity phase {}, which divides the result; clear the phase \
             first",
            setup.phase.index()
        )));
    }
    Ok(())
}

fn eight(rows: &[Row]) -> [Row; ROWS] {
    std::array::from_fn(|m| rows[m])
}
