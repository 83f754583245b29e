//! Element-wise operations: those derived from [`crate::scalar`], and those with more operands or
//! parameters.

use super::{first_shape, join, no_check, operand, INPUT};
use crate::attribute::{AttributeInfo, AttributeKind, Dialects};
use crate::element::{ElementType, TensorType};
use crate::op::{Call, Class, ElementRule, OpInfo, OperandInfo, Parametric, Ternary};
use crate::scalar::{Binary, Domain, Unary};
use crate::shape::broadcast;

const BINARY: &[OperandInfo] = &[operand("lhs"), operand("rhs")];
const WHERE: &[OperandInfo] = &[operand("first"), operand("second"), operand("third")];
const CLAMP: &[OperandInfo] = &[operand("input"), operand("min"), operand("max")];
const PARAMETER: &[AttributeInfo] = &[AttributeInfo::required("parameter", AttributeKind::Float)];
const LIMITS: &[AttributeInfo] = &[
    AttributeInfo::required("min", AttributeKind::Number),
    AttributeInfo::required("max", AttributeKind::Number),
];
const CONSERVATIVE: &[AttributeInfo] =
    &[AttributeInfo::flag("conservative_folding").only_in(Dialects::Ttir)];

/// Returns the entries.
pub(super) fn entries() -> impl Iterator<Item = OpInfo> {
    let unaries = Unary::ALL.iter().map(|&function| unary(function));
    let binaries = Binary::ALL.iter().filter(|one| one.info().ttir.is_some());
    let binaries = binaries.map(|&function| binary(function));
    unaries.chain(binaries).chain(others())
}

/// Default entry of element-wise operations.
pub(super) const ELEMENTWISE: OpInfo = OpInfo {
    name: "",
    ttir: None,
    in_ttnn: true,
    summary: "",
    description: "",
    example: "",
    operands: INPUT,
    attributes: &[],
    class: Class::Cast,
    elements: ElementRule::Same,
    domain: Domain::Any,
    verify: no_check,
    shape: broadcast_shape,
    mismatch: not_broadcast,
};

fn unary(function: Unary) -> OpInfo {
    OpInfo {
        name: function.name(),
        ttir: Some(function.name()),
        summary: function.info().summary,
        description: match function {
            Unary::Round => "tt-mlir has no such operation; StableHLO's is `round_nearest_even`.",
            _ => "",
        },
        class: Class::Unary(function),
        elements: match function.is_predicate() {
            true => ElementRule::Predicate,
            false => ElementRule::Same,
        },
        domain: function.domain(),
        ..ELEMENTWISE
    }
}

fn binary(function: Binary) -> OpInfo {
    OpInfo {
        name: function.name(),
        ttir: function.info().ttir,
        summary: function.info().summary,
        description: match function {
            Binary::Remainder => {
                "The operands are broadcast. The remainder is that of C's `fmod`, as in tt-mlir's \
                 `ttir` and in StableHLO. `remainder` of tt-metal has the sign of the divisor \
                 instead. An integer divided by 0 leaves itself. Quotients of floating-point \
                 numbers from 2^21 on are not supported on chips: the result is not finite, or \
                 exact."
            }
            Binary::Atan2 => {
                "The operands are broadcast. The result is from -π to π; zeros have signs."
            }
            _ => "The operands are broadcast.",
        },
        operands: BINARY,
        class: Class::Binary(function),
        elements: match function.is_predicate() {
            true => ElementRule::Predicate,
            false => ElementRule::Same,
        },
        domain: function.domain(),
        verify: match function {
            Binary::ShiftLeft | Binary::ShiftRight | Binary::ShiftRightSigned => verify_shift,
            _ => no_check,
        },
        ..ELEMENTWISE
    }
}

/// Checks that operands and result of a shift are integers, as upstream requires.
fn verify_shift(call: &Call, result: &TensorType) -> Result<(), String> {
    const NAMES: [&str; 3] = ["Left operand", "Right operand", "Output"];
    let elements = call
        .operands
        .iter()
        .chain([result])
        .map(|tensor| tensor.element);
    let is_float = |element: ElementType| {
        !matches!(
            element,
            ElementType::Bool | ElementType::Int(_) | ElementType::Uint(_)
        )
    };
    match NAMES
        .iter()
        .zip(elements)
        .find(|(_, element)| is_float(*element))
    {
        None => Ok(()),
        Some((name, element)) => Err(format!(
            "{name} element type must be integer, but got '{element}'"
        )),
    }
}

fn others() -> [OpInfo; 5] {
    [
        OpInfo {
            name: "where",
            ttir: Some("where"),
            summary: "The second element where the first is not zero, else the third",
            description: "The operands are broadcast.",
            operands: WHERE,
            class: Class::Ternary(Ternary::Where),
            elements: ElementRule::AllButFirst,
            ..ELEMENTWISE
        },
        OpInfo {
            name: "clamp_tensor",
            ttir: Some("clamp_tensor"),
            summary: "The first element, at least the second, at most the third",
            description: "The operands are broadcast.",
            operands: CLAMP,
            class: Class::Ternary(Ternary::Clamp),
            ..ELEMENTWISE
        },
        OpInfo {
            name: "leaky_relu",
            ttir: Some("leaky_relu"),
            summary: "The element, times a number where it is negative",
            example: "%0 = \"ttir.leaky_relu\"(%a) <{parameter = 0.01 : f32}> \
                      : (tensor<64x96xbf16>) -> tensor<64x96xbf16>",
            attributes: PARAMETER,
            class: Class::Parametric(Parametric::LeakyRelu),
            domain: Domain::Any,
            ..ELEMENTWISE
        },
        OpInfo {
            name: "clamp_scalar",
            ttir: Some("clamp_scalar"),
            summary: "The element, limited to a range",
            example: "%0 = \"ttir.clamp_scalar\"(%a) <{max = 3.0 : f32, min = 2.0 : f32}> \
                      : (tensor<64x96xbf16>) -> tensor<64x96xbf16>",
            attributes: LIMITS,
            class: Class::Parametric(Parametric::Clamp),
            shape: first_shape,
            mismatch: |_, _, _| "input and output must have same shape.".into(),
            ..ELEMENTWISE
        },
        OpInfo {
            name: "typecast",
            ttir: Some("typecast"),
            summary: "The tensor with another element type",
            description:
                "Floating-point results are rounded to nearest. A cast to the same type is \
                 removed. So are a cast to a type that represents all values of the operand and \
                 the cast back. Casts that round are never removed, so upstream's flag \
                 `conservative_folding`, which requests that, has no effect.",
            example: "%0 = \"ttir.typecast\"(%a) : (tensor<64x96xf32>) -> tensor<64x96xbf16>",
            attributes: CONSERVATIVE,
            class: Class::Cast,
            elements: ElementRule::Any,
            ..ELEMENTWISE
        },
    ]
}

/// Infers the shape to which all operands broadcast.
fn broadcast_shape(call: &Call) -> Result<Vec<u64>, String> {
    let mut expected = Vec::new();
    for operand in call.operands {
        expected = broadcast(&expected, &operand.shape).ok_or_else(|| {
            format!(
                "operand shape ({}) is not broadcast compatible with inferred operand shapes ({})",
                join(&operand.shape, ", "),
                join(&expected, ", ")
            )
        })?;
    }
    Ok(expected)
}

fn not_broadcast(_: &Call, expected: &[u64], found: &[u64]) -> String {
    format!(
        "result shape ({}) doesn't match expected shape after broadcasting ({})",
        join(found, ", "),
        join(expected, ", ")
    )
}
