//! Errors of a launch.

use std::fmt;

use tessera_ops::IndexError;
use thiserror::Error;

use crate::kernel::TileType;
use crate::ring::Owner;

/// Why a launch stopped, and where.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Trap {
    /// An operation cannot be executed.
    #[error("{0}")]
    Operation(Box<FailedOperation>),
    /// All agents that have not ended are blocked.
    #[error("deadlock:{}", list(.0))]
    Deadlock(Vec<Wait>),
    /// The launch has more operations than its limit.
    #[error(
        "the launch has more than {0} operations; allow more, or look for a loop that is too long"
    )]
    Limit(u64),
    /// Tiles are left in a pipe after all kernels have ended.
    #[error(
        "pipe {pipe} still has {left} tiles when all kernels have ended: pushed {pushed}, popped \
         {popped}; every push needs a pop"
    )]
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
    /// Replaces the source locations in the trap.
    pub fn map_locations(&mut self, function: impl Fn(&str) -> String) {
        let map = |at: &mut Location| at.location = function(&at.location);
        match self {
            Trap::Operation(stop) => map(&mut stop.at),
            Trap::Deadlock(waits) => waits.iter_mut().for_each(|wait| map(&mut wait.at)),
            Trap::Limit(_) | Trap::Leftover { .. } => {}
        }
    }
}

/// An operation that cannot be executed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{at}: {reason}")]
pub struct FailedOperation {
    /// Where it is.
    pub at: Location,
    /// Why it cannot be executed.
    pub reason: Reason,
}

fn list(waits: &[Wait]) -> String {
    waits.iter().map(|wait| format!("\n  {wait}")).collect()
}

/// A location in a running kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The kernel.
    pub kernel: String,
    /// The source location.
    pub location: String,
    /// Its index in [`crate::kernel::Group::locations`]; `None` at the end of the kernel.
    pub number: Option<usize>,
    /// The counters of the enclosing loops, the outermost first.
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

/// A blocked agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// The location of the agent.
    pub at: Location,
    /// What it waits for.
    pub cause: WaitCause,
    /// The pipe.
    pub pipe: String,
    /// The kernels that could unblock it.
    pub for_kernels: Vec<String>,
    /// Numbers of tiles pushed, popped and freed so far.
    pub counts: [u64; 3],
    /// Number of slots of the ring.
    pub slots: u32,
}

/// What an agent waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WaitCause {
    /// A free slot to push to.
    Free,
    /// A tile to pop.
    Ready,
    /// All slots to be free, at the end of the kernel.
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
            "{} waits for {} of pipe {} from {} ({pushed} pushed, {popped} popped, {freed} freed, \
             {} slots)",
            self.at,
            self.cause,
            self.pipe,
            self.for_kernels.join(" and "),
            self.slots,
        )
    }
}

/// Why an operation cannot be executed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Reason {
    /// A data movement looks up an index that is out of range.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// A push to a slot that is not free.
    #[error(
        "push to slot {slot}, which is not free: {owner}; the flags gave a credit that was not \
         there"
    )]
    Overwrite {
        /// The slot.
        slot: usize,
        /// The owner of the slot.
        owner: Owner,
    },
    /// A pop or free of a slot that does not hold the next tile.
    #[error("slot {slot} does not hold the next tile: {owner}")]
    SlotMismatch {
        /// The slot.
        slot: usize,
        /// The owner of the slot.
        owner: Owner,
    },
    /// A tile popped with another type than it was pushed with.
    #[error(
        "tile {number} was pushed as {pushed} and is popped as {popped}; pushes and pops must come \
         in the same order"
    )]
    PopType {
        /// The tile.
        number: u64,
        /// What was pushed.
        pushed: TileType,
        /// What is expected.
        popped: TileType,
    },
    /// Slots freed in another order than they were popped.
    #[error(
        "tile {number} is freed before tile {oldest}; slots are freed in the order of their pops"
    )]
    FreeOrder {
        /// The tile.
        number: u64,
        /// The tile that must be freed first.
        oldest: u64,
    },
    /// A slot freed twice.
    #[error("tile {number} is freed a second time")]
    FreedTwice {
        /// The tile.
        number: u64,
    },
    /// A free of a value that was not popped from the pipe.
    #[error("the freed value was not popped from this pipe")]
    NotPopped,
    /// A use of a popped tile after its slot was freed.
    #[error("tile {number} of pipe {pipe} is used after its slot was freed")]
    UsedAfterFree {
        /// The tile.
        number: u64,
        /// The pipe.
        pipe: String,
    },
    /// A flag counts beyond its maximum.
    #[error("a flag would count beyond {most}, the maximum of the target")]
    Saturated {
        /// The maximum.
        most: u32,
    },
    /// A tile outside of its tensor.
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
    /// A load of a local tensor whose content is undefined.
    #[error(
        "tile {place:?} of {} x {} elements of local tensor {tensor} has undefined content: this \
         kernel has not stored a tile of this shape there", .shape[0], .shape[1]
    )]
    UndefinedTile {
        /// The number of the tensor.
        tensor: usize,
        /// Row and column in tiles.
        place: [u64; 2],
        /// Rows and columns of the tile.
        shape: [u32; 2],
    },
    /// A division by zero, or an overflow.
    #[error("the result is undefined or does not fit in 64 bits")]
    Arithmetic,
    /// A loop whose step is not positive.
    #[error("a loop with step {step} does not end; steps are positive")]
    Step {
        /// The step.
        step: i64,
    },
    /// An access to global memory that races with another one.
    #[error("{}, at the same time as {other} of {kernel} at {location}: nothing \
             orders the two; push a token from one to the other", access(*.writes))]
    Race {
        /// Whether it writes.
        writes: bool,
        /// The kind of the other access.
        other: &'static str,
        /// The other kernel.
        kernel: String,
        /// The location of the other access.
        location: String,
        /// The number of that location.
        number: usize,
    },
}

/// Returns the noun for a kind of access.
pub(crate) const fn access(writes: bool) -> &'static str {
    if writes {
        "a store"
    } else {
        "a load"
    }
}
