//! ELWADD, ELWSUB, ELWMUL: 8x16 elements of SrcA with 8x16 of SrcB, of which a row or column 0 may be broadcast.

use tessera_isa_tensix::table::{Elwadd, Elwmul, Elwsub};

use super::setup::{aligned, Arithmetic, Setup};
use super::{apply_addr_mod, dst, handover};
use crate::banks::Src;
use crate::core_state::CoreState;
use crate::numerics::fpu::Operation;
use crate::regs::{Row, COLUMNS};
use crate::trap::Fault;

const ROWS: usize = 8;

/// The operands, which all three have in the same places.
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

pub(super) fn elwadd(i: &Elwadd, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    run(&operands!(Operation::Add, i), thread, core)
}

pub(super) fn elwsub(i: &Elwsub, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    run(&operands!(Operation::Subtract, i), thread, core)
}

pub(super) fn elwmul(i: &Elwmul, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    run(&operands!(Operation::Multiply, i), thread, core)
}

fn run(i: &Operands, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    let setup = Setup::read(core, thread, i.dst)?;
    setup.refuse_denormals(core, thread)?;
    refuse(i, &setup)?;
    let dst_row = aligned("Dst", setup.dst_row, ROWS)?;
    let rwc = core.regs.rwcs[thread];
    let a_row = aligned("SrcA", rwc.src_a.value as usize, ROWS)?;
    core.regs.last_src_a_row = Some(a_row);
    let a = eight(setup.source(core, Src::A, a_row, ROWS)?);
    let b = second_source(i, &setup, core, rwc.src_b.value as usize)?;
    let accumulator = setup.arithmetic.accumulator();
    let mut results = [[0; COLUMNS]; ROWS];
    let accumulate = i.accumulate || i.operation == Operation::Multiply;
    if accumulate {
        for (m, held) in results.iter_mut().enumerate() {
            *held = dst::read(core, accumulator, dst_row + m)?;
        }
    }
    setup
        .arithmetic
        .elementwise(i.operation, setup.phase, &a, &b, &mut results);
    for (m, results) in results.iter().enumerate() {
        dst::write(core, accumulator, dst_row + m, *results);
    }
    handover::flip(core, thread, i.clear_dvalid)?;
    apply_addr_mod(core, thread, i.addr_mode, true);
    Ok(())
}

fn refuse(i: &Operands, setup: &Setup) -> Result<(), Fault> {
    if i.operation == Operation::Multiply && i.accumulate {
        return Err(Fault::undefined(
            "ELWMUL with dest_accum_en; it always accumulates, leave the bit clear",
        ));
    }
    let divides = i.operation != Operation::Multiply && setup.phase.index() != 0;
    if divides && matches!(setup.arithmetic, Arithmetic::Floats(_)) {
        return Err(Fault::unmodelled(format!(
            "ELWADD or ELWSUB in fidelity phase {}, which divides the result; clear the phase first",
            setup.phase.index()
        )));
    }
    Ok(())
}

/// SrcB's 8x16 elements after broadcasting.
fn second_source(
    i: &Operands,
    setup: &Setup,
    core: &CoreState,
    row: usize,
) -> Result<[Row; ROWS], Fault> {
    let mut b: [Row; ROWS] = if i.broadcast_row {
        [setup.source(core, Src::B, row, 1)?[0]; ROWS]
    } else {
        let row = aligned("SrcB", row, ROWS)?;
        eight(setup.source(core, Src::B, row, ROWS)?)
    };
    if i.broadcast_column {
        b = b.map(|row| [row[0]; COLUMNS]);
    }
    Ok(b)
}

fn eight(rows: &[Row]) -> [Row; ROWS] {
    std::array::from_fn(|m| rows[m])
}
