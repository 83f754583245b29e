//! Blackhole's interrupt controller.
//!
//! Source: ISA documentation, `BlackholeA0/TensixTile/PIC.md`. Of the hardware interrupts, only
//! those of the NoCs can be raised; the overlay and the watchdog are not modelled.

use crate::map::{self, B, NC};

const SOFTWARE: usize = 32;
const HARDWARE: usize = 4;
/// Number of interrupts; software interrupts come first.
const ALL: usize = SOFTWARE + HARDWARE;
/// The cores that can be interrupted, in the order of their registers.
const CORES: [usize; 2] = [B, NC];
/// Words per core: enabled software interrupts, enabled hardware interrupts, and the current
/// interrupt.
const WORDS_OF_CORE: u32 = 3;
/// Word offsets of the software interrupts, the hardware interrupts, and the handler addresses.
const RAISED: u32 = 6;
const RAISED_BY_HARDWARE: u32 = RAISED + SOFTWARE as u32;
const HANDLERS: u32 = RAISED_BY_HARDWARE + HARDWARE as u32;
const END: u32 = HANDLERS + ALL as u32;

/// The kinds of registers.
enum Register {
    SoftwareEnabled(usize),
    HardwareEnabled(usize),
    Number(usize),
    Software(usize),
    Hardware(usize),
    Handler(usize),
}

fn register(addr: u32) -> Option<Register> {
    let word = (addr - map::INTERRUPTS) / 4;
    Some(match word {
        0..RAISED => {
            let core = (word / WORDS_OF_CORE) as usize;
            match word % WORDS_OF_CORE {
                0 => Register::SoftwareEnabled(core),
                1 => Register::HardwareEnabled(core),
                _ => Register::Number(core),
            }
        }
        RAISED..RAISED_BY_HARDWARE => Register::Software((word - RAISED) as usize),
        RAISED_BY_HARDWARE..HANDLERS => Register::Hardware((word - RAISED_BY_HARDWARE) as usize),
        HANDLERS..END => Register::Handler((word - HANDLERS) as usize),
        _ => return None,
    })
}

/// The interrupt controller.
#[derive(Clone, Debug)]
pub(crate) struct Pic {
    /// The enabled interrupts of each core, one bit each.
    enabled: [u64; 2],
    /// The last interrupt taken by each core.
    number: [u32; 2],
    /// The value stored to raise each software interrupt; 0 if it is not raised.
    software: [u32; SOFTWARE],
    /// The raised hardware interrupts, one bit each.
    hardware: u32,
    handlers: [u32; ALL],
}

impl Pic {
    pub(crate) fn new() -> Self {
        Pic {
            enabled: [0; 2],
            number: [0; 2],
            software: [0; SOFTWARE],
            hardware: 0,
            handlers: [0; ALL],
        }
    }

    /// Sets which NoCs raise their interrupts.
    pub(crate) fn set_nocs(&mut self, raised: [bool; 2]) {
        let bits = raised.map(u32::from);
        self.hardware = bits[0] << 1 | bits[1] << 2;
    }

    /// Loads a register, if it exists.
    pub(crate) fn load(&mut self, addr: u32) -> Option<u32> {
        Some(match register(addr)? {
            Register::SoftwareEnabled(core) => self.enabled[core] as u32,
            Register::HardwareEnabled(core) => (self.enabled[core] >> SOFTWARE) as u32,
            Register::Number(core) => self.number[core],
            Register::Software(k) => std::mem::take(&mut self.software[k]),
            Register::Hardware(k) => self.hardware >> k & 1,
            Register::Handler(k) => self.handlers[k],
        })
    }

    /// Stores to a register; returns false if it does not exist.
    pub(crate) fn store(&mut self, addr: u32, value: u32) -> bool {
        let Some(register) = register(addr) else {
            return false;
        };
        const LOW: u64 = (1 << SOFTWARE) - 1;
        match register {
            Register::SoftwareEnabled(core) => {
                self.enabled[core] = self.enabled[core] & !LOW | u64::from(value);
            }
            Register::HardwareEnabled(core) => {
                let bits = u64::from(value & 0xf) << SOFTWARE;
                self.enabled[core] = self.enabled[core] & LOW | bits;
            }
            Register::Software(k) => self.software[k] = value,
            Register::Handler(k) => self.handlers[k] = value,
            Register::Number(_) | Register::Hardware(_) => {}
        }
        true
    }

    /// Returns whether a load has side effects.
    pub(crate) fn reading_changes(addr: u32) -> bool {
        matches!(register(addr), Some(Register::Software(_)))
    }

    /// Acknowledges an interrupt of a core, if one is pending and enabled, and returns its handler.
    /// Interrupts are served cyclically.
    pub(crate) fn take_interrupt(&mut self, core: usize) -> Option<u32> {
        let place = CORES.iter().position(|&c| c == core)?;
        if self.enabled[place] == 0 {
            return None;
        }
        let raised = |k: usize| match k {
            0..SOFTWARE => self.software[k] != 0,
            _ => self.hardware >> (k - SOFTWARE) & 1 != 0,
        };
        let next = self.number[place] as usize + 1;
        let taken = (0..ALL)
            .map(|k| (next + k) % ALL)
            .find(|&k| self.enabled[place] >> k & 1 != 0 && raised(k))?;
        self.number[place] = taken as u32;
        Some(self.handlers[taken])
    }
}

#[cfg(test)]
mod tests;
