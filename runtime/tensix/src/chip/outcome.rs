//! Why a chip has stopped: traps, and the other reasons.

use std::fmt;

use crate::map::Coordinate;
use crate::trap::{Reason, Trap};

/// A trap on a chip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChipTrap {
    /// The tile that caused it, if it was a single one.
    pub tile: Option<Coordinate>,
    /// The trap.
    pub trap: Box<Trap>,
}

impl fmt::Display for ChipTrap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((x, y)) = self.tile {
            write!(f, "tile ({x}, {y}): ")?;
        }
        self.trap.fmt(f)
    }
}

impl std::error::Error for ChipTrap {}

/// Why a chip has stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// All tiles are blocked until the host does something.
    Quiescent,
    /// The step limit was reached.
    StepLimit,
    /// A breakpoint was hit in this tile.
    Break(Coordinate),
}

/// Creates the trap of a launch or program that cannot be set up.
pub(crate) fn setup_trap(tile: Option<Coordinate>, text: String) -> ChipTrap {
    ChipTrap {
        tile,
        trap: Box::new(Trap::new(None, Reason::Setup(text))),
    }
}
