//! Checks of schedules, independent of the scheduler that made them.
//!
//! | file | holds |
//! |---|---|
//! | `verify.rs` | translation validation: a schedule preserves the meaning of its body |
//! | `log/` | the schedule log: ownership of memory slots, replayed over a whole kernel |
//!
//! Invariant: checks import `analysis/` and the layers below, but not the scheduler. An error of
//! the scheduler can therefore not hide itself.

pub mod log;
mod verify;

pub use verify::{verify, VerifyError};
