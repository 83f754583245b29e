//! Operations that move elements.

use super::{join, no_check, normalize_dimension, INPUT};
use crate::attribute::{AttributeInfo, AttributeKind, AttributeValue, Attributes};
use crate::graph::{Graph, Value};
use crate::index_map::{row_major_strides, IndexMap};
use crate::op::{Call, CallError, Class, ElementRule, OpInfo};
use crate::scalar::Domain;

const PERMUTATION: &[AttributeInfo] = &[AttributeInfo::required(
    "permutation",
    AttributeKind::DenseInts,
)];
const DIMENSIONS: &[AttributeInfo] = &[
    AttributeInfo::required("dim0", AttributeKind::Int),
    AttributeInfo::required("dim1", AttributeKind::Int),
];

/// The entries.
pub(super) fn entries() -> impl Iterator<Item = OpInfo> {
    [
        OpInfo {
            name: "transpose",
            ttir: Some("transpose"),
            in_ttnn: false,
            summary: "Two dimensions, each in the place of the other",
            example: "%0 = \"ttir.transpose\"(%a) <{dim0 = 0 : si32, dim1 = 1 : si32}> \
                      : (tensor<64x96xbf16>) -> tensor<96x64xbf16>",
            attributes: DIMENSIONS,
            class: Class::Composite(transpose),
            shape: |call| permuted(call, &transposition(call)?),
            mismatch: |_, _, _| "Input-output transpose dimension mismatch.".into(),
            ..MOVEMENT
        },
        OpInfo {
            name: "permute",
            ttir: Some("permute"),
            summary: "The dimensions in another order",
            example: "%0 = \"ttir.permute\"(%a) <{permutation = array<i64: 1, 0>}> \
                      : (tensor<64x96xbf16>) -> tensor<96x64xbf16>",
            attributes: PERMUTATION,
            shape: |call| permuted(call, &permutation(call)?),
            mismatch: |_, expected, found| {
                format!(
                    "Expected result shape ({}), got ({})",
                    join(expected, ", "),
                    join(found, ", ")
                )
            },
            ..MOVEMENT
        },
    ]
    .into_iter()
}

/// An entry for movements to begin with.
const MOVEMENT: OpInfo = OpInfo {
    name: "",
    ttir: None,
    in_ttnn: true,
    summary: "",
    description: "",
    example: "",
    operands: INPUT,
    attributes: &[],
    class: Class::Movement(permutation_map),
    elements: ElementRule::Same,
    domain: Domain::Any,
    verify: no_check,
    shape: super::first_shape,
    mismatch: super::not_the_input_shape,
};

/// The permutation that a transposition is.
fn transposition(call: &Call) -> Result<Vec<usize>, String> {
    let rank = call.shape_of(0).len();
    if rank < 2 {
        return Err("Input must be at least a 2D tensor".into());
    }
    let mut dims = [0; 2];
    for (number, dim) in dims.iter_mut().enumerate() {
        let named = call
            .attributes
            .int(&format!("dim{number}"))
            .unwrap_or_default();
        *dim = normalize_dimension(named, rank).ok_or_else(|| {
            format!("Dimension {number} attribute must be within the bounds of the input tensor")
        })?;
    }
    let mut permutation: Vec<usize> = (0..rank).collect();
    permutation.swap(dims[0], dims[1]);
    Ok(permutation)
}

fn transpose(call: &Call, graph: &mut Graph) -> Result<(), CallError> {
    let permutation = transposition(call).map_err(CallError::Shape)?;
    let dims = permutation.into_iter().map(|dim| dim as i64).collect();
    let attributes = Attributes::none().with("permutation", AttributeValue::Ints(dims));
    graph.add("permute", &[Value::Operand(0)], attributes)?;
    Ok(())
}

/// The permutation that the attribute says.
fn permutation(call: &Call) -> Result<Vec<usize>, String> {
    let rank = call.shape_of(0).len();
    let named = call.attributes.ints("permutation").unwrap_or_default();
    let mut sorted = named.to_vec();
    sorted.sort_unstable();
    if sorted.iter().copied().eq(0..rank as i64) {
        return Ok(named.iter().map(|&dim| dim as usize).collect());
    }
    let all: Vec<u64> = (0..rank as u64).collect();
    let found: Vec<_> = named.iter().map(i64::to_string).collect();
    Err(format!(
        "Expected a permutation of ({}), got ({})",
        join(&all, ", "),
        found.join(", ")
    ))
}

#[allow(clippy::unnecessary_wraps)] // the type of the table's column
fn permuted(call: &Call, permutation: &[usize]) -> Result<Vec<u64>, String> {
    let shape = call.shape_of(0);
    Ok(permutation.iter().map(|&dim| shape[dim]).collect())
}

fn permutation_map(call: &Call) -> IndexMap {
    let permutation = permutation(call).unwrap_or_default();
    let shape = call.shape_of(0);
    let strides = row_major_strides(shape);
    let result: Vec<u64> = permutation.iter().map(|&dim| shape[dim]).collect();
    let sources = permutation.iter().map(|&dim| strides[dim] as i64);
    IndexMap::view(&result, 0, sources.collect())
}
