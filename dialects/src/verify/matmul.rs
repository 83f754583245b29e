//! The shape rule of `matmul` and `linear`, the same in TTIR and TTNN, with upstream's texts in upstream's order.

use super::shape::{broadcast, join, of};
use crate::mlir::{Op, Value};

/// Checks `result = a @ b (+ bias)`; the transposition flags are those of `op`.
pub(crate) fn verify(
    op: Op,
    a: Value,
    b: Value,
    bias: Option<Value>,
    result: Value,
) -> Result<(), String> {
    let product = product_shape(
        &of(a)?,
        op.flag("transpose_a"),
        &of(b)?,
        op.flag("transpose_b"),
    )?;
    let expected = match bias {
        Some(bias) => with_bias(product, &of(bias)?)?,
        None => product,
    };
    check_result(&expected, &of(result)?)
}

/// The shape of `a @ b`: empty for the product of two vectors.
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

/// The leading dimensions and the matrix behind them; a vector becomes a matrix by `promote` and is never transposed.
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
        let (bias, product) = (join(bias, ","), join(&product, ","));
        format!("Bias shape({bias}) is not broadcast compatible with the matmul output shape({product})")
    })
}

fn check_result(expected: &[u64], result: &[u64]) -> Result<(), String> {
    if expected.is_empty() {
        return match result {
            [] => Err("Scalar output is not supported, output must be at least a 1D tensor".into()),
            [1] => Ok(()),
            _ => Err("Scalar output must be a 1D tensor of size 1".into()),
        };
    }
    if result.len() != expected.len() {
        let (found, expected) = (result.len(), expected.len());
        return Err(format!(
            "Output shape rank({found}) must match the expected output shape rank({expected})"
        ));
    }
    for (index, (found, expected)) in result.iter().zip(expected).enumerate() {
        if found != expected {
            return Err(format!(
                "Output shape dimension[{index}]({found}) doesn't match the expected output shape \
                 dimension[{index}]({expected})"
            ));
        }
    }
    Ok(())
}
