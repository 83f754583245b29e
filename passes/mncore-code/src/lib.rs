//! Code for MN-Core 2, without MLIR: from loops of expressions to a stream of packed instructions.
//!
//! The loops and the form of their schedules are those of [`tessera_mncore_ir`].
//!
//! | module | holds |
//! |---|---|
//! | [`schedule`] | when each item issues, and where each value lies: the scheduler |
//! | [`dependence`] | what must come how far after what |
//! | [`mod@emit`] | the steps of a scheduled loop; and the same, one item after the other |
//! | [`mod@compile`] | from that to loops of items |
//! | [`functions`] | the vector library: functions of each element as items |
//! | [`mod@whole`] | a group of kernels over tiles as arithmetic on whole tensors |
//! | [`verify`] | whether a schedule keeps to the meaning of its body |
//! | [`log`] | who writes and who reads each slot, replayed in the order of steps |
//! | [`program`] | the statements of a kernel, its loops one after the other |
//!
//! What an instruction takes, does and costs is asked of `tessera-isa-mncore`. Nothing here knows
//! tensors, tiles or the model.
//!
//! Checked: bodies ([`Body::check`](tessera_mncore_ir::body::Body::check)); emitted statements, by
//! the assembler's own rules ([`program::statements`]). Not checked here: what the numbers are;
//! tests run both forms of a loop on the emulator and compare.

mod allocate;
mod banks;
mod bounds;
mod branch;
pub mod compile;
pub mod dependence;
pub mod emit;
pub mod functions;
mod guards;
pub mod log;
mod modulo;
mod needs;
mod plan;
mod probe;
pub mod program;
mod regions;
pub mod schedule;
mod values;
pub mod verify;
pub mod whole;
