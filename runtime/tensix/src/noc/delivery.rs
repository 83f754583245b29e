//! Deliveries: what the chip has to do for requests.

use std::ops::Range;
use std::sync::Arc;

use super::atomic::Atomic;
use super::location::Location;
use crate::trap::{Fault, Source, Trap, TrapLocation};

/// A delivery that the chip has to make for a request.
#[derive(Clone, Debug)]
pub(crate) struct Delivery {
    pub(crate) pc: u32,
    pub(crate) what: Payload,
    /// The index of the request, to be returned with the delivery.
    pub(super) request: usize,
}

/// The content of a delivery.
#[derive(Clone, Debug)]
pub(crate) enum Payload {
    /// Copies bytes from one location to another.
    Copy {
        from: Location,
        to: Location,
        length: u32,
    },
    /// Writes the enabled ones of a range of bytes. The mask has a bit for each of the first 64
    /// bytes of the range; all ones enable all bytes.
    Store {
        to: Location,
        data: Arc<[u8]>,
        range: Range<usize>,
        enabled: u64,
    },
    /// Performs an atomic operation on the 16 bytes around a word, and returns the old word.
    Atomic {
        at: Location,
        atomic: Atomic,
        answer: Option<Location>,
    },
}

impl Payload {
    /// Makes an inline write: to L1 it writes the enabled ones of 16 bytes, to a register the word.
    pub(super) fn inline(to: Location, word: u32, enabled: u16) -> Self {
        let four = word.to_le_bytes();
        let (to, data, enabled) = match to {
            Location::L1 { tile, addr } => {
                let addr = addr & !15;
                let to = Location::L1 { tile, addr };
                (to, four.repeat(4), enabled.into())
            }
            _ => (to, four.to_vec(), u64::MAX),
        };
        Payload::Store {
            to,
            range: 0..data.len(),
            data: data.into(),
            enabled,
        }
    }
}

/// The result of a step of the interface.
pub(crate) enum Progress {
    Nothing,
    Advanced,
    Deliver(Delivery),
}

/// Makes a trap for a NoC request of the instruction at `pc`.
pub(crate) fn noc_trap(pc: u32, fault: Fault) -> Trap {
    Trap {
        place: Some(TrapLocation::Pc(pc)),
        ..Trap::new(Some(Source::Noc), fault)
    }
}
