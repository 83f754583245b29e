//! The wait of a thread at its gate: what STALLWAIT, SEMWAIT and, on Blackhole, STREAMWAIT latch.
//!
//! Conditions have Wormhole's numbers, C0 to C14, on both chips; [`CONFIG_CONDITION`] follows them.

use tessera_isa_tensix::Arch;

/// A latched STALLWAIT, SEMWAIT or STREAMWAIT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Latch {
    pub(crate) arch: Arch,
    pub(crate) block: u32,
    pub(crate) until: Until,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Until {
    /// STALLWAIT's condition mask.
    Idle(u32),
    /// SEMWAIT's semaphores and two conditions.
    Semaphores { mask: u32, condition: u32 },
    /// STREAMWAIT's phase, of the stream to which the thread has assigned this number.
    Phase { stream: u32, at_least: u32 },
}

/// C0: memory requests of the scalar unit.
pub(crate) const REQUESTS_CONDITION: u32 = 0;
/// C7: the matrix unit.
pub(crate) const MATRIX_CONDITION: u32 = 7;
/// C13: stores of the RISC-V core.
pub(crate) const STORES_CONDITION: u32 = 13;
/// The condition for the configuration unit, which only Blackhole has. The unit is always idle,
/// because its instructions complete at issue.
pub(crate) const CONFIG_CONDITION: u32 = 15;

impl Latch {
    fn has(&self, condition: u32) -> bool {
        matches!(self.until, Until::Idle(mask) if mask >> condition & 1 != 0)
    }

    /// Returns whether only semaphores can end the wait.
    pub(crate) fn waits_for_semaphores(&self) -> bool {
        matches!(self.until, Until::Semaphores { .. })
    }

    /// Returns whether the wait includes memory requests of the scalar unit.
    pub(crate) fn waits_for_requests(&self) -> bool {
        self.has(REQUESTS_CONDITION)
    }

    /// Returns whether the wait includes the matrix unit.
    pub(crate) fn waits_for_matrix_unit(&self) -> bool {
        self.has(MATRIX_CONDITION)
    }

    /// Returns whether the wait includes the configuration unit.
    pub(crate) fn waits_for_config_unit(&self) -> bool {
        self.has(CONFIG_CONDITION)
    }

    /// Returns whether the wait includes stores of the RISC-V core to GPRs and configuration.
    pub(crate) fn waits_for_stores(&self) -> bool {
        self.has(STORES_CONDITION)
    }
}
