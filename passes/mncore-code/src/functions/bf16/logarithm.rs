//! Logarithms: the forms for f32 with a cubic polynomial.

use tessera_ops::Unary;
use tessera_pto::polynomials::LOG_BF16;

use super::super::logarithm::{log1p_by, log_by, Form};
use super::super::recipe::{number, ItemBuilder};
use super::super::Row;
use tessera_mncore_ir::item::{Operand, Value};

/// The rows of this family of functions.
pub(super) const ROWS: &[Row] = &[
    Row::unary_bf16(Unary::Log, [7, 9], log, None),
    Row::unary_bf16(Unary::Log1p, [9, 12], log1p, None),
];

const FORM: Form = Form {
    coefficients: LOG_BF16.coefficients,
    join: log_of_parts,
};

fn log_of_parts(r: &mut ItemBuilder, n: Value, t: Value, sum: Value) -> Value {
    let of_mantissa = r.mul(sum, t);
    r.fma(n, number(std::f32::consts::LN_2), of_mantissa)
}

fn log(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    log_by(r, x, &FORM)
}

pub(super) fn log1p(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    log1p_by(r, x, &FORM)
}
