//! Moves of four or eight rows at once, in vector instructions of the host.
//!
//! [`super::row_moves`] and [`super::sources`] are the specification, row by row. They also execute,
//! or refuse, what is not supported here: single rows, skipped columns, rows of Dst that are read
//! and do not hold datums, unaligned rows and the reference model. All of this is checked before
//! datums are moved.
//!
//! Settings are cached for a version of the configuration. The words that were read for them are
//! recorded for each instruction.

use tessera_isa_tensix::table::{Mova2d, Movb2d, Movd2a, Movd2b, Movdbga2d};

use super::columns::SkippedColumns;
use super::row_moves::{self, flushes, src_row, Move};
use super::setup::{bank_format, DisputedBits};
use super::unit::MatrixUnit;
use crate::arith::fast::moves::{Conversion, DstPart};
use crate::arith::fast::{self, Level};
use crate::arith::spec::format::Format;
use crate::arith::spec::fpu::SrcStyle;
use crate::arith::Row;
use crate::state::banks::Src;
use crate::state::cached::Cached;
use crate::state::dst_layout::Layout;
use crate::state::dst_rows::configured_layout;
use crate::state::formats::dst_row_base;
use crate::state::matrix::{BlockMove, Route};
use crate::state::model::Model;
use crate::state::rwc::DST_MASK;
use crate::trap::Fault;

/// The number of rows that a move from Dst or to SrcA can move.
const FOUR: usize = 4;

#[inline]
pub(super) fn mova2d(i: &Mova2d, thread: usize, mut unit: MatrixUnit) -> Result<(), Fault> {
    let rows = Rows {
        which: Src::A,
        low: i.dest_32b_lo != 0,
        src: i.src,
        dst: i.dst,
        read: 8,
        written: 8,
        column: false,
    };
    match i.instr_mod == 2 && to_dst(&rows, thread, &mut unit).is_some() {
        true => unit.apply_addr_mod(thread, i.addr_mode),
        false => row_moves::mova2d(i, thread, &mut { unit }),
    }
}

/// MOVDBGA2D: MOVA2D for debuggers, which reads the bank whoever owns it.
#[inline]
pub(super) fn movdbga2d(i: &Movdbga2d, thread: usize, unit: MatrixUnit) -> Result<(), Fault> {
    let like = Mova2d {
        dest_32b_lo: i.dest_32b_lo,
        src: i.src,
        addr_mode: i.addr_mode,
        instr_mod: i.instr_mod,
        dst: i.dst,
    };
    mova2d(&like, thread, unit)
}

#[inline]
pub(super) fn movb2d(i: &Movb2d, thread: usize, mut unit: MatrixUnit) -> Result<(), Fault> {
    let (read, written) = match (i.instr_mod & 2 != 0, i.instr_mod & 4 != 0) {
        (true, _) => (1, 8),
        (false, true) => (FOUR, FOUR),
        (false, false) => return row_moves::movb2d(i, thread, &mut { unit }),
    };
    let rows = Rows {
        which: Src::B,
        low: i.dest_32b_lo != 0,
        src: i.src,
        dst: i.dst,
        read,
        written,
        column: i.instr_mod & 1 != 0,
    };
    match to_dst(&rows, thread, &mut unit) {
        Some(()) => unit.apply_addr_mod(thread, i.addr_mode),
        None => row_moves::movb2d(i, thread, &mut { unit }),
    }
}

#[inline]
pub(super) fn movd2a(i: &Movd2a, thread: usize, mut unit: MatrixUnit) -> Result<(), Fault> {
    let rows = (i.src, i.dst, i.dest_32b_lo != 0);
    match i.instr_mod == 2 && from_dst(Src::A, rows, thread, &mut unit).is_some() {
        true => unit.apply_addr_mod(thread, i.addr_mode),
        false => row_moves::movd2a(i, thread, &mut { unit }),
    }
}

#[inline]
pub(super) fn movd2b(i: &Movd2b, thread: usize, mut unit: MatrixUnit) -> Result<(), Fault> {
    let rows = (i.src, i.dst, i.dest_32b_lo != 0);
    match i.instr_mod == 2 && from_dst(Src::B, rows, thread, &mut unit).is_some() {
        true => unit.apply_addr_mod(thread, i.addr_mode),
        false => row_moves::movd2b(i, thread, &mut { unit }),
    }
}

/// The rows of a move to Dst.
struct Rows {
    which: Src,
    /// Whether low halves of 32-bit rows are written.
    low: bool,
    /// The immediate rows.
    src: u32,
    dst: u32,
    /// The numbers of rows that are read and written.
    read: usize,
    written: usize,
    /// Whether the first datum of a row is repeated.
    column: bool,
}

/// Moves rows of Src to Dst, if that is supported.
#[inline(always)]
fn to_dst(i: &Rows, thread: usize, unit: &mut MatrixUnit) -> Option<()> {
    let level = level(unit)?;
    let (route, counter) = match i.which {
        Src::A => (Route::AToDst, unit.rwcs[thread].src_a.value),
        Src::B => (Route::BToDst, unit.rwcs[thread].src_b.value),
    };
    let settings = settings((route, i.low), thread, unit)?;
    let from = src_row(counter, i.src);
    let to = dst_row(&settings, i.dst, thread, unit);
    unit.dst.set_layout(settings.layout);
    let is_aligned = from % i.read == 0 && to % i.written == 0;
    if !is_aligned || !unit.dst.has_blocks(settings.wide) {
        return None;
    }
    let bank = unit.banks.matrix_bank(i.which);
    let rows = unit.src[i.which as usize].rows(bank, from, i.read).ok()?;
    if has_any(rows, settings.disputed) {
        return None;
    }
    let dst = unit.dst.block(to, i.written, settings.wide, i.low).ok()?;
    fast::moves::to_dst(level, settings.conversion, i.column, rows, dst);
    (unit.access.dst_write).insert_dst_block(to, i.written, settings.wide);
    if i.low {
        (unit.access.dst_read).insert_dst_block(to, i.written, settings.wide);
    }
    *unit.last_src_a_row = (i.which == Src::A).then_some(from);
    Some(())
}

/// Moves four rows of Dst to Src, if that is supported.
#[inline(always)]
fn from_dst(
    which: Src,
    (src, dst, low): (u32, u32, bool),
    thread: usize,
    unit: &mut MatrixUnit,
) -> Option<()> {
    let level = level(unit)?;
    let (route, counter) = match which {
        Src::A => (Route::DstToA, unit.rwcs[thread].src_a.value),
        Src::B => (Route::DstToB, unit.rwcs[thread].src_b.value),
    };
    let settings = settings((route, low), thread, unit)?;
    let to = src_row(counter, src);
    let from = dst_row(&settings, dst, thread, unit);
    unit.dst.set_layout(settings.layout);
    if (from | to) % FOUR != 0
        || !unit.banks.matrix_may_read(which)
        || !unit.dst.holds_four(from, settings.wide)
    {
        return None;
    }
    let (high, low) = unit.dst.four(from, settings.wide);
    let low: &[_] = match &low {
        Some(low) => *low,
        None => &[],
    };
    let bank = unit.banks.matrix_bank(which);
    let file = &mut unit.src[which as usize];
    fast::moves::from_dst(
        level,
        settings.conversion,
        high,
        low,
        file.four_mut(bank, to),
    );
    file.note_four(bank, to);
    (unit.access.dst_read).insert_dst_block(from, FOUR, settings.wide);
    *unit.last_src_a_row = (which == Src::A).then_some(to);
    Some(())
}

/// Moves four rows of SrcB to SrcA, as MOVB2A does, if that is supported.
#[inline(always)]
pub(super) fn within_src(
    (src_b, src_a): (u32, u32),
    thread: usize,
    unit: &mut MatrixUnit,
) -> Option<()> {
    let level = level(unit)?;
    let settings = settings((Route::BToA, false), thread, unit)?;
    let rwc = &unit.rwcs[thread];
    let from = src_row(rwc.src_b.value, src_b);
    let to = src_row(rwc.src_a.value, src_a);
    if (from | to) % FOUR != 0 || !unit.banks.matrix_may_read(Src::A) {
        return None;
    }
    let [bank_a, bank_b] = [Src::A, Src::B].map(|which| unit.banks.matrix_bank(which));
    let [a, b] = &mut *unit.src;
    let rows = b.four(bank_b, from)?;
    let (flush, disputed) = (settings.conversion.flush, settings.disputed);
    if !fast::moves::within_src(level, flush, disputed, rows, a.four_mut(bank_a, to)) {
        return None;
    }
    a.note_four(bank_a, to);
    *unit.last_src_a_row = Some(to);
    Some(())
}

/// Returns the level of the fast model, if no columns are skipped.
#[inline(always)]
fn level(unit: &mut MatrixUnit) -> Option<Level> {
    match (unit.model, SkippedColumns::read(unit.vector, unit.access)) {
        (Model::Fast(level), skipped) if !skipped.any() => Some(level),
        _ => None,
    }
}

/// Returns the first row of Dst.
#[inline(always)]
fn dst_row(settings: &BlockMove, immediate: u32, thread: usize, unit: &MatrixUnit) -> usize {
    let row = immediate + settings.dst_base + unit.rwcs[thread].dst.value;
    (row & DST_MASK) as usize
}

/// Returns whether any of these bits is set in any datum.
#[inline(always)]
fn has_any(rows: &[Row], bits: u32) -> bool {
    bits != 0 && (rows.as_flattened().iter()).fold(0, |all, datum| all | datum) & bits != 0
}

/// Returns the settings of a move, recomputed if the configuration has changed; `None` if they are
/// refused. The flag is `dest_32b_lo`.
#[inline(always)]
fn settings(
    (route, low): (Route, bool),
    thread: usize,
    unit: &mut MatrixUnit,
) -> Option<BlockMove> {
    let implied = [bank_format((unit.config, unit.banks), route.src())];
    if let Some(known) = &unit.move_cache[thread][route as usize][usize::from(low)] {
        if known.is_valid(unit.config.version(), implied) {
            unit.config.note_reads(&known.reads);
            return Some(known.settings);
        }
    }
    compute_settings((route, low), thread, implied, &mut unit.reborrow())
}

#[cold]
fn compute_settings(
    (route, low): (Route, bool),
    thread: usize,
    implied: [Option<Format>; 1],
    unit: &mut MatrixUnit,
) -> Option<BlockMove> {
    let read = || read_settings((route, low), thread, unit);
    let computed = Cached::compute(unit.config, implied, read).ok()?;
    let settings = computed.settings;
    unit.move_cache[thread][route as usize][usize::from(low)] = Some(computed);
    Some(settings)
}

fn read_settings(
    (route, low): (Route, bool),
    thread: usize,
    unit: &MatrixUnit,
) -> Result<BlockMove, Fault> {
    let sources = (unit.config, &*unit.banks);
    if route == Route::BToA {
        return Ok(BlockMove {
            conversion: Conversion {
                style: SrcStyle::Tf32,
                part: DstPart::Whole,
                flush: flushes(unit.config, thread),
            },
            wide: false,
            disputed: DisputedBits::read(sources, thread, SrcStyle::Tf32)?.mask,
            dst_base: 0,
            layout: Layout::default(),
        });
    }
    let mv = Move::read(unit, thread, route.src(), low.into())?;
    let mv = match route {
        Route::AToDst | Route::BToDst => mv.for_writing_dst()?,
        _ => mv.for_reading_dst()?,
    };
    let disputed = match route {
        Route::BToDst => mv.disputed_bits(unit, thread)?,
        _ => None,
    };
    Ok(BlockMove {
        conversion: Conversion {
            style: mv.style,
            part: match (mv.wide, mv.style, mv.low) {
                (_, _, true) => DstPart::Low,
                (true, SrcStyle::Tf32, false) => DstPart::Whole,
                _ => DstPart::High,
            },
            flush: mv.flush,
        },
        wide: mv.wide,
        disputed: disputed.map_or(0, |disputed| disputed.mask),
        dst_base: dst_row_base(unit.config, thread),
        layout: configured_layout(unit.config, thread),
    })
}
