//! What a group stores.

use super::error::{unsupported, CompileError};
use crate::raise::{Expr, ExprKind, Store, TensorProgram};

/// Returns the store of a group with one result.
pub(crate) fn single_store(whole: &TensorProgram) -> Result<&Store, CompileError> {
    match &whole.stores[..] {
        [store] => Ok(store),
        stores => Err(unsupported(None, format!("the group stores {} tensors, and MN-Core 2 code stores one; compile with fusion=none", stores.len()))),
    }
}

/// Returns the product in the stored expression, if there is one.
pub(crate) fn find_product(store: &Store) -> Result<Option<&Expr>, CompileError> {
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
