//! Permutations and reshapes in front of products.

use tessera_dialects::mlir::{AttributeValue, Op, Reported, Rewriter, Value};
use tessera_dialects::verify::call;

use super::movement::order;
use super::{defined_by, shape, ttir_name, Match};
use crate::ttir::emitter::Emitter;

/// Lets a `dot_general`, which contracts any dimensions, read the operand of a permutation instead
/// of its result, if the dimensions that are left keep their order.
pub fn absorb_permute<'a>(
    op: Op<'a>,
    rewriter: &Rewriter<'a>,
) -> Result<Option<Match<'a>>, Reported> {
    if !op.is("ttir.dot_general") {
        return Ok(None);
    }
    for (number, side) in ["lhs", "rhs"].into_iter().enumerate() {
        let permute = op
            .operand(number)
            .and_then(|value| defined_by(value, "permute"));
        let Some((source, order)) =
            permute.and_then(|permute| Some((permute.operand(0)?, order(permute)?)))
        else {
            continue;
        };
        let names = ["batch", "contract"].map(|role| format!("{role}_dims_{side}"));
        let dims = names.each_ref().map(|name| {
            let dims = op.attribute(name).and_then(AttributeValue::integers);
            dims.unwrap_or_default()
        });
        let is_free = |dim: &usize| !dims.iter().flatten().any(|named| *named == *dim as i64);
        let free = (0..order.len()).filter(is_free).map(|dim| order[dim]);
        if !free.is_sorted() {
            continue;
        }
        for (name, dims) in names.iter().zip(&dims) {
            let dims: Vec<i64> = dims.iter().map(|&dim| order[dim as usize] as i64).collect();
            rewriter.set_attribute(op, name, rewriter.context().i64_array_attribute(&dims));
        }
        rewriter.set_operand(op, number, source);
        return Ok(Some(Match::Changed));
    }
    Ok(None)
}

/// Lets a `matmul` keep leading dimensions of extent 1 that a reshape drops from its left factor,
/// if reshapes restore them in the result.
pub fn keep_dimensions<'a>(
    op: Op<'a>,
    rewriter: &Rewriter<'a>,
) -> Result<Option<Match<'a>>, Reported> {
    let reshape = op
        .operand(0)
        .filter(|_| ttir_name(op) == Some("matmul"))
        .and_then(|value| defined_by(value, "reshape"));
    let parts = reshape.and_then(|reshape| {
        let source = reshape.operand(0)?;
        Some((source, shape(source)?, reshape.result(0).and_then(shape)?))
    });
    let (Some((source, from, to)), Some(right)) = (parts, op.operand(1)) else {
        return Ok(None);
    };
    let result = op.result(0).and_then(shape).unwrap_or_default();
    let Some(dropped) = from.len().checked_sub(to.len()).filter(|count| *count > 0) else {
        return Ok(None);
    };
    let drops_units = from[..dropped].iter().all(|extent| *extent == 1) && from[dropped..] == to;
    let restored = [&from[..dropped], &result].concat();
    let uses = op.result(0).map(Value::uses).unwrap_or_default();
    let restores = |user: Op| {
        ttir_name(user) == Some("reshape")
            && user.result(0).and_then(shape).as_ref() == Some(&restored)
    };
    // The right factor has no more dimensions than the left one, which are then the result's.
    let is_possible = drops_units && to.len() >= 2 && result.len() == to.len();
    if !is_possible || !uses.into_iter().all(|one| restores(one.op)) {
        return Ok(None);
    }
    let Some(info) = call::info(op) else {
        return Ok(None);
    };
    let emitter = Emitter::new(op, rewriter);
    let attributes = call::attributes(op, info);
    let product = emitter.emit("matmul", &[source, right], attributes)?;
    Ok(Some(Match::Value(emitter.reshape(product, &result)?)))
}
