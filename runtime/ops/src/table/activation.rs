//! Activation functions that are composites of element-wise operations.

use super::elementwise::ELEMENTWISE;
use super::first_shape;
use crate::attribute::{AttributeInfo, AttributeKind, AttributeValue, Attributes};
use crate::graph::{Graph, Value};
use crate::op::{Call, CallError, Class, Decompose, OpInfo};
use crate::scalar::Domain;

const SELU: &[AttributeInfo] = &[
    AttributeInfo::optional("scale", AttributeKind::Float),
    AttributeInfo::optional("alpha", AttributeKind::Float),
];

/// The defaults of `scale` and `alpha` of selu, those of tt-mlir.
const SCALE: f64 = 1.050_700_987_339_019_7;
const ALPHA: f64 = 1.673_263_549_804_687_5;

/// Returns the entries.
pub(super) fn entries() -> [OpInfo; 7] {
    [
        OpInfo {
            summary: "The element times itself",
            domain: Domain::Any,
            ..activation("square", square)
        },
        OpInfo {
            summary: "The element, at least 0 and at most 6",
            domain: Domain::Any,
            ..activation("relu6", relu6)
        },
        OpInfo {
            summary: "`(x + 3) / 6`, at least 0 and at most 1",
            ..activation("hardsigmoid", hardsigmoid)
        },
        OpInfo {
            summary: "`x / (1 + |x|)`",
            description: "Infinities are quotients of infinities, which are NaN or undetermined.",
            ..activation("softsign", softsign)
        },
        OpInfo {
            summary: "`log(1 + exp(x))`",
            description: "Computed as `max(x, 0) + log1p(exp(-|x|))`, which does not overflow. \
                          tt-mlir has no such operation.",
            ..activation("softplus", softplus)
        },
        OpInfo {
            summary: "The element times a factor above zero, a scaled exponential below",
            description: "`scale * (max(x, 0) + alpha * expm1(min(x, 0)))`. If they are absent, \
                          `scale` is 1.0507009873390197 and `alpha` is 1.6732635498046875.",
            attributes: SELU,
            ..activation("selu", selu)
        },
        OpInfo {
            summary: "`x * tanh(log(1 + exp(x)))`",
            description:
                "Computed as `x * w / (w + 2)` with `w = exp(x) * (exp(x) + 2)`. Elements \
                          below -200 count as -200, and the exponential is that of 30 above 30, \
                          which is exact in f32.",
            ..activation("mish", mish)
        },
    ]
}

fn activation(name: &'static str, decompose: Decompose) -> OpInfo {
    OpInfo {
        name,
        ttir: Some(name),
        in_ttnn: false,
        class: Class::Composite(decompose),
        domain: Domain::Float,
        shape: first_shape,
        ..ELEMENTWISE
    }
}

const INPUT: Value = Value::Operand(0);

/// Adds an operation without attributes.
fn apply(graph: &mut Graph, name: &'static str, inputs: &[Value]) -> Result<Value, CallError> {
    graph.add(name, inputs, Attributes::none())
}

/// Adds the limitation of a value to a range.
fn clamp(graph: &mut Graph, value: Value, [min, max]: [f64; 2]) -> Result<Value, CallError> {
    let limits = Attributes::none()
        .with("min", AttributeValue::Float(min))
        .with("max", AttributeValue::Float(max));
    graph.add("clamp_scalar", &[value], limits)
}

fn square(_: &Call, graph: &mut Graph) -> Result<(), CallError> {
    apply(graph, "multiply", &[INPUT, INPUT])?;
    Ok(())
}

fn relu6(_: &Call, graph: &mut Graph) -> Result<(), CallError> {
    clamp(graph, INPUT, [0.0, 6.0])?;
    Ok(())
}

fn hardsigmoid(_: &Call, graph: &mut Graph) -> Result<(), CallError> {
    let three = graph.number(3.0, INPUT)?;
    let sum = apply(graph, "add", &[INPUT, three])?;
    let clamped = clamp(graph, sum, [0.0, 6.0])?;
    let sixth = graph.number(1.0 / 6.0, INPUT)?;
    apply(graph, "multiply", &[clamped, sixth])?;
    Ok(())
}

fn softsign(_: &Call, graph: &mut Graph) -> Result<(), CallError> {
    let magnitude = apply(graph, "abs", &[INPUT])?;
    let one = graph.number(1.0, INPUT)?;
    let sum = apply(graph, "add", &[magnitude, one])?;
    apply(graph, "divide", &[INPUT, sum])?;
    Ok(())
}

fn softplus(_: &Call, graph: &mut Graph) -> Result<(), CallError> {
    let magnitude = apply(graph, "abs", &[INPUT])?;
    let negative = apply(graph, "neg", &[magnitude])?;
    let exponential = apply(graph, "exp", &[negative])?;
    let logarithm = apply(graph, "log1p", &[exponential])?;
    let positive = apply(graph, "relu", &[INPUT])?;
    apply(graph, "add", &[positive, logarithm])?;
    Ok(())
}

/// One of both terms is zero, so the sum is exact.
fn selu(call: &Call, graph: &mut Graph) -> Result<(), CallError> {
    let scale = call.attributes.float("scale").unwrap_or(SCALE);
    let alpha = call.attributes.float("alpha").unwrap_or(ALPHA);
    let positive = apply(graph, "relu", &[INPUT])?;
    let factor = graph.number(scale, INPUT)?;
    let positive = apply(graph, "multiply", &[positive, factor])?;
    let zero = graph.number(0.0, INPUT)?;
    let negative = apply(graph, "minimum", &[INPUT, zero])?;
    let exponential = apply(graph, "expm1", &[negative])?;
    let factor = graph.number(scale * alpha, INPUT)?;
    let negative = apply(graph, "multiply", &[exponential, factor])?;
    apply(graph, "add", &[positive, negative])?;
    Ok(())
}

/// Mish at -200 and below is less than the smallest f32 in magnitude; from 30 on it is `x` in f32.
const MISH: [f64; 2] = [-200.0, 30.0];

fn mish(_: &Call, graph: &mut Graph) -> Result<(), CallError> {
    let clamped = clamp(graph, INPUT, MISH)?;
    let exponential = apply(graph, "exp", &[clamped])?;
    let two = graph.number(2.0, INPUT)?;
    let sum = apply(graph, "add", &[exponential, two])?;
    let product = apply(graph, "multiply", &[exponential, sum])?;
    let sum = apply(graph, "add", &[product, two])?;
    let ratio = apply(graph, "divide", &[product, sum])?;
    let least = graph.number(MISH[0], INPUT)?;
    let bounded = apply(graph, "maximum", &[INPUT, least])?;
    apply(graph, "multiply", &[bounded, ratio])?;
    Ok(())
}
