//! Sequences of reshapes and permutations.

use tessera_dialects::mlir::{AttributeValue, Op, Reported, Rewriter};

use super::{defined_by, shape, Match};
use crate::ttir::emitter::{ints, with, Emitter};

/// Returns the order of dimensions of a permutation.
pub fn order(permute: Op) -> Option<Vec<usize>> {
    let order = permute.attribute("permutation")?.integers()?;
    let order = order.into_iter().map(|dim| usize::try_from(dim).ok());
    order.collect()
}

/// Folds a reshape of a reshape into one, and removes a reshape that changes nothing.
pub fn fold_reshape<'a>(
    op: Op<'a>,
    rewriter: &Rewriter<'a>,
) -> Result<Option<Match<'a>>, Reported> {
    if !op.is("ttir.reshape") {
        return Ok(None);
    }
    let (Some(operand), Some(result)) = (op.operand(0), op.result(0)) else {
        return Ok(None);
    };
    if operand.r#type() == result.r#type() {
        return Ok(Some(Match::Value(operand)));
    }
    let source = defined_by(operand, "reshape").and_then(|inner| inner.operand(0));
    Ok(source.map(|source| {
        rewriter.set_operand(op, 0, source);
        Match::Changed
    }))
}

/// Composes permutations. A permutation that moves only dimensions of extent 1 becomes a reshape if
/// it is next to one, which then absorbs it.
pub fn fold_permute<'a>(
    op: Op<'a>,
    rewriter: &Rewriter<'a>,
) -> Result<Option<Match<'a>>, Reported> {
    if !op.is("ttir.permute") {
        return Ok(None);
    }
    let (Some(operand), Some(order)) = (op.operand(0), order(op)) else {
        return Ok(None);
    };
    let emitter = Emitter::new(op, rewriter);
    if let Some(inner) = defined_by(operand, "permute") {
        if let (Some(source), Some(first)) = (inner.operand(0), self::order(inner)) {
            let composed: Vec<usize> = order.iter().map(|&dim| first[dim]).collect();
            return Ok(Some(Match::Value(emitter.permute(source, &composed)?)));
        }
    }
    let (Some(extents), Some(result)) = (shape(operand), op.result(0).and_then(shape)) else {
        return Ok(None);
    };
    let moved = order.into_iter().filter(|&dim| extents[dim] != 1);
    let uses = op.results().into_iter().flat_map(|value| value.uses());
    let is_absorbed = defined_by(operand, "reshape").is_some()
        || uses.into_iter().all(|one| one.op.is("ttir.reshape"));
    if !moved.is_sorted() || !is_absorbed {
        return Ok(None);
    }
    let attributes = with("shape", ints(&result));
    let value = emitter.emit("reshape", &[operand], attributes)?;
    Ok(Some(Match::Value(value)))
}

/// Lets a reshape that only drops dimensions of extent 1 precede the permutation that it reads, so
/// that a product behind it can absorb the permutation.
pub fn sink_permute<'a>(
    op: Op<'a>,
    rewriter: &Rewriter<'a>,
) -> Result<Option<Match<'a>>, Reported> {
    let permute = op
        .operand(0)
        .filter(|value| op.is("ttir.reshape") && value.uses().len() == 1)
        .and_then(|value| defined_by(value, "permute"));
    let parts = permute.and_then(|permute| Some((permute.operand(0)?, order(permute)?)));
    let Some((source, order)) = parts else {
        return Ok(None);
    };
    let extents = op.operand(0).and_then(shape).unwrap_or_default();
    let result = op.result(0).and_then(shape).unwrap_or_default();
    let Some(kept) = kept_dimensions(&extents, &result) else {
        return Ok(None);
    };
    // The dimensions of the source that are kept, in its order.
    let kept: Vec<usize> = kept.into_iter().map(|dim| order[dim]).collect();
    let mut in_order = kept.clone();
    in_order.sort_unstable();
    let extents = shape(source).unwrap_or_default();
    let dropped: Vec<u64> = in_order.iter().map(|&dim| extents[dim]).collect();
    let emitter = Emitter::new(op, rewriter);
    let reshaped = emitter.emit("reshape", &[source], with("shape", ints(&dropped)))?;
    let place = |dim: &usize| in_order.partition_point(|other| other < dim);
    let order: Vec<usize> = kept.iter().map(place).collect();
    Ok(Some(Match::Value(emitter.permute(reshaped, &order)?)))
}

/// Returns the dimensions that a reshape keeps, if it only drops some of extent 1.
fn kept_dimensions(from: &[u64], to: &[u64]) -> Option<Vec<usize>> {
    let mut kept = Vec::new();
    for (dim, extent) in from.iter().enumerate() {
        if to.get(kept.len()) == Some(extent) {
            kept.push(dim);
        } else if *extent != 1 {
            return None;
        }
    }
    (kept.len() == to.len() && to.len() < from.len()).then_some(kept)
}
