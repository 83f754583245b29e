//! Matrix products.

use super::{join, no_check, operand};
use crate::attribute::{AttributeInfo, AttributeKind, Dialects};
use crate::op::{Arity, Call, Class, ElementRule, OpInfo, OperandInfo};
use crate::scalar::Domain;
use crate::shape::broadcast;

const MATMUL: &[OperandInfo] = &[operand("a"), operand("b")];
const LINEAR: &[OperandInfo] = &[
    operand("a"),
    operand("b"),
    OperandInfo {
        name: "bias",
        count: Arity::Optional,
    },
];
const ATTRIBUTES: &[AttributeInfo] = &[
    AttributeInfo::flag("transpose_a"),
    AttributeInfo::flag("transpose_b"),
    AttributeInfo::optional("activation", AttributeKind::Text).only_in(Dialects::Ttnn),
    AttributeInfo::optional("compute_config", AttributeKind::ComputeConfig).only_in(Dialects::Ttnn),
];

/// Returns the entries.
pub(super) fn entries() -> impl Iterator<Item = OpInfo> {
    [
        OpInfo {
            name: "matmul",
            ttir: Some("matmul"),
            summary: "Matrix product, batched over the leading dimensions",
            description: "`a : [.., m, k]` times `b : [.., k, n]` gives `[.., m, n]`; the leading \
                          dimensions are broadcast. A 1-D `a` is a row, a 1-D `b` a column, and \
                          the dimension so added is dropped from the result. `transpose_a` and \
                          `transpose_b` swap the last two dimensions first and mean nothing for a \
                          1-D operand.",
            example: "%0 = \"ttir.matmul\"(%a, %b) <{transpose_b = true}> \
                      : (tensor<64x128xbf16>, tensor<96x128xbf16>) -> tensor<64x96xbf16>",
            operands: MATMUL,
            ..CONTRACTION
        },
        OpInfo {
            name: "linear",
            ttir: Some("linear"),
            summary: "Matrix product plus bias",
            description: "As `ttir.matmul`, and the third operand, if there is one, is added to \
                          the product, broadcast.",
            example: "%0 = \"ttir.linear\"(%a, %b, %bias) : (tensor<64x128xbf16>, \
                      tensor<128x96xbf16>, tensor<96xbf16>) -> tensor<64x96xbf16>",
            operands: LINEAR,
            ..CONTRACTION
        },
    ]
    .into_iter()
}

/// Default entry of matrix products.
const CONTRACTION: OpInfo = OpInfo {
    name: "",
    ttir: None,
    in_ttnn: true,
    summary: "",
    description: "",
    example: "",
    operands: MATMUL,
    attributes: ATTRIBUTES,
    class: Class::Contraction,
    elements: ElementRule::Same,
    domain: Domain::Any,
    verify: no_check,
    shape: contracted_shape,
    mismatch: not_contracted,
};

/// Infers the shape of `a @ b (+ bias)`; it is `[1]` for a dot product of vectors.
fn contracted_shape(call: &Call) -> Result<Vec<u64>, String> {
    let product = product_shape(
        call.operand_shape(0),
        call.attributes.flag("transpose_a"),
        call.operand_shape(1),
        call.attributes.flag("transpose_b"),
    )?;
    let shape = match call.operands.get(2) {
        Some(bias) => with_bias(product, &bias.shape)?,
        None => product,
    };
    Ok(if shape.is_empty() { vec![1] } else { shape })
}

/// Returns the shape of `a @ b`, which is empty for a dot product of vectors.
///
/// # Errors
/// Upstream's text for operands that have no product.
pub fn product_shape(
    a: &[u64],
    transpose_a: bool,
    b: &[u64],
    transpose_b: bool,
) -> Result<Vec<u64>, String> {
    if a.is_empty() {
        return Err("Input A must be at least a 1D tensor".into());
    }
    if b.is_empty() {
        return Err("Input B must be at least a 1D tensor".into());
    }
    let (batch_a, [m, k_a]) = matrix(a, transpose_a, |k| [1, k]);
    let (batch_b, [k_b, n]) = matrix(b, transpose_b, |k| [k, 1]);
    if k_a != k_b {
        return Err(format!(
            "Input A[-1]({k_a}) and B[-2]({k_b}) must have matching inner dimensions"
        ));
    }
    let mut shape = broadcast(batch_a, batch_b).ok_or_else(|| {
        let (a, b) = (join(batch_a, ","), join(batch_b, ","));
        format!("Batch dimensions of input A({a}) and B({b}) are not broadcast compatible")
    })?;
    shape.extend((a.len() > 1).then_some(m));
    shape.extend((b.len() > 1).then_some(n));
    Ok(shape)
}

/// Returns the leading dimensions and the matrix that follows. A vector is promoted to a matrix by
/// `promote` and is never transposed.
fn matrix(shape: &[u64], transpose: bool, promote: fn(u64) -> [u64; 2]) -> (&[u64], [u64; 2]) {
    match shape {
        [batch @ .., rows, columns] if transpose => (batch, [*columns, *rows]),
        [batch @ .., rows, columns] => (batch, [*rows, *columns]),
        [length] => (&[], promote(*length)),
        [] => (&[], promote(1)),
    }
}

fn with_bias(product: Vec<u64>, bias: &[u64]) -> Result<Vec<u64>, String> {
    if bias.is_empty() {
        return Err("Bias must be at least a 1D tensor".into());
    }
    broadcast(&product, bias).ok_or_else(|| {
        format!(
            "Bias shape({}) is not broadcast compatible with the matmul output shape({})",
            join(bias, ","),
            join(&product, ",")
        )
    })
}

fn not_contracted(call: &Call, expected: &[u64], found: &[u64]) -> String {
    let is_dot = call.operand_shape(0).len() == 1 && call.operand_shape(1).len() == 1;
    if is_dot && expected == [1] && call.operands.len() == 2 {
        return match found {
            [] => "Scalar output is not supported, output must be at least a 1D tensor".into(),
            _ => "Scalar output must be a 1D tensor of size 1".into(),
        };
    }
    if found.len() != expected.len() {
        return format!(
            "Output shape rank({}) must match the expected output shape rank({})",
            found.len(),
            expected.len()
        );
    }
    let pairs = found.iter().zip(expected).enumerate();
    let mut differing = pairs.filter(|(_, (found, expected))| found != expected);
    differing
        .next()
        .map_or_else(String::new, |(index, (found, expected))| {
            format!(
                "Output shape dimension[{index}]({found}) doesn't match the expected output shape \
             dimension[{index}]({expected})"
            )
        })
}
