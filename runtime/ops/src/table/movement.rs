//! Data movement operations.

use super::{join, no_check, normalize_dimension, INPUT};
use crate::attribute::{AttributeInfo, AttributeKind, AttributeValue, Attributes};
use crate::element::TensorType;
use crate::graph::{Graph, Value};
use crate::index_map::{row_major_strides, IndexMap, StridedCopy};
use crate::op::{Arity, Call, CallError, Class, ElementRule, OpInfo, OperandInfo};
use crate::scalar::Domain;

const PERMUTATION: &[AttributeInfo] = &[AttributeInfo::required(
    "permutation",
    AttributeKind::DenseInts,
)];
const SHAPE: &[AttributeInfo] = &[AttributeInfo::required("shape", AttributeKind::IntArray)];
const DIMENSION: &[AttributeInfo] = &[AttributeInfo::required("dim", AttributeKind::Int)];
const DIMENSIONS: &[AttributeInfo] = &[
    AttributeInfo::required("dim0", AttributeKind::Int),
    AttributeInfo::required("dim1", AttributeKind::Int),
];

/// One or more tensors.
const INPUTS: &[OperandInfo] = &[OperandInfo {
    name: "inputs",
    count: Arity::Variadic,
}];

/// Returns the entries.
pub(super) fn entries() -> impl Iterator<Item = OpInfo> {
    [
        OpInfo {
            name: "transpose",
            ttir: Some("transpose"),
            in_ttnn: false,
            summary: "Two dimensions swapped",
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
            mismatch: not_the_shape,
            ..MOVEMENT
        },
        OpInfo {
            name: "reshape",
            ttir: Some("reshape"),
            summary: "The elements in the same order, with another shape",
            description: "One extent of `shape` may be -1; it is inferred from the others.",
            example: "%0 = \"ttir.reshape\"(%a) <{shape = [3 : i32, -1 : i32]}> \
                      : (tensor<2x6xbf16>) -> tensor<3x4xbf16>",
            attributes: SHAPE,
            class: Class::Movement(reshape_map),
            verify: verify_reshape,
            shape: reshaped,
            mismatch: not_the_shape,
            ..MOVEMENT
        },
        OpInfo {
            name: "concat",
            ttir: Some("concat"),
            summary: "Tensors concatenated along a dimension",
            example: "%0 = \"ttir.concat\"(%a, %b) <{dim = 1 : si32}> \
                      : (tensor<2x3xbf16>, tensor<2x5xbf16>) -> tensor<2x8xbf16>",
            operands: INPUTS,
            attributes: DIMENSION,
            class: Class::Movement(concat_map),
            shape: concatenated,
            mismatch: not_the_sum,
            ..MOVEMENT
        },
    ]
    .into_iter()
}

/// Default entry of data movement operations.
pub(super) const MOVEMENT: OpInfo = OpInfo {
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

/// Returns the text for a result that does not have the shape that the attributes give it.
fn not_the_shape(_: &Call, expected: &[u64], found: &[u64]) -> String {
    format!(
        "Expected result shape ({}), got ({})",
        join(expected, ", "),
        join(found, ", ")
    )
}

/// Returns the permutation that a transposition is.
fn transposition(call: &Call) -> Result<Vec<usize>, String> {
    let rank = call.operand_shape(0).len();
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

/// Returns the permutation that the attribute says.
fn permutation(call: &Call) -> Result<Vec<usize>, String> {
    let rank = call.operand_shape(0).len();
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
    let shape = call.operand_shape(0);
    Ok(permutation.iter().map(|&dim| shape[dim]).collect())
}

fn permutation_map(call: &Call) -> IndexMap {
    let permutation = permutation(call).unwrap_or_default();
    let shape = call.operand_shape(0);
    let strides = row_major_strides(shape);
    let result: Vec<u64> = permutation.iter().map(|&dim| shape[dim]).collect();
    let sources = permutation.iter().map(|&dim| strides[dim] as i64);
    IndexMap::view(&result, 0, sources.collect())
}

/// Returns the shape that the attribute says, as far as it does.
fn shape_attribute(call: &Call) -> Vec<i64> {
    call.attributes.ints("shape").unwrap_or_default().to_vec()
}

fn verify_reshape(call: &Call, result: &TensorType) -> Result<(), String> {
    let (shape, found) = (shape_attribute(call), &result.shape);
    if shape.len() != found.len() {
        return Err(format!(
            "Shape attribute size {} must match output tensor rank {}",
            shape.len(),
            found.len()
        ));
    }
    same_elements(call, found)?;
    let mut all = shape.iter().zip(found).enumerate();
    let differs = all.find(|(_, (&named, &found))| named >= 0 && named as u64 != found);
    check_unknown(&shape)?;
    match differs {
        None => Ok(()),
        Some((index, (named, found))) => Err(format!(
            "Shape attribute {named} must match the output tensor shape {found} at index {index} \
             for dimension that is not -1"
        )),
    }
}

/// Returns the number of elements of a shape, saturated on overflow.
fn elements(shape: &[u64]) -> u128 {
    let extents = shape.iter().map(|&extent| u128::from(extent));
    extents.fold(1, u128::saturating_mul)
}

/// Checks that a shape has as many elements as the operand.
fn same_elements(call: &Call, shape: &[u64]) -> Result<(), String> {
    match [elements(call.operand_shape(0)), elements(shape)] {
        [input, output] if input == output => Ok(()),
        [input, output] => Err(format!(
            "Input tensor number of elements {input} and output tensor number of elements {output} \
             must be the same"
        )),
    }
}

/// Checks that at most one extent is -1.
fn check_unknown(shape: &[i64]) -> Result<(), String> {
    if shape.iter().filter(|&&extent| extent == -1).count() > 1 {
        return Err("Shape attribute must have at most one -1 element".into());
    }
    match shape.iter().any(|&extent| extent < -1) {
        true => Err("All dimensions must be >= 0 except the one with -1".into()),
        false => Ok(()),
    }
}

fn reshaped(call: &Call) -> Result<Vec<u64>, String> {
    let shape = shape_attribute(call);
    check_unknown(&shape)?;
    let known = shape
        .iter()
        .filter_map(|&extent| u64::try_from(extent).ok());
    let known = elements(&known.collect::<Vec<_>>());
    let left = elements(call.operand_shape(0))
        .checked_div(known)
        .unwrap_or(0);
    let left = u64::try_from(left).unwrap_or(u64::MAX);
    let extents = shape.into_iter();
    let result: Vec<u64> = extents
        .map(|extent| u64::try_from(extent).unwrap_or(left))
        .collect();
    same_elements(call, &result).map(|()| result)
}

fn reshape_map(call: &Call) -> IndexMap {
    let elements = call.operand_shape(0).iter().product();
    IndexMap::view(&[elements], 0, vec![1])
}

/// Returns the dimension along which tensors are concatenated.
fn concatenated_dimension(call: &Call) -> Result<usize, String> {
    let named = call.attributes.int("dim").unwrap_or_default();
    let dim = normalize_dimension(named, call.operand_shape(0).len());
    dim.ok_or_else(|| format!("Invalid dimension {named} for concatenation."))
}

fn concatenated(call: &Call) -> Result<Vec<u64>, String> {
    let dim = concatenated_dimension(call)?;
    let mut result = call.operand_shape(0).to_vec();
    for operand in call.operands.iter().skip(1) {
        let shape = &operand.shape;
        if shape.len() != result.len() {
            return Err("All input tensors must have the same rank.".into());
        }
        let mut pairs = shape.iter().zip(&result).enumerate();
        if pairs.any(|(at, (extent, first))| at != dim && extent != first) {
            return Err(format!(
                "All input tensors must have the same dimensions, except for dimension {dim}."
            ));
        }
        result[dim] = result[dim].saturating_add(shape[dim]);
    }
    Ok(result)
}

/// Returns the diagnostic for a result whose shape is not that of the concatenated operands.
fn not_the_sum(call: &Call, expected: &[u64], found: &[u64]) -> String {
    let dim = concatenated_dimension(call).unwrap_or_default();
    match found.get(dim) {
        Some(extent) if *extent != expected[dim] => format!(
            "Output tensor dimension {dim} does not match the sum of input tensor dimensions: \
             {extent} vs. {}.",
            expected[dim]
        ),
        _ => not_the_shape(call, expected, found),
    }
}

fn concat_map(call: &Call) -> IndexMap {
    let dim = concatenated_dimension(call).unwrap_or_default();
    let result_strides = row_major_strides(&concatenated(call).unwrap_or_default());
    let mut result_offset = 0;
    let copies = call.operands.iter().enumerate().map(|(operand, one)| {
        let strides = row_major_strides(&one.shape);
        let copy = StridedCopy {
            operand,
            extents: one.shape.clone(),
            source_offset: 0,
            source_strides: strides.iter().map(|&stride| stride as i64).collect(),
            result_offset,
            result_strides: result_strides.clone(),
        };
        result_offset += one.shape[dim] * result_strides[dim];
        copy
    });
    IndexMap {
        copies: copies.collect(),
        fill: 0.0,
        lookup: None,
    }
}
