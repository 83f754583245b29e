//! The wait gate of one thread: the waits that STALLWAIT, SEMWAIT and, on Blackhole, STREAMWAIT
//! latch, and the instructions that they block.
//!
//! A latched wait ends as soon as its condition holds once, whether or not an instruction is
//! blocked. The block bits of `STALLWAIT.md` correspond to units, except that NOP is blocked only
//! by all nine, and the waits themselves by every bit.
//!
//! Source: ISA documentation, `WaitGate.md`, `STALLWAIT.md` of both chips.

use tessera_isa_tensix::{cfg, Unit};

use crate::insn::traits::Traits;
use crate::issue::flight::InFlight;
use crate::issue::stalls::Cause;
use crate::state::banks::{Banks, Src};
use crate::state::changes::Changes;
use crate::state::core_state::CoreState;
use crate::state::latch::{Latch, Until, MATRIX_CONDITION, REQUESTS_CONDITION};
use crate::state::sync::Sync;
use crate::state::units::{MATRIX, MOVER, SCALAR, VECTOR};

/// All nine block bits.
const EVERYTHING: u32 = 0x1ff;

impl Latch {
    /// Returns whether the wait blocks an instruction with these traits.
    pub(crate) fn blocks(&self, traits: &Traits) -> bool {
        match traits.unit {
            Unit::Nop => self.block == EVERYTHING,
            _ if traits.is_blocked_always[self.arch as usize] => self.block != 0,
            unit => self.block & bits_of_unit(unit) != 0,
        }
    }

    /// Returns the statistical cause of the wait.
    fn cause(&self) -> Cause {
        match self.until {
            Until::Idle(_) => Cause::Stallwait,
            Until::Semaphores { .. } => Cause::Semwait,
            Until::Phase { .. } => Cause::Streamwait,
        }
    }

    /// Returns whether the wait continues.
    #[inline(never)]
    pub(crate) fn keeps_waiting(
        &self,
        thread: usize,
        flights: &InFlight,
        core: &CoreState,
        sync: &Sync,
    ) -> bool {
        match self.until {
            Until::Semaphores { mask, condition } => sync.keeps_waiting(mask, condition),
            Until::Idle(mask) => keeps_waiting_for_units(mask, thread, flights, &core.banks),
            Until::Phase { stream, at_least } => {
                let stream = core.config.stream(thread, stream);
                core.streams.phase(stream) < at_least
            }
        }
    }
}

/// Returns the block bits that apply to the instructions of a unit.
fn bits_of_unit(unit: Unit) -> u32 {
    match unit {
        Unit::Misc => 1,
        Unit::Sync => 1 << 1,
        Unit::Packer => 1 << 2 | 1,
        Unit::Unpacker => 1 << 3 | 1,
        Unit::Mover => 1 << 4 | 1,
        Unit::Scalar => 1 << 5 | 1,
        Unit::Matrix => 1 << 6,
        Unit::Config => 1 << 7,
        Unit::Vector => 1 << 8,
        Unit::Nop | Unit::AutoSync | Unit::MopExpander | Unit::ReplayExpander => 0,
    }
}

/// Why an instruction cannot pass the gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum HoldReason {
    #[error("a STALLWAIT, SEMWAIT or STREAMWAIT before it")]
    Latch,
    #[error("a bank of Src{0:?}")]
    Bank(Src),
    #[error("a bank of Src{0:?} to hand back")]
    Return(Src),
    #[error("the scalar unit, which thread {0} occupies")]
    Scalar(usize),
    #[error("the packers")]
    Packers,
    #[error("mutex {0}")]
    Mutex(u32),
    #[error("mutex {0}, which does not exist")]
    NoMutex(u32),
    #[error("its unit")]
    Unit,
}

impl HoldReason {
    /// Returns the statistical cause; `latch` is the thread's wait.
    pub(crate) fn cause(self, latch: Option<&Latch>) -> Cause {
        match self {
            HoldReason::Latch => latch.map_or(Cause::Stallwait, Latch::cause),
            HoldReason::Bank(Src::A) | HoldReason::Return(Src::A) => Cause::SrcA,
            HoldReason::Bank(Src::B) | HoldReason::Return(Src::B) => Cause::SrcB,
            HoldReason::Scalar(_) => Cause::ScalarUnit,
            HoldReason::Packers => Cause::Packers,
            HoldReason::Mutex(_) | HoldReason::NoMutex(_) => Cause::Mutex,
            HoldReason::Unit => Cause::Unit,
        }
    }

    /// Returns the changes that may let the instruction pass.
    pub(crate) fn waits_for(self) -> Changes {
        match self {
            HoldReason::Latch => Changes::LATCHES,
            HoldReason::Bank(_) | HoldReason::Return(_) => Changes::BANKS,
            HoldReason::Scalar(_) => Changes::FRONT_ENDS,
            HoldReason::Packers | HoldReason::Unit => Changes::FLIGHTS,
            HoldReason::Mutex(_) => Changes::SYNC,
            HoldReason::NoMutex(_) => Changes::NOTHING,
        }
    }
}

/// Returns whether FLUSHDMA keeps waiting: its mask is the first four conditions of STALLWAIT.
pub(crate) fn flush_keeps_waiting(mask: u32, thread: usize, flights: &InFlight) -> bool {
    let mask = if mask == 0 { 0xF } else { mask };
    flights.is_busy(units_of_conditions(mask), thread)
}

/// Returns whether a FLUSHDMA includes memory requests of the scalar unit.
pub(crate) fn flush_waits_for_requests(mask: u32) -> bool {
    mask == 0 || mask >> REQUESTS_CONDITION & 1 != 0
}

/// Returns the units that must be idle for a mask of STALLWAIT's conditions.
fn units_of_conditions(mask: u32) -> u32 {
    // C0 is the scalar unit, C1 and C2 are the unpackers, C3 to C6 the packers, C7 the matrix unit,
    // C14 the vector unit.
    mask >> 1 & 0b11
        | (mask >> 3 & 0b1111) << 3
        | (mask >> REQUESTS_CONDITION & 1) << SCALAR
        | (mask >> MATRIX_CONDITION & 1) << MATRIX
        | (mask >> 14 & 1) << VECTOR
}

/// C13 is handled by [`Latch::waits_for_stores`].
fn keeps_waiting_for_units(mask: u32, thread: usize, flights: &InFlight, banks: &Banks) -> bool {
    let c = |n: u32| mask >> n & 1 != 0;
    flights.is_busy(units_of_conditions(mask), thread)
        || c(12) && flights.is_any_busy(1 << MOVER)
        || c(8) && !banks.unpacker_may_write(Src::A)
        || c(9) && !banks.unpacker_may_write(Src::B)
        || c(10) && !banks.matrix_may_read(Src::A)
        || c(11) && !banks.matrix_may_read(Src::B)
}

/// Returns the Src of which the matrix unit does not own its bank yet, although it needs it.
pub(crate) fn missing_bank(needed: &[Src], banks: &Banks) -> Option<Src> {
    let mut needed = needed.iter().copied();
    needed.find(|&src| !banks.matrix_may_read(src))
}

/// Returns the Src of which a SETRWC would hand back a bank that the matrix unit does not own yet;
/// `mask` is its operand. The documentation does not say that it waits. The vendor's kernels in
/// which unpacker 1 only hands banks over rely on it, and the vendor's simulator refuses a SETRWC
/// that comes first.
pub(crate) fn missing_return(
    mask: u32,
    banks: &Banks,
    disabled: impl Fn(cfg::ThreadField) -> bool,
) -> Option<Src> {
    let sources = [
        (Src::A, cfg::CLR_DVALID_SrcA_Disable),
        (Src::B, cfg::CLR_DVALID_SrcB_Disable),
    ];
    (0..)
        .zip(sources)
        .filter(|(bit, (_, disable))| mask >> bit & 1 != 0 && !disabled(*disable))
        .map(|(_, (src, _))| src)
        .find(|&src| !banks.matrix_may_read(src))
}

#[cfg(test)]
mod tests;
