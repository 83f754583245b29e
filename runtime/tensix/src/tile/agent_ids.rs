//! The numbers of the scheduler's agents, and how far an agent advances.

use crate::issue::coprocessor::Advanced;
use crate::state::units::UNITS;

/// Agents of the scheduler: five cores, data movement, three front ends, the units, TDMA-RISC, the
/// NoCs.
pub(super) const DM: usize = 5;
pub(super) const FRONTEND: usize = 6;
pub(super) const UNIT: usize = 9;
pub(super) const TDMA: usize = UNIT + UNITS;
pub(super) const NOC: usize = TDMA + 1;
pub(super) const AGENTS: usize = NOC + 2;

/// How far an agent advanced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Advance {
    pub(super) steps: u32,
    /// False only if the agent cannot advance before something changes.
    pub(super) may_continue: bool,
}

impl From<Advanced> for Advance {
    fn from(advanced: Advanced) -> Self {
        Advance {
            steps: advanced.into(),
            may_continue: advanced,
        }
    }
}
