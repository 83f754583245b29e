//! Code generation: lowers a kernel to loops of instructions for the whole chip.
//!
//! Tensors are distributed over the chip once; every loop then runs on all PEs in lock step. For
//! each kernel, candidates (data distribution, loop structure) are enumerated and costed, and the
//! cheapest is built.
//!
//! | file | holds |
//! |---|---|
//! | `layout_assignment/` | layouts of tensors that kernels of a program hand to one another |
//! | `plan.rs` | what a kernel is built by: the strategies of its candidates |
//! | `fused_stages.rs` | kernels of several stages, such as an attention |
//! | `gemm/` | matrix products |
//! | `reduce/` | kernels with reductions |
//! | `rearrange.rs` | kernels that move elements |
//! | `elementwise/` | element-wise kernels, and element-wise expressions within loops |
//! | `data/` | the distribution of tensors over the chip, and their transfers |
//! | `strategy.rs` | the interface of strategies: cost and emission |
//! | `padding/` | value ranges in padding, and what the host writes there |
//! | `issue_bounds.rs` | lower bounds of the steps of loops, by resource |
//! | `kernel.rs` | a kernel whose loops are not scheduled yet |
//! | `loop_fusion.rs` | independent loops that run as one |
//! | `overlap.rs` | transfers that overlap later loops |
//! | `stages.rs`, `stores.rs` | helpers for stages of kernels, and for stores of groups |
//! | `error.rs` | why a group cannot be compiled |
//! | `options.rs` | options of code generation |
//! | `scratchpad/` | the scratchpad map: who uses which part of the on-chip memories, and when |
//!
//! A module imports only modules below it in this table.
//!
//! A *vector* is the operand of one step of the ALU: a long word in each of four cycles in each of
//! 4,096 PEs, that is 32,768 single-precision numbers.
//!
//! A product accumulates its sums in GRF0. Its *row side* is loaded into the matrix registers, its
//! *column side* into LM0, both as block floats. The cost model decides which factor is which side.
//! Element-wise operations on a factor are fused into the loop that loads the column side; those on
//! the result are fused into the loop that stores it.
//!
//! Elements are single words in DRAM. Those of bf16 are packed into 16 bits where two vectors are
//! loaded or stored at once: the chip unpacks one vector into two, and packs two into one. A row
//! side that is streamed tile by tile is never packed, since each block of columns would unpack it
//! again. A row side that is converted to block floats once may be packed. Kernels with columns
//! over groups hand on elements in single words. The host packs and unpacks tensors by the layouts
//! that the kernel states.

mod data;
mod elementwise;
mod error;
mod fused_stages;
mod gemm;
mod issue_bounds;
mod kernel;
mod layout_assignment;
mod loop_fusion;
mod options;
mod overlap;
mod padding;
mod plan;
mod rearrange;
mod reduce;
mod scratchpad;
mod stages;
mod stores;
mod strategy;

use tessera_pto::kernel::Group;

use crate::raise;
use plan::{Plan, Schedules};
use stores::single_store;
use strategy::Strategy;

pub use data::local_tensors::{holds_local_tensors, LocalShape, MAX_LOCAL_DEPTH};
pub use data::streams::{MAX_STREAMS, MAX_STREAMS_OF_PRODUCT};
pub use elementwise::fusion_limit::{items, Elementwise, MAX_FUSED_ITEMS};
pub use error::CompileError;
pub use kernel::{Kernel, MovedExtent, ResourceBound, Unschedulable};
pub use layout_assignment::{
    compile_program, Call, CallError, CompiledProgram, HostRelayout, RelayoutReason,
};
pub use options::{F32Matmul, Options, PrecisionChoice};

/// Compiles a group.
///
/// # Errors
/// See [`CompileError`].
pub fn compile(group: &Group, options: &Options) -> Result<Kernel, CompileError> {
    let whole = raise::raise_group(group)?;
    single_store(&whole)?;
    let fill = layout_assignment::padding_in_isolation(&whole);
    let plans = Plan::all(&whole, options, fill, Schedules::Tried)?;
    plans[0].emit(&[])
}

/// Builds all candidates of a group, cheapest first, including products without a schedule.
/// [`compile`] builds the first; for a product with a computed factor, one that has a schedule.
///
/// # Errors
/// See [`CompileError`]; a single candidate that cannot be built is an error, too.
pub fn candidates(group: &Group, options: &Options) -> Result<Vec<Kernel>, CompileError> {
    let whole = raise::raise_group(group)?;
    single_store(&whole)?;
    let fill = layout_assignment::padding_in_isolation(&whole);
    let plans = Plan::all(&whole, options, fill, Schedules::Untried)?;
    plans.iter().map(|plan| plan.emit(&[])).collect()
}
