//! Single-precision arithmetic, as far as Blackhole's cores have it (ISA documentation, `InstructionSet.md`): values are words, rounding is to the nearest, ties to
//! even, whatever an instruction asks for. Sums and products are the bus's, which does them as the chip's vector unit ([`crate::Bus::multiply_add`]). Comparisons,
//! conversions and classes are those of the specification; they see denormals as what they are.

use crate::table::Op;

const SIGN: u32 = 1 << 31;
const INFINITY: u32 = 0xff << 23;
const QUIET_NAN: u32 = 0x7fc0_0000;
pub(crate) const ONE: u32 = 0x3f80_0000;

fn is_nan(a: u32) -> bool {
    a & !SIGN > INFINITY
}

/// Orders all values but NaN, -0 below +0.
fn key(a: u32) -> i32 {
    let magnitude = (a & !SIGN) as i32;
    if a & SIGN != 0 {
        !magnitude
    } else {
        magnitude
    }
}

fn is_equal(a: u32, b: u32) -> bool {
    a == b || (a | b) & !SIGN == 0
}

/// The factors and the addend of a sum or product; `None` for any other operation.
pub(crate) fn terms(op: Op, a: u32, b: u32, c: u32) -> Option<[u32; 3]> {
    Some(match op {
        Op::FaddS => [a, ONE, b],
        Op::FsubS => [a, ONE, b ^ SIGN],
        // A zero of the product's own sign.
        Op::FmulS => [a, b, (a ^ b) & SIGN],
        Op::FmaddS => [a, b, c],
        Op::FmsubS => [a, b, c ^ SIGN],
        Op::FnmsubS => [a ^ SIGN, b, c],
        Op::FnmaddS => [a ^ SIGN, b, c ^ SIGN],
        _ => return None,
    })
}

/// The operations that move bits and raise nothing; `None` for any other.
pub(crate) fn moved(op: Op, a: u32, b: u32) -> Option<u32> {
    Some(match op {
        Op::FsgnjS => a & !SIGN | b & SIGN,
        Op::FsgnjnS => a & !SIGN | !b & SIGN,
        Op::FsgnjxS => a ^ b & SIGN,
        Op::FmvXW | Op::FmvWX => a,
        Op::FclassS => class(a),
        _ => return None,
    })
}

/// Comparisons and conversions; `None` for any other operation.
pub(crate) fn compared_or_converted(op: Op, a: u32, b: u32) -> Option<u32> {
    let ordered = !is_nan(a) && !is_nan(b);
    Some(match op {
        Op::FminS => extreme(a, b, key(a) < key(b)),
        Op::FmaxS => extreme(a, b, key(a) > key(b)),
        Op::FeqS => (ordered && is_equal(a, b)).into(),
        Op::FltS => (ordered && key(a) < key(b) && !is_equal(a, b)).into(),
        Op::FleS => (ordered && (key(a) < key(b) || is_equal(a, b))).into(),
        Op::FcvtWS => to_integer(a, i64::from(i32::MIN), i64::from(i32::MAX)) as u32,
        Op::FcvtWuS => to_integer(a, 0, i64::from(u32::MAX)) as u32,
        Op::FcvtSW => of_integer(i64::from(a as i32)),
        Op::FcvtSWu => of_integer(i64::from(a)),
        _ => return None,
    })
}

/// The one of two values that is wanted, or the one that is a number.
fn extreme(a: u32, b: u32, first: bool) -> u32 {
    match (is_nan(a), is_nan(b)) {
        (true, true) => QUIET_NAN,
        (true, false) => b,
        (false, true) => a,
        (false, false) if first => a,
        (false, false) => b,
    }
}

/// One bit for the kind of value.
fn class(a: u32) -> u32 {
    let (exponent, fraction) = (a >> 23 & 0xff, a & 0x7f_ffff);
    let kind = match (exponent, fraction) {
        (0xff, 0) => 0,
        (0xff, _) if fraction >> 22 == 0 => return 1 << 8,
        (0xff, _) => return 1 << 9,
        (0, 0) => 3,
        (0, _) => 2,
        _ => 1,
    };
    1 << if a & SIGN != 0 { kind } else { 7 - kind }
}

/// Drops `count` bits, to the nearest, ties to even.
fn rounded(value: u64, count: u32) -> u64 {
    let (kept, dropped) = (value >> count, value & ((1 << count) - 1));
    let half = 1u64 << (count - 1);
    kept + u64::from(dropped > half || dropped == half && kept & 1 != 0)
}

/// The nearest integer within bounds; NaN is the upper bound.
fn to_integer(a: u32, least: i64, most: i64) -> i64 {
    if is_nan(a) {
        return most;
    }
    let exponent = (a >> 23 & 0xff) as i32 - 150;
    let mantissa = u64::from(a & 0x7f_ffff | u32::from(exponent > -150) << 23);
    let magnitude = match exponent {
        // Past every bound.
        10.. => 1 << 33,
        0.. => mantissa << exponent,
        -32..0 => rounded(mantissa, exponent.unsigned_abs()),
        _ => 0,
    } as i64;
    let value = if a & SIGN != 0 { -magnitude } else { magnitude };
    value.clamp(least, most)
}

/// The value nearest to an integer.
fn of_integer(value: i64) -> u32 {
    let magnitude = value.unsigned_abs();
    if magnitude == 0 {
        return 0;
    }
    let highest = 63 - magnitude.leading_zeros();
    let mantissa = match highest {
        0..=23 => magnitude << (23 - highest),
        _ => rounded(magnitude, highest - 23),
    };
    // A mantissa that rounds up to the next power of two carries into the exponent.
    let bits = (u64::from(highest + 126) << 23) + mantissa;
    bits as u32 | if value < 0 { SIGN } else { 0 }
}
