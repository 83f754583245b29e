//! Kernels over tiles without MLIR: what the kernels of a group mean when they run together.
//!
//! A group is one kernel, or a cube kernel and the vector kernels it talks to. Its kernels run as
//! *agents*, each on a core of its own; they share tensors in global memory and the rings of their
//! pipes, and nothing else. [`kernel`] is what a group is, [`validate`] what makes it well formed,
//! [`machine`] runs it on tiles with numbers in them, or on none ([`semantics`]) to see whether it
//! comes to an end. It is the reference that devices are compared with, so its numerics are its
//! own.
//!
//! | module | holds |
//! |---|---|
//! | [`kernel`] | groups, kernels, operations, pipes |
//! | [`target`] | what only code generators read: units, placement, addresses of rings |
//! | [`builder`] | a kernel, operation by operation |
//! | `text` | a group as text |
//! | [`validate`] | what every group that runs has been checked for |
//! | [`rearrange`] | kernels that move elements of tensors |
//! | [`ring`] | the slots of a pipe, who owns them, and its flags |
//! | [`agent`] | one core: where it is, and what it knows |
//! | [`machine`] | all cores; launches, schedules, blocked sets |
//! | [`schedule`] | who runs next, by a seed |
//! | [`semantics`], [`numerics`] | tiles with numbers, or without |
//! | [`race`] | who touched which elements of global memory before whom |
//! | [`trap`] | why a launch stops |
//! | [`liveness`] | whether a group comes to its end, and if not, what would help |
//! | [`bounds`], [`polynomials`] | how far functions may be off on each chip, and what they are made of |
//! | [`explore`] | every schedule there is, for small groups |
//!
//! Time does not exist here: agents are a bounded Kahn network, so results and deadlocks do not
//! depend on the schedule as long as global memory is not raced for, which is checked. What a
//! target adds, flags that are not counted or signals that are given in batches, is
//! [`ring::Protocol`]; all but the default one are there to be shown wrong.

pub mod agent;
pub mod bounds;
pub mod builder;
pub mod explore;
pub mod kernel;
pub mod liveness;
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
