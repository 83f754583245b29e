//! The semantics of groups of tile kernels, without MLIR: the reference that devices are compared
//! with.
//!
//! A group is one kernel, or a cube kernel and the vector kernels with which it communicates. Its
//! kernels run as *agents*, each on a core of its own. Agents share only tensors in global memory
//! and the rings of their pipes. Each may have tensors of its own. [`kernel`] defines groups,
//! [`validate`] checks that they are well formed, and [`machine`] executes them. Tiles hold
//! numbers, or nothing ([`semantics`]) if only termination matters. The numerics are independent of
//! every device.
//!
//! | module | contents |
//! |---|---|
//! | [`kernel`] | groups, kernels, operations, pipes |
//! | [`target`] | data for code generators: units, placement, addresses of rings |
//! | [`builder`] | construction of kernels |
//! | `text` | groups as text |
//! | [`validate`] | checks before execution |
//! | [`rearrange`] | kernels that move elements of tensors |
//! | [`ring`] | slots of a pipe, their owners, and the flags of the pipe |
//! | [`agent`] | execution of one kernel |
//! | `local` | tensors in the memory of a core |
//! | [`machine`] | execution of a group: launches, schedules, deadlocks |
//! | [`schedule`] | the order in which agents run, by a seed |
//! | [`semantics`], [`numerics`] | tiles with numbers, or without |
//! | [`race`] | races for elements of global memory |
//! | [`trap`] | errors of a launch |
//! | [`liveness`] | termination of a group, and ring sizes that avoid a deadlock |
//! | [`bounds`], [`polynomials`] | error bounds of element-wise functions on each chip, and their approximations |
//! | [`explore`] | all schedules of a small group |
//!
//! Time is not modelled. Agents form a bounded Kahn process network (Kahn, "The semantics of a
//! simple language for parallel programming", 1974). Results and deadlocks therefore do not depend
//! on the schedule, unless accesses to global memory race, which is checked. [`ring::Protocol`]
//! describes variants of the flags that a target may use; all but the default are known to be wrong
//! and exist for tests.

pub mod agent;
pub mod bounds;
pub mod builder;
pub mod explore;
pub mod kernel;
pub mod liveness;
mod local;
pub mod machine;
pub mod numerics;
pub mod polynomials;
pub mod race;
pub mod rearrange;
pub mod ring;
pub mod schedule;
pub mod semantics;
pub mod target;
mod text;
pub mod trap;
pub mod validate;
