//! Reductions with the casts and reshapes that frameworks export around them.

use tessera_dialects::mlir::{AttributeValue, Op, Reported, Rewriter, TensorType, Value};
use tessera_dialects::verify::{call, TensorCall};
use tessera_ops::{AttributeValue as TableValue, Class, ElementType};

use super::{defined_by, name_and_attributes, shape, Match};
use crate::ttir::constant_value::splat_number;
use crate::ttir::emitter::Emitter;

/// Returns the reduction that defines a value, and the reduced dimensions, ascending.
pub fn reduction_of(value: Value) -> Option<(Op, Vec<usize>)> {
    let op = value.defining_op()?;
    matches!(call::class(op)?, Class::Reduction(_)).then_some(())?;
    let dims = TensorCall::new(op).ok()?.reduced_dimensions().ok()?;
    Some((op, dims))
}

/// Returns the operand of a reduction with this name along these dimensions, which keeps them.
pub fn operand_of<'a>(value: Value<'a>, name: &str, dims: &[usize]) -> Option<Value<'a>> {
    let op = defined_by(value, name)?;
    let (_, found) = reduction_of(value)?;
    (found == dims && keeps_dimensions(op)).then(|| op.operand(0))?
}

fn element(value: Value) -> Option<ElementType> {
    value.r#type().element_type().and_then(call::element_type)
}

fn keeps_dimensions(op: Op) -> bool {
    op.attribute("keep_dim").and_then(AttributeValue::boolean) == Some(true)
}

/// Folds a reshape that adds the reduced dimensions with extent 1 into the reduction.
pub fn keep_dimensions<'a>(
    op: Op<'a>,
    rewriter: &Rewriter<'a>,
) -> Result<Option<Match<'a>>, Reported> {
    if !op.is("ttir.reshape") {
        return Ok(None);
    }
    let Some((value, (reduction, dims))) = op
        .operand(0)
        .and_then(|value| Some((value, reduction_of(value)?)))
    else {
        return Ok(None);
    };
    let operand = reduction.operand(0);
    let (Some(operand), Some(mut kept)) = (operand, operand.and_then(shape)) else {
        return Ok(None);
    };
    dims.iter().for_each(|&dim| kept[dim] = 1);
    let is_kept = op.result(0).and_then(shape) == Some(kept);
    if !is_kept || keeps_dimensions(reduction) || value.uses().len() != 1 {
        return Ok(None);
    }
    let Some((name, mut attributes)) = name_and_attributes(reduction) else {
        return Ok(None);
    };
    attributes.set("keep_dim", TableValue::Bool(true));
    let value = Emitter::new(op, rewriter).emit(name, &[operand], attributes)?;
    Ok(Some(Match::Value(value)))
}

/// Replaces a reduction of bf16 elements in f32, rounded to bf16, by a reduction of bf16 elements:
/// devices add them in f32.
pub fn drop_casts<'a>(op: Op<'a>, rewriter: &Rewriter<'a>) -> Result<Option<Match<'a>>, Reported> {
    let is_bf16 = |value: &Value| element(*value) == Some(ElementType::Bf16);
    if !op.is("ttir.typecast") || !op.result(0).as_ref().is_some_and(is_bf16) {
        return Ok(None);
    }
    let reduced = op.operand(0).filter(|value| value.uses().len() == 1);
    let Some((reduction, _)) = reduced.and_then(reduction_of) else {
        return Ok(None);
    };
    let wide = reduction.operand(0);
    let narrow = wide
        .filter(|wide| element(*wide) == Some(ElementType::F32))
        .and_then(|wide| defined_by(wide, "typecast"))
        .and_then(|cast| cast.operand(0))
        .filter(is_bf16);
    let (Some(narrow), Some((name, attributes))) = (narrow, name_and_attributes(reduction)) else {
        return Ok(None);
    };
    let value = Emitter::new(op, rewriter).emit(name, &[narrow], attributes)?;
    Ok(Some(Match::Value(value)))
}

/// Replaces a sum divided by the number of its terms by a mean, unless its elements are integers,
/// whose quotient is rounded towards zero.
pub fn form_mean<'a>(op: Op<'a>, rewriter: &Rewriter<'a>) -> Result<Option<Match<'a>>, Reported> {
    let Some((value, number)) = scaled(op) else {
        return Ok(None);
    };
    let Some((sum, dims)) = reduction_of(value).filter(|(sum, _)| sum.is("ttir.sum")) else {
        return Ok(None);
    };
    let (Some(operand), Some((_, attributes))) = (sum.operand(0), name_and_attributes(sum)) else {
        return Ok(None);
    };
    let extents = shape(operand).unwrap_or_default();
    let count: u64 = dims.iter().map(|&dim| extents[dim]).product();
    let is_same = op.result(0).map(Value::r#type) == Some(value.r#type());
    let is_integer = element(operand).is_none_or(ElementType::is_integer);
    if number != count as f64 || is_integer || !is_same || value.uses().len() != 1 {
        return Ok(None);
    }
    let value = Emitter::new(op, rewriter).emit("mean", &[operand], attributes)?;
    Ok(Some(Match::Value(value)))
}

/// Returns the value that an operation divides by a number, and the number. A multiplication by a
/// power of two is a division by its inverse.
fn scaled(op: Op) -> Option<(Value, f64)> {
    let [a, b] = op.operands()[..] else {
        return None;
    };
    match op.name() {
        "ttir.div" => Some((a, splat_number(b)?)),
        "ttir.multiply" => {
            let (value, factor) = match splat_number(b) {
                Some(factor) => (a, factor),
                None => (b, splat_number(a)?),
            };
            let is_exact = factor.is_normal() && factor.to_bits() << 12 == 0;
            is_exact.then_some((value, 1.0 / factor))
        }
        _ => None,
    }
}
