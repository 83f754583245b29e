//! MVMUL: Dst[8x16] += SrcB[8x16] @ SrcA[16x16], one fidelity phase; GAPOOL: the same of four rows. MVMUL can take a single row of
//! SrcB for every other one of seven rows of Dst, the rest of which stays.

use tessera_isa_tensix::table::{Gapool, Mvmul};

use super::setup::{aligned, Arithmetic, Setup};
use super::{apply_addr_mod, dst, handover};
use crate::banks::Src;
use crate::core_state::CoreState;
use crate::model::Model;
use crate::numerics::fast::{self, Level, Prepared};
use crate::numerics::fpu::{Mode, Phase};
use crate::regs::{Row, COLUMNS, SRC_ROWS};
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
    let b_row = match rows {
        Rows::Broadcast => rwc.src_b.value as usize,
        _ => aligned("SrcB", rwc.src_b.value as usize, BLOCK)?,
    };
    let block = Places {
        first,
        step,
        count,
        a_row,
        b_row,
    };
    match (core.model, setup.arithmetic) {
        (Model::Fast(level), Arithmetic::Floats(mode))
            if step == 1 && core.regs.dst.has_blocks(mode.dst32) =>
        {
            multiply_fast(level, mode, &setup, &block, core)?
        }
        _ => multiply_as_reference(&setup, &block, core)?,
    }
    handover::flip(core, thread, clear_dvalid)?;
    apply_addr_mod(core, thread, addr_mode, true)
}

/// Rows of Dst and the first ones of the sources; if Dst's are apart, all get products of the same row of SrcB.
struct Places {
    first: usize,
    step: usize,
    count: usize,
    a_row: usize,
    b_row: usize,
}

fn multiply_as_reference(setup: &Setup, at: &Places, core: &mut CoreState) -> Result<(), Fault> {
    let b_count = if at.step == 1 { at.count } else { 1 };
    let b = setup.source(core, Src::B, at.b_row, b_count)?;
    let b: [Row; BLOCK] = std::array::from_fn(|m| b[m % b_count]);
    let a = setup.source(core, Src::A, at.a_row, COLUMNS)?;
    let a = std::array::from_fn(|k| a[k]);
    let accumulator = setup.arithmetic.accumulator();
    let places = || (0..at.count).map(|m| at.first + m * at.step);
    let mut sums = [[0; COLUMNS]; BLOCK];
    for (sums, row) in sums.iter_mut().zip(places()) {
        *sums = dst::read(core, accumulator, row)?;
    }
    setup
        .arithmetic
        .multiply(setup.phase, &a, &b[..at.count], &mut sums);
    for (sums, row) in sums.iter().zip(places()) {
        dst::write(core, accumulator, row, *sums);
    }
    Ok(())
}

fn multiply_fast(
    level: Level,
    mode: Mode,
    setup: &Setup,
    at: &Places,
    core: &mut CoreState,
) -> Result<(), Fault> {
    let prepared = prepare(level, (mode, setup.phase), setup, at.a_row, core)?;
    core.note_dst_block(at.first, at.count, mode.dst32, true);
    let (file, bank) = (&core.regs.src[1], core.banks.matrix_bank(Src::B));
    let b = setup.rows(file, bank, Src::B, at.b_row, at.count)?;
    let dst = core.regs.dst.block(at.first, at.count, mode.dst32, true)?;
    let a = &core.prepared.0[prepared].1;
    match b.first_chunk() {
        Some(b) => fast::multiply(level, a, b, dst),
        None => fast::multiply(level, a, &std::array::from_fn(|m| b[m % at.count]), dst),
    }
    Ok(())
}

/// What sixteen rows of SrcA are prepared of: the bank, its version and the first row, mode and phase.
type PreparedOf = (usize, u64, usize, (Mode, Phase));

/// Rows of SrcA as the fast model has them: those of each sixteen rows and phase that were prepared last.
#[derive(Clone, Debug, Default)]
pub(crate) struct PreparedRows(Vec<(Option<PreparedOf>, Prepared)>);

/// Places for prepared rows.
const PLACES: usize = Phase::ALL.len() * SRC_ROWS / COLUMNS;

/// Sees to it that rows of SrcA are prepared, which mostly they were for a product before; gives their place.
fn prepare(
    level: Level,
    how: (Mode, Phase),
    setup: &Setup,
    a_row: usize,
    core: &mut CoreState,
) -> Result<usize, Fault> {
    let bank = core.banks.matrix_bank(Src::A);
    let of = Some((bank, core.regs.src(Src::A).version(bank), a_row, how));
    let place = (a_row / COLUMNS * Phase::ALL.len() + how.1.index() as usize) % PLACES;
    if core
        .prepared
        .0
        .get(place)
        .is_some_and(|(last, _)| *last == of)
    {
        return Ok(place);
    }
    let (file, prepared) = (core.regs.src(Src::A), &mut core.prepared.0);
    let rows = setup.rows(file, bank, Src::A, a_row, COLUMNS)?;
    prepared.resize_with(PLACES, Default::default);
    let (last, a) = &mut prepared[place];
    fast::prepare(level, how, rows, a);
    *last = of;
    Ok(place)
}
