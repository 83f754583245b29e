//! Reductions along dimensions, and normalizations.

use super::{first_shape, join, no_check, normalize_dimension, operand, INPUT};
use crate::attribute::{AttributeInfo, AttributeKind, Attributes, Dialects};
use crate::graph::{Graph, Value};
use crate::op::{
    Arity, Call, CallError, Class, Decompose, ElementRule, OpInfo, OperandInfo, Reduction, SEGMENTS,
};
use crate::scalar::{Domain, Reduce};

const COMPUTE_CONFIG: AttributeInfo =
    AttributeInfo::optional("compute_config", AttributeKind::ComputeConfig).only_in(Dialects::Ttnn);
/// The dimensions of a reduction, and whether they stay.
pub(super) const ALONG: &[AttributeInfo] = &[
    AttributeInfo::required("keep_dim", AttributeKind::Bool),
    AttributeInfo::optional("dim_arg", AttributeKind::IntArray),
];
const REDUCTION: &[AttributeInfo] = &[ALONG[0], ALONG[1], COMPUTE_CONFIG];
const SOFTMAX: &[AttributeInfo] = &[
    AttributeInfo::required("dimension", AttributeKind::Int),
    AttributeInfo::flag("numericStable"),
    COMPUTE_CONFIG,
];

const NORM: &[OperandInfo] = &[
    operand("input"),
    OperandInfo {
        name: "weight",
        count: Arity::Optional,
    },
    OperandInfo {
        name: "bias",
        count: Arity::Optional,
    },
];
const NORMALIZED: &[AttributeInfo] = &[
    AttributeInfo::required("normalized_shape", AttributeKind::DenseInts),
    AttributeInfo::optional("epsilon", AttributeKind::Float),
    SEGMENTS,
];

/// The value added to a variance if there is no `epsilon`.
const EPSILON: f64 = 1e-5;

/// An example of a reduction along rows in `ttir`.
macro_rules! along_rows {
    ($name:literal) => {
        concat!(
            "%0 = \"ttir.",
            $name,
            "\"(%a) <{dim_arg = [1 : i32], keep_dim = true}> \
             : (tensor<64x96xbf16>) -> tensor<64x1xbf16>"
        )
    };
}

/// Returns the entries.
pub(super) fn entries() -> impl Iterator<Item = OpInfo> {
    [
        OpInfo {
            example: along_rows!("sum"),
            ..reduction(
                "sum",
                "The sum along dimensions",
                Reduction::Fold(Reduce::Sum),
            )
        },
        OpInfo {
            example: along_rows!("mean"),
            ..reduction("mean", "The mean along dimensions", Reduction::Mean)
        },
        OpInfo {
            example: along_rows!("max"),
            ..reduction(
                "max",
                "The largest element along dimensions",
                Reduction::Fold(Reduce::Max),
            )
        },
        OpInfo {
            example: along_rows!("min"),
            ..reduction(
                "min",
                "The smallest element along dimensions",
                Reduction::Fold(Reduce::Min),
            )
        },
        OpInfo {
            summary: "Exponentials divided by their sum along a dimension",
            description:
                "The largest element is subtracted first, whatever `numericStable` says, so \
                          that nothing overflows.",
            example: "%0 = \"ttir.softmax\"(%a) <{dimension = 1 : si32}> \
                      : (tensor<64x96xbf16>) -> tensor<64x96xbf16>",
            attributes: SOFTMAX,
            class: Class::Composite(softmax),
            domain: Domain::Float,
            shape: softmax_shape,
            mismatch: |_, _, _| "Input and output shapes must be the same".into(),
            ..reduction("softmax", "", Reduction::Mean)
        },
        OpInfo {
            summary: "Elements less their mean, over their standard deviation",
            description: "`(x - mean) / sqrt(variance + epsilon) * weight + bias`, with mean and \
                          variance along the last dimensions, those of `normalized_shape`. There \
                          may be no weight and no bias; `epsilon` is 1e-5 if it is absent.",
            example: "%0 = \"ttir.layer_norm\"(%a, %weight, %bias) <{epsilon = 1.0e-05 : f32, \
                      normalized_shape = array<i64: 96>, \
                      operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<64x96xbf16>, \
                      tensor<96xbf16>, tensor<96xbf16>) -> tensor<64x96xbf16>",
            ..norm("layer_norm", layer_norm)
        },
        OpInfo {
            summary: "Elements over the root of the mean of their squares",
            description: "`x / sqrt(mean(x * x) + epsilon) * weight + bias`, with the mean along \
                          the last dimensions, those of `normalized_shape`. There may be no \
                          weight and no bias; `epsilon` is 1e-5 if it is absent.",
            example: "%0 = \"ttir.rms_norm\"(%a, %weight) <{epsilon = 1.0e-05 : f32, \
                      normalized_shape = array<i64: 96>, \
                      operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<64x96xbf16>, \
                      tensor<96xbf16>) -> tensor<64x96xbf16>",
            ..norm("rms_norm", rms_norm)
        },
    ]
    .into_iter()
}

/// Returns the entry of a reduction along dimensions.
pub(super) fn reduction(name: &'static str, summary: &'static str, reduction: Reduction) -> OpInfo {
    OpInfo {
        name,
        ttir: Some(name),
        in_ttnn: true,
        summary,
        description:
            "Along all dimensions if there is no `dim_arg`; with `keep_dim` the dimensions \
                      stay, with extent 1.",
        example: "",
        operands: INPUT,
        attributes: REDUCTION,
        class: Class::Reduction(reduction),
        elements: ElementRule::Same,
        domain: match reduction {
            // The mean of integers is not an integer.
            Reduction::Mean => Domain::Float,
            Reduction::Fold(_) => Domain::Any,
        },
        verify: no_check,
        shape: reduced_shape,
        mismatch: |_, expected, found| {
            format!(
                "Expected output shape ({}), got ({})",
                join(expected, ", "),
                join(found, ", ")
            )
        },
    }
}

fn norm(name: &'static str, decompose: Decompose) -> OpInfo {
    OpInfo {
        in_ttnn: false,
        operands: NORM,
        attributes: NORMALIZED,
        class: Class::Composite(decompose),
        domain: Domain::Float,
        shape: normalized_shape,
        mismatch: |_, _, _| "input and output must have the same shape".into(),
        ..reduction(name, "", Reduction::Mean)
    }
}

impl Call<'_> {
    /// Returns the dimensions of a reduction in ascending order: those that `dim_arg` names, or
    /// all.
    ///
    /// # Errors
    /// If it names one that there is not, or one twice.
    pub fn reduced_dimensions(&self) -> Result<Vec<usize>, String> {
        let rank = self.operand_shape(0).len();
        let Some(named) = self.attributes.ints("dim_arg") else {
            return Ok((0..rank).collect());
        };
        let mut dims = Vec::new();
        for &named in named {
            dims.push(normalize_dimension(named, rank).ok_or_else(|| {
                format!("Reduce dimension {named} is out of range for input tensor of rank {rank}")
            })?);
        }
        dims.sort_unstable();
        let count = dims.len();
        dims.dedup();
        match dims.len() == count {
            true => Ok(dims),
            false => Err("Reduce dimensions are not unique".into()),
        }
    }
}

fn reduced_shape(call: &Call) -> Result<Vec<u64>, String> {
    let dims = call.reduced_dimensions()?;
    let keeps = call.attributes.flag("keep_dim");
    let extents = call.operand_shape(0).iter().enumerate();
    let left = extents.filter_map(|(axis, &extent)| match (dims.contains(&axis), keeps) {
        (false, _) => Some(extent),
        (true, true) => Some(1),
        (true, false) => None,
    });
    Ok(left.collect())
}

/// Builds `exp(x - max(x)) / sum(exp(x - max(x)))`.
fn softmax(call: &Call, graph: &mut Graph) -> Result<(), CallError> {
    let rank = call.operand_shape(0).len();
    let named = call.attributes.int("dimension").unwrap_or_default();
    let dims: Vec<usize> = normalize_dimension(named, rank).into_iter().collect();
    let none = Attributes::none;
    let input = Value::Operand(0);
    let largest = graph.reduce("max", input, &dims)?;
    let below = graph.add("subtract", &[input, largest], none())?;
    let exponentials = graph.add("exp", &[below], none())?;
    let sums = graph.reduce("sum", exponentials, &dims)?;
    graph.add("divide", &[exponentials, sums], none())?;
    Ok(())
}

/// Builds `(x - mean(x)) * rsqrt(mean((x - mean(x))²) + epsilon) * weight + bias`.
fn layer_norm(call: &Call, graph: &mut Graph) -> Result<(), CallError> {
    let input = Value::Operand(0);
    let mean = graph.reduce("mean", input, &normalized_dimensions(call))?;
    let centered = graph.add("subtract", &[input, mean], Attributes::none())?;
    normalize(call, graph, centered)
}

/// Builds `x * rsqrt(mean(x²) + epsilon) * weight + bias`.
fn rms_norm(call: &Call, graph: &mut Graph) -> Result<(), CallError> {
    normalize(call, graph, Value::Operand(0))
}

/// Divides a value by the root of the mean of its squares, multiplies the weight and adds the bias.
fn normalize(call: &Call, graph: &mut Graph, value: Value) -> Result<(), CallError> {
    let none = Attributes::none;
    let squares = graph.add("multiply", &[value, value], none())?;
    let mean = graph.reduce("mean", squares, &normalized_dimensions(call))?;
    let epsilon = call.attributes.float("epsilon").unwrap_or(EPSILON);
    let epsilon = graph.number(epsilon, mean)?;
    let sum = graph.add("add", &[mean, epsilon], none())?;
    let root = graph.add("rsqrt", &[sum], none())?;
    let mut result = graph.add("multiply", &[value, root], none())?;
    let present = call.operand_indices()?;
    for (operand, operation) in [(1, "multiply"), (2, "add")] {
        if let Some(Some(number)) = present.get(operand) {
            result = graph.add(operation, &[result, Value::Operand(*number)], none())?;
        }
    }
    Ok(())
}

/// Returns the last dimensions of the input, as many as `normalized_shape` has.
fn normalized_dimensions(call: &Call) -> Vec<usize> {
    let count = call
        .attributes
        .ints("normalized_shape")
        .map_or(0, <[_]>::len);
    let rank = call.operand_shape(0).len();
    (rank.saturating_sub(count)..rank).collect()
}

/// Infers the shape of the input, which must end in `normalized_shape`, the shape of weight and
/// bias.
fn normalized_shape(call: &Call) -> Result<Vec<u64>, String> {
    let named = call.attributes.ints("normalized_shape").unwrap_or_default();
    let shape = call.operand_shape(0);
    let is_normalized = |shape: &[u64]| {
        let extents = shape.iter().map(|&extent| i64::try_from(extent).ok());
        extents.eq(named.iter().copied().map(Some))
    };
    let Some(leading) = shape.len().checked_sub(named.len()) else {
        return Err("normalized_shape has more dimensions than input tensor".into());
    };
    if named.is_empty() {
        return Err("normalized_shape cannot be empty".into());
    }
    if !is_normalized(&shape[leading..]) {
        return Err(
            "normalized_shape dimensions must match trailing dimensions of input tensor".into(),
        );
    }
    let present = call.operand_indices().map_err(|error| error.to_string())?;
    for (operand, number) in call.op.operands.iter().zip(present).skip(1) {
        if number.is_some_and(|number| !is_normalized(call.operand_shape(number))) {
            return Err(format!(
                "{} tensor shape must match normalized_shape",
                operand.name
            ));
        }
    }
    first_shape(call)
}

fn softmax_shape(call: &Call) -> Result<Vec<u64>, String> {
    let named = call.attributes.int("dimension").unwrap_or_default();
    match normalize_dimension(named, call.operand_shape(0).len()) {
        Some(_) => first_shape(call),
        None => Err("Dimension attribute must be within the bounds of the input tensor".into()),
    }
}
