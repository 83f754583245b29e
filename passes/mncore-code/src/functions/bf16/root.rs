//! Roots: a seed from the bits of x, as for f32, and one step that refines it.

use tessera_isa_mncore::table::AluKind;
use tessera_ops::Unary;
use tessera_pto::polynomials::CBRT_BF16;

use super::super::recipe::{minus, number, word, ItemBuilder, EXPONENT, SIGN};
use super::super::reciprocal::copy_sign;
use super::super::root::{third_of_bits, CBRT_SEED};
use super::super::Row;
use tessera_mncore_ir::item::{Operand, Value};

/// The rows of this family of functions.
pub(super) const ROWS: &[Row] = &[
    Row::unary_bf16(Unary::Sqrt, [3, 4], sqrt, None),
    Row::unary_bf16(Unary::Rsqrt, [3, 5], rsqrt, None),
    Row::unary_bf16(Unary::Cbrt, [7, 7], cbrt, None),
];

/// Less half of the bits of x, a seed of `0.79/√x`: then the square in the refinement needs no
/// factor.
const SEED: u32 = 0x5f0b_3000;
/// C of the refinement `y · (C - x·y²)`. Its relative error is at most 0.09 %.
const CORRECTION: f32 = 1.891;

/// The seed of `1/√x` and its product with x.
struct Seed {
    seed: Value,
    product: Value,
    /// The factor that refines either. It is -inf for infinite x.
    factor: Value,
}

fn seed(r: &mut ItemBuilder, x: &Operand) -> Seed {
    let half = r.unsigned(AluKind::Lsr, x.clone(), word(1));
    let seed = r.int(AluKind::Sub, word(SEED), half);
    let product = r.mul(x.clone(), seed);
    let factor = r.fma(minus(product), seed, number(CORRECTION));
    Seed {
        seed,
        product,
        factor,
    }
}

/// Returns the root of a number that is neither negative nor infinite.
pub(super) fn finite_sqrt(r: &mut ItemBuilder, x: Value) -> Value {
    let Seed {
        product, factor, ..
    } = seed(r, &x.into());
    r.mul(factor, product)
}

/// The factor is at least 1 for all finite numbers, so that the root of infinity is infinite.
fn sqrt(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let x = r.max(x[0].clone(), number(0.0));
    let Seed {
        product, factor, ..
    } = seed(r, &x.into());
    let factor = r.max(factor, number(1.0));
    vec![r.mul(factor, product)]
}

fn rsqrt(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let zero = r.at_most(x[0].clone(), number(0.0));
    let Seed { seed, factor, .. } = seed(r, &x[0]);
    let factor = r.max(factor, number(0.0));
    let result = r.mul(factor, seed);
    r.replace(result, zero, word(EXPONENT));
    vec![result]
}

/// Returns `x·y² · u^(-2/3)` with `u = x·y³` for a seed y of `1/∛x`.
fn cbrt(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let magnitude = r.int(AluKind::And, x[0].clone(), word(!SIGN));
    let third = third_of_bits(r, magnitude);
    let seed = r.int(AluKind::Sub, word(CBRT_SEED), third);
    let product = r.mul(magnitude, seed);
    let root = r.mul(product, seed);
    let u = r.mul(root, seed);
    let factor = r.horner(CBRT_BF16.coefficients, u);
    let root = r.mul(root, factor);
    vec![copy_sign(r, x[0].clone(), root)]
}
