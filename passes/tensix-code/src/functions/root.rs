//! Square roots, reciprocal square roots and cube roots.
//!
//! The initial approximation of 1/√x is a constant minus half of the bits of x, interpreted as an
//! integer, which approximates `-log2(x) / 2`. A polynomial corrects it to a relative error of
//! 2·10^-5, and one Newton iteration refines it to f32 precision. The constant is chosen such that
//! the approximation is 0.82/√x: then the leading coefficient of the polynomial is 1, which saves a
//! multiplication.

use tessera_ops::Unary;
use tessera_pto::polynomials::CBRT;

use super::arithmetic::MIN_INTEGRAL;
use super::compare::{apply_positive_domain, flush_denormals};
use super::FunctionImpl;
use crate::builder::SfpuBuilder;
use crate::virtual_inst::{Condition, Op, Reg};

/// The rows of this family.
pub(super) const ROWS: &[FunctionImpl] = &[
    FunctionImpl::unary(
        Unary::Sqrt,
        sqrt,
        "+0 for zeros and denormals, NaN below zero.",
    ),
    FunctionImpl::unary(
        Unary::Rsqrt,
        rsqrt,
        "inf for zeros and denormals, NaN below zero, +0 for inf.",
    ),
    FunctionImpl::unary(
        Unary::Cbrt,
        cbrt,
        "Zeros with the sign of x for zeros and denormals; infinities and NaN keep all bits.",
    ),
];

/// The initial approximation is this integer minus half of the bits of x.
const SEED_CONSTANT: u32 = 0x5f11_1000;
/// C and D of the correction `y · ((C - x·y²)² + D)`. Its relative error is at most 2·10^-5.
const CORRECTION: [f32; 2] = [1.126_652_8, 1.013_172_5];
pub(super) const INFINITY: u32 = 0x7f80_0000;

/// Returns -x, and 1/√x with a relative error of 2·10^-5, for a positive x.
fn approximate(c: &mut SfpuBuilder, x: Reg) -> [Reg; 2] {
    let half = c.shift_by(x, -1);
    let seed = c.binary(Op::IntSub, SEED_CONSTANT, half);
    let negative = c.negate(x);
    let product = c.mul(negative, seed);
    let distance = c.mad(product, seed, CORRECTION[0]);
    let factor = c.mad(distance, distance, CORRECTION[1]);
    [negative, c.mul(factor, seed)]
}

/// Computes 1/√x, or x/√x if `is_sqrt`, with a final Newton iteration. The rounding error of its
/// residual `1 - x·y²` does not depend on the magnitude of x.
fn refine(c: &mut SfpuBuilder, x: Reg, is_sqrt: bool) -> Reg {
    let [negative, y] = approximate(c, x);
    let product = c.mul(negative, y);
    let error = c.mad(product, y, 1.0);
    let result = match is_sqrt {
        true => c.negate(product),
        false => y,
    };
    let half = c.mul(result, 0.5);
    let result = c.mad(error, half, result);
    apply_positive_domain(c, result, x);
    result
}

pub(super) fn rsqrt(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let x = flush_denormals(c, x[0]);
    let result = refine(c, x, false);
    let is_not_inf = c.binary(Op::Xor, x, INFINITY);
    c.when(Condition::Zero, is_not_inf, |c| c.assign(result, 0));
    c.when(Condition::Zero, x, |c| c.assign(result, INFINITY));
    result
}

pub(super) fn sqrt(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let x = flush_denormals(c, x[0]);
    refine(c, x, true)
}

/// The initial approximation y of `1/∛x` is this minus a third of the bits of x. Then `1 - x·y³` is
/// from -0.105 to 0.101.
const CBRT_SEED: u32 = 0x54a2_1d2a;
/// Low bits of x that are dropped before its bits are divided by three, so that they are an integer
/// below 2^23.
const DROPPED_BITS: i8 = 8;

/// Returns a seed of `1/∛a` for a non-negative a.
pub(super) fn cbrt_seed(c: &mut SfpuBuilder, a: Reg) -> Reg {
    let bits = c.shift_by(a, -DROPPED_BITS);
    let bits = c.unary(Op::Cast, bits);
    let third = c.mad(bits, 1.0 / 3.0, MIN_INTEGRAL);
    let third = c.unary(Op::Mantissa(false), third);
    let third = c.shift_by(third, DROPPED_BITS);
    c.binary(Op::IntSub, CBRT_SEED, third)
}

/// Returns the cube root `x·y²` for an approximation y of `1/∛x`. A polynomial in the error
/// `1 - x·y³` corrects y; one more such step corrects the result.
pub(super) fn cbrt(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let a = c.magnitude(x[0]);
    let seed = cbrt_seed(c, a);
    let product = c.mul(a, seed);
    let product = c.mul(product, seed);
    let negative = c.negate(seed);
    let error = c.mad(product, negative, 1.0);
    let factor = c.horner(CBRT.coefficients, error);
    let y = c.mul(seed, factor);
    let product = c.mul(a, y);
    let root = c.mul(product, y);
    let negative = c.negate(y);
    let error = c.mad(root, negative, 1.0);
    let error = c.mul(error, 2.0 / 3.0);
    let root = c.mad(error, root, root);
    let result = c.binary(Op::CopySign, root, x[0]);
    let magnitude = c.magnitude(x[0]);
    let most = c.constant(INFINITY - 1);
    c.begin_when_difference(true, most, magnitude);
    c.assign(result, x[0]);
    c.end_when();
    result
}
