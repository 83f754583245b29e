//! PACR on Blackhole: one packer, which reads rows of Dst through up to four interfaces.
//!
//! Source: ISA documentation, Blackhole's `PACR.md` and its pages of `Packers/`. Interface i reads
//! the i-th row after the first one, as in the text and in ttsim 1.10.0; the pseudo-code instead
//! clears the low two bits of the first row. With `dst_access_mode` it reads row 16·i, as in ttsim;
//! this is undocumented. `concat` only affects compression and `row_pad_zero`, which trap, so it is
//! ignored. Other undocumented settings trap.

use tessera_isa_tensix::cfg;
use tessera_isa_tensix::table::Pacr;

use super::addresses::{advance, input, is_from_l1, output as output_place, Source};
use super::datums::{self, Task};
use super::rows;
use super::settings::counts_exponents;
use super::unit::Packers;
use crate::arith::COLUMNS;
use crate::state::config::Config;
use crate::state::dst_rows::arrange_dst;
use crate::state::packer::{Configured, Datapath, Output, Packer, Position};
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
    arrange_dst(unit.dst, unit.config, thread);
    let mut state = std::mem::take(&mut unit.packers[PACKER as usize]);
    if i.flush == 0 {
        pack(i, thread, &mut state, unit)?;
    }
    if i.last != 0 || i.flush != 0 {
        if let Some(mut output) = state.output.take() {
            output.end(unit.l1)?;
        }
        state.position = Position::default();
    }
    unit.packers[PACKER as usize] = state;
    let counters = &mut unit.adcs[thread].packers;
    advance(i.addr_mode, thread, unit.config, counters);
    Ok(())
}

/// Packs the datums of all interfaces.
fn pack(i: &Pacr, thread: usize, state: &mut Packer, unit: &mut Packers<'_>) -> Result<(), Fault> {
    if is_from_l1(PACKER, unit.config.view(thread)) {
        return Err(Fault::unmodelled(
            "packing from L1 on Blackhole; clear Source_interface_selection",
        ));
    }
    let (source, datums) = input(i, PACKER, thread, (unit.config, &unit.adcs[thread].packers))?;
    let Configured { path, masks } = Configured::of(unit, thread, PACKER)?;
    if !matches!(source, Source::Dst { .. }) && !masks.keep_all() {
        return Err(Fault::undefined(
            "edge masks for datums that do not come from Dst; set all four masks to 0xffff",
        ));
    }
    let interfaces = match i.read_intf_sel {
        0 => 15,
        selected => selected,
    };
    masks.check_reach(state.position, interfaces.count_ones())?;
    check_parts(datums, &path)?;
    let runs = runs(
        source,
        (interfaces, i.dst_access_mode != 0),
        (thread, datums),
        unit.config,
    )?;
    let mut output = match state.output.take() {
        Some(output) => {
            output.check_goes_on(path.out, path.accumulate)?;
            output
        }
        None => {
            let parts = (&*unit.config, &unit.adcs[thread].packers);
            let units = output_place(PACKER, thread, state.address_offset, parts)?;
            Output::begin(
                units,
                (path.out, path.accumulate),
                (PACKER, thread),
                unit.config,
            )
        }
    };
    let mut task = Task {
        source,
        datums,
        path,
        masks,
        counts: counts_exponents(unit),
    };
    for (source, datums) in runs {
        task.source = source;
        task.datums = datums;
        let done = rows::run(&task, state, &mut output, unit)?;
        datums::run(&task, done, state, &mut output, unit)?;
        task.masks.end_row(&mut state.position);
    }
    state.output = Some(output);
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

/// Returns the datums that the interfaces read, in order, as runs. Consecutive whole rows form one
/// run.
fn runs(
    source: Source,
    (interfaces, strided): (u32, bool),
    (thread, datums): (usize, u32),
    config: &Config,
) -> Result<Vec<(Source, u32)>, Fault> {
    let count = interfaces.count_ones();
    let Source::Dst { first } = source else {
        return Ok(vec![(source, datums); count as usize]);
    };
    let whole = COLUMNS as u32;
    if first % whole != 0 {
        return Err(Fault::unmodelled(format!(
            "packing from column {} of a row of Dst on Blackhole; begin with column 0",
            first % whole
        )));
    }
    let is_set = |field| config.get(thread, field) != 0;
    if strided {
        let arranged = [
            cfg::DEST_ACCESS_CFG_remap_addrs,
            cfg::DEST_ACCESS_CFG_swizzle_32b,
        ]
        .map(is_set);
        if arranged != [true; 2] || !matches!(interfaces, 1 | 3 | 15) {
            return Err(Fault::unmodelled(format!(
                "dst_access_mode of PACR with the interfaces {interfaces:#06b}; set remap_addrs \
                 and swizzle_32b, and take 1, 3 or 15"
            )));
        }
        let last = first / whole % ROWS + STRIDE * interfaces.ilog2();
        if last >= ROWS {
            return Err(Fault::unmodelled(format!(
                "dst_access_mode of PACR up to row {last} of Dst, which has {ROWS}"
            )));
        }
    } else if interfaces << (first / whole % 4) > 15 {
        return Err(Fault::undefined(format!(
            "PACR on the interfaces {interfaces:#06b} from row {} of Dst: their rows leave a group \
             of four",
            first / whole
        )));
    }
    if !strided && datums == whole && (interfaces + 1).is_power_of_two() {
        return Ok(vec![(source, whole * count)]);
    }
    let step = if strided { STRIDE } else { 1 };
    let of = |interface: u32| Source::Dst {
        first: first + whole * step * interface,
    };
    Ok((0..4)
        .filter(|interface| interfaces >> interface & 1 != 0)
        .map(|interface| (of(interface), datums))
        .collect())
}
