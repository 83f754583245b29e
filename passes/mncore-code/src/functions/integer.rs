//! 32-bit integers: one step of the ALU each, except products, which the MAU computes in parts.

use tessera_isa_mncore::memory::Precision;
use tessera_isa_mncore::table::AluKind;

use super::recipe::{number, word, ItemBuilder};
use super::{cast, reciprocal};
use tessera_mncore_ir::item::{Operand, Value};

macro_rules! binary {
    ($($name:ident $kind:ident $unsigned:literal;)*) => {
        $(pub(super) fn $name(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
            vec![r.alu(AluKind::$kind, Precision::Int, $unsigned, &x[..2])]
        })*
    };
}

binary! {
    add Add false;
    sub Sub false;
    and And false;
    or Or false;
    xor Xor false;
    shift_left Lsl false;
    shift_right Lsr false;
    shift_right_unsigned Lsr true;
    max Max false;
    min Min false;
}

pub(super) fn not(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    vec![r.alu(AluKind::Not, Precision::Int, false, &x[..1])]
}

/// Bits of a part of a factor: products of two parts, and sums of three products, are exact in
/// single precision.
const PART: u32 = 11;

/// Returns the three parts of an unsigned integer as numbers, the lowest first.
fn parts(r: &mut ItemBuilder, x: &Operand) -> [Value; 3] {
    /// The bits of 2^23, whose last mantissa bit has the weight 1.
    const BITS: u32 = 0x4b00_0000;
    let mask = word((1 << PART) - 1);
    let middle = r.unsigned(AluKind::Lsr, x.clone(), word(PART));
    let integers = [
        r.int(AluKind::And, x.clone(), mask.clone()),
        r.int(AluKind::And, middle, mask),
        r.unsigned(AluKind::Lsr, x.clone(), word(2 * PART)),
    ];
    integers.map(|integer| {
        let beside = r.int(AluKind::Or, integer, word(BITS));
        r.add(beside, number(-f32::from_bits(BITS)))
    })
}

/// Returns the product modulo 2^32: the sum of the products of parts that reach below bit 32, by
/// weight. Signs are irrelevant modulo 2^32.
pub(super) fn mul(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let [a, b] = [parts(r, &x[0]), parts(r, &x[1])];
    let low = r.mul(a[0], b[0]);
    let middle = r.mul(a[1], b[0]);
    let middle = r.fma(a[0], b[1], middle);
    let high = r.mul(a[2], b[0]);
    let high = r.fma(a[1], b[1], high);
    let high = r.fma(a[0], b[2], high);
    let mut sum = r.float(AluKind::Ftoi, &[low.into()]);
    for (part, weight) in [(middle, PART), (high, 2 * PART)] {
        let integer = r.float(AluKind::Ftoi, &[part.into()]);
        let shifted = r.int(AluKind::Lsl, integer, word(weight));
        sum = r.int(AluKind::Add, sum, shifted);
    }
    vec![sum]
}

/// Returns the remainder with the sign of the dividend; the dividend for a divisor of 0.
pub(super) fn rem(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let [dividend, divisor] = [x[0].clone(), x[1].clone()];
    let division = divide_to_nearest(r, &dividend, &divisor);
    // The rest, negated where the dividend is negative, must not be negative.
    let negative = r.int(AluKind::Sub, word(0), divisor.clone());
    let magnitude = r.int(AluKind::Max, negative, divisor.clone());
    let result = r.int(AluKind::Add, division.rest, magnitude);
    r.replace(result, division.is_complete, division.rest);
    let result = r.int(AluKind::Xor, result, division.signs);
    let result = r.int(AluKind::Sub, result, division.signs);
    let zero = is_zero(r, divisor);
    r.replace(result, zero, dividend);
    vec![result]
}

/// Returns the quotient rounded towards zero; -1 for a divisor of 0.
pub(super) fn div(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let [dividend, divisor] = [x[0].clone(), x[1].clone()];
    let division = divide_to_nearest(r, &dividend, &divisor);
    let [upper, lower] = division.digits;
    let quotient = r.int(AluKind::Add, upper, lower);
    // Where the rest is negative, the quotient is one too far from zero.
    let sign = r.int(AluKind::Xor, dividend, divisor.clone());
    let sign = r.int(AluKind::Lsr, sign, word(31));
    let sign = r.int(AluKind::Or, sign, word(1));
    let result = r.int(AluKind::Sub, quotient, sign);
    r.replace(result, division.is_complete, quotient);
    let zero = is_zero(r, divisor);
    r.replace(result, zero, word(u32::MAX));
    vec![result]
}

/// A division whose quotient is one of the two integers next to the exact one.
struct Division {
    /// Two numbers whose sum is the quotient.
    digits: [Value; 2],
    /// The dividend less the product of quotient and divisor, negated where the dividend is
    /// negative. Its magnitude is less than the divisor's.
    rest: Value,
    /// All bits are set where the dividend is negative.
    signs: Value,
    /// Flags of elements whose rest is not negative.
    is_complete: Value,
}

/// A quotient of numbers is off by 2^-21 of itself. The rest that it leaves is less than half of
/// the divisor, or about 2^10 more. The next quotient is the nearest integer.
fn divide_to_nearest(r: &mut ItemBuilder, dividend: &Operand, divisor: &Operand) -> Division {
    let inverse = cast::from_int(r, std::slice::from_ref(divisor))[0];
    let inverse = reciprocal::recip(r, &[inverse.into()])[0];
    let inverse = r.clamp(inverse, -1.0, 1.0);
    let mut divide = |rest: &Operand| {
        let value = cast::from_int(r, std::slice::from_ref(rest))[0];
        let quotient = r.fma(value, inverse, number(0.5));
        let quotient = r.float(AluKind::Floor, &[quotient.into()]);
        let quotient = cast::to_int(r, &[quotient.into()])[0];
        let product = mul(r, &[quotient.into(), divisor.clone()])[0];
        (quotient, r.int(AluKind::Sub, rest.clone(), product))
    };
    let (upper, rest) = divide(dividend);
    let (lower, rest) = divide(&rest.into());
    let signs = r.int(AluKind::Lsr, dividend.clone(), word(31));
    let rest = r.int(AluKind::Xor, rest, signs);
    let rest = r.int(AluKind::Sub, rest, signs);
    let inputs = [rest.into(), word(0)];
    let is_complete = r.flags(AluKind::Max, Precision::Int, &inputs, None);
    Division {
        digits: [upper, lower],
        rest,
        signs,
        is_complete,
    }
}

/// Returns flags of the elements of an integer that are zero.
fn is_zero(r: &mut ItemBuilder, x: Operand) -> Value {
    r.flags(AluKind::And, Precision::Int, &[x, word(u32::MAX)], None)
}
