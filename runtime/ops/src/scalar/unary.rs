//! Unary element-wise functions.

use std::f64::consts::{FRAC_PI_2, PI};

use super::enclosure::{Enclosure, Interval, MOST_RESOLVED, SLACK};
use super::{boolean, functions, Arithmetic, Domain};

/// The properties of a unary function.
#[derive(Debug)]
pub struct UnaryInfo {
    /// The name of its tensor operation in `ttnn` and in the program file.
    pub name: &'static str,
    /// What follows `pto.t` in the name of its tile operation.
    pub mnemonic: &'static str,
    /// A short description of its value.
    pub summary: &'static str,
    /// Its value for floating-point numbers, if it is defined for them.
    pub float: Option<fn(f64) -> f64>,
    /// Its value for integers, if it is defined for them.
    pub integer: Option<fn(i32) -> i32>,
    /// The enclosure of its values over an interval.
    pub enclosure: Enclosure,
    /// Whether the result is 1 or 0.
    pub is_predicate: bool,
}

/// The minimum of gelu, `x / 2 * (1 + erf(x / sqrt(2)))`.
const GELU_MINIMUM: f64 = -0.751_791_524_693_564_4;

/// The minimum of silu, `x / (1 + exp(-x))`.
const SILU_MINIMUM: f64 = -1.278_464_542_761_074;

/// Returns 1 with the sign of a number; zeros and NaN are their own signs.
fn sign(x: f64) -> f64 {
    if x == 0.0 || x.is_nan() {
        x
    } else {
        1f64.copysign(x)
    }
}

/// Returns the interval of sign bits. A device may lose the sign of a zero.
fn enclose_sign_bit(over: Interval) -> Interval {
    match over.contains(0.0) {
        true => Interval::new(0.0, 1.0),
        false => Interval::point(boolean(over.low < 0.0)),
    }
}

/// Returns the interval of fractional parts: they increase between integers.
fn enclose_fraction(over: Interval) -> Interval {
    if over.is_point() {
        return Interval::point(over.low.fract());
    }
    if over.magnitude().is_infinite() {
        return Interval::UNDETERMINED;
    }
    let has_one_sign = over.low >= 0.0 || over.high <= 0.0;
    match has_one_sign && over.low.trunc() == over.high.trunc() {
        true => over.map(f64::fract),
        false => Interval::new(-boolean(over.low < 0.0), boolean(over.high > 0.0)),
    }
}

/// Returns the interval of tangents, which increase between odd multiples of π/2.
fn enclose_tangent(over: Interval) -> Interval {
    if over.is_point() {
        return Interval::point(over.low.tan());
    }
    let branch = |x: f64| (x / PI + 0.5).floor();
    // A pole just outside makes the enclosure no less sound.
    let slack = SLACK * PI;
    let is_resolved = over.magnitude() <= MOST_RESOLVED * PI;
    match is_resolved && branch(over.low - slack) == branch(over.high + slack) {
        true => over.map(f64::tan),
        false => Interval::UNDETERMINED,
    }
}

functions! {
    /// A function of one element.
    Unary: UnaryInfo {
        Neg: "The element with its sign changed", {
            name: "neg",
            mnemonic: "neg",
            float: Some(|x| -x),
            integer: Some(i32::wrapping_neg),
            enclosure: Enclosure::MONOTONE,
            is_predicate: false,
        }
        Abs: "The element without its sign", {
            name: "abs",
            mnemonic: "abs",
            float: Some(f64::abs),
            integer: Some(i32::wrapping_abs),
            enclosure: Enclosure::with_extrema(&[0.0]),
            is_predicate: false,
        }
        Relu: "The greater of the element and +0", {
            name: "relu",
            mnemonic: "relu",
            float: Some(|x| if x > 0.0 || x.is_nan() { x } else { 0.0 }),
            integer: Some(|x| x.max(0)),
            enclosure: Enclosure::MONOTONE,
            is_predicate: false,
        }
        LogicalNot: "1 where the element is zero, else 0", {
            name: "logical_not",
            mnemonic: "lnot",
            float: Some(|x| boolean(x == 0.0)),
            integer: Some(|x| i32::from(x == 0)),
            enclosure: Enclosure::with_extrema(&[0.0]),
            is_predicate: true,
        }
        Floor: "The largest integer that is not above the element", {
            name: "floor",
            mnemonic: "floor",
            float: Some(f64::floor),
            integer: None,
            enclosure: Enclosure::MONOTONE,
            is_predicate: false,
        }
        Ceil: "The smallest integer that is not below the element", {
            name: "ceil",
            mnemonic: "ceil",
            float: Some(f64::ceil),
            integer: None,
            enclosure: Enclosure::MONOTONE,
            is_predicate: false,
        }
        Trunc: "The element rounded towards zero to an integer", {
            name: "trunc",
            mnemonic: "trunc",
            float: Some(f64::trunc),
            integer: None,
            enclosure: Enclosure::MONOTONE,
            is_predicate: false,
        }
        Round: "The nearest integer; of two, the even one", {
            name: "round",
            mnemonic: "round",
            float: Some(f64::round_ties_even),
            integer: None,
            enclosure: Enclosure::MONOTONE,
            is_predicate: false,
        }
        Frac: "The element minus the element rounded towards zero", {
            name: "frac",
            mnemonic: "frac",
            float: Some(f64::fract),
            integer: None,
            enclosure: Enclosure::custom(enclose_fraction),
            is_predicate: false,
        }
        Sign: "1 above zero, -1 below, zero for zeros", {
            name: "sign",
            mnemonic: "sign",
            float: Some(sign),
            integer: Some(i32::signum),
            enclosure: Enclosure::MONOTONE,
            is_predicate: false,
        }
        Signbit: "1 where the sign bit is set, else 0", {
            name: "signbit",
            mnemonic: "signbit",
            float: Some(|x| boolean(x.is_sign_negative())),
            integer: Some(|x| i32::from(x < 0)),
            enclosure: Enclosure::custom(enclose_sign_bit),
            is_predicate: true,
        }
        IsFinite: "1 where the element is neither infinite nor NaN, else 0", {
            name: "isfinite",
            mnemonic: "isfinite",
            float: Some(|x| boolean(x.is_finite())),
            integer: None,
            enclosure: Enclosure::with_extrema(&[0.0]),
            is_predicate: true,
        }
        Exp: "The exponential", {
            name: "exp",
            mnemonic: "exp",
            float: Some(f64::exp),
            integer: None,
            enclosure: Enclosure::MONOTONE,
            is_predicate: false,
        }
        Exp2: "Two to the power of the element", {
            name: "exp2",
            mnemonic: "exp2",
            float: Some(f64::exp2),
            integer: None,
            enclosure: Enclosure::MONOTONE,
            is_predicate: false,
        }
        Expm1: "The exponential minus one", {
            name: "expm1",
            mnemonic: "expm1",
            float: Some(f64::exp_m1),
            integer: None,
            enclosure: Enclosure::MONOTONE,
            is_predicate: false,
        }
        Log: "The natural logarithm", {
            name: "log",
            mnemonic: "log",
            float: Some(f64::ln),
            integer: None,
            enclosure: Enclosure::defined_from(0.0, &[0.0]),
            is_predicate: false,
        }
        Log1p: "The natural logarithm of one plus the element", {
            name: "log1p",
            mnemonic: "log1p",
            float: Some(f64::ln_1p),
            integer: None,
            enclosure: Enclosure::defined_from(-1.0, &[-1.0]),
            is_predicate: false,
        }
        Sqrt: "The square root", {
            name: "sqrt",
            mnemonic: "sqrt",
            float: Some(f64::sqrt),
            integer: None,
            enclosure: Enclosure::defined_from(0.0, &[]),
            is_predicate: false,
        }
        Rsqrt: "One over the square root", {
            name: "rsqrt",
            mnemonic: "rsqrt",
            float: Some(|x| x.sqrt().recip()),
            integer: None,
            enclosure: Enclosure::defined_from(0.0, &[0.0]),
            is_predicate: false,
        }
        Cbrt: "The cube root", {
            name: "cbrt",
            mnemonic: "cbrt",
            float: Some(f64::cbrt),
            integer: None,
            enclosure: Enclosure::MONOTONE,
            is_predicate: false,
        }
        Reciprocal: "One over the element", {
            name: "reciprocal",
            mnemonic: "recip",
            float: Some(f64::recip),
            integer: None,
            enclosure: Enclosure { poles: &[0.0], ..Enclosure::MONOTONE },
            is_predicate: false,
        }
        Sigmoid: "1 / (1 + exp(-x))", {
            name: "sigmoid",
            mnemonic: "sigmoid",
            float: Some(|x| (1.0 + (-x).exp()).recip()),
            integer: None,
            enclosure: Enclosure::MONOTONE,
            is_predicate: false,
        }
        Sin: "The sine of an angle in radians", {
            name: "sin",
            mnemonic: "sin",
            float: Some(f64::sin),
            integer: None,
            enclosure: Enclosure::periodic(FRAC_PI_2, PI),
            is_predicate: false,
        }
        Cos: "The cosine of an angle in radians", {
            name: "cos",
            mnemonic: "cos",
            float: Some(f64::cos),
            integer: None,
            enclosure: Enclosure::periodic(0.0, PI),
            is_predicate: false,
        }
        Tan: "The tangent of an angle in radians", {
            name: "tan",
            mnemonic: "tan",
            float: Some(f64::tan),
            integer: None,
            enclosure: Enclosure::custom(enclose_tangent),
            is_predicate: false,
        }
        Asin: "The angle from -π/2 to π/2 with this sine", {
            name: "asin",
            mnemonic: "asin",
            float: Some(f64::asin),
            integer: None,
            enclosure: Enclosure::defined_within(-1.0, 1.0),
            is_predicate: false,
        }
        Acos: "The angle from 0 to π with this cosine", {
            name: "acos",
            mnemonic: "acos",
            float: Some(f64::acos),
            integer: None,
            enclosure: Enclosure::defined_within(-1.0, 1.0),
            is_predicate: false,
        }
        Atan: "The angle from -π/2 to π/2 with this tangent", {
            name: "atan",
            mnemonic: "atan",
            float: Some(f64::atan),
            integer: None,
            enclosure: Enclosure::MONOTONE,
            is_predicate: false,
        }
        Asinh: "The inverse of the hyperbolic sine", {
            name: "asinh",
            mnemonic: "asinh",
            float: Some(f64::asinh),
            integer: None,
            enclosure: Enclosure::MONOTONE,
            is_predicate: false,
        }
        Tanh: "The hyperbolic tangent", {
            name: "tanh",
            mnemonic: "tanh",
            float: Some(f64::tanh),
            integer: None,
            enclosure: Enclosure::MONOTONE,
            is_predicate: false,
        }
        Erf: "The error function", {
            name: "erf",
            mnemonic: "erf",
            float: Some(libm::erf),
            integer: None,
            enclosure: Enclosure::MONOTONE,
            is_predicate: false,
        }
        Erfc: "One minus the error function", {
            name: "erfc",
            mnemonic: "erfc",
            float: Some(libm::erfc),
            integer: None,
            enclosure: Enclosure::MONOTONE,
            is_predicate: false,
        }
        Gelu: "x / 2 * (1 + erf(x / sqrt(2)))", {
            name: "gelu",
            mnemonic: "gelu",
            // 1 + erf would cancel far below zero.
            float: Some(|x| 0.5 * x * libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2)),
            integer: None,
            enclosure: Enclosure::with_extrema(&[GELU_MINIMUM]),
            is_predicate: false,
        }
        Silu: "x / (1 + exp(-x))", {
            name: "silu",
            mnemonic: "silu",
            float: Some(|x| x / (1.0 + (-x).exp())),
            integer: None,
            enclosure: Enclosure::with_extrema(&[SILU_MINIMUM]),
            is_predicate: false,
        }
        BitwiseNot: "All bits of an integer inverted", {
            name: "bitwise_not",
            mnemonic: "not",
            float: None,
            integer: Some(|x| !x),
            enclosure: Enclosure::MONOTONE,
            is_predicate: false,
        }
    }
}

impl Unary {
    /// Returns the arithmetics in which the function is defined.
    pub fn domain(self) -> Domain {
        let info = self.info();
        Domain::from_definitions(info.float.is_some(), info.integer.is_some())
    }

    /// Returns whether the result is 1 or 0.
    pub fn is_predicate(self) -> bool {
        self.info().is_predicate
    }

    /// Returns the value for `x`, which is an integer if the arithmetic is [`Arithmetic::Integer`].
    ///
    /// Outside of its [`Unary::domain`] the value is NaN, or 0 for integers; callers check the
    /// domain first.
    pub fn eval(self, arithmetic: impl Into<Arithmetic>, x: f64) -> f64 {
        match arithmetic.into() {
            Arithmetic::Float => self.info().float.map_or(f64::NAN, |float| float(x)),
            Arithmetic::Integer => {
                let integer = self.info().integer;
                integer.map_or(0.0, |integer| integer(x as i32).into())
            }
        }
    }

    /// Returns the interval of the value for an operand in an interval. The value for NaN is
    /// undetermined, because some devices have no NaN.
    pub fn enclose(self, arithmetic: impl Into<Arithmetic>, over: Interval) -> Interval {
        match (arithmetic.into(), self.info().float) {
            (Arithmetic::Integer, _) if over.is_point() => {
                Interval::point(self.eval(Arithmetic::Integer, over.low))
            }
            (Arithmetic::Integer, Some(float)) => {
                let range = self.info().enclosure.range(float, over);
                range.undetermined_if_wrapping()
            }
            (Arithmetic::Float, Some(float)) => self.info().enclosure.range(float, over),
            (_, None) => Interval::UNDETERMINED,
        }
    }
}
