//! What the result of one operation may differ by, and how much of that it uses.

use serde::Serialize;
use tessera_ops::{broadcast_sources, Binary, Class, ElementType, Unary};
use tessera_program::{DataType, GlobalId, Op, Operation, TensorOp};
use tessera_reference::{Tensor, Values};

use super::compare::ulp_distances;
use super::enclosed::Shares;
use super::numerics::Numerics;

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

/// Whether an operation other than a product has a bound that is not put together from those of its
/// operands: it is rounded once, or not at all.
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

/// The bound of an operation that has its own, and the shares of it that the elements of `found`
/// use: at most 1 if it is kept, infinite if nothing is allowed. `expected` is the reference's
/// result for the `operands`.
pub fn shares(
    numerics: &Numerics,
    op: &TensorOp,
    found: &Tensor,
    expected: &Tensor,
    operands: &Values,
) -> (Bound, Shares) {
    match op.op.class {
        Class::Cast if is_exact(op.inputs[0], expected, operands) => {
            let same = |distance: Option<u64>| (distance == Some(0)).then_some(0.0);
            let share = |distance| Some(same(distance).unwrap_or(f64::INFINITY));
            let distances = ulp_distances(found, expected);
            let of_elements = distances.map(|(_, distance)| share(distance)).collect();
            (Bound::SameNumbers, Shares { of_elements })
        }
        Class::Binary(_) | Class::Unary(_) | Class::Cast => (
            Bound::OneUlp,
            one_ulp(numerics, op, found, expected, operands),
        ),
        _ => {
            let same = found.data() == expected.data();
            let share = Some(if same { 0.0 } else { f64::INFINITY });
            let of_elements = vec![share];
            (Bound::Exact, Shares { of_elements })
        }
    }
}

/// Shares of one unit in the last place. What an operand that is NaN gives is not the reference's
/// to say, nor what a unit for matrices makes of infinities and of what overflows.
fn one_ulp(
    numerics: &Numerics,
    op: &TensorOp,
    found: &Tensor,
    expected: &Tensor,
    operands: &Values,
) -> Shares {
    let function = match op.op.class {
        Class::Binary(function) => Some(function),
        _ => None,
    };
    let is_narrow = |id: &GlobalId| operands.get(*id).map(Tensor::data_type) != Some(DataType::F32);
    let may_be_narrow = numerics.narrow.is_some() && op.inputs.iter().any(is_narrow);
    let may_take_infinities = may_be_narrow && function.is_some();
    let mut is_open = vec![false; expected.elements()];
    for tensor in op.inputs.iter().filter_map(|id| operands.get(*id)) {
        let is_special = |value: f64| match may_take_infinities {
            true => !value.is_finite(),
            false => value.is_nan(),
        };
        let values = tensor.to_f64s();
        if values.iter().any(|value| is_special(*value)) {
            let sources = broadcast_sources(tensor.shape(), expected.shape());
            let open = is_open.iter_mut().zip(sources);
            open.for_each(|(open, source)| *open |= is_special(values[source]));
        }
    }
    let distances = ulp_distances(found, expected).zip(is_open);
    let share = |(((found, expected), distance), is_open): (((f64, f64), Option<u64>), bool)| {
        let overflows = may_take_infinities && expected.is_infinite();
        if is_open || overflows {
            None
        } else if expected.is_nan() {
            numerics.share_where_nan(found)
        } else if function == Some(Binary::Multiply) && numerics.underflows(found, expected) {
            Some(0.0)
        } else {
            Some(distance.map_or(f64::INFINITY, |ulp| ulp as f64))
        }
    };
    Shares {
        of_elements: distances.map(share).collect(),
    }
}

/// Whether a cast has nothing to round: to a type that has all numbers of the other.
fn is_exact(input: GlobalId, result: &Tensor, operands: &Values) -> bool {
    let to = ElementType::from(result.data_type());
    let from = operands.get(input).map(Tensor::data_type);
    from.is_some_and(|from| to.has_all_of(from.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devices::NUMERICS;

    /// The bound of an operation, and the greatest share of it.
    fn share_used(
        numerics: &Numerics,
        op: &TensorOp,
        found: &Tensor,
        expected: &Tensor,
        operands: &Values,
    ) -> (Bound, f64) {
        let (bound, shares) = shares(numerics, op, found, expected, operands);
        assert_eq!(shares.undetermined(), 0);
        (bound, shares.greatest())
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
}
