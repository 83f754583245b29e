//! Values and enclosures of functions.

use std::f64::consts::PI;

use super::*;

#[test]
fn every_function_is_found_by_its_names() {
    for &one in Unary::ALL {
        assert_eq!(Unary::from_name(one.name()), Some(one));
        assert_eq!(Unary::from_mnemonic(one.mnemonic()), Some(one));
    }
    for &one in Binary::ALL {
        assert_eq!(Binary::from_name(one.name()), Some(one));
        assert_eq!(Binary::from_mnemonic(one.mnemonic()), Some(one));
    }
    for &one in Reduce::ALL {
        assert_eq!(Reduce::from_name(one.name()), Some(one));
    }
    assert_eq!(Unary::from_name("add"), None);
    assert_eq!(Binary::from_mnemonic("subtract"), None);
}

#[test]
fn floats_of_one() {
    for (function, x, expect) in [
        (Unary::Relu, -3.0, 0.0),
        (Unary::LogicalNot, -0.0, 1.0),
        (Unary::LogicalNot, f64::NAN, 0.0),
        (Unary::Rsqrt, 4.0, 0.5),
        (Unary::Rsqrt, 0.0, f64::INFINITY),
        (Unary::Sigmoid, 0.0, 0.5),
        (Unary::Sigmoid, -1000.0, 0.0),
        (Unary::Silu, 0.0, 0.0),
        (Unary::Erf, f64::INFINITY, 1.0),
        (Unary::Erf, 0.5, 0.5204998778130465),
        (Unary::Gelu, 1.0, 0.8413447460685429),
        (Unary::Round, 2.5, 2.0),
        (Unary::Round, -3.5, -4.0),
        (Unary::Frac, -1.25, -0.25),
        (Unary::Sign, -0.5, -1.0),
        (Unary::Sign, 0.0, 0.0),
        (Unary::Signbit, -0.0, 1.0),
        (Unary::IsFinite, f64::NEG_INFINITY, 0.0),
        (Unary::IsFinite, f64::NAN, 0.0),
        (Unary::Erfc, 10.0, 2.0884875837625446e-45),
        // 1 + erf would have lost all but two digits.
        (Unary::Gelu, -8.0, -4.9767684594174555e-15),
    ] {
        let found = function.eval(Arithmetic::Float, x);
        let error = (found - expect).abs();
        assert!(
            found == expect || error < 1e-12 * expect.abs(),
            "{function} {x}: {found}"
        );
    }
    assert!(Unary::Relu.eval(Arithmetic::Float, -0.0).is_sign_positive());
    assert!(Unary::Relu.eval(Arithmetic::Float, f64::NAN).is_nan());
    assert!(Unary::Log.eval(Arithmetic::Float, -1.0).is_nan());
}

#[test]
fn floats_of_two() {
    use Binary::*;
    for (x, y, expected) in [
        (1.0, 2.0, [0, 1, 0, 0, 1, 1, 1, 1, 0]),
        (2.0, 2.0, [1, 0, 0, 1, 0, 1, 1, 1, 0]),
        (-0.0, 0.0, [1, 0, 0, 1, 0, 1, 0, 0, 0]),
        (3.0, 0.0, [0, 1, 1, 1, 0, 0, 0, 1, 1]),
        (f64::NAN, 0.0, [0, 1, 0, 0, 0, 0, 0, 1, 1]),
    ] {
        let functions = Binary::ALL.iter().filter(|one| one.is_predicate());
        let found: Vec<f64> = functions
            .map(|one| one.eval(Arithmetic::Float, x, y))
            .collect();
        assert_eq!(found, expected.map(f64::from), "{x} {y}");
    }
    for (function, x, y, expect) in [
        (Max, 1.0, 2.0, 2.0),
        (Min, 1.0, 2.0, 1.0),
        (Prelu, -4.0, 0.25, -1.0),
        (Prelu, 4.0, 0.25, 4.0),
        (Divide, 1.0, 4.0, 0.25),
        // The examples of tt-mlir.
        (Remainder, -10.5, 3.0, -1.5),
        (Remainder, 17.0, -3.0, 2.0),
        (Atan2, 1.0, 0.0, std::f64::consts::FRAC_PI_2),
    ] {
        assert_eq!(function.eval(Arithmetic::Float, x, y), expect, "{function}");
    }
    for (x, y) in [(1.0, f64::NAN), (f64::NAN, 1.0)] {
        assert!(Max.eval(Arithmetic::Float, x, y).is_nan());
        assert!(Min.eval(Arithmetic::Float, x, y).is_nan());
    }
    for (x, y) in [(0.0, -0.0), (-0.0, 0.0)] {
        assert!(Max.eval(Arithmetic::Float, x, y).is_sign_positive());
        assert!(Min.eval(Arithmetic::Float, x, y).is_sign_negative());
    }
}

#[test]
fn integers_wrap() {
    use Binary::*;
    const LEAST: i32 = i32::MIN;
    const MOST: i32 = i32::MAX;
    for (function, x, y, expect) in [
        (Add, MOST, 1, LEAST),
        (Subtract, LEAST, 1, MOST),
        (Multiply, 0x1234_5679, 0x0fff_ffff, 0x7dcb_a987),
        (Max, -1, 1, 1),
        (Min, LEAST, MOST, LEAST),
        (BitwiseAnd, -1, 12, 12),
        (BitwiseOr, 3, 12, 15),
        (BitwiseXor, -1, 12, !12),
        (ShiftLeft, 3, 31, LEAST),
        (ShiftLeft, 3, 32, 0),
        (ShiftLeft, 3, -1, 0),
        (ShiftRight, -1, 31, 1),
        (ShiftRight, -1, 0, -1),
        (ShiftRight, -1, 32, 0),
        (ShiftRightSigned, -8, 1, -4),
        (ShiftRightSigned, -8, 32, -1),
        (ShiftRightSigned, 8, -1, 0),
        (Remainder, -17, 3, -2),
        (Remainder, 17, -3, 2),
        (Remainder, 17, 0, 17),
        (Remainder, LEAST, -1, 0),
        (Less, -1, 0, 1),
        (GreaterEqual, MOST, LEAST, 1),
        (LogicalXor, 7, 0, 1),
    ] {
        let found = function.eval(Arithmetic::Integer, x.into(), y.into());
        assert_eq!(found, f64::from(expect), "{function} {x} {y}");
    }
    for (function, x, expect) in [
        (Unary::Neg, LEAST, LEAST),
        (Unary::Abs, -5, 5),
        (Unary::Relu, -5, 0),
        (Unary::LogicalNot, 0, 1),
        (Unary::BitwiseNot, 5, -6),
    ] {
        let found = function.eval(Arithmetic::Integer, x.into());
        assert_eq!(found, f64::from(expect));
    }
}

#[test]
fn reductions_of_none_and_some() {
    for (reduce, element, of, expect) in [
        (Reduce::Sum, Arithmetic::Float, vec![], 0.0),
        (Reduce::Max, Arithmetic::Float, vec![], f64::NEG_INFINITY),
        (Reduce::Min, Arithmetic::Float, vec![], f64::INFINITY),
        (Reduce::Max, Arithmetic::Integer, vec![], i32::MIN.into()),
        (Reduce::Min, Arithmetic::Integer, vec![], i32::MAX.into()),
        (Reduce::Sum, Arithmetic::Float, vec![1.0, 2.5], 3.5),
        (Reduce::Max, Arithmetic::Float, vec![-1.0, -2.5], -1.0),
        (Reduce::Min, Arithmetic::Float, vec![-1.0, -2.5], -2.5),
        (
            Reduce::Sum,
            Arithmetic::Integer,
            vec![i32::MAX.into(), 2.0],
            (i32::MIN + 1).into(),
        ),
    ] {
        assert_eq!(reduce.eval(element, of.into_iter()), expect, "{reduce}");
    }
}

/// Returns the largest change of a value whose operand is `x` up to an error.
fn change_of_one(function: Unary, x: f64, error: f64) -> f64 {
    let value = function.eval(Arithmetic::Float, x);
    let range = function.enclose(Arithmetic::Float, Interval::around(x, error));
    range.distance(value)
}

/// As above, for two operands.
fn change_of_two(function: Binary, [x, x_error]: [f64; 2], [y, y_error]: [f64; 2]) -> f64 {
    let value = function.eval(Arithmetic::Float, x, y);
    let [x, y] = [Interval::around(x, x_error), Interval::around(y, y_error)];
    function.enclose(Arithmetic::Float, x, y).distance(value)
}

#[test]
fn errors_propagate_through_functions_of_one() {
    for (function, x, error, least, most) in [
        (Unary::Exp, 0.0, 0.0, 0.0, 0.0),
        (Unary::Neg, 1.0, 0.5, 0.5, 0.5),
        (Unary::Exp, 1.0, 0.1, 0.28, 0.29),
        (Unary::Log, 0.1, 0.2, f64::INFINITY, f64::INFINITY),
        (Unary::Sqrt, 0.1, 0.2, f64::INFINITY, f64::INFINITY),
        (Unary::Reciprocal, 1.0, 0.5, 1.0, 1.0),
        (Unary::Reciprocal, 0.1, 0.5, f64::INFINITY, f64::INFINITY),
        (Unary::LogicalNot, 0.1, 0.5, 1.0, 1.0),
        (Unary::LogicalNot, 1.0, 0.5, 0.0, 0.0),
        (Unary::Abs, 0.25, 1.0, 1.0, 1.0),
        // The minimum lies inside: both ends are above the value amid.
        (Unary::Silu, -1.3, 0.5, 0.02, 0.06),
    ] {
        let off = change_of_one(function, x, error);
        assert!((least..=most).contains(&off), "{function} {x}: {off}");
    }
}

#[test]
fn errors_propagate_through_functions_of_two() {
    let exact = |value| [value, 0.0];
    for (function, left, right, expect) in [
        (Binary::Add, [1.0, 0.25], [2.0, 0.5], 0.75),
        (Binary::Multiply, [2.0, 0.5], [4.0, 0.5], 3.25),
        (Binary::Max, [2.0, 0.5], [4.0, 0.25], 0.25),
        (Binary::Divide, [2.0, 0.0], [4.0, 2.0], 0.5),
        (Binary::Divide, [2.0, 0.0], [0.5, 0.5], f64::INFINITY),
        (Binary::Less, [1.0, 0.5], [1.25, 0.0], 1.0),
        (Binary::Less, [1.0, 0.5], [2.0, 0.25], 0.0),
        (Binary::LogicalAnd, [0.25, 0.5], exact(1.0), 1.0),
        (Binary::Prelu, [-2.0, 0.5], exact(0.25), 0.125),
        // Zero is less than the value at either end.
        (Binary::Prelu, [0.75, 1.0], exact(-1.0), 1.0),
        (Binary::Prelu, [0.75, 1.0], exact(-0.5), 1.0),
    ] {
        let off = change_of_two(function, left, right);
        assert_eq!(off, expect, "{function} {left:?} {right:?}");
    }
}

#[test]
fn enclosures_of_special_values() {
    use Interval as I;
    let (nowhere, open) = (I::NOT_A_NUMBER, I::UNDETERMINED);
    let same = |found: I, expect: I| match expect.is_undetermined() {
        true => found.is_undetermined(),
        false => found == expect,
    };
    let point = I::point;
    for (function, over, expect) in [
        (Unary::Sqrt, point(-1.0), nowhere),
        (Unary::Sqrt, I::new(-2.0, -1.0), nowhere),
        (Unary::Sqrt, I::new(-2.0, 1.0), open),
        (Unary::Log, point(0.0), point(f64::NEG_INFINITY)),
        (Unary::Reciprocal, I::new(0.0, 1.0), open),
        (Unary::Abs, nowhere, open),
        (Unary::Tanh, open, open),
        (Unary::BitwiseNot, point(0.0), open),
        (Unary::Floor, I::new(0.5, 1.5), I::new(0.0, 1.0)),
        (Unary::Log1p, point(-1.0), point(f64::NEG_INFINITY)),
        (Unary::Log1p, I::new(-2.0, -1.5), nowhere),
        (Unary::Log1p, I::new(-1.0, 0.0), open),
        (Unary::Frac, I::new(1.25, 1.5), I::new(0.25, 0.5)),
        (Unary::Frac, I::new(0.5, 1.5), I::new(0.0, 1.0)),
        (Unary::Frac, I::new(-0.5, 0.25), I::new(-1.0, 1.0)),
        (Unary::Frac, I::new(1.0, f64::INFINITY), open),
        (Unary::Signbit, point(0.0), I::new(0.0, 1.0)),
        (Unary::Signbit, I::new(-2.0, -1.0), point(1.0)),
        (
            Unary::IsFinite,
            I::new(1.0, f64::INFINITY),
            I::new(0.0, 1.0),
        ),
        (Unary::Tan, I::new(1.5, 1.6), open),
        (
            Unary::Tan,
            I::new(1.6, 4.7),
            I::new(1.6f64.tan(), 4.7f64.tan()),
        ),
        (Unary::Asin, I::new(1.5, 2.0), nowhere),
        (Unary::Acos, I::new(0.5, 2.0), open),
        (Unary::Sin, I::new(0.0, 2.0), I::new(0.0, 1.0)),
        (Unary::Sin, I::new(4.0, 5.0), I::new(-1.0, 4f64.sin())),
        (Unary::Sin, I::new(0.0, 7.0), I::new(-1.0, 1.0)),
        // An f64 does not tell the extrema apart there.
        (Unary::Sin, I::new(1e30, 1.000_001e30), I::new(-1.0, 1.0)),
        (Unary::Cos, I::new(-0.5, 0.25), I::new(0.5f64.cos(), 1.0)),
        (Unary::Cos, point(f64::INFINITY), nowhere),
        (
            Unary::Exp,
            I::new(0.0, f64::INFINITY),
            I::new(1.0, f64::INFINITY),
        ),
    ] {
        let found = function.enclose(Arithmetic::Float, over);
        assert!(same(found, expect), "{function} {over:?}: {found:?}");
    }
    for (function, x, y, expect) in [
        (Binary::Divide, point(1.0), point(0.0), point(f64::INFINITY)),
        (Binary::Divide, point(0.0), point(0.0), nowhere),
        (Binary::Divide, point(1.0), I::new(-1.0, 1.0), open),
        (
            Binary::Multiply,
            I::new(0.0, 1.0),
            point(f64::INFINITY),
            open,
        ),
        (Binary::LessEqual, nowhere, point(1.0), open),
        (Binary::Remainder, point(7.0), point(0.0), nowhere),
        (
            Binary::Remainder,
            I::new(7.0, 8.0),
            point(3.0),
            I::new(1.0, 2.0),
        ),
        (
            Binary::Remainder,
            I::new(-7.0, 8.0),
            I::new(2.0, 3.0),
            I::new(-3.0, 3.0),
        ),
        (Binary::Remainder, point(7.0), I::new(-1.0, 1.0), open),
        // The sign of a zero decides, and may be lost.
        (Binary::Atan2, point(0.0), point(-1.0), I::new(-PI, PI)),
        (Binary::Atan2, point(0.0), point(1.0), point(0.0)),
        (
            Binary::Atan2,
            I::new(1.0, 2.0),
            point(0.0),
            point(std::f64::consts::FRAC_PI_2),
        ),
        (Binary::Power, point(-2.0), point(0.5), nowhere),
        (Binary::Power, point(-2.0), point(3.0), point(-8.0)),
        (
            Binary::Power,
            I::new(0.5, 2.0),
            I::new(-1.0, 2.0),
            I::new(0.25, 4.0),
        ),
        (
            Binary::Power,
            I::new(0.0, 2.0),
            I::new(1.0, 2.0),
            I::new(0.0, 4.0),
        ),
        (Binary::Power, I::new(0.0, 2.0), I::new(-1.0, 2.0), open),
        (
            Binary::Power,
            I::new(-2.0, 3.0),
            point(2.0),
            I::new(0.0, 9.0),
        ),
        (Binary::Power, I::new(-2.0, 3.0), point(-2.0), open),
        (
            Binary::Power,
            I::new(-2.0, -1.0),
            point(3.0),
            I::new(-8.0, -1.0),
        ),
        (Binary::Power, I::new(-2.0, -1.0), point(0.5), nowhere),
        (Binary::Power, I::new(-2.0, -1.0), I::new(1.0, 2.0), open),
        (
            Binary::LogicalOr,
            point(0.0),
            I::new(-1.0, 1.0),
            I::new(0.0, 1.0),
        ),
        (Binary::LogicalOr, point(2.0), I::new(-1.0, 1.0), point(1.0)),
        (
            Binary::Equal,
            I::new(0.0, 1.0),
            I::new(1.0, 2.0),
            I::new(0.0, 1.0),
        ),
        (
            Binary::NotEqual,
            I::new(0.0, 1.0),
            I::new(2.0, 3.0),
            point(1.0),
        ),
    ] {
        let found = function.enclose(Arithmetic::Float, x, y);
        assert!(same(found, expect), "{function} {x:?} {y:?}: {found:?}");
    }
    let most = f64::from(i32::MAX);
    for (function, x, y, expect) in [
        (
            Binary::Add,
            point(most),
            point(1.0),
            point(f64::from(i32::MIN)),
        ),
        (Binary::Add, I::new(1.0, 2.0), point(1.0), I::new(2.0, 3.0)),
        (Binary::Add, I::new(1.0, most), point(1.0), open),
        (Binary::BitwiseAnd, point(6.0), point(3.0), point(2.0)),
        (Binary::BitwiseAnd, I::new(6.0, 7.0), point(3.0), open),
    ] {
        let found = function.enclose(Arithmetic::Integer, x, y);
        assert!(same(found, expect), "{function} {x:?} {y:?}: {found:?}");
    }
    let neg = |over| Unary::Neg.enclose(Arithmetic::Integer, over);
    assert_eq!(neg(I::new(-2.0, 3.0)), I::new(-3.0, 2.0));
    assert_eq!(neg(point(f64::from(i32::MIN))), point(f64::from(i32::MIN)));
}

/// Every value that a function takes within the error of its operand is in the enclosure.
#[test]
fn enclosures_hold_at_random_points() {
    use proptest::prelude::*;
    let floats = || {
        prop_oneof![
            -1e3..1e3f64,
            -4.0..4.0f64,
            (-40i32..40).prop_map(|e| 2f64.powi(e))
        ]
    };
    let errors = prop_oneof![0.0..4.0f64, (-40i32..2).prop_map(|e| 2f64.powi(e))];
    let strategy = (
        floats(),
        floats(),
        errors.clone(),
        errors,
        -1.0..1.0f64,
        -1.0..1.0f64,
    );
    let config = ProptestConfig {
        cases: 4096,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    proptest::test_runner::TestRunner::new(config)
        .run(&strategy, |(x, y, x_error, y_error, a, b)| {
            let (near_x, near_y) = (x + a * x_error, y + b * y_error);
            let slack = |value: f64| 1e-12 * value.abs().max(1e-300);
            for &function in Unary::ALL.iter().filter(|one| one.info().float.is_some()) {
                let [value, near] = [x, near_x].map(|x| function.eval(Arithmetic::Float, x));
                let bound = change_of_one(function, x, x_error);
                let holds = near == value
                    || bound.is_infinite()
                    || (near - value).abs() <= bound + slack(value);
                prop_assert!(holds || value.is_nan(), "{function} {x} {near_x}: {bound}");
            }
            for &function in Binary::ALL.iter().filter(|one| one.info().float.is_some()) {
                let value = function.eval(Arithmetic::Float, x, y);
                let near = function.eval(Arithmetic::Float, near_x, near_y);
                let bound = change_of_two(function, [x, x_error], [y, y_error]);
                let holds = near == value
                    || bound.is_infinite()
                    || (near - value).abs() <= bound + slack(value);
                prop_assert!(holds || !value.is_finite(), "{function} {x} {y}: {bound}");
            }
            Ok(())
        })
        .unwrap();
}

/// Quotients of integers are rounded towards zero.
#[test]
fn integers_are_divided() {
    let divide = |x: i32, y: i32| Binary::Divide.eval(Arithmetic::Integer, x.into(), y.into());
    for (x, y, quotient) in [
        (7, 2, 3),
        (-7, 2, -3),
        (7, -2, -3),
        (5, 0, -1),
        (i32::MIN, -1, i32::MIN),
    ] {
        assert_eq!(divide(x, y), f64::from(quotient), "{x} / {y}");
    }
    let enclose = |x, y| Binary::Divide.enclose(Arithmetic::Integer, x, y);
    let interval = Interval::new;
    assert_eq!(
        enclose(interval(1.0, 2.0), interval(3.0, 3.0)),
        interval(0.0, 0.0)
    );
    assert_eq!(
        enclose(interval(-7.0, 7.0), interval(2.0, 3.0)),
        interval(-3.0, 3.0)
    );
    assert!(!enclose(interval(1.0, 2.0), interval(0.0, 1.0)).is_enclosed());
}
