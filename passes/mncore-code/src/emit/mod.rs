//! Emission: turns a scheduled loop into instruction words, prologue and epilogue included.
//!
//! Iteration `n` issues its items at `n · ii` plus their steps. Emission enumerates the steps of
//! the whole loop, so no kernel code or branch remains. A sequential loop is one with another
//! schedule: see [`crate::sched::sequential`].
//!
//! | file | holds |
//! |---|---|
//! | `packet.rs` | an issue packet, and why one cannot be made |
//! | `emitter.rs` | one item of an iteration as an expression or MV instruction |
//! | `steps.rs` | all steps of a loop |
//!
//! Invariant: emission depends on bodies and schedules only, not on how a schedule was found. It
//! lies below the analyses, which emit items to learn their effects.

mod emitter;
mod packet;
mod steps;

pub(crate) use emitter::{Emitter, ReadSource};
pub use packet::{EmitError, Issue};
pub use steps::emit;
