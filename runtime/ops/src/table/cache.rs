//! Caches of keys and values, which attention extends by a token at a time.
//!
//! tt-mlir's operations write to the cache in place. These return the cache with the new elements,
//! as tt-mlir's did before. A cache has the shape `[batch, heads, positions, features]`.

use super::{first_shape, join, operand};
use crate::attribute::{AttributeInfo, AttributeKind, AttributeValue, Attributes};
use crate::element::{ElementType, TensorType};
use crate::graph::{Graph, Value};
use crate::op::{Call, CallError, Class, ElementRule, OpInfo, OperandInfo};
use crate::scalar::Domain;

const UPDATE: &[OperandInfo] = &[operand("cache"), operand("input"), operand("update_index")];
const FILL: &[OperandInfo] = &[operand("cache"), operand("input")];
const OFFSET: &[AttributeInfo] = &[AttributeInfo::required("batch_offset", AttributeKind::I32)];

/// Returns the entries.
pub(super) fn entries() -> impl Iterator<Item = OpInfo> {
    let update = OpInfo {
        name: "update_cache",
        ttir: Some("update_cache"),
        in_ttnn: false,
        summary: "A cache with the elements of one position replaced",
        description: "`update_index` has one integer, the position. A position outside of the \
                      cache is an error when the program runs. Row `i` along dimension 2 of \
                      `input` is written to batch `batch_offset + i`. tt-mlir's operation has no \
                      result and writes to `cache` instead.",
        example: "%0 = \"ttir.update_cache\"(%cache, %input, %index) <{batch_offset = 0 : i32}> \
                  : (tensor<1x8x16x128xbf16>, tensor<1x8x1x128xbf16>, tensor<1xi32>) \
                  -> tensor<1x8x16x128xbf16>",
        operands: UPDATE,
        attributes: OFFSET,
        class: Class::Composite(update_cache),
        elements: ElementRule::Any,
        domain: Domain::Any,
        verify: verify_elements,
        shape: updated_shape,
        mismatch: super::not_the_input_shape,
    };
    let fill = OpInfo {
        name: "fill_cache",
        ttir: Some("fill_cache"),
        summary: "A cache with the elements of the first positions replaced",
        description: "`input` is written to the first positions of the batches from \
                      `batch_offset` on. tt-mlir's operation has no result and writes to `cache` \
                      instead.",
        example: "%0 = \"ttir.fill_cache\"(%cache, %input) <{batch_offset = 0 : i32}> \
                  : (tensor<1x8x16x128xbf16>, tensor<1x8x5x128xbf16>) -> tensor<1x8x16x128xbf16>",
        operands: FILL,
        class: Class::Composite(fill_cache),
        elements: ElementRule::Same,
        shape: filled_shape,
        ..update
    };
    [update, fill].into_iter()
}

/// Checks the element types of the cache, the input and the result.
fn verify_elements(call: &Call, result: &TensorType) -> Result<(), String> {
    let [Some(cache), Some(input)] = [0, 1].map(|number| call.operands.get(number)) else {
        return Ok(());
    };
    if cache.element != input.element {
        return Err(format!(
            "Cache and input tensors must have the same dtype. Got cache dtype = {}, input dtype \
             = {}",
            cache.element, input.element
        ));
    }
    if result.element != cache.element {
        return Err(format!(
            "cache and result must have the same element type, got '{}' and '{}'",
            cache.element, result.element
        ));
    }
    match call.operands.get(2) {
        Some(index) if !index.element.is_integer() => Err(format!(
            "does not support an update index of element type '{}'; cast to 'i32' first",
            index.element
        )),
        _ => Ok(()),
    }
}

/// Returns the extents of the cache and of the input.
fn extents(call: &Call) -> Result<[[u64; 4]; 2], String> {
    Ok([four("Cache", call, 0)?, four("Input", call, 1)?])
}

fn four(name: &str, call: &Call, operand: usize) -> Result<[u64; 4], String> {
    let extents = call.operand_shape(operand).try_into();
    extents.map_err(|_| format!("{name} tensor must be a 4D tensor"))
}

/// Checks that cache and input have the same heads and features.
fn check_heads([cache, input]: [[u64; 4]; 2]) -> Result<(), String> {
    match [cache[1], cache[3]] == [input[1], input[3]] {
        true => Ok(()),
        false => Err(format!(
            "Cache tensor shape must match input tensor shape on dims 1 and 3. Got cache shape \
             ({}), input shape ({})",
            join(&cache, ", "),
            join(&input, ", ")
        )),
    }
}

/// Returns the batches that are written, which must be in the cache.
fn batches(call: &Call, count: u64, batch: u64) -> Result<[u64; 2], String> {
    let offset = call.attributes.int("batch_offset").unwrap_or_default();
    let end = |begin: u64| begin.checked_add(count).filter(|end| *end <= batch);
    let begin = u64::try_from(offset).ok();
    match begin.and_then(|begin| Some([begin, end(begin)?])) {
        Some(range) => Ok(range),
        None => Err(format!(
            "batch_offset {offset} places {count} batches of the input outside of the cache, \
             which has {batch}"
        )),
    }
}

fn updated_shape(call: &Call) -> Result<Vec<u64>, String> {
    let [cache, input] = extents(call)?;
    if input[0] != 1 {
        return Err(format!(
            "Input tensor requires that dim 0 have size 1, got input dim 0 size = {}",
            input[0]
        ));
    }
    check_heads([cache, input])?;
    batches(call, input[2], cache[0])?;
    let index = call.operand_shape(2);
    if index.iter().any(|extent| *extent != 1) {
        return Err(format!(
            "update index must have one element, got shape ({})",
            join(index, ", ")
        ));
    }
    first_shape(call)
}

fn filled_shape(call: &Call) -> Result<Vec<u64>, String> {
    let [cache, input] = extents(call)?;
    if input[2] > cache[2] {
        return Err(format!(
            "Input tensor requires that dim 2 have a size which is less than or equal to the size \
             of dim 2 of the cache tensor. Got cache dim 2 size = {}, input dim 2 size = {}",
            cache[2], input[2]
        ));
    }
    check_heads([cache, input])?;
    batches(call, input[0], cache[0])?;
    first_shape(call)
}

/// Selects the input at the position that `update_index` has, and the cache elsewhere.
fn update_cache(call: &Call, graph: &mut Graph) -> Result<(), CallError> {
    let none = Attributes::none;
    let [cache, input, index] = [0, 1, 2].map(Value::Operand);
    let (batch, positions) = (call.operand_shape(0)[0], call.operand_shape(0)[2]);
    let range = batches(call, call.operand_shape(1)[2], batch).map_err(CallError::Shape)?;
    let written = graph.slice(cache, 0, range, 1)?;
    // A lookup in a table of all positions checks that the position is one of them.
    let index = graph.cast(index, ElementType::Int(32))?;
    let index = graph.reshape(index, &[1])?;
    let all = graph.range(&[positions, 1], 0, ElementType::Int(32))?;
    let index = graph.add("embedding", &[index, all], none())?;
    let index = graph.reshape(index, &[1, 1, 1, 1])?;
    let all = graph.range(&[1, 1, positions, 1], 2, ElementType::Int(32))?;
    let is_written = graph.add("eq", &[all, index], none())?;
    // Rows of the input belong to batches.
    let rows = graph.permute(input, &[2, 1, 0, 3])?;
    let updated = graph.add("where", &[is_written, rows, written], none())?;
    replace_batches(graph, updated, range, batch)?;
    Ok(())
}

/// Joins the input and the positions of the cache after it.
fn fill_cache(call: &Call, graph: &mut Graph) -> Result<(), CallError> {
    let [cache, input] = [0, 1].map(Value::Operand);
    let [batch, _, positions, _] = [0, 1, 2, 3].map(|dim: usize| call.operand_shape(0)[dim]);
    let count = call.operand_shape(1)[2];
    let range = batches(call, call.operand_shape(1)[0], batch).map_err(CallError::Shape)?;
    let mut value = input;
    if count < positions {
        let written = graph.slice(cache, 0, range, 1)?;
        let rest = graph.slice(written, 2, [count, positions], 1)?;
        value = concat(graph, &[input, rest], 2)?;
    }
    let value = replace_batches(graph, value, range, batch)?;
    graph.finish(value, call.operand_shape(0))
}

/// Replaces a range of batches of the cache.
fn replace_batches(
    graph: &mut Graph,
    value: Value,
    [begin, end]: [u64; 2],
    batch: u64,
) -> Result<Value, CallError> {
    let cache = Value::Operand(0);
    let mut parts = vec![value];
    if begin > 0 {
        parts.insert(0, graph.slice(cache, 0, [0, begin], 1)?);
    }
    if end < batch {
        parts.push(graph.slice(cache, 0, [end, batch], 1)?);
    }
    match parts.len() {
        1 => Ok(value),
        _ => concat(graph, &parts, 0),
    }
}

fn concat(graph: &mut Graph, parts: &[Value], dim: i64) -> Result<Value, CallError> {
    let attributes = Attributes::none().with("dim", AttributeValue::Int(dim));
    graph.add("concat", parts, attributes)
}
