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
use crate::state::packer::{Counted, InputAddress, OutputAddress};
use crate::trap::Fault;

/// The output address of packer 0.
const FIRST_ADDRESS: ConfigField = cfg::THCON_PACK_L1_Dest_addr.nth(0).nth(0);

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

impl Counted {
    /// Reads the settings of an input (0) or output (1).
    fn read(view: View<'_>, channel: u32) -> Counted {
        let get = |family: ConfigField| view.get(family.nth(channel));
        let x = match channel {
            0 => get(cfg::PCK0_ADDR_CTRL_Xstride) & 0xF,
            _ => 0,
        };
        Counted {
            base: get(cfg::PCK0_ADDR_BASE),
            strides: [
                x,
                get(cfg::PCK0_ADDR_CTRL_Ystride),
                get(cfg::PCK0_ADDR_CTRL_Zstride),
                get(cfg::PCK0_ADDR_CTRL_Wstride),
            ],
        }
    }

    /// Returns the address.
    fn at(&self, channel: &Channel) -> u32 {
        let steps = Axis::ALL.iter().zip(self.strides);
        steps.fold(self.base, |sum, (&axis, stride)| {
            sum.wrapping_add(channel.get(axis).wrapping_mul(stride))
        })
    }
}

impl InputAddress {
    /// Reads the settings of `packer`.
    pub(super) fn read(view: View<'_>, packer: u32, from_l1: bool) -> InputAddress {
        let counted = Counted::read(view, 0);
        let width = match view.get(of_packer(cfg::THCON_PACK_In_data_format, packer)) & 3 {
            0 => 4,
            1 => 2,
            _ => 1,
        };
        match from_l1 {
            true => InputAddress::L1 {
                counted,
                width,
                high: view.get(of_packer(cfg::THCON_PACK_L1_source_addr, packer)) << 18,
            },
            false => InputAddress::Dst {
                counted,
                width,
                offset: view.get(cfg::DEST_TARGET_REG_CFG_PACK_Offset.nth(packer)) << 4,
            },
        }
    }

    /// Returns the source and the number of a packer's datums, from its counters.
    pub(super) fn source(&self, [from, to]: &[Channel; 2]) -> Result<(Source, u32), Fault> {
        let (x, last) = (from.get(Axis::X), to.get(Axis::X));
        let Some(datums) = (last + 1).checked_sub(x) else {
            return Err(Fault::undefined(format!(
                "packing from datum {x} to datum {last}"
            )));
        };
        // The lowest bits of X select a datum within 16 bytes.
        let within = |width: u32| x & (16 / width - 1);
        let source = match *self {
            InputAddress::Null => Source::Null,
            InputAddress::Dst {
                counted,
                width,
                offset,
            } => {
                let address = counted.at(from);
                check_input(address, width)?;
                let line = (address / width) & !(16 / width - 1);
                Source::Dst {
                    first: line + within(width) + offset,
                }
            }
            InputAddress::L1 {
                counted,
                width,
                high,
            } => {
                let address = counted.at(from);
                check_input(address, width)?;
                let line = high.wrapping_add(address & 0x3_FFFF) & !0xF;
                Source::L1 {
                    address: (line + width * within(width)) & 0x1F_FFFF,
                    width,
                }
            }
        };
        Ok((source, datums))
    }
}

/// Refuses an address in the middle of a datum.
fn check_input(address: u32, width: u32) -> Result<(), Fault> {
    match address & (width - 1) {
        0 => Ok(()),
        _ => Err(Fault::undefined(format!(
            "a packer's input address of {address} bytes, in the middle of a datum"
        ))),
    }
}

impl OutputAddress {
    /// Reads the settings of `packer`, whose output contains exponents, or room for them, if
    /// `has_room`.
    pub(super) fn read(view: View<'_>, packer: u32, has_room: bool) -> OutputAddress {
        let get = |family, packer| view.get(of_packer(family, packer));
        let size = get(cfg::THCON_REG9_Pack_fifo_size, packer) * 2;
        OutputAddress {
            address: of_packer(cfg::THCON_PACK_L1_Dest_addr, packer).place_on(view.arch()),
            headers: [0, packer].map(|k| get(cfg::THCON_PACK_Sub_l1_tile_header_size, k)),
            counted: Counted::read(view, 1),
            in_bytes: view.arch() == Arch::Blackhole,
            adds_offset: get(cfg::THCON_PACK_Add_l1_dest_addr_offset, packer) != 0,
            fifo: (size != 0).then(|| {
                let limit = get(cfg::THCON_REG9_Pack_limit_address, packer) * 2 + 1;
                [size, limit]
            }),
            room: match has_room {
                true => get(cfg::THCON_PACK_Exp_section_size, packer),
                false => 0,
            },
        }
    }

    /// Returns the first unit of 16 bytes of `packer`, from the configured addresses and the
    /// counters. `offset` is set by TDMA-RISC.
    pub(super) fn units(
        &self,
        packer: u32,
        (config, thread): (&Config, usize),
        offset: u16,
        channel: &Channel,
    ) -> Result<u32, Fault> {
        let first = config.get(thread, FIRST_ADDRESS);
        let first = first.wrapping_add(1 - self.headers[0]);
        let mut units = first;
        if packer != 0 {
            let own = (self.address).map_or(0, |place| config.get_at(thread, place));
            units = own.wrapping_add(1 - self.headers[1]);
            if first >> 31 != 0 {
                units = units.wrapping_add(first);
            }
        }
        let by_counters = self.counted.at(channel);
        units = units.wrapping_add(match self.in_bytes {
            false => by_counters & !0xF,
            true => by_counters >> 4,
        });
        if self.adds_offset {
            units = units.wrapping_add(offset.into());
        }
        self.wrapped(units, packer)
    }

    /// Wraps an address within the packer's FIFO, if it has one.
    fn wrapped(&self, units: u32, packer: u32) -> Result<u32, Fault> {
        let Some([size, limit]) = self.fifo else {
            return Ok(units);
        };
        if units > 0x1_FFFF {
            return Err(Fault::undefined(format!(
                "the output address {units:#x} of packer {packer}, which has a FIFO: whether the \
                 bits above 16 count for its limit is not documented"
            )));
        }
        Ok(if units > limit {
            units.wrapping_sub(size)
        } else {
            units
        })
    }
}

/// Advances the packers' Y and Z counters by an address mode of the issuing thread.
#[inline]
pub(super) fn advance(addr_mode: u32, thread: usize, config: &Config, channels: &mut [Channel; 2]) {
    // All fields of a mode are in one word.
    let word = config.thread_word_of(thread, &cfg::ADDR_MOD_PACK_YsrcIncr, addr_mode);
    if word != 0 {
        step(addr_mode, thread, config, channels);
    }
}

fn step(addr_mode: u32, thread: usize, config: &Config, channels: &mut [Channel; 2]) {
    let mode = |family: ThreadField| config.thread_member(thread, &family, [addr_mode]);
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
