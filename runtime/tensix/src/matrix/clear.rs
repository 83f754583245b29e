//! ZEROACC marks Dst rows so that they read as zero; ZEROSRC clears banks of SrcA or SrcB.

use std::ops::Range;

use tessera_isa_tensix::table::{Zeroacc, Zerosrc};

use super::apply_addr_mod;
use crate::banks::Src;
use crate::core_state::CoreState;
use crate::formats::{dst_is_32bit, dst_row};
use crate::numerics::bits::SRC_MASK;
use crate::regs::Row32;
use crate::trap::Fault;

/// 16-bit rows of Dst.
const ROWS: usize = 1024;

pub(super) fn zeroacc(i: &Zeroacc, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    let wide = i.clear_mode & 4 != 0;
    let group = (i.dst & 0xFF) as usize;
    match i.clear_mode & 3 {
        0 => {
            let row = dst_row(core, thread, i.dst);
            if dst_is_32bit(core, thread)? {
                mark(core, Row32::new(row).halves());
            } else {
                mark(core, [row]);
            }
        }
        // Groups beyond the end are allowed and do nothing but advance the counters.
        1 if wide && group < 32 => {
            (0..16).for_each(|r| mark(core, Row32::new(group * 16 + r).halves()))
        }
        1 if !wide && group < 64 => mark(core, group * 16..group * 16 + 16),
        1 => {}
        2 => mark(
            core,
            if i.dst & 1 != 0 {
                ROWS / 2..ROWS
            } else {
                0..ROWS / 2
            },
        ),
        _ => mark(core, 0..ROWS),
    }
    if i.clear_mode & 3 <= 1 {
        apply_addr_mod(core, thread, i.addr_mode, true)?;
    }
    Ok(())
}

fn mark(core: &mut CoreState, rows: impl IntoIterator<Item = usize>) {
    for row in rows {
        core.regs.dst.mark16(row);
        core.access.dst_write.insert(row);
    }
}

/// ZEROSRC waits for no bank; a kernel that clears one while an unpacker writes it gets what the hardware happens to do. That is not
/// checked.
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
