//! Benches: time on one core, and tables of figures with their goals.
//!
//! Each bench is a [`Suite`] of figures. It prints a line for each, with the ratio to a peer and
//! the goal, if there are any, and the value in the committed results
//! (`docs/figures/performance.json`). It writes `bench/SUITE.json` into the directory of temporary
//! files of the build.

mod suite;
mod timing;

pub use suite::{Figure, Goal, Suite};
pub use timing::{least_time, nanoseconds, scalar_nanoseconds, time_on_cpu};
