//! ZEROACC marks Dst rows so that they read as zero; ZEROSRC clears banks of SrcA or SrcB.
//!
//! On Blackhole, ZEROACC names a group of sixteen rows within the half of Dst that the thread works
//! on, unless `zeroacc_absolute_tile_mode` is set. No page says how the half is determined. ttsim
//! 1.10.0 derives it from the thread's offset and row counter. The hardware first adds the group's
//! number, which makes a difference where the sum reaches 512. This was measured on a p150 with a
//! 16-bit Dst (tt-metal, pull request 54295), and the model follows it; with a 32-bit Dst such sums
//! trap, because nothing was measured.
//!
//! With `clear_zero_flags`, Blackhole takes the marks back: the rows hold what was written to them
//! before. LLK does so before it moves 32-bit datums (`_llk_math_eltwise_unary_datacopy_`; tt-llk,
//! issue 1069), always for sixteen 32-bit rows. ttsim 1.10.0 refuses other uses, and so does the
//! model.
//!
//! Groups and halves are places in the storage, independent of the layout of rows. For a single
//! 16-bit row under a layout, ttsim takes the number as the row, and the page (of Wormhole B0,
//! which has no layouts) as the place: that traps.

use std::ops::Range;

use tessera_isa_tensix::table::{Zeroacc, Zerosrc};
use tessera_isa_tensix::{cfg, Arch};

use super::unit::MatrixUnit;
use crate::arith::spec::bits::SRC_MASK;
use crate::state::banks::Src;
use crate::state::config::Config;
use crate::state::dst_layout::Layout;
use crate::state::dst_rows::{arrange_dst, DstRows};
use crate::state::formats::{dst_is_32bit, dst_row};
use crate::state::histogram::Histogram;
use crate::state::packer::Packer;
use crate::state::regs::Dst;
use crate::state::row32::Row32;
use crate::state::rwc::Rwc;
use crate::trap::Fault;

/// Number of 16-bit rows of Dst.
const ROWS: usize = 1024;
/// Number of rows within which a layout permutes places.
const LAID_OUT: usize = 64;

pub(super) fn zeroacc(i: &Zeroacc, thread: usize, unit: &mut MatrixUnit) -> Result<(), Fault> {
    arrange_dst(unit.dst, unit.config, thread);
    let (mode, wide) = match unit.config.arch() {
        Arch::WormholeB0 => (i.clear_mode & 3, i.clear_mode & 4 != 0),
        Arch::Blackhole => (i.clear_mode, i.use_32_bit_mode != 0),
    };
    let takes_back = i.clear_zero_flags != 0;
    if takes_back && (mode, wide) != (1, true) {
        return Err(Fault::undefined(
            "ZEROACC with clear_zero_flags, which takes marks back, of other than sixteen 32-bit \
             rows; use clear_mode 1 with use_32_bit_mode, or clear the field",
        ));
    }
    match mode {
        0 => one_row(i.dst, thread, unit)?,
        1 => {
            if let Some(group) = group(i.dst, wide, thread, (unit.config, unit.rwcs))? {
                let change = if takes_back {
                    Dst::unmark_place
                } else {
                    Dst::mark_place
                };
                change_group(unit.dst_rows(), group, wide, change);
            }
        }
        2 if i.dst & 1 != 0 => change_places(unit.dst_rows(), ROWS / 2..ROWS, Dst::mark_place),
        2 => change_places(unit.dst_rows(), 0..ROWS / 2, Dst::mark_place),
        _ => change_places(unit.dst_rows(), 0..ROWS, Dst::mark_place),
    }
    match mode {
        0 | 1 => unit.apply_addr_mod(thread, i.addr_mode),
        _ => Ok(()),
    }
}

fn one_row(dst: u32, thread: usize, unit: &mut MatrixUnit) -> Result<(), Fault> {
    let row = dst_row(unit.config, unit.rwcs, thread, dst);
    if dst_is_32bit(unit.config, unit.check_policy, thread)? {
        let row = Row32::new(row);
        unit.dst.mark32(row);
        unit.access.dst_write.extend(row.halves());
        return Ok(());
    }
    if unit.dst.layout().remap {
        return Err(Fault::unmodelled(
            "ZEROACC of a 16-bit row while DEST_ACCESS_CFG_remap_addrs is set: the sources \
             disagree on which one is meant; clear a group",
        ));
    }
    unit.dst.mark16(row);
    unit.access.dst_write.insert(row);
    Ok(())
}

/// Returns the group of sixteen rows that an instruction names, if it exists.
fn group(
    dst: u32,
    wide: bool,
    thread: usize,
    (config, rwcs): (&Config, &[Rwc; 3]),
) -> Result<Option<usize>, Fault> {
    let count = if wide { 32 } else { 64 };
    if config.arch() == Arch::WormholeB0 {
        // Groups beyond the end are allowed and only advance the counters.
        let group = dst & 0xFF;
        return Ok((group < count).then_some(group as usize));
    }
    let mut group = dst;
    if config.get(thread, cfg::DEST_ACCESS_CFG_zeroacc_absolute_tile_mode) == 0 {
        let upper = if wide { 0x300 } else { 0x200 };
        let half_of = |row: u32| u32::from(row & upper != 0);
        let offset = dst_row(config, rwcs, thread, 0) as u32;
        let half = half_of(offset + dst);
        if wide && half != half_of(offset) {
            return Err(Fault::unmodelled(format!(
                "ZEROACC of group {dst} with a 32-bit Dst after row {offset}, which together \
                 reach the other half of Dst; clear the group in another way"
            )));
        }
        group += half * count / 2;
    }
    if group >= count {
        return Err(Fault::undefined(format!(
            "ZEROACC of group {group} of sixteen rows of Dst, which has {count}"
        )));
    }
    Ok(Some(group as usize))
}

/// A function that marks a place of Dst or takes the mark back.
type Change = fn(&mut Dst, usize);

/// Changes the marks of a group of sixteen rows.
fn change_group(dst_rows: DstRows, group: usize, wide: bool, change: Change) {
    let rows = group * 16..group * 16 + 16;
    if dst_rows.dst.layout() != Layout::default() {
        // The layout determines which of these rows they are.
        let place = if wide { 2 * rows.start } else { rows.start };
        let first = place / LAID_OUT * LAID_OUT;
        dst_rows.access.dst_write.extend(first..first + LAID_OUT);
    }
    match wide {
        true => change_places(
            dst_rows,
            rows.flat_map(|row| Row32::new(row).halves()),
            change,
        ),
        false => change_places(dst_rows, rows, change),
    }
}

fn change_places(rows: DstRows, places: impl IntoIterator<Item = usize>, change: Change) {
    for place in places {
        change(rows.dst, place);
        rows.access.dst_write.insert(place);
    }
}

/// ZEROSRC does not wait for a bank. Clearing a bank while an unpacker writes it is undefined and
/// not checked.
pub(super) fn zerosrc(i: &Zerosrc, unit: &mut MatrixUnit) -> Result<(), Fault> {
    let least = if i.zero_val != 0 { SRC_MASK } else { 0 };
    for (bit, (src, datum)) in [(Src::A, least), (Src::B, 0)].into_iter().enumerate() {
        if i.src_mask >> bit & 1 == 0 {
            continue;
        }
        let banks = match (i.bank_mask != 0, i.write_mode != 0) {
            (true, _) => 0..2,
            (false, true) => one(unit.banks.matrix_bank(src)),
            (false, false) => one(unit.banks.unpacker_bank(src)),
        };
        banks.for_each(|bank| unit.src_mut(src).fill(bank, datum));
    }
    Ok(())
}

fn one(bank: usize) -> Range<usize> {
    bank..bank + 1
}

/// CLREXPHIST: forgets the exponents that the packers have counted.
pub(super) fn clrexphist(packers: &mut [Packer]) -> Result<(), Fault> {
    for packer in packers {
        packer.histogram = Histogram::default();
    }
    Ok(())
}
