//! Breakpoints of a tile.

use std::str::FromStr;

use tessera_isa_tensix::{rows, Opcode};

use crate::map::CORES;

/// A breakpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Break {
    /// Before a core (by number) executes the instruction at an address.
    Pc(usize, u32),
    /// After this many instructions of a kind have been issued.
    Instruction(Opcode, u64),
}

/// The error of parsing a breakpoint.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not a breakpoint; write CORE:ADDRESS, such as T1:0x6100, or MNEMONIC or \
     MNEMONIC:COUNT, such as MVMUL:16"
)]
pub struct ParseBreakError(String);

impl FromStr for Break {
    type Err = ParseBreakError;

    fn from_str(text: &str) -> Result<Self, ParseBreakError> {
        let parse = || {
            let (name, number) = match text.split_once(':') {
                Some((name, number)) => (name, Some(number)),
                None => (text, None),
            };
            let core = CORES.iter().position(|core| *core == name);
            if let Some(core) = core {
                let digits = number?.strip_prefix("0x")?;
                return Some(Break::Pc(core, u32::from_str_radix(digits, 16).ok()?));
            }
            let named = |mnemonic: &str| mnemonic.eq_ignore_ascii_case(name);
            let row = rows().iter().find(|row| named(row.mnemonic))?;
            let count = number.map_or(Some(1), |count| count.parse().ok())?;
            if count == 0 {
                return None;
            }
            Some(Break::Instruction(row.opcode, count))
        };
        parse().ok_or_else(|| ParseBreakError(text.to_owned()))
    }
}

/// The breakpoints that a tile has not hit. Each triggers once.
#[derive(Clone, Debug, Default)]
pub(super) struct Breaks {
    pending: Vec<Break>,
    /// Whether one was hit that has not been reported yet.
    pub(super) is_hit: bool,
}

impl Breaks {
    pub(super) fn add(&mut self, at: Break) {
        self.pending.push(at);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.pending.is_empty()
    }

    /// Returns whether one is at some instruction of a core.
    pub(super) fn watch(&self, core: usize) -> bool {
        let is_watched = |at: &Break| matches!(at, Break::Pc(k, _) if *k == core);
        self.pending.iter().any(is_watched)
    }

    /// Removes the first breakpoint for which `is_met` holds; returns whether there was one.
    pub(super) fn hit(&mut self, is_met: impl Fn(Break) -> bool) -> bool {
        let met = self.pending.iter().position(|&at| is_met(at));
        if let Some(k) = met {
            self.pending.swap_remove(k);
            self.is_hit = true;
        }
        met.is_some()
    }
}

#[cfg(test)]
mod tests;
