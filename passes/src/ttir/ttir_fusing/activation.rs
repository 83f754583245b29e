//! Activations that are products with a function of the same argument.

use std::f64::consts::FRAC_1_SQRT_2;

use tessera_dialects::mlir::{Op, Reported, Rewriter, Value};
use tessera_ops::Attributes;

use super::{both_orders, defined_by, is_rounded, is_splat, Match};
use crate::ttir::constant_value::splat_number;
use crate::ttir::emitter::Emitter;

/// Forms `ttir.silu` from `x * sigmoid(x)`.
pub fn form_silu<'a>(op: Op<'a>, rewriter: &Rewriter<'a>) -> Result<Option<Match<'a>>, Reported> {
    if !op.is("ttir.multiply") {
        return Ok(None);
    }
    let orders = both_orders(op).into_iter().flatten();
    let argument = orders.into_iter().find_map(|[x, gate]| {
        let sigmoid = defined_by(gate, "sigmoid")?;
        (sigmoid.operand(0)? == x).then_some(x)
    });
    form("silu", argument, op, rewriter)
}

/// Forms `ttir.gelu` from `x * erfc(-x / √2) / 2` or `x * (1 + erf(x / √2)) / 2`, with the factors
/// in any order.
pub fn form_gelu<'a>(op: Op<'a>, rewriter: &Rewriter<'a>) -> Result<Option<Match<'a>>, Reported> {
    let is_product = op.is("ttir.multiply") || op.is("ttir.div");
    let product = op.result(0).filter(|_| is_product);
    let argument = product.and_then(|product| {
        let Product { factors, scale } = Product::new(product);
        let [a, b] = factors[..] else {
            return None;
        };
        let is_half = is_rounded(scale, 0.5, product);
        [[a, b], [b, a]].into_iter().find_map(|[x, gate]| {
            let complement = defined_by(gate, "erfc").and_then(|erfc| erfc.operand(0));
            let (argument, sign) = match complement {
                Some(argument) => (argument, -1.0),
                None => (one_plus_erf(gate)?, 1.0),
            };
            let scaled = Product::new(argument);
            let is_root = is_rounded(scaled.scale, sign * FRAC_1_SQRT_2, x);
            (is_half && is_root && scaled.factors == [x]).then_some(x)
        })
    });
    form("gelu", argument, op, rewriter)
}

/// Returns the argument of `1 + erf(argument)`.
fn one_plus_erf(value: Value) -> Option<Value> {
    let sum = defined_by(value, "add")?;
    both_orders(sum)?
        .into_iter()
        .find(|[one, _]| is_splat(*one, 1.0))
        .and_then(|[_, erf]| defined_by(erf, "erf")?.operand(0))
}

/// Replaces an operation by a function of the argument, if there is one and it has the same type.
fn form<'a>(
    name: &str,
    argument: Option<Value<'a>>,
    op: Op<'a>,
    rewriter: &Rewriter<'a>,
) -> Result<Option<Match<'a>>, Reported> {
    let result = op.result(0).map(Value::r#type);
    let Some(argument) = argument.filter(|x| Some(x.r#type()) == result) else {
        return Ok(None);
    };
    let value = Emitter::new(op, rewriter).emit(name, &[argument], Attributes::none())?;
    Ok(Some(Match::Value(value)))
}

/// A value as a number times other values.
struct Product<'a> {
    scale: f64,
    factors: Vec<Value<'a>>,
}

/// Maximum number of operations in a product.
const MAX_FACTORS: usize = 8;

impl<'a> Product<'a> {
    /// Follows multiplications, negations and divisions by numbers.
    fn new(value: Value<'a>) -> Self {
        let mut product = Product {
            scale: 1.0,
            factors: Vec::new(),
        };
        let mut worklist = vec![value];
        for _ in 0..MAX_FACTORS {
            let Some(value) = worklist.pop() else {
                return product;
            };
            if let Some(number) = splat_number(value) {
                product.scale *= number;
            } else if let Some(op) = defined_by(value, "multiply") {
                worklist.extend(op.operands());
            } else if let Some(op) = defined_by(value, "neg") {
                product.scale = -product.scale;
                worklist.extend(op.operands());
            } else if let Some((dividend, divisor)) = division(value) {
                product.scale /= divisor;
                worklist.push(dividend);
            } else {
                product.factors.push(value);
            }
        }
        product.factors.extend(worklist);
        product
    }
}

/// Returns the dividend and the divisor of a division by a number.
fn division(value: Value) -> Option<(Value, f64)> {
    let op = defined_by(value, "div")?;
    Some((op.operand(0)?, splat_number(op.operand(1)?)?))
}
