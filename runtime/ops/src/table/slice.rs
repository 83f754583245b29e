//! Movements that select elements: slices, reversals and padding.

use super::movement::MOVEMENT;
use super::{first_shape, join};
use crate::attribute::{AttributeInfo, AttributeKind};
use crate::element::TensorType;
use crate::index_map::{row_major_strides, IndexMap, StridedCopy};
use crate::op::{Call, Class, OpInfo};

const BOUNDS: &[AttributeInfo] = &[
    AttributeInfo::required("begins", AttributeKind::IntArray),
    AttributeInfo::required("ends", AttributeKind::IntArray),
    AttributeInfo::required("step", AttributeKind::IntArray),
];
const PADDING: &[AttributeInfo] = &[
    AttributeInfo::required("padding", AttributeKind::DenseI32s),
    AttributeInfo::required("value", AttributeKind::Float),
];
const DIMENSIONS: &[AttributeInfo] = &[AttributeInfo::required(
    "dimensions",
    AttributeKind::DenseInts,
)];

/// Returns the entries.
pub(super) fn entries() -> impl Iterator<Item = OpInfo> {
    [
        OpInfo {
            name: "slice_static",
            ttir: Some("slice_static"),
            summary: "The elements between bounds, by steps",
            description: "Along each dimension from `begins`, included, to `ends`, excluded. \
                          Negative bounds count from the end. With a negative step, elements are \
                          selected backwards, and the begin is greater than the end.",
            example: "%0 = \"ttir.slice_static\"(%a) <{begins = [0 : i32, 32 : i32], \
                      ends = [64 : i32, 96 : i32], step = [2 : i32, 1 : i32]}> \
                      : (tensor<64x96xbf16>) -> tensor<32x64xbf16>",
            attributes: BOUNDS,
            class: Class::Movement(slice_map),
            verify: verify_slice,
            shape: |call| Ok(slices(call)?.iter().map(|one| one.extent).collect()),
            mismatch: not_the_slice,
            ..MOVEMENT
        },
        OpInfo {
            name: "pad",
            ttir: Some("pad"),
            summary: "The tensor with elements of one value around it",
            description: "`padding` holds two numbers for each dimension: of elements in front of \
                          it and after it. Negative numbers remove elements.",
            example: "%0 = \"ttir.pad\"(%a) <{padding = array<i32: 0, 0, 1, 2>, \
                      value = 0.0 : f32}> : (tensor<64x96xbf16>) -> tensor<64x99xbf16>",
            attributes: PADDING,
            class: Class::Movement(pad_map),
            verify: verify_pad,
            shape: padded_shape,
            mismatch: |_, expected, found| {
                format!(
                    "Output tensor shape ({}) must match the inferred shape: ({})",
                    join(found, ","),
                    join(expected, ",")
                )
            },
            ..MOVEMENT
        },
        OpInfo {
            name: "reverse",
            ttir: Some("reverse"),
            summary: "The elements in reverse order along dimensions",
            example: "%0 = \"ttir.reverse\"(%a) <{dimensions = array<i64: 1>}> \
                      : (tensor<64x96xbf16>) -> tensor<64x96xbf16>",
            attributes: DIMENSIONS,
            class: Class::Movement(reverse_map),
            shape: |call| {
                reversed_dimensions(call)?;
                first_shape(call)
            },
            mismatch: |_, _, _| {
                "failed to verify that all of {input, result} have same shape".into()
            },
            ..MOVEMENT
        },
    ]
    .into_iter()
}

/// A slice along one dimension.
struct Slice {
    /// The index of the first element.
    begin: u64,
    /// The distance of elements.
    step: i64,
    /// The number of elements.
    extent: u64,
}

/// Returns the values of an attribute of integers.
fn values<'a>(call: &'a Call, name: &str) -> &'a [i64] {
    call.attributes.ints(name).unwrap_or_default()
}

/// Returns the slice along each dimension.
fn slices(call: &Call) -> Result<Vec<Slice>, String> {
    let shape = call.operand_shape(0);
    let [begins, ends, steps] = ["begins", "ends", "step"].map(|name| values(call, name));
    if shape.is_empty() {
        return Err("Input must be at least a 1D tensor".into());
    }
    if [begins, ends, steps]
        .iter()
        .any(|one| one.len() != shape.len())
    {
        return Err(
            "Begins, ends, and step attributes must have the same number of elements as \
                    the input tensor rank"
                .into(),
        );
    }
    (0..shape.len())
        .map(|dim| slice(shape, dim, [begins[dim], ends[dim]], steps[dim]))
        .collect()
}

/// Returns the slice along a dimension.
fn slice(shape: &[u64], dim: usize, bounds: [i64; 2], step: i64) -> Result<Slice, String> {
    let extent = i64::try_from(shape[dim]).unwrap_or(i64::MAX);
    let from_start = bounds.map(|bound| if bound < 0 { bound + extent } else { bound });
    let [begin, end] = from_start;
    let is_empty = begin == end;
    let input = format!("({})", join(shape, ", "));
    let out_of_range = |name, bracket, found| {
        format!(
            "Invalid {name} index for dimension {dim}. Expected value in range [-{extent}, \
             {extent}{bracket}, got {found}. Input shape: {input}"
        )
    };
    if !is_empty && !(0..extent).contains(&begin) {
        return Err(out_of_range("begin", ')', bounds[0]));
    }
    if !is_empty && !(0..=extent).contains(&end) {
        return Err(out_of_range("end", ']', bounds[1]));
    }
    let order = match step {
        0 => return Err(format!("Step value for dimension {dim} cannot be zero")),
        1.. if begin > end => Some(("positive", "less")),
        ..=-1 if begin < end => Some(("negative", "greater")),
        _ => None,
    };
    if let Some((sign, order)) = order {
        let text = |at: usize| match bounds[at] {
            bound if bound < 0 => format!("{} ({bound})", from_start[at]),
            bound => bound.to_string(),
        };
        return Err(format!(
            "For {sign} step, begin index must be {order} than or equal to end index for \
             dimension {dim}. Got begin: {}, end: {}, step: {step}, input shape: {input}",
            text(0),
            text(1)
        ));
    }
    Ok(Slice {
        begin: if is_empty { 0 } else { begin as u64 },
        step,
        extent: begin.abs_diff(end).div_ceil(step.unsigned_abs()),
    })
}

fn verify_slice(call: &Call, result: &TensorType) -> Result<(), String> {
    let input = call.operands.first();
    if input.is_some_and(|input| input.element != result.element) {
        return Err("Output tensor must have the same element type as the input tensor".into());
    }
    Ok(())
}

fn not_the_slice(_: &Call, expected: &[u64], found: &[u64]) -> String {
    let mut pairs = expected.iter().zip(found).enumerate();
    let differs = pairs.find(|(_, (expected, found))| expected != found);
    match differs.filter(|_| expected.len() == found.len()) {
        Some((dim, (expected, found))) => format!(
            "Mismatch in dimension {dim} of the output tensor: expected size {expected}, but got \
             {found}"
        ),
        None => "Output tensor must have the same rank as the input tensor".into(),
    }
}

fn slice_map(call: &Call) -> IndexMap {
    let slices = slices(call).unwrap_or_default();
    let strides = row_major_strides(call.operand_shape(0));
    let shape: Vec<u64> = slices.iter().map(|slice| slice.extent).collect();
    let pairs = || slices.iter().zip(&strides);
    let offset = pairs().map(|(slice, stride)| slice.begin * stride).sum();
    let sources = pairs().map(|(slice, &stride)| slice.step.saturating_mul(stride as i64));
    IndexMap::view(&shape, offset, sources.collect())
}

/// Returns, for each dimension, the padding in front of it and after it.
fn paddings(call: &Call) -> Result<Vec<[i64; 2]>, String> {
    let padding = values(call, "padding");
    if padding.len() != 2 * call.operand_shape(0).len() {
        return Err(
            "Padding must have the same number of elements as twice the rank of the input \
                    tensor"
                .into(),
        );
    }
    Ok(padding.chunks(2).map(|pair| [pair[0], pair[1]]).collect())
}

fn padded_shape(call: &Call) -> Result<Vec<u64>, String> {
    let shape = call.operand_shape(0);
    let paddings = paddings(call)?;
    let pairs = shape.iter().zip(paddings).enumerate();
    pairs
        .map(|(dim, (&extent, [low, high]))| {
            let padded = i128::from(extent) + i128::from(low) + i128::from(high);
            u64::try_from(padded).map_err(|_| match padded < 0 {
                true => format!(
                    "padding of dimension {dim} removes more elements than the {extent} it has"
                ),
                false => format!("padding of dimension {dim} makes an extent that exceeds 64 bits"),
            })
        })
        .collect()
}

/// Checks that the result's element type represents the padding exactly if it is an integer type.
fn verify_pad(call: &Call, result: &TensorType) -> Result<(), String> {
    let value = call.attributes.float("value").unwrap_or_default();
    let is_integer = value.fract() == 0.0 && value.abs() <= -f64::from(i32::MIN);
    match result.element.is_integer() && !is_integer {
        true => Err(format!(
            "padding value {value} is not of type '{}'",
            result.element
        )),
        false => Ok(()),
    }
}

fn pad_map(call: &Call) -> IndexMap {
    let shape = call.operand_shape(0);
    let paddings = paddings(call).unwrap_or_default();
    let source = row_major_strides(shape);
    let result = row_major_strides(&padded_shape(call).unwrap_or_default());
    let [mut source_offset, mut result_offset] = [0, 0];
    let mut extents = Vec::new();
    for (dim, [low, high]) in paddings.into_iter().enumerate() {
        let removed = [low, high].map(|padding| padding.min(0).unsigned_abs());
        extents.push(shape[dim].saturating_sub(removed[0] + removed[1]));
        source_offset += removed[0] * source[dim];
        result_offset += low.max(0).unsigned_abs() * result[dim];
    }
    let copy = StridedCopy {
        operand: 0,
        source_offset,
        source_strides: source.iter().map(|&stride| stride as i64).collect(),
        result_offset,
        result_strides: result,
        extents,
    };
    // Negative padding may remove every element of the operand.
    let is_empty = copy.extents.contains(&0);
    IndexMap {
        copies: if is_empty { Vec::new() } else { vec![copy] },
        fill: call.attributes.float("value").unwrap_or_default(),
        lookup: None,
    }
}

/// Returns whether the elements are reversed along each dimension.
fn reversed_dimensions(call: &Call) -> Result<Vec<bool>, String> {
    let named = values(call, "dimensions");
    let rank = call.operand_shape(0).len();
    let mut sorted = named.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    if sorted.len() != named.len() {
        return Err(format!(
            "dimensions should be unique. Got: {}",
            join(named, ", ")
        ));
    }
    let mut reversed = vec![false; rank];
    for &dim in named {
        let Ok(index) = usize::try_from(dim) else {
            return Err(format!(
                "all dimensions should be non-negative. Got dimension: {dim}"
            ));
        };
        *reversed.get_mut(index).ok_or_else(|| {
            format!("all dimensions should be in interval [0, {rank}). Got dimension: {dim}")
        })? = true;
    }
    Ok(reversed)
}

fn reverse_map(call: &Call) -> IndexMap {
    let shape = call.operand_shape(0);
    let reversed = reversed_dimensions(call).unwrap_or_default();
    let mut strides: Vec<i64> = row_major_strides(shape)
        .iter()
        .map(|&one| one as i64)
        .collect();
    let mut offset = 0;
    for dim in (0..shape.len()).filter(|&dim| reversed[dim]) {
        offset += shape[dim].saturating_sub(1) * strides[dim].unsigned_abs();
        strides[dim] = -strides[dim];
    }
    IndexMap::view(shape, offset, strides)
}
