//! Permutations in front of products.

use tessera_dialects::mlir::{AttributeValue, Op, Reported, Rewriter};

use super::movement::order;
use super::{defined_by, Match};

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
