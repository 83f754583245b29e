//! Views of an operation's tensors as sequences of matrices.
//!
//! Elements of a tensor are stored in the order of its dimensions, so adjacent dimensions can be
//! collapsed into one. If tiles cover the last two dimensions, all operations use the same view. If
//! the host lays out tensors for each kernel, an operation may choose a view: dimensions that are
//! broadcast or reduced become rows or columns. It deviates from the default view only if
//! necessary, because operations can share a kernel, or kernels a tensor in DRAM, only if their
//! views agree.

use tessera_dialects::mlir::{Op, Reported, TensorType, Value};
use tessera_dialects::verify::{call, TensorCall};
use tessera_ops::Class;

use super::extent::{Extent, MatrixIndex};

/// The tensors of an operation as sequences of matrices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatrixView {
    /// Extents of the operands.
    pub operands: Vec<Extent>,
    /// For each operand, the matrix that belongs to each matrix of the result.
    pub indices: Vec<MatrixIndex>,
    /// Extent of the result.
    pub result: Extent,
    /// For a reduction, whether rows and columns are reduced.
    pub reduced: [bool; 2],
}

impl MatrixView {
    /// Infers the view of the tensors of an operation. With `may_collapse_dims` it may differ from
    /// the default view.
    ///
    /// # Errors
    /// Reported for a reduction that no view turns into a reduction of rows and columns.
    pub fn infer(op: Op, may_collapse_dims: bool) -> Result<MatrixView, Reported> {
        MatrixView::find(op, may_collapse_dims).map_err(|error| op.error(error))
    }

    /// Infers the view as [`MatrixView::infer`] does.
    ///
    /// # Errors
    /// The same, not reported.
    pub fn find(op: Op, may_collapse_dims: bool) -> Result<MatrixView, String> {
        let shapes: Vec<Vec<u64>> = op.operands().into_iter().map(shape).collect();
        let result = op.result(0).map(shape).unwrap_or_default();
        let plain = default_view(&shapes, &result);
        Ok(match call::class(op) {
            Some(Class::Reduction(_)) => {
                let dims = TensorCall::new(op).and_then(|call| call.reduced_dimensions());
                let shape = shapes.first().map_or(&[][..], Vec::as_slice);
                return reduction_view(plain, shape, &dims?, may_collapse_dims);
            }
            _ if !may_collapse_dims => plain,
            Some(Class::Contraction) => product_view(plain, &shapes, &result),
            Some(Class::Movement(_) | Class::Lookup(_)) => plain,
            _ => elementwise_view(plain, &shapes, &result),
        })
    }
}

/// Returns whether kernels can address every matrix of an operand. Those that collapse dimensions
/// need one matrix for all of the result's, or one for each.
pub fn has_matrices(from: &Extent, index: &MatrixIndex, may_collapse_dims: bool) -> bool {
    (from.matrices == 1 || !index.digits.is_empty()) && (!may_collapse_dims || index.is_simple())
}

/// A kind of kernels that broadcast operands.
#[derive(Clone, Copy, Debug)]
pub struct KernelKind {
    /// Whether the operands are the factors of a product, not of an element-wise operation.
    pub is_product: bool,
    /// Whether the view may differ from the default view.
    pub may_collapse_dims: bool,
}

/// Returns whether a kernel can broadcast operands of these shapes to the result by affine
/// addresses: each operand has one matrix for all of the result's, or one for each.
pub fn can_broadcast(kind: KernelKind, shapes: &[Vec<u64>], result: &[u64]) -> bool {
    let is_product = kind.is_product;
    let plain = default_view(shapes, result);
    let view = match (kind.may_collapse_dims, is_product) {
        (false, _) => plain,
        (true, true) => product_view(plain, shapes, result),
        (true, false) => elementwise_view(plain, shapes, result),
    };
    let mut operands = view.operands.iter().zip(&view.indices);
    operands.all(|(from, index)| {
        has_matrices(from, index, true) && (is_product || from.broadcast_to(view.result).is_some())
    })
}

/// Returns the default view: matrices of the last two dimensions.
fn default_view(shapes: &[Vec<u64>], result: &[u64]) -> MatrixView {
    let to = Extent::from_shape(result);
    let index = |shape: &Vec<u64>| {
        let matrices = |shape: &[u64]| shape[..shape.len().saturating_sub(2)].to_vec();
        let from = Extent::from_shape(shape);
        match from.matrices == to.matrices {
            true => simple_index(from, to),
            // Operands that do not broadcast are reported where they are used.
            false => {
                MatrixIndex::for_broadcast(&matrices(shape), &matrices(result)).unwrap_or_default()
            }
        }
    };
    MatrixView {
        operands: shapes
            .iter()
            .map(|shape| Extent::from_shape(shape))
            .collect(),
        indices: shapes.iter().map(index).collect(),
        result: to,
        reduced: [false; 2],
    }
}

/// Returns the matrix index of an operand with one matrix for all, or one for each.
fn simple_index(from: Extent, to: Extent) -> MatrixIndex {
    match from.matrices {
        1 => MatrixIndex::default(),
        matrices => {
            debug_assert_eq!(matrices, to.matrices);
            MatrixIndex::identity()
        }
    }
}

fn shape(value: Value) -> Vec<u64> {
    // Every shape of a tensor is known, by the dialect's rules.
    value.r#type().static_shape().unwrap_or_default()
}

/// A run of adjacent dimensions of the same kind, collapsed into one.
#[derive(Debug, PartialEq)]
pub struct Run<T> {
    /// The product of their extents.
    pub extent: u64,
    /// The kind.
    pub kind: T,
}

/// Collapses adjacent dimensions of the same kind. Dimensions of extent 1 are ignored.
pub fn runs<T: PartialEq>(shape: &[u64], kind: impl Fn(usize) -> T) -> Vec<Run<T>> {
    let mut runs: Vec<Run<T>> = Vec::new();
    for (dim, extent) in shape.iter().copied().enumerate() {
        let kind = kind(dim);
        match runs.last_mut() {
            _ if extent == 1 => {}
            Some(last) if last.kind == kind => last.extent *= extent,
            _ => runs.push(Run { extent, kind }),
        }
    }
    runs
}

/// Returns the extent of at most three collapsed dimensions, the last ones being rows and columns.
fn extent_from_runs(extents: &[u64]) -> Option<Extent> {
    let (matrices, rows, columns) = match *extents {
        [] => (1, 1, 1),
        [columns] => (1, 1, columns),
        [rows, columns] => (1, rows, columns),
        [matrices, rows, columns] => (matrices, rows, columns),
        _ => return None,
    };
    Some(Extent {
        matrices,
        rows,
        columns,
    })
}

/// Returns the view of an element-wise operation: collapses dimensions that are broadcast alike.
fn elementwise_view(plain: MatrixView, shapes: &[Vec<u64>], result: &[u64]) -> MatrixView {
    let broadcasts = |operand: &Extent| operand.broadcast_to(plain.result).is_some();
    let is_simple = plain.indices.iter().all(MatrixIndex::is_simple);
    if is_simple && plain.operands.iter().all(broadcasts) {
        return plain;
    }
    // Dimensions are aligned at the last one.
    let is_broadcast = |shape: &Vec<u64>, dim: usize| {
        let at = (dim + shape.len()).checked_sub(result.len());
        at.is_none_or(|at| shape[at] == 1)
    };
    let kind = |dim: usize| -> Vec<bool> {
        let shapes = shapes.iter();
        shapes.map(|shape| is_broadcast(shape, dim)).collect()
    };
    let runs = runs(result, kind);
    let of = |run_of: &dyn Fn(&Run<Vec<bool>>) -> u64| {
        let extents: Vec<u64> = runs.iter().map(run_of).collect();
        extent_from_runs(&extents)
    };
    let operand = |number: usize| {
        of(&|run| match run.kind[number] {
            true => 1,
            false => run.extent,
        })
    };
    let operands: Option<Vec<Extent>> = (0..shapes.len()).map(operand).collect();
    match operands.zip(of(&|run| run.extent)) {
        Some((operands, result)) => MatrixView {
            indices: operands
                .iter()
                .map(|from| simple_index(*from, result))
                .collect(),
            operands,
            result,
            ..plain
        },
        None => plain,
    }
}

/// Returns the view of a product. A right vector becomes a column; a left vector times several
/// matrices becomes a row.
fn product_view(plain: MatrixView, shapes: &[Vec<u64>], result: &[u64]) -> MatrixView {
    let column = |shape: &[u64]| Extent {
        matrices: shape
            .split_last()
            .map_or(1, |(_, all)| all.iter().product()),
        rows: shape.last().copied().unwrap_or(1),
        columns: 1,
    };
    let row = |shape: &[u64]| column(shape).transposed();
    let is_vector = |number: usize| shapes.get(number).is_some_and(|shape| shape.len() == 1);
    let see = |as_what: &dyn Fn(&[u64]) -> Extent, from: usize| {
        let mut operands = plain.operands.clone();
        let ends = operands.iter_mut().zip(shapes).skip(from);
        ends.for_each(|(operand, shape)| *operand = as_what(shape));
        let result = as_what(result);
        let index = |from: &Extent| match from.matrices == result.matrices {
            true => simple_index(*from, result),
            false => MatrixIndex::default(),
        };
        MatrixView {
            indices: operands.iter().map(index).collect(),
            operands,
            result,
            ..plain.clone()
        }
    };
    match [is_vector(0), is_vector(1)] {
        [_, true] => see(&column, 1),
        [true, false] => see(&row, 2),
        [false, false] => plain,
    }
}

/// Returns whether one kernel reduces a tensor along these dimensions, ascending.
pub fn can_reduce(shape: &[u64], dims: &[usize], result: &[u64], may_collapse_dims: bool) -> bool {
    let plain = default_view(&[shape.to_vec()], result);
    reduction_view(plain, shape, dims, may_collapse_dims).is_ok()
}

fn reduction_view(
    plain: MatrixView,
    shape: &[u64],
    dims: &[usize],
    may_collapse_dims: bool,
) -> Result<MatrixView, String> {
    let rank = shape.len();
    let outer = dims.iter().find(|dim| **dim + 2 < rank);
    let (source, reduced) = match (outer, may_collapse_dims) {
        (None, _) => {
            let is_reduced = |from_end: usize| dims.iter().any(|dim| *dim + from_end == rank);
            (plain.operands[0], [2, 1].map(is_reduced))
        }
        (Some(outer), false) => {
            return Err(format!(
                "reduces dimension {outer} of {rank}, but kernels for this target reduce the \
                 last two: run ttnn-decompose-reductions first"
            ));
        }
        (Some(_), true) => outer_reduction(shape, dims).ok_or_else(|| {
            format!(
                "reduces dimensions {dims:?} of {rank}, which are not adjacent: run \
                 ttnn-decompose-reductions first"
            )
        })?,
    };
    let left = |axis: usize, extent| if reduced[axis] { 1 } else { extent };
    let kept = Extent {
        rows: left(0, source.rows),
        columns: left(1, source.columns),
        ..source
    };
    let is_transposed =
        kept.matrices == 1 && reduced == [false, true] && plain.result == kept.transposed();
    let result = match is_transposed || !may_collapse_dims {
        true => plain.result,
        false => kept,
    };
    if result != kept && !is_transposed {
        return Err(format!(
            "reduces {kept} to {result}, which has no kernel: run ttnn-decompose-reductions first"
        ));
    }
    Ok(MatrixView {
        operands: vec![source],
        indices: vec![simple_index(source, source)],
        result,
        reduced,
    })
}

/// Views a reduction of outer dimensions as one of rows, or of rows and columns. Returns `None` if
/// kept dimensions lie between reduced ones.
fn outer_reduction(shape: &[u64], dims: &[usize]) -> Option<(Extent, [bool; 2])> {
    let runs = runs(shape, |dim| dims.contains(&dim));
    let extents: Vec<u64> = runs.iter().map(|run| run.extent).collect();
    let kinds: Vec<bool> = runs.iter().map(|run| run.kind).collect();
    let (matrices, rows, columns, reduced) = match (&kinds[..], &extents[..]) {
        (&[] | &[false], _) => (1, 1, extents.iter().product(), [true, false]),
        (&[true, false], &[rows, columns]) => (1, rows, columns, [true, false]),
        (&[false, true, false], &[matrices, rows, columns]) => {
            (matrices, rows, columns, [true, false])
        }
        // All trailing dimensions are reduced: the last one that is not 1 becomes the columns.
        (&[true] | &[false, true], &[.., all]) => {
            let columns = shape.iter().rfind(|extent| **extent != 1)?;
            let matrices = extents.iter().product::<u64>() / all;
            (matrices, all / columns, *columns, [true, true])
        }
        _ => return None,
    };
    let source = Extent {
        matrices,
        rows,
        columns,
    };
    Some((source, reduced))
}

#[cfg(test)]
mod tests;
