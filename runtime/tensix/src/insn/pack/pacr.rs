//! PACR; on Wormhole on up to four packers.

use tessera_isa_tensix::table::Pacr;
use tessera_isa_tensix::Arch;

use super::addresses::{advance, counters_of};
use super::blackhole;
use super::part::Part;
use super::unit::Packers;
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
    let mut stepped = [false; 3];
    for packer in (0..4).filter(|packer| selected >> packer & 1 != 0) {
        let part = Part {
            i,
            packer,
            thread,
            whose: counters_of(i, packer, thread, unit.config),
        };
        stepped[part.whose] = true;
        if i.flush == 0 {
            part.pack(unit)?;
        }
        part.end(unit)?;
    }
    for whose in (0..3).filter(|&whose| stepped[whose]) {
        let counters = &mut unit.adcs[whose].packers;
        advance(i.addr_mode, thread, unit.config, counters);
    }
    Ok(())
}
