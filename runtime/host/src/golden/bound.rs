//! What a result may differ by, and how much of that it uses.

use serde::Serialize;
use tessera_ops::eval::group_maxima;
use tessera_ops::{broadcast_sources, Binary, Class, Unary};
use tessera_program::{DataType, GlobalId, Op, Operation, Product, TensorOp};
use tessera_reference::{unrounded, with_factors, EvalError, Tensor, Values};

use super::chip::{Chip, BF16_LOSS, GROUP, GROUP_LOSS};
use super::{fidelity, Comparison, GoldenError};

/// Root mean square of a product's errors over that of the reference: in f32, and in bf16 of many elements.
const NRMS_F32: f64 = 1e-3;
const NRMS_BF16: f64 = 2.5e-3;

/// What a result may differ by from the isolated reference; the module above says how much that is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// The bound of matrix products, on elements and on the root mean square.
    Matmul,
    /// The bounds of the operations of a group, put together.
    Group,
    /// One unit in the last place.
    OneUlp,
    /// The same numbers: no unit in the last place.
    SameNumbers,
    /// The same bits.
    Exact,
}

/// The operations whose bound applies: those inside a group.
pub fn judged(operation: &Operation) -> &[Operation] {
    match &operation.op {
        Op::Kernel(group) => &group.operations,
        Op::Tensor(_) => std::slice::from_ref(operation),
    }
}

/// Whether an operation other than a product has a bound that is not put together from those of its operands: it is rounded once, or
/// not at all.
pub fn has_its_own(op: &TensorOp) -> bool {
    match op.op.class {
        Class::Binary(function) => {
            matches!(function, Binary::Add | Binary::Subtract | Binary::Multiply)
        }
        Class::Unary(function) => matches!(function, Unary::Relu | Unary::Neg),
        Class::Ternary(_)
        | Class::Parametric(_)
        | Class::Reduction(_)
        | Class::Movement(_)
        | Class::Composite(_) => false,
        _ => true,
    }
}

/// The bound of an operation on Tensix, and of all but matrix products on MN-Core 2, and the share of it that `found` uses: at most 1 if it is kept, infinite if nothing is
/// allowed. `expected` is the reference's result for the `operands`.
pub fn share_used(
    chip: Chip,
    op: &TensorOp,
    found: &Tensor,
    expected: &Tensor,
    operands: &Values,
) -> Result<(Bound, f64), GoldenError> {
    if let Some(product) = op.product() {
        let share = matmul_share(op, &product, found, expected, operands)?;
        return Ok((Bound::Matmul, share));
    }
    match op.op.class {
        Class::Cast if is_exact(op.inputs[0], expected, operands) => {
            let same = Comparison::of(found, expected).max_ulp == Some(0);
            Ok((Bound::SameNumbers, if same { 0.0 } else { f64::INFINITY }))
        }
        class @ (Class::Binary(_) | Class::Unary(_) | Class::Cast) => {
            let ulp = match class {
                Class::Binary(Binary::Multiply) => {
                    Comparison::of(&without_underflow(chip, found, expected)?, expected).max_ulp
                }
                _ => Comparison::of(found, expected).max_ulp,
            };
            Ok((Bound::OneUlp, ulp.map_or(f64::INFINITY, |ulp| ulp as f64)))
        }
        _ => {
            let same = found.data() == expected.data();
            Ok((Bound::Exact, if same { 0.0 } else { f64::INFINITY }))
        }
    }
}

/// Products of elements, those that only underflow keeps from what is expected as if it had not.
fn without_underflow(chip: Chip, found: &Tensor, expected: &Tensor) -> Result<Tensor, GoldenError> {
    let pairs = found.to_f64s().into_iter().zip(expected.to_f64s());
    let values: Vec<f64> = pairs
        .map(|(found, expected)| match chip.underflows(found, expected) {
            true => expected,
            false => found,
        })
        .collect();
    let tensor = Tensor::from_f64s(found.shape().to_vec(), found.data_type(), &values);
    Ok(tensor.map_err(EvalError::from)?)
}

/// Whether a cast has nothing to round: to a type that has all numbers of the other.
fn is_exact(input: GlobalId, result: &Tensor, operands: &Values) -> bool {
    let from = operands.get(input).map(Tensor::data_type);
    from == Some(result.data_type())
        || (from, result.data_type()) == (Some(DataType::BF16), DataType::F32)
}

fn matmul_share(
    op: &TensorOp,
    product: &Product,
    found: &Tensor,
    expected: &Tensor,
    operands: &Values,
) -> Result<f64, GoldenError> {
    let exact = unrounded(op, operands)?;
    // A bias is added to finished sums, so only the product's groups count; broadcasting it may stretch the result.
    let read = |id| operands.elements(id);
    let maxima = with_factors(product, &read, |shape, a, b| {
        group_maxima(shape, a, b, GROUP)
    })?;
    let sources = broadcast_sources(&maxima.shape, &exact.shape);
    let cuts = fidelity::cuts(product, &|id| operands.get(id).map(Tensor::data_type));
    let kept = match fidelity::dropped(product, cuts, &read)? {
        None => exact.values.clone(),
        Some(dropped) => {
            let dropped = sources.iter().map(|source| dropped.values[*source]);
            let pairs = exact.values.iter().zip(dropped);
            pairs.map(|(exact, dropped)| exact - dropped).collect()
        }
    };
    let rounded = Tensor::from_f64s(exact.shape.clone(), found.data_type(), &kept);
    let rounded = rounded.map_err(EvalError::from)?.to_f64s();
    let (found_values, expected) = (found.to_f64s(), expected.to_f64s());
    let mut worst = 0_f64;
    let (mut errors, mut roundings, mut references) = (0.0, 0.0, 0.0);
    for (index, (&found, &exact)) in found_values.iter().zip(&exact.values).enumerate() {
        if !exact.is_finite() || !expected[index].is_finite() {
            let stands_for = if exact.is_nan() {
                !found.is_finite()
            } else {
                found == expected[index]
            };
            worst = worst.max(if stands_for { 0.0 } else { f64::INFINITY });
            continue;
        }
        let kept = kept[index];
        let error = beyond(found, exact, kept);
        let magnitude = exact.abs().max(kept.abs());
        let bound = BF16_LOSS * magnitude + GROUP_LOSS * maxima.values[sources[index]];
        worst = worst.max(share(error, bound));
        errors += error * error;
        let rounding = (expected[index] - exact).abs();
        roundings += rounding.max((rounded[index] - kept).abs()).powi(2);
        references += exact * exact;
    }
    let [error, rounding, reference] = [errors, roundings, references].map(f64::sqrt);
    let limit = match found.data_type() {
        DataType::BF16 => (NRMS_BF16 * reference).max(NRMS_F32 * reference + rounding),
        _ => NRMS_F32 * reference,
    };
    Ok(worst.max(share(error, limit)))
}

/// How far a number lies outside of the span between two others.
fn beyond(found: f64, one: f64, other: f64) -> f64 {
    if found.is_finite() {
        (one.min(other) - found)
            .max(found - one.max(other))
            .max(0.0)
    } else {
        f64::INFINITY
    }
}

/// Which share of `bound` an error is; infinite for an error without bound, and for one that is no number.
pub(super) fn share(error: f64, bound: f64) -> f64 {
    if error == 0.0 {
        0.0
    } else if error.is_finite() && bound > 0.0 {
        error / bound
    } else {
        f64::INFINITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Share used by `found` where `[a] @ [b]` was asked for, one element each.
    fn product(a: f64, b: f64, found: f64) -> f64 {
        let tensor = |value| Tensor::from_f64s(vec![1, 1], DataType::BF16, &[value]).unwrap();
        let mut operands = Values::new();
        operands.set(0, tensor(a));
        operands.set(1, tensor(b));
        let op = TensorOp::new("matmul", &[0, 1], &[2]).unwrap();
        let expected = tensor(a * b);
        share_used(Chip::Tensix, &op, &tensor(found), &expected, &operands)
            .unwrap()
            .1
    }

    #[test]
    fn single_products() {
        assert_eq!(product(3.0, 2.0, 6.0), 0.0);
        // Half way between two numbers of bf16 or nearly so, rounding alone costs more than 2.5e-3.
        let exact: f64 = 1.0078125 * 1.0078125;
        assert!(product(1.0078125, 1.0078125, exact) <= 1.0);
        assert!(
            product(1.0, 1.0, 1.0078125) > 1.0,
            "one unit in the last place too much"
        );
        assert!(product(1.0, 1.0, 0.98) > 1.0);
        assert_eq!(product(1.0, 0.0, 1e-30), f64::INFINITY);
        assert_eq!(product(1.0, 1.0, f64::NAN), f64::INFINITY);
        assert_eq!(product(1.0, 1.0, f64::INFINITY), f64::INFINITY);
    }

    #[test]
    fn products_that_are_not_finite() {
        assert_eq!(product(f64::NAN, 1.0, f64::INFINITY), 0.0);
        assert_eq!(product(f64::NAN, 1.0, 5.0), f64::INFINITY);
        assert_eq!(product(f64::INFINITY, -1.0, f64::NEG_INFINITY), 0.0);
        assert_eq!(
            product(f64::INFINITY, 1.0, f64::NEG_INFINITY),
            f64::INFINITY
        );
        assert_eq!(product(1e30, 1e30, f64::INFINITY), 0.0);
    }

    #[test]
    fn rounding_of_few_elements_is_allowed() {
        // The product 1.0078125 * 1.515625 = 1.52746… lies between two numbers of bf16; both are near enough.
        for found in [1.5234375, 1.53125] {
            assert!(product(1.0078125, 1.515625, found) <= 1.0, "{found}");
        }
        assert!(product(1.0078125, 1.515625, 1.5390625) > 1.0);
    }

    #[test]
    fn one_unit_in_the_last_place() {
        let tensor = |value| Tensor::from_f64s(vec![1], DataType::BF16, &[value]).unwrap();
        let used = |found, expected| {
            let op = TensorOp::new("neg", &[0], &[1]).unwrap();
            let (found, expected) = (tensor(found), tensor(expected));
            share_used(Chip::Tensix, &op, &found, &expected, &Values::new()).unwrap()
        };
        assert_eq!(used(1.0, 1.0078125), (Bound::OneUlp, 1.0));
        assert_eq!(used(1.0, 1.015625), (Bound::OneUlp, 2.0));
        assert_eq!(used(f64::NAN, 1.0), (Bound::OneUlp, f64::INFINITY));
    }

    /// Tensix: a product of 2^-121 has its last place at 2^-128, far below what later phases lose; one of 2^-100 has not. MN-Core 2 rounds once. What
    /// lies below the least normal number is zero on both.
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
            let used = [Chip::Tensix, Chip::Mncore].map(|chip| {
                let (found, expected) = (tensor(found), tensor(expected));
                share_used(chip, &op, &found, &expected, &Values::new()).unwrap()
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
            let used = share_used(Chip::Tensix, &op, &found_tensor, &expected, &operands);
            assert_eq!(used.unwrap(), expect, "{from} to {to}: {found}");
        }
    }

    #[test]
    fn movement_is_exact() {
        let tensor = |value| Tensor::from_f64s(vec![1], DataType::BF16, &[value]).unwrap();
        let used = |found, expected| {
            let op = TensorOp::new("zeros", &[], &[0]).unwrap();
            let (found, expected) = (tensor(found), tensor(expected));
            share_used(Chip::Tensix, &op, &found, &expected, &Values::new()).unwrap()
        };
        assert_eq!(used(0.0, 0.0), (Bound::Exact, 0.0));
        assert_eq!(used(-0.0, 0.0), (Bound::Exact, f64::INFINITY));
    }
}
