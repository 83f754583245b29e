//! Binary element-wise functions.

use std::f64::consts::PI;

use super::enclosure::{Interval, Sensitivity};
use super::{boolean, functions, Arithmetic, Domain};

/// The properties of a binary function.
#[derive(Debug)]
pub struct BinaryInfo {
    /// The name of its tensor operation in `ttnn` and in the program file.
    pub name: &'static str,
    /// The name of its tensor operation in `ttir`, if it has one.
    pub ttir: Option<&'static str>,
    /// What follows `pto.t` in the name of its tile operation.
    pub mnemonic: &'static str,
    /// A short description of its value.
    pub summary: &'static str,
    /// Its value for floating-point numbers, if it is defined for them.
    pub float: Option<fn(f64, f64) -> f64>,
    /// Its value for integers, if it is defined for them.
    pub integer: Option<fn(i32, i32) -> i32>,
    /// The enclosure of its values over a box.
    pub sensitivity: Sensitivity,
    /// Whether the result is 1 or 0.
    pub is_predicate: bool,
}

/// Returns the larger of two numbers, or NaN if one is NaN. +0 is larger than -0.
fn larger(x: f64, y: f64) -> f64 {
    let is_first = x > y || x.is_nan() || (x == y && x.is_sign_positive());
    if is_first {
        x
    } else {
        y
    }
}

/// Returns the interval of powers of a base in `x` with exponents in `y`.
///
/// The power of a positive base is monotone in either operand while the other one is fixed. The
/// power of a base of any sign is defined for integer exponents only; it is then monotone on either
/// side of zero.
fn enclose_power(x: Interval, y: Interval) -> Interval {
    let corners = || {
        let bases = [x.low, x.high];
        bases
            .into_iter()
            .flat_map(|x| [x.powf(y.low), x.powf(y.high)])
    };
    if x.is_point() && y.is_point() {
        return Interval::point(x.low.powf(y.low));
    }
    let is_integer = y.is_point() && y.low.is_finite() && y.low == y.low.trunc();
    match (x.low > 0.0, x.contains(0.0)) {
        (true, _) => Interval::hull_of(corners()),
        // A power of zero is unbounded for exponents below zero, and 1 for zero.
        (_, true) if y.low <= 0.0 => Interval::UNDETERMINED,
        (_, true) if x.low == 0.0 => Interval::hull_of(corners()),
        (_, true) if is_integer => Interval::hull_of(corners().chain([0.0])),
        (_, false) if is_integer => Interval::hull_of(corners()),
        (_, false) if y.is_point() && y.low.is_finite() => Interval::NOT_A_NUMBER,
        _ => Interval::UNDETERMINED,
    }
}

/// Returns the interval of remainders of dividends in `x` and divisors in `y`.
///
/// The remainder is linear while the quotient, rounded towards zero, is the same. Otherwise it has
/// the sign of the dividend, and no more magnitude than either operand.
fn enclose_remainder(x: Interval, y: Interval) -> Interval {
    if x.is_point() && y.is_point() {
        return Interval::point(x.low % y.low);
    }
    if y.contains(0.0) || x.magnitude().is_infinite() {
        return Interval::UNDETERMINED;
    }
    let corners = || {
        [
            (x.low, y.low),
            (x.low, y.high),
            (x.high, y.low),
            (x.high, y.high),
        ]
    };
    let [first, others @ ..] = corners().map(|(x, y)| (x / y).trunc());
    if others.iter().all(|other| *other == first) {
        return Interval::hull_of(corners().map(|(x, y)| x % y));
    }
    let most = x.magnitude().min(y.magnitude());
    Interval::new(-boolean(x.low < 0.0) * most, boolean(x.high > 0.0) * most)
}

/// Returns the interval of angles of points with ordinates in `y` and abscissas in `x`.
///
/// In each half plane the angle is monotone in either coordinate. It jumps where the ordinate is a
/// zero and the abscissa is not positive; a device may lose the signs of zeros.
fn enclose_angle(y: Interval, x: Interval) -> Interval {
    if y.contains(0.0) && x.low <= 0.0 {
        return Interval::new(-PI, PI);
    }
    let angles = [y.low, y.high].map(|y| [y.atan2(x.low), y.atan2(x.high)]);
    Interval::hull_of(angles.into_iter().flatten())
}

/// Returns the quotient rounded towards zero, or -1 if the divisor is 0.
fn quotient(x: i32, y: i32) -> i32 {
    match y {
        0 => -1,
        y => x.wrapping_div(y),
    }
}

/// Returns the remainder with the sign of the dividend, or the dividend if the divisor is 0.
fn remainder(x: i32, y: i32) -> i32 {
    match y {
        0 => x,
        y => x.wrapping_rem(y),
    }
}

/// Returns the result of a shift, which is 0 if the amount is not from 0 to 31.
fn shifted(bits: Option<u32>) -> i32 {
    bits.unwrap_or(0) as i32
}

/// The definitions of a comparison operator.
macro_rules! comparison {
    ($operator:tt) => {
        (Some(|x, y| boolean(x $operator y)), Some(|x, y| i32::from(x $operator y)))
    };
}

/// The definitions of a comparison for floating-point numbers and integers.
type Definitions = (Option<fn(f64, f64) -> f64>, Option<fn(i32, i32) -> i32>);

const EQUAL: Definitions = comparison!(==);
const NOT_EQUAL: Definitions = comparison!(!=);
const GREATER: Definitions = comparison!(>);
const GREATER_EQUAL: Definitions = comparison!(>=);
const LESS: Definitions = comparison!(<);
const LESS_EQUAL: Definitions = comparison!(<=);

functions! {
    /// A function of two elements.
    Binary: BinaryInfo {
        Add: "Sum", {
            name: "add",
            ttir: Some("add"),
            mnemonic: "add",
            float: Some(|x, y| x + y),
            integer: Some(i32::wrapping_add),
            sensitivity: Sensitivity::Corners,
            is_predicate: false,
        }
        Subtract: "Difference", {
            name: "subtract",
            ttir: Some("subtract"),
            mnemonic: "sub",
            float: Some(|x, y| x - y),
            integer: Some(i32::wrapping_sub),
            sensitivity: Sensitivity::Corners,
            is_predicate: false,
        }
        Multiply: "Product", {
            name: "multiply",
            ttir: Some("multiply"),
            mnemonic: "mul",
            float: Some(|x, y| x * y),
            integer: Some(i32::wrapping_mul),
            sensitivity: Sensitivity::Corners,
            is_predicate: false,
        }
        Max: "The larger element", {
            name: "maximum",
            ttir: Some("maximum"),
            mnemonic: "max",
            float: Some(larger),
            integer: Some(|x, y| x.max(y)),
            sensitivity: Sensitivity::Corners,
            is_predicate: false,
        }
        Min: "The smaller element", {
            name: "minimum",
            ttir: Some("minimum"),
            mnemonic: "min",
            float: Some(|x, y| -larger(-x, -y)),
            integer: Some(|x, y| x.min(y)),
            sensitivity: Sensitivity::Corners,
            is_predicate: false,
        }
        Equal: "1 where both are equal, else 0", {
            name: "eq",
            ttir: Some("eq"),
            mnemonic: "eq",
            float: EQUAL.0,
            integer: EQUAL.1,
            sensitivity: Sensitivity::Comparison,
            is_predicate: true,
        }
        NotEqual: "1 where they differ, else 0", {
            name: "ne",
            ttir: Some("ne"),
            mnemonic: "ne",
            float: NOT_EQUAL.0,
            integer: NOT_EQUAL.1,
            sensitivity: Sensitivity::Comparison,
            is_predicate: true,
        }
        Greater: "1 where the first is larger, else 0", {
            name: "gt",
            ttir: Some("gt"),
            mnemonic: "gt",
            float: GREATER.0,
            integer: GREATER.1,
            sensitivity: Sensitivity::Comparison,
            is_predicate: true,
        }
        GreaterEqual: "1 where the first is as large or larger, else 0", {
            name: "ge",
            ttir: Some("ge"),
            mnemonic: "ge",
            float: GREATER_EQUAL.0,
            integer: GREATER_EQUAL.1,
            sensitivity: Sensitivity::Comparison,
            is_predicate: true,
        }
        Less: "1 where the first is smaller, else 0", {
            name: "lt",
            ttir: Some("lt"),
            mnemonic: "lt",
            float: LESS.0,
            integer: LESS.1,
            sensitivity: Sensitivity::Comparison,
            is_predicate: true,
        }
        LessEqual: "1 where the first is as small or smaller, else 0", {
            name: "le",
            ttir: Some("le"),
            mnemonic: "le",
            float: LESS_EQUAL.0,
            integer: LESS_EQUAL.1,
            sensitivity: Sensitivity::Comparison,
            is_predicate: true,
        }
        LogicalAnd: "1 where neither is zero, else 0", {
            name: "logical_and",
            ttir: Some("logical_and"),
            mnemonic: "land",
            float: Some(|x, y| boolean(x != 0.0 && y != 0.0)),
            integer: Some(|x, y| i32::from(x != 0 && y != 0)),
            sensitivity: Sensitivity::Logical,
            is_predicate: true,
        }
        LogicalOr: "1 where one is not zero, else 0", {
            name: "logical_or",
            ttir: Some("logical_or"),
            mnemonic: "lor",
            float: Some(|x, y| boolean(x != 0.0 || y != 0.0)),
            integer: Some(|x, y| i32::from(x != 0 || y != 0)),
            sensitivity: Sensitivity::Logical,
            is_predicate: true,
        }
        LogicalXor: "1 where exactly one is zero, else 0", {
            name: "logical_xor",
            ttir: Some("logical_xor"),
            mnemonic: "lxor",
            float: Some(|x, y| boolean((x != 0.0) != (y != 0.0))),
            integer: Some(|x, y| i32::from((x != 0) != (y != 0))),
            sensitivity: Sensitivity::Logical,
            is_predicate: true,
        }
        Divide: "The quotient, rounded towards zero if it is an integer", {
            name: "divide",
            ttir: Some("div"),
            mnemonic: "div",
            float: Some(|x, y| x / y),
            integer: Some(quotient),
            sensitivity: Sensitivity::CornersUnlessZero,
            is_predicate: false,
        }
        Power: "The first element to the power of the second", {
            name: "pow_tensor",
            ttir: Some("pow"),
            mnemonic: "pow",
            float: Some(f64::powf),
            integer: None,
            sensitivity: Sensitivity::Custom(enclose_power),
            is_predicate: false,
        }
        Remainder: "The remainder of a division, with the sign of the dividend", {
            name: "remainder",
            ttir: Some("remainder"),
            mnemonic: "rem",
            float: Some(|x, y| x % y),
            integer: Some(remainder),
            sensitivity: Sensitivity::Custom(enclose_remainder),
            is_predicate: false,
        }
        Atan2: "The angle of the point whose ordinate is the first element", {
            name: "atan2",
            ttir: Some("atan2"),
            mnemonic: "atan2",
            float: Some(f64::atan2),
            integer: None,
            sensitivity: Sensitivity::Custom(enclose_angle),
            is_predicate: false,
        }
        Prelu: "The first element, times the second where the first is negative", {
            name: "prelu",
            ttir: None,
            mnemonic: "prelu",
            float: Some(|x, y| if x < 0.0 { x * y } else { x }),
            integer: None,
            sensitivity: Sensitivity::CornersAndZero,
            is_predicate: false,
        }
        BitwiseAnd: "The bits that both integers have", {
            name: "bitwise_and",
            ttir: Some("bitwise_and"),
            mnemonic: "and",
            float: None,
            integer: Some(|x, y| x & y),
            sensitivity: Sensitivity::Exact,
            is_predicate: false,
        }
        BitwiseOr: "The bits that one of two integers has", {
            name: "bitwise_or",
            ttir: Some("bitwise_or"),
            mnemonic: "or",
            float: None,
            integer: Some(|x, y| x | y),
            sensitivity: Sensitivity::Exact,
            is_predicate: false,
        }
        BitwiseXor: "The bits that two integers differ in", {
            name: "bitwise_xor",
            ttir: Some("bitwise_xor"),
            mnemonic: "xor",
            float: None,
            integer: Some(|x, y| x ^ y),
            sensitivity: Sensitivity::Exact,
            is_predicate: false,
        }
        ShiftLeft: "An integer shifted left; 0 if the amount is not from 0 to 31", {
            name: "logical_left_shift",
            ttir: Some("logical_left_shift"),
            mnemonic: "shl",
            float: None,
            integer: Some(|x, y| shifted((x as u32).checked_shl(y as u32))),
            sensitivity: Sensitivity::Exact,
            is_predicate: false,
        }
        ShiftRight: "An integer shifted right, zeros first; 0 if the amount is not from 0 to 31", {
            name: "logical_right_shift",
            ttir: Some("logical_right_shift"),
            mnemonic: "shr",
            float: None,
            integer: Some(|x, y| shifted((x as u32).checked_shr(y as u32))),
            sensitivity: Sensitivity::Exact,
            is_predicate: false,
        }
        ShiftRightSigned: "An integer shifted right, signs first; all signs unless by 0 to 31", {
            name: "right_shift",
            ttir: Some("right_shift"),
            mnemonic: "ashr",
            float: None,
            integer: Some(|x, y| x >> (y as u32).min(31)),
            sensitivity: Sensitivity::Exact,
            is_predicate: false,
        }
    }
}

impl Binary {
    /// Returns the arithmetics in which the function is defined.
    pub fn domain(self) -> Domain {
        let info = self.info();
        Domain::from_definitions(info.float.is_some(), info.integer.is_some())
    }

    /// Returns whether the result is 1 or 0.
    pub fn is_predicate(self) -> bool {
        self.info().is_predicate
    }

    /// Returns the value for two operands, which are integers if the arithmetic is
    /// [`Arithmetic::Integer`].
    ///
    /// Outside of its [`Binary::domain`] the value is NaN, or 0 for integers; callers check the
    /// domain first.
    pub fn eval(self, arithmetic: impl Into<Arithmetic>, x: f64, y: f64) -> f64 {
        match arithmetic.into() {
            Arithmetic::Float => self.info().float.map_or(f64::NAN, |float| float(x, y)),
            Arithmetic::Integer => {
                let integer = self.info().integer;
                integer.map_or(0.0, |integer| integer(x as i32, y as i32).into())
            }
        }
    }

    /// Returns the interval of the value for operands in intervals. The value for a NaN operand is
    /// undetermined, because some devices have no NaN.
    pub fn enclose(self, arithmetic: impl Into<Arithmetic>, x: Interval, y: Interval) -> Interval {
        if !x.is_enclosed() || !y.is_enclosed() {
            return Interval::UNDETERMINED;
        }
        let arithmetic = arithmetic.into();
        let is_custom = matches!(self.info().sensitivity, Sensitivity::Custom(_));
        let is_exact = !is_custom || arithmetic == Arithmetic::Integer;
        if x.is_point() && y.is_point() && is_exact {
            return Interval::point(self.eval(arithmetic, x.low, y.low));
        }
        let range = self.range(x, y);
        match arithmetic {
            Arithmetic::Float => range,
            // Quotients are rounded towards zero; other values are integers already.
            Arithmetic::Integer => range.map(f64::trunc).undetermined_if_wrapping(),
        }
    }

    /// Returns the interval of the value over a box that is not a point.
    fn range(self, x: Interval, y: Interval) -> Interval {
        let eval = |x, y| self.eval(Arithmetic::Float, x, y);
        let corners = || {
            [
                eval(x.low, y.low),
                eval(x.low, y.high),
                eval(x.high, y.low),
                eval(x.high, y.high),
            ]
        };
        match self.info().sensitivity {
            Sensitivity::Corners => Interval::hull_of(corners()),
            Sensitivity::CornersAndZero => {
                let zero = x.contains(0.0).then_some(0.0);
                Interval::hull_of(corners().into_iter().chain(zero))
            }
            Sensitivity::CornersUnlessZero if y.contains(0.0) => Interval::UNDETERMINED,
            Sensitivity::CornersUnlessZero => Interval::hull_of(corners()),
            // For disjoint intervals all corners have the same value.
            Sensitivity::Comparison if x.high < y.low || y.high < x.low => {
                Interval::point(eval(x.low, y.low))
            }
            Sensitivity::Comparison => Interval::new(0.0, 1.0),
            Sensitivity::Logical => {
                let values =
                    boolean_values(x).flat_map(|x| boolean_values(y).map(move |y| eval(x, y)));
                Interval::hull_of(values)
            }
            Sensitivity::Exact => Interval::UNDETERMINED,
            Sensitivity::Custom(enclose) => enclose(x, y),
        }
    }
}

/// Returns representatives of the boolean values of an interval: 0 if it contains zero, 1 if it
/// contains another number.
fn boolean_values(of: Interval) -> impl Iterator<Item = f64> {
    let zero = of.contains(0.0).then_some(0.0);
    let other = (!of.is_point() || of.low != 0.0).then_some(1.0);
    zero.into_iter().chain(other)
}
