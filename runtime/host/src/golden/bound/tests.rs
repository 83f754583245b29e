use super::*;
use crate::devices::NUMERICS;

/// Returns the bound of an operation, and the greatest share of it.
fn share_used(
    numerics: &Numerics,
    op: &TensorOp,
    found: &Tensor,
    expected: &Tensor,
    operands: &Values,
) -> (Bound, f64) {
    let (bound, usage) = bound_usage(numerics, op, found, expected, operands);
    assert_eq!(usage.undetermined(), 0);
    (bound, usage.max())
}

#[test]
fn one_unit_in_the_last_place() {
    let tensor = |value| Tensor::from_f64s(vec![1], DataType::BF16, &[value]).unwrap();
    let used = |found, expected| {
        let op = TensorOp::new("neg", &[0], &[1]).unwrap();
        let (found, expected) = (tensor(found), tensor(expected));
        share_used(&NUMERICS, &op, &found, &expected, &Values::new())
    };
    assert_eq!(used(1.0, 1.0078125), (Bound::OneUlp, 1.0));
    assert_eq!(used(1.0, 1.015625), (Bound::OneUlp, 2.0));
    assert_eq!(used(f64::NAN, 1.0), (Bound::OneUlp, f64::INFINITY));
}

/// In a unit for matrices a product of 2^-121, which has its last place at 2^-128, may lose far
/// more to underflow of its parts; one of 2^-100 has not. Without, it is rounded once. What
/// lies below the least normal number is zero in both.
#[test]
fn products_may_underflow() {
    use Binary::{Add, Multiply};
    let tensor = |value| Tensor::from_f64s(vec![1], DataType::BF16, &[value]).unwrap();
    let power = |k| 2f64.powi(k);
    for (kind, found, expected, expect) in [
        (Multiply, power(-121) + power(-125), power(-121), [0.0, 8.0]),
        (Multiply, power(-121) + power(-124), power(-121), [16.0; 2]),
        (Multiply, 0.0, power(-125), [0.0, 129.0]),
        (Multiply, 0.0, power(-127), [0.0, 0.0]),
        (Multiply, power(-128), power(-127), [0.0, 0.0]),
        (Multiply, power(-100) * 1.0078125, power(-100), [1.0; 2]),
        (Multiply, f64::NAN, power(-125), [f64::INFINITY; 2]),
        (Add, power(-121) + power(-125), power(-121), [8.0; 2]),
    ] {
        let op = TensorOp::new(kind.name(), &[0, 1], &[2]).unwrap();
        let at_once = Numerics {
            narrow: None,
            ..NUMERICS
        };
        let used = [NUMERICS, at_once].map(|numerics| {
            let (found, expected) = (tensor(found), tensor(expected));
            share_used(&numerics, &op, &found, &expected, &Values::new())
        });
        let expect = expect.map(|share| (Bound::OneUlp, share));
        assert_eq!(used, expect, "{kind:?}: {found} for {expected}");
    }
}

#[test]
fn casts_may_be_off_where_they_round() {
    use DataType::{BF16, F32, SI32};
    const LOST: f64 = f64::INFINITY;
    let next = 1.0 + 2f64.powi(-23);
    for (from, to, found, expect) in [
        (F32, BF16, 1.0078125, (Bound::OneUlp, 1.0)),
        (F32, BF16, 1.015625, (Bound::OneUlp, 2.0)),
        (SI32, F32, next, (Bound::OneUlp, 1.0)),
        (BF16, F32, 1.0, (Bound::SameNumbers, 0.0)),
        (BF16, F32, next, (Bound::SameNumbers, LOST)),
        (BF16, BF16, 1.0078125, (Bound::SameNumbers, LOST)),
    ] {
        let tensor = |r#type, value| Tensor::from_f64s(vec![1], r#type, &[value]).unwrap();
        let mut operands = Values::new();
        operands.set(0, tensor(from, 1.0));
        let op = TensorOp::new("typecast", &[0], &[1]).unwrap();
        let (found_tensor, expected) = (tensor(to, found), tensor(to, 1.0));
        let used = share_used(&NUMERICS, &op, &found_tensor, &expected, &operands);
        assert_eq!(used, expect, "{from} to {to}: {found}");
    }
}

#[test]
fn movement_is_exact() {
    let tensor = |value| Tensor::from_f64s(vec![1], DataType::BF16, &[value]).unwrap();
    let used = |found, expected| {
        let op = TensorOp::new("zeros", &[], &[0]).unwrap();
        let (found, expected) = (tensor(found), tensor(expected));
        share_used(&NUMERICS, &op, &found, &expected, &Values::new())
    };
    assert_eq!(used(0.0, 0.0), (Bound::Exact, 0.0));
    assert_eq!(used(-0.0, 0.0), (Bound::Exact, f64::INFINITY));
}
