//! `softmax`, `layer_norm` and `rms_norm`.

use tessera_dialects::mlir::{Op, Reported, Rewriter, TensorType, Value};
use tessera_ops::AttributeValue;

use super::reduction::{operand_of, reduction_of};
use super::{both_orders, defined_by, name_and_attributes, shape, Match};
use crate::ttir::constant_value::splat_number;
use crate::ttir::emitter::{ints, with, Emitter};

/// Forms `ttir.softmax` from `exp(x - max(x)) / sum(exp(x - max(x)))`.
pub fn form_softmax<'a>(
    op: Op<'a>,
    rewriter: &Rewriter<'a>,
) -> Result<Option<Match<'a>>, Reported> {
    let Some((x, dim)) = softmax_of(op) else {
        return Ok(None);
    };
    let attributes = with("dimension", AttributeValue::Int(dim as i64))
        .with("numericStable", AttributeValue::Bool(true));
    let value = Emitter::new(op, rewriter).emit("softmax", &[x], attributes)?;
    Ok(Some(Match::Value(value)))
}

/// Returns the argument and the dimension of a softmax.
fn softmax_of(op: Op) -> Option<(Value, usize)> {
    if !op.is("ttir.div") {
        return None;
    }
    let (exponentials, sum) = (op.operand(0)?, op.operand(1)?);
    let (_, dims) = reduction_of(sum)?;
    let &[dim] = &dims[..] else {
        return None;
    };
    if operand_of(sum, "sum", &dims)? != exponentials {
        return None;
    }
    let below = defined_by(exponentials, "exp")?.operand(0)?;
    let difference = defined_by(below, "subtract")?;
    let (x, largest) = (difference.operand(0)?, difference.operand(1)?);
    (operand_of(largest, "max", &dims)? == x).then_some((x, dim))
}

/// Forms a norm from `y * rsqrt(mean(y²) + epsilon)`, where `y` is `x` or `x - mean(x)`.
pub fn form_norm<'a>(op: Op<'a>, rewriter: &Rewriter<'a>) -> Result<Option<Match<'a>>, Reported> {
    let Some(norm) = norm_of(op) else {
        return Ok(None);
    };
    let attributes = with("normalized_shape", ints(&norm.normalized))
        .with("epsilon", AttributeValue::Float(norm.epsilon));
    let value = Emitter::new(op, rewriter).emit(norm.name, &[norm.argument], attributes)?;
    Ok(Some(Match::Value(value)))
}

/// A norm without weight and bias.
struct Norm<'a> {
    name: &'static str,
    argument: Value<'a>,
    /// The extents of the normalized dimensions, which are the last ones.
    normalized: Vec<u64>,
    epsilon: f64,
}

fn norm_of(op: Op<'_>) -> Option<Norm<'_>> {
    if !op.is("ttir.multiply") {
        return None;
    }
    both_orders(op)?.into_iter().find_map(|[value, root]| {
        let sum = defined_by(defined_by(root, "rsqrt")?.operand(0)?, "add")?;
        let (mean, epsilon) = both_orders(sum)?
            .into_iter()
            .find_map(|[mean, epsilon]| Some((mean, splat_number(epsilon)?)))?;
        let (_, dims) = reduction_of(mean)?;
        let squares = operand_of(mean, "mean", &dims)?;
        (square_root(squares)? == value).then_some(())?;
        let extents = shape(value)?;
        let leading = extents.len() - dims.len();
        dims.iter()
            .copied()
            .eq(leading..extents.len())
            .then_some(())?;
        let centered = centered(value, &dims);
        Some(Norm {
            name: if centered.is_some() {
                "layer_norm"
            } else {
                "rms_norm"
            },
            argument: centered.unwrap_or(value),
            normalized: extents[leading..].to_vec(),
            epsilon,
        })
    })
}

/// Returns the value whose square this is.
fn square_root(value: Value) -> Option<Value> {
    if let Some(square) = defined_by(value, "square") {
        return square.operand(0);
    }
    let [a, b] = defined_by(value, "multiply")?.operands()[..] else {
        return None;
    };
    (a == b).then_some(a)
}

/// Returns the value from which this one subtracts its mean.
fn centered<'a>(value: Value<'a>, dims: &[usize]) -> Option<Value<'a>> {
    let difference = defined_by(value, "subtract")?;
    let (x, mean) = (difference.operand(0)?, difference.operand(1)?);
    (operand_of(mean, "mean", dims)? == x).then_some(x)
}

/// Makes a factor or summand with the shape of the normalized dimensions the weight or bias of a
/// norm.
pub fn absorb_weight<'a>(
    op: Op<'a>,
    rewriter: &Rewriter<'a>,
) -> Result<Option<Match<'a>>, Reported> {
    let Some((norm, mut operands)) = weighted(op) else {
        return Ok(None);
    };
    let Some((name, attributes)) = name_and_attributes(norm) else {
        return Ok(None);
    };
    let emitter = Emitter::new(op, rewriter);
    if let Some(last) = operands.last_mut() {
        let normalized = attributes.ints("normalized_shape").unwrap_or_default();
        *last = emitter.reshape(*last, &extents(normalized))?;
    }
    let result = op.result(0).map(Value::r#type);
    let Some(result) = result else {
        return Ok(None);
    };
    let value = emitter.insert(name, &operands, attributes, result)?;
    Ok(Some(Match::Value(value)))
}

fn extents(ints: &[i64]) -> Vec<u64> {
    ints.iter().map(|&extent| extent as u64).collect()
}

/// Returns a norm that is read here only, and its operands with the weight or bias that is applied
/// to it here: the weight follows the input, and the bias the weight.
fn weighted(op: Op<'_>) -> Option<(Op<'_>, Vec<Value<'_>>)> {
    let present = match op.name() {
        "ttir.multiply" => 1,
        "ttir.add" => 2,
        _ => return None,
    };
    both_orders(op)?.into_iter().find_map(|[value, other]| {
        let norm = match defined_by(value, "layer_norm") {
            Some(norm) => norm,
            None => defined_by(value, "rms_norm")?,
        };
        let mut operands = norm.operands();
        let is_next = operands.len() == present && value.uses().len() == 1;
        let (_, attributes) = name_and_attributes(norm)?;
        let normalized = extents(attributes.ints("normalized_shape")?);
        let is_shaped = {
            let found = shape(other)?;
            let leading = found.len().checked_sub(normalized.len())?;
            found[..leading].iter().all(|extent| *extent == 1)
                && found[leading..] == normalized[..]
                && op.result(0)?.r#type() == value.r#type()
        };
        let is_same = other.r#type().element_type() == value.r#type().element_type();
        operands.push(other);
        (is_next && is_shaped && is_same).then_some((norm, operands))
    })
}
