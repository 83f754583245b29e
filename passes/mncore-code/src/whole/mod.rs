//! A group of kernels over tiles as arithmetic on whole tensors.
//!
//! A group says how tiles of 32 by 32 go through the loops of two cores. MN-Core 2 wants other
//! tiles, four thousand processors at once and one stream of instructions; so what the loops
//! compute together is found first, as one expression for each tensor that is stored.
//!
//! | file | does |
//! |---|---|
//! | `trace.rs` | goes through each kernel once, loops with a symbol for their counter |
//! | `pipes.rs` | finds for each tile that is popped the one that was pushed |
//! | `form.rs` | makes expressions of whole tensors from expressions of tiles |
//! | `fold.rs` | finds the reductions in what loops join tile by tile |
//! | `expr.rs` | goes through expressions, and turns them over |
//!
//! A group that moves elements ([`tessera_pto::rearrange`]) is kept as it is.
//!
//! Checked: that every store covers its whole tensor, that what is loaded for it has the place of
//! what is stored (or is spread over it), that the steps of a sum of products, or of a reduction,
//! cover the whole extent, and that no padding takes part in a reduction. What is not of that form
//! is an error that says at which operation.

mod expr;
mod fold;
mod form;
mod pipes;
mod trace;

use tessera_pto::kernel::{Axis, Binary, Element, Group, Op, Reduce, TensorType, Unary};
use tessera_pto::rearrange::Rearrangement;
use thiserror::Error;

/// What a group computes.
#[derive(Clone, Debug, PartialEq)]
pub struct Whole {
    /// The tensors it is given.
    pub tensors: Vec<TensorType>,
    /// One for each tensor that is stored.
    pub stores: Vec<Store>,
    /// Where the elements come from, if the group moves elements: the value that is stored is what
    /// those are that it does not copy.
    pub rearrangement: Option<Rearrangement>,
}

/// A tensor that is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Store {
    /// Which.
    pub tensor: usize,
    /// What goes there.
    pub value: Expr,
    /// The place of the operation, a number of [`Group::locations`].
    pub location: usize,
}

/// An expression of whole tensors. Two are equal if they compute the same, wherever in the source.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// What its elements are.
    pub element: Element,
    /// The place of the operation.
    pub location: usize,
}

/// What an expression is. All operands have the extents of the result but for those of products,
/// and what is spread.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A tensor that is given.
    Tensor(usize, Spread),
    /// A number everywhere.
    Fill(f64),
    /// Products of rows of the first and columns of the second, summed up.
    Product(Box<[Expr; 2]>),
    /// A function of each element.
    Unary(Unary, Box<Expr>),
    /// A function of pairs of elements.
    Binary(Binary, Box<[Expr; 2]>),
    /// Rounded to elements of a type.
    Convert(Element, Box<Expr>),
    /// The second where the first is not zero, else the third.
    Select(Box<[Expr; 3]>),
    /// What is kept of rows or columns: one row or column, which may be spread.
    Reduce {
        /// What.
        reduce: Reduce,
        /// The axis it goes along.
        axis: Axis,
        /// How many elements there are along it.
        extent: u32,
        /// Of what.
        of: Box<Expr>,
    },
}

/// How a tensor is seen: turned over or not, and along what it is the same everywhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Spread {
    /// Its rows are columns here.
    pub transposed: bool,
    /// It is one matrix, for all.
    pub matrices: bool,
    /// It is one row, for all.
    pub rows: bool,
    /// It is one column, for all.
    pub columns: bool,
}

impl Spread {
    /// What belongs to the rows and columns of a tensor, as they are seen; or the other way round.
    pub fn seen<T>(self, [rows, columns]: [T; 2]) -> [T; 2] {
        if self.transposed {
            [columns, rows]
        } else {
            [rows, columns]
        }
    }

    /// How it is seen from one for whom its rows are columns.
    #[must_use]
    pub fn transposed(self) -> Self {
        Spread {
            transposed: !self.transposed,
            rows: self.columns,
            columns: self.rows,
            ..self
        }
    }
}

/// Why a group is no arithmetic on whole tensors.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{reason}")]
pub struct WholeError {
    /// The place of the operation.
    pub location: usize,
    /// What is in the way.
    pub reason: Reason,
}

/// What is in the way.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Reason {
    /// Control flow that depends on numbers.
    #[error("a branch has no counterpart on MN-Core 2, whose processors all take the same way; make two kernels of it")]
    Branch,
    /// A loop whose bounds are not known.
    #[error("a loop's bounds must be constants, its step 1, for MN-Core 2")]
    Bounds,
    /// An index that is no sum of counters.
    #[error("an index must be a sum of loop counters times constants for MN-Core 2")]
    Index,
    /// Two vector kernels.
    #[error("tiles are spread over two vector kernels; MN-Core 2 spreads tensors over its processors itself: expand with split=none")]
    Split,
    /// An operation there is no code for.
    #[error("{0} has no code for MN-Core 2 yet; run the group on another device")]
    Operation(&'static str),
    /// What a loop carries is neither a sum of products nor a reduction.
    #[error("what a loop carries must be a sum of products of matrices (tmatmul, then tmatmul_acc) or a reduction (trowsum, then tadd; trowmax, then tmax; …) for MN-Core 2")]
    Carried,
    /// A reduction whose tiles are no row or column of tiles.
    #[error("the tiles of a reduction do not cover the whole extent of its operand, one after the other")]
    Reduction,
    /// A reduction that padding takes part in.
    #[error("{padding} elements of padding take part in a reduction; let only {valid} elements of its last tile be valid")]
    Padding {
        /// Elements of padding in the last tile.
        padding: u32,
        /// Elements of the tensor.
        valid: u32,
    },
    /// A reduction where more than one row or column is wanted.
    #[error("a reduction leaves one row or column, which must be stored as that or spread (trowexpand…, tcolexpand…)")]
    Left,
    /// Kernels push and pop in different loops.
    #[error("pipe {0}: its tiles are popped in other loops than they are pushed in")]
    Pipe(String),
    /// A tile that does not lie where its counterpart lies.
    #[error("tensor {0} is accessed at a place other than that of the result")]
    Place(usize),
    /// A store that leaves out part of its tensor.
    #[error("tensor {0} is not stored as a whole by this operation")]
    Part(usize),
    /// A sum that leaves out part of its extent.
    #[error("the sum of products does not cover the whole extent of its factors")]
    Sum,
    /// A tensor that no memory holds.
    #[error("tensor {tensor} ({kind}) has more elements than the DRAM of MN-Core 2 holds; split the model into smaller kernels")]
    Size {
        /// Which tensor.
        tensor: usize,
        /// What it is.
        kind: TensorType,
    },
    /// A kernel that moves elements, and does something else.
    #[error(
        "moves elements of tensors beside other work; a kernel that does so does nothing else"
    )]
    Rearranged,
    /// A tensor that is stored and loaded, or stored twice.
    #[error("tensor {0} is stored, and loaded or stored again, in one group")]
    Twice(usize),
}

/// What a group computes.
///
/// # Errors
/// If it is no arithmetic on whole tensors.
pub fn whole(group: &Group) -> Result<Whole, WholeError> {
    if let Some((op, rearrangement)) = group.rearrangement() {
        let whole = rearranged(group, op, rearrangement);
        require_room(&whole)?;
        return Ok(whole);
    }
    let traced = trace::trace(group)?;
    let joined = pipes::join(group, traced)?;
    let whole = form::form(group, &joined)?;
    require_room(&whole)?;
    Ok(whole)
}

/// What a group that moves elements computes: a number, where it copies nothing.
fn rearranged(group: &Group, op: &Op, rearrangement: &Rearrangement) -> Whole {
    let tensor = rearrangement.target;
    let location = op.location;
    Whole {
        tensors: group.tensors.clone(),
        stores: vec![Store {
            tensor,
            value: Expr {
                kind: ExprKind::Fill(rearrangement.map.fill),
                element: group.tensors[tensor].element,
                location,
            },
            location,
        }],
        rearrangement: Some(rearrangement.clone()),
    }
}

/// The most elements of a tensor. DRAM has 16 GiB, in which there is no layout for a tensor of
/// fewer elements that is still too large; but up to here numbers of its blocks fit 32 bits.
const MOST_ELEMENTS: u64 = 1 << 36;

/// Checks that DRAM could hold each tensor.
fn require_room(whole: &Whole) -> Result<(), WholeError> {
    let is_too_large = |kind: &TensorType| {
        kind.elements()
            .is_none_or(|elements| elements > MOST_ELEMENTS)
    };
    let large = whole
        .tensors
        .iter()
        .enumerate()
        .find(|(_, kind)| is_too_large(kind));
    match (large, whole.stores.first()) {
        (Some((tensor, &kind)), Some(store)) => Err(WholeError {
            location: store.location,
            reason: Reason::Size { tensor, kind },
        }),
        _ => Ok(()),
    }
}
