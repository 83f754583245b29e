//! Interval enclosures: where the value of a function can lie if its operands are known up to an error.
//!
//! An element-wise function of one operand is monotone between its extrema, so its range over an interval
//! is spanned by the values at the ends and at the extrema inside. If the interval contains a pole, or
//! leaves the set on which the function is defined, no finite enclosure exists.

/// A closed interval of real numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// The numbers that differ from `value` by at most `error`.
    pub fn around(value: f64, error: f64) -> Self {
        Interval {
            low: value - error,
            high: value + error,
        }
    }

    /// Whether a number lies in the interval.
    pub fn contains(self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// The largest distance of a point of the interval from `value`; infinite if an end is not a number.
    pub fn distance(self, value: f64) -> f64 {
        let distance = (self.high - value).abs().max((value - self.low).abs());
        match (self.high - value).is_nan() || (value - self.low).is_nan() {
            true => f64::INFINITY,
            false => distance,
        }
    }

    /// The smallest interval that contains all of `values`.
    fn spanned_by(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        values.into_iter().try_fold(
            Interval {
                low: f64::INFINITY,
                high: f64::NEG_INFINITY,
            },
            |span, value| {
                (!value.is_nan()).then(|| Interval {
                    low: span.low.min(value),
                    high: span.high.max(value),
                })
            },
        )
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
    /// At `first + k * period` for every integer `k`.
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

    /// A function that is defined everywhere and has these extrema.
    pub const fn with_extrema(extrema: &'static [f64]) -> Self {
        Enclosure {
            extrema: Extrema::At(extrema),
            poles: &[],
            defined_from: f64::NEG_INFINITY,
        }
    }

    /// A monotone function that is defined from a number on; `poles` says whether it is unbounded there.
    pub const fn defined_from(least: f64, poles: &'static [f64]) -> Self {
        Enclosure {
            extrema: Extrema::At(&[]),
            poles,
            defined_from: least,
        }
    }

    /// The range of `function` over an interval; nothing if it has no finite enclosure there.
    pub fn range(&self, function: impl Fn(f64) -> f64, over: Interval) -> Option<Interval> {
        let is_pole_inside = self.poles.iter().any(|&pole| over.contains(pole));
        if is_pole_inside || over.low < self.defined_from {
            return None;
        }
        let ends = [over.low, over.high];
        match self.extrema {
            Extrema::At(points) => {
                let inside = points.iter().copied().filter(|&point| over.contains(point));
                Interval::spanned_by(ends.into_iter().chain(inside).map(function))
            }
            Extrema::Periodic { first, period } => {
                let next = first + ((over.low - first) / period).ceil() * period;
                let inside = [next, next + period].into_iter();
                let inside = inside.filter(|&point| over.contains(point));
                Interval::spanned_by(ends.into_iter().chain(inside).map(function))
            }
        }
    }
}

/// How the value of a function of two operands depends on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sensitivity {
    /// Monotone in each operand while the other one is fixed (the direction may depend on the other one):
    /// over a box, the extremes are at its corners.
    Corners,
    /// As [`Sensitivity::Corners`] where the second operand keeps its sign; unbounded where it is zero.
    CornersUnlessZero,
    /// A comparison of both operands: open where their difference may be zero.
    Comparison,
    /// A function of the truth of both operands: open where one may be zero.
    Logical,
    /// Defined on integers only, which are exact.
    Exact,
}
