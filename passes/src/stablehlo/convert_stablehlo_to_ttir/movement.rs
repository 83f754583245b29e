//! Data movement with positions that are known to the compiler.

use tessera_dialects::mlir::{Reported, Value};

use tessera_ops::Attributes;

use super::source::Source;
use super::Converter;
use crate::ttir::constant_value::splat_number;
use crate::ttir::emitter::{ints, with, Emitter};

/// Returns the converter of a data movement operation.
pub fn converter(name: &str) -> Option<Converter> {
    Some(match name {
        "stablehlo.reshape" => reshape,
        "stablehlo.broadcast_in_dim" => broadcast_in_dim,
        "stablehlo.transpose" => transpose,
        "stablehlo.slice" => slice,
        "stablehlo.concatenate" => concatenate,
        "stablehlo.pad" => pad,
        "stablehlo.reverse" => reverse,
        "stablehlo.optimization_barrier" => identity,
        _ => return None,
    })
}

/// Returns the operands themselves.
fn identity<'a>(source: &Source<'a>, _: &Emitter<'a, '_>) -> Result<Vec<Value<'a>>, Reported> {
    Ok(source.op.operands())
}

fn reshape<'a>(source: &Source<'a>, emitter: &Emitter<'a, '_>) -> Result<Vec<Value<'a>>, Reported> {
    let [operand] = source.operands()?;
    let shape = source.result()?.shape;
    Ok(vec![emitter.reshape(operand.value, &shape)?])
}

/// Converts `broadcast_in_dim`. The attribute maps operand dimensions to dimensions of the result,
/// in any order; the others are new.
fn broadcast_in_dim<'a>(
    source: &Source<'a>,
    emitter: &Emitter<'a, '_>,
) -> Result<Vec<Value<'a>>, Reported> {
    let [operand] = source.operands()?;
    let shape = source.result()?.shape;
    let name = "broadcast_dimensions";
    let named = source.integers(name, operand.rank())?;
    let dims = source.check_dimensions(name, &named, shape.len())?;
    let mut order: Vec<usize> = (0..dims.len()).collect();
    order.sort_by_key(|&dim| dims[dim]);
    let mut expanded = vec![1; shape.len()];
    for (&dim, &extent) in dims.iter().zip(&operand.shape) {
        if extent != 1 && extent != shape[dim] {
            return Err(source.op.error(format!(
                "cannot broadcast an extent of {extent} to {}, dimension {dim} of the result",
                shape[dim]
            )));
        }
        expanded[dim] = extent;
    }
    let value = emitter.permute(operand.value, &order)?;
    let value = emitter.reshape(value, &expanded)?;
    Ok(vec![emitter.broadcast(value, &shape)?])
}

fn transpose<'a>(
    source: &Source<'a>,
    emitter: &Emitter<'a, '_>,
) -> Result<Vec<Value<'a>>, Reported> {
    let [operand] = source.operands()?;
    let named = source.integers("permutation", operand.rank())?;
    let order = source.check_dimensions("permutation", &named, operand.rank())?;
    Ok(vec![emitter.permute(operand.value, &order)?])
}

fn slice<'a>(source: &Source<'a>, emitter: &Emitter<'a, '_>) -> Result<Vec<Value<'a>>, Reported> {
    let [operand] = source.operands()?;
    let rank = operand.rank();
    let begins = source.integers("start_indices", rank)?;
    let ends = source.integers("limit_indices", rank)?;
    let steps = source.integers("strides", rank)?;
    for (dim, &extent) in operand.shape.iter().enumerate() {
        let (begin, end) = (begins[dim], ends[dim]);
        if begin < 0 || begin > end || end as u64 > extent || steps[dim] < 1 {
            return Err(source.op.error(format!(
                "takes elements {begin} to {end} by {} of dimension {dim}, whose extent is \
                 {extent}",
                steps[dim]
            )));
        }
    }
    Ok(vec![emitter.slice(
        operand.value,
        &begins,
        &ends,
        &steps,
    )?])
}

fn concatenate<'a>(
    source: &Source<'a>,
    emitter: &Emitter<'a, '_>,
) -> Result<Vec<Value<'a>>, Reported> {
    let operands = source.all_operands()?;
    let rank = operands.first().map_or(0, |first| first.rank());
    if operands.iter().any(|operand| operand.rank() != rank) {
        return Err(source.op.error("concatenates tensors of different ranks"));
    }
    let dim = source.integer("dimension")?;
    source.check_dimensions("dimension", &[dim], rank)?;
    let parts = operands.iter().filter(|operand| !operand.is_empty());
    let values: Vec<_> = parts.map(|operand| operand.value).collect();
    if values.len() <= 1 {
        let first = operands.first().map(|first| first.value);
        return Ok(values.first().copied().or(first).into_iter().collect());
    }
    let attributes = with("dim", tessera_ops::AttributeValue::Int(dim));
    Ok(vec![emitter.emit("concat", &values, attributes)?])
}

/// Padding between elements becomes padding after each of them, of which the last is removed.
fn pad<'a>(source: &Source<'a>, emitter: &Emitter<'a, '_>) -> Result<Vec<Value<'a>>, Reported> {
    let [operand, padding] = source.operands()?;
    let rank = operand.rank();
    let low = source.integers("edge_padding_low", rank)?;
    let high = source.integers("edge_padding_high", rank)?;
    let interior = source.integers("interior_padding", rank)?;
    if interior.iter().any(|amount| *amount < 0) {
        return Err(source
            .op
            .error("attribute 'interior_padding' must not be negative"));
    }
    if operand.is_empty() {
        let shape = source.result()?.shape;
        let value = emitter.reshape(padding.value, &vec![1; shape.len()])?;
        return Ok(vec![emitter.broadcast(value, &shape)?]);
    }
    let amounts: Vec<_> = low.into_iter().zip(high).collect();
    let pad = |value, number| {
        let value = pad_between(emitter, value, &interior, number)?;
        emitter.pad(value, &amounts, number)
    };
    if let Some(number) = splat_number(padding.value) {
        return Ok(vec![pad(operand.value, number)?]);
    }
    // The value is computed: it is selected where the padding of ones is zero.
    let ones = emitter.full(1.0, operand.value.r#type())?;
    let mask = pad(ones, 0.0)?;
    let value = pad(operand.value, 0.0)?;
    let padding = emitter.reshape(padding.value, &vec![1; rank])?;
    let operands = [mask, value, padding];
    Ok(vec![emitter.emit(
        "where",
        &operands,
        Attributes::none(),
    )?])
}

/// Inserts this many numbers between neighbours along each dimension.
pub fn pad_between<'a>(
    emitter: &Emitter<'a, '_>,
    value: Value<'a>,
    amounts: &[i64],
    number: f64,
) -> Result<Value<'a>, Reported> {
    let mut value = value;
    for (dim, &amount) in amounts.iter().enumerate() {
        let shape = emitter.shape(value)?;
        if amount == 0 || shape[dim] <= 1 {
            continue;
        }
        let mut apart = shape.clone();
        apart.insert(dim + 1, 1);
        let mut padding = vec![(0, 0); apart.len()];
        padding[dim + 1] = (0, amount);
        let padded = emitter.reshape(value, &apart)?;
        let padded = emitter.pad(padded, &padding, number)?;
        let mut merged = shape.clone();
        merged[dim] = shape[dim].saturating_mul(amount as u64 + 1);
        let merged = emitter.reshape(padded, &merged)?;
        let mut end = vec![(0, 0); shape.len()];
        end[dim] = (0, -amount);
        value = emitter.pad(merged, &end, number)?;
    }
    Ok(value)
}

fn reverse<'a>(source: &Source<'a>, emitter: &Emitter<'a, '_>) -> Result<Vec<Value<'a>>, Reported> {
    let [operand] = source.operands()?;
    let dims = source.dimensions("dimensions", operand.rank())?;
    Ok(vec![reverse_dimensions(emitter, operand.value, &dims)?])
}

/// Emits a reversal along dimensions, unless there are none.
pub fn reverse_dimensions<'a>(
    emitter: &Emitter<'a, '_>,
    value: Value<'a>,
    dims: &[usize],
) -> Result<Value<'a>, Reported> {
    match dims {
        [] => Ok(value),
        _ => emitter.emit("reverse", &[value], with("dimensions", ints(dims))),
    }
}
