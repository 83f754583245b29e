use super::*;

const F32: Element = Element::F32;

fn on_chip(value: f64) -> f64 {
    match value {
        _ if value > MAX => f64::INFINITY,
        _ if value < -MAX => f64::NEG_INFINITY,
        _ => value,
    }
}

#[test]
fn values_lie_between_the_bounds() {
    let numbers = [
        -1e30, -300.0, -90.0, -2.0, -0.5, 0.0, 1e-3, 0.7, 3.0, 89.0, 2e20,
    ];
    let ranges = |at: usize| (at..numbers.len()).map(move |to| (numbers[at], numbers[to]));
    for (least, most) in (0..numbers.len()).flat_map(ranges) {
        let range = Range::between(least, most);
        let within: Vec<f64> = numbers
            .iter()
            .copied()
            .filter(|x| (least..=most).contains(x))
            .collect();
        for &function in Unary::ALL.iter().filter(|one| one.domain().contains(F32)) {
            let bounds = range.unary(function, F32);
            for &x in &within {
                let value = on_chip(function.eval(F32, x));
                let is_between = (bounds.least..=bounds.most).contains(&value);
                assert!(value.is_nan() || is_between, "{function} {x}: {bounds:?}");
            }
        }
        for &function in Binary::ALL.iter().filter(|one| one.domain().contains(F32)) {
            for other in numbers {
                let bounds = range.binary(function, Range::point(other), F32);
                for &x in &within {
                    let value = on_chip(function.eval(F32, x, other));
                    let is_between = (bounds.least..=bounds.most).contains(&value);
                    assert!(
                        value.is_nan() || is_between,
                        "{function} {x} {other}: {bounds:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn zeros_stay_zeros() {
    for function in [
        Unary::Gelu,
        Unary::Tanh,
        Unary::Relu,
        Unary::Sqrt,
        Unary::Silu,
    ] {
        assert!(Range::ZERO.unary(function, F32).is_zero(), "{function}");
    }
    let any = Range::from_element(F32);
    assert!(Range::ZERO.binary(Binary::Multiply, any, F32).is_zero());
    assert!(Range::ZERO.binary(Binary::Add, Range::ZERO, F32).is_zero());
    assert!(!Range::ZERO
        .binary(Binary::Divide, Range::ZERO, F32)
        .is_finite());
}

#[test]
fn what_overflows_is_infinite() {
    let any = Range::between(-MAX, MAX);
    assert!(!any.binary(Binary::Add, any, F32).is_finite());
    assert!(!any.unary(Unary::Exp, F32).is_finite());
    assert!(!any.square().is_finite());
    assert!(any.unary(Unary::Sigmoid, F32).is_finite());
    assert!(!any.sum(2).is_finite());
}

#[test]
fn open_points() {
    let (infinite, positive) = (Range::point(f64::INFINITY), Range::between(1.0, 2.0));
    assert!(infinite.product_may_trap(Range::ZERO));
    assert!(!infinite.product_may_trap(positive));
    assert!(infinite.sum_may_trap(Range::ALL));
    assert!(!infinite.sum_may_trap(infinite));
}
