//! PACR on Blackhole: one packer, which reads rows of Dst through up to four interfaces.
//!
//! Source: ISA documentation, Blackhole's `PACR.md` and its pages of `Packers/`. Interface i reads
//! the i-th row after the first one, as in the text and in ttsim 1.10.0; the pseudo-code instead
//! clears the low two bits of the first row. With `dst_access_mode` it reads row 16·i, as in ttsim;
//! this is undocumented. `concat` only affects compression and `row_pad_zero`, which trap, so it is
//! ignored. Other undocumented settings trap.

use tessera_isa_tensix::cfg;
use tessera_isa_tensix::table::Pacr;

use super::addresses::{advance, Source};
use super::datums::{self, Progress, Task};
use super::part::Part;
use super::rows;
use super::settings::counts_exponents;
use super::unit::Packers;
use crate::arith::COLUMNS;
use crate::state::config::Config;
use crate::state::dst_rows::arrange_dst;
use crate::state::packer::{Configured, Datapath};
use crate::trap::Fault;

/// The only packer.
const PACKER: u32 = 0;
/// Distance of the interfaces' rows if `dst_access_mode` is set.
const STRIDE: u32 = 16;
/// Number of rows of Dst.
const ROWS: u32 = 1024;

pub(super) fn pacr(i: &Pacr, thread: usize, unit: &mut Packers<'_>) -> Result<(), Fault> {
    for (operand, value) in [
        ("cfg_context", i.cfg_context),
        ("row_pad_zero", i.row_pad_zero),
        ("addr_cnt_context", i.addr_cnt_context),
        ("ovrd_thread_id", i.ovrd_thread_id),
        ("ctxt_ctrl", i.ctxt_ctrl),
    ] {
        if value != 0 {
            return Err(Fault::unmodelled(format!(
                "{operand} of PACR on Blackhole, which is not documented; clear it"
            )));
        }
    }
    arrange_dst(unit.memory.dst, unit.config, thread);
    let part = Part {
        i,
        packer: PACKER,
        thread,
        whose: thread,
    };
    if i.flush == 0 {
        pack(&part, unit)?;
    }
    part.end(unit)?;
    let counters = &mut unit.adcs[thread].packers;
    advance(i.addr_mode, thread, unit.config, counters);
    Ok(())
}

/// Packs the datums of all interfaces.
fn pack(part: &Part<'_>, unit: &mut Packers<'_>) -> Result<(), Fault> {
    let (i, thread) = (part.i, part.thread);
    let at = part.settings(unit)?;
    let settings = unit.config.derived::<Configured>(at);
    let (source, datums) = settings.source(&unit.adcs[thread].packers)?;
    let interfaces = match i.read_intf_sel {
        0 => 15,
        selected => selected,
    };
    let position = unit.packers[PACKER as usize].position;
    (settings.masks).check_reach(position, interfaces.count_ones())?;
    check_parts(datums, &settings.path)?;
    let step = match i.dst_access_mode {
        0 => 1,
        _ => STRIDE,
    };
    check_rows(source, (interfaces, step), thread, unit.config)?;
    part.begin(at, unit)?;
    let counts = counts_exponents(unit);
    let settings: &Configured = unit.config.derived(at);
    let Some(mut progress) = Progress::of(&mut unit.packers[PACKER as usize]) else {
        return Ok(());
    };
    for (source, datums) in runs(source, datums, (interfaces, step)) {
        let task = Task {
            source,
            datums,
            settings,
            counts,
        };
        let done = rows::run(&task, &mut progress, &mut unit.memory)?;
        datums::run(&task, done, &mut progress, &mut unit.memory)?;
        settings.masks.end_row(progress.position);
    }
    Ok(())
}

/// Checks that each interface reads a row, or a part of one from its first column on.
fn check_parts(datums: u32, path: &Datapath) -> Result<(), Fault> {
    match datums as usize {
        COLUMNS => Ok(()),
        1..COLUMNS if path.downsample == 0xFFFF => Ok(()),
        1..COLUMNS => Err(Fault::unmodelled(
            "downsampling parts of rows on Blackhole; pack whole rows or set Downsample_mask to \
             0xffff",
        )),
        _ => Err(Fault::undefined(format!(
            "packing {datums} datums of a row on Blackhole; set the X counters to 16 at most"
        ))),
    }
}

/// Checks the rows that the interfaces read.
fn check_rows(
    source: Source,
    (interfaces, step): (u32, u32),
    thread: usize,
    config: &Config,
) -> Result<(), Fault> {
    let Source::Dst { first } = source else {
        return Ok(());
    };
    let whole = COLUMNS as u32;
    if first % whole != 0 {
        return Err(Fault::unmodelled(format!(
            "packing from column {} of a row of Dst on Blackhole; begin with column 0",
            first % whole
        )));
    }
    if step == STRIDE {
        return check_strided(first, interfaces, thread, config);
    }
    if interfaces << (first / whole % 4) > 15 {
        return Err(Fault::undefined(format!(
            "PACR on the interfaces {interfaces:#06b} from row {} of Dst: their rows leave a group \
             of four",
            first / whole
        )));
    }
    Ok(())
}

/// Checks the rows that the interfaces read with `dst_access_mode`.
fn check_strided(first: u32, interfaces: u32, thread: usize, config: &Config) -> Result<(), Fault> {
    let is_set = |field| config.get(thread, field) != 0;
    let arranged = [
        cfg::DEST_ACCESS_CFG_remap_addrs,
        cfg::DEST_ACCESS_CFG_swizzle_32b,
    ]
    .map(is_set);
    if arranged != [true; 2] || !matches!(interfaces, 1 | 3 | 15) {
        return Err(Fault::unmodelled(format!(
            "dst_access_mode of PACR with the interfaces {interfaces:#06b}; set remap_addrs and \
             swizzle_32b, and take 1, 3 or 15"
        )));
    }
    let last = first / COLUMNS as u32 % ROWS + STRIDE * interfaces.ilog2();
    if last >= ROWS {
        return Err(Fault::unmodelled(format!(
            "dst_access_mode of PACR up to row {last} of Dst, which has {ROWS}"
        )));
    }
    Ok(())
}

/// Returns the datums that the interfaces read, in order, as runs. Consecutive whole rows form one
/// run.
fn runs(
    source: Source,
    datums: u32,
    (interfaces, step): (u32, u32),
) -> impl Iterator<Item = (Source, u32)> {
    let whole = COLUMNS as u32;
    let is_one = step == 1 && datums == whole && (interfaces + 1).is_power_of_two();
    let (interfaces, datums) = match source {
        Source::Dst { .. } if is_one => (1, whole * interfaces.count_ones()),
        _ => (interfaces, datums),
    };
    let of = move |interface: u32| match source {
        Source::Dst { first } => Source::Dst {
            first: first + whole * step * interface,
        },
        other => other,
    };
    (0..4)
        .filter(move |interface| interfaces >> interface & 1 != 0)
        .map(move |interface| (of(interface), datums))
}
