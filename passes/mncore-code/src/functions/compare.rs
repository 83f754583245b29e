//! Comparisons and selection.
//!
//! Flags come from the ALU's maximum and minimum, which compare exactly. A difference below 2^-126
//! would be flushed to zero.

use tessera_isa_mncore::memory::Precision;
use tessera_isa_mncore::table::AluKind;

use tessera_ops::Unary;

use super::recipe::{word, ItemBuilder, EXPONENT, SIGN};
use super::Row;
use tessera_mncore_ir::item::{Operand, Value};

/// The rows of this family that implement functions of the operation table.
pub(super) const ROWS: &[Row] = &[
    Row::unary(
        Unary::Sign,
        [0, 4],
        sign,
        "1 with the sign of x.",
        "+0 for zeros.",
    ),
    Row::unary(
        Unary::Signbit,
        [0, 2],
        sign_bit,
        "1 where the sign bit of x is set, else 0.",
        "1 for -0.",
    ),
    Row::unary(
        Unary::IsFinite,
        [0, 4],
        is_finite,
        "1 where x is finite, else 0.",
        "0 for infinities.",
    ),
];

/// 1 as a number.
const ONE: u32 = 0x3f80_0000;

/// Selects one constant where flags are set and another elsewhere.
fn either(r: &mut ItemBuilder, flags: Value, set: u32, clear: u32) -> Vec<Value> {
    let result = r.copy(word(clear));
    r.replace(result, flags, word(set));
    vec![result]
}

pub(super) fn ge(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let flags = r.at_least(x[0].clone(), x[1].clone());
    either(r, flags, ONE, 0)
}

pub(super) fn lt(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let flags = r.at_least(x[0].clone(), x[1].clone());
    either(r, flags, 0, ONE)
}

pub(super) fn le(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let flags = r.at_most(x[0].clone(), x[1].clone());
    either(r, flags, ONE, 0)
}

pub(super) fn gt(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let flags = r.at_most(x[0].clone(), x[1].clone());
    either(r, flags, 0, ONE)
}

/// Returns flags for `x == y`: neither is greater.
fn equal(r: &mut ItemBuilder, x: &[Operand]) -> Value {
    let flags = r.at_least(x[0].clone(), x[1].clone());
    r.flags(AluKind::Min, Precision::Single, &x[..2], Some(flags))
}

pub(super) fn eq(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let flags = equal(r, x);
    either(r, flags, ONE, 0)
}

pub(super) fn ne(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let flags = equal(r, x);
    either(r, flags, 0, ONE)
}

fn sign(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let sign = r.int(AluKind::And, x[0].clone(), word(SIGN));
    let result = r.int(AluKind::Or, sign, word(ONE));
    let inputs = [x[0].clone(), word(EXPONENT)];
    let zero = r.flags(AluKind::And, Precision::Int, &inputs, None);
    r.replace(result, zero, word(0));
    vec![result]
}

fn sign_bit(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let signs = r.int(AluKind::Lsr, x[0].clone(), word(31));
    vec![r.int(AluKind::And, signs, word(ONE))]
}

fn is_finite(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let magnitude = r.int(AluKind::And, x[0].clone(), word(!SIGN));
    let infinite = r.at_least(magnitude, word(EXPONENT));
    either(r, infinite, 0, ONE)
}

/// Returns the second operand where the first is not 0, otherwise the third.
pub(super) fn select(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    chosen(r, x, EXPONENT)
}

/// Returns the second operand where any of `bits` is set in the first, otherwise the third.
fn chosen(r: &mut ItemBuilder, x: &[Operand], bits: u32) -> Vec<Value> {
    let inputs = [x[0].clone(), word(bits)];
    let none = r.flags(AluKind::And, Precision::Int, &inputs, None);
    let result = r.copy(x[1].clone());
    r.replace(result, none, x[2].clone());
    vec![result]
}

/// Returns flags for a maximum or minimum of integers: set where it is the first operand, or both
/// are equal.
fn first_is(r: &mut ItemBuilder, kind: AluKind, x: &[Operand]) -> Value {
    r.flags(kind, Precision::Int, &x[..2], None)
}

pub(super) fn int_ge(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let flags = first_is(r, AluKind::Max, x);
    either(r, flags, 1, 0)
}

pub(super) fn int_lt(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let flags = first_is(r, AluKind::Max, x);
    either(r, flags, 0, 1)
}

pub(super) fn int_le(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let flags = first_is(r, AluKind::Min, x);
    either(r, flags, 1, 0)
}

pub(super) fn int_gt(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let flags = first_is(r, AluKind::Min, x);
    either(r, flags, 0, 1)
}

/// Integers are equal if no bit differs.
pub(super) fn int_eq(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let flags = r.flags(AluKind::Xor, Precision::Int, &x[..2], None);
    either(r, flags, 1, 0)
}

pub(super) fn int_ne(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let flags = r.flags(AluKind::Xor, Precision::Int, &x[..2], None);
    either(r, flags, 0, 1)
}

/// Returns the second operand where the integer `x[0]` is not 0, otherwise the third.
pub(super) fn int_select(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    chosen(r, x, u32::MAX)
}
