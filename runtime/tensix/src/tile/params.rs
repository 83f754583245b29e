//! The parameters of a tile.

use crate::issue::scheduler::Schedule;
use crate::map::{self, CORES};
use crate::noc::TileNaming;
use crate::state::check_policy::CheckPolicy;
use crate::state::model::Model;

/// The kind of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TileKind {
    /// Five cores and a coprocessor.
    Tensix,
    /// One core, at the position of B.
    Ethernet,
}

impl TileKind {
    /// Returns the cores that exist, one bit each.
    pub(super) fn cores(self) -> u32 {
        match self {
            TileKind::Tensix => (1 << CORES.len()) - 1,
            TileKind::Ethernet => 1 << map::B,
        }
    }

    /// Returns the share of the chip's steps that a tile gets, relative to other tiles. Each core,
    /// front end and unit makes steps of its own, and an Ethernet tile has one core only. Between
    /// launches, its firmware counts in a loop that never parks.
    pub(crate) fn share(self) -> u64 {
        match self {
            TileKind::Tensix => 8,
            TileKind::Ethernet => 1,
        }
    }
}

/// The parameters of a new tile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TileParams {
    pub(crate) kind: TileKind,
    /// Coordinates on NoC 0.
    pub(crate) at: map::Coordinate,
    /// Whether NoC packets arrive in several pieces, in any permitted order.
    pub(crate) split: bool,
    pub(crate) names: TileNaming,
    pub(crate) check_policy: CheckPolicy,
    pub(crate) model: Model,
    /// Cores that are not held in reset, one bit each.
    pub(crate) running: u32,
    pub(crate) schedule: Schedule,
}
