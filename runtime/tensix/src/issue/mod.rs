//! The issue of instructions: front ends, wait gates, instructions in flight, scheduling,
//! statistics.

pub(crate) mod auto_sync;
pub(crate) mod coprocessor;
pub mod cycles;
pub(crate) mod decoded_words;
pub(crate) mod flight;
pub(crate) mod frontend;
pub(crate) mod gate;
pub(crate) mod scheduler;
pub mod stalls;
pub mod stats;
pub mod timeline;
