//! Intervals, and rules to enclose the values of functions over intervals.
//!
//! A unary function is monotone between its extrema. Its range over an interval is therefore
//! spanned by the values at the ends and at the extrema inside. If the interval contains a pole, or
//! leaves the domain of the function, no finite enclosure exists: the value is undetermined. See
//! Moore, Kearfott and Cloud, "Introduction to Interval Analysis" (2009).

/// The knowledge about a number: a closed interval that contains it, or that it is NaN, or nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// Nothing is known; the number may be NaN.
    pub const UNDETERMINED: Self = Interval {
        low: f64::NAN,
        high: f64::NAN,
    };

    /// The number is NaN.
    pub const NOT_A_NUMBER: Self = Interval {
        low: f64::INFINITY,
        high: f64::NEG_INFINITY,
    };

    /// Returns the interval from `low` to `high`.
    pub const fn new(low: f64, high: f64) -> Self {
        Interval { low, high }
    }

    /// Returns the interval of one number, which may be infinite or NaN.
    pub fn point(value: f64) -> Self {
        match value.is_nan() {
            true => Self::NOT_A_NUMBER,
            false => Interval::new(value, value),
        }
    }

    /// Returns the interval of numbers that differ from `value` by at most `error`.
    pub fn around(value: f64, error: f64) -> Self {
        Interval::new(value - error, value + error)
    }

    /// Returns whether the number lies in an interval, so is not NaN.
    pub fn is_enclosed(self) -> bool {
        self.low <= self.high
    }

    /// Returns whether nothing is known.
    pub fn is_undetermined(self) -> bool {
        self.low.is_nan() || self.high.is_nan()
    }

    /// Returns whether the number is NaN.
    pub fn is_not_a_number(self) -> bool {
        self.low > self.high
    }

    /// Returns whether the number is known exactly.
    pub fn is_point(self) -> bool {
        self.low == self.high
    }

    /// Returns whether a number lies in the interval.
    pub fn contains(self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// Returns the greatest magnitude.
    pub fn magnitude(self) -> f64 {
        self.low.abs().max(self.high.abs())
    }

    /// Returns the least magnitude.
    pub fn least_magnitude(self) -> f64 {
        match self.contains(0.0) {
            true => 0.0,
            false => self.low.abs().min(self.high.abs()),
        }
    }

    /// Returns the largest distance of a point of the interval from `value`; infinite if an end is
    /// not a number.
    pub fn distance(self, value: f64) -> f64 {
        let distance = (self.high - value).abs().max((value - self.low).abs());
        match (self.high - value).is_nan() || (value - self.low).is_nan() {
            true => f64::INFINITY,
            false => distance,
        }
    }

    /// Returns the smallest interval that contains two others; undetermined if one is not an
    /// interval.
    #[must_use]
    pub fn hull(self, other: Self) -> Self {
        match self.is_enclosed() && other.is_enclosed() {
            true => Interval::new(self.low.min(other.low), self.high.max(other.high)),
            false => Self::UNDETERMINED,
        }
    }

    /// Applies a monotone function to both ends.
    #[must_use]
    pub fn map(self, function: impl Fn(f64) -> f64) -> Self {
        match self.is_enclosed() {
            true => Interval::new(function(self.low), function(self.high)),
            false => self,
        }
    }

    /// Returns the interval if it contains only 32-bit integers. Otherwise values may wrap and are
    /// undetermined.
    #[must_use]
    pub fn undetermined_if_wrapping(self) -> Self {
        let most = Interval::new(i32::MIN.into(), i32::MAX.into());
        match most.contains(self.low) && most.contains(self.high) {
            true => self,
            false => Self::UNDETERMINED,
        }
    }

    /// Returns the smallest interval that contains all of `values`; undetermined if one is NaN.
    pub fn hull_of(values: impl IntoIterator<Item = f64>) -> Self {
        let none = Self::NOT_A_NUMBER;
        let span = |span: Self, value: f64| match value.is_nan() {
            true => Self::UNDETERMINED,
            false if span.is_undetermined() => span,
            false => Interval::new(span.low.min(value), span.high.max(value)),
        };
        values.into_iter().fold(none, span)
    }
}

/// The rule that encloses the values of a unary function over an interval.
#[derive(Clone, Copy, Debug)]
pub struct Enclosure {
    /// The local extrema of the function.
    pub extrema: Extrema,
    /// The points where the function is unbounded.
    pub poles: &'static [f64],
    /// The least number for which the function is defined.
    pub defined_from: f64,
    /// The greatest number for which the function is defined.
    pub defined_to: f64,
}

/// The local extrema of a unary function.
#[derive(Clone, Copy, Debug)]
pub enum Extrema {
    /// Extrema at these points; the function is monotone between neighbours.
    At(&'static [f64]),
    /// Extrema at `first + k * period` for every integer `k`: maxima and minima in turn, with equal
    /// values.
    Periodic {
        /// One of them.
        first: f64,
        /// The distance between neighbours.
        period: f64,
    },
    /// An enclosure of its own, for any interval. It covers jumps, periodic poles, and values that
    /// depend on the sign of a zero, which not every device keeps.
    Custom(fn(Interval) -> Interval),
}

impl Enclosure {
    /// The rule of a function that is monotone and defined everywhere.
    pub const MONOTONE: Self = Self::with_extrema(&[]);

    /// Returns the rule of a function that is defined everywhere and has these extrema.
    pub const fn with_extrema(extrema: &'static [f64]) -> Self {
        Enclosure {
            extrema: Extrema::At(extrema),
            poles: &[],
            defined_from: f64::NEG_INFINITY,
            defined_to: f64::INFINITY,
        }
    }

    /// Returns the rule of a function that is defined everywhere and has an enclosure of its own.
    pub const fn custom(enclose: fn(Interval) -> Interval) -> Self {
        Enclosure {
            extrema: Extrema::Custom(enclose),
            ..Self::MONOTONE
        }
    }

    /// Returns the rule of a monotone function that is defined between two numbers.
    pub const fn defined_within(least: f64, most: f64) -> Self {
        Enclosure {
            defined_from: least,
            defined_to: most,
            ..Self::MONOTONE
        }
    }

    /// Returns the rule of a bounded function that is defined everywhere and has extrema at
    /// `first + k * period`.
    pub const fn periodic(first: f64, period: f64) -> Self {
        Enclosure {
            extrema: Extrema::Periodic { first, period },
            ..Self::MONOTONE
        }
    }

    /// Returns the rule of a monotone function that is defined from a number on; `poles` holds the
    /// number if the function is unbounded there.
    pub const fn defined_from(least: f64, poles: &'static [f64]) -> Self {
        Enclosure {
            poles,
            defined_from: least,
            ..Self::MONOTONE
        }
    }

    /// Returns the range of `function` over an interval. It is undetermined if there is no finite
    /// enclosure, and NaN if the interval lies outside of the domain.
    pub fn range(&self, function: impl Fn(f64) -> f64, over: Interval) -> Interval {
        if !over.is_enclosed() {
            return Interval::UNDETERMINED;
        }
        if let Extrema::Custom(enclose) = self.extrema {
            return enclose(over);
        }
        if over.is_point() {
            return Interval::point(function(over.low));
        }
        if over.high < self.defined_from || self.defined_to < over.low {
            return Interval::NOT_A_NUMBER;
        }
        let is_pole_inside = self.poles.iter().any(|&pole| over.contains(pole));
        if is_pole_inside || over.low < self.defined_from || self.defined_to < over.high {
            return Interval::UNDETERMINED;
        }
        self.span(function, over)
    }

    /// Returns the hull of the values at the ends of an interval and at the extrema inside. The
    /// interval lies in the domain, and has no pole except at an end.
    pub fn span(&self, function: impl Fn(f64) -> f64, over: Interval) -> Interval {
        let ends = [over.low, over.high];
        match self.extrema {
            Extrema::Custom(enclose) => enclose(over),
            Extrema::At(points) => {
                let inside = points.iter().copied().filter(|&point| over.contains(point));
                Interval::hull_of(ends.into_iter().chain(inside).map(function))
            }
            Extrema::Periodic { first, period } => {
                // A maximum and a minimum are the whole range of the function.
                let all = [first, first + period];
                let is_wide = over.high - over.low >= 2.0 * period;
                if is_wide || over.magnitude() > MOST_RESOLVED * period {
                    return Interval::hull_of(all.map(function));
                }
                // An extremum just outside makes the enclosure no less sound.
                let slack = SLACK * period;
                let before = ((over.low - slack - first) / period).floor();
                let inside = (0..4).map(|k| before + f64::from(k)).filter(|number| {
                    let point = first + number * period;
                    over.low - slack <= point && point <= over.high + slack
                });
                // Every other one has the value of the first.
                let value = |number: f64| function(all[usize::from(number.rem_euclid(2.0) != 0.0)]);
                Interval::hull_of(ends.map(&function).into_iter().chain(inside.map(value)))
            }
        }
    }
}

/// Number of periods up to which the extrema of a periodic function are told apart. It is far less
/// than an `f64` resolves.
pub(super) const MOST_RESOLVED: f64 = (1u64 << 30) as f64;

/// Fraction of a period by which an extremum may lie outside of an interval and still count as
/// inside. It is far more than the rounding error of its position, up to [`MOST_RESOLVED`].
pub(super) const SLACK: f64 = 1.0 / (1u64 << 16) as f64;

/// The rule that encloses the values of a binary function over a box.
#[derive(Clone, Copy, Debug)]
pub enum Sensitivity {
    /// Monotone in each operand while the other one is fixed; the direction may depend on the other
    /// one. The extremes over a box are at its corners.
    Corners,
    /// As [`Sensitivity::Corners`] on either side of zero of the first operand, where the value is
    /// zero.
    CornersAndZero,
    /// As [`Sensitivity::Corners`] where the second operand keeps its sign; unbounded where it is
    /// zero.
    CornersUnlessZero,
    /// A comparison: 0 or 1 where the operands may be equal.
    Comparison,
    /// A logical function of the operands as booleans: 0 or 1 where one may be zero.
    Logical,
    /// Defined for integers only, which are exact.
    Exact,
    /// An enclosure of its own, for any box. It covers values that depend on the sign of a zero,
    /// which not every device keeps.
    Custom(fn(Interval, Interval) -> Interval),
}
