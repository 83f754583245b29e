//! Insertion and removal of a dimension of extent 1.

use super::movement::MOVEMENT;
use super::normalize_dimension;
use crate::attribute::{AttributeInfo, AttributeKind};
use crate::element::TensorType;
use crate::graph::{Graph, Value};
use crate::op::{Call, CallError, Class, OpInfo};

const DIMENSION: &[AttributeInfo] = &[AttributeInfo::required("dim", AttributeKind::Int)];

/// Returns the entries.
pub(super) fn entries() -> impl Iterator<Item = OpInfo> {
    [
        OpInfo {
            name: "squeeze",
            ttir: Some("squeeze"),
            in_ttnn: false,
            summary: "The tensor without a dimension of extent 1",
            example: "%0 = \"ttir.squeeze\"(%a) <{dim = 0 : si32}> \
                      : (tensor<1x64x96xbf16>) -> tensor<64x96xbf16>",
            attributes: DIMENSION,
            class: Class::Composite(decompose),
            verify: verify_squeeze,
            shape: squeezed_shape,
            mismatch: |call, expected, found| match expected.len() == found.len() {
                false => "Output tensor rank must be one less than the input tensor rank.".into(),
                true => format!(
                    "Dimensions of the output tensor must be the same as the input tensor except \
                     for dimension {}.",
                    squeezed_dimension(call).unwrap_or_default()
                ),
            },
            ..MOVEMENT
        },
        OpInfo {
            name: "unsqueeze",
            ttir: Some("unsqueeze"),
            in_ttnn: false,
            summary: "The tensor with one more dimension, of extent 1",
            example: "%0 = \"ttir.unsqueeze\"(%a) <{dim = 0 : si32}> \
                      : (tensor<64x96xbf16>) -> tensor<1x64x96xbf16>",
            attributes: DIMENSION,
            class: Class::Composite(decompose),
            shape: unsqueezed_shape,
            mismatch: |call, expected, found| {
                let added = unsqueezed_dimension(call)
                    .ok()
                    .and_then(|dim| found.get(dim));
                match added {
                    _ if expected.len() != found.len() => {
                        "Output tensor must have one more dimension than the input tensor".into()
                    }
                    Some(1) => "All dimensions of the input tensor must be the same as the output \
                                tensor except for the dimension added"
                        .into(),
                    _ => "Dimension added must be of size 1".into(),
                }
            },
            ..MOVEMENT
        },
    ]
    .into_iter()
}

fn squeezed_dimension(call: &Call) -> Result<usize, String> {
    let shape = call.operand_shape(0);
    let named = call.attributes.int("dim").unwrap_or_default();
    let dim = normalize_dimension(named, shape.len())
        .ok_or_else(|| format!("Invalid dimension {named} for squeezing."))?;
    match shape[dim] {
        1 => Ok(dim),
        _ => Err(format!("Dimension {dim} in the input tensor must be 1.")),
    }
}

fn squeezed_shape(call: &Call) -> Result<Vec<u64>, String> {
    let dim = squeezed_dimension(call)?;
    let mut shape = call.operand_shape(0).to_vec();
    shape.remove(dim);
    Ok(shape)
}

fn verify_squeeze(call: &Call, result: &TensorType) -> Result<(), String> {
    squeezed_dimension(call)?;
    match result.shape.is_empty() {
        true => Err("Output tensor must have at least one dimension.".into()),
        false => Ok(()),
    }
}

fn unsqueezed_dimension(call: &Call) -> Result<usize, String> {
    let named = call.attributes.int("dim").unwrap_or_default();
    let dim = normalize_dimension(named, call.operand_shape(0).len() + 1);
    dim.ok_or_else(|| "Dimension attribute must be within the bounds of the input tensor".into())
}

fn unsqueezed_shape(call: &Call) -> Result<Vec<u64>, String> {
    let dim = unsqueezed_dimension(call)?;
    let mut shape = call.operand_shape(0).to_vec();
    shape.insert(dim, 1);
    Ok(shape)
}

/// Reshapes the operand to the shape of the result.
fn decompose(call: &Call, graph: &mut Graph) -> Result<(), CallError> {
    let shape = call.infer_shape()?;
    graph.reshape(Value::Operand(0), &shape)?;
    Ok(())
}
