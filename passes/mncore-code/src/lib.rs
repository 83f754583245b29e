//! Code generator for MN-Core 2, without MLIR: lowers tile kernels to loops of instructions, and
//! software-pipelines these into packed instruction words.
//!
//! Loops, items and schedules are types of [`tessera_mncore_ir`].
//!
//! A module imports only modules above it in this table.
//!
//! | module | holds |
//! |---|---|
//! | `ir` | types that several layers share |
//! | [`mod@emit`] | issue packets of a scheduled loop |
//! | [`analysis`] | facts about a body that hold in every schedule, such as its dependences |
//! | [`check`] | translation validation of schedules; the schedule log |
//! | [`sched`] | the scheduler: iterative modulo scheduling, register allocation |
//! | [`program`] | the statements of a kernel, checked by the assembler's rules |
//! | [`functions`] | the vector library: element-wise functions as items |
//! | [`mod@raise`] | recovers whole-tensor arithmetic from a group of kernels over tiles |
//! | [`mod@compile`] | code generation: lowers a kernel to loops of items |
//!
//! Properties of instructions (operands, latencies, encoding) come from `tessera-isa-mncore`.
//!
//! Checked: bodies ([`Body::check`](tessera_mncore_ir::body::Body::check)), the schedule log
//! ([`check::log`]), emitted statements ([`program::statements`]). Tests validate schedules with
//! [`check::verify`]. Numerical results are not checked here: tests run each loop on the emulator,
//! software-pipelined and sequentially, and compare.

pub mod analysis;
pub mod check;
pub mod compile;
pub mod emit;
pub mod functions;
mod ir;
pub mod program;
pub mod raise;
pub mod sched;
