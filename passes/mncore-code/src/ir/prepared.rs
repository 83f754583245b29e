//! Loops that are ready to be streamed and replayed.

use std::borrow::Cow;

use tessera_mncore_ir::program::ScheduledLoop;
use tessera_mncore_ir::schedule::Schedule;

/// A node of a program with the schedules to emit.
pub(crate) enum Prepared<'a> {
    Loop(&'a ScheduledLoop, Cow<'a, Schedule>),
    Repeat(u32, Vec<Prepared<'a>>),
}
