//! The operations of requests.

use tessera_isa_tensix::noc::{
    layout, ATOMIC, BYTE_ENABLES, CONTROL, DATA, INLINE, KIND, LENGTH, LENGTH_HIGH, READ,
    REGISTERS, WRITE,
};
use tessera_isa_tensix::Arch;

use super::atomic::Atomic;
use crate::trap::Fault;

/// The words of an initiator.
pub(crate) type Words = [u32; REGISTERS];

/// The operation at the destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Read,
    /// Writes `length` bytes; only those enabled by the mask, unless it is all ones.
    Write {
        enabled: u64,
    },
    /// Writes a word to those of 16 bytes that the mask enables.
    Inline {
        word: u32,
        enabled: u16,
    },
    Atomic(Atomic),
}

impl Operation {
    /// Decodes an operation and its number of bytes.
    pub(super) fn from_words(words: &Words, arch: Arch) -> Result<(Operation, u32), Fault> {
        let (control, length) = (words[CONTROL], words[LENGTH]);
        let longest = layout(arch).longest;
        let whole = u64::from(length) | u64::from(words[LENGTH_HIGH]) << 32;
        let sized = |operation| match (1..=u64::from(longest)).contains(&whole) {
            true => Ok((operation, length)),
            false => Err(Fault::undefined(format!(
                "makes a NoC request of {whole} bytes; it can be 1 to {longest}"
            ))),
        };
        const WRITES: u32 = WRITE & KIND;
        const ATOMICS: u32 = ATOMIC & KIND;
        match control & KIND {
            READ => sized(Operation::Read),
            WRITES if control & INLINE != 0 => {
                let enabled = (length | length >> 16) as u16;
                let word = words[DATA];
                Ok((Operation::Inline { word, enabled }, 16))
            }
            WRITES if control & BYTE_ENABLES != 0 => {
                let bytes = match arch {
                    Arch::WormholeB0 => 32,
                    Arch::Blackhole => 64,
                };
                Ok((Operation::Write { enabled: whole }, bytes))
            }
            WRITES => sized(Operation::Write { enabled: u64::MAX }),
            ATOMICS => Ok((
                Operation::Atomic(Atomic::from_registers(length, words[DATA], arch)?),
                4,
            )),
            _ => Err(Fault::undefined(
                "makes a NoC request of kind 3, which is reserved",
            )),
        }
    }
}
