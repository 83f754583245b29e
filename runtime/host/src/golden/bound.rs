//! Bounds of single operations, and how much of its bound each element uses.

use serde::Serialize;
use tessera_ops::{broadcast_sources, Binary, Class, ElementType, Unary};
use tessera_program::{DataType, GlobalId, Op, Operation, TensorOp};
use tessera_reference::{Tensor, Values};

use super::compare::ulp_distances;
use super::enclosed::BoundUsage;
use super::numerics::Numerics;

/// The kind of bound on the difference to the isolated reference; see the documentation of
/// `golden`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// Bounds of matrix products, on elements and on the root mean square.
    Matmul,
    /// Intervals that combine the errors of all operations of a group.
    Group,
    /// One unit in the last place.
    OneUlp,
    /// No difference, except that denormals and zeros count as equal.
    SameNumbers,
    /// No difference in any bit.
    Exact,
}

/// Returns the operations to which bounds apply: those inside a kernel group, or the operation
/// itself.
pub fn judged_operations(operation: &Operation) -> &[Operation] {
    match &operation.op {
        Op::Kernel(group) => &group.operations,
        Op::Tensor(_) => std::slice::from_ref(operation),
    }
}

/// Returns whether an operation other than a product is rounded at most once. Its bound then does
/// not depend on errors of intermediate results.
pub fn is_rounded_at_most_once(op: &TensorOp) -> bool {
    match op.op.class {
        Class::Binary(function) => {
            matches!(function, Binary::Add | Binary::Subtract | Binary::Multiply)
        }
        Class::Unary(function) => matches!(function, Unary::Relu | Unary::Neg),
        Class::Ternary(_)
        | Class::Parametric(_)
        | Class::Reduction(_)
        | Class::Movement(_)
        | Class::Lookup(_)
        | Class::Composite(_) => false,
        _ => true,
    }
}

/// Returns the bound of an operation that is rounded at most once, and the usage of it by the
/// elements of `found`. A usage of at most 1 is within the bound; it is infinite where no error is
/// allowed. `expected` is the reference's result for the `operands`.
pub fn bound_usage(
    numerics: &Numerics,
    op: &TensorOp,
    found: &Tensor,
    expected: &Tensor,
    operands: &Values,
) -> (Bound, BoundUsage) {
    match op.op.class {
        Class::Cast if is_exact(op.inputs[0], expected, operands) => {
            let same = |distance: Option<u64>| (distance == Some(0)).then_some(0.0);
            let share = |distance| Some(same(distance).unwrap_or(f64::INFINITY));
            let distances = ulp_distances(found, expected);
            let per_element = distances.map(|(_, distance)| share(distance)).collect();
            (Bound::SameNumbers, BoundUsage { per_element })
        }
        Class::Binary(_) | Class::Unary(_) | Class::Cast => (
            Bound::OneUlp,
            one_ulp(numerics, op, found, expected, operands),
        ),
        _ => {
            let same = found.data() == expected.data();
            let share = Some(if same { 0.0 } else { f64::INFINITY });
            let per_element = vec![share];
            (Bound::Exact, BoundUsage { per_element })
        }
    }
}

/// Returns the usage of a bound of one unit in the last place. Results of NaN operands are
/// undetermined, and so are infinities and overflow in a matrix unit.
fn one_ulp(
    numerics: &Numerics,
    op: &TensorOp,
    found: &Tensor,
    expected: &Tensor,
    operands: &Values,
) -> BoundUsage {
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
            numerics.usage_where_nan(found)
        } else if function == Some(Binary::Multiply)
            && numerics.is_within_underflow(found, expected)
        {
            Some(0.0)
        } else {
            Some(distance.map_or(f64::INFINITY, |ulp| ulp as f64))
        }
    };
    BoundUsage {
        per_element: distances.map(share).collect(),
    }
}

/// Returns whether a cast does not round: its type represents all numbers of the operand's type.
fn is_exact(input: GlobalId, result: &Tensor, operands: &Values) -> bool {
    let to = ElementType::from(result.data_type());
    let from = operands.get(input).map(Tensor::data_type);
    from.is_some_and(|from| to.can_represent(from.into()))
}

#[cfg(test)]
mod tests;
