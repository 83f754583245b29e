//! Attention: values weighted by the softmax of scaled products of queries and keys.
//!
//! Scores, masks and softmax have elements of f32 and are rounded once, to the type of the values
//! that they weigh. Query heads that share a head of keys are rows of one matrix product, so that
//! keys and values are not repeated.

use super::{first_shape, operand};
use crate::attribute::{AttributeInfo, AttributeKind, AttributeValue, Attributes, Presence};
use crate::element::{ElementType, TensorType};
use crate::graph::{Graph, Value};
use crate::op::{Arity, Call, CallError, Class, ElementRule, OpInfo, OperandInfo, SEGMENTS};
use crate::scalar::Domain;

const OPERANDS: &[OperandInfo] = &[
    operand("query"),
    operand("key"),
    operand("value"),
    OperandInfo {
        name: "attention_mask",
        count: Arity::Optional,
    },
    OperandInfo {
        name: "attention_sink",
        count: Arity::Optional,
    },
];
const ATTRIBUTES: &[AttributeInfo] = &[
    AttributeInfo {
        presence: Presence::Default("true"),
        ..AttributeInfo::required("is_causal", AttributeKind::Bool)
    },
    AttributeInfo::optional("scale", AttributeKind::Float),
    AttributeInfo::optional("sliding_window_size", AttributeKind::Unsigned),
    SEGMENTS,
];
/// Returns the entries.
pub(super) fn entries() -> impl Iterator<Item = OpInfo> {
    [OpInfo {
        name: "scaled_dot_product_attention",
        ttir: Some("scaled_dot_product_attention"),
        in_ttnn: false,
        summary: "Values weighted by the softmax of scaled products of queries and keys",
        description: "`softmax(query * transpose(key) * scale + attention_mask) * value`. The \
                      query has the shape `[batch, heads, queries, features]`, key and value \
                      `[batch, key heads, keys, features]`, where consecutive query heads share a \
                      key head. `scale` is `1 / sqrt(features)` if it is absent. The mask is \
                      broadcast along batches, heads and queries. With `is_causal` a query sees \
                      keys up to its own position, or only the last `sliding_window_size` of \
                      these. `attention_sink`, of shape `[1, heads, 1, 1]`, has one more score \
                      for each head, which takes part in the softmax and has no value.",
        example: "%0 = \"ttir.scaled_dot_product_attention\"(%query, %key, %value) \
                  <{is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> \
                  : (tensor<1x8x32x64xbf16>, tensor<1x2x32x64xbf16>, tensor<1x2x32x64xbf16>) \
                  -> tensor<1x8x32x64xbf16>",
        operands: OPERANDS,
        attributes: ATTRIBUTES,
        class: Class::Composite(attention),
        elements: ElementRule::Same,
        domain: Domain::Float,
        verify: verify_attention,
        shape: attention_shape,
        mismatch: |_, _, _| "Query and result must have the same type".into(),
    }]
    .into_iter()
}

/// Returns whether a query sees only keys up to its own position.
fn is_causal(call: &Call) -> bool {
    call.attributes.get("is_causal").is_none() || call.attributes.flag("is_causal")
}

/// Returns the number of the mask and of the sink among the tensors.
fn optional(call: &Call) -> Result<[Option<usize>; 2], CallError> {
    let present = call.operand_indices()?;
    Ok([3, 4].map(|declared| present.get(declared).copied().flatten()))
}

fn four(call: &Call, operand: usize, name: &str) -> Result<[u64; 4], String> {
    let extents = call.operand_shape(operand).try_into();
    extents.map_err(|_| format!("{name} must be a 4D tensor"))
}

fn verify_attention(call: &Call, result: &TensorType) -> Result<(), String> {
    let [query, key, value] = [0, 1, 2].map(|number| call.operands.get(number));
    if query != Some(result) {
        return Err("Query and result must have the same type".into());
    }
    match key == value {
        true => Ok(()),
        false => Err("Key and value must have the same type".into()),
    }
}

fn attention_shape(call: &Call) -> Result<Vec<u64>, String> {
    if call.operand_shape(1) != call.operand_shape(2) {
        return Err("Key and value must have the same type".into());
    }
    let [batch, heads, queries, features] = four(call, 0, "Query")?;
    let [key_batch, key_heads, keys, key_features] = four(call, 1, "Key/Value")?;
    if key_batch != batch {
        return Err("Key/Value batch size must match query batch size".into());
    }
    if key_features != features {
        return Err("Key/Value head size must match query head size".into());
    }
    if heads.checked_rem(key_heads) != Some(0) {
        return Err("Query num heads must be divisible by key/value num heads".into());
    }
    let [mask, sink] = optional(call).map_err(|error| error.to_string())?;
    if let Some(mask) = mask {
        check_mask(call, mask, [batch, heads, queries, keys])?;
    }
    if is_causal(call) && queries != keys {
        return Err(
            "Sequence length must match key/value sequence length when is_causal is true".into(),
        );
    }
    check_window(call)?;
    match sink.map(|sink| call.operand_shape(sink)) {
        Some(shape) if shape != [1, heads, 1, 1] => Err(format!(
            "attention sink must have shape (1, {heads}, 1, 1), got ({})",
            super::join(shape, ", ")
        )),
        _ => first_shape(call),
    }
}

fn check_mask(call: &Call, mask: usize, scores: [u64; 4]) -> Result<(), String> {
    const TEXTS: [&str; 4] = [
        "Attention mask batch size must be 1 (broadcast) or match query batch size",
        "Attention mask dim 1 must be 1 (broadcast) or match query num heads",
        "Attention mask dim 2 must be 1 (broadcast) or match query sequence length",
        "Attention mask at dim 3 must match key/value sequence length (max sequence length)",
    ];
    if is_causal(call) {
        return Err("Attention mask is not allowed when is_causal is true".into());
    }
    let found = four(call, mask, "Attention mask")?;
    let fits = |dim: usize| found[dim] == scores[dim] || (dim < 3 && found[dim] == 1);
    match (0..4).find(|dim| !fits(*dim)) {
        Some(dim) => Err(TEXTS[dim].into()),
        None => Ok(()),
    }
}

fn check_window(call: &Call) -> Result<(), String> {
    match call.attributes.int("sliding_window_size") {
        None => Ok(()),
        Some(size) if size < 1 => Err("sliding_window_size must be at least 1".into()),
        Some(_) if is_causal(call) => Ok(()),
        Some(_) => Err(
            "does not support 'sliding_window_size' unless 'is_causal' is true; add \
                        the window to the attention mask"
                .into(),
        ),
    }
}

fn attention(call: &Call, graph: &mut Graph) -> Result<(), CallError> {
    let none = Attributes::none;
    let [query, key, value] = [0, 1, 2].map(Value::Operand);
    let element = graph.type_of(query).element;
    let [batch, heads, queries, features] = four(call, 0, "Query").map_err(CallError::Shape)?;
    let [_, key_heads, keys, _] = four(call, 1, "Key/Value").map_err(CallError::Shape)?;
    let rows = heads / key_heads * queries;
    let query = graph.reshape(query, &[batch, key_heads, rows, features])?;
    let transposed = none().with("transpose_b", AttributeValue::Bool(true));
    let scores = graph.add("matmul", &[query, key], transposed)?;
    let scores = graph.reshape(scores, &[batch, heads, queries, keys])?;
    let scores = graph.cast(scores, ElementType::F32)?;
    let default = || 1.0 / (features as f64).sqrt();
    let scale = call.attributes.float("scale").unwrap_or_else(default);
    let scale = graph.number(scale, scores)?;
    let mut scores = graph.add("multiply", &[scores, scale], none())?;
    let [mask, sink] = optional(call)?;
    if let Some(mask) = mask {
        let mask = graph.cast(Value::Operand(mask), ElementType::F32)?;
        scores = graph.add("add", &[scores, mask], none())?;
    }
    if is_causal(call) {
        scores = hide_keys(call, graph, scores)?;
    }
    let weights = weigh(graph, scores, sink)?;
    let weights = graph.cast(weights, element)?;
    let weights = graph.reshape(weights, &[batch, key_heads, rows, keys])?;
    let sums = graph.add("matmul", &[weights, value], none())?;
    graph.finish(sums, call.operand_shape(0))
}

/// Replaces the scores of keys that a query does not see by negative infinity.
fn hide_keys(call: &Call, graph: &mut Graph, scores: Value) -> Result<Value, CallError> {
    let none = Attributes::none;
    let extents = graph.type_of(scores).shape.clone();
    let range = |graph: &mut Graph, dim: usize| {
        let mut shape = [1; 4];
        shape[dim] = extents[dim];
        graph.range(&shape, dim, ElementType::F32)
    };
    let [positions, keys] = [range(graph, 2)?, range(graph, 3)?];
    let mut is_seen = graph.add("le", &[keys, positions], none())?;
    if let Some(size) = call.attributes.int("sliding_window_size") {
        let size = graph.number(size as f64, positions)?;
        let before = graph.add("subtract", &[positions, size], none())?;
        let is_near = graph.add("gt", &[keys, before], none())?;
        is_seen = graph.add("logical_and", &[is_seen, is_near], none())?;
    }
    let hidden = graph.number(f64::NEG_INFINITY, scores)?;
    graph.add("where", &[is_seen, scores, hidden], none())
}

/// Adds the softmax along keys; a sink is one more score, whose share is dropped.
fn weigh(graph: &mut Graph, scores: Value, sink: Option<usize>) -> Result<Value, CallError> {
    let softmax = Attributes::none()
        .with("dimension", AttributeValue::Int(3))
        .with("numericStable", AttributeValue::Bool(true));
    let Some(sink) = sink else {
        return graph.add("softmax", &[scores], softmax);
    };
    let shape = graph.type_of(scores).shape.clone();
    let sink = graph.cast(Value::Operand(sink), ElementType::F32)?;
    let dims = [shape[0], 1, shape[2], 1].map(|extent| extent as i64);
    let repeat = Attributes::none().with("repeat_dimensions", AttributeValue::Ints(dims.to_vec()));
    let sink = graph.add("repeat", &[sink], repeat)?;
    let dim = Attributes::none().with("dim", AttributeValue::Int(3));
    let all = graph.add("concat", &[scores, sink], dim)?;
    let weights = graph.add("softmax", &[all], softmax)?;
    graph.slice(weights, 3, [0, shape[3]], 1)
}
