//! MVMUL: Dst[8x16] += SrcB[8x16] @ SrcA[16x16], one fidelity phase; GAPOOL: the same of four rows. MVMUL can take a single row of
//! SrcB for every other one of seven rows of Dst, the rest of which stays.

use tessera_isa_tensix::table::{Gapool, Mvmul};

use super::setup::{aligned, Setup};
use super::{apply_addr_mod, dst, handover};
use crate::banks::Src;
use crate::core_state::CoreState;
use crate::regs::COLUMNS;
use crate::trap::Fault;

/// Rows of SrcB of which a block's first must be the first.
const BLOCK: usize = 8;

/// Which rows take part.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rows {
    Eight,
    /// The upper half of eight rows of SrcB.
    Four,
    /// One row of SrcB, four of Dst.
    Broadcast,
}

impl Rows {
    /// How far apart those of Dst are, and how many there are.
    fn of_dst(self) -> (usize, usize) {
        match self {
            Rows::Eight => (1, 8),
            Rows::Four => (1, 4),
            Rows::Broadcast => (2, 4),
        }
    }
}

pub(super) fn mvmul(i: &Mvmul, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    let rows = match i.instr_mod19 {
        0 => Rows::Eight,
        _ => Rows::Broadcast,
    };
    multiply(rows, [i.dst, i.clear_dvalid, i.addr_mode], thread, core)
}

pub(super) fn gapool(i: &Gapool, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    // The documentation wants 0 in instr_mod19, LLK gives 1, and there is one way to pool.
    if i.max_pool_index_en != 0 {
        return Err(Fault::undefined(
            "GAPOOL with indices (max_pool_index_en = 1); sums have none",
        ));
    }
    multiply(
        Rows::Four,
        [i.dst, i.clear_dvalid, i.addr_mode],
        thread,
        core,
    )
}

fn multiply(
    rows: Rows,
    [dst, clear_dvalid, addr_mode]: [u32; 3],
    thread: usize,
    core: &mut CoreState,
) -> Result<(), Fault> {
    let setup = Setup::read(core, thread, dst)?;
    setup.refuse_denormals(core, thread)?;
    let (step, count) = rows.of_dst();
    let first = match rows {
        // The documentation has the bits of 7 rows masked as if they were a power of two.
        Rows::Broadcast if setup.dst_row & 6 != 0 => {
            return Err(Fault::unmodelled(format!(
                "MVMUL of a broadcast row to Dst row {}, of which bits 1 and 2 must be clear; check the row counters",
                setup.dst_row
            )))
        }
        Rows::Broadcast => setup.dst_row,
        _ => aligned("Dst", setup.dst_row, count)?,
    };
    let rwc = core.regs.rwcs[thread];
    let a_row = aligned("SrcA", rwc.src_a.value as usize, COLUMNS)?;
    core.regs.last_src_a_row = Some(a_row);
    let b_row = rwc.src_b.value as usize;
    let b = match rows {
        Rows::Broadcast => [setup.source(core, Src::B, b_row, 1)?[0]; BLOCK],
        _ => {
            let rows = setup.source(core, Src::B, aligned("SrcB", b_row, BLOCK)?, count)?;
            std::array::from_fn(|m| rows[m % count])
        }
    };
    let a = setup.source(core, Src::A, a_row, COLUMNS)?;
    let a = std::array::from_fn(|k| a[k]);
    let accumulator = setup.arithmetic.accumulator();
    let mut sums = [[0; COLUMNS]; BLOCK];
    for (m, sums) in sums[..count].iter_mut().enumerate() {
        *sums = dst::read(core, accumulator, first + m * step)?;
    }
    setup
        .arithmetic
        .multiply(setup.phase, &a, &b[..count], &mut sums);
    for (m, sums) in sums[..count].iter().enumerate() {
        dst::write(core, accumulator, first + m * step, *sums);
    }
    handover::flip(core, thread, clear_dvalid)?;
    apply_addr_mod(core, thread, addr_mode, true);
    Ok(())
}
