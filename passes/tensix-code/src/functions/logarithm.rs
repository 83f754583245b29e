//! The natural logarithm.
//!
//! `x = 2^n · m` with m from 2/3 to 4/3; `log m` is `t + t²·P(t)` of `t = m - 1`.

use tessera_ops::Unary;
use tessera_pto::polynomials::LOG;

use super::compare::{flushed, of_positive_only};
use super::Row;
use crate::code::Code;
use crate::item::{Condition, Op, Reg};

/// The rows of this family.
pub(super) const ROWS: &[Row] = &[Row::unary(
    Unary::Log,
    log,
    "-inf for zeros and denormals, NaN below zero.",
)];

/// Added to the bits of x, the exponent is that of the power of two nearest to x: those of 1 less those of 2/3.
const TO_NEAREST: u32 = 0x3f80_0000 - 0x3f2a_aaab;
/// 1.5 · 2^23: added to its bits, an integer of few bits is a float plus that.
const INTEGER: f32 = 12_582_912.0;
const LESS_INFINITY: u32 = 0xff80_0000;

pub(super) fn log(c: &mut Code, x: &[Reg]) -> Reg {
    let x = flushed(c, x[0]);
    let nearest = c.of_two(Op::IntAdd, x, TO_NEAREST);
    let n = c.of_one(Op::Exponent, nearest);
    let power = c.shift_by(n, 23);
    let m = c.of_two(Op::IntSub, x, power);
    let power = c.of_two(Op::IntAdd, n, INTEGER);
    let power = c.add(power, -INTEGER);
    let t = c.add(m, -1.0);
    let sum = c.horner(LOG.coefficients, t);
    let square = c.mul(t, t);
    let of_mantissa = c.mad(square, sum, t);
    let result = c.mad(power, std::f32::consts::LN_2, of_mantissa);
    of_positive_only(c, result, x);
    c.when(Condition::Zero, x, |c| c.assign(result, LESS_INFINITY));
    result
}
