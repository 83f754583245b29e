//! Atomic operations of the NoC on L1.
//!
//! Source: ISA documentation of both chips, `NoC/Atomics.md`. Refused: parallel additions, and bits
//! that no operation defines.

use tessera_isa_tensix::noc::INCREMENT_WIDTH_BIT;
use tessera_isa_tensix::Arch;

use crate::state::l1::little_endian;
use crate::trap::Fault;

/// A modification of 16 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    /// Adds to the bits of `mask` in a word.
    Increment {
        by: u32,
        mask: u32,
    },
    CompareAndSwap {
        compare: u32,
        new: u32,
    },
    Swap(u32),
    /// Replaces those of the eight halfwords that the mask selects by the halves of a word,
    /// alternately.
    SwapHalves {
        mask: u32,
        word: u32,
    },
    /// One of the eight operations of Zaamo, by its number in NOC_AT_LEN_BE.
    Zaamo {
        number: u32,
        value: u32,
    },
}

/// An atomic operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Atomic {
    change: Change,
    /// The index of the modified word, 0 to 3.
    word: u32,
}

/// Extracts bits `low` to `low + count` of a word.
fn field(word: u32, low: u32, count: u32) -> u32 {
    word >> low & ((1 << count) - 1)
}

/// Decodes NOC_AT_LEN_BE: the modification, its word, and the bits that were decoded.
fn decode(fields: u32, data: u32, arch: Arch) -> Option<(Change, u32, u32)> {
    let lowest = field(fields, 0, 2);
    let has_zaamo = arch == Arch::Blackhole;
    Some(match field(fields, 12, 4) {
        1 => {
            let mask = u32::MAX >> (31 - field(fields, INCREMENT_WIDTH_BIT, 5));
            (Change::Increment { by: data, mask }, lowest, 0x7f)
        }
        3 => {
            let mask = field(fields, 2, 8);
            (Change::SwapHalves { mask, word: data }, 0, 0x3fc)
        }
        4 => {
            let (compare, new) = (field(fields, 2, 4), field(fields, 6, 4));
            (Change::CompareAndSwap { compare, new }, lowest, 0x3ff)
        }
        6 if field(fields, 2, 1) == 1 => (Change::Swap(data), lowest, 7),
        7 => (Change::Swap(data), field(fields, 2, 2), 0xc),
        10 if has_zaamo && field(fields, 8, 4) == 3 => (Change::Swap(data), lowest, 0xf03),
        10 if has_zaamo && field(fields, 11, 1) == 1 => {
            let number = field(fields, 8, 3);
            let value = data;
            (Change::Zaamo { number, value }, lowest, 0xf03)
        }
        _ => return None,
    })
}

impl Atomic {
    /// Decodes the operation that NOC_AT_LEN_BE and NOC_AT_DATA describe.
    pub(super) fn from_registers(fields: u32, data: u32, arch: Arch) -> Result<Self, Fault> {
        match decode(fields, data, arch) {
            Some((change, word, known)) if fields & !(0xf000 | known) == 0 => {
                Ok(Atomic { change, word })
            }
            _ => Err(Fault::unmodelled(format!(
                "NOC_AT_LEN_BE {fields:#x} of an atomic NoC request; increments, swaps{} are",
                match arch {
                    Arch::WormholeB0 => " and compare-and-swaps",
                    Arch::Blackhole => ", compare-and-swaps and the operations of Zaamo",
                }
            ))),
        }
    }

    /// Returns the modified bytes: offset within the addressed 16 bytes, and length.
    pub(crate) fn place(&self) -> (u32, u32) {
        match self.change {
            Change::SwapHalves { .. } => (0, 16),
            _ => (4 * self.word, 4),
        }
    }

    /// Applies the operation to the bytes of [`place`](Self::place).
    pub(crate) fn apply(&self, bytes: &mut [u8]) {
        if let Change::SwapHalves { mask, word } = self.change {
            let halves = [word as u16, (word >> 16) as u16].map(u16::to_le_bytes);
            for (k, half) in bytes.chunks_exact_mut(2).enumerate() {
                if mask >> k & 1 != 0 {
                    half.copy_from_slice(&halves[k % 2]);
                }
            }
            return;
        }
        let old = little_endian(bytes);
        bytes.copy_from_slice(&self.changed(old).to_le_bytes());
    }

    fn changed(&self, old: u32) -> u32 {
        let signed = |word: u32| word as i32;
        match self.change {
            Change::Increment { by, mask } => old & !mask | old.wrapping_add(by) & mask,
            Change::CompareAndSwap { compare, new } if old == compare => new,
            Change::CompareAndSwap { .. } | Change::SwapHalves { .. } => old,
            Change::Swap(word) => word,
            Change::Zaamo { number, value } => match number {
                0 => old.wrapping_add(value),
                1 => old ^ value,
                2 => old | value,
                3 => old & value,
                4 => signed(old).min(signed(value)) as u32,
                5 => signed(old).max(signed(value)) as u32,
                6 => old.min(value),
                _ => old.max(value),
            },
        }
    }
}

#[cfg(test)]
mod tests;
