//! Reductions: what is kept of the rows or columns of matrices.

use tessera_ops::{Reduce, Reduction as Function};

use super::extent::Extent;
use super::matrix_view::MatrixView;

/// What is kept of each matrix, along its columns, its rows, or both.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reduction {
    /// What goes from element to element.
    pub reduce: Reduce,
    /// Whether rows, and columns, are left with an extent of one.
    pub axes: [bool; 2],
    /// What it is of.
    pub source: Extent,
    /// Elements that a mean is of.
    pub mean_of: Option<u64>,
    /// Whether the column that is left lies in its result as a row.
    pub transposed: bool,
}

impl Reduction {
    /// What an operation keeps that sees its tensors so.
    pub fn from_view(view: &MatrixView, function: Function) -> Self {
        let source = view.operands[0];
        let axes = view.reduced;
        let extents = [source.rows, source.columns];
        let reduced = axes
            .iter()
            .zip(extents)
            .filter(|(is_reduced, _)| **is_reduced);
        let count = reduced.map(|(_, extent)| extent).product();
        let kept = |axis: usize| if axes[axis] { 1 } else { extents[axis] };
        Reduction {
            reduce: function.fold(),
            axes,
            source,
            mean_of: (function == Function::Mean).then_some(count),
            transposed: [view.result.rows, view.result.columns] != [0, 1].map(kept),
        }
    }
}
