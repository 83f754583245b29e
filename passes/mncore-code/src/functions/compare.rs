//! Comparisons and choices.
//!
//! Flags come from the ALU's maximum and minimum, which compare exactly: a difference would vanish where it is less than 2^-126.

use tessera_isa_mncore::memory::Precision;
use tessera_isa_mncore::table::AluKind;

use super::recipe::{number, word, Recipe, EXPONENT};
use crate::item::{Operand, Value};

/// One number, and another where flags are set.
fn either(r: &mut Recipe, flags: Value, set: f32, clear: f32) -> Vec<Value> {
    let result = r.copy(number(clear));
    r.replace(result, flags, number(set));
    vec![result]
}

pub(super) fn ge(r: &mut Recipe, x: &[Operand]) -> Vec<Value> {
    let flags = r.at_least(x[0].clone(), x[1].clone());
    either(r, flags, 1.0, 0.0)
}

pub(super) fn lt(r: &mut Recipe, x: &[Operand]) -> Vec<Value> {
    let flags = r.at_least(x[0].clone(), x[1].clone());
    either(r, flags, 0.0, 1.0)
}

pub(super) fn le(r: &mut Recipe, x: &[Operand]) -> Vec<Value> {
    let flags = r.at_most(x[0].clone(), x[1].clone());
    either(r, flags, 1.0, 0.0)
}

pub(super) fn gt(r: &mut Recipe, x: &[Operand]) -> Vec<Value> {
    let flags = r.at_most(x[0].clone(), x[1].clone());
    either(r, flags, 0.0, 1.0)
}

/// Flags: where x equals y, neither being greater.
fn equal(r: &mut Recipe, x: &[Operand]) -> Value {
    let flags = r.at_least(x[0].clone(), x[1].clone());
    r.flags(AluKind::Min, Precision::Single, &x[..2], Some(flags))
}

pub(super) fn eq(r: &mut Recipe, x: &[Operand]) -> Vec<Value> {
    let flags = equal(r, x);
    either(r, flags, 1.0, 0.0)
}

pub(super) fn ne(r: &mut Recipe, x: &[Operand]) -> Vec<Value> {
    let flags = equal(r, x);
    either(r, flags, 0.0, 1.0)
}

/// The second where the first is not 0, else the third.
pub(super) fn select(r: &mut Recipe, x: &[Operand]) -> Vec<Value> {
    let zero = r.flags(
        AluKind::And,
        Precision::Int,
        &[x[0].clone(), word(EXPONENT)],
        None,
    );
    let result = r.copy(x[1].clone());
    r.replace(result, zero, x[2].clone());
    vec![result]
}
