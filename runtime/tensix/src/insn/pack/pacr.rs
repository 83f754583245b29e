//! PACR; on Wormhole on up to four packers.

use tessera_isa_tensix::table::Pacr;
use tessera_isa_tensix::Arch;

use super::addresses::{advance, counters_of, input, output as output_place, Source};
use super::blackhole;
use super::datums::{self, Task};
use super::rows;
use super::settings::counts_exponents;
use super::unit::Packers;
use crate::state::packer::{Configured, Output, Packer, Position};
use crate::trap::Fault;

pub(super) fn pacr(i: &Pacr, thread: usize, unit: &mut Packers<'_>) -> Result<(), Fault> {
    match unit.arch {
        Arch::WormholeB0 => wormhole(i, thread, unit),
        Arch::Blackhole => blackhole::pacr(i, thread, unit),
    }
}

fn wormhole(i: &Pacr, thread: usize, unit: &mut Packers<'_>) -> Result<(), Fault> {
    let selected = match i.pack_sel {
        0 => 1,
        mask @ (1 | 2 | 4 | 8 | 3 | 12 | 15) => mask,
        mask => {
            return Err(Fault::undefined(format!(
                "PACR on the packers {mask:#06b}; one, 0 and 1, 2 and 3, or all can be selected"
            )))
        }
    };
    let packers = || (0..4).filter(|packer| selected >> packer & 1 != 0);
    let mut stepped = [false; 3];
    for packer in packers() {
        let whose = counters_of(i, packer, thread, unit.config);
        stepped[whose] = true;
        let mut state = std::mem::take(&mut unit.packers[packer as usize]);
        if i.flush == 0 {
            pack(i, packer, (thread, whose), &mut state, unit)?;
        }
        if i.last != 0 || i.flush != 0 {
            if let Some(mut output) = state.output.take() {
                output.end(unit.l1)?;
            }
            state.position = Position::default();
        }
        unit.packers[packer as usize] = state;
    }
    for whose in (0..3).filter(|&whose| stepped[whose]) {
        let counters = &mut unit.adcs[whose].packers;
        advance(i.addr_mode, thread, unit.config, counters);
    }
    Ok(())
}

/// Packs one packer's datums.
fn pack(
    i: &Pacr,
    packer: u32,
    (thread, whose): (usize, usize),
    state: &mut Packer,
    unit: &mut Packers<'_>,
) -> Result<(), Fault> {
    let (source, datums) = input(i, packer, thread, (unit.config, &unit.adcs[whose].packers))?;
    let Configured { path, masks } = Configured::of(unit, thread, packer)?;
    if !matches!(source, Source::Dst { .. }) && !masks.keep_all() {
        return Err(Fault::undefined(
            "edge masks for datums that do not come from Dst; set all four masks to 0xffff",
        ));
    }
    let mut output = match state.output.take() {
        Some(output) => {
            output.check_goes_on(path.out, path.accumulate)?;
            output
        }
        None => {
            let parts = (&*unit.config, &unit.adcs[whose].packers);
            let units = output_place(packer, thread, state.address_offset, parts)?;
            Output::begin(
                units,
                (path.out, path.accumulate),
                (packer, thread),
                unit.config,
            )
        }
    };
    let task = Task {
        source,
        datums,
        path,
        masks,
        counts: counts_exponents(unit),
    };
    let done = rows::run(&task, state, &mut output, unit)?;
    datums::run(&task, done, state, &mut output, unit)?;
    state.output = Some(output);
    Ok(())
}
