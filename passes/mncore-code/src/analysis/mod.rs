//! Facts about the items of a body that hold in every schedule.
//!
//! | file | holds |
//! |---|---|
//! | `dependence/` | dependence analysis of memory accesses, with alias analysis |
//! | `def_use.rs` | the writers and readers of each value |
//! | `guards.rs` | the iterations in which items issue, and which never issue in one step |
//! | `probe.rs` | the memory effects of items before registers are assigned |
//!
//! Invariant: an analysis reads a body and changes nothing. It imports only `ir/` and
//! [`mod@crate::emit`]. The checks can therefore use it without depending on the scheduler.

pub(crate) mod def_use;
pub mod dependence;
pub(crate) mod guards;
pub(crate) mod probe;
