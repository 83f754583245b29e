//! The scratchpad map: which part of each on-chip memory the loops of a kernel use, and when.
//!
//! MN-Core 2 has no caches and no allocator: L2BM, L1BM, PDM, the memories of the PEs and the tags
//! of MV instructions are allocated statically. `map.rs` is the only place that states their
//! addresses. Places that vary with the kernel, such as the slots of a ring, are computed within a
//! region.
//!
//! | file | holds |
//! |---|---|
//! | `phase.rs` | the phases of kernels: which regions may be alive together |
//! | `region.rs` | the type of a region, and the check of a table of regions |
//! | `map.rs` | the table |
//!
//! Invariants, checked at compile time ([`region::check`]): each region fits in its memory; two
//! regions that are alive in the same phase do not overlap.
//!
//! The size of many regions depends on the kernel. The map states the maximum; the distributions
//! of products and the candidates of reductions are chosen such that it suffices. Those checks
//! take their limits from the map. Not in the map:
//!
//! * L2BM and PDM of relayouts, which the layout planner allocates before all loops of a kernel;
//! * registers of values, which the scheduler places outside of all words that a kernel addresses.

mod map;
mod phase;
mod region;

pub(super) use map::*;
pub(super) use region::Region;
