//! UNPACR: moves datums of a tile to rows of SrcA, SrcB or Dst.
//!
//! `last` must be set, as in tt-llk and ttsim. The documentation has it clear and does not describe
//! it. `rareb_en` is undocumented.

use tessera_isa_tensix::cfg;
use tessera_isa_tensix::table::Unpacr;

use super::address::Transfer;
use super::nop::{hand_over, row_base};
use super::{datums, rows};
use crate::state::adc::Axis;
use crate::state::banks::{Banks, Src};
use crate::state::core_state::CoreState;
use crate::state::dst_rows::arrange_dst;
use crate::state::formats::must_be_zero;
use crate::state::model::Model;
use crate::state::unpacker::Target;
use crate::trap::Fault;

/// Rows of a bank.
const ROWS: u32 = 64;

pub(super) fn unpacr(i: &Unpacr, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    match (i.cfg_context_cnt_inc, i.search_cache_flush) {
        (0, 0) => unpack(i, thread, core),
        (0, _) => flush(i, thread, core),
        (..) => next_context(i, thread, core),
    }
}

/// Returns the bank that the instruction waits for. Forms without datums need none.
pub(super) fn missing_bank(i: &Unpacr, banks: &Banks) -> Option<Src> {
    let src = Src::for_unpacker(i.unpack_block_selection as usize);
    let has_datums = i.cfg_context_cnt_inc | i.search_cache_flush == 0;
    (has_datums && !banks.unpacker_may_write(src)).then_some(src)
}

fn unpack(i: &Unpacr, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    if i.rareb_en != 0 {
        return Err(Fault::unmodelled(
            "rareb_en of UNPACR, which is srcb_bcast on Blackhole",
        ));
    }
    if i.last == 0 {
        return Err(Fault::unmodelled("UNPACR without `last`; set it"));
    }
    let transfer = Transfer::resolve(i, thread, core)?;
    if transfer.output.target == Target::Dst {
        arrange_dst(&mut core.regs.dst, &core.config, thread);
    }
    let rows = match core.model {
        Model::Fast(_) => rows::contiguous(&transfer)?,
        Model::Reference => None,
    };
    match rows {
        Some(rows) => rows::unpack(&transfer, rows, core)?,
        None => datums::unpack(&transfer, core)?,
    }
    let unpacker = transfer.selection.unpacker();
    if unpacker == 0 {
        core.unpacked_to_dst = transfer.output.target == Target::Dst;
        if core.unpacked_to_dst {
            let bank = core.banks.unpacker_bank(Src::A);
            core.regs.src_mut(Src::A).forget_bank(bank);
        }
    }
    advance(i, &transfer, thread, core)?;
    let src = Src::for_unpacker(unpacker);
    if i.set_dat_valid != 0 {
        return hand_over(core, src, thread, transfer.conversion.output);
    }
    if transfer.counts_rows {
        let base = row_base(core, src, thread);
        let row = &mut core.banks.src_row[unpacker][thread];
        *row = (*row + 16 + base) & (ROWS - 1);
    }
    Ok(())
}

/// Advances context counter and address counters for the next UNPACR. The counters of each thread
/// involved advance once.
fn advance(i: &Unpacr, t: &Transfer, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    let unpacker = t.selection.unpacker();
    if t.selection.key.multi && i.auto_inc_context_id != 0 {
        core.context_counter[unpacker][thread] =
            after(t.selection.key.context, unpacker, thread, core)?;
    }
    let increments = [
        (0, Axis::Z, i.addr_mode & 3),
        (0, Axis::Y, i.addr_mode >> 2 & 3),
        (1, Axis::Z, i.addr_mode >> 4 & 3),
        (1, Axis::Y, i.addr_mode >> 6 & 3),
    ];
    let other = (t.selection.adc_thread != thread).then_some(t.selection.adc_thread);
    for number in [thread].into_iter().chain(other) {
        let channels = &mut core.adcs[number].unpacker[unpacker];
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
fn after(context: u32, unpacker: usize, thread: usize, core: &CoreState) -> Result<u32, Fault> {
    let any = cfg::THCON_REG2_Context_count_non_log2_en.nth(unpacker as u32);
    must_be_zero(
        &core.config,
        thread,
        &[(any, "numbers of contexts that are no powers of two")],
    )?;
    let count = cfg::THCON_REG2_Context_count.nth(unpacker as u32);
    let next = (context + 1) & 7;
    Ok(if next >= 1 << core.config.get(thread, count) {
        0
    } else {
        next
    })
}

/// Executes the form of UNPACR that only advances the context counter
/// (`UNPACR_IncrementContextCounter.md`).
fn next_context(i: &Unpacr, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    refuse_other_fields(
        i,
        &Unpacr {
            cfg_context_cnt_inc: 1,
            ..NOTHING
        },
        "cfg_context_cnt_inc",
    )?;
    let unpacker = i.unpack_block_selection as usize;
    let context = core.context_counter[unpacker][thread];
    core.context_counter[unpacker][thread] = after(context, unpacker, thread, core)?;
    Ok(())
}

/// Executes the form of UNPACR that flushes the unpacker's row start caches: all, or the thread's
/// (`UNPACR_FlushCache.md`).
fn flush(i: &Unpacr, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
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
    core.row_starts[i.unpack_block_selection as usize].flush(caches);
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
