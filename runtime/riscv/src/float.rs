//! Floating-point arithmetic of Blackhole's cores (ISA documentation, `InstructionSet.md`,
//! `CSRs.md`).
//!
//! Values are the low bits of words. Rounding is to nearest even, whatever an instruction selects.
//! Sums and products in single precision are computed by the bus as the chip's vector unit does
//! ([`crate::Bus::multiply_add`]). Comparisons, conversions and classification follow the
//! specification, including denormals.
//!
//! Half-precision instructions use BF16 instead of FP16 if `cfg0` selects it. BF16 rounds towards
//! zero unless another bit selects nearest. Sums and products flush denormal operands and results,
//! as in single precision: a result below the normal range after rounding is a zero of its sign.
//! According to the page, fused operations are between one rounding and two. If these differ, the
//! chip's result is unknown, which is reported as [`Unknown`].
//!
//! Two cases are undocumented and follow the specification. BF16 overflow when rounding towards
//! zero gives the greatest finite value. A register whose upper half is not all ones is NaN. A
//! comment on tt-metal's pull request 54121 says that `fmul.s` hangs T2; the page supports it, and
//! so does the model.

use crate::table::Op;

/// A floating-point format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kind {
    /// Bits of the exponent field.
    exponent: u32,
    /// Stored bits of the mantissa.
    mantissa: u32,
}

pub(crate) const SINGLE: Kind = Kind {
    exponent: 8,
    mantissa: 23,
};
pub(crate) const HALF: Kind = Kind {
    exponent: 5,
    mantissa: 10,
};
pub(crate) const BFLOAT: Kind = Kind {
    exponent: 8,
    mantissa: 7,
};

/// A rounding mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rounding {
    /// To nearest even.
    Nearest,
    TowardsZero,
}

/// The treatment of results below the normal range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tiny {
    Denormal,
    Zero,
}

/// A fused operation whose result depends on the unknown precision of the chip's product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unknown;

/// A finite value: `magnitude * 2^exponent`, with a sign.
#[derive(Clone, Copy)]
struct Finite {
    negative: bool,
    magnitude: u128,
    exponent: i32,
}

impl Kind {
    fn sign(self) -> u32 {
        1 << (self.exponent + self.mantissa)
    }

    fn infinity(self) -> u32 {
        ((1 << self.exponent) - 1) << self.mantissa
    }

    fn quiet_nan(self) -> u32 {
        self.infinity() | 1 << (self.mantissa - 1)
    }

    fn bias(self) -> i32 {
        (1 << (self.exponent - 1)) - 1
    }

    /// Returns the bits of 1.0.
    pub(crate) fn one(self) -> u32 {
        (self.bias() as u32) << self.mantissa
    }

    pub(crate) fn is_nan(self, a: u32) -> bool {
        a & !self.sign() > self.infinity()
    }

    fn is_infinite(self, a: u32) -> bool {
        a & !self.sign() == self.infinity()
    }

    /// Decodes a finite value.
    fn finite(self, a: u32) -> Finite {
        let field = a >> self.mantissa & ((1 << self.exponent) - 1);
        let fraction = a & ((1 << self.mantissa) - 1);
        Finite {
            negative: a & self.sign() != 0,
            magnitude: u128::from(fraction | u32::from(field != 0) << self.mantissa),
            exponent: field.max(1) as i32 - self.bias() - self.mantissa as i32,
        }
    }

    /// Like [`Kind::finite`], with denormals as zeros.
    fn normal(self, a: u32) -> Finite {
        let finite = self.finite(a);
        match finite.magnitude >> self.mantissa {
            0 => Finite {
                magnitude: 0,
                ..finite
            },
            _ => finite,
        }
    }

    /// Encodes a finite value, rounded.
    fn rounded(self, value: Finite, rounding: Rounding, tiny: Tiny) -> u32 {
        let sign = if value.negative { self.sign() } else { 0 };
        if value.magnitude == 0 {
            return sign;
        }
        let highest = 127 - value.magnitude.leading_zeros() as i32;
        let least = 1 - self.bias();
        // The exponent of the last bit that is kept.
        let last = (value.exponent + highest).max(least) - self.mantissa as i32;
        let kept = match last - value.exponent {
            drop @ 1.. => without(value.magnitude, drop as u32, rounding),
            more => value.magnitude << -more,
        };
        if kept >> self.mantissa == 0 {
            return match tiny {
                Tiny::Denormal => sign | kept as u32,
                Tiny::Zero => sign,
            };
        }
        // A mantissa that rounds up to the next power of two carries into the exponent.
        let field = last - least + self.mantissa as i32;
        let bits = ((field as u128) << self.mantissa) + kept;
        let most = match rounding {
            Rounding::Nearest => self.infinity(),
            Rounding::TowardsZero => self.infinity() - 1,
        };
        sign | bits.min(most.into()) as u32
    }

    /// Converts a value from another format.
    pub(crate) fn converted(self, a: u32, from: Kind, rounding: Rounding) -> u32 {
        let sign = if a & from.sign() != 0 { self.sign() } else { 0 };
        match () {
            () if from.is_nan(a) => self.quiet_nan(),
            () if from.is_infinite(a) => sign | self.infinity(),
            () => self.rounded(from.finite(a), rounding, Tiny::Denormal),
        }
    }

    /// Returns a key that orders all values except NaN, with -0 below +0.
    fn key(self, a: u32) -> i32 {
        let magnitude = (a & !self.sign()) as i32;
        match a & self.sign() {
            0 => magnitude,
            _ => !magnitude,
        }
    }

    pub(crate) fn is_equal(self, a: u32, b: u32) -> bool {
        !self.is_nan(a) && !self.is_nan(b) && (a == b || (a | b) & !self.sign() == 0)
    }

    pub(crate) fn is_less(self, a: u32, b: u32) -> bool {
        let ordered = !self.is_nan(a) && !self.is_nan(b);
        ordered && self.key(a) < self.key(b) && !self.is_equal(a, b)
    }

    /// Returns the smaller of two values, or the one that is not NaN.
    pub(crate) fn min(self, a: u32, b: u32) -> u32 {
        self.extreme(a, b, self.key(a) < self.key(b))
    }

    /// Returns the greater of two values, or the one that is not NaN.
    pub(crate) fn max(self, a: u32, b: u32) -> u32 {
        self.extreme(a, b, self.key(a) > self.key(b))
    }

    /// Returns `a` if `first` and otherwise `b`, or the value that is not NaN.
    fn extreme(self, a: u32, b: u32, first: bool) -> u32 {
        match (self.is_nan(a), self.is_nan(b)) {
            (true, true) => self.quiet_nan(),
            (true, false) => b,
            (false, true) => a,
            (false, false) if first => a,
            (false, false) => b,
        }
    }

    /// Returns `a` with the sign of `b`.
    pub(crate) fn with_sign(self, a: u32, b: u32) -> u32 {
        a & !self.sign() | b & self.sign()
    }

    pub(crate) fn with_other_sign(self, a: u32, b: u32) -> u32 {
        self.with_sign(a, !b)
    }

    pub(crate) fn with_product_of_signs(self, a: u32, b: u32) -> u32 {
        a ^ b & self.sign()
    }

    /// Returns the class of a value, as one bit.
    pub(crate) fn class(self, a: u32) -> u32 {
        let field = a & self.infinity();
        let fraction = a & ((1 << self.mantissa) - 1);
        let kind = match (field, fraction) {
            (_, 0) if field == self.infinity() => 0,
            (_, _) if field == self.infinity() => {
                return 1 << (8 + (fraction >> (self.mantissa - 1)));
            }
            (0, 0) => 3,
            (0, _) => 2,
            _ => 1,
        };
        1 << if a & self.sign() != 0 { kind } else { 7 - kind }
    }

    /// Converts to the nearest integer within bounds; NaN becomes the upper bound.
    pub(crate) fn to_integer(self, a: u32, rounding: Rounding, bounds: (i64, i64)) -> i64 {
        let (least, most) = bounds;
        let negative = a & self.sign() != 0;
        if self.is_nan(a) {
            return most;
        }
        if self.is_infinite(a) {
            return if negative { least } else { most };
        }
        let value = self.finite(a);
        let magnitude = match value.exponent {
            // Beyond every bound, unless zero.
            33.. => value.magnitude << 33,
            up @ 0.. => value.magnitude << up,
            down => without(value.magnitude, down.unsigned_abs(), rounding),
        } as i64;
        let value = if negative { -magnitude } else { magnitude };
        value.clamp(least, most)
    }

    /// Converts an integer to the nearest value.
    pub(crate) fn convert_integer(self, value: i64, rounding: Rounding) -> u32 {
        let value = Finite {
            negative: value < 0,
            magnitude: value.unsigned_abs().into(),
            exponent: 0,
        };
        self.rounded(value, rounding, Tiny::Denormal)
    }

    /// Computes `x * y + z`, rounded once.
    fn multiply_add(self, [x, y, z]: [u32; 3], rounding: Rounding) -> u32 {
        let product_sign = (x ^ y) & self.sign();
        let (is_zero, is_infinite) = (
            |a: u32| self.normal(a & !self.sign()).magnitude == 0 && !self.is_infinite(a),
            |a: u32| self.is_infinite(a),
        );
        let is_product_infinite = is_infinite(x) || is_infinite(y);
        let is_nan = [x, y, z].into_iter().any(|a| self.is_nan(a))
            || is_infinite(x) && is_zero(y)
            || is_infinite(y) && is_zero(x)
            || is_product_infinite && is_infinite(z) && product_sign != z & self.sign();
        if is_nan {
            return self.quiet_nan();
        }
        if is_infinite(z) {
            return z;
        }
        if is_product_infinite {
            return product_sign | self.infinity();
        }
        let (a, b) = (self.normal(x), self.normal(y));
        let product = Finite {
            negative: product_sign != 0,
            magnitude: a.magnitude * b.magnitude,
            exponent: a.exponent + b.exponent,
        };
        self.rounded(sum(product, self.normal(z)), rounding, Tiny::Zero)
    }

    /// Like [`Kind::multiply_add`], provided that rounding the product first gives the same result.
    fn fused(self, [x, y, z]: [u32; 3], rounding: Rounding) -> Result<u32, Unknown> {
        let once = self.multiply_add([x, y, z], rounding);
        let zero = (x ^ y) & self.sign();
        let product = self.multiply_add([x, y, zero], rounding);
        let twice = self.multiply_add([product, self.one(), z], rounding);
        if once == twice {
            Ok(once)
        } else {
            Err(Unknown)
        }
    }
}

/// Rounds away the lowest `count` bits of `magnitude`.
fn without(magnitude: u128, count: u32, rounding: Rounding) -> u128 {
    if count > 127 {
        return 0;
    }
    let (kept, dropped) = (magnitude >> count, magnitude & ((1 << count) - 1));
    let half = 1u128 << (count - 1);
    let up = dropped > half || dropped == half && kept & 1 != 0;
    kept + u128::from(up && rounding == Rounding::Nearest)
}

/// Returns the sum of two values. A value that is far smaller than the other one only acts as a
/// sticky bit.
fn sum(a: Finite, b: Finite) -> Finite {
    /// More bits than two mantissas have.
    const FAR: i32 = 80;
    let (high, low) = match (a.magnitude, b.magnitude) {
        (0, 0) => {
            return Finite {
                negative: a.negative && b.negative,
                ..a
            }
        }
        (_, 0) => return a,
        (0, _) => return b,
        _ if a.exponent >= b.exponent => (a, b),
        _ => (b, a),
    };
    let gap = high.exponent - low.exponent;
    let (low_magnitude, exponent) = match gap {
        0..=FAR => (low.magnitude, low.exponent),
        _ => (1, high.exponent - FAR),
    };
    let signed = |negative: bool, magnitude: u128| match negative {
        true => -(magnitude as i128),
        false => magnitude as i128,
    };
    let sum =
        signed(high.negative, high.magnitude << gap.min(FAR)) + signed(low.negative, low_magnitude);
    Finite {
        negative: sum < 0,
        magnitude: sum.unsigned_abs(),
        exponent,
    }
}

/// Returns the factors and the addend of a sum or product; `None` for any other operation.
pub(crate) fn terms(op: Op, kind: Kind, [a, b, c]: [u32; 3]) -> Option<[u32; 3]> {
    let (sign, one) = (kind.sign(), kind.one());
    Some(match op {
        Op::FaddS | Op::FaddH => [a, one, b],
        Op::FsubS | Op::FsubH => [a, one, b ^ sign],
        // A zero of the product's sign.
        Op::FmulS | Op::FmulH => [a, b, (a ^ b) & sign],
        Op::FmaddS | Op::FmaddH => [a, b, c],
        Op::FmsubS | Op::FmsubH => [a, b, c ^ sign],
        Op::FnmsubS | Op::FnmsubH => [a ^ sign, b, c],
        Op::FnmaddS | Op::FnmaddH => [a ^ sign, b, c ^ sign],
        _ => return None,
    })
}

/// Computes a half-precision sum or product from its [`terms`].
pub(crate) fn execute_half(
    op: Op,
    kind: Kind,
    terms: [u32; 3],
    rounding: Rounding,
) -> Result<u32, Unknown> {
    match op {
        Op::FaddH | Op::FsubH | Op::FmulH => Ok(kind.multiply_add(terms, rounding)),
        _ => kind.fused(terms, rounding),
    }
}

/// Executes an operation that moves bits and raises no flags; `None` for any other operation.
pub(crate) fn execute_move(op: Op, kind: Kind, a: u32, b: u32) -> Option<u32> {
    Some(match op {
        Op::FsgnjS | Op::FsgnjH => kind.with_sign(a, b),
        Op::FsgnjnS | Op::FsgnjnH => kind.with_other_sign(a, b),
        Op::FsgnjxS | Op::FsgnjxH => kind.with_product_of_signs(a, b),
        Op::FmvXW | Op::FmvWX => a,
        Op::FmvXH => a as i16 as u32,
        Op::FmvHX => a & 0xffff,
        Op::FclassS | Op::FclassH => kind.class(a),
        _ => return None,
    })
}

/// The ranges of the integers to which instructions convert.
pub(crate) const SIGNED: (i64, i64) = (i32::MIN as i64, i32::MAX as i64);
pub(crate) const UNSIGNED: (i64, i64) = (0, u32::MAX as i64);

/// Executes a comparison or conversion; `None` for any other operation.
pub(crate) fn execute_compare_or_convert(
    op: Op,
    kind: Kind,
    rounding: Rounding,
    (a, b): (u32, u32),
) -> Option<u32> {
    let integer = |bounds| kind.to_integer(a, rounding, bounds) as u32;
    Some(match op {
        Op::FminS | Op::FminH => kind.min(a, b),
        Op::FmaxS | Op::FmaxH => kind.max(a, b),
        Op::FeqS | Op::FeqH => kind.is_equal(a, b).into(),
        Op::FltS | Op::FltH => kind.is_less(a, b).into(),
        Op::FleS | Op::FleH => (kind.is_less(a, b) || kind.is_equal(a, b)).into(),
        Op::FcvtWS | Op::FcvtWH => integer(SIGNED),
        Op::FcvtWuS | Op::FcvtWuH => integer(UNSIGNED),
        Op::FcvtSW | Op::FcvtHW => kind.convert_integer(i64::from(a as i32), rounding),
        Op::FcvtSWu | Op::FcvtHWu => kind.convert_integer(i64::from(a), rounding),
        Op::FcvtSH => SINGLE.converted(a, kind, rounding),
        Op::FcvtHS => kind.converted(a, SINGLE, rounding),
        _ => return None,
    })
}

/// Returns the half-precision value of a register: NaN unless the upper half is all ones.
pub(crate) fn unboxed(kind: Kind, register: u32) -> u32 {
    match register >> 16 {
        0xffff => register & 0xffff,
        _ => kind.quiet_nan(),
    }
}

/// Returns the register contents of a half-precision value.
pub(crate) fn boxed(value: u32) -> u32 {
    0xffff_0000 | value
}
