//! Conversions between formats.
//!
//! The chip has no bf16 format. A word holds two bf16, each the upper half of the single-precision
//! number with the same value.

use tessera_isa_mncore::ast::Convert;
use tessera_isa_mncore::memory::Precision;
use tessera_isa_mncore::table::{AluKind, MauKind};

use super::recipe::{number, word, ItemBuilder};
use tessera_mncore_ir::item::{Operand, Value};

/// The half of a word that holds the single of a bf16.
const UPPER: u32 = 0xffff_0000;
/// Bits of half a word.
const HALF: u32 = 16;

/// Returns the upper and the lower bf16 of each word as numbers.
pub(super) fn from_bf16(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let upper = r.int(AluKind::And, x[0].clone(), word(UPPER));
    let lower = r.int(AluKind::Lsl, x[0].clone(), word(HALF));
    vec![upper, lower]
}

/// Returns a word whose upper half is the number rounded to bf16, ties to even: the increment
/// carries into the upper half. The MAU has turned numbers that would overflow into infinities
/// without mantissa.
fn rounded(r: &mut ItemBuilder, x: &Operand) -> Value {
    let x = r.mau(MauKind::Vpassa, vec![x.clone()]);
    let upper = r.unsigned(AluKind::Lsr, x, word(HALF));
    let odd = r.int(AluKind::And, upper, word(1));
    // Each constant is combined with the previous result, so a single register file suffices.
    let sum = r.int(AluKind::Add, odd, x);
    r.int(AluKind::Add, sum, word(0x7fff))
}

/// Returns two rounded numbers in one word, the first in the upper half.
pub(super) fn to_bf16(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let upper = rounded(r, &x[0]);
    let upper = r.int(AluKind::And, upper, word(UPPER));
    let lower = rounded(r, &x[1]);
    let lower = r.unsigned(AluKind::Lsr, lower, word(HALF));
    vec![r.int(AluKind::Or, upper, lower)]
}

/// Returns a number rounded to bf16.
pub(super) fn round_bf16(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let upper = rounded(r, &x[0]);
    vec![r.int(AluKind::And, upper, word(UPPER))]
}

/// Converts four halves of a long word to four singles in two.
pub(super) fn from_half(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let result = r.wide_value();
    let inputs = vec![x[0].clone()];
    r.mau_as(
        MauKind::Vpassa,
        Precision::Half,
        false,
        inputs,
        result.into(),
    );
    vec![result]
}

/// Converts four singles of two long words to four halves in one.
pub(super) fn to_half(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let result = r.value();
    let input = Operand {
        convert: Convert::Narrow,
        ..x[0].clone()
    };
    r.mau_as(
        MauKind::Vpassa,
        Precision::Half,
        true,
        vec![input],
        result.into(),
    );
    vec![result]
}

/// Converts to an integer, towards zero. Numbers below the smallest integer are clamped, as their
/// conversion is undetermined.
pub(super) fn to_int(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let least = r.max(x[0].clone(), number(-2_147_483_648.0));
    vec![r.float(AluKind::Ftoi, &[least.into()])]
}

/// Converts an integer to a number. Its halves become mantissas below 2^23, the upper one biased by
/// 2^15 to be unsigned. Their sum without the biases is rounded once.
pub(super) fn from_int(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    /// The bits of 2^23, whose last mantissa bit has the weight 1.
    const BITS: u32 = 0x4b00_0000;
    let upper = r.unsigned(AluKind::Lsr, x[0].clone(), word(HALF));
    let upper = r.int(AluKind::Xor, upper, word(BITS | 0x8000));
    let two = |power: i32| 2.0f32.powi(power);
    // The biases of the mantissas: 2^23 and 2^15, times 2^16, and 2^23.
    let added = two(39) + two(31) + two(23);
    let upper = r.fma(upper, number(two(16)), number(-added));
    let lower = r.int(AluKind::And, x[0].clone(), word(!UPPER));
    let lower = r.int(AluKind::Or, lower, word(BITS));
    vec![r.add(upper, lower)]
}
