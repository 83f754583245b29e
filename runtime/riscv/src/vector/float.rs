//! Single-precision operations on one element.

use super::config::VectorError;
use super::integer::{signed, unsigned, Element};
use crate::float::{Rounding, SIGNED, SINGLE, UNSIGNED};
use crate::table::Op;

const SIGN: u32 = 1 << 31;
const NEAREST: Rounding = Rounding::Nearest;

/// Returns the factors and the addend of a sum or product; `None` for any other operation.
pub(super) fn terms(op: Op, element: &Element) -> Option<[u32; 3]> {
    let Element { a, b, d, .. } = *element;
    let one = SINGLE.one();
    Some(match op {
        Op::Vfadd | Op::Vfredosum => [a, one, b],
        Op::Vfsub => [a, one, b ^ SIGN],
        Op::Vfrsub => [b, one, a ^ SIGN],
        Op::Vfmul => [a, b, (a ^ b) & SIGN],
        Op::Vfmadd => [b, d, a],
        Op::Vfnmadd => [b ^ SIGN, d, a ^ SIGN],
        Op::Vfmsub => [b, d, a ^ SIGN],
        Op::Vfnmsub => [b ^ SIGN, d, a],
        Op::Vfmacc => [b, a, d],
        Op::Vfnmacc => [b ^ SIGN, a, d ^ SIGN],
        Op::Vfmsac => [b, a, d ^ SIGN],
        Op::Vfnmsac => [b ^ SIGN, a, d],
        _ => return None,
    })
}

/// Returns whether an operation raises flags.
pub(super) fn computes(op: Op) -> bool {
    !matches!(op, Op::Vfsgnj | Op::Vfsgnjn | Op::Vfsgnjx | Op::Vfclass)
}

/// Converts by truncation; refused unless rounding to nearest gives the same.
fn truncated(a: u32, bounds: (i64, i64)) -> Result<u32, VectorError> {
    let nearest = SINGLE.to_integer(a, NEAREST, bounds);
    match nearest == SINGLE.to_integer(a, Rounding::TowardsZero, bounds) {
        true => Ok(nearest as u32),
        false => Err(VectorError::NotModelled(
            "whether this conversion truncates is not documented; convert integral values only",
        )),
    }
}

/// Executes an operation on a 32-bit element other than a sum or product; narrower integers have
/// `bits` bits. Returns `None` for operations on integers.
pub(super) fn execute_plain(
    op: Op,
    bits: u32,
    element: &Element,
) -> Option<Result<u32, VectorError>> {
    let Element { a, b, .. } = *element;
    let integer = |bounds| SINGLE.to_integer(a, NEAREST, bounds) as u32;
    let (short, short_unsigned) = ((-(1 << 15), (1 << 15) - 1), (0, (1 << 16) - 1));
    Some(Ok(match op {
        Op::Vfmin | Op::Vfredmin => SINGLE.min(a, b),
        Op::Vfmax | Op::Vfredmax => SINGLE.max(a, b),
        Op::Vfsgnj => SINGLE.with_sign(a, b),
        Op::Vfsgnjn => SINGLE.with_other_sign(a, b),
        Op::Vfsgnjx => SINGLE.with_product_of_signs(a, b),
        Op::Vfclass => SINGLE.class(a),
        Op::VfcvtXuF => integer(UNSIGNED),
        Op::VfcvtXF => integer(SIGNED),
        Op::VfncvtXuF => integer(short_unsigned),
        Op::VfncvtXF => integer(short),
        Op::VfcvtRtzXuF => return Some(truncated(a, UNSIGNED)),
        Op::VfcvtRtzXF => return Some(truncated(a, SIGNED)),
        Op::VfncvtRtzXuF => return Some(truncated(a, short_unsigned)),
        Op::VfncvtRtzXF => return Some(truncated(a, short)),
        Op::VfcvtFXu | Op::VfwcvtFXu => SINGLE.convert_integer(unsigned(a, bits), NEAREST),
        Op::VfcvtFX | Op::VfwcvtFX => SINGLE.convert_integer(signed(a, bits), NEAREST),
        _ => return None,
    }))
}

/// Executes a comparison.
pub(super) fn execute_compare(op: Op, element: &Element) -> bool {
    let Element { a, b, .. } = *element;
    match op {
        Op::Vmfeq => SINGLE.is_equal(a, b),
        Op::Vmfne => !SINGLE.is_equal(a, b),
        Op::Vmflt => SINGLE.is_less(a, b),
        Op::Vmfgt => SINGLE.is_less(b, a),
        Op::Vmfle => SINGLE.is_less(a, b) || SINGLE.is_equal(a, b),
        _ => SINGLE.is_less(b, a) || SINGLE.is_equal(a, b),
    }
}
