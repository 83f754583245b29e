//! Interval enclosures: where the value of a function can lie if its operands are known up to an
//! error.
//!
//! An element-wise function of one operand is monotone between its extrema, so its range over an
//! interval is spanned by the values at the ends and at the extrema inside. If the interval
//! contains a pole, or leaves the set on which the function is defined, no finite enclosure exists:
//! the value is undetermined. See Moore, Kearfott and Cloud, "Introduction to Interval Analysis"
//! (2009).

/// What is known of a number: the closed interval in which it lies, or that it is NaN, or nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// What is known of a number of which nothing is known, not even that it is one.
    pub const UNDETERMINED: Self = Interval {
        low: f64::NAN,
        high: f64::NAN,
    };

    /// What is known of NaN: it lies nowhere.
    pub const NOT_A_NUMBER: Self = Interval {
        low: f64::INFINITY,
        high: f64::NEG_INFINITY,
    };

    /// Returns the numbers from `low` to `high`.
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

    /// Returns the numbers that differ from `value` by at most `error`.
    pub fn around(value: f64, error: f64) -> Self {
        Interval::new(value - error, value + error)
    }

    /// Returns whether the number lies in an interval.
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

    /// Returns the interval whose ends are those of this one under a monotone function.
    #[must_use]
    pub fn map(self, function: impl Fn(f64) -> f64) -> Self {
        match self.is_enclosed() {
            true => Interval::new(function(self.low), function(self.high)),
            false => self,
        }
    }

    /// Returns the interval, if all of it are integers of 32 bits; else undetermined, for they
    /// wrap.
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

/// What a function of one operand does over an interval.
#[derive(Clone, Copy, Debug)]
pub struct Enclosure {
    /// Where the function has a local extremum or changes direction.
    pub extrema: Extrema,
    /// Where the function is unbounded.
    pub poles: &'static [f64],
    /// The least number for which the function is defined.
    pub defined_from: f64,
}

/// The local extrema of a function of one operand.
#[derive(Clone, Copy, Debug)]
pub enum Extrema {
    /// At these points; between neighbours the function is monotone.
    At(&'static [f64]),
    /// At `first + k * period` for every integer `k`: maxima and minima in turn, all with the same
    /// values.
    Periodic {
        /// One of them.
        first: f64,
        /// The distance between neighbours.
        period: f64,
    },
}

impl Enclosure {
    /// A function that is monotone and defined everywhere.
    pub const MONOTONE: Self = Self::with_extrema(&[]);

    /// Returns a function that is defined everywhere and has these extrema.
    pub const fn with_extrema(extrema: &'static [f64]) -> Self {
        Enclosure {
            extrema: Extrema::At(extrema),
            poles: &[],
            defined_from: f64::NEG_INFINITY,
        }
    }

    /// Returns a function that is defined everywhere, bounded, and has extrema at `first + k *
    /// period`.
    pub const fn periodic(first: f64, period: f64) -> Self {
        Enclosure {
            extrema: Extrema::Periodic { first, period },
            ..Self::MONOTONE
        }
    }

    /// Returns a monotone function that is defined from a number on; `poles` says whether it is
    /// unbounded there.
    pub const fn defined_from(least: f64, poles: &'static [f64]) -> Self {
        Enclosure {
            extrema: Extrema::At(&[]),
            poles,
            defined_from: least,
        }
    }

    /// Returns the range of `function` over an interval; undetermined if it has no finite enclosure
    /// there. NaN if the interval lies outside of the set on which the function is defined.
    pub fn range(&self, function: impl Fn(f64) -> f64, over: Interval) -> Interval {
        if !over.is_enclosed() {
            return Interval::UNDETERMINED;
        }
        if over.is_point() {
            return Interval::point(function(over.low));
        }
        if over.high < self.defined_from {
            return Interval::NOT_A_NUMBER;
        }
        let is_pole_inside = self.poles.iter().any(|&pole| over.contains(pole));
        if is_pole_inside || over.low < self.defined_from {
            return Interval::UNDETERMINED;
        }
        self.span(function, over)
    }

    /// What the values at the ends of an interval and at the extrema inside span. The interval
    /// lies in the set on which the function is defined, and has no pole but at an end.
    pub fn span(&self, function: impl Fn(f64) -> f64, over: Interval) -> Interval {
        let ends = [over.low, over.high];
        match self.extrema {
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

/// Periods up to which the extrema of a periodic function are told apart: far fewer than an `f64`
/// resolves.
const MOST_RESOLVED: f64 = (1u64 << 30) as f64;

/// Periods by which an extremum may lie outside of an interval and still count as inside: far more
/// than its place is rounded by, up to [`MOST_RESOLVED`].
const SLACK: f64 = 1.0 / (1u64 << 16) as f64;

/// How the value of a function of two operands depends on them.
#[derive(Clone, Copy, Debug)]
pub enum Sensitivity {
    /// Monotone in each operand while the other one is fixed (the direction may depend on the other
    /// one): over a box, the extremes are at its corners.
    Corners,
    /// As [`Sensitivity::Corners`] on either side of zero of the first operand, where the value is
    /// zero.
    CornersAndZero,
    /// As [`Sensitivity::Corners`] where the second operand keeps its sign; unbounded where it is
    /// zero.
    CornersUnlessZero,
    /// A comparison of both operands: open where their difference may be zero.
    Comparison,
    /// A function of the truth of both operands: open where one may be zero.
    Logical,
    /// Defined on integers only, which are exact.
    Exact,
    /// Its own enclosure over a box of which one operand at least is no point.
    Custom(fn(Interval, Interval) -> Interval),
}
