//! The adder at the end of the Matrix Unit's path: adds terms and Dst and rounds once.

use super::{shift_round, Accumulator, Mode};

/// Fraction bits of a term's value below the last bit of the product of two 11-bit significands. A
/// value of `1 << 23` at exponent `e` represents `2^(e - bias)`, as a 24-bit Dst significand does.
pub(super) const TERM_FRACTION: u32 = 13;

/// A signed fixed-point number and its biased exponent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Term {
    pub exponent: i32,
    /// The value in two's complement, already shifted left by [`TERM_FRACTION`].
    pub value: i32,
}

/// A datum of Dst, decoded and widened to a 24-bit significand.
struct UnpackedDst {
    negative: bool,
    exponent: i32,
    significand: i32,
}

impl Accumulator {
    /// Returns the number of stored mantissa bits.
    #[inline(always)]
    fn mantissa_bits(self) -> u32 {
        match self {
            Accumulator::F32 => 23,
            Accumulator::Bf16 => 7,
            Accumulator::Fp16 => 10,
        }
    }

    #[inline(always)]
    fn exponent_bits(self) -> u32 {
        match self {
            Accumulator::F32 | Accumulator::Bf16 => 8,
            Accumulator::Fp16 => 5,
        }
    }

    #[inline(always)]
    fn unpack(self, x: u32) -> UnpackedDst {
        let (m, e) = (self.mantissa_bits(), self.exponent_bits());
        let exponent = (x >> m) & ((1 << e) - 1);
        let mantissa = (x & ((1 << m) - 1)) << (23 - m);
        UnpackedDst {
            negative: (x >> (m + e)) & 1 != 0,
            exponent: exponent as i32,
            significand: if exponent == 0 {
                0
            } else {
                (mantissa | 1 << 23) as i32
            },
        }
    }

    /// Encodes a datum. `significand` has its leading one at bit [`Self::mantissa_bits`], or is
    /// zero for a bare power of two.
    #[inline(always)]
    fn pack(self, negative: bool, exponent: i32, significand: u32) -> u32 {
        let (m, e) = (self.mantissa_bits(), self.exponent_bits());
        let sign = u32::from(negative) << (m + e);
        let largest = (1 << e) - 1;
        if exponent <= 0 {
            return 0;
        }
        match self {
            Accumulator::Fp16 if exponent > largest => sign | 0x7FFF,
            Accumulator::F32 | Accumulator::Bf16 if exponent >= largest => {
                sign | (largest as u32) << m
            }
            _ => sign | (exponent as u32) << m | (significand & ((1 << m) - 1)),
        }
    }
}

impl Mode {
    /// Returns `dst + terms`, rounded to the accumulator's format. `dst` and the result are in IEEE
    /// order.
    ///
    /// Terms are rounded as two's-complement numbers (ties towards +∞), Dst and the result by
    /// magnitude (ties away from zero). With a 16-bit accumulator, the low [`TERM_FRACTION`] bits
    /// of all three addends are first rounded away.
    pub(super) fn accumulate(self, terms: [Term; 2], dst: u32) -> u32 {
        self.accumulate_as(self.accumulator(), terms, dst)
    }

    /// Does what [`Mode::accumulate`] does; `format`, which must be [`Mode::accumulator`], can be a
    /// constant.
    #[inline(always)]
    pub(super) fn accumulate_as(self, format: Accumulator, terms: [Term; 2], dst: u32) -> u32 {
        let held = format.unpack(dst);
        let common = held.exponent.max(terms[0].exponent).max(terms[1].exponent);
        if common <= 0 {
            return 0;
        }
        let keep = |value: i32| {
            if format == Accumulator::F32 {
                value
            } else {
                drop_fraction(value)
            }
        };
        let magnitude = keep(shift_round(held.significand, common - held.exponent));
        let mut sum = if held.negative { -magnitude } else { magnitude };
        for term in terms {
            sum += keep(shift_round(term.value, common - term.exponent));
        }
        self.round(format, common, sum)
    }

    /// Normalises `sum` (bit 23 has the weight `2^common`) and rounds it to the accumulator's
    /// format.
    #[inline(always)]
    fn round(self, format: Accumulator, common: i32, sum: i32) -> u32 {
        if sum == 0 {
            return 0;
        }
        if sum == -1 && self.minus_one_bug {
            // All bits of −1 are sign bits: the normaliser shifts right by 4 instead of left by 23.
            // The one is lost and the exponent grows, so the result is wrong by a factor of 2^27.
            return format.pack(true, common + 4, 0);
        }
        let magnitude = sum.unsigned_abs();
        let width = 32 - magnitude.leading_zeros();
        let kept = format.mantissa_bits() + 1;
        let exponent = common + width as i32 - 24;
        if width <= kept {
            return format.pack(sum < 0, exponent, magnitude << (kept - width));
        }
        let rounded = shift_round(magnitude as i32, (width - kept) as i32) as u32;
        // If it is rounded up to the next power of two, the mantissa is zero.
        let carry = (rounded >> kept) as i32;
        format.pack(sum < 0, exponent + carry, rounded)
    }
}

/// Rounds to a multiple of `2^TERM_FRACTION`, ties towards +∞.
#[inline(always)]
fn drop_fraction(value: i32) -> i32 {
    (value + (1 << (TERM_FRACTION - 1))) & !((1 << TERM_FRACTION) - 1)
}
