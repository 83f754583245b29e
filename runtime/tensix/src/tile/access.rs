//! The results of accesses to devices.

use tessera_riscv::Refusal;

use super::core_ids::name;
use crate::trap::Fault;

/// The value of a load that only waits. It is undefined, and recognisable if used as a result.
pub(super) const UNDEFINED: u32 = 0xdead_beef;

/// The result of a load by a core.
pub(super) type Loaded = Result<u32, Refusal<Fault>>;
/// The result of a store by a core.
pub(super) type Stored = Result<(), Refusal<Fault>>;

/// Makes the refusal of an access that is not retried.
pub(super) fn fault(fault: Fault) -> Refusal<Fault> {
    Refusal::Fault(fault)
}

/// Refuses an access whose effect is undefined.
pub(super) fn undefined<T>(text: String) -> Result<T, Refusal<Fault>> {
    Err(fault(Fault::undefined(text)))
}

/// Returns the result of an access that is retried until it is done.
pub(super) fn done_or_busy(done: bool) -> Stored {
    if done {
        Ok(())
    } else {
        Err(Refusal::Busy)
    }
}

/// Refuses an access to a device that is not a word.
pub(super) fn not_a_word<T>(addr: u32) -> Result<T, Refusal<Fault>> {
    undefined(format!("{addr:#x} is a device; only words can be accessed"))
}

/// Refuses an access to an address at which a core has nothing.
pub(super) fn unmapped<T>(who: usize, verb: &str, addr: u32) -> Result<T, Refusal<Fault>> {
    undefined(format!(
        "{verb} {addr:#x}, which is not mapped for core {}",
        name(who)
    ))
}
