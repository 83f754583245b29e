//! UNPACR: moves datums of a tile to rows of SrcA, SrcB or Dst.

use tessera_isa_tensix::cfg;
use tessera_isa_tensix::table::Unpacr;

use super::address::Transfer;
use super::conversion::Target;
use super::nop::{hand_over, row_base};
use crate::access::RowSet;
use crate::adc::Axis;
use crate::banks::Src;
use crate::core_state::CoreState;
use crate::regs::{Dst, Row, Row32, SrcFile, COLUMNS};
use crate::trap::Fault;

/// Rows of a bank.
const ROWS: u32 = 64;
/// Rows of Dst, by number: as 32-bit rows half of them have a second name.
const DST_ROWS: u32 = 1024;

pub(super) fn unpacr(i: &Unpacr, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    refuse(i)?;
    let transfer = Transfer::resolve(i, thread, core)?;
    copy(&transfer, i.zero_write2 != 0, thread, core)?;
    if transfer.unpacker == 0 {
        core.unpacked_to_dst = transfer.target == Target::Dst;
    }
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

/// Reads the datums and writes them to Dst or to the bank that the unpacker has.
fn copy(t: &Transfer, zeros: bool, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    let rows = t.datums / COLUMNS as u32;
    let width = t.conversion.width();
    let first = match t.target {
        Target::Src(src) => first_row(t, src, rows, thread, core)?,
        Target::Dst => first_row_of_dst(t, rows, thread, core)?,
    };
    let len = (t.datums * width) as usize;
    // With `zero_write2` the datums are fetched and then dropped.
    let bytes = if zeros {
        core.l1.drop_read(t.l1, len)?;
        None
    } else {
        Some(core.l1.read(t.l1, len)?)
    };
    let row_bytes = COLUMNS * width as usize;
    let row = |r| -> Row {
        bytes.map_or([0; COLUMNS], |bytes| {
            t.conversion.row(&bytes[row_bytes * r..][..row_bytes])
        })
    };
    let rows = 0..rows as usize;
    match t.target {
        Target::Src(src) => {
            let bank = core.banks.unpacker_bank(src);
            let file = core.regs.src_mut(src);
            rows.for_each(|r| write_src(file, bank, first + r, t.transpose, row(r)));
        }
        Target::Dst => {
            let (dst, noted) = (&mut core.regs.dst, &mut core.access.dst_write);
            rows.for_each(|r| write_dst(dst, noted, width, first + r, row(r)));
        }
    }
    Ok(())
}

fn write_src(file: &mut SrcFile, bank: usize, row: usize, transpose: bool, datums: Row) {
    if transpose {
        let (face, column) = (row & !15, row & 15);
        (0..COLUMNS).for_each(|c| file.write(bank, face + c, column, datums[c]));
    } else {
        file.write_row(bank, row, datums);
    }
}

/// Writes a row of datums of `width` bytes.
fn write_dst(dst: &mut Dst, noted: &mut RowSet, width: u32, row: usize, datums: Row) {
    if width == 4 {
        let place = Row32::new(row);
        noted.extend(place.halves());
        dst.write_row32(place, datums);
    } else {
        noted.insert(row);
        dst.write_row16(row, datums.map(|x| x as u16));
    }
}

/// First row of Dst, which the rows must not leave. The documentation lets them wrap, ttsim has no such rows. Whether the
/// other units take Dst for 32 bits wide is not checked: that may be configured later, and they check what they read.
fn first_row_of_dst(
    t: &Transfer,
    rows: u32,
    thread: usize,
    core: &CoreState,
) -> Result<usize, Fault> {
    if core.config.thread(thread, cfg::SRCA_SET_SetOvrdWithAddr) != 0 {
        return Err(Fault::undefined(
            "unpacking to Dst while SRCA_SET_SetOvrdWithAddr is set, which keeps rows within a face; clear it",
        ));
    }
    if t.row + rows <= DST_ROWS {
        return Ok(t.row as usize);
    }
    Err(Fault::unmodelled(format!(
        "unpacking {rows} rows from row {} of Dst, beyond its end {DST_ROWS}",
        t.row
    )))
}

/// First row of Src. Unless addresses are overridden, the unpacker's own row counter is added.
///
/// Rows must not leave the bank. For SrcB the documentation lets them wrap; ttsim, which is newer, calls that undefined.
fn first_row(
    t: &Transfer,
    src: Src,
    rows: u32,
    thread: usize,
    core: &CoreState,
) -> Result<usize, Fault> {
    let counter = core.banks.src_row[t.unpacker][thread];
    let overridden =
        src == Src::A && core.config.thread(thread, cfg::SRCA_SET_SetOvrdWithAddr) != 0;
    let limit = if overridden || src == Src::B {
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
        "unpacking {rows} rows from row {first} of Src{src:?}; there are {limit}{hint}"
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
