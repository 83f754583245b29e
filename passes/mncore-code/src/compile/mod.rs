//! From what a group computes to loops of instructions.
//!
//! | file | holds |
//! |---|---|
//! | `shape.rs` | how a result is spread over the chip: which index goes where, and how often the chip is gone through |
//! | `shapes.rs` | the spreads of a product |
//! | `cost.rs` | what a spread takes |
//! | `vectors.rs` | tensors as vectors: where each lies in DRAM |
//! | `digits.rs` | the digits of their layouts |
//! | `streams.rs` | vectors on their way: the items that bring and fetch them |
//! | `choices.rs` | the ways of a product: which factor is which side, in which shape |
//! | `product.rs` | the loops of a product of matrices |
//! | `times.rs` | the dimensions of the loop that multiplies |
//! | `row_side.rs` | its row side, in one of three ways |
//! | `rows.rs` | the first: tiles, on the way from DRAM to L1BM |
//! | `prepare.rs` | the second: block floats, made once |
//! | `row_vectors.rs` | the third, of a product whose depth is split: vectors |
//! | `split.rs` | such products, and how their sums are joined |
//! | `flow.rs` | a product as one loop, into which both sides flow |
//! | `by_rows.rs` | the last of such a product, tile of rows by tile of rows |
//! | `in_l1bs.rs` | small products whose depth goes over the MABs of an L1B |
//! | `arithmetic.rs` | what a precision makes of its vectors and sums |
//! | `tile.rs` | and of its tiles: how they come to the matrix registers and are multiplied by |
//! | `ahead.rs` | its column side, a chunk ahead |
//! | `behind.rs` | its results, a block behind |
//! | `reduction.rs` | the reductions of a kernel |
//! | `reduce.rs` | their loops |
//! | `across.rs` | the loops of those across the chip |
//! | `rearrange.rs` | kernels that move elements |
//! | `elements.rs` | what is done with each element on the way |
//! | `issue.rs` | the steps that loops take at least |
//! | `length.rs` | when a chain of functions is too long for one loop |
//! | `apply.rs` | functions of the library, of operands wherever they lie |
//! | `ways.rs` | the ways of a kernel, of which one is chosen |
//! | `padding/` | what is computed in padding, and what the host puts there |
//! | `together/` | kernels of one program, which hand tensors over to one another |
//! | `arguments.rs` | the tensors of a kernel, as they get their places in DRAM |
//!
//! A *vector* is what one step of the ALU covers: a long word in each of four cycles in each of
//! 4,096 PEs, 32,768 single-precision numbers.
//!
//! A product keeps its sums in GRF0. Its *row side* goes through the matrix registers, its *column
//! side* through LM0, block float in both; which factor is which side, the cost decides.
//! Element-wise work before the product is done where the column side is loaded, what comes after
//! it when the sums leave.
//!
//! Elements lie in DRAM as single words, those of bf16 in 16 bits where two vectors of them can be
//! brought or taken at once: the chip makes two of one, or one of two. Where the row side of a
//! product comes tile by tile, it lies in single words, since its tiles would be taken apart again
//! for each block of columns; where its block floats are made once, it lies as others do. The host
//! packs and unpacks tensors by the layouts that the kernel states.

mod across;
mod ahead;
mod apply;
mod arguments;
mod arithmetic;
mod behind;
mod by_rows;
mod choices;
mod cost;
mod digits;
mod elements;
mod flow;
mod in_l1bs;
mod issue;
mod length;
mod options;
mod padding;
mod prepare;
mod product;
mod rearrange;
mod reduce;
mod reduction;
mod row_side;
mod row_vectors;
mod rows;
mod shape;
mod shapes;
mod split;
mod streams;
mod tile;
mod times;
mod together;
mod vectors;
mod ways;

use tessera_isa_mncore::layout::LayoutError;
use tessera_isa_mncore::memory::Precision;
use tessera_mncore_ir::kernel::{Stage, Tensor};
use tessera_pto::kernel::{Group, TensorType};
use thiserror::Error;

use crate::schedule::{self, schedule, ScheduleError};
use crate::whole::{self, Expr, ExprKind, Store, Whole, WholeError};
use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::program::{Node, Part, Program};
use tessera_mncore_ir::schedule::Report;
use ways::Ways;

pub use length::{items, Elementwise, MOST_ITEMS};
pub use options::{F32Matmul, Options, Wanted};
pub use streams::{MOST_STREAMS, MOST_STREAMS_OF_PRODUCT};
pub use together::{together, Call, CallError, Relaid, Together, Why};

/// A kernel for MN-Core 2 before it is scheduled.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Where its tensors lie in DRAM, in the order of the group; the last is the result.
    pub tensors: Vec<Tensor>,
    /// How much it moves of each, padding with it; none of what lies there as tiles.
    pub vectors: Vec<Option<Reach>>,
    /// How many of them are read; they come first.
    pub inputs: usize,
    /// What it does.
    pub stages: Vec<Stage>,
    /// The precision of its product, if it has one.
    pub precision: Option<Precision>,
    /// What its product costs at least; nothing without a product.
    pub bound: Option<Bound>,
    /// What its product is estimated to take, in steps.
    pub estimate: Option<u64>,
}

/// How much a kernel moves of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// Vectors of a matrix and a block of columns.
    pub vectors: u32,
    /// Cycles of a vector.
    pub cycles: u32,
}

impl Reach {
    /// Whether another kernel moves all of it.
    pub fn is_within(self, other: Reach) -> bool {
        self.vectors <= other.vectors && self.cycles <= other.cycles
    }
}

/// Steps that each resource needs at least for a product, from DRAM to DRAM (rulings on MN-Core 2,
/// section 2.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bound {
    /// Matrix operations.
    pub mau: u64,
    /// Transfers between L1BM and PEs.
    pub l1bm: u64,
    /// Transfers between L2BM and L1BM.
    pub l2bm: u64,
    /// MV instructions.
    pub mv: u64,
}

impl Bound {
    /// The steps of the resource that needs most.
    pub fn steps(&self) -> u64 {
        self.mau.max(self.l1bm).max(self.l2bm).max(self.mv)
    }
}

/// Why a group cannot be compiled.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum CompileError {
    /// It is no arithmetic on whole tensors.
    #[error(transparent)]
    Whole(#[from] WholeError),
    /// It is, but of a kind there is no code for.
    #[error("{what}")]
    Unsupported {
        /// The place of the operation, a number of [`Group::locations`]; none if it is about the
        /// whole group.
        location: Option<usize>,
        /// What, and what to do instead.
        what: String,
    },
    /// A tensor has no place in DRAM.
    #[error("tensor {tensor} ({kind}) cannot be laid out in DRAM: {error}; split the model into smaller kernels")]
    Layout {
        /// Which tensor.
        tensor: usize,
        /// What it is.
        kind: TensorType,
        /// Why.
        error: LayoutError,
    },
}

impl CompileError {
    /// The place of the operation it is about, a number of [`Group::locations`]; none if it is
    /// about the whole group.
    pub fn location(&self) -> Option<usize> {
        match self {
            CompileError::Whole(error) => Some(error.location),
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
    let whole = whole::whole(group)?;
    store(&whole)?;
    let ways = ways::of(&whole, options, together::alone(&whole))?;
    ways.build(0, &[])
}

/// All the ways of a group, of which [`compile`] takes the first, that with the least estimate.
///
/// # Errors
/// See [`CompileError`].
pub fn ways(group: &Group, options: &Options) -> Result<Vec<Kernel>, CompileError> {
    let whole = whole::whole(group)?;
    let store = store(&whole)?;
    let fill = together::alone(&whole);
    let all: Box<dyn Ways> = match product(store)? {
        // Those without a schedule, too.
        Some(product) => Box::new(choices::Choices::of(&whole, store, product, options, fill)?),
        None => ways::of(&whole, options, fill)?,
    };
    let ways = 0..all.costs().len();
    ways.map(|way| all.build(way, &[])).collect()
}

/// The tensor that is stored.
fn store(whole: &Whole) -> Result<&Store, CompileError> {
    match &whole.stores[..] {
        [store] => Ok(store),
        stores => Err(unsupported(None, format!("the group stores {} tensors, and MN-Core 2 code stores one; compile with fusion=none", stores.len()))),
    }
}

/// The product in what is stored, if there is one.
fn product(store: &Store) -> Result<Option<&Expr>, CompileError> {
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

/// Why a loop has no schedule.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{part}: {error}")]
pub struct Unschedulable {
    /// The name of the loop.
    pub part: &'static str,
    /// Why.
    pub error: ScheduleError,
}

impl Kernel {
    /// The kernel with all loops scheduled, and what became of each.
    ///
    /// # Errors
    /// The first loop without a schedule.
    pub fn program(&self) -> Result<(Program, Vec<(&'static str, Report)>), Unschedulable> {
        let mut reports = Vec::new();
        let mut bodies = Vec::new();
        loops(&self.stages, &mut bodies);
        let nodes = nodes(
            &self.stages,
            &schedule::Options::for_kernel(bodies),
            &mut reports,
        )?;
        Ok((Program { nodes }, reports))
    }
}

/// All loops, in order.
fn loops<'s>(stages: &'s [Stage], bodies: &mut Vec<&'s Body>) {
    for stage in stages {
        match stage {
            Stage::Repeat(_, stages) => loops(stages, bodies),
            Stage::Loop(_, body) => bodies.push(body),
        }
    }
}

fn nodes(
    stages: &[Stage],
    options: &schedule::Options,
    reports: &mut Vec<(&'static str, Report)>,
) -> Result<Vec<Node>, Unschedulable> {
    let node = |stage: &Stage| match stage {
        Stage::Repeat(count, stages) => Ok(Node::Repeat(*count, nodes(stages, options, reports)?)),
        Stage::Loop(name, body) => {
            let scheduled = schedule(body, options);
            let (schedule, report) =
                scheduled.map_err(|error| Unschedulable { part: name, error })?;
            reports.push((name, report));
            Ok(Node::Part(Part {
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
