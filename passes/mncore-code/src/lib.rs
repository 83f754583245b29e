//! Code for MN-Core 2, without MLIR: from loops of expressions to a stream of packed instructions.
//!
//! | module | holds |
//! |---|---|
//! | [`address`] | addresses that are affine in the iteration |
//! | [`item`] | an expression or MV instruction before it has registers and a step |
//! | [`body`] | a loop of items, with the values they hand to one another |
//! | [`schedule`] | when each item issues, and where each value lies: the scheduler |
//! | [`dependence`] | what must come how far after what |
//! | [`mod@emit`] | the steps of a scheduled loop; and the same, one item after the other |
//! | [`mod@compile`] | from that to loops of items |
//! | [`functions`] | the vector library: functions of each element as items |
//! | [`mod@whole`] | a group of kernels over tiles as arithmetic on whole tensors |
//! | [`verify`] | whether a schedule keeps to the meaning of its body |
//! | [`log`] | who writes and who reads each slot, replayed in the order of steps |
//! | [`program`] | loops one after the other: a kernel |
//!
//! What an instruction takes, does and costs is asked of `tessera-isa-mncore`. Nothing here knows tensors, tiles or the model.
//!
//! Checked: bodies ([`body::Body::check`]); emitted statements, by the assembler's own rules ([`program::Program::statements`]). Not checked here: what the numbers are; tests run both forms of a loop on the emulator and compare.

pub mod address;
mod allocate;
mod banks;
pub mod body;
mod bounds;
mod branch;
pub mod compile;
pub mod dependence;
pub mod emit;
pub mod functions;
mod guards;
pub mod item;
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
