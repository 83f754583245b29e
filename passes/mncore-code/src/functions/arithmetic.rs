//! Sums, products, signs, maxima and minima: one or two steps each.

use tessera_isa_mncore::table::{AluKind, MauKind};

use super::recipe::{minus, number, word, ItemBuilder, SIGN};
use tessera_mncore_ir::item::{Operand, Source, Value};

pub(super) fn add(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    vec![r.add(x[0].clone(), x[1].clone())]
}

pub(super) fn sub(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    vec![r.add(x[0].clone(), minus(x[1].clone()))]
}

pub(super) fn mul(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    vec![r.mul(x[0].clone(), x[1].clone())]
}

pub(super) fn fma(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    vec![r.mau(MauKind::Vfma, x.to_vec())]
}

pub(super) fn neg(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    vec![r.int(AluKind::Xor, x[0].clone(), word(SIGN))]
}

pub(super) fn abs(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    vec![r.int(AluKind::And, x[0].clone(), word(!SIGN))]
}

pub(super) fn max(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    vec![r.max(x[0].clone(), x[1].clone())]
}

pub(super) fn min(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    vec![r.min(x[0].clone(), x[1].clone())]
}

/// Returns `x` where its sign is clear, otherwise -0; it has one operand and no constant.
pub(super) fn relu(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    vec![r.float(AluKind::Relu, &[x[0].clone(), x[0].clone()])]
}

/// Returns the slope of a leaky ReLU if it is a finite nonzero constant.
pub(super) fn slope(operand: &Operand) -> Option<f32> {
    match operand.source {
        Source::Constant(word) => {
            let slope = f32::from_bits(word);
            slope.is_normal().then_some(slope)
        }
        _ => None,
    }
}

/// Returns the maximum of `x` and `slope · x`; the minimum for a slope of at least 1.
///
/// `lrelud` and `lreluo` would save the product for slopes 1/2 and 1/8, but the manual leaves their
/// result for -infinity undetermined.
pub(super) fn leaky_relu(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let slope = slope(&x[1]).expect("append has looked at it");
    let product = r.mul(x[0].clone(), number(slope));
    let inputs = [x[0].clone(), product.into()];
    let kind = if slope > 1.0 {
        AluKind::Min
    } else {
        AluKind::Max
    };
    vec![r.float(kind, &inputs)]
}
