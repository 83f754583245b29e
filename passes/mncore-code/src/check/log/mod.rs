//! The schedule log: replays all accesses of a program to memory slots and checks ownership.
//!
//! Within a kernel, slots of memory play the role that pipes play between kernels: a ring of tiles
//! in GRF1 or L1BM, the slots of a stream buffer in L2BM, the registers of a value under modulo
//! variable expansion, a constant. A slot is *ready* once it is written, *held* from its first read
//! on, and *free* after its last. [`tessera_pto::ring::Slots`] defines the transitions. An MV
//! instruction makes its target ready, and its source free, at the `wait` for its tag.
//!
//! The method has two passes. The first follows the sequential meaning: loops, iterations and items
//! in order. It numbers each write and gives each read the number of the write that it must find.
//! The second replays the accesses in the order of the scheduled steps. Slots are as large as
//! accesses allow: two accesses share a slot if and only if they share a word.
//!
//! | file | holds |
//! |---|---|
//! | `accesses.rs` | the accesses of the items of a scheduled loop |
//! | `slot_map.rs` | the slots of memories |
//! | `write_numbering.rs` | the sequential meaning: numbers of writes, and the write that each read must find |
//! | `replay.rs` | the same accesses in the order of steps |
//!
//! Checked, over all loops of a kernel and across their boundaries: a read finds the write meant
//! for it; nothing is overwritten before its last read; no item accesses the target of an MV
//! instruction, or writes its source, before the `wait` for its tag; every MV instruction is waited
//! for. It is independent of the scheduler, and of [`crate::analysis::dependence`] but for the
//! accesses of items.
//!
//! Not checked here: latencies and ports ([`crate::program`] applies the assembler's rules to every
//! statement); forwarding registers ([`crate::check::verify`]); mask registers that an item
//! addresses itself; the contents of memories before the kernel.

mod accesses;
mod replay;
mod slot_map;
mod write_numbering;

use std::fmt::{self, Display, Formatter};

use thiserror::Error;

use crate::analysis::dependence::DependenceError;

pub(crate) use replay::replay;
pub use replay::Replayed;

/// An item in an iteration, for diagnostics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemInstance {
    /// The name of the loop.
    pub part: String,
    /// Which loop of the program it is, from 0 on.
    pub number: usize,
    /// The index of the loops around it.
    pub outer: Vec<u32>,
    /// The item; `None` for the load of a constant.
    pub item: Option<usize>,
    /// The iteration.
    pub iteration: u64,
}

impl Display for ItemInstance {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.item {
            Some(item) => write!(f, "item {item} of {} in iteration ", self.part)?,
            None => return write!(f, "the load of a constant of {}", self.part),
        }
        match &self.outer[..] {
            [] => write!(f, "{}", self.iteration),
            outer => write!(f, "{} of {outer:?}", self.iteration),
        }
    }
}

/// The content of a slot, for diagnostics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// Whatever it held before the kernel.
    Initial,
    /// The result of this write.
    WrittenBy(ItemInstance),
}

impl Display for Content {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Content::Initial => f.write_str("what was there before the kernel"),
            Content::WrittenBy(at) => write!(f, "what {at} wrote"),
        }
    }
}

/// A slot, for diagnostics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The memory.
    pub memory: &'static str,
    /// The first word of the slot, in the memory's units.
    pub address: u64,
}

impl Display for Slot {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.memory, self.address)
    }
}

impl LogError {
    /// Returns the item that the error concerns.
    pub fn item(&self) -> Option<&ItemInstance> {
        match self {
            LogError::Dependence(_) => None,
            LogError::Lost { at, .. }
            | LogError::Overwritten { at, .. }
            | LogError::InFlight { at, .. }
            | LogError::Unawaited { mover: at, .. } => Some(at),
        }
    }
}

/// A violation found in the schedule log.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LogError {
    /// The accesses of an item cannot be determined.
    #[error(transparent)]
    Dependence(#[from] DependenceError),
    /// A read does not find the write that it must find.
    #[error("{at} reads {slot} in step {step} for {wanted}, but finds {found}; let the write be earlier, or the one that follows it later")]
    Lost {
        /// The reader.
        at: ItemInstance,
        /// The step of the loop.
        step: u64,
        /// The slot.
        slot: Slot,
        /// The expected content.
        wanted: Content,
        /// The actual content.
        found: Content,
    },
    /// A slot is overwritten before its last read.
    #[error("{at} writes {slot} in step {step}, but {found} is still to be read {left} times; let the ring have more slots, or this be later")]
    Overwritten {
        /// The writer.
        at: ItemInstance,
        /// The step of the loop.
        step: u64,
        /// The slot.
        slot: Slot,
        /// The content that is lost.
        found: Content,
        /// The number of outstanding reads.
        left: u32,
    },
    /// An item accesses a slot that an MV instruction in flight owns.
    #[error("{at} touches {slot} in step {step}, which the MV instruction of {mover} still moves; put a `wait` for its tag, {tag}, before it")]
    InFlight {
        /// The item.
        at: ItemInstance,
        /// The step of the loop.
        step: u64,
        /// The slot.
        slot: Slot,
        /// The MV instruction.
        mover: ItemInstance,
        /// Its tag.
        tag: u32,
    },
    /// Nothing waits for an MV instruction.
    #[error("nothing waits for the MV instruction of {mover}; put a `wait` for its tag, {tag}, after it")]
    Unawaited {
        /// The MV instruction.
        mover: ItemInstance,
        /// Its tag.
        tag: u32,
    },
}
