//! Slices read and written at constant positions, as unrolled loops do in each iteration.
//!
//! A read is a slice, and a write a concatenation of what is before the update, the update, and
//! what is after it. Slices of a concatenation are taken from its operands, so that a loop that
//! writes one slice after the other ends with a single concatenation of all of them.

use tessera_dialects::mlir::{AttributeValue as _, Reported, Value};
use tessera_ops::AttributeValue;

use super::indexing::Index;
use crate::ttir::constant_value::splat_number;
use crate::ttir::emitter::{with, Emitter};

/// A range of positions along a dimension.
#[derive(Clone, Copy)]
struct Range {
    dim: usize,
    begin: u64,
    end: u64,
}

/// Returns the slice at these indices with this extent along each dimension, or `None` if an index
/// is not constant.
pub fn read<'a>(
    emitter: &Emitter<'a, '_>,
    operand: Value<'a>,
    indices: &[Index<'a>],
    sizes: &[u64],
) -> Result<Option<Value<'a>>, Reported> {
    let Some(ranges) = ranges(emitter, operand, indices, sizes)? else {
        return Ok(None);
    };
    let mut value = operand;
    for range in ranges {
        let parts = slice(emitter, value, range)?;
        value = concat(emitter, &parts, range.dim)?;
    }
    Ok(Some(value))
}

/// Returns the operand with an update at these indices, or `None` if an index is not constant.
pub fn write<'a>(
    emitter: &Emitter<'a, '_>,
    operand: Value<'a>,
    indices: &[Index<'a>],
    update: Value<'a>,
) -> Result<Option<Value<'a>>, Reported> {
    let sizes = emitter.shape(update)?;
    let Some(ranges) = ranges(emitter, operand, indices, &sizes)? else {
        return Ok(None);
    };
    // The slices of the operand that contain the update, each with the range of the next one.
    let mut around = Vec::new();
    let mut value = operand;
    for range in ranges {
        around.push((value, range));
        let parts = slice(emitter, value, range)?;
        value = concat(emitter, &parts, range.dim)?;
    }
    let mut value = update;
    for (outer, Range { dim, begin, end }) in around.into_iter().rev() {
        let extent = emitter.shape(outer)?[dim];
        let mut parts = slice(
            emitter,
            outer,
            Range {
                dim,
                begin: 0,
                end: begin,
            },
        )?;
        parts.push(value);
        let behind = Range {
            dim,
            begin: end,
            end: extent,
        };
        parts.extend(slice(emitter, outer, behind)?);
        value = concat(emitter, &parts, dim)?;
    }
    Ok(Some(value))
}

/// Returns the slice of extent 1 at a position along a dimension.
///
/// # Errors
/// As [`Emitter::emit`].
pub fn read_one<'a>(
    emitter: &Emitter<'a, '_>,
    value: Value<'a>,
    dim: usize,
    position: u64,
) -> Result<Value<'a>, Reported> {
    let (begin, end) = (position, position + 1);
    let parts = slice(emitter, value, Range { dim, begin, end })?;
    concat(emitter, &parts, dim)
}

/// Returns the range of each index, limited to the operand, or `None` if one is not constant.
fn ranges<'a>(
    emitter: &Emitter<'a, '_>,
    operand: Value<'a>,
    indices: &[Index<'a>],
    sizes: &[u64],
) -> Result<Option<Vec<Range>>, Reported> {
    let shape = emitter.shape(operand)?;
    let ranges = indices.iter().map(|index| {
        let dim = index.dim;
        let last = shape[dim].checked_sub(sizes[dim])?;
        let begin = splat_number(index.start)?.clamp(0.0, last as f64) as u64;
        Some(Range {
            dim,
            begin,
            end: begin + sizes[dim],
        })
    });
    Ok(ranges.collect())
}

/// Returns the tensors whose concatenation is a range of a value.
fn slice<'a>(
    emitter: &Emitter<'a, '_>,
    value: Value<'a>,
    range: Range,
) -> Result<Vec<Value<'a>>, Reported> {
    let Range { dim, begin, end } = range;
    let concat = value.defining_op().filter(|op| {
        let along = op.attribute("dim").and_then(|dim| dim.integer());
        op.is("ttir.concat") && along == Some(dim as i64)
    });
    let parts = concat.map_or_else(|| vec![value], |concat| concat.operands());
    let (mut slices, mut first) = (Vec::new(), 0);
    for part in parts {
        let extent = emitter.shape(part)?[dim];
        let inside = |position: u64| position.clamp(first, first + extent) - first;
        let (begin, end) = (inside(begin), inside(end));
        if begin < end {
            slices.push(slice_of_part(emitter, part, Range { dim, begin, end })?);
        }
        first += extent;
    }
    Ok(slices)
}

/// Returns a non-empty range of a value. The range of a splat is a splat.
fn slice_of_part<'a>(
    emitter: &Emitter<'a, '_>,
    value: Value<'a>,
    range: Range,
) -> Result<Value<'a>, Reported> {
    let tensor = emitter.tensor(value)?;
    let mut ends = tensor.shape;
    let mut begins = vec![0; ends.len()];
    (begins[range.dim], ends[range.dim]) = (range.begin as i64, range.end);
    let exact = splat_number(value).filter(|number| number.abs() < 2f64.powi(53));
    if let Some(number) = exact {
        ends[range.dim] -= range.begin;
        let r#type = emitter.context().tensor(&ends, tensor.element, None);
        return emitter.full(number, r#type);
    }
    let ends: Vec<i64> = ends.into_iter().map(|end| end as i64).collect();
    emitter.slice(value, &begins, &ends, &vec![1; begins.len()])
}

/// Returns the concatenation of tensors.
fn concat<'a>(
    emitter: &Emitter<'a, '_>,
    parts: &[Value<'a>],
    dim: usize,
) -> Result<Value<'a>, Reported> {
    match parts {
        [only] => Ok(*only),
        _ => emitter.emit(
            "concat",
            parts,
            with("dim", AttributeValue::Int(dim as i64)),
        ),
    }
}
