//! Reductions of the rows or columns of matrices.

use tessera_ops::{Reduce, Reduction as Function};

use super::extent::Extent;
use super::matrix_view::MatrixView;

/// A reduction of each matrix along its rows, its columns, or both.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reduction {
    /// The combining function.
    pub reduce: Reduce,
    /// Whether rows and columns are reduced to an extent of one.
    pub axes: [bool; 2],
    /// Extent of the operand.
    pub source: Extent,
    /// Number of elements averaged, for a mean.
    pub mean_of: Option<u64>,
    /// Whether the resulting column is stored as a row.
    pub transposed: bool,
}

impl Reduction {
    /// Creates the reduction of an operation with a view of its tensors.
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
