//! UNPACR: moves datums of a tile to rows of SrcA or SrcB.

use tessera_isa_tensix::cfg;
use tessera_isa_tensix::table::Unpacr;

use super::address::{Transfer, DATUM_BYTES};
use super::nop::{hand_over, row_base};
use crate::adc::Axis;
use crate::banks::Src;
use crate::core_state::CoreState;
use crate::numerics::bits::src_from_bf16;
use crate::regs::{Row, COLUMNS};
use crate::trap::Fault;

/// Rows of a bank.
const ROWS: u32 = 64;

pub(super) fn unpacr(i: &Unpacr, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    refuse(i)?;
    let transfer = Transfer::resolve(i, thread, core)?;
    copy(&transfer, i.zero_write2 != 0, thread, core)?;
    advance(i, &transfer, thread, core);
    let src = Src::of_unpacker(transfer.unpacker);
    if i.set_dat_valid != 0 {
        return hand_over(core, src, thread);
    }
    if core.config.get(
        thread,
        cfg::THCON_REG2_Unpack_Src_Reg_Set_Upd.at(transfer.unpacker as u32),
    ) != 0
    {
        let base = row_base(core, src, thread);
        let row = &mut core.banks.src_row[transfer.unpacker][thread];
        *row = (*row + 16 + base) & (ROWS - 1);
    }
    Ok(())
}

fn refuse(i: &Unpacr) -> Result<(), Fault> {
    let modes = [
        (
            i.cfg_context_cnt_inc,
            "incrementing the context counter by UNPACR (cfg_context_cnt_inc)",
        ),
        (i.rareb_en, "rareb_en of UNPACR"),
        (i.row_search, "row search of UNPACR (row_search)"),
        (
            i.search_cache_flush,
            "flushing the row-start cache (search_cache_flush)",
        ),
        (1 - i.last, "UNPACR without `last`; set it"),
    ];
    match modes.iter().find(|(field, _)| *field != 0) {
        None => Ok(()),
        Some((_, what)) => Err(Fault::unmodelled(*what)),
    }
}

/// Reads the datums and writes them to the bank that the unpacker has.
fn copy(t: &Transfer, zeros: bool, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    let src = Src::of_unpacker(t.unpacker);
    let bank = core.banks.unpacker_bank(src);
    let rows = t.datums / COLUMNS as u32;
    let first = first_row(t, rows, thread, core)?;
    let len = (t.datums * DATUM_BYTES) as usize;
    // With `zero_write2` the datums are fetched and then dropped.
    let bytes = if zeros {
        core.l1.drop_read(t.l1, len)?;
        None
    } else {
        Some(core.l1.read(t.l1, len)?)
    };
    for r in 0..rows as usize {
        let datum = |bytes: &[u8], c| {
            let at = (COLUMNS * r + c) * DATUM_BYTES as usize;
            src_from_bf16(u16::from_le_bytes([bytes[at], bytes[at + 1]]))
        };
        let row: Row = bytes.map_or([0; COLUMNS], |bytes| {
            std::array::from_fn(|c| datum(bytes, c))
        });
        let to = first + r;
        let file = core.regs.src_mut(src);
        if t.transpose {
            let (face, column) = (to & !15, to & 15);
            (0..COLUMNS).for_each(|c| file.write(bank, face + c, column, row[c]));
        } else {
            file.write_row(bank, to, row);
        }
    }
    Ok(())
}

/// First row of the register. Unless addresses are overridden, the unpacker's own row counter is added.
///
/// Rows must not leave the bank. For SrcB the documentation lets them wrap; ttsim, which is newer, calls that undefined.
fn first_row(t: &Transfer, rows: u32, thread: usize, core: &CoreState) -> Result<usize, Fault> {
    let counter = core.banks.src_row[t.unpacker][thread];
    let overridden =
        t.unpacker == 0 && core.config.thread(thread, cfg::SRCA_SET_SetOvrdWithAddr) != 0;
    let limit = if overridden || t.unpacker == 1 {
        ROWS
    } else {
        16
    };
    let first = if overridden { t.row } else { t.row + counter };
    if t.row + rows <= limit && first + rows <= ROWS {
        return Ok(first as usize);
    }
    let hint = if limit == ROWS {
        ""
    } else {
        " unless SRCA_SET_SetOvrdWithAddr is set"
    };
    Err(Fault::undefined(format!(
        "unpacking {rows} rows from row {first} of Src{:?}; there are {limit}{hint}",
        Src::of_unpacker(t.unpacker)
    )))
}

/// Context counter and address counters, for the next UNPACR.
fn advance(i: &Unpacr, t: &Transfer, thread: usize, core: &mut CoreState) {
    if i.ovrd_thread_id != 0 && i.auto_inc_context_id != 0 {
        let count = 1
            << core
                .config
                .get(thread, cfg::THCON_REG2_Context_count.at(t.unpacker as u32));
        let next = (t.context + 1) & 7;
        core.context_counter[t.unpacker][thread] = if next >= count { 0 } else { next };
    }
    let increment = |n: u32| i.addr_mode >> (2 * n) & 3;
    for (number, adcs) in core.adcs.iter_mut().enumerate() {
        if number == thread || number == t.adc_thread {
            let channels = &mut adcs.unpacker[t.unpacker];
            channels[0].add(Axis::Z, increment(0));
            channels[0].add(Axis::Y, increment(1));
            channels[1].add(Axis::Z, increment(2));
            channels[1].add(Axis::Y, increment(3));
        }
    }
}
