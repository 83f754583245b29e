//! Collapses matrices of few rows into one matrix.
//!
//! Loops run over matrices, and the rows of a matrix are distributed over the chip: with few rows,
//! most of it is idle. The elements of a tensor are in the order of matrices, rows and columns, so
//! a tensor of `m` matrices of `r` rows is also one matrix of `m * r` rows. Operations that compute
//! each row alike do not tell them apart. Broadcast tensors must either have all these rows or one.

use tessera_pto::kernel::{Axis, TensorType};

use super::{BroadcastView, Expr, ExprKind, Store, TensorProgram};

/// The maximum number of rows of matrices that are collapsed. Kernels around them may use the
/// matrices, and the host lays out tensors again between different views: with more rows, that
/// costs more than it gains.
pub const MAX_COLLAPSED_ROWS: u32 = 8;

/// Collapses the matrices of a program, which is no data movement, if they have few rows and its
/// operations permit it. Tensors whose rows exceed 32 bits stay, and are refused later.
pub(super) fn collapse_matrices(whole: &mut TensorProgram) {
    let Some(store) = whole.stores.first() else {
        return;
    };
    let stored = whole.tensors[store.tensor];
    let alike = |store: &Store| {
        let tensor = whole.tensors[store.tensor];
        (tensor.matrices, tensor.rows) == (stored.matrices, stored.rows)
            && can_collapse(&store.value, stored.rows)
    };
    let rows_fit = |tensor: &TensorType| tensor.matrices.checked_mul(tensor.rows).is_some();
    let few = stored.matrices > 1 && stored.rows <= MAX_COLLAPSED_ROWS;
    let mut stores = whole.locals.iter().chain(&whole.stores);
    if !few || !stores.all(alike) || !whole.tensors.iter().all(rows_fit) {
        return;
    }
    for tensor in &mut whole.tensors {
        tensor.rows *= tensor.matrices;
        tensor.matrices = 1;
    }
    for store in whole.locals.iter_mut().chain(&mut whole.stores) {
        collapse(&mut store.value);
    }
}

/// Returns whether an expression computes each row alike, from tensors that have one row for all
/// rows of all matrices, or one for each. The matrices have `rows` rows.
fn can_collapse(value: &Expr, rows: u32) -> bool {
    let mut can = true;
    value.visit(&mut |expr| {
        can &= match &expr.kind {
            ExprKind::Tensor(_, view) => {
                !view.transposed && (rows == 1 || view.rows == view.matrices)
            }
            ExprKind::Product(_) => false,
            ExprKind::Reduce { axis, .. } => *axis == Axis::Columns,
            _ => true,
        };
    });
    can
}

/// Replaces the views of an expression by those of the collapsed tensors.
fn collapse(value: &mut Expr) {
    if let ExprKind::Tensor(_, view) = &mut value.kind {
        *view = BroadcastView {
            rows: view.matrices,
            matrices: false,
            ..*view
        };
    }
    value.parts_mut().iter_mut().for_each(collapse);
}
