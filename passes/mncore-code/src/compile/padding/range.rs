//! Interval arithmetic (Moore, *Interval Analysis*, 1966) for the functions of the chip.
//!
//! Intervals are over the extended reals and enclose the results for all operands within the
//! operands' intervals. Bounds of rounded results are widened by more than any function's error. A
//! zero stays a zero, since the chip's functions are exact there.
//!
//! [`Range::product_may_trap`] and [`Range::sum_may_trap`] tell whether some operands have a result
//! that the manual leaves undetermined (section 4.3).

use tessera_ops::Interval;
use tessera_pto::bounds::{Bound, MAX_QUOTIENT, MNCORE};
use tessera_pto::kernel::{Binary, Element, Unary};
use tessera_pto::target::Precision;

/// The largest finite number of the chip.
const MAX: f64 = f32::MAX as f64;
/// Results closer to zero than this may be flushed to zero.
const TINY: f64 = 2.0 * f32::MIN_POSITIVE as f64;
/// The largest element that the analysis assumes. Padding may combine numbers of several tensors as
/// elements never do; larger ones could overflow there.
const ELEMENT: f64 = (1_u64 << 48) as f64;
/// The largest sum of products in such padding.
const SUM: f64 = ELEMENT * ELEMENT * 16.0;
/// An upper bound of the relative error of any function, including rounding to bf16.
const ERROR: f64 = 1.0 / 64.0;

/// A closed interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::compile) struct Range {
    least: f64,
    most: f64,
}

impl Range {
    /// The interval of zero only.
    pub const ZERO: Range = Range::between(0.0, 0.0);
    /// All numbers and both infinities.
    pub const ALL: Range = Range::between(f64::NEG_INFINITY, f64::INFINITY);
    /// The results of comparisons.
    const BOOLEAN: Range = Range::between(0.0, 1.0);

    /// Returns the interval between two bounds.
    pub const fn between(least: f64, most: f64) -> Range {
        Range { least, most }
    }

    /// Returns the interval of one number.
    pub const fn point(number: f64) -> Range {
        Range::between(number, number)
    }

    /// Returns the interval of elements of a type.
    pub fn from_element(element: Element) -> Range {
        match element {
            Element::I32 => Range::between(i32::MIN.into(), i32::MAX.into()),
            Element::F32 | Element::Bf16 => Range::between(-ELEMENT, ELEMENT),
        }
    }

    /// The interval of sums of products of elements.
    pub const PRODUCT: Range = Range::between(-SUM, SUM);

    /// Returns whether it contains only zero.
    pub fn is_zero(self) -> bool {
        self == Range::ZERO
    }

    /// Returns whether it contains no infinities.
    pub fn is_finite(self) -> bool {
        self.least.is_finite() && self.most.is_finite()
    }

    /// Returns the smallest interval that contains both.
    pub fn hull(self, other: Range) -> Range {
        Range::between(self.least.min(other.least), self.most.max(other.most))
    }

    /// Returns its only number, if it contains only one.
    fn number(self) -> Option<f64> {
        (self.least == self.most && self.is_finite()).then_some(self.least)
    }

    fn has_zero(self) -> bool {
        self.least <= 0.0 && self.most >= 0.0
    }

    /// Widens it by the error of a computation. Results that may overflow or underflow do.
    fn computed(self) -> Range {
        let outwards = |bound: f64, sign: f64| {
            let moved = bound + sign * bound.abs() * ERROR;
            match moved {
                _ if bound.is_infinite() => bound,
                _ if moved > MAX => f64::INFINITY,
                _ if moved < -MAX => f64::NEG_INFINITY,
                _ => moved,
            }
        };
        let (least, most) = (outwards(self.least, -1.0), outwards(self.most, 1.0));
        let least = if (0.0..TINY).contains(&least) {
            0.0
        } else {
            least
        };
        let most = if most > -TINY && most <= 0.0 {
            0.0
        } else {
            most
        };
        Range { least, most }
    }

    /// Returns whether a product may be one of an infinity and a zero.
    pub fn product_may_trap(self, other: Range) -> bool {
        let open = |one: Range, other: Range| !one.is_finite() && other.has_zero();
        open(self, other) || open(other, self)
    }

    /// Returns whether a sum may be one of opposite infinities.
    pub fn sum_may_trap(self, other: Range) -> bool {
        let open = |one: Range, other: Range| {
            one.least == f64::NEG_INFINITY && other.most == f64::INFINITY
        };
        open(self, other) || open(other, self)
    }

    /// Returns the interval of a function's results.
    pub fn unary(self, function: Unary, element: Element) -> Range {
        let exact = element.is_integer() || self.is_zero();
        if let (Some(number), true) = (self.number(), exact) {
            let range = Range::point(function.eval(element, number));
            return match element.is_integer() {
                true => range,
                false => range.computed(),
            };
        }
        match function {
            _ if function.is_predicate() => Range::BOOLEAN,
            _ if element.is_integer() => Range::from_element(element),
            _ => self.enclose_float(function),
        }
    }

    /// Returns the interval of a float function's results, from its enclosure in the operation
    /// table. The chip has no NaN: outside of its domain a function has the value at the domain's
    /// end, and infinity for operands too large to be computed.
    fn enclose_float(self, function: Unary) -> Range {
        let (info, bound) = (function.info(), MNCORE.unary(function, Precision::F32));
        let Some(float) = info.float else {
            return Range::ALL;
        };
        let enclosure = info.enclosure;
        // Subnormal numbers count as zero.
        let Interval { low, high } = self.interval();
        let defined = Interval::new(low, high)
            .map(|end| end.clamp(enclosure.defined_from, enclosure.defined_to));
        let is_end = |pole: f64| pole == enclosure.defined_from || pole == enclosure.defined_to;
        let mut poles = enclosure.poles.iter();
        if poles.any(|pole| defined.contains(*pole) && !is_end(*pole)) {
            return Range::ALL;
        }
        // Where the limit at infinity does not exist, the function is bounded on the way.
        let value = |x: f64| match float(x) {
            value if value.is_nan() => float(x.clamp(-MAX, MAX)),
            value => value,
        };
        let span = enclosure.span(value, defined);
        if !span.is_enclosed() {
            return Range::ALL;
        }
        let range = Range::between(span.low, span.high);
        let range = match bound {
            Bound::Exact => range,
            _ => range.computed(),
        };
        match bound.is_computed(defined) {
            true => range,
            false => range.hull(Range::point(f64::INFINITY)),
        }
    }

    /// Returns the interval with subnormal bounds flushed to zero.
    fn interval(self) -> Interval {
        let flush = |end: f64, is_outwards: bool| match end.abs() < TINY && is_outwards {
            true => 0.0,
            false => end,
        };
        let Range { least, most } = self;
        Interval::new(flush(least, least > 0.0), flush(most, most < 0.0))
    }

    /// Returns the interval of a binary function's results.
    pub fn binary(self, function: Binary, other: Range, element: Element) -> Range {
        let numbers = self.number().zip(other.number());
        let exact = element.is_integer() || self.is_zero() && other.is_zero();
        match (numbers, function) {
            (_, Binary::Divide) => {}
            // The remainder of zero by zero is infinite.
            (_, Binary::Remainder) if !element.is_integer() => {}
            (Some((left, right)), _) if exact => {
                return Range::point(function.eval(element, left, right));
            }
            _ => {}
        }
        match function {
            Binary::Multiply if self.is_zero() || other.is_zero() => Range::ZERO,
            _ if element.is_integer() && !function.is_predicate() => Range::from_element(element),
            Binary::Add => self.plus(other),
            Binary::Subtract => self.plus(other.unary(Unary::Neg, element)),
            Binary::Multiply => self.times(other),
            Binary::Max => Range::between(self.least.max(other.least), self.most.max(other.most)),
            Binary::Min => Range::between(self.least.min(other.least), self.most.min(other.most)),
            Binary::Divide if other.has_zero() => Range::ALL,
            Binary::Divide => {
                let finite = Range::between(self.least.max(-MAX), self.most.min(MAX));
                let one = Range::between(other.most.recip(), other.least.recip());
                finite.times(one)
            }
            Binary::Remainder => self.remainder(other),
            Binary::Prelu if self.least >= 0.0 => self,
            Binary::Prelu => self.hull(self.times(other)),
            _ if function.is_predicate() => Range::BOOLEAN,
            _ => match function.enclose(element, self.interval(), other.interval()) {
                span if span.is_enclosed() => Range::between(span.low, span.high).computed(),
                _ => Range::ALL,
            },
        }
    }

    /// Returns the interval of remainders, which are infinite where the quotient is too large.
    fn remainder(self, divisor: Range) -> Range {
        let (dividend, divisor) = (self.interval(), divisor.interval());
        let span = Binary::Remainder.enclose(Element::F32, dividend, divisor);
        if !span.is_enclosed() {
            return Range::ALL;
        }
        let range = Range::between(span.low, span.high).computed();
        let quotient = dividend.magnitude() / divisor.least_magnitude();
        match quotient < f64::from(MAX_QUOTIENT) {
            true => range,
            false => range.hull(Range::point(f64::INFINITY)),
        }
    }

    fn plus(self, other: Range) -> Range {
        let or = |sum: f64, bound: f64| if sum.is_nan() { bound } else { sum };
        let least = or(self.least + other.least, f64::NEG_INFINITY);
        let most = or(self.most + other.most, f64::INFINITY);
        Range::between(least, most).computed()
    }

    fn times(self, other: Range) -> Range {
        // A zero times an infinity may trap, which is handled elsewhere; otherwise a zero stays
        // zero.
        let product = |x: f64, y: f64| if x == 0.0 || y == 0.0 { 0.0 } else { x * y };
        let pairs = [self.least, self.most]
            .into_iter()
            .flat_map(|x| [other.least, other.most].map(|y| product(x, y)));
        let all: Vec<f64> = pairs.collect();
        let least = all.iter().copied().fold(f64::INFINITY, f64::min);
        let most = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Range::between(least, most).computed()
    }

    /// Returns the interval of squares.
    pub fn square(self) -> Range {
        let size = self.unary(Unary::Abs, Element::F32);
        size.times(size)
    }

    /// Returns the interval of sums of `count` numbers.
    pub fn sum(self, count: u32) -> Range {
        let count = f64::from(count);
        let times = |bound: f64| if bound == 0.0 { 0.0 } else { bound * count };
        // One number alone, too: the others may be zero, or excluded.
        let all = Range::between(times(self.least), times(self.most));
        all.hull(self).computed()
    }

    /// Returns the interval after a conversion of element types.
    pub fn converted(self, from: Element, to: Element) -> Range {
        match (from.is_integer(), to.is_integer()) {
            (true, true) => self,
            _ if self.is_zero() => self,
            (_, true) => {
                let whole = Range::from_element(to);
                let clamp = |bound: f64| bound.trunc().clamp(whole.least, whole.most);
                Range::between(clamp(self.least), clamp(self.most))
            }
            (_, false) => self.computed(),
        }
    }
}

#[cfg(test)]
mod tests;
