//! The mover: copies within L1, or from L1 to backend configuration or NC's instruction RAM, and
//! clears any of these, 16 bytes at a time.
//!
//! The effect takes place when the mover starts. Until it ends, accesses to the same bytes or words
//! are hazards (`crate::issue::flight`).
//!
//! Source: ISA documentation, `Mover.md`, `XMOV.md`. Traps: overlapping copies within L1, and
//! configuration addresses that do not exist.

use tessera_isa_tensix::table::Xmov;
use tessera_isa_tensix::{cfg, Arch, Unit};

use crate::insn::traits::{unit, Occupies, ResourceClass, Traits};
use crate::state::access::WordSet;
use crate::state::config::Config;
use crate::state::core_state::CoreState;
use crate::state::l1::L1;
use crate::state::request::Request;
use crate::state::units::MOVER;
use crate::trap::Fault;

/// Size of the windows of configuration and instruction RAM in the mover's address space.
const WINDOW: u32 = 0x1_0000;
/// The window of NC's instruction RAM.
const INSTRUCTION_RAM: u32 = 0x4_0000;

/// A task of the mover; addresses and count in bytes, multiples of 16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// Destination address.
    pub destination: u32,
    /// Source address in L1; unused when clearing.
    pub source: u32,
    /// Number of bytes.
    pub count: u32,
    /// Destination L1 (0 and 3) or other (1 and 2); copy from L1 (1 and 3) or clear (0 and 2).
    pub direction: u32,
}

/// The parts of a core's state that the mover uses.
pub struct Mover<'a> {
    arch: Arch,
    config: &'a mut Config,
    /// Configuration words that the transfer changes.
    config_write: &'a mut WordSet,
    l1: &'a mut L1,
    request: &'a mut Option<Request>,
}

impl<'a> Mover<'a> {
    /// Borrows the parts of a core's state.
    pub fn of(core: &'a mut CoreState) -> Mover<'a> {
        Mover {
            arch: core.arch,
            config: &mut core.config,
            config_write: &mut core.access.config_write,
            l1: &mut core.l1,
            request: &mut core.request,
        }
    }
}

/// A destination other than L1.
enum Elsewhere {
    Config,
    InstructionRam,
    Nothing,
}

impl Transfer {
    /// Returns the task that the configuration of `thread` describes.
    fn configured(config: &Config, thread: usize) -> Transfer {
        let get = |field| config.get(thread, field);
        Transfer {
            destination: get(cfg::THCON_REG6_Destination_address.nth(0)) << 4,
            source: get(cfg::THCON_REG6_Source_address.nth(0)) << 4,
            count: (get(cfg::THCON_REG6_Buffer_size.nth(0)) & 0xffff) << 4,
            direction: get(cfg::THCON_REG6_Transfer_direction.nth(0)),
        }
    }

    /// Executes the transfer; returns the request that is left to the tile, if any.
    ///
    /// # Errors
    /// Undefined for addresses that do not exist.
    pub fn run(&self, unit: &mut Mover<'_>) -> Result<Option<Request>, Fault> {
        let bytes = match self.direction {
            1 | 3 => unit.l1.read(self.source, self.count as usize)?.to_vec(),
            _ => vec![0; self.count as usize],
        };
        if matches!(self.direction, 0 | 3) {
            self.check_overlap()?;
            unit.l1.write(self.destination, &bytes)?;
            return Ok(None);
        }
        let offset = self.destination % WINDOW;
        if offset + self.count > WINDOW {
            return Err(Fault::undefined(format!(
                "the mover accesses memory from {:#x} on beyond the end of configuration or \
                 instruction RAM",
                self.destination
            )));
        }
        match self.elsewhere() {
            Elsewhere::Nothing => Ok(None),
            Elsewhere::InstructionRam if unit.arch == Arch::Blackhole => {
                Err(Fault::unmodelled(format!(
                    "the mover writes {:#x}, NC's instruction RAM on Wormhole; Blackhole's NC has \
                     none",
                    self.destination
                )))
            }
            Elsewhere::InstructionRam => Ok(Some(Request::InstructionRam { offset, bytes })),
            Elsewhere::Config => write_config(offset, &bytes, unit).map(|()| None),
        }
    }

    fn elsewhere(&self) -> Elsewhere {
        match self.destination {
            0..WINDOW => Elsewhere::Config,
            INSTRUCTION_RAM..=0x4_ffff => Elsewhere::InstructionRam,
            _ => Elsewhere::Nothing,
        }
    }

    fn check_overlap(&self) -> Result<(), Fault> {
        let apart = self.source.abs_diff(self.destination);
        if self.direction == 3 && apart != 0 && apart < self.count {
            return Err(Fault::undefined(format!(
                "the mover copies {:#x} bytes from L1 {:#x} to {:#x}, which overlap",
                self.count, self.source, self.destination
            )));
        }
        Ok(())
    }
}

fn write_config(offset: u32, bytes: &[u8], unit: &mut Mover<'_>) -> Result<(), Fault> {
    for (word, value) in (offset / 4..).zip(bytes.chunks_exact(4)) {
        let words = cfg::config_words(unit.arch);
        let (state, addr32) = (word as usize / words, word as usize % words);
        if state > 1 {
            return Err(Fault::undefined(format!(
                "the mover writes byte {:#x} of the configuration, which has {:#x}",
                4 * word,
                8 * words
            )));
        }
        let value = u32::from_le_bytes([value[0], value[1], value[2], value[3]]);
        unit.config
            .write_state(state, addr32 as u32, value, u32::MAX, unit.config_write)?;
    }
    Ok(())
}

fn xmov(i: &Xmov, thread: usize, unit: &mut Mover<'_>) -> Result<(), Fault> {
    if i.mov_block_selection | i.last != 0 {
        return Err(Fault::undefined("XMOV with an operand that is not 0"));
    }
    *unit.request = Transfer::configured(unit.config, thread).run(unit)?;
    Ok(())
}

unit! {
    fn execute(i, thread: usize, unit: &mut Mover<'_>);

    Xmov => xmov(i, thread, unit), Traits {
        occupies: Occupies::One(MOVER),
        resources: Some(ResourceClass::Xmov),
        traps: [None, Some("NC's instruction RAM, which it does not have")],
        ..Traits::of(Unit::Mover)
    };
}

#[cfg(test)]
mod tests;
