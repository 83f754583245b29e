//! Source and destination addresses of packers, from the counters of a thread.
//!
//! Source: ISA documentation, `Packers/InputAddressGenerator.md`,
//! `Packers/OutputAddressGenerator.md`. The wrap-around of the output compares the whole address.
//! The documentation does not say whether that includes bit 31, which makes addresses relative;
//! with a FIFO such addresses trap. On Blackhole the counters add bytes to the output address,
//! according to the latest page and ttsim.

use tessera_isa_tensix::cfg::{self, ConfigField, ThreadField};
use tessera_isa_tensix::table::Pacr;
use tessera_isa_tensix::Arch;

use super::of_packer;
use crate::state::adc::{Axis, Channel};
use crate::state::config::{Config, View};
use crate::trap::Fault;

/// The source of a packer's datums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// Dst from this datum on, modulo its size.
    Dst {
        /// Row times 16, plus column.
        first: u32,
    },
    /// L1 from this byte on (packer 0).
    L1 {
        /// The first byte.
        address: u32,
        /// Bytes per datum.
        width: u32,
    },
    /// Zeros.
    Null,
}

/// Returns the thread whose counters a packer uses.
pub(super) fn counters_of(i: &Pacr, packer: u32, thread: usize, config: &Config) -> usize {
    match i.ovrd_thread_id {
        0 => thread,
        _ => {
            let field = of_packer(cfg::THCON_PACK_Addr_cnt_context, packer);
            config.get(thread, field) as usize % 3
        }
    }
}

/// Returns whether a packer fetches from L1.
pub(super) fn is_from_l1(packer: u32, view: View<'_>) -> bool {
    let field = of_packer(cfg::THCON_PACK_Source_interface_selection, packer);
    packer == 0 && view.get(field) != 0
}

/// Returns the source and the number of a packer's datums, from its counters.
pub(super) fn input(
    i: &Pacr,
    packer: u32,
    thread: usize,
    (config, [from, to]): (&Config, &[Channel; 2]),
) -> Result<(Source, u32), Fault> {
    let get = |field| config.get(thread, field);
    let (x, last) = (from.get(Axis::X), to.get(Axis::X));
    let Some(datums) = (last + 1).checked_sub(x) else {
        return Err(Fault::undefined(format!(
            "packing from datum {x} to datum {last}"
        )));
    };
    if i.zero_write != 0 {
        return Ok((Source::Null, datums));
    }
    let stride = |family: ConfigField| get(family.nth(0));
    let address = get(cfg::PCK0_ADDR_BASE.nth(0))
        .wrapping_add(x.wrapping_mul(stride(cfg::PCK0_ADDR_CTRL_Xstride) & 0xF))
        .wrapping_add(from.get(Axis::Y) * stride(cfg::PCK0_ADDR_CTRL_Ystride))
        .wrapping_add(from.get(Axis::Z) * stride(cfg::PCK0_ADDR_CTRL_Zstride))
        .wrapping_add(from.get(Axis::W) * stride(cfg::PCK0_ADDR_CTRL_Wstride));
    let width = match get(of_packer(cfg::THCON_PACK_In_data_format, packer)) & 3 {
        0 => 4,
        1 => 2,
        _ => 1,
    };
    if address % width != 0 {
        return Err(Fault::undefined(format!(
            "a packer's input address of {address} bytes, in the middle of a datum"
        )));
    }
    // The lowest bits of X select a datum within 16 bytes.
    let mask = 16 / width - 1;
    if is_from_l1(packer, config.view(thread)) {
        let high = get(of_packer(cfg::THCON_PACK_L1_source_addr, packer)) << 18;
        let address = high.wrapping_add(address & 0x3_FFFF) & !0xF;
        let address = (address + width * (x & mask)) & 0x1F_FFFF;
        return Ok((Source::L1 { address, width }, datums));
    }
    let offset = get(cfg::DEST_TARGET_REG_CFG_PACK_Offset.nth(packer)) << 4;
    let first = ((address / width) & !mask) + (x & mask) + offset;
    Ok((Source::Dst { first }, datums))
}

/// Returns a packer's output address in L1, in units of 16 bytes, from its counters.
/// `offset` is set by TDMA-RISC.
pub(super) fn output(
    packer: u32,
    thread: usize,
    offset: u16,
    (config, [_, channel]): (&Config, &[Channel; 2]),
) -> Result<u32, Fault> {
    let get = |field| config.get(thread, field);
    let configured = |packer| {
        let header = get(of_packer(cfg::THCON_PACK_Sub_l1_tile_header_size, packer));
        get(of_packer(cfg::THCON_PACK_L1_Dest_addr, packer)).wrapping_add(1 - header)
    };
    let first = configured(0);
    let mut units = configured(packer);
    if packer != 0 && first >> 31 != 0 {
        units = units.wrapping_add(first);
    }
    let stride = |family: ConfigField| get(family.nth(1));
    let by_counters = get(cfg::PCK0_ADDR_BASE.nth(1))
        .wrapping_add(channel.get(Axis::Y) * stride(cfg::PCK0_ADDR_CTRL_Ystride))
        .wrapping_add(channel.get(Axis::Z) * stride(cfg::PCK0_ADDR_CTRL_Zstride))
        .wrapping_add(channel.get(Axis::W) * stride(cfg::PCK0_ADDR_CTRL_Wstride));
    units = units.wrapping_add(match config.arch() {
        Arch::WormholeB0 => by_counters & !0xF,
        Arch::Blackhole => by_counters >> 4,
    });
    if get(of_packer(cfg::THCON_PACK_Add_l1_dest_addr_offset, packer)) != 0 {
        units = units.wrapping_add(offset.into());
    }
    wrapped(units, packer, thread, config)
}

/// Wraps an address within the packer's FIFO, if it has one.
fn wrapped(units: u32, packer: u32, thread: usize, config: &Config) -> Result<u32, Fault> {
    let get = |family: ConfigField| config.get(thread, of_packer(family, packer));
    let size = get(cfg::THCON_REG9_Pack_fifo_size) * 2;
    if size == 0 {
        return Ok(units);
    }
    if units > 0x1_FFFF {
        return Err(Fault::undefined(format!(
            "the output address {units:#x} of packer {packer}, which has a FIFO: whether the bits \
             above 16 count for its limit is not documented"
        )));
    }
    let limit = get(cfg::THCON_REG9_Pack_limit_address) * 2 + 1;
    Ok(if units > limit {
        units.wrapping_sub(size)
    } else {
        units
    })
}

/// Advances the packers' Y and Z counters by an address mode of the issuing thread.
pub(super) fn advance(addr_mode: u32, thread: usize, config: &Config, channels: &mut [Channel; 2]) {
    let mode = |family: ThreadField| config.thread(thread, family.nth(addr_mode));
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
    for (channel, step) in channels.iter_mut().zip(steps) {
        step.apply(channel);
    }
}

/// The effect of an address mode on one channel.
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
