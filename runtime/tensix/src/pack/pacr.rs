//! PACR.

use tessera_isa_tensix::cfg::{self, ThreadField};
use tessera_isa_tensix::table::Pacr;

use super::edge::{EdgeMasks, Position};
use super::input::{Conversion, Input};
use super::output;
use super::Packer;
use crate::adc::{Axis, Channel};
use crate::core_state::CoreState;
use crate::regs::COLUMNS;
use crate::trap::Fault;

pub(super) fn pacr(i: &Pacr, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    let selected = match i.pack_sel {
        0 => 1,
        mask @ (1 | 2 | 4 | 8 | 3 | 12 | 15) => mask,
        mask => {
            return Err(Fault::undefined(format!(
                "PACR on the packers {mask:#06b}; one, 0 and 1, 2 and 3, or all can be selected"
            )))
        }
    };
    if i.zero_write != 0 || i.ovrd_thread_id != 0 {
        return Err(Fault::unmodelled(
            "PACR with zero_write or with another thread's counters (ovrd_thread_id)",
        ));
    }
    let conversion = Conversion::read(core, thread)?;
    let input = Input::resolve(i, conversion.width(), thread, core)?;
    let ends = i.last != 0 || i.flush != 0;
    for packer in (0..4).filter(|packer| selected >> packer & 1 != 0) {
        output::refuse(core, thread, packer, conversion.format())?;
        if input.datums != 0 {
            pack(packer, &input, &conversion, thread, core)?;
        }
        if ends {
            core.regs.packers[packer as usize] = Packer::default();
        }
    }
    advance(i.addr_mode, thread, core);
    Ok(())
}

/// Moves one packer's datums.
fn pack(
    packer: u32,
    input: &Input,
    conversion: &Conversion,
    thread: usize,
    core: &mut CoreState,
) -> Result<(), Fault> {
    let width = conversion.width() as usize;
    let masks = EdgeMasks::read(core, thread, packer)?;
    let offset = core
        .config
        .get(thread, cfg::DEST_TARGET_REG_CFG_PACK_Offset.at(packer))
        << 4;
    let Packer { next, mut position } = core.regs.packers[packer as usize];
    let mut address = next.unwrap_or_else(|| output::start(core, thread, packer));
    let first = input.first + offset;
    let mut index = first;
    while index < first + input.datums {
        let column = index as usize % COLUMNS;
        let count = (COLUMNS - column).min((first + input.datums - index) as usize);
        let row = conversion.row(core, index)?;
        let bytes = finish(
            &row[column..column + count],
            column,
            conversion,
            &masks,
            &mut position,
        );
        core.l1.write(address, &bytes[..width * count])?;
        address += (width * count) as u32;
        index += count as u32;
    }
    core.regs.packers[packer as usize] = Packer {
        next: Some(address),
        position,
    };
    Ok(())
}

/// Edge masks, then ReLU, then bytes.
fn finish(
    datums: &[u32],
    column: usize,
    conversion: &Conversion,
    masks: &EdgeMasks,
    position: &mut Position,
) -> [u8; 4 * COLUMNS] {
    let width = conversion.width() as usize;
    let mut bytes = [0; 4 * COLUMNS];
    for (c, &datum) in datums.iter().enumerate() {
        let kept = if masks.keeps(position, column + c) {
            datum
        } else {
            0
        };
        bytes[width * c..][..width].copy_from_slice(&conversion.finish(kept)[..width]);
    }
    bytes
}

/// The packers' Y and Z counters, for the next PACR.
fn advance(addr_mode: u32, thread: usize, core: &mut CoreState) {
    let mode = |family: ThreadField| core.config.thread(thread, family.at(addr_mode));
    let steps = [
        Step {
            y: mode(cfg::ADDR_MOD_PACK_YsrcIncr),
            y_return: mode(cfg::ADDR_MOD_PACK_YsrcCR) != 0,
            y_clear: mode(cfg::ADDR_MOD_PACK_YsrcClear) != 0,
            z: mode(cfg::ADDR_MOD_PACK_ZsrcIncr),
            z_clear: mode(cfg::ADDR_MOD_PACK_ZsrcClear) != 0,
        },
        Step {
            y: mode(cfg::ADDR_MOD_PACK_YdstIncr),
            y_return: mode(cfg::ADDR_MOD_PACK_YdstCR) != 0,
            y_clear: mode(cfg::ADDR_MOD_PACK_YdstClear) != 0,
            z: mode(cfg::ADDR_MOD_PACK_ZdstIncr),
            z_clear: mode(cfg::ADDR_MOD_PACK_ZdstClear) != 0,
        },
    ];
    for (channel, step) in core.adcs[thread].packers.iter_mut().zip(steps) {
        step.apply(channel);
    }
}

/// What an address mode does to one channel.
struct Step {
    y: u32,
    y_return: bool,
    y_clear: bool,
    z: u32,
    z_clear: bool,
}

impl Step {
    fn apply(&self, channel: &mut Channel) {
        if self.y_clear {
            channel.clear(Axis::Y);
        } else if self.y_return {
            channel.carriage_return(Axis::Y, self.y);
        } else {
            channel.add(Axis::Y, self.y);
        }
        if self.z_clear {
            channel.clear(Axis::Z);
        } else {
            channel.add(Axis::Z, self.z);
        }
    }
}
