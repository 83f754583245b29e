//! How far a tile may advance before it has to exchange deliveries with others, and why it stops.

use crate::dram::Dram;
use crate::issue::scheduler::Quantum;

/// How far a tile may advance in an epoch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    /// Quanta that may still begin, and steps that may still be made.
    pub(super) quanta: u64,
    pub(super) steps: u64,
    /// Whether the tile is alone: it stops at each delivery instead of continuing.
    pub(super) alone: bool,
    /// The interrupted quantum, and whether all other agents were blocked.
    pub(super) quantum: Option<(Quantum, bool)>,
}

impl Budget {
    pub(crate) fn new(quanta: u64, steps: u64, alone: bool) -> Self {
        Budget {
            quanta,
            steps,
            alone,
            quantum: None,
        }
    }

    /// Returns the steps that are left.
    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }
}

/// Why a tile has stopped in an epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TileState {
    /// The budget is used up, a break was hit, or the tile has a delivery.
    Runnable,
    /// All agents wait for something from outside.
    Blocked,
}

/// A tile's access to DRAM during an epoch.
pub(crate) enum DramAccess<'d> {
    /// No other tile runs meanwhile, so data movement lists may write.
    Exclusive(&'d mut Dram),
    Shared(&'d Dram),
}

impl DramAccess<'_> {
    pub(super) fn writable(&mut self) -> Option<&mut Dram> {
        match self {
            DramAccess::Exclusive(dram) => Some(dram),
            DramAccess::Shared(_) => None,
        }
    }

    pub(super) fn readable(&self) -> &Dram {
        match self {
            DramAccess::Exclusive(dram) => dram,
            DramAccess::Shared(dram) => dram,
        }
    }
}
