//! UNPACR: moves datums of a tile to rows of SrcA, SrcB or Dst.
//!
//! `last` must be set, as in tt-llk and ttsim. The documentation has it clear and does not describe
//! it. `rareb_en` is undocumented.

use tessera_isa_tensix::cfg;
use tessera_isa_tensix::table::Unpacr;

use super::address::Transfer;
use super::nop::{hand_over, row_base};
use super::unit::Unpackers;
use super::{datums, rows};
use crate::state::adc::Axis;
use crate::state::banks::{Banks, Src};
use crate::state::config::Config;
use crate::state::dst_rows::arrange_dst;
use crate::state::formats::must_be_zero;
use crate::state::model::Model;
use crate::state::unpacker::Target;
use crate::trap::Fault;

/// Rows of a bank.
const ROWS: u32 = 64;

pub(super) fn unpacr(i: &Unpacr, thread: usize, unit: &mut Unpackers<'_>) -> Result<(), Fault> {
    match (i.cfg_context_cnt_inc, i.search_cache_flush) {
        (0, 0) => unpack(i, thread, unit),
        (0, _) => flush(i, thread, unit),
        (..) => next_context(i, thread, unit),
    }
}

/// Returns the bank that the instruction waits for. Forms without datums need none.
pub(super) fn missing_bank(i: &Unpacr, banks: &Banks) -> Option<Src> {
    let src = Src::for_unpacker(i.unpack_block_selection as usize);
    let has_datums = i.cfg_context_cnt_inc | i.search_cache_flush == 0;
    (has_datums && !banks.unpacker_may_write(src)).then_some(src)
}

fn unpack(i: &Unpacr, thread: usize, unit: &mut Unpackers<'_>) -> Result<(), Fault> {
    if i.rareb_en != 0 {
        return Err(Fault::unmodelled(
            "rareb_en of UNPACR, which is srcb_bcast on Blackhole",
        ));
    }
    if i.last == 0 {
        return Err(Fault::unmodelled("UNPACR without `last`; set it"));
    }
    let transfer = Transfer::resolve(i, thread, unit)?;
    if transfer.output.target == Target::Dst {
        arrange_dst(unit.dst, unit.config, thread);
    }
    let rows = match unit.model {
        Model::Fast(_) => rows::contiguous(&transfer)?,
        Model::Reference => None,
    };
    match rows {
        Some(rows) => rows::unpack(&transfer, rows, unit)?,
        None => datums::unpack(&transfer, unit)?,
    }
    let unpacker = transfer.selection.unpacker();
    if unpacker == 0 {
        *unit.unpacked_to_dst = transfer.output.target == Target::Dst;
        if *unit.unpacked_to_dst {
            let bank = unit.banks.unpacker_bank(Src::A);
            unit.src[Src::A as usize].forget_bank(bank);
        }
    }
    advance(i, &transfer, thread, unit)?;
    let src = Src::for_unpacker(unpacker);
    if i.set_dat_valid != 0 {
        return hand_over(
            src,
            thread,
            transfer.conversion.output,
            (unit.config, unit.banks),
        );
    }
    if transfer.counts_rows {
        let base = row_base(unit.config, src, thread);
        let row = &mut unit.banks.src_row[unpacker][thread];
        *row = (*row + 16 + base) & (ROWS - 1);
    }
    Ok(())
}

/// Advances context counter and address counters for the next UNPACR. The counters of each thread
/// involved advance once.
fn advance(i: &Unpacr, t: &Transfer, thread: usize, unit: &mut Unpackers<'_>) -> Result<(), Fault> {
    let unpacker = t.selection.unpacker();
    if t.selection.key.multi && i.auto_inc_context_id != 0 {
        unit.context_counter[unpacker][thread] =
            after(t.selection.key.context, unpacker, thread, unit.config)?;
    }
    let increments = [
        (0, Axis::Z, i.addr_mode & 3),
        (0, Axis::Y, i.addr_mode >> 2 & 3),
        (1, Axis::Z, i.addr_mode >> 4 & 3),
        (1, Axis::Y, i.addr_mode >> 6 & 3),
    ];
    let other = (t.selection.adc_thread != thread).then_some(t.selection.adc_thread);
    for number in [thread].into_iter().chain(other) {
        let channels = &mut unit.adcs[number].unpacker[unpacker];
        for (channel, axis, increment) in increments {
            channels[channel].add(axis, increment);
        }
    }
    Ok(())
}

/// Returns the successor of a context.
///
/// # Errors
/// Not modelled unless the number of contexts is a power of two: Blackhole has the field, but no
/// source describes other values.
fn after(context: u32, unpacker: usize, thread: usize, config: &Config) -> Result<u32, Fault> {
    let any = cfg::THCON_REG2_Context_count_non_log2_en.nth(unpacker as u32);
    must_be_zero(
        config,
        thread,
        &[(any, "numbers of contexts that are no powers of two")],
    )?;
    let count = cfg::THCON_REG2_Context_count.nth(unpacker as u32);
    let next = (context + 1) & 7;
    Ok(if next >= 1 << config.get(thread, count) {
        0
    } else {
        next
    })
}

/// Executes the form of UNPACR that only advances the context counter
/// (`UNPACR_IncrementContextCounter.md`).
fn next_context(i: &Unpacr, thread: usize, unit: &mut Unpackers<'_>) -> Result<(), Fault> {
    refuse_other_fields(
        i,
        &Unpacr {
            cfg_context_cnt_inc: 1,
            ..NOTHING
        },
        "cfg_context_cnt_inc",
    )?;
    let unpacker = i.unpack_block_selection as usize;
    let context = unit.context_counter[unpacker][thread];
    unit.context_counter[unpacker][thread] = after(context, unpacker, thread, unit.config)?;
    Ok(())
}

/// Executes the form of UNPACR that flushes the unpacker's row start caches: all, or the thread's
/// (`UNPACR_FlushCache.md`).
fn flush(i: &Unpacr, thread: usize, unit: &mut Unpackers<'_>) -> Result<(), Fault> {
    let ovrd_thread_id = i.ovrd_thread_id;
    refuse_other_fields(
        i,
        &Unpacr {
            search_cache_flush: 1,
            ovrd_thread_id,
            ..NOTHING
        },
        "search_cache_flush",
    )?;
    let caches = (ovrd_thread_id == 0).then_some(thread);
    unit.row_starts[i.unpack_block_selection as usize].flush(caches);
    Ok(())
}

/// An UNPACR with all fields clear.
const NOTHING: Unpacr = Unpacr {
    unpack_block_selection: 0,
    addr_mode: 0,
    cfg_context_cnt_inc: 0,
    cfg_context_id: 0,
    addr_cnt_context_id: 0,
    ovrd_thread_id: 0,
    set_dat_valid: 0,
    rareb_en: 0,
    zero_write2: 0,
    auto_inc_context_id: 0,
    row_search: 0,
    search_cache_flush: 0,
    last: 0,
};

/// Refuses an instruction that sets fields which must be clear in its form.
fn refuse_other_fields(i: &Unpacr, form: &Unpacr, field: &str) -> Result<(), Fault> {
    let unpack_block_selection = i.unpack_block_selection;
    if *i
        == (Unpacr {
            unpack_block_selection,
            ..*form
        })
    {
        return Ok(());
    }
    Err(Fault::undefined(format!(
        "UNPACR with {field} and other fields; clear the others"
    )))
}
