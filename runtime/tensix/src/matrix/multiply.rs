//! MVMUL: Dst[8x16] += SrcB[8x16] @ SrcA[16x16], one fidelity phase; GAPOOL: the same of four rows.

use tessera_isa_tensix::table::{Gapool, Mvmul};

use super::setup::{aligned, Setup};
use super::{apply_addr_mod, dst, handover};
use crate::banks::Src;
use crate::core_state::CoreState;
use crate::numerics::fpu::Factors;
use crate::regs::COLUMNS;
use crate::trap::Fault;

/// Rows of Dst and SrcB taken, and those of which SrcB's first must be the first.
const ROWS: usize = 8;
/// Those that GAPOOL takes.
const POOLED: usize = 4;

pub(super) fn mvmul(i: &Mvmul, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    if i.instr_mod19 != 0 {
        return Err(Fault::unmodelled(
            "MVMUL with a broadcast SrcB row (instr_mod19 = 1); unpack the row eight times",
        ));
    }
    multiply::<ROWS>([i.dst, i.clear_dvalid, i.addr_mode], thread, core)
}

/// The upper half of eight rows of SrcB.
pub(super) fn gapool(i: &Gapool, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    // The documentation wants 0 in instr_mod19, LLK gives 1, and there is one way to pool.
    if i.max_pool_index_en != 0 {
        return Err(Fault::undefined(
            "GAPOOL with indices (max_pool_index_en = 1); sums have none",
        ));
    }
    multiply::<POOLED>([i.dst, i.clear_dvalid, i.addr_mode], thread, core)
}

fn multiply<const COUNT: usize>(
    [dst, clear_dvalid, addr_mode]: [u32; 3],
    thread: usize,
    core: &mut CoreState,
) -> Result<(), Fault> {
    let setup = Setup::read(core, thread, dst, COUNT)?;
    let rwc = core.regs.rwcs[thread];
    let a_row = aligned("SrcA", rwc.src_a.value as usize, COLUMNS)?;
    let b_row = aligned("SrcB", rwc.src_b.value as usize, ROWS)?;
    let (mode, phase) = (setup.mode, setup.phase);
    let mut b = [Factors::default(); COUNT];
    for (factors, row) in b.iter_mut().zip(setup.source(core, Src::B, b_row, COUNT)?) {
        *factors = mode.factors_b(row, phase);
    }
    let mut a = [Factors::default(); COLUMNS];
    for (factors, row) in a
        .iter_mut()
        .zip(setup.source(core, Src::A, a_row, COLUMNS)?)
    {
        *factors = mode.factors_a(row, phase);
    }
    for (m, factors) in b.iter().enumerate() {
        let held = dst::read(core, mode.accumulator(), setup.dst_row + m)?;
        let sums = mode.dot(phase, &a, factors, &held);
        dst::write(core, mode.accumulator(), setup.dst_row + m, sums);
    }
    handover::flip(core, thread, clear_dvalid)?;
    apply_addr_mod(core, thread, addr_mode, true);
    Ok(())
}
