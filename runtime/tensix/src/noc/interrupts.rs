//! Interrupts of Blackhole's NIUs: all requests of a transaction have been answered.
//!
//! Source: ISA documentation, `BlackholeA0/NoC/MemoryMap.md`, `BlackholeA0/NoC/Interrupts.md`.
//! Offsets are bytes from the NIU's first register. The order in which several transactions are
//! reported is undocumented: the model reports the lowest one, and with [`KEEPS`] the next one each
//! time.

/// NIU_TRANS_COUNT_RTZ_CFG, its bit that keeps transactions read from [`NUMBER`], and its defined
/// bits.
const CONFIGURATION: u32 = 0x178;
const KEEPS: u32 = 1 << 28;
const CONFIGURATION_BITS: u32 = KEEPS | 0xffff;
/// NIU_TRANS_COUNT_RTZ_CLR.
const CLEAR: u32 = 0x17c;
/// NIU_TRANS_COUNT_RTZ_NUM.
const NUMBER: u32 = 0x378;
/// NIU_TRANS_COUNT_RTZ_SOURCE.
const SOURCE: u32 = 0x37c;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Interrupts {
    configuration: u32,
    /// The transactions whose counter has fallen to 0 and that are not cleared.
    source: u32,
    /// The transaction reported last.
    named: u32,
}

impl Interrupts {
    /// Records that the counter of a transaction has become 0.
    pub(super) fn fell_to_zero(&mut self, transaction: usize) {
        self.source |= 1 << transaction;
    }

    fn pending(&self) -> u32 {
        self.source & self.configuration & 0xffff
    }

    pub(super) fn raised(&self) -> bool {
        self.pending() != 0
    }

    /// Returns whether a load has side effects.
    pub(super) fn reading_changes(offset: u32) -> bool {
        offset == NUMBER
    }

    /// Loads a register, if it is one of these.
    pub(super) fn load(&mut self, offset: u32) -> Option<u32> {
        Some(match offset {
            CONFIGURATION => self.configuration,
            CLEAR => 0,
            SOURCE => self.source,
            NUMBER => self.name(),
            _ => return None,
        })
    }

    fn name(&mut self) -> u32 {
        let pending = self.pending();
        if pending == 0 {
            return 0;
        }
        let keeps = self.configuration & KEEPS != 0;
        // Prefers transactions after the last one.
        let behind = pending & !((2 << self.named) - 1);
        let named = match keeps && behind != 0 {
            true => behind.trailing_zeros(),
            false => pending.trailing_zeros(),
        };
        self.named = named;
        if !keeps {
            self.source &= !(1 << named);
        }
        named
    }

    /// Stores to a register; returns false if it is none of these.
    pub(super) fn store(&mut self, offset: u32, value: u32) -> bool {
        match offset {
            CONFIGURATION => self.configuration = value & CONFIGURATION_BITS,
            CLEAR => self.source &= !value,
            SOURCE | NUMBER => {}
            _ => return false,
        }
        true
    }
}

#[cfg(test)]
mod tests;
