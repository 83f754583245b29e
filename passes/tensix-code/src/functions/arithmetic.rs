//! Sums, products, signs, extremes; choices.

use super::compare::flushed;
use crate::code::Code;
use crate::item::{Condition, Op, Reg};

pub(super) fn add(c: &mut Code, x: &[Reg]) -> Reg {
    c.add(x[0], x[1])
}

pub(super) fn subtract(c: &mut Code, x: &[Reg]) -> Reg {
    let negative = c.negate(x[1]);
    c.add(x[0], negative)
}

pub(super) fn multiply(c: &mut Code, x: &[Reg]) -> Reg {
    c.mul(x[0], x[1])
}

pub(super) fn neg(c: &mut Code, x: &[Reg]) -> Reg {
    c.negate(x[0])
}

pub(super) fn abs(c: &mut Code, x: &[Reg]) -> Reg {
    c.magnitude(x[0])
}

pub(super) fn relu(c: &mut Code, x: &[Reg]) -> Reg {
    let result = c.copy(x[0]);
    c.when(Condition::Negative, result, |c| c.assign(result, 0));
    result
}

pub(super) fn max(c: &mut Code, x: &[Reg]) -> Reg {
    c.max(x[0], x[1])
}

pub(super) fn min(c: &mut Code, x: &[Reg]) -> Reg {
    c.min(x[0], x[1])
}

/// The product where x is negative, which is computed for all.
pub(super) fn prelu(c: &mut Code, x: &[Reg]) -> Reg {
    let product = c.mul(x[0], x[1]);
    let result = c.copy(x[0]);
    c.when(Condition::Negative, x[0], |c| c.assign(result, product));
    result
}

/// The second where the first is not zero; denormals are.
pub(super) fn select(c: &mut Code, x: &[Reg]) -> Reg {
    let condition = flushed(c, x[0]);
    choose(c, condition, x[1], x[2])
}

/// The same of an integer.
pub(super) fn int_select(c: &mut Code, x: &[Reg]) -> Reg {
    choose(c, x[0], x[1], x[2])
}

fn choose(c: &mut Code, condition: Reg, yes: Reg, no: Reg) -> Reg {
    let result = c.copy(no);
    c.when(Condition::NotZero, condition, |c| c.assign(result, yes));
    result
}

/// Rounded to bf16 as packers do it.
pub(super) fn round_bf16(c: &mut Code, x: &[Reg]) -> Reg {
    c.of_one(Op::RoundBf16, x[0])
}
