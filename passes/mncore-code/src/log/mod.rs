//! The schedule log: who writes and who reads each slot of each memory, in the order of steps,
//! replayed by the machine that pipes are checked with.
//!
//! What pipes are between kernels are slots of memories within one: a ring of tiles in GRF1 or
//! L1BM, the places of a stream in L2BM, the unrolled copies of a value, a constant. A slot is
//! *ready* once it is written, *held* from its first read on, and *free* after its last:
//! [`tessera_pto::ring::Slots`] says who may do what. What an MV instruction moves is ready, and
//! what it reads is free, with the `wait` for its tag.
//!
//! The meaning of a program is sequential: loops in order, of each the iterations in order, of each
//! the items in order. Going through it that way gives each write a number, and each read the
//! number of the write it must find. Then the same goes by in the order of steps. Slots are as
//! large as accesses allow, so two accesses have a slot in common just when they have a word in
//! common.
//!
//! | file | holds |
//! |---|---|
//! | `reaches.rs` | what the items of a scheduled loop touch |
//! | `areas.rs` | memories as slots |
//! | `numbers.rs` | the sequential meaning: the numbers of writes, and what each read must find |
//! | `replay.rs` | the same accesses in the order of steps |
//!
//! Checked, over all loops of a kernel and what passes from one to the next: a read finds what was
//! written for it; nothing is overwritten before its last read; nobody touches what an MV
//! instruction moves before a `wait` for its tag, nor writes what it reads; every MV instruction is
//! waited for. Nothing of the scheduler's is used, nor of [`crate::dependence`] but what an item
//! touches.
//!
//! Not checked here: that results have arrived and ports are free ([`crate::program`] asks the
//! assembler's rules of every statement); forwarding registers ([`crate::verify::verify`]); mask
//! registers that an item names itself; what was in a memory before the kernel.

mod areas;
mod numbers;
mod reaches;
mod replay;

use std::fmt::{self, Display, Formatter};

use thiserror::Error;

use crate::dependence::DependenceError;

pub(crate) use replay::replay;
pub use replay::Replayed;

/// An item, and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct At {
    /// The name of the loop.
    pub part: String,
    /// Which loop of the program it is, from 0 on.
    pub number: usize,
    /// Where the loops around it are.
    pub outer: Vec<u32>,
    /// The item; none is what loads a constant.
    pub item: Option<usize>,
    /// The iteration.
    pub iteration: u64,
}

impl Display for At {
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

/// What a slot has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// What was there before the kernel.
    Initial,
    /// What was written then.
    Of(At),
}

impl Display for Content {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Content::Initial => f.write_str("what was there before the kernel"),
            Content::Of(at) => write!(f, "what {at} wrote"),
        }
    }
}

/// A slot.
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
    /// Whom it is about.
    pub fn at(&self) -> Option<&At> {
        match self {
            LogError::Dependence(_) => None,
            LogError::Lost { at, .. }
            | LogError::Overwritten { at, .. }
            | LogError::UnderWay { at, .. }
            | LogError::Unawaited { mover: at, .. } => Some(at),
        }
    }
}

/// What is wrong with a program's log.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LogError {
    /// What an item touches cannot be told.
    #[error(transparent)]
    Dependence(#[from] DependenceError),
    /// A slot does not have what a read is to find.
    #[error("{at} reads {slot} in step {step} for {wanted}, but finds {found}; let the write be earlier, or the one that follows it later")]
    Lost {
        /// Who reads.
        at: At,
        /// The step of the loop.
        step: u64,
        /// What.
        slot: Slot,
        /// What should be there.
        wanted: Content,
        /// What is there.
        found: Content,
    },
    /// A slot is not free.
    #[error("{at} writes {slot} in step {step}, but {found} is still to be read {left} times; let the ring have more slots, or this be later")]
    Overwritten {
        /// Who writes.
        at: At,
        /// The step of the loop.
        step: u64,
        /// What.
        slot: Slot,
        /// What is there.
        found: Content,
        /// How many reads there will be.
        left: u32,
    },
    /// An MV instruction still moves what is in a slot.
    #[error("{at} touches {slot} in step {step}, which the MV instruction of {mover} still moves; put a `wait` for its tag, {tag}, before it")]
    UnderWay {
        /// Who touches it.
        at: At,
        /// The step of the loop.
        step: u64,
        /// What.
        slot: Slot,
        /// The MV instruction.
        mover: At,
        /// Its tag.
        tag: u32,
    },
    /// An MV instruction is under way at the end.
    #[error("nothing waits for the MV instruction of {mover}; put a `wait` for its tag, {tag}, behind it")]
    Unawaited {
        /// The MV instruction.
        mover: At,
        /// Its tag.
        tag: u32,
    },
}
