//! Types that several layers share: what is emitted and checked, which memory it accesses, and
//! which choices the scheduler has.
//!
//! Bodies, items and schedules themselves are types of [`tessera_mncore_ir`].
//!
//! | file | holds |
//! |---|---|
//! | `plan_options.rs` | storage classes of values, and the choices of a scheduling plan |
//! | `prepared.rs` | loops with the schedules to replay and to emit |
//! | `regions.rs` | the regions of L2BM, DRAM and PDM that items access |
//!
//! Invariant: this is the lowest layer. Its files import nothing of this crate.

pub(crate) mod plan_options;
pub(crate) mod prepared;
pub(crate) mod regions;
