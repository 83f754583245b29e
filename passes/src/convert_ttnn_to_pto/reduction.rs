//! Reductions: what is kept of the rows or columns of matrices.

use tessera_dialects::mlir::{Op, Reported, TensorType};
use tessera_dialects::verify::function::reduced_dimensions;
use tessera_program::ReduceKind;
use tessera_pto::functions::Reduce;

use super::extent::Extent;

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
    pub turned: bool,
}

impl Reduction {
    /// What an operation keeps.
    ///
    /// # Errors
    /// If it goes along other dimensions than the last two, or its result does not lie where they leave it.
    pub fn of(op: Op, kind: ReduceKind) -> Result<Self, Reported> {
        let source = Extent::of(op, op.operand(0))?;
        let shape = op.operand(0).and_then(|value| value.r#type().shape());
        let rank = shape.map_or(0, |shape| shape.len());
        let dims = reduced_dimensions(op, rank).map_err(|error| op.error(error))?;
        if let Some(outer) = dims.iter().find(|dim| **dim + 2 < rank) {
            return Err(op.error(format!(
                "goes along dimension {outer} of {rank}, which has no kernel; the last two have; take the matrices one by one"
            )));
        }
        let axes = [2, 1].map(|from_end| dims.iter().any(|dim| *dim + from_end == rank));
        let left = |axis: usize, extent| if axes[axis] { 1 } else { extent };
        let kept = Extent {
            rows: left(0, source.rows),
            columns: left(1, source.columns),
            ..source
        };
        let result = Extent::of(op, op.result(0))?;
        let row = Extent {
            rows: kept.columns,
            columns: kept.rows,
            ..kept
        };
        let turned = result != kept && kept.matrices == 1 && axes == [false, true] && result == row;
        if result != kept && !turned {
            return Err(op.error(format!(
                "leaves {kept} as {result}, which has no kernel; use keep_dim = true"
            )));
        }
        let extents = [source.rows, source.columns];
        let reduced = axes
            .iter()
            .zip(extents)
            .filter(|(is_reduced, _)| **is_reduced);
        let count = reduced.map(|(_, extent)| extent).product();
        Ok(Reduction {
            reduce: kind.reduce(),
            axes,
            source,
            mean_of: (kind == ReduceKind::Mean).then_some(count),
            turned,
        })
    }
}
