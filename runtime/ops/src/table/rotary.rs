//! Rotary position embeddings.
//!
//! Products and sums have elements of f32 and are rounded once.

use super::{first_shape, join, operand};
use crate::attribute::{AttributeInfo, AttributeKind, AttributeValue, Attributes};
use crate::element::{ElementType, TensorType};
use crate::graph::{Graph, Value};
use crate::op::{Call, CallError, Class, ElementRule, OpInfo, OperandInfo};
use crate::scalar::Domain;

const ROTARY: &[OperandInfo] = &[operand("input"), operand("cos_cache"), operand("sin_cache")];
const TOKEN: &[AttributeInfo] = &[AttributeInfo::optional(
    "token_index",
    AttributeKind::Unsigned,
)];

/// Returns the entries.
pub(super) fn entries() -> impl Iterator<Item = OpInfo> {
    [OpInfo {
        name: "rotary_embedding",
        ttir: Some("rotary_embedding"),
        in_ttnn: false,
        summary: "Pairs of features rotated by the angle of their position",
        description: "`input * cos + rotate_half(input) * sin`, where `rotate_half` swaps the \
                      halves of the last dimension and negates the new first one. Tensors have \
                      the shape `[batch, heads, positions, features]`; caches have 1 batch or \
                      as many as the input, and 1 head or as many. A position has the row of the \
                      caches with its number, or all have row `token_index`. tt-mlir has this \
                      operation in `ttnn` only.",
        example: "%0 = \"ttir.rotary_embedding\"(%a, %cos, %sin) : (tensor<1x8x32x64xbf16>, \
                  tensor<1x1x128x64xbf16>, tensor<1x1x128x64xbf16>) -> tensor<1x8x32x64xbf16>",
        operands: ROTARY,
        attributes: TOKEN,
        class: Class::Composite(rotate),
        elements: ElementRule::Same,
        domain: Domain::Float,
        verify: verify_rotary,
        shape: rotary_shape,
        mismatch: super::not_the_input_shape,
    }]
    .into_iter()
}

fn verify_rotary(call: &Call, result: &TensorType) -> Result<(), String> {
    if let [_, cos, sin] = call.operands {
        if cos.element != sin.element {
            return Err("cos and sin tensor dtypes must match.".into());
        }
    }
    match result.shape.len() {
        4 => Ok(()),
        _ => Err("all input and output tensors must be 4D tensors.".into()),
    }
}

fn rotary_shape(call: &Call) -> Result<Vec<u64>, String> {
    let (cos, sin) = (call.operand_shape(1), call.operand_shape(2));
    if cos != sin {
        return Err("cos and sin tensor shapes must match.".into());
    }
    let text = "all input and output tensors must be 4D tensors.";
    let all: [Result<[u64; 4], _>; 2] = [call.operand_shape(0), cos].map(TryInto::try_into);
    let [Ok(input), Ok(cache)] = all else {
        return Err(text.into());
    };
    let fits = |dim: usize| cache[dim] == 1 || cache[dim] == input[dim];
    if !fits(0) || !fits(1) || cache[3] != input[3] || input[3] % 2 != 0 {
        return Err(format!(
            "caches of shape ({}) do not fit an input of shape ({}), whose last dimension must be \
             the same and even",
            join(&cache, ", "),
            join(&input, ", ")
        ));
    }
    let [begin, end] = cached_rows(call, input[2]);
    match end <= cache[2] && begin < end {
        true => first_shape(call),
        false => Err(format!(
            "caches have {} positions, but position {} is needed",
            cache[2],
            end - 1
        )),
    }
}

/// Returns the rows of the caches that an input with this many positions needs.
fn cached_rows(call: &Call, positions: u64) -> [u64; 2] {
    let named = call.attributes.int("token_index");
    match named.and_then(|index| u64::try_from(index).ok()) {
        Some(index) => [index, index + 1],
        None => [0, positions],
    }
}

fn rotate(call: &Call, graph: &mut Graph) -> Result<(), CallError> {
    let none = Attributes::none;
    let shape = call.operand_shape(0);
    let (positions, features) = (shape[2], shape[3]);
    let element = graph.type_of(Value::Operand(0)).element;
    let mut wide = [Value::Operand(0); 3];
    for (number, value) in wide.iter_mut().enumerate() {
        *value = Value::Operand(number);
        if number > 0 {
            *value = graph.slice(*value, 2, cached_rows(call, positions), 1)?;
        }
        *value = graph.cast(*value, ElementType::F32)?;
    }
    let [input, cos, sin] = wide;
    let first = graph.slice(input, 3, [0, features / 2], 1)?;
    let second = graph.slice(input, 3, [features / 2, features], 1)?;
    let negated = graph.add("neg", &[second], none())?;
    let dim = none().with("dim", AttributeValue::Int(3));
    let swapped = graph.add("concat", &[negated, first], dim)?;
    let own = graph.add("multiply", &[input, cos], none())?;
    let other = graph.add("multiply", &[swapped, sin], none())?;
    let sum = graph.add("add", &[own, other], none())?;
    let sum = graph.cast(sum, element)?;
    graph.finish(sum, shape)
}
