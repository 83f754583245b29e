//! Roots: a seed from the bits of x, as for f32, and one step that refines it.

use tessera_ops::Unary;
use tessera_pto::polynomials::CBRT_BF16;

use super::super::compare::{flush_denormals, propagate_nan};
use super::super::root::{cbrt_seed, INFINITY};
use super::super::FunctionImpl;
use crate::builder::SfpuBuilder;
use crate::virtual_inst::{Condition, Op, Reg};

/// The rows of this family.
pub(super) const ROWS: &[FunctionImpl] = &[
    FunctionImpl::unary_bf16(
        Unary::Sqrt,
        sqrt,
        None,
    ),
    FunctionImpl::unary_bf16(
        Unary::Rsqrt,
        rsqrt,
        None,
    ),
    FunctionImpl::unary_bf16(
        Unary::Cbrt,
        cbrt,
        Some("Zeros with the sign of x for zeros and denormals; infinities and NaN with the sign of x."),
    ),
];

/// Less half of the bits of x, a seed of `0.79/√x`: then the square in the refinement needs no
/// factor.
const SEED_CONSTANT: u32 = 0x5f0b_3000;
/// C of the refinement `y · (C - x·y²)`. Its relative error is at most 0.09 %.
const CORRECTION: f32 = 1.891;

/// The seed of `1/√x` and its product with x, for a positive x.
struct Seed {
    seed: Reg,
    product: Reg,
    /// The factor that refines either. It is negative or NaN for infinite x.
    factor: Reg,
}

fn seed(c: &mut SfpuBuilder, x: Reg) -> Seed {
    let half = c.shift_by(x, -1);
    let seed = c.binary(Op::IntSub, SEED_CONSTANT, half);
    let product = c.mul(x, seed);
    let negative = c.negate(product);
    let factor = c.mad(negative, seed, CORRECTION);
    Seed {
        seed,
        product,
        factor,
    }
}

/// The factor is at least 1 for all finite numbers, so that the root of infinity is infinite.
pub(super) fn sqrt_non_negative(c: &mut SfpuBuilder, x: Reg) -> Reg {
    let Seed {
        product, factor, ..
    } = seed(c, x);
    let factor = c.max(factor, 1.0);
    c.mul(factor, product)
}

fn sqrt(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let x = flush_denormals(c, x[0]);
    let result = sqrt_non_negative(c, x);
    c.when(Condition::Negative, x, |c| c.assign(result, f32::NAN));
    result
}

fn rsqrt(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let x = flush_denormals(c, x[0]);
    let Seed { seed, factor, .. } = seed(c, x);
    let factor = c.max(factor, 0);
    let result = c.mul(factor, seed);
    propagate_nan(c, result, x);
    c.begin_when_not_positive(x);
    c.assign(result, f32::NAN);
    c.begin_when(Condition::Zero, x);
    c.assign(result, INFINITY);
    c.end_when();
    result
}

/// Returns `x·y² · u^(-2/3)` with `u = x·y³` for a seed y of `1/∛x`.
fn cbrt(c: &mut SfpuBuilder, x: &[Reg]) -> Reg {
    let a = c.magnitude(x[0]);
    let seed = cbrt_seed(c, a);
    let product = c.mul(a, seed);
    let root = c.mul(product, seed);
    let u = c.mul(root, seed);
    let factor = c.horner(CBRT_BF16.coefficients, u);
    let root = c.mul(root, factor);
    c.binary(Op::CopySign, root, x[0])
}
