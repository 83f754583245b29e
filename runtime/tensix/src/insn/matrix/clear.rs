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

use super::apply_addr_mod;
use crate::arith::spec::bits::SRC_MASK;
use crate::state::banks::Src;
use crate::state::core_state::CoreState;
use crate::state::dst_rows::arrange_dst;
use crate::state::formats::{dst_is_32bit, dst_row};
use crate::state::histogram::Histogram;
use crate::state::packer::Packer;
use crate::state::regs::{Dst, Layout};
use crate::state::row32::Row32;
use crate::trap::Fault;

/// Number of 16-bit rows of Dst.
const ROWS: usize = 1024;
/// Number of rows within which a layout permutes places.
const LAID_OUT: usize = 64;

pub(super) fn zeroacc(i: &Zeroacc, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    arrange_dst(&mut core.regs.dst, &core.config, thread);
    let (mode, wide) = match core.arch {
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
        0 => one_row(i.dst, thread, core)?,
        1 => {
            if let Some(group) = group(i.dst, wide, thread, core)? {
                let change = if takes_back {
                    Dst::unmark_place
                } else {
                    Dst::mark_place
                };
                change_group(core, group, wide, change);
            }
        }
        2 if i.dst & 1 != 0 => change_places(core, ROWS / 2..ROWS, Dst::mark_place),
        2 => change_places(core, 0..ROWS / 2, Dst::mark_place),
        _ => change_places(core, 0..ROWS, Dst::mark_place),
    }
    match mode {
        0 | 1 => apply_addr_mod(core, thread, i.addr_mode, true),
        _ => Ok(()),
    }
}

fn one_row(dst: u32, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    let row = dst_row(&core.config, &core.regs.rwcs, thread, dst);
    if dst_is_32bit(&core.config, core.check_policy, thread)? {
        let row = Row32::new(row);
        core.regs.dst.mark32(row);
        core.access.dst_write.extend(row.halves());
        return Ok(());
    }
    if core.regs.dst.layout().remap {
        return Err(Fault::unmodelled(
            "ZEROACC of a 16-bit row while DEST_ACCESS_CFG_remap_addrs is set: the sources \
             disagree on which one is meant; clear a group",
        ));
    }
    core.regs.dst.mark16(row);
    core.access.dst_write.insert(row);
    Ok(())
}

/// Returns the group of sixteen rows that an instruction names, if it exists.
fn group(dst: u32, wide: bool, thread: usize, core: &CoreState) -> Result<Option<usize>, Fault> {
    let count = if wide { 32 } else { 64 };
    if core.arch == Arch::WormholeB0 {
        // Groups beyond the end are allowed and only advance the counters.
        let group = dst & 0xFF;
        return Ok((group < count).then_some(group as usize));
    }
    let mut group = dst;
    if core
        .config
        .get(thread, cfg::DEST_ACCESS_CFG_zeroacc_absolute_tile_mode)
        == 0
    {
        let upper = if wide { 0x300 } else { 0x200 };
        let half_of = |row: u32| u32::from(row & upper != 0);
        let offset = dst_row(&core.config, &core.regs.rwcs, thread, 0) as u32;
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
fn change_group(core: &mut CoreState, group: usize, wide: bool, change: Change) {
    let rows = group * 16..group * 16 + 16;
    if core.regs.dst.layout() != Layout::default() {
        // The layout determines which of these rows they are.
        let place = if wide { 2 * rows.start } else { rows.start };
        let first = place / LAID_OUT * LAID_OUT;
        core.access.dst_write.extend(first..first + LAID_OUT);
    }
    match wide {
        true => change_places(core, rows.flat_map(|row| Row32::new(row).halves()), change),
        false => change_places(core, rows, change),
    }
}

fn change_places(core: &mut CoreState, places: impl IntoIterator<Item = usize>, change: Change) {
    for place in places {
        change(&mut core.regs.dst, place);
        core.access.dst_write.insert(place);
    }
}

/// ZEROSRC does not wait for a bank. Clearing a bank while an unpacker writes it is undefined and
/// not checked.
pub(super) fn zerosrc(i: &Zerosrc, core: &mut CoreState) -> Result<(), Fault> {
    let least = if i.zero_val != 0 { SRC_MASK } else { 0 };
    for (bit, (src, datum)) in [(Src::A, least), (Src::B, 0)].into_iter().enumerate() {
        if i.src_mask >> bit & 1 == 0 {
            continue;
        }
        let banks = match (i.bank_mask != 0, i.write_mode != 0) {
            (true, _) => 0..2,
            (false, true) => one(core.banks.matrix_bank(src)),
            (false, false) => one(core.banks.unpacker_bank(src)),
        };
        banks.for_each(|bank| core.regs.src_mut(src).fill(bank, datum));
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
