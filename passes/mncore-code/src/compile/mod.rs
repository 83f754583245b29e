//! Code generation: lowers a kernel to loops of instructions for the whole chip.
//!
//! Tensors are distributed over the chip once; every loop then runs on all PEs in lock step. For
//! each kernel, candidates (data distribution, loop structure) are enumerated and costed, and the
//! cheapest is built.
//!
//! | file | holds |
//! |---|---|
//! | `candidates.rs` | the candidates of a kernel, ordered by cost |
//! | `data/` | the distribution of tensors over the chip, and their transfers |
//! | `gemm/` | matrix products |
//! | `reduce/` | kernels with reductions |
//! | `elementwise/` | element-wise kernels, and element-wise expressions within loops |
//! | `rearrange.rs` | kernels that move elements |
//! | `fused_stages.rs` | kernels of several stages, such as an attention |
//! | `padding/` | value ranges in padding, and what the host writes there |
//! | `issue_bounds.rs` | lower bounds of the steps of loops, by resource |
//! | `layout_assignment/` | layouts of tensors that kernels of a program hand to one another |
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

mod candidates;
mod data;
mod elementwise;
mod fused_stages;
mod gemm;
mod issue_bounds;
mod layout_assignment;
mod options;
mod padding;
mod rearrange;
mod reduce;

use tessera_isa_mncore::layout::LayoutError;
use tessera_isa_mncore::memory::Precision;
use tessera_mncore_ir::kernel::{Stage, Tensor};
use tessera_pto::kernel::{Group, TensorType};
use thiserror::Error;

use crate::raise::{self, Expr, ExprKind, RaiseError, Store, TensorProgram};
use crate::sched::{self, schedule, ScheduleError};
use candidates::Candidates;
use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::program::{Node, Program, ScheduledLoop};
use tessera_mncore_ir::schedule::Report;

pub use data::local_tensors::{holds_local_tensors, LocalShape, MAX_LOCAL_DEPTH};
pub use data::streams::{MAX_STREAMS, MAX_STREAMS_OF_PRODUCT};
pub use elementwise::fusion_limit::{items, Elementwise, MAX_FUSED_ITEMS};
pub use layout_assignment::{
    compile_program, Call, CallError, CompiledProgram, HostRelayout, RelayoutReason,
};
pub use options::{F32Matmul, Options, PrecisionChoice};

/// A kernel for MN-Core 2 whose loops are not scheduled yet.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The tensors with their layouts in DRAM, in the order of the group; the last is the result.
    pub tensors: Vec<Tensor>,
    /// The extent that the kernel moves of each tensor, padding included; `None` for tensors stored
    /// as tiles.
    pub vectors: Vec<Option<MovedExtent>>,
    /// The number of inputs; they come first.
    pub inputs: usize,
    /// The loops.
    pub stages: Vec<Stage>,
    /// The precision of its product, if it has one.
    pub precision: Option<Precision>,
    /// Lower bounds of its product's time by resource; `None` without a product.
    pub bound: Option<ResourceBound>,
    /// The estimated time of its product, in steps.
    pub estimate: Option<u64>,
}

/// The extent of a tensor that a kernel moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MovedExtent {
    /// Vectors of a matrix and a block of columns.
    pub vectors: u32,
    /// Cycles of each vector.
    pub cycles: u32,
}

impl MovedExtent {
    /// Returns whether another kernel moves at least this extent.
    pub fn is_within(self, other: MovedExtent) -> bool {
        self.vectors <= other.vectors && self.cycles <= other.cycles
    }
}

/// Lower bounds of a product's time from DRAM to DRAM, in steps of each resource.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResourceBound {
    /// Matrix operations.
    pub mau: u64,
    /// Transfers between L1BM and PEs.
    pub l1bm: u64,
    /// Transfers between L2BM and L1BM.
    pub l2bm: u64,
    /// MV instructions.
    pub mv: u64,
}

impl ResourceBound {
    /// Returns the sum of two bounds.
    #[must_use]
    pub fn plus(self, other: ResourceBound) -> ResourceBound {
        ResourceBound {
            mau: self.mau + other.mau,
            l1bm: self.l1bm + other.l1bm,
            l2bm: self.l2bm + other.l2bm,
            mv: self.mv + other.mv,
        }
    }

    /// Returns the bound of the most loaded resource, in steps.
    pub fn steps(&self) -> u64 {
        self.mau.max(self.l1bm).max(self.l2bm).max(self.mv)
    }
}

/// Why a group cannot be compiled.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum CompileError {
    /// The group is not arithmetic on whole tensors.
    #[error(transparent)]
    Raise(#[from] RaiseError),
    /// The group needs an operation without code generation.
    #[error("{what}")]
    Unsupported {
        /// The place of the operation, an index of [`Group::locations`]; `None` for the whole
        /// group.
        location: Option<usize>,
        /// The operation, and what to do instead.
        what: String,
    },
    /// A tensor does not fit into DRAM.
    #[error("tensor {tensor} ({kind}) cannot be laid out in DRAM: {error}; split the model into smaller kernels")]
    Layout {
        /// The tensor.
        tensor: usize,
        /// Its type.
        kind: TensorType,
        /// The reason.
        error: LayoutError,
    },
}

impl CompileError {
    /// Returns the place of the operation concerned, an index of [`Group::locations`]; `None` for
    /// the whole group.
    pub fn location(&self) -> Option<usize> {
        match self {
            CompileError::Raise(error) => Some(error.location),
            CompileError::Unsupported { location, .. } => *location,
            CompileError::Layout { .. } => None,
        }
    }
}

/// Compiles a group.
///
/// # Errors
/// See [`CompileError`].
pub fn compile(group: &Group, options: &Options) -> Result<Kernel, CompileError> {
    let whole = raise::raise_group(group)?;
    single_store(&whole)?;
    let candidates = candidates::enumerate(
        &whole,
        options,
        layout_assignment::padding_in_isolation(&whole),
    )?;
    candidates.build(0, &[])
}

/// Builds all candidates of a group, cheapest first, including products without a schedule.
/// [`compile`] builds the first; for a product with a computed factor, one that has a schedule.
///
/// # Errors
/// See [`CompileError`]; a single candidate that cannot be built is an error, too.
pub fn candidates(group: &Group, options: &Options) -> Result<Vec<Kernel>, CompileError> {
    let whole = raise::raise_group(group)?;
    let store = single_store(&whole)?;
    let fill = layout_assignment::padding_in_isolation(&whole);
    let all: Box<dyn Candidates> = match find_product(store)? {
        // Those without a schedule, too.
        Some(product) if whole.locals.is_empty() => Box::new(
            gemm::candidates::ProductCandidates::new(&whole, store, product, options, fill)?,
        ),
        _ => candidates::enumerate(&whole, options, fill)?,
    };
    let numbers = 0..all.costs().len();
    numbers.map(|number| all.build(number, &[])).collect()
}

/// Returns the store of a group with one result.
fn single_store(whole: &TensorProgram) -> Result<&Store, CompileError> {
    match &whole.stores[..] {
        [store] => Ok(store),
        stores => Err(unsupported(None, format!("the group stores {} tensors, and MN-Core 2 code stores one; compile with fusion=none", stores.len()))),
    }
}

/// Returns the product in the stored expression, if there is one.
fn find_product(store: &Store) -> Result<Option<&Expr>, CompileError> {
    let mut products = Vec::new();
    store.value.visit(&mut |expr| {
        if let ExprKind::Product(_) = expr.kind {
            products.push(expr);
        }
    });
    match products[..] {
        [_, second, ..] => Err(unsupported(
            second.location,
            "a second product in one group has no code for MN-Core 2; compile with fusion=epilogue",
        )),
        _ => Ok(products.first().copied()),
    }
}

/// A loop without a schedule.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{part}: {error}")]
pub struct Unschedulable {
    /// The name of the loop.
    pub part: &'static str,
    /// The reason.
    pub error: ScheduleError,
}

impl Kernel {
    /// Schedules all loops; returns the program and the report of each loop.
    ///
    /// # Errors
    /// The first loop without a schedule.
    pub fn program(&self) -> Result<(Program, Vec<(&'static str, Report)>), Unschedulable> {
        let mut reports = Vec::new();
        let mut bodies = Vec::new();
        collect_loops(&self.stages, &mut bodies);
        let nodes = schedule_stages(
            &self.stages,
            &sched::Options::for_kernel(bodies),
            &mut reports,
        )?;
        Ok((Program { nodes }, reports))
    }
}

/// Collects all loops in order.
fn collect_loops<'s>(stages: &'s [Stage], bodies: &mut Vec<&'s Body>) {
    for stage in stages {
        match stage {
            Stage::Repeat(_, stages) => collect_loops(stages, bodies),
            Stage::Loop(_, body) => bodies.push(body),
        }
    }
}

fn schedule_stages(
    stages: &[Stage],
    options: &sched::Options,
    reports: &mut Vec<(&'static str, Report)>,
) -> Result<Vec<Node>, Unschedulable> {
    let node = |stage: &Stage| match stage {
        Stage::Repeat(count, stages) => Ok(Node::Repeat(
            *count,
            schedule_stages(stages, options, reports)?,
        )),
        Stage::Loop(name, body) => {
            let scheduled = schedule(body, options);
            let (schedule, report) =
                scheduled.map_err(|error| Unschedulable { part: name, error })?;
            reports.push((name, report));
            Ok(Node::Loop(ScheduledLoop {
                name: (*name).into(),
                body: body.clone(),
                schedule,
            }))
        }
    };
    stages.iter().map(node).collect()
}

fn unsupported(location: impl Into<Option<usize>>, what: impl Into<String>) -> CompileError {
    CompileError::Unsupported {
        location: location.into(),
        what: what.into(),
    }
}
