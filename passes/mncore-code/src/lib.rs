//! Code generator for MN-Core 2, without MLIR: lowers tile kernels to loops of instructions, and
//! software-pipelines these into packed instruction words.
//!
//! Loops, items and schedules are types of [`tessera_mncore_ir`].
//!
//! | module | holds |
//! |---|---|
//! | [`mod@raise`] | recovers whole-tensor arithmetic from a group of kernels over tiles |
//! | [`mod@compile`] | code generation: lowers a kernel to loops of items |
//! | [`functions`] | the vector library: element-wise functions as items |
//! | [`dependence`] | dependence analysis of a loop |
//! | [`schedule`] | the scheduler: iterative modulo scheduling, register allocation |
//! | [`verify`] | translation validation: a schedule preserves the meaning of its body |
//! | [`mod@emit`] | issue packets of a scheduled loop |
//! | [`program`] | the statements of a kernel, checked by the assembler's rules |
//! | [`log`] | the schedule log: ownership of memory slots, over a whole kernel |
//!
//! Properties of instructions (operands, latencies, encoding) come from `tessera-isa-mncore`.
//!
//! Checked: bodies ([`Body::check`](tessera_mncore_ir::body::Body::check)), the schedule log
//! ([`log`]), emitted statements ([`program::statements`]). Tests validate schedules with
//! [`verify`]. Numerical results are not checked here: tests run each loop on the emulator,
//! software-pipelined and sequentially, and compare.

mod allocate;
mod bank_assignment;
mod bounds;
mod branch_and_bound;
pub mod compile;
mod def_use;
pub mod dependence;
pub mod emit;
pub mod functions;
mod guards;
pub mod log;
mod modulo;
mod plan;
mod plan_options;
mod prepared;
mod probe;
pub mod program;
pub mod raise;
mod regions;
mod reservation;
pub mod schedule;
pub mod verify;
