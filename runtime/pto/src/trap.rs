//! Why a launch stops.

use std::fmt;

use thiserror::Error;

use crate::kernel::TileType;
use crate::ring::Owner;

/// Where and why a launch stopped.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Trap {
    /// An operation cannot be done.
    #[error("{0}")]
    Operation(Box<FailedOperation>),
    /// Nobody can go on.
    #[error("nobody can go on:{}", list(.0))]
    Deadlock(Vec<Wait>),
    /// More operations than allowed.
    #[error(
        "the launch has more than {0} operations; allow more, or look for a loop that is too long"
    )]
    Limit(u64),
    /// A pipe that is not empty when all kernels have ended.
    #[error("pipe {pipe} still has {left} tiles when all kernels have ended: pushed {pushed}, popped {popped}; every push needs a pop")]
    Leftover {
        /// The pipe.
        pipe: String,
        /// How many.
        left: u64,
        /// Tiles pushed.
        pushed: u64,
        /// Tiles popped.
        popped: u64,
    },
}

impl Trap {
    /// Replaces the places in the source that the trap names.
    pub fn map_locations(&mut self, function: impl Fn(&str) -> String) {
        let map = |at: &mut Location| at.location = function(&at.location);
        match self {
            Trap::Operation(stop) => map(&mut stop.at),
            Trap::Deadlock(waits) => waits.iter_mut().for_each(|wait| map(&mut wait.at)),
            Trap::Limit(_) | Trap::Leftover { .. } => {}
        }
    }
}

/// An operation that cannot be done.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{at}: {reason}")]
pub struct FailedOperation {
    /// Where.
    pub at: Location,
    /// Why.
    pub reason: Reason,
}

fn list(waits: &[Wait]) -> String {
    waits.iter().map(|wait| format!("\n  {wait}")).collect()
}

/// A place in a running kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The kernel.
    pub kernel: String,
    /// The place in the source.
    pub location: String,
    /// The number of that in [`crate::kernel::Group::locations`]; none at the end of the kernel.
    pub number: Option<usize>,
    /// The counters of the loops around it, the outermost first.
    pub iteration: Vec<i64>,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "kernel {} at {}", self.kernel, self.location)?;
        if !self.iteration.is_empty() {
            write!(f, ", iteration {:?}", self.iteration)?;
        }
        Ok(())
    }
}

/// An agent that cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// Where it is.
    pub at: Location,
    /// What it waits for.
    pub cause: WaitCause,
    /// The pipe.
    pub pipe: String,
    /// The kernels that could end the wait.
    pub for_kernels: Vec<String>,
    /// Tiles pushed, popped and freed so far.
    pub counts: [u64; 3],
    /// Slots of the ring.
    pub slots: u32,
}

/// What an agent waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WaitCause {
    /// A free slot to push to.
    Free,
    /// A tile to pop.
    Ready,
    /// At its end, that all slots are free.
    Drain,
}

impl fmt::Display for WaitCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            WaitCause::Free => "a free slot",
            WaitCause::Ready => "a tile",
            WaitCause::Drain => "all slots to be free again",
        })
    }
}

impl fmt::Display for Wait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [pushed, popped, freed] = self.counts;
        write!(
            f,
            "{} waits for {} of pipe {} from {} ({pushed} pushed, {popped} popped, {freed} freed, {} slots)",
            self.at,
            self.cause,
            self.pipe,
            self.for_kernels.join(" and "),
            self.slots,
        )
    }
}

/// Why an operation cannot be done.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Reason {
    /// A slot that is not the producer's.
    #[error("push to slot {slot}, which is not free: {owner}; the flags gave a credit that was not there")]
    Overwrite {
        /// The slot.
        slot: usize,
        /// Whose it is.
        owner: Owner,
    },
    /// A slot that does not have the tile whose turn it is.
    #[error("slot {slot} does not have the tile whose turn it is: {owner}")]
    SlotMismatch {
        /// The slot.
        slot: usize,
        /// Whose it is.
        owner: Owner,
    },
    /// A tile of another type than the one expected.
    #[error("tile {number} was pushed as {pushed} and is popped as {popped}; pushes and pops must come in the same order")]
    PopType {
        /// The tile.
        number: u64,
        /// What was pushed.
        pushed: TileType,
        /// What is expected.
        popped: TileType,
    },
    /// Slots are freed in another order than they were popped in.
    #[error(
        "tile {number} is freed before tile {oldest}; slots are freed in the order of their pops"
    )]
    FreeOrder {
        /// The tile.
        number: u64,
        /// The one whose turn it is.
        oldest: u64,
    },
    /// A slot that was given back already.
    #[error("tile {number} is freed a second time")]
    FreedTwice {
        /// The tile.
        number: u64,
    },
    /// A value that no pop gave.
    #[error("what is freed was not popped from this pipe")]
    NotPopped,
    /// A popped tile whose slot was given back.
    #[error("tile {number} of pipe {pipe} is used after its slot was freed")]
    UsedAfterFree {
        /// The tile.
        number: u64,
        /// The pipe.
        pipe: String,
    },
    /// A flag counts too far.
    #[error("a flag would count beyond {most}, the most this target's flags can")]
    Saturated {
        /// The most it can.
        most: u32,
    },
    /// A tile beyond the end of its tensor.
    #[error("tile [{row}, {column}] is outside of a tensor of {rows} x {columns} tiles")]
    Outside {
        /// Row in tiles.
        row: i64,
        /// Column in tiles.
        column: i64,
        /// Rows of tiles there are.
        rows: u64,
        /// Columns of tiles there are.
        columns: u64,
    },
    /// A division by zero, or a result out of range.
    #[error("the number does not exist, or does not fit in 64 bits")]
    Arithmetic,
    /// A loop that does not count up.
    #[error("a loop with step {step} does not end; steps are positive")]
    Step {
        /// The step.
        step: i64,
    },
    /// An access to global memory that another one races with.
    #[error("{}, at the same time as {other} of {kernel} at {location}: nothing orders the two; push a token from one to the other", access(*.writes))]
    Race {
        /// Whether it writes.
        writes: bool,
        /// What the other does.
        other: &'static str,
        /// The other kernel.
        kernel: String,
        /// Where that is.
        location: String,
        /// The number of that place.
        number: usize,
    },
}

/// What an access does.
pub(crate) const fn access(writes: bool) -> &'static str {
    if writes {
        "a store"
    } else {
        "a load"
    }
}
