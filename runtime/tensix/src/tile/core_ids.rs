//! The numbers of cores, and what they stand for.

use crate::map::{self, B, CORES, NC};
use crate::trap::Source;

/// The number of an access from outside, through the NoC, in place of a core's.
pub(super) const OUTSIDE: usize = CORES.len();

/// Returns the Tensix thread of a core, if it has one.
pub(super) fn thread_of(who: usize) -> Option<usize> {
    (B + 1..NC).contains(&who).then(|| who - 1)
}

/// Returns the name of a core for messages.
pub(super) fn name(who: usize) -> &'static str {
    CORES.get(who).copied().unwrap_or("(the NoC)")
}

/// Returns the source of a core's traps.
pub(crate) fn source(core: usize) -> Source {
    match core {
        map::B => Source::B,
        map::NC => Source::Nc,
        _ => Source::of_thread(core - 1),
    }
}

/// Encodes the core that pushed an instruction, and its program counter, in one number for the
/// front ends.
pub(super) fn origin(core: usize, pc: u32) -> usize {
    pc as usize | core << 32
}

/// Decodes an [`origin`].
pub(super) fn parts_of_origin(origin: usize) -> (usize, u32) {
    (origin >> 32, origin as u32)
}
