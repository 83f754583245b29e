//! `pto.rearrange`: conversion of its index map, and its verifier.

use tessera_ops::shape::count_elements;
use tessera_ops::{IndexMap, Lookup, StridedCopy};

use super::enums::Kind;
use super::kernel::{require_kind, require_matrices};
use super::RearrangeOp;
use crate::mlir::{Attribute, AttributeValue, ContextRef, Scalar, ScalarType, TensorType, Value};
use crate::verify::declared;

/// Returns the index map of a `pto.rearrange`.
///
/// # Errors
/// An entry is not a valid copy.
pub fn index_map(moves: RearrangeOp) -> Result<IndexMap, String> {
    let copies = declared(moves.copies())?.into_iter().enumerate();
    let copies = copies.map(|(number, entry)| {
        strided_copy(entry).map_err(|what| format!("entry {number} of copies {what}"))
    });
    Ok(IndexMap {
        copies: copies.collect::<Result<_, _>>()?,
        fill: declared(moves.fill())?,
        lookup: moves.lookup().map(lookup).transpose()?,
    })
}

/// Returns a lookup, given the entries of the attribute.
fn lookup(entries: Vec<(&str, Attribute)>) -> Result<Lookup, String> {
    let unsigned = |name: &str| {
        let entry = entries.iter().find(|(found, _)| *found == name);
        let number = unsigned_entry(name, entry.map(|(_, value)| *value));
        number.map_err(|what| format!("lookup {what}"))
    };
    Ok(Lookup {
        indices: unsigned("indices")? as usize,
        rows: unsigned("rows")?,
    })
}

/// Returns the number of an entry of a dictionary.
fn unsigned_entry(name: &str, entry: Option<Attribute>) -> Result<u64, String> {
    let number = entry.and_then(AttributeValue::integer);
    let number = number.and_then(|number| u64::try_from(number).ok());
    number.ok_or_else(|| format!("has no number '{name}' of 0 or more"))
}

fn strided_copy(entry: Attribute) -> Result<StridedCopy, String> {
    let unsigned = |name: &str| unsigned_entry(name, entry.entry(name));
    let integers = |name: &str| {
        let numbers = entry.entry(name).and_then(AttributeValue::integers);
        numbers.ok_or_else(|| format!("has no array '{name}' of integers"))
    };
    let all_unsigned = |name: &str| -> Result<Vec<u64>, String> {
        let numbers = integers(name)?.into_iter().map(u64::try_from);
        let numbers: Result<_, _> = numbers.collect();
        numbers.map_err(|_| format!("has a negative number in '{name}'"))
    };
    Ok(StridedCopy {
        operand: unsigned("operand")? as usize,
        extents: all_unsigned("extents")?,
        source_offset: unsigned("source_offset")?,
        source_strides: integers("source_strides")?,
        result_offset: unsigned("result_offset")?,
        result_strides: all_unsigned("result_strides")?,
    })
}

/// Returns the attributes of a `pto.rearrange` with an index map.
pub fn attributes<'a>(
    map: &IndexMap,
    context: ContextRef<'a>,
) -> Vec<(&'static str, Attribute<'a>)> {
    let copies = map.copies.iter();
    let copies: Vec<_> = copies.map(|copy| entry(copy, context)).collect();
    let mut attributes = vec![
        (RearrangeOp::COPIES.name(), context.array_attribute(&copies)),
        (
            RearrangeOp::FILL.name(),
            context.float_attribute(context.f64(), map.fill),
        ),
    ];
    if let Some(Lookup { indices, rows }) = map.lookup {
        let number = |number: u64| context.integer_attribute(context.integer(64), number as i64);
        let entries = [("indices", number(indices as u64)), ("rows", number(rows))];
        let lookup = context.dictionary_attribute(&entries);
        attributes.push((RearrangeOp::LOOKUP.name(), lookup));
    }
    attributes
}

fn entry<'a>(copy: &StridedCopy, context: ContextRef<'a>) -> Attribute<'a> {
    let number = |number: u64| context.integer_attribute(context.integer(64), number as i64);
    let numbers = |numbers: &[u64]| {
        let numbers: Vec<i64> = numbers.iter().map(|&number| number as i64).collect();
        context.i64_array_attribute(&numbers)
    };
    context.dictionary_attribute(&[
        ("operand", number(copy.operand as u64)),
        ("extents", numbers(&copy.extents)),
        ("source_offset", number(copy.source_offset)),
        (
            "source_strides",
            context.i64_array_attribute(&copy.source_strides),
        ),
        ("result_offset", number(copy.result_offset)),
        ("result_strides", numbers(&copy.result_strides)),
    ])
}

/// Verifies `pto.rearrange`.
pub(super) fn verify(moves: RearrangeOp) -> Result<(), String> {
    require_kind(*moves, Kind::Movement)?;
    let operands = moves.operands();
    let (target, sources) = declared(operands.split_last())?;
    for operand in &operands {
        require_matrices(operand.r#type())?;
    }
    let element = target.r#type().element_type();
    let map = index_map(moves)?;
    let indices = map.lookup.map(|lookup| lookup.indices);
    if let Some(other) = indices.and_then(|indices| sources.get(indices)) {
        let scalar = other
            .r#type()
            .element_type()
            .and_then(|element| element.scalar());
        if !matches!(scalar, Some(Scalar::Integer { width: 32, .. })) {
            return Err(format!(
                "looks positions up in {}; expects 32-bit integers",
                other.r#type()
            ));
        }
    }
    let differs = |(number, source): &(usize, &Value)| {
        Some(*number) != indices && source.r#type().element_type() != element
    };
    if let Some((_, other)) = sources.iter().enumerate().find(differs) {
        return Err(format!(
            "moves elements of {} to {}; elements keep their type",
            other.r#type(),
            target.r#type()
        ));
    }
    if sources.contains(target) {
        return Err("moves elements of a tensor to itself; expects another target".into());
    }
    let count = |value: &Value| count_elements(&value.r#type().static_shape()?);
    let counts: Option<Vec<u64>> = sources.iter().map(count).collect();
    let (counts, result) = counts
        .zip(count(target))
        .ok_or("has a tensor of more elements than can be counted")?;
    map.check(&counts, result)
        .map_err(|error| error.to_string())
}
