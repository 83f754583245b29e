//! Reductions that are composites: products, logical reductions, the index of the maximum and
//! cumulative sums.
//!
//! Products and cumulative sums of `n` elements take `log2 n` steps, each of which is an
//! element-wise operation on whole tensors:
//!
//! * A product multiplies one half of the elements by the other.
//! * A cumulative sum adds the elements, shifted by 1, 2, 4, … (Hillis and Steele, "Data parallel
//!   algorithms", 1986). A matrix product with a triangle of ones would need one step, but the
//!   matrix unit of Tensix truncates factors of f32.
//!
//! Both compute bf16 in f32 and round once.

use super::reduction::{reduction, ALONG};
use super::{first_shape, normalize_dimension};
use crate::attribute::{AttributeInfo, AttributeKind, Attributes};
use crate::element::ElementType;
use crate::graph::{Graph, Value};
use crate::op::{Call, CallError, Class, Decompose, ElementRule, OpInfo, Reduction};
use crate::scalar::Domain;

const DIMENSION: &[AttributeInfo] = &[AttributeInfo::required("dim", AttributeKind::I64)];

/// The greatest number of elements whose indices are exact in f32.
const MAX_INDEXED: u64 = 1 << 24;

/// Returns the entries.
pub(super) fn entries() -> impl Iterator<Item = OpInfo> {
    [
        OpInfo {
            example: "%0 = \"ttir.prod\"(%a) <{dim_arg = [1 : i32], keep_dim = true}> \
                      : (tensor<64x96xbf16>) -> tensor<64x1xbf16>",
            ..fold("prod", "The product along dimensions", product)
        },
        OpInfo {
            example: "%0 = \"ttir.reduce_and\"(%a) <{dim_arg = [1 : i32], keep_dim = false}> \
                      : (tensor<64x96xi1>) -> tensor<64xi1>",
            ..fold(
                "reduce_and",
                "1 where no element along dimensions is zero, else 0",
                |call, graph| logical(call, graph, "min"),
            )
        },
        OpInfo {
            example: "%0 = \"ttir.reduce_or\"(%a) <{dim_arg = [1 : i32], keep_dim = false}> \
                      : (tensor<64x96xi1>) -> tensor<64xi1>",
            ..fold(
                "reduce_or",
                "1 where an element along dimensions is not zero, else 0",
                |call, graph| logical(call, graph, "max"),
            )
        },
        OpInfo {
            description: "Along one dimension, or along all if there is no `dim_arg`, with \
                          elements counted row by row; with `keep_dim` the dimensions stay, with \
                          extent 1. The first of equal elements is taken. The index is undefined \
                          if an element is NaN.",
            example: "%0 = \"ttir.argmax\"(%a) <{dim_arg = [1 : i32], keep_dim = true}> \
                      : (tensor<64x96xbf16>) -> tensor<64x1xi32>",
            elements: ElementRule::Any,
            shape: argmax_shape,
            ..fold("argmax", "The index of the largest element", argmax)
        },
        OpInfo {
            description: "An element of the result is the sum of the elements up to its own.",
            example: "%0 = \"ttir.cumsum\"(%a) <{dim = 1 : i64}> \
                      : (tensor<64x96xbf16>) -> tensor<64x96xbf16>",
            attributes: DIMENSION,
            shape: |call| {
                scanned_dimension(call)?;
                first_shape(call)
            },
            mismatch: super::not_the_input_shape,
            ..fold(
                "cumsum",
                "The cumulative sum along a dimension",
                cumulative_sum,
            )
        },
    ]
    .into_iter()
}

fn fold(name: &'static str, summary: &'static str, decompose: Decompose) -> OpInfo {
    OpInfo {
        in_ttnn: false,
        attributes: ALONG,
        class: Class::Composite(decompose),
        domain: Domain::Any,
        ..reduction(name, summary, Reduction::Mean)
    }
}

/// Returns the element type in which bf16 and narrower floats are computed.
pub(super) fn wide(element: ElementType) -> ElementType {
    match element {
        ElementType::Bf16 | ElementType::F16 => ElementType::F32,
        other => other,
    }
}

fn product(call: &Call, graph: &mut Graph) -> Result<(), CallError> {
    let dims = call.reduced_dimensions().map_err(CallError::Shape)?;
    let input = Value::Operand(0);
    let element = graph.type_of(input).element;
    let mut value = graph.cast(input, wide(element))?;
    for dim in dims {
        while graph.type_of(value).shape[dim] > 1 {
            let extent = graph.type_of(value).shape[dim];
            let half = extent.div_ceil(2);
            let first = graph.slice(value, dim, [0, half], 1)?;
            let rest = graph.slice(value, dim, [half, extent], 1)?;
            let rest = graph.pad(rest, dim, [0, (2 * half - extent) as i64], 1.0)?;
            value = graph.add("multiply", &[first, rest], Attributes::none())?;
        }
    }
    let value = graph.cast(value, element)?;
    graph.finish(value, &call.infer_shape()?)
}

fn logical(call: &Call, graph: &mut Graph, reduce: &'static str) -> Result<(), CallError> {
    let dims = call.reduced_dimensions().map_err(CallError::Shape)?;
    let input = Value::Operand(0);
    let zero = graph.number(0.0, input)?;
    let booleans = graph.add("ne", &[input, zero], Attributes::none())?;
    let value = match dims.is_empty() {
        true => booleans,
        false => graph.reduce(reduce, booleans, &dims)?,
    };
    graph.finish(value, &call.infer_shape()?)
}

/// Infers the shape of an argmax, which goes along one dimension or all.
fn argmax_shape(call: &Call) -> Result<Vec<u64>, String> {
    let shape = (super::from_name("max")
        .ok_or("'max' is not in the table")?
        .shape)(call)?;
    let dims = call.reduced_dimensions()?;
    let operand = call.operand_shape(0);
    if dims.len() != 1 && dims.len() != operand.len() {
        return Err(format!(
            "goes along {} of {} dimensions; take one dimension, or all",
            dims.len(),
            operand.len()
        ));
    }
    let extents = dims.iter().map(|&dim| operand[dim]);
    match extents.fold(1, u64::saturating_mul) {
        ..=MAX_INDEXED => Ok(shape),
        elements => Err(format!(
            "goes along {elements} elements; indices are exact up to {MAX_INDEXED}"
        )),
    }
}

/// Computes the least index of an element that is equal to the largest one. Floats are compared,
/// and indices reduced, in f32, which represents them exactly.
fn argmax(call: &Call, graph: &mut Graph) -> Result<(), CallError> {
    let dims = call.reduced_dimensions().map_err(CallError::Shape)?;
    let none = Attributes::none;
    let mut input = Value::Operand(0);
    let mut dim = dims.first().copied().unwrap_or(0);
    if dims.len() != 1 {
        let elements = call.operand_shape(0).iter().product();
        input = graph.reshape(input, &[elements])?;
        dim = 0;
    }
    let element = wide(graph.type_of(input).element);
    let input = graph.cast(input, element)?;
    let extent = graph.type_of(input).shape[dim];
    let largest = graph.reduce("max", input, &[dim])?;
    let is_largest = graph.add("eq", &[input, largest], none())?;
    let indices = graph.indices(input, dim)?;
    let beyond = graph.number(extent as f64, input)?;
    let candidates = graph.add("where", &[is_largest, indices, beyond], none())?;
    let index = graph.reduce("min", candidates, &[dim])?;
    let index = graph.reshape(index, &call.infer_shape()?)?;
    let index = graph.cast(index, ElementType::Int(32))?;
    graph.finish(index, &call.infer_shape()?)
}

fn scanned_dimension(call: &Call) -> Result<usize, String> {
    let named = call.attributes.int("dim").unwrap_or_default();
    let rank = call.operand_shape(0).len();
    normalize_dimension(named, rank).ok_or_else(|| {
        format!(
            "specified dimension should be between -{rank} and {}, but got: {named}",
            rank as i64 - 1
        )
    })
}

fn cumulative_sum(call: &Call, graph: &mut Graph) -> Result<(), CallError> {
    let dim = scanned_dimension(call).map_err(CallError::Shape)?;
    let input = Value::Operand(0);
    let element = graph.type_of(input).element;
    let mut value = graph.cast(input, wide(element))?;
    let extent = call.operand_shape(0)[dim];
    let mut distance = 1;
    while distance < extent {
        let by = distance as i64;
        let shifted = graph.pad(value, dim, [by, -by], 0.0)?;
        value = graph.add("add", &[value, shifted], Attributes::none())?;
        distance *= 2;
    }
    let value = graph.cast(value, element)?;
    graph.finish(value, call.operand_shape(0))
}
