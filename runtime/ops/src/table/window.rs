//! Pooling: reductions over windows of an image.
//!
//! The shape of a window is separable, so rows are reduced first, then columns. A step combines
//! strided slices of the padded input, one for each offset in the window. Slices along rows copy
//! whole tiles. Sums of bf16 are computed in f32 and rounded once.

use super::folds::wide;
use super::spatial::{pair, quadruple, require, require_rank, Axis};
use super::INPUT;
use crate::attribute::{AttributeInfo, AttributeKind, Attributes, Presence};
use crate::element::{ElementType, TensorType};
use crate::graph::{Graph, Value};
use crate::op::{Call, CallError, Class, Decompose, ElementRule, OpInfo};
use crate::scalar::Domain;

const MAX_POOL: &[AttributeInfo] = &[
    AttributeInfo::required("kernel", AttributeKind::IntOrDenseI32s),
    AttributeInfo::required("stride", AttributeKind::IntOrDenseI32s),
    AttributeInfo::required("dilation", AttributeKind::IntOrDenseI32s),
    AttributeInfo::required("padding", AttributeKind::IntOrDenseI32s),
    AttributeInfo::required("ceil_mode", AttributeKind::Bool),
];
const AVG_POOL: &[AttributeInfo] = &[
    MAX_POOL[0],
    MAX_POOL[1],
    MAX_POOL[2],
    MAX_POOL[3],
    MAX_POOL[4],
    AttributeInfo {
        presence: Presence::Default("true"),
        ..AttributeInfo::required("count_include_pad", AttributeKind::Bool)
    },
];

const DESCRIPTION: &str = "Tensors have the dimensions batch, height, width and channels. \
     `kernel`, `stride` and `dilation` are one number, or one for height and one for width. \
     `padding` is one number, one for height and one for width, or four: top, left, bottom and \
     right. With `ceil_mode` a last window may exceed the padded input, if it starts inside.";

/// Returns the entries.
pub(super) fn entries() -> impl Iterator<Item = OpInfo> {
    [
        OpInfo {
            name: "max_pool2d",
            ttir: Some("max_pool2d"),
            summary: "The largest element of each window of an image",
            description: DESCRIPTION,
            example: "%0 = \"ttir.max_pool2d\"(%a) <{kernel = array<i32: 2, 2>, \
                      stride = array<i32: 2, 2>, dilation = array<i32: 1, 1>, \
                      padding = array<i32: 0, 0, 0, 0>, ceil_mode = false}> \
                      : (tensor<1x32x32x64xbf16>) -> tensor<1x16x16x64xbf16>",
            attributes: MAX_POOL,
            ..pooling(max_pool)
        },
        OpInfo {
            name: "avg_pool2d",
            ttir: Some("avg_pool2d"),
            summary: "The mean of each window of an image",
            description: "As `max_pool2d`. Unless `count_include_pad` is false, the mean includes \
                          the zeros of the padding.",
            example: "%0 = \"ttir.avg_pool2d\"(%a) <{kernel = 3 : i32, stride = 1 : i32, \
                      dilation = 1 : i32, padding = 1 : i32, ceil_mode = false}> \
                      : (tensor<1x32x32x64xbf16>) -> tensor<1x32x32x64xbf16>",
            attributes: AVG_POOL,
            domain: Domain::Float,
            ..pooling(avg_pool)
        },
    ]
    .into_iter()
}

fn pooling(decompose: Decompose) -> OpInfo {
    OpInfo {
        name: "",
        ttir: None,
        in_ttnn: false,
        summary: "",
        description: "",
        example: "",
        operands: INPUT,
        attributes: MAX_POOL,
        class: Class::Composite(decompose),
        elements: ElementRule::Same,
        domain: Domain::Any,
        verify,
        shape,
        mismatch,
    }
}

fn verify(call: &Call, result: &TensorType) -> Result<(), String> {
    require_rank("input", call.operand_shape(0))?;
    require_rank("output", &result.shape)
}

/// Returns height and width of the windows.
fn axes(call: &Call) -> Result<[Axis; 2], String> {
    let input = call.operand_shape(0);
    require_rank("input", input)?;
    let named = |name: &str| pair(call, name).map_err(|error| format!("{error} attribute"));
    let [kernel, stride, dilation] = [named("kernel")?, named("stride")?, named("dilation")?];
    let padding = quadruple(call, "padding").map_err(|error| format!("{error} attribute"))?;
    require(&kernel, 1, "kernel size attribute values must be > 0")?;
    require(&stride, 1, "stride attribute values must be > 0")?;
    require(&dilation, 1, "dilation attribute values must be > 0")?;
    require(&padding, 0, "padding attribute values must be >= 0")?;
    let axes = [0, 1].map(|at| Axis {
        extent: input[1 + at],
        kernel: kernel[at].unsigned_abs(),
        stride: stride[at].unsigned_abs(),
        dilation: dilation[at].unsigned_abs(),
        padding: [padding[at], padding[at + 2]].map(i64::unsigned_abs),
        is_ceiling: call.attributes.flag("ceil_mode"),
    });
    let [rows, columns] = &axes;
    if axes.iter().any(|axis| axis.padded() < axis.span()) {
        return Err(format!(
            "effective kernel size ({}, {}) cannot be greater than the padded input size per \
             channel ({}, {})",
            rows.span(),
            columns.span(),
            rows.padded(),
            columns.padded()
        ));
    }
    Ok(axes)
}

fn shape(call: &Call) -> Result<Vec<u64>, String> {
    let [rows, columns] = axes(call)?;
    let input = call.operand_shape(0);
    Ok(vec![input[0], rows.outputs(), columns.outputs(), input[3]])
}

fn mismatch(_: &Call, expected: &[u64], found: &[u64]) -> String {
    let ([batch, .., channels], &[b, h, w, c]) = (expected, found) else {
        return "output must be a 4D tensor".into();
    };
    if *batch != b {
        return format!(
            "batch size from the input tensor ({batch}) must match the first dimension of the \
             output tensor ({b})"
        );
    }
    if *channels != c {
        return format!(
            "number of output channels from the output tensor ({c}) must match the number of \
             input channels ({channels})"
        );
    }
    format!(
        "output tensor height and width dimension ({h}, {w}) do not match the expected dimensions \
         ({}, {})",
        expected[1], expected[2]
    )
}

fn max_pool(call: &Call, graph: &mut Graph) -> Result<(), CallError> {
    let input = Value::Operand(0);
    let least = match graph.type_of(input).element {
        ElementType::Int(_) | ElementType::Uint(_) => i32::MIN.into(),
        _ => f64::NEG_INFINITY,
    };
    let axes = axes(call).map_err(CallError::Shape)?;
    let mut value = input;
    for (dim, axis) in axes.iter().enumerate() {
        value = combine(graph, value, dim + 1, axis, ("maximum", least))?;
    }
    graph.finish(value, &call.infer_shape()?)
}

fn avg_pool(call: &Call, graph: &mut Graph) -> Result<(), CallError> {
    let input = Value::Operand(0);
    let element = graph.type_of(input).element;
    let axes = axes(call).map_err(CallError::Shape)?;
    let mut value = graph.cast(input, wide(element))?;
    for (dim, axis) in axes.iter().enumerate() {
        value = combine(graph, value, dim + 1, axis, ("add", 0.0))?;
    }
    let includes_padding = call.attributes.get("count_include_pad").is_none()
        || call.attributes.flag("count_include_pad");
    let counts = axes.each_ref().map(|axis| axis.counts(includes_padding));
    if counts.iter().flatten().any(|&count| count == 0) {
        return Err(CallError::Shape(
            "a window covers nothing but padding".into(),
        ));
    }
    let is_uniform = |counts: &Vec<u64>| counts.iter().all(|count| *count == counts[0]);
    let none = Attributes::none;
    if counts.iter().all(is_uniform) {
        let number = graph.number((counts[0][0] * counts[1][0]) as f64, value)?;
        value = graph.add("divide", &[value, number], none())?;
    } else {
        for (dim, counts) in counts.iter().enumerate() {
            let mut shape = vec![1; 4];
            shape[dim + 1] = counts.len() as u64;
            let counts: Vec<f32> = counts.iter().map(|&count| count as f32).collect();
            let counts = graph.constant_f32(&shape, &counts)?;
            value = graph.add("divide", &[value, counts], none())?;
        }
    }
    let value = graph.cast(value, element)?;
    graph.finish(value, &call.infer_shape()?)
}

/// Combines the elements of each window along one dimension by a binary operation. `padding` is
/// its identity.
fn combine(
    graph: &mut Graph,
    value: Value,
    dim: usize,
    axis: &Axis,
    (operation, padding): (&'static str, f64),
) -> Result<Value, CallError> {
    let value = axis.pad(graph, value, dim, padding)?;
    let mut result = axis.slice(graph, value, dim, 0)?;
    for offset in 1..axis.kernel {
        let other = axis.slice(graph, value, dim, offset)?;
        result = graph.add(operation, &[result, other], Attributes::none())?;
    }
    Ok(result)
}
