//! MVMUL (`MVMUL.md`): one fidelity phase of `Dst[8x16] += SrcB[8x16] @ SrcA[16x16]`. GAPOOL does
//! the same for four rows. MVMUL can also broadcast one row of SrcB to every other of seven rows of
//! Dst; the rows between them stay unchanged.

use tessera_isa_tensix::cfg;
use tessera_isa_tensix::table::{Gapool, Mvmul};

use super::setup::{aligned, Setup};
use super::unit::MatrixUnit;
use super::{dst, handover};
use crate::arith::fast::{self, DecodedRowsA, DecodedRowsB, Level, Part, Sums};
use crate::arith::spec::fpu::{Mode, Phase, SrcStyle};
use crate::arith::{Row, COLUMNS};
use crate::state::access::RowSet;
use crate::state::addr_mod::AddrMod;
use crate::state::banks::Src;
use crate::state::matrix::{Arithmetic, OperandCache};
use crate::state::model::Model;
use crate::state::regs::{SrcFile, SRC_ROWS};
use crate::state::rwc::DST_MASK;
use crate::trap::Fault;

/// Alignment of the first row of SrcB.
const BLOCK: usize = 8;

/// Which rows of SrcB and Dst an instruction uses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rows {
    Eight,
    /// The upper four of eight rows of SrcB.
    Four,
    /// One row of SrcB for four rows of Dst.
    Broadcast,
}

impl Rows {
    /// Returns the distance of the rows of Dst and their number.
    #[inline(always)]
    fn of_dst(self) -> (usize, usize) {
        match self {
            Rows::Eight => (1, 8),
            Rows::Four => (1, 4),
            Rows::Broadcast => (2, 4),
        }
    }
}

/// MVMUL: multiplies rows of SrcB with the matrix in SrcA. Consecutive ones with the same settings
/// are executed by [`MvmulBatch`] instead.
pub(super) fn mvmul(i: &Mvmul, thread: usize, unit: &mut MatrixUnit) -> Result<(), Fault> {
    let operands = [i.dst, i.clear_dvalid, i.addr_mode];
    match i.instr_mod19 {
        0 => multiply(Rows::Eight, operands, thread, unit),
        _ => multiply_broadcast(operands, thread, unit),
    }
}

#[inline(never)]
fn multiply_broadcast(
    operands: [u32; 3],
    thread: usize,
    unit: &mut MatrixUnit,
) -> Result<(), Fault> {
    multiply(Rows::Broadcast, operands, thread, unit)
}

pub(super) fn gapool(i: &Gapool, thread: usize, unit: &mut MatrixUnit) -> Result<(), Fault> {
    // The documentation requires instr_mod19 = 0 and LLK passes 1; GAPOOL has only one mode.
    if i.max_pool_index_en != 0 {
        return Err(Fault::undefined(
            "GAPOOL with indices (max_pool_index_en = 1); sums have none",
        ));
    }
    multiply(
        Rows::Four,
        [i.dst, i.clear_dvalid, i.addr_mode],
        thread,
        unit,
    )
}

#[inline(always)] // The rows are constants.
fn multiply(
    rows: Rows,
    [dst, clear_dvalid, addr_mode]: [u32; 3],
    thread: usize,
    unit: &mut MatrixUnit,
) -> Result<(), Fault> {
    let setup = Setup::read(unit, thread, dst)?;
    let (step, count) = rows.of_dst();
    let first = match rows {
        // The pseudo code masks the row with 7 rows as if that were a power of two.
        Rows::Broadcast if setup.dst_row & 6 != 0 => {
            return Err(Fault::unmodelled(format!(
                "MVMUL of a broadcast row to Dst row {}, of which bits 1 and 2 must be clear; \
                 check the row counters",
                setup.dst_row
            )))
        }
        Rows::Broadcast => setup.dst_row,
        _ => aligned("Dst", setup.dst_row, count)?,
    };
    let rwc = &unit.rwcs[thread];
    let a_row = aligned("SrcA", rwc.src_a.value as usize, COLUMNS)?;
    *unit.last_src_a_row = Some(a_row);
    let b_row = match rows {
        Rows::Broadcast => rwc.src_b.value as usize,
        _ => aligned("SrcB", rwc.src_b.value as usize, BLOCK)?,
    };
    let block = BlockRows {
        first,
        step,
        count,
        a_row,
        b_row,
    };
    match (unit.model, setup.arithmetic) {
        (Model::Fast(level), Arithmetic::Floats(mode))
            if step == 1 && unit.dst.has_blocks(mode.dst32) =>
        {
            unit.dst_rows()
                .note_block(block.first, count, mode.dst32, true);
            multiply_fast(level, mode, &setup, &block, unit)?;
        }
        _ => multiply_as_reference(&{ setup }, &{ block }, unit)?,
    }
    handover::flip(unit.banks, unit.config, thread, clear_dvalid)?;
    unit.apply_addr_mod(thread, addr_mode)
}

/// State shared by consecutive MVMULs of one thread.
pub(crate) struct MvmulBatch {
    level: Level,
    mode: Mode,
    setup: Setup,
    /// Added to the row counters to get the row of Dst and the fidelity phase.
    dst_row: u32,
    phase: u32,
    /// Slots of the operand cache that this batch has already validated, one bit each. Nothing
    /// changes their rows during the batch.
    validated: [u32; 2],
}

impl MvmulBatch {
    /// Starts a batch for a thread that could execute an MVMUL now. Returns `None` if the fast
    /// model does not support the configuration.
    pub(crate) fn new(unit: &mut MatrixUnit, thread: usize) -> Option<MvmulBatch> {
        let Model::Fast(level) = unit.model else {
            return None;
        };
        // Errors are reported when an MVMUL is executed on its own.
        let setup = Setup::read(unit, thread, 0).ok()?;
        let Arithmetic::Floats(mode) = setup.arithmetic else {
            return None;
        };
        let rwc = &unit.rwcs[thread];
        let has_blocks = unit.dst.has_blocks(mode.dst32);
        has_blocks.then(|| MvmulBatch {
            level,
            mode,
            dst_row: (setup.dst_row as u32).wrapping_sub(rwc.dst.value),
            phase: unit.config.thread(thread, cfg::FIDELITY_BASE_Phase),
            validated: [0; 2],
            setup,
        })
    }

    /// Executes an MVMUL if it can belong to the batch, and returns its first row of Dst. The rows
    /// that it accesses are not recorded.
    #[inline]
    pub(crate) fn execute_next(
        &mut self,
        i: &Mvmul,
        thread: usize,
        unit: &mut MatrixUnit,
    ) -> Option<usize> {
        let rwc = &unit.rwcs[thread];
        let first = self.dst_row.wrapping_add(i.dst + rwc.dst.value) & DST_MASK;
        let [a_row, b_row] = [rwc.src_a.value, rwc.src_b.value];
        let unaligned = ((first | b_row) as usize % BLOCK) | (a_row as usize % COLUMNS);
        if unaligned != 0 || i.instr_mod19 | i.clear_dvalid != 0 {
            return None;
        }
        let mode = AddrMod::select(unit.config, thread, rwc, i.addr_mode).ok()?;
        self.setup.phase = Phase::new(rwc.fidelity + self.phase);
        let block = BlockRows {
            first: first as usize,
            step: 1,
            count: BLOCK,
            a_row: a_row as usize,
            b_row: b_row as usize,
        };
        self.multiply(&block, unit).ok()?;
        *unit.last_src_a_row = Some(block.a_row);
        unit.rwcs[thread].apply(mode, true);
        Some(block.first)
    }

    /// Does what [`multiply_fast`] does, but validates each slot of the operand cache only once.
    #[inline(always)]
    fn multiply(&mut self, at: &BlockRows, unit: &mut MatrixUnit) -> Result<(), Fault> {
        let phase = self.setup.phase;
        let places = cache_slots([at.a_row, at.b_row], phase);
        let bits = places.map(|place| 1 << place);
        if (self.validated[0] & bits[0] != 0) & (self.validated[1] & bits[1] != 0) {
            let dst = unit.dst.block(at.first, at.count, self.mode.dst32, true)?;
            if let Some((a, b, sums)) = unit.operand_cache.get(self.mode.style, places) {
                fast::multiply(self.level, (self.mode, phase), a, b, sums, dst);
                return Ok(());
            }
        }
        if self.multiply_anew(at, unit)? {
            (0..2).for_each(|k| self.validated[k] |= bits[k]);
        }
        Ok(())
    }

    #[inline(never)] // Most slots are validated.
    fn multiply_anew(&self, at: &BlockRows, unit: &mut MatrixUnit) -> Result<bool, Fault> {
        multiply_fast(self.level, self.mode, &self.setup, at, unit)
    }

    /// Adds the rows of Dst that an MVMUL accesses from row `first` on.
    pub(crate) fn note_rows(&self, first: usize, rows: &mut RowSet) {
        rows.insert_dst_block(first, BLOCK, self.mode.dst32);
    }
}

/// The rows of Dst and the first rows of the sources. If `step` is not 1, all rows of Dst use the
/// same row of SrcB.
#[derive(Clone, Copy)]
struct BlockRows {
    first: usize,
    step: usize,
    count: usize,
    a_row: usize,
    b_row: usize,
}

#[inline(never)] // Its rows would make a large frame.
fn multiply_as_reference(
    setup: &Setup,
    at: &BlockRows,
    unit: &mut MatrixUnit,
) -> Result<(), Fault> {
    let b_count = if at.step == 1 { at.count } else { 1 };
    let b = setup.source(unit, Src::B, at.b_row, b_count)?;
    let b: [Row; BLOCK] = std::array::from_fn(|m| b[m % b_count]);
    let a = setup.source(unit, Src::A, at.a_row, COLUMNS)?;
    let a = std::array::from_fn(|k| a[k]);
    let accumulator = setup.arithmetic.accumulator();
    let places = || (0..at.count).map(|m| at.first + m * at.step);
    let mut sums = [[0; COLUMNS]; BLOCK];
    for (sums, row) in sums.iter_mut().zip(places()) {
        *sums = dst::read(&mut unit.dst_rows(), accumulator, row)?;
    }
    setup
        .arithmetic
        .multiply(setup.phase, &a, &b[..at.count], &mut sums);
    for (sums, row) in sums.iter().zip(places()) {
        dst::write(&mut unit.dst_rows(), accumulator, row, *sums);
    }
    Ok(())
}

/// Returns whether the operand cache could be used.
#[inline(always)] // The setup would be in memory.
fn multiply_fast(
    level: Level,
    mode: Mode,
    setup: &Setup,
    at: &BlockRows,
    unit: &mut MatrixUnit,
) -> Result<bool, Fault> {
    let [a_bank, b_bank] = [Src::A, Src::B].map(|src| unit.banks.matrix_bank(src));
    let [a_file, b_file] = &*unit.src;
    let a = setup.rows(a_file, a_bank, Src::A, at.a_row, COLUMNS)?;
    let b = setup.rows(b_file, b_bank, Src::B, at.b_row, at.count)?;
    let dst = unit.dst.block(at.first, at.count, mode.dst32, true)?;
    let a = a.first_chunk().expect("these are sixteen rows");
    let how = (mode, setup.phase);
    if level.has_fma() {
        let key = |file: &SrcFile, bank: usize| {
            let few = bank << 8 | at.count << 4 | mode.style as usize;
            Some(file.version(bank) << 16 | few as u64)
        };
        let keys = [key(a_file, a_bank), key(b_file, b_bank)];
        let places = cache_slots([at.a_row, at.b_row], setup.phase);
        unit.operand_cache
            .fill(level, (mode.style, setup.phase), places, keys, (a, b));
        if let Some((a, b, sums)) = unit.operand_cache.get(mode.style, places) {
            fast::multiply(level, how, a, b, sums, dst);
            return Ok(true);
        }
    }
    fast::multiply_integers(level, how, a, &repeated(b), dst);
    Ok(false)
}

/// Returns eight rows, given these or half of them.
#[inline(never)] // Most operands are decoded already.
fn repeated(rows: &[Row]) -> [Row; BLOCK] {
    std::array::from_fn(|m| rows[m % rows.len()])
}

/// Returns the slots of the operand cache for blocks that begin at these rows of SrcA and SrcB.
#[inline(always)]
fn cache_slots([a_row, b_row]: [usize; 2], phase: Phase) -> [usize; 2] {
    let [part_a, part_b] = Part::for_phase(phase);
    [
        a_row / COLUMNS * 2 + part_a as usize,
        b_row / BLOCK * 2 + part_b as usize,
    ]
}

impl OperandCache {
    /// Decodes the rows for two slots, unless the slots already hold them.
    #[inline(always)]
    fn fill(
        &mut self,
        level: Level,
        (style, phase): (SrcStyle, Phase),
        [a_place, b_place]: [usize; 2],
        [a_key, b_key]: [Option<u64>; 2],
        (a, b): (&[Row; COLUMNS], &[Row]),
    ) {
        if self.a.is_empty() {
            self.a.resize_with(SRC_ROWS / COLUMNS * 2, Default::default);
            self.b.resize_with(SRC_ROWS / BLOCK * 2, Default::default);
        }
        let [a_part, b_part] = Part::for_phase(phase);
        let (last, columns) = &mut self.a[a_place];
        if *last != a_key {
            *last = a_key;
            fast::decode_a(level, (style, a_part), a, columns);
        }
        let (last, lines) = &mut self.b[b_place];
        if *last != b_key {
            *last = b_key;
            fast::decode_b(level, (style, b_part), &repeated(b), lines);
        }
    }

    /// Returns the contents of two slots, if the fused path supports their ranges.
    #[inline(always)]
    fn get(
        &mut self,
        style: SrcStyle,
        [a, b]: [usize; 2],
    ) -> Option<(&DecodedRowsA, &DecodedRowsB, &mut Sums)> {
        let (columns, lines) = (&self.a[a].1, &self.b[b].1);
        fast::fits(style, columns, lines).then_some((columns, lines, &mut self.sums))
    }
}
