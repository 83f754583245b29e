//! Interval bounds of element-wise arithmetic on a device.

use tessera_ops::{Binary, Interval, Unary};
use tessera_pto::bounds::{Bound, MAX_QUOTIENT};
use tessera_pto::target::Precision;

use super::numerics::{NanResult, NarrowArithmetic, Numerics, UNDERFLOW};

/// Numbers of this magnitude and above round to infinity in f32.
pub const OVERFLOW: f64 = f32::MAX as f64 + 0.5 * (f32::MAX as f64 * f32::EPSILON as f64);

/// The types of an operation's tensors, as far as they select its arithmetic.
#[derive(Clone, Copy, Debug)]
pub(super) struct OperandTypes {
    /// The precision of an element-wise function.
    pub precision: Precision,
    /// Whether one of the operands is not f32.
    pub is_narrow: bool,
}

impl Numerics {
    /// Returns whether the underflow of partial products explains the difference between a product
    /// of two elements and the expected value.
    pub(super) fn is_within_underflow(&self, found: f64, expected: f64) -> bool {
        let lost = (found - expected).abs();
        self.narrow.is_some_and(|narrow| lost <= narrow.underflow)
    }

    /// Returns the interval in which an operand lies when the device reads it. Denormals may count
    /// as zero. NaN is undetermined, because devices treat it differently.
    pub(super) fn enclose_operand(&self, value: f64) -> Interval {
        match value.is_nan() {
            true => Interval::UNDETERMINED,
            false => flush(Interval::point(value)),
        }
    }

    /// Returns the interval in which a result lies whose exact value lies in `exact`.
    pub(super) fn enclose_rounded(&self, exact: Interval) -> Interval {
        store_as_f32(widen(exact, |value| self.rounding * value.abs()))
    }

    /// Returns the interval in which the value of a unary function lies. It is undetermined if the
    /// device does not support operands of this magnitude.
    pub(super) fn enclose_unary(
        &self,
        function: Unary,
        precision: Precision,
        exact: Interval,
        operand: Interval,
    ) -> Interval {
        let bound = self.functions.unary(function, precision);
        match bound.is_computed(operand) {
            true => self.apply_bound(bound, exact, operand.magnitude()),
            false => Interval::UNDETERMINED,
        }
    }

    /// Returns the interval in which the value of a binary function lies. Overflow in a matrix unit
    /// is undetermined: it need not give an infinity.
    pub(super) fn enclose_binary(
        &self,
        function: Binary,
        OperandTypes {
            precision,
            is_narrow,
        }: OperandTypes,
        exact: Interval,
        [x, y]: [Interval; 2],
    ) -> Interval {
        let is_product = function == Binary::Multiply;
        let is_arithmetic = is_product || matches!(function, Binary::Add | Binary::Subtract);
        if function == Binary::Divide {
            let quotient = self.functions.quotient(x.least_magnitude(), precision);
            return self.apply_bound(quotient, exact, 0.0);
        }
        if function == Binary::Remainder {
            let quotient = x.magnitude() / y.least_magnitude();
            if quotient.is_nan() || quotient >= f64::from(MAX_QUOTIENT) {
                return Interval::UNDETERMINED;
            }
        }
        match self.narrow {
            Some(narrow) if is_narrow && is_arithmetic => {
                let most = [x, y, exact].map(Interval::magnitude);
                if most.iter().any(|most| *most >= OVERFLOW) {
                    return Interval::UNDETERMINED;
                }
                let rounded = self.enclose_rounded(exact);
                match is_product {
                    true => widen(rounded, |value| match value == 0.0 {
                        true => 0.0,
                        false => narrow.underflow,
                    }),
                    false => rounded,
                }
            }
            _ => self.apply_bound(self.functions.binary(function, precision), exact, 0.0),
        }
    }

    /// Widens an exact interval by the bound of a function. A function without error of its own may
    /// still be rounded as a result.
    fn apply_bound(&self, bound: Bound, exact: Interval, operand: f64) -> Interval {
        match bound {
            Bound::Exact | Bound::Rounded => self.enclose_rounded(exact),
            Bound::Ulp {
                most, underflow, ..
            } => {
                let unit = f64::from(f32::EPSILON);
                let off = widen(exact, |value| most * unit * value.abs());
                store_as_f32(flush_below(off, underflow))
            }
            Bound::Absolute { .. } => {
                let off = bound.max_error(0.0, operand);
                store_as_f32(add_error(exact, off))
            }
        }
    }

    /// Returns the error of a sum of two inputs of a group if one of them is not f32.
    pub(super) fn alignment_loss(&self, x: Interval, y: Interval) -> f64 {
        let narrow = self.narrow.as_ref();
        narrow.map_or(0.0, |narrow| narrow.alignment_loss(x, y))
    }

    /// Returns the usage of the bound by an element where the reference is NaN, or `None` if the
    /// element is undetermined.
    pub(super) fn usage_where_nan(&self, found: f64) -> Option<f64> {
        match self.nan {
            NanResult::NotFinite if !found.is_finite() => Some(0.0),
            NanResult::NotFinite => Some(f64::INFINITY),
            NanResult::Undetermined => None,
        }
    }
}

impl NarrowArithmetic {
    fn alignment_loss(&self, x: Interval, y: Interval) -> f64 {
        let [x, y] = [x.magnitude(), y.magnitude()];
        let (large, small) = (x.max(y), x.min(y));
        if small != 0.0 && exponent(large) - exponent(small) > self.aligned_exponents {
            self.alignment * large
        } else {
            0.0
        }
    }
}

/// Returns the biased exponent of a positive normal number.
fn exponent(value: f64) -> i32 {
    ((value.to_bits() >> 52) & 0x7ff) as i32
}

/// Moves both ends of an interval outwards by `off(end)`. The ends keep their signs, because
/// neither rounding nor underflow changes a sign.
pub fn widen(exact: Interval, off: impl Fn(f64) -> f64) -> Interval {
    let end = |end: f64, outwards: f64| {
        if end.is_infinite() {
            return end;
        }
        let moved = end + outwards * off(end);
        match (end > 0.0 && moved < 0.0) || (end < 0.0 && moved > 0.0) {
            true => 0.0,
            false => moved,
        }
    };
    match exact.is_enclosed() {
        true => Interval::new(end(exact.low, -1.0), end(exact.high, 1.0)),
        false => exact,
    }
}

/// Moves both ends of an interval outwards by `error`. The result is undetermined if the error is
/// not finite.
pub fn add_error(exact: Interval, error: f64) -> Interval {
    match exact.is_enclosed() {
        _ if error == 0.0 => exact,
        true if error.is_finite() => Interval::new(exact.low - error, exact.high + error),
        true => Interval::UNDETERMINED,
        false => exact,
    }
}

/// Returns the interval in which a number lies after it is stored as f32.
fn store_as_f32(number: Interval) -> Interval {
    flush(overflow_to_infinity(number))
}

/// Extends an interval to zero if it contains magnitudes less than `below`.
fn flush_below(number: Interval, below: f64) -> Interval {
    let end = |end: f64| match end > 0.0 && end < below {
        true => 0.0,
        false => end,
    };
    match number.is_enclosed() {
        true => Interval::new(end(number.low), -end(-number.high)),
        false => number,
    }
}

/// Extends an interval to zero or to the least normal number if it contains denormals.
pub fn flush(number: Interval) -> Interval {
    let is_tiny = |value: f64| value != 0.0 && value.abs() < UNDERFLOW;
    if !number.is_enclosed() || !(is_tiny(number.low) || is_tiny(number.high)) {
        return number;
    }
    let down = |value: f64| match is_tiny(value) {
        true if value > 0.0 => 0.0,
        true => -UNDERFLOW,
        false => value,
    };
    Interval::new(down(number.low), -down(-number.high))
}

/// Replaces ends of an interval that overflow f32 by infinities.
fn overflow_to_infinity(number: Interval) -> Interval {
    number.map(|end| match end.abs() >= OVERFLOW {
        true => f64::INFINITY.copysign(end),
        false => end,
    })
}
