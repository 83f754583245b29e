//! Tile control, debug and status registers.
//!
//! Modelled: the soft reset of the five cores, on Blackhole also their reset addresses, the clock,
//! time stamps, and reading the configuration. The clock does not count cycles, which are not
//! modelled. It counts events in the tile and never stands still. Refused: resetting anything but
//! cores, and every other register.
//!
//! Source: ISA documentation of both chips, `TileControlDebugStatus.md`, `SoftReset.md`,
//! `DebugTimestamper.md`, `BackendConfiguration.md` (debug registers). Addresses that these do not
//! give are those of ttsim's tables.

use super::params::TileKind;
use super::timestamp::{Piece, Timestamps};
use crate::map::{self, CORES};
use tessera_isa_tensix::Arch;

use crate::state::config::Config;
use crate::trap::Fault;

/// RISCV_DEBUG_REG_CFGREG_RD_CNTL: selects a word of configuration.
const CONFIG_SELECT: u32 = map::CONTROL + 0x58;
/// RISCV_DEBUG_REG_DBG_FEATURE_DISABLE: a bit for each feature to be disabled.
const FEATURE_DISABLE: u32 = map::CONTROL + 0x68;
/// RISCV_DEBUG_REG_CFGREG_RDDATA: the selected word.
const CONFIG_DATA: u32 = map::CONTROL + 0x78;
/// RISCV_DEBUG_REG_WALL_CLOCK_L: the lower half; reading it latches the upper half in
/// [`CLOCK_KEPT`].
const CLOCK_LOW: u32 = map::CONTROL + 0x1f0;
const CLOCK_HIGH: u32 = CLOCK_LOW + 4;
/// RISCV_DEBUG_REG_WALL_CLOCK_H.
const CLOCK_KEPT: u32 = CLOCK_LOW + 8;

/// RISCV_DEBUG_REG_DISABLE_RESET (Blackhole): two bits for each core in the order of
/// [`RESET_ORDER`]; the first keeps its local memory.
const DISABLE_RESET: u32 = map::CONTROL + 0x224;
const RESET_ORDER: [usize; 5] = [1, 2, 3, map::B, map::NC];
/// RISCV_DEBUG_REG_TRISC0_RESET_PC and two more, RISCV_DEBUG_REG_TRISC_RESET_PC_OVERRIDE, and the
/// corresponding registers of NC (Blackhole).
const RESET_PC: [u32; 3] = [
    map::CONTROL + 0x228,
    map::CONTROL + 0x22c,
    map::CONTROL + 0x230,
];
const RESET_PC_OVERRIDE: u32 = map::CONTROL + 0x234;
const NC_RESET_PC: u32 = map::CONTROL + 0x238;
const NC_RESET_PC_OVERRIDE: u32 = map::CONTROL + 0x23c;
/// DEST_CG_CTRL (Blackhole): a clock gate.
const DST_CLOCK_GATE: u32 = map::CONTROL + 0x240;
/// Number of plain words from [`DISABLE_RESET`] on.
const KEPT: usize = 8;

/// The registers.
#[derive(Clone, Debug)]
pub(crate) struct Control {
    arch: Arch,
    kind: TileKind,
    /// Registers from [`DISABLE_RESET`] to [`DST_CLOCK_GATE`].
    kept: [u32; KEPT],
    timestamps: Timestamps,
    /// The cores held in reset, one bit each.
    in_reset: u32,
    config_word: u32,
    clock: u64,
    clock_kept: u32,
}

/// The effects of a store to the soft reset register on cores, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ResetChange {
    pub(crate) entered: u32,
    pub(crate) left: u32,
}

impl Control {
    /// Creates the registers with all cores but those of `running` in reset.
    pub(crate) fn new(arch: Arch, kind: TileKind, running: u32) -> Self {
        Control {
            arch,
            kind,
            kept: [0; KEPT],
            timestamps: Timestamps::new(),
            // Cores that do not exist never leave reset.
            in_reset: !running,
            config_word: 0,
            clock: 0,
            clock_kept: 0,
        }
    }

    pub(crate) fn is_in_reset(&self, core: usize) -> bool {
        self.in_reset >> core & 1 != 0
    }

    /// Advances the clock.
    pub(crate) fn tick(&mut self, count: u64) {
        self.clock += count;
    }

    pub(crate) fn clock(&self) -> u64 {
        self.clock
    }

    /// Returns the index in [`Self::kept`] of an address.
    fn kept(&self, addr: u32) -> Option<usize> {
        let is_kept = (DISABLE_RESET..=DST_CLOCK_GATE).contains(&addr);
        (is_kept && self.arch == Arch::Blackhole).then(|| (addr - DISABLE_RESET) as usize / 4)
    }

    fn kept_word(&self, addr: u32) -> u32 {
        self.kept(addr).map_or(0, |k| self.kept[k])
    }

    /// Returns a core's reset address on Blackhole, if overridden.
    pub(crate) fn reset_pc(&self, core: usize) -> Option<u32> {
        let (overrides, bit, pc) = match core {
            map::B => return None,
            map::NC => (NC_RESET_PC_OVERRIDE, 0, NC_RESET_PC),
            _ => (RESET_PC_OVERRIDE, core - 1, RESET_PC[core - 1]),
        };
        (self.kept_word(overrides) >> bit & 1 != 0).then(|| self.kept_word(pc))
    }

    /// Returns whether leaving reset clears a core's local memory.
    pub(crate) fn resets_local(&self, core: usize) -> bool {
        let place = RESET_ORDER.iter().position(|&c| c == core).unwrap_or(0);
        self.arch == Arch::Blackhole && self.kept_word(DISABLE_RESET) >> (2 * place) & 1 == 0
    }

    /// Executes a store to a time stamp register, if it is one; returns the data to be written to
    /// L1.
    pub(crate) fn store_timestamp(
        &mut self,
        addr: u32,
        value: u32,
    ) -> Option<Result<Option<Piece>, Fault>> {
        let clock = self.clock;
        Timestamps::has(addr).then(|| self.timestamps.store(addr, value, clock))
    }

    pub(crate) fn load(&mut self, addr: u32, config: &Config) -> Result<u32, Fault> {
        if let Some(k) = self.kept(addr) {
            return Ok(self.kept[k]);
        }
        match addr {
            _ if Timestamps::has(addr) => Ok(self.timestamps.load(addr)),
            map::SOFT_RESET => Ok((0..CORES.len())
                .filter(|&k| self.is_in_reset(k))
                .fold(0, |bits, k| bits | 1 << map::RESET_BIT[k])),
            CONFIG_SELECT => Ok(self.config_word),
            FEATURE_DISABLE => Ok(0),
            CONFIG_DATA => {
                let at = self.config_word as usize;
                match map::config_word(self.arch, at) {
                    Some(word) => Ok(word.load(config)),
                    None => Err(Fault::unmodelled(format!(
                        "reading word {at} of configuration for debugging; there are {}",
                        map::config_words(self.arch)
                    ))),
                }
            }
            CLOCK_LOW => {
                self.clock += 1;
                self.clock_kept = (self.clock >> 32) as u32;
                Ok(self.clock as u32)
            }
            CLOCK_HIGH => Ok((self.clock >> 32) as u32),
            CLOCK_KEPT => Ok(self.clock_kept),
            _ => not_modelled(addr),
        }
    }

    /// Executes a store, except of the soft reset register.
    pub(crate) fn store(&mut self, addr: u32, value: u32) -> Result<(), Fault> {
        if let Some(k) = self.kept(addr) {
            self.kept[k] = value;
            return Ok(());
        }
        match addr {
            CONFIG_SELECT => self.config_word = value & 0x7ff,
            FEATURE_DISABLE if value == 0 => {}
            FEATURE_DISABLE => {
                return Err(Fault::unmodelled(format!(
                "disabling features {value:#x} for debugging (RISCV_DEBUG_REG_DBG_FEATURE_DISABLE)"
            )))
            }
            CLOCK_LOW => self.clock_kept = (self.clock >> 32) as u32,
            CLOCK_HIGH | CLOCK_KEPT | CONFIG_DATA => {}
            _ => return not_modelled(addr),
        }
        Ok(())
    }

    /// Executes a store to the soft reset register.
    pub(crate) fn store_reset(&mut self, value: u32) -> Result<ResetChange, Fault> {
        // Blackhole has no bits above bit 23.
        let nothing = if self.arch == Arch::Blackhole {
            0xff << 24
        } else {
            0
        };
        let known: u32 = map::RESET_BIT.iter().map(|bit| 1 << bit).sum::<u32>() | nothing;
        if self.kind == TileKind::Tensix && value & !known != 0 {
            return Err(Fault::unmodelled(format!(
                "holding in reset what bits {:#x} of the soft reset stand for",
                value & !known
            )));
        }
        let held = (0..CORES.len())
            .filter(|&k| value >> map::RESET_BIT[k] & 1 != 0)
            .fold(0, |held, k| held | 1 << k)
            | !self.kind.cores();
        let change = ResetChange {
            entered: held & !self.in_reset,
            left: self.in_reset & !held,
        };
        self.in_reset = held;
        Ok(change)
    }

    /// Returns whether a load of this address has side effects or returns different values.
    pub(crate) fn reading_changes(addr: u32) -> bool {
        (CLOCK_LOW..=CLOCK_KEPT).contains(&addr)
    }
}

fn not_modelled<T>(addr: u32) -> Result<T, Fault> {
    Err(Fault::unmodelled(format!(
        "debug registers other than the soft reset, the clock and the reading of configuration \
         ({addr:#x})"
    )))
}

#[cfg(test)]
mod tests;
