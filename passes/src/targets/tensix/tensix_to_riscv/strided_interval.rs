//! Strided intervals: arithmetic progressions of words, which describe loop counters and slots of
//! rings.
//!
//! Words are signed. A set contains at least all possible results (it over-approximates), so
//! statements about all of its elements hold. Arithmetic that may overflow 32 bits returns
//! [`StridedInterval::ANY`].

use std::fmt;

/// The set `low`, `low + step`, ..., `high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StridedInterval {
    low: i64,
    high: i64,
    /// Divides `high - low`; 0 for a single element.
    step: i64,
}

impl StridedInterval {
    /// All words.
    pub(super) const ANY: StridedInterval = StridedInterval {
        low: i32::MIN as i64,
        high: i32::MAX as i64,
        step: 1,
    };

    /// Returns the set of one word.
    pub(super) fn constant(value: i64) -> Self {
        StridedInterval::new(value, value, 0)
    }

    /// Creates the set from `low` to at most `high`.
    pub(super) fn new(low: i64, high: i64, step: i64) -> Self {
        let steps = (high - low).checked_div(step).unwrap_or(0);
        let set = StridedInterval {
            low,
            high: low + steps * step,
            step: if steps == 0 { 0 } else { step },
        };
        if set.low < StridedInterval::ANY.low || set.high > StridedInterval::ANY.high {
            return StridedInterval::ANY;
        }
        set
    }

    pub(super) fn min_value(self) -> i64 {
        self.low
    }

    pub(super) fn max_value(self) -> i64 {
        self.high
    }

    /// Returns the word of a set with a single element.
    pub(super) fn as_constant(self) -> Option<i64> {
        (self.low == self.high).then_some(self.low)
    }

    /// Returns whether all elements are in `0..=most`.
    pub(super) fn is_at_most(self, most: u32) -> bool {
        self.low >= 0 && self.high <= most.into()
    }

    /// Returns whether no element is in `0..=most`.
    pub(super) fn is_outside(self, most: u32) -> bool {
        self.high < 0 || self.low > most.into()
    }

    /// Returns a set that contains both sets.
    pub(super) fn join(self, other: Self) -> Self {
        let apart = (self.low - other.low).abs();
        let step = gcd(gcd(self.step, other.step), apart);
        StridedInterval::new(self.low.min(other.low), self.high.max(other.high), step)
    }

    /// Returns all sums.
    pub(super) fn add(self, other: Self) -> Self {
        let step = gcd(self.step, other.step);
        StridedInterval::new(self.low + other.low, self.high + other.high, step)
    }

    /// Returns all differences.
    pub(super) fn sub(self, other: Self) -> Self {
        let step = gcd(self.step, other.step);
        StridedInterval::new(self.low - other.high, self.high - other.low, step)
    }

    /// Returns all products.
    pub(super) fn mul(self, other: Self) -> Self {
        if let Some(factor) = other.as_constant() {
            return self.mul_constant(factor);
        }
        if let Some(factor) = self.as_constant() {
            return other.mul_constant(factor);
        }
        let corners = [
            self.low * other.low,
            self.low * other.high,
            self.high * other.low,
            self.high * other.high,
        ];
        let least = corners.into_iter().fold(i64::MAX, i64::min);
        StridedInterval::new(least, corners.into_iter().fold(i64::MIN, i64::max), 1)
    }

    fn mul_constant(self, factor: i64) -> Self {
        let (a, b) = (self.low * factor, self.high * factor);
        StridedInterval::new(a.min(b), a.max(b), self.step * factor.abs())
    }

    /// Returns all quotients, rounded towards zero, by a positive constant.
    pub(super) fn div_constant(self, divisor: i64) -> Self {
        let exact = self.low % divisor == 0 && self.step % divisor == 0;
        let step = if exact { self.step / divisor } else { 1 };
        StridedInterval::new(self.low / divisor, self.high / divisor, step)
    }

    /// Returns all remainders, with the sign of the dividend, by a positive constant.
    pub(super) fn rem_constant(self, divisor: i64) -> Self {
        if self.low < 0 {
            return StridedInterval::new(1 - divisor, divisor - 1, 1);
        }
        if self.low / divisor == self.high / divisor {
            return StridedInterval::new(self.low % divisor, self.high % divisor, self.step);
        }
        let step = gcd(self.step, divisor);
        StridedInterval::new(self.low % step, divisor - 1, step)
    }

    /// Returns the minima of all pairs.
    pub(super) fn min(self, other: Self) -> Self {
        match (self.high <= other.low, other.high <= self.low) {
            (true, _) => self,
            (_, true) => other,
            _ => StridedInterval::new(self.low.min(other.low), self.high.min(other.high), 1),
        }
    }

    /// Returns the elements that satisfy a comparison with a constant, or `None` if there are none.
    pub(super) fn refine(self, predicate: Predicate, constant: i64) -> Option<Self> {
        let step = self.step.max(1);
        let (mut low, mut high) = (self.low, self.high);
        match predicate {
            Predicate::Equal => (low, high) = (constant, constant),
            Predicate::Different if low == constant => low += step,
            Predicate::Different if high == constant => high -= step,
            Predicate::Different => {}
            Predicate::Below => {
                high = high.min(low + (constant - 1 - low).div_euclid(step) * step);
            }
            Predicate::AtLeast => {
                low = low.max(high - (high - constant).div_euclid(step) * step);
            }
        }
        (low <= high).then(|| StridedInterval::new(low, high, self.step))
    }
}

/// A comparison of signed numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Predicate {
    Equal,
    Different,
    Below,
    AtLeast,
}

impl Predicate {
    /// Returns the predicate with a number of `arith.cmpi`.
    pub(super) fn from_number(number: i64) -> Option<Self> {
        Some(match number {
            0 => Predicate::Equal,
            1 => Predicate::Different,
            2 => Predicate::Below,
            5 => Predicate::AtLeast,
            _ => return None,
        })
    }

    /// Returns the negated predicate.
    pub(super) fn negated(self) -> Self {
        match self {
            Predicate::Equal => Predicate::Different,
            Predicate::Different => Predicate::Equal,
            Predicate::Below => Predicate::AtLeast,
            Predicate::AtLeast => Predicate::Below,
        }
    }
}

impl fmt::Display for StridedInterval {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.as_constant() {
            Some(value) => value.fmt(f),
            None => write!(f, "{} to {}", self.low, self.high),
        }
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    match b {
        0 => a.abs(),
        _ => gcd(b, a % b),
    }
}

#[cfg(test)]
mod tests;
