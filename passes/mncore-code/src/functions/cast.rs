//! Conversions between formats.
//!
//! There is no bf16 on the chip: two bf16 lie in a word, each the upper half of the single
//! precision number it stands for.

use tessera_isa_mncore::ast::Convert;
use tessera_isa_mncore::memory::Precision;
use tessera_isa_mncore::table::{AluKind, MauKind};

use super::recipe::{number, word, ItemBuilder};
use tessera_mncore_ir::item::{Operand, Value};

/// The half of a word that is a bf16's single.
const UPPER: u32 = 0xffff_0000;
/// The bits of a half of a word.
const HALF: u32 = 16;

/// The upper and the lower bf16 of each word.
pub(super) fn from_bf16(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let upper = r.int(AluKind::And, x[0].clone(), word(UPPER));
    let lower = r.int(AluKind::Lsl, x[0].clone(), word(HALF));
    vec![upper, lower]
}

/// A number whose upper half is it rounded to bf16, ties to even: what is added carries into the
/// upper half. The MAU turns what would overflow into infinities without mantissa before.
fn rounded(r: &mut ItemBuilder, x: &Operand) -> Value {
    let x = r.mau(MauKind::Vpassa, vec![x.clone()]);
    let upper = r.unsigned(AluKind::Lsr, x, word(HALF));
    let odd = r.int(AluKind::And, upper, word(1));
    // Each constant meets what the step before made: one register file is enough.
    let sum = r.int(AluKind::Add, odd, x);
    r.int(AluKind::Add, sum, word(0x7fff))
}

/// Two numbers rounded, the first in the upper half of each word.
pub(super) fn to_bf16(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let upper = rounded(r, &x[0]);
    let upper = r.int(AluKind::And, upper, word(UPPER));
    let lower = rounded(r, &x[1]);
    let lower = r.unsigned(AluKind::Lsr, lower, word(HALF));
    vec![r.int(AluKind::Or, upper, lower)]
}

/// A number rounded, as a number.
pub(super) fn round_bf16(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let upper = rounded(r, &x[0]);
    vec![r.int(AluKind::And, upper, word(UPPER))]
}

/// Four halves of a long word as four singles in two.
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

/// Four singles of two long words as four halves in one.
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

/// Towards zero. What is less than the least integer is clamped, as its conversion is open.
pub(super) fn to_int(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let least = r.max(x[0].clone(), number(-2_147_483_648.0));
    vec![r.float(AluKind::Ftoi, &[least.into()])]
}

/// Both halves of the integer as mantissas below 2^23, the upper one shifted by 2^15 to have no
/// sign; the sum of both, without what was added, is rounded once.
pub(super) fn from_int(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    /// Bits of 2^23, the last of whose mantissa has the weight 1.
    const BITS: u32 = 0x4b00_0000;
    let upper = r.unsigned(AluKind::Lsr, x[0].clone(), word(HALF));
    let upper = r.int(AluKind::Xor, upper, word(BITS | 0x8000));
    let two = |power: i32| 2.0f32.powi(power);
    // What the mantissas stand for besides the integer: 2^23 and 2^15, 2^16 times, and 2^23.
    let added = two(39) + two(31) + two(23);
    let upper = r.fma(upper, number(two(16)), number(-added));
    let lower = r.int(AluKind::And, x[0].clone(), word(!UPPER));
    let lower = r.int(AluKind::Or, lower, word(BITS));
    vec![r.add(upper, lower)]
}
