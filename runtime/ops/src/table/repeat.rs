//! Movements that repeat elements.

use super::movement::MOVEMENT;
use super::{join, normalize_dimension};
use crate::attribute::{AttributeInfo, AttributeKind, AttributeValue, Attributes};
use crate::element::TensorType;
use crate::graph::{Graph, Value};
use crate::index_map::{row_major_strides, IndexMap, StridedCopy};
use crate::op::{Call, CallError, Class, OpInfo};
use crate::shape::broadcast;

const BROADCAST: &[AttributeInfo] = &[AttributeInfo::required(
    "broadcast_dimensions",
    AttributeKind::DenseInts,
)];
const REPEAT: &[AttributeInfo] = &[AttributeInfo::required(
    "repeat_dimensions",
    AttributeKind::DenseInts,
)];
const INTERLEAVE: &[AttributeInfo] = &[
    AttributeInfo::required("repeats", AttributeKind::Unsigned),
    AttributeInfo::required("dim", AttributeKind::Int),
];

/// Returns the entries.
pub(super) fn entries() -> impl Iterator<Item = OpInfo> {
    [
        OpInfo {
            name: "broadcast",
            ttir: Some("broadcast"),
            in_ttnn: false,
            summary: "The tensor repeated along dimensions of extent 1",
            description: "Each number of `broadcast_dimensions` is that of repetitions along a \
                          dimension.",
            example: "%0 = \"ttir.broadcast\"(%a) <{broadcast_dimensions = array<i64: 64, 1>}> \
                      : (tensor<1x96xbf16>) -> tensor<64x96xbf16>",
            attributes: BROADCAST,
            class: Class::Composite(decompose_broadcast),
            verify: verify_broadcast,
            shape: broadcast_shape,
            mismatch: |call, expected, found| {
                let index = first_difference(expected, found);
                format!(
                    "Input tensor shape ({}) index {index} does not broadcast to output ({}) \
                     using broadcast value {}",
                    join(call.operand_shape(0), ","),
                    join(found, ","),
                    counts(call, BROADCAST)
                        .get(index)
                        .copied()
                        .unwrap_or_default()
                )
            },
            ..MOVEMENT
        },
        OpInfo {
            name: "repeat",
            ttir: Some("repeat"),
            summary: "The whole tensor several times along each dimension",
            example: "%0 = \"ttir.repeat\"(%a) <{repeat_dimensions = array<i64: 1, 2>}> \
                      : (tensor<64x96xbf16>) -> tensor<64x192xbf16>",
            attributes: REPEAT,
            class: Class::Movement(repeat_map),
            verify: verify_repeat,
            shape: repeated_shape,
            mismatch: |call, expected, found| {
                let index = first_difference(expected, found);
                format!(
                    "Input tensor shape ({}) at index {index} does not repeat to output ({}) \
                     using repeat value {}.",
                    join(call.operand_shape(0), ","),
                    join(found, ","),
                    counts(call, REPEAT).get(index).copied().unwrap_or_default()
                )
            },
            ..MOVEMENT
        },
        OpInfo {
            name: "repeat_interleave",
            ttir: Some("repeat_interleave"),
            summary: "Each element several times in succession along a dimension",
            example: "%0 = \"ttir.repeat_interleave\"(%a) <{repeats = 2 : ui32, dim = 1 : si32}> \
                      : (tensor<64x96xbf16>) -> tensor<64x192xbf16>",
            attributes: INTERLEAVE,
            class: Class::Movement(interleave_map),
            shape: interleaved_shape,
            mismatch: |_, expected, found| {
                format!(
                    "Output shape [{}] does not match the expected shape [{}]",
                    join(found, ","),
                    join(expected, ",")
                )
            },
            ..MOVEMENT
        },
    ]
    .into_iter()
}

/// Returns the repetitions along each dimension, which the first attribute holds.
fn counts<'a>(call: &'a Call, attributes: &[AttributeInfo]) -> &'a [i64] {
    call.attributes.ints(attributes[0].name).unwrap_or_default()
}

fn first_difference(expected: &[u64], found: &[u64]) -> usize {
    let mut pairs = expected.iter().zip(found);
    pairs
        .position(|(expected, found)| expected != found)
        .unwrap_or_default()
}

/// Returns the extents of the operand, multiplied.
fn multiplied(call: &Call, counts: &[i64]) -> Vec<u64> {
    let pairs = call.operand_shape(0).iter().zip(counts);
    pairs
        .map(|(extent, &count)| extent.saturating_mul(u64::try_from(count).unwrap_or(0)))
        .collect()
}

fn verify_broadcast(call: &Call, result: &TensorType) -> Result<(), String> {
    let (input, output) = (call.operand_shape(0), &result.shape[..]);
    if input.len() != output.len() {
        return Err(format!(
            "Input tensor rank of {} does not match output tensor rank of {}",
            input.len(),
            output.len()
        ));
    }
    match broadcast(input, output) {
        Some(_) => Ok(()),
        None => Err(format!(
            "Input tensor shape ({}) is not broadcastable to output shape ({})",
            join(input, ","),
            join(output, ",")
        )),
    }
}

fn broadcast_shape(call: &Call) -> Result<Vec<u64>, String> {
    let (shape, counts) = (call.operand_shape(0), counts(call, BROADCAST));
    if counts.len() != shape.len() {
        return Err("Input tensor rank should match output tensor rank.".into());
    }
    Ok(multiplied(call, counts))
}

fn decompose_broadcast(call: &Call, graph: &mut Graph) -> Result<(), CallError> {
    let counts = AttributeValue::Ints(counts(call, BROADCAST).to_vec());
    let attributes = Attributes::none().with(REPEAT[0].name, counts);
    graph.add("repeat", &[Value::Operand(0)], attributes)?;
    Ok(())
}

fn verify_repeat(call: &Call, result: &TensorType) -> Result<(), String> {
    repeated_shape(call)?;
    let [input, output] = [call.operand_shape(0), &result.shape].map(<[u64]>::len);
    match input == output {
        true => Ok(()),
        false => Err(format!(
            "Input tensor rank {input} doesn't match the output tensor rank {output}."
        )),
    }
}

fn repeated_shape(call: &Call) -> Result<Vec<u64>, String> {
    let (shape, counts) = (call.operand_shape(0), counts(call, REPEAT));
    if shape.len() != counts.len() {
        return Err(format!(
            "Input tensor rank {} doesn't match the number of repeat dimensions {}.",
            shape.len(),
            counts.len()
        ));
    }
    match counts.iter().position(|&count| count <= 0) {
        None => Ok(multiplied(call, counts)),
        Some(index) => Err(format!(
            "Repeat dimension at index {index} must be greater than 0."
        )),
    }
}

fn repeat_map(call: &Call) -> IndexMap {
    let shape = call.operand_shape(0);
    let counts = counts(call, REPEAT);
    let result_strides = row_major_strides(&multiplied(call, counts));
    let strides = row_major_strides(shape).into_iter().zip(result_strides);
    let mut repetition = Repetition::default();
    for ((&extent, &count), (source, result)) in shape.iter().zip(counts).zip(strides) {
        repetition.push(count as u64, 0, extent * result);
        repetition.push(extent, source as i64, result);
    }
    repetition.into_map()
}

/// Returns the number of repetitions, and the dimension along which elements are repeated.
fn interleaved(call: &Call) -> Result<(u64, usize), String> {
    let rank = call.operand_shape(0).len();
    if rank < 1 {
        return Err("Input must be at least a 1D tensor".into());
    }
    let repeats = call.attributes.int("repeats").unwrap_or_default();
    if repeats == 0 {
        return Err("Repeats attribute must be non-zero".into());
    }
    let named = call.attributes.int("dim").unwrap_or_default();
    let dim = normalize_dimension(named, rank).ok_or_else(|| {
        format!("Dimension attribute must be within the bounds[-{rank}, {rank}), got {named}")
    })?;
    Ok((repeats.unsigned_abs(), dim))
}

fn interleaved_shape(call: &Call) -> Result<Vec<u64>, String> {
    let (repeats, dim) = interleaved(call)?;
    let mut shape = call.operand_shape(0).to_vec();
    shape[dim] = shape[dim].saturating_mul(repeats);
    Ok(shape)
}

fn interleave_map(call: &Call) -> IndexMap {
    let (repeats, repeated) = interleaved(call).unwrap_or_default();
    let shape = call.operand_shape(0);
    let result_strides = row_major_strides(&interleaved_shape(call).unwrap_or_default());
    let strides = row_major_strides(shape).into_iter().zip(result_strides);
    let mut repetition = Repetition::default();
    for (dim, (&extent, (source, result))) in shape.iter().zip(strides).enumerate() {
        if dim == repeated {
            repetition.push(extent, source as i64, repeats * result);
            repetition.push(repeats, 0, result);
        } else {
            repetition.push(extent, source as i64, result);
        }
    }
    repetition.into_map()
}

/// The dimensions of a copy that writes a whole result.
#[derive(Default)]
struct Repetition {
    extents: Vec<u64>,
    source_strides: Vec<i64>,
    result_strides: Vec<u64>,
}

impl Repetition {
    fn push(&mut self, extent: u64, source_stride: i64, result_stride: u64) {
        self.extents.push(extent);
        self.source_strides.push(source_stride);
        self.result_strides.push(result_stride);
    }

    fn into_map(self) -> IndexMap {
        IndexMap {
            copies: vec![StridedCopy {
                operand: 0,
                extents: self.extents,
                source_offset: 0,
                source_strides: self.source_strides,
                result_offset: 0,
                result_strides: self.result_strides,
            }],
            fill: 0.0,
            lookup: None,
        }
    }
}
