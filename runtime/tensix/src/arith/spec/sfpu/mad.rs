//! `a·b + c` of the Vector Unit (SFPMAD, SFPADD, SFPMUL).
//!
//! The operation is partly fused: the product keeps 3 bits below FP32's last place plus a sticky
//! bit; then there is one addition and one rounding to nearest even. Differences to IEEE 754:
//!
//! * Denormal inputs are zero.
//! * An addend that is shifted out entirely leaves no sticky bit.
//! * A product below the normal range counts as zero, even if the sum would not.
//! * Wormhole: results below the normal range and zero results are +0. Bits of the sum leak into
//!   the mantissa of a NaN, whose lowest bit is always set. A product that overflows FP32 is an
//!   infinity, and opposite infinities give NaN.
//! * Blackhole: a result below the normal range is a zero of its sign. It is however the smallest
//!   normal number if its significand rounds up to 2, however small it is. The sum of two negative
//!   zeros is −0. A NaN is 0x7FC00000.
//!
//! Source: ISA documentation `Miscellaneous/FMA` (the variants of both chips) and `SFPMAD.md`.

const QUIET: u32 = 0x7F80_0001;
const INFINITY: u32 = 0x7F80_0000;
/// Position of the leading one of a normalised significand: 23 mantissa bits and 3 more.
const UNIT: u32 = 26;

/// A finite number: `significand / 2^26 · 2^(exponent − 127)`.
#[derive(Clone, Copy)]
struct Number {
    negative: bool,
    exponent: i32,
    significand: u32,
}

impl Number {
    fn read(x: u32) -> Number {
        let exponent = ((x >> 23) & 0xFF) as i32;
        let significand = if exponent == 0 {
            0
        } else {
            (x & 0x7F_FFFF | 1 << 23) << 3
        };
        Number {
            negative: x >> 31 != 0,
            exponent,
            significand,
        }
    }

    fn is_zero(self) -> bool {
        self.significand == 0
    }

    fn is_nan(self) -> bool {
        self.exponent == 255 && self.significand != 1 << UNIT
    }

    fn is_infinite(self) -> bool {
        self.exponent == 255 && self.significand == 1 << UNIT
    }

    fn sign(self) -> u32 {
        u32::from(self.negative) << 31
    }

    /// Multiplies; the significand is truncated to 3 bits below the last place, and dropped bits
    /// are gathered in the lowest one. It is in [1, 4) unless zero.
    fn times(self, other: Number) -> Number {
        let exact = u64::from(self.significand >> 3) * u64::from(other.significand >> 3);
        let dropped = exact & ((1 << 20) - 1);
        Number {
            negative: self.negative != other.negative,
            exponent: self.exponent + other.exponent - 127,
            significand: (exact >> 20) as u32 | u32::from(dropped != 0),
        }
    }

    /// Shifts right to a larger exponent. Lost bits are gathered in the lowest bit, unless nothing
    /// else is left.
    fn aligned_to(self, exponent: i32) -> u32 {
        let by = exponent - self.exponent;
        if by >= 32 {
            return 0;
        }
        let kept = self.significand >> by;
        let lost = kept << by != self.significand;
        kept | u32::from(lost && kept != 0)
    }
}

/// The special cases of operands that are infinite or NaN.
enum Special {
    /// None: the sum decides.
    None,
    /// The result is an infinity.
    Infinity(u32),
    /// The result is a NaN with at least these bits; the sum may add mantissa bits.
    Nan(u32),
}

fn special(a: Number, b: Number, product: Number, c: Number) -> Special {
    let product_overflows = a.exponent == 255 || b.exponent == 255 || product.exponent >= 255;
    if !product_overflows && c.exponent != 255 {
        return Special::None;
    }
    let invalid = a.is_nan()
        || b.is_nan()
        || (a.exponent == 255 && b.is_zero())
        || (b.exponent == 255 && a.is_zero())
        || (c.is_infinite() && product_overflows && c.negative != product.negative);
    if invalid {
        Special::Nan(product.sign() | QUIET)
    } else if c.is_nan() {
        Special::Nan(c.sign() | QUIET)
    } else if c.is_infinite() {
        Special::Infinity(c.sign() | INFINITY)
    } else {
        Special::Infinity(product.sign() | INFINITY)
    }
}

/// The multiply-add of a chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// See [`mad_wormhole`].
    Wormhole,
    /// See [`mad_blackhole`].
    Blackhole,
}

impl Arithmetic {
    /// Returns the function that computes `a·b + c` in FP32.
    pub const fn mad(self) -> fn(u32, u32, u32) -> u32 {
        match self {
            Arithmetic::Wormhole => mad_wormhole,
            Arithmetic::Blackhole => mad_blackhole,
        }
    }
}

/// Computes `a·b + c` in FP32 as Blackhole does.
pub fn mad_blackhole(a: u32, b: u32, c: u32) -> u32 {
    const NAN: u32 = 0x7FC0_0000;
    let addend = Number::read(c);
    let (x, y) = (Number::read(a), Number::read(b));
    let product = x.times(y);
    // On Blackhole a finite product is never an infinity.
    let is_nan = addend.is_nan()
        || x.is_nan()
        || y.is_nan()
        || (x.is_infinite() && y.is_zero())
        || (y.is_infinite() && x.is_zero())
        || (addend.is_infinite()
            && (x.is_infinite() || y.is_infinite())
            && addend.negative != product.negative);
    if is_nan {
        return NAN;
    }
    if addend.is_infinite() {
        return addend.sign() | INFINITY;
    }
    if x.is_infinite() || y.is_infinite() || product.exponent >= 255 {
        return product.sign() | INFINITY;
    }
    let zero = addend.sign() & product.sign();
    if product.is_zero() || product.exponent < 0 {
        return if addend.is_zero() { zero } else { c };
    }
    let (common, sum, negative) = sum(product, addend);
    match sum {
        0 => zero,
        _ => u32::from(negative) << 31 | round_blackhole(common, sum),
    }
}

/// Normalises and rounds to nearest even. A result below the normal range is shifted by one place,
/// however far below it is; unless it becomes a normal number, it is zero.
fn round_blackhole(exponent: i32, sum: u32) -> u32 {
    let excess = (31 - sum.leading_zeros()) as i32 - UNIT as i32;
    let (exponent, excess) = match exponent + excess {
        255.. => return INFINITY,
        exponent @ 1.. => (exponent as u32, excess),
        _ => (0, excess + 1),
    };
    let normal = match excess {
        1.. => sum >> excess | u32::from(sum & (excess as u32 | 1) != 0),
        _ => sum << -excess,
    };
    let truncated = (exponent << 23) + (normal >> 3 & 0x7F_FFFF);
    let rounded = truncated + u32::from((normal & 7) + (truncated & 1) > 4);
    match rounded >> 23 {
        0 => 0,
        _ => rounded,
    }
}

/// Computes `a·b + c` in FP32 as Wormhole does.
pub fn mad_wormhole(a: u32, b: u32, c: u32) -> u32 {
    let addend = Number::read(c);
    let (x, y) = (Number::read(a), Number::read(b));
    let mut product = x.times(y);
    let nan = match special(x, y, product, addend) {
        Special::Infinity(bits) => return bits,
        Special::Nan(bits) => {
            product.exponent = product.exponent.min(255);
            Some(bits)
        }
        Special::None => None,
    };
    if product.is_zero() || product.exponent < 0 {
        if nan.is_none() {
            return if addend.is_zero() { 0 } else { c };
        }
        product = Number {
            significand: 0,
            exponent: 0,
            ..product
        };
    }
    add(product, addend, nan)
}

/// Returns the common exponent, the magnitude of the sum at it, and its sign.
fn sum(p: Number, z: Number) -> (i32, u32, bool) {
    let common = p.exponent.max(z.exponent);
    let (pm, zm) = (p.aligned_to(common), z.aligned_to(common));
    let negative = if pm >= zm { p.negative } else { z.negative };
    let sum = if p.negative == z.negative {
        pm + zm
    } else {
        pm.abs_diff(zm)
    };
    (common, sum, negative)
}

fn add(p: Number, z: Number, nan: Option<u32>) -> u32 {
    let (common, sum, negative) = sum(p, z);
    if sum == 0 {
        return nan.unwrap_or(0);
    }
    let sign = u32::from(negative) << 31;
    round(common, sum, nan.unwrap_or(sign), nan)
}

/// Normalises and rounds to nearest even. `high` is OR-ed in: the sign, or a NaN.
fn round(exponent: i32, sum: u32, high: u32, nan: Option<u32>) -> u32 {
    let excess = (31 - sum.leading_zeros()) as i32 - UNIT as i32;
    let exponent = exponent + excess;
    if exponent >= 255 {
        return nan.unwrap_or(high | INFINITY);
    }
    if exponent < 0 {
        return nan.unwrap_or(0);
    }
    // Of the bits shifted out only the lowest is sticky.
    let normal = if excess > 0 {
        sum >> excess | sum & 1
    } else {
        sum << -excess
    };
    let truncated = ((exponent as u32) << 23) + (normal >> 3 & 0x7F_FFFF);
    let rounded = truncated + u32::from((normal & 7) + (truncated & 1) > 4);
    if rounded >> 23 == 0 {
        return nan.unwrap_or(0);
    }
    high | rounded
}

#[cfg(test)]
mod tests;
