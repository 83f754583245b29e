//! Raising: recovers arithmetic on whole tensors from a group of kernels over tiles.
//!
//! A group describes how 32x32 tiles pass through the loops of two cores. MN-Core 2 needs other
//! tiles, four thousand processors in lock step and a single instruction stream. Therefore the
//! computation of all loops together is recovered first, as one expression for each stored tensor.
//! The method is symbolic execution: each kernel is executed once with symbolic loop counters.
//!
//! | file | does |
//! |---|---|
//! | `trace.rs` | executes each kernel symbolically |
//! | `pipes.rs` | matches each pop of a pipe with its push |
//! | `tensor_exprs.rs` | converts tile expressions to tensor expressions |
//! | `reductions.rs` | recognises reductions that loops combine tile by tile |
//! | `collapse.rs` | collapses matrices of few rows into one matrix |
//! | `expr.rs` | traverses and transposes expressions |
//!
//! A local tensor of a core holds a row of tiles at a time. It stands for a tensor with all rows of
//! the result, which has an expression of its own: the group is a sequence of *stages*.
//!
//! A data movement group ([`tessera_pto::rearrange`]) is kept as it is.
//!
//! Checked: every store covers its whole tensor; operands have the tile position of the result or
//! are broadcast; a sum of products, or a reduction, covers its whole extent; no padding takes part
//! in a reduction. Anything else is an error with the location of the operation.

mod collapse;
mod expr;
mod pipes;
mod reductions;
mod tensor_exprs;
mod trace;

pub use collapse::MAX_COLLAPSED_ROWS;
use tessera_pto::kernel::{Axis, Binary, Element, Group, Op, Reduce, TensorType, Unary};
use tessera_pto::rearrange::Rearrangement;
use tessera_pto::target::Precision;
use thiserror::Error;

/// The computation of a group on whole tensors.
#[derive(Clone, Debug, PartialEq)]
pub struct TensorProgram {
    /// The types of its arguments, and after these of the tensors for which local ones stand.
    pub tensors: Vec<TensorType>,
    /// One store for each local tensor, in order. It precedes those that read the tensor.
    pub locals: Vec<Store>,
    /// One store for each tensor that is written.
    pub stores: Vec<Store>,
    /// The index map, if the group moves elements. The stored value then fills the elements that it
    /// does not copy.
    pub rearrangement: Option<Rearrangement>,
}

/// A store to a tensor.
#[derive(Clone, Debug, PartialEq)]
pub struct Store {
    /// The tensor.
    pub tensor: usize,
    /// The value.
    pub value: Expr,
    /// The location of the operation, an index of [`Group::locations`].
    pub location: usize,
}

/// A tensor expression. Equality ignores source locations.
#[derive(Clone, Debug)]
pub struct Expr {
    /// The operation.
    pub kind: ExprKind,
    /// The element type.
    pub element: Element,
    /// The precision of an element-wise function.
    pub precision: Precision,
    /// The location of the operation.
    pub location: usize,
}

/// An operation on tensors. Operands have the extents of the result, except those of products and
/// broadcast ones.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// An argument.
    Tensor(usize, BroadcastView),
    /// A constant.
    Fill(f64),
    /// A matrix product.
    Product(Box<[Expr; 2]>),
    /// An element-wise function of one operand.
    Unary(Unary, Box<Expr>),
    /// An element-wise function of two operands.
    Binary(Binary, Box<[Expr; 2]>),
    /// A conversion to an element type.
    Convert(Element, Box<Expr>),
    /// The second operand where the first is not zero, otherwise the third.
    Select(Box<[Expr; 3]>),
    /// A reduction to one row or column, which may be broadcast.
    Reduce {
        /// The kind.
        reduce: Reduce,
        /// The reduced axis.
        axis: Axis,
        /// The extent along it.
        extent: u32,
        /// The operand.
        of: Box<Expr>,
    },
}

/// How a tensor is read: transposed or not, and the axes along which it is broadcast.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BroadcastView {
    /// Rows and columns are exchanged.
    pub transposed: bool,
    /// One matrix is used for all.
    pub matrices: bool,
    /// One row is used for all.
    pub rows: bool,
    /// One column is used for all.
    pub columns: bool,
}

impl BroadcastView {
    /// Exchanges a pair of row and column properties if the view is transposed.
    pub fn orient<T>(self, [rows, columns]: [T; 2]) -> [T; 2] {
        if self.transposed {
            [columns, rows]
        } else {
            [rows, columns]
        }
    }

    /// Returns the view of the transposed tensor.
    #[must_use]
    pub fn transposed(self) -> Self {
        BroadcastView {
            transposed: !self.transposed,
            rows: self.columns,
            columns: self.rows,
            ..self
        }
    }
}

/// Why a group cannot be raised.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{reason}")]
pub struct RaiseError {
    /// The location of the operation.
    pub location: usize,
    /// The reason.
    pub reason: RaiseErrorReason,
}

/// The reason why a group cannot be raised.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RaiseErrorReason {
    /// Data-dependent control flow.
    #[error(
        "a branch has no counterpart on MN-Core 2, whose processors all take the same way; \
         make two kernels of it"
    )]
    Branch,
    /// A loop with unknown bounds.
    #[error("a loop's bounds must be constants, its step 1, for MN-Core 2")]
    Bounds,
    /// An index that is not affine in loop counters.
    #[error("an index must be a sum of loop counters times constants for MN-Core 2")]
    Index,
    /// A tensor in a core's memory beside another kernel.
    #[error(
        "a group of several kernels keeps a tensor in the memory of a core, which is not lowered \
         to MN-Core 2; make one kernel of the group, or use a tensor argument"
    )]
    Local,
    /// A local tensor that is loaded before it is stored.
    #[error("a tensor in the memory of a core is loaded before it is stored")]
    Unstored,
    /// Work split over two vector kernels.
    #[error(
        "tiles are split between two vector kernels; MN-Core 2 distributes tensors over its \
         processors itself: expand with split=none"
    )]
    Split,
    /// An operation without code.
    #[error("{0} has no code for MN-Core 2 yet; run the group on another device")]
    Operation(&'static str),
    /// A loop-carried value that is neither a sum of products nor a reduction.
    #[error(
        "what a loop carries must be a sum of products of matrices (tmatmul, then tmatmul_acc) \
         or a reduction (trowsum, then tadd; trowmax, then tmax; …) for MN-Core 2"
    )]
    Carried,
    /// A reduction whose tiles do not form a row or column.
    #[error(
        "the tiles of a reduction do not cover the whole extent of its operand, one after the \
         other"
    )]
    Reduction,
    /// A reduction that includes padding.
    #[error(
        "{padding} elements of padding take part in a reduction; let only {valid} elements of \
         its last tile be valid"
    )]
    Padding {
        /// Elements of padding in the last tile.
        padding: u32,
        /// Valid elements in the last tile.
        valid: u32,
    },
    /// A reduction used where more than one row or column is expected.
    #[error(
        "a reduction leaves one row or column, which must be stored as such or broadcast \
         (trowexpand…, tcolexpand…)"
    )]
    Left,
    /// A pipe whose pushes and pops are in different loops.
    #[error("pipe {0}: its tiles are popped in other loops than they are pushed in")]
    Pipe(String),
    /// A tile at another position than that of the result.
    #[error("tensor {0} is accessed at a place other than that of the result")]
    Place(usize),
    /// A store that does not cover its tensor.
    #[error("tensor {0} is not stored as a whole by this operation")]
    Part(usize),
    /// A sum that does not cover its extent.
    #[error("the sum of products does not cover the whole extent of its factors")]
    Sum,
    /// A tensor that exceeds DRAM.
    #[error(
        "tensor {tensor} ({kind}) has more elements than the DRAM of MN-Core 2 holds; split \
         the model into smaller kernels"
    )]
    Size {
        /// The tensor.
        tensor: usize,
        /// Its type.
        kind: TensorType,
    },
    /// A data movement kernel with other operations.
    #[error(
        "moves elements of tensors in a kernel with other operations; use a kernel of its own"
    )]
    Rearranged,
    /// A data movement kernel with positions that are elements of a tensor.
    #[error(
        "looks positions up in a tensor, but transfers of MN-Core 2 have addresses that the \
         compiler knows; the host executes such a movement"
    )]
    Lookup,
    /// A tensor that is stored and also loaded, or stored twice.
    #[error("tensor {0} is stored, and loaded or stored again, in one group")]
    Twice(usize),
}

/// Raises a group to arithmetic on whole tensors.
///
/// # Errors
/// See [`RaiseError`].
pub fn raise_group(group: &Group) -> Result<TensorProgram, RaiseError> {
    if let Some((op, rearrangement)) = group.rearrangement() {
        if rearrangement.map.lookup.is_some() {
            return Err(RaiseError {
                location: op.location,
                reason: RaiseErrorReason::Lookup,
            });
        }
        let whole = data_movement(group, op, rearrangement);
        check_tensor_sizes(&whole)?;
        return Ok(whole);
    }
    let traced = trace::trace(group)?;
    let joined = pipes::resolve_pipes(group, traced)?;
    let mut whole = tensor_exprs::build(group, &joined)?;
    check_tensor_sizes(&whole)?;
    collapse::collapse_matrices(&mut whole);
    Ok(whole)
}

/// Returns the data movement of a group. The stored value is the fill.
fn data_movement(group: &Group, op: &Op, rearrangement: &Rearrangement) -> TensorProgram {
    let tensor = rearrangement.target;
    let location = op.location;
    TensorProgram {
        tensors: group.tensors.clone(),
        locals: Vec::new(),
        stores: vec![Store {
            tensor,
            value: Expr {
                kind: ExprKind::Fill(rearrangement.map.fill),
                element: group.tensors[tensor].element,
                precision: Precision::default(),
                location,
            },
            location,
        }],
        rearrangement: Some(rearrangement.clone()),
    }
}

/// The maximum number of elements of a tensor. It exceeds what DRAM (16 GiB) can hold, but keeps
/// block numbers within 32 bits.
const MAX_ELEMENTS: u64 = 1 << 36;

/// Checks that DRAM could hold each tensor.
fn check_tensor_sizes(whole: &TensorProgram) -> Result<(), RaiseError> {
    let is_too_large = |kind: &TensorType| {
        kind.elements()
            .is_none_or(|elements| elements > MAX_ELEMENTS)
    };
    let large = whole
        .tensors
        .iter()
        .enumerate()
        .find(|(_, kind)| is_too_large(kind));
    match (large, whole.stores.first()) {
        (Some((tensor, &kind)), Some(store)) => Err(RaiseError {
            location: store.location,
            reason: RaiseErrorReason::Size { tensor, kind },
        }),
        _ => Ok(()),
    }
}
