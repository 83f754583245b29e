//! What functions of elements are off if their operands are, and what chips lose when they compute them.
//!
//! A function of one element that goes one way only is off the most at an end of the span in which its operand lies. Where an operand
//! may be on either side of what a truth turns on, the truth may be the other one.

use tessera_ops::eval::Array;
use tessera_ops::{
    broadcast_sources, table, Arithmetic, AttributeValue, Binary, CallError, Class, Parametric,
    Reduce, Reduction, TensorType, Ternary, Unary,
};
use tessera_program::{DataType, GlobalId, TensorOp};
use tessera_reference::{unrounded_of, EvalError};

use super::chip::Chip;
use super::group::{map, sum};

/// The most that gelu and silu grow by, from an operand to one that is one more.
const STEEPEST: f64 = 1.13;

/// An operand, and what it is off.
pub struct Operand {
    /// Its elements.
    pub value: Array,
    /// What each is off at most.
    pub error: Array,
}

impl Operand {
    /// An element, spread over a result, and what it is off.
    fn spread(&self, shape: &[u64]) -> Vec<[f64; 2]> {
        let sources = broadcast_sources(&self.value.shape, shape);
        let pair = |at: usize| [self.value.values[at], self.error.values[at]];
        sources.into_iter().map(pair).collect()
    }
}

/// The largest of differences, infinite if one is no number.
fn widest(differences: impl IntoIterator<Item = f64>) -> f64 {
    differences
        .into_iter()
        .fold(0.0, |widest, difference| match difference.is_nan() {
            true => f64::INFINITY,
            false => widest.max(difference.abs()),
        })
}

/// Whether an element may be zero, or not.
fn may_be_zero([value, error]: [f64; 2]) -> bool {
    error > 0.0 && value.abs() <= error
}

fn truth(is_open: bool) -> f64 {
    f64::from(u8::from(is_open))
}

/// What a function of an element is off.
fn of_one(function: Unary, operand: [f64; 2]) -> f64 {
    let [x, error] = operand;
    let of = |x| function.eval(Arithmetic::Float, x);
    match function {
        _ if error == 0.0 => 0.0,
        Unary::Neg | Unary::Abs | Unary::Relu => error,
        Unary::Gelu | Unary::Silu => STEEPEST * error,
        Unary::LogicalNot => truth(may_be_zero(operand)),
        Unary::Reciprocal if may_be_zero(operand) => f64::INFINITY,
        _ => widest([of(x - error) - of(x), of(x + error) - of(x)]),
    }
}

/// What a function of two elements is off.
fn of_two(function: Binary, left: [f64; 2], right: [f64; 2]) -> f64 {
    let ([x, off_x], [y, off_y]) = (left, right);
    let of = |x, y| function.eval(Arithmetic::Float, x, y);
    let product = x.abs() * off_y + y.abs() * off_x + off_x * off_y;
    // What a device has where a function has no value may be any number.
    let is_open = |may_differ: bool| truth(may_differ || x.is_nan() || y.is_nan());
    match function {
        _ if off_x == 0.0 && off_y == 0.0 => 0.0,
        Binary::Add | Binary::Subtract => off_x + off_y,
        Binary::Multiply => product,
        Binary::Prelu => off_x.max(product),
        Binary::Max | Binary::Min => off_x.max(off_y),
        Binary::Divide if may_be_zero(right) => f64::INFINITY,
        Binary::Divide => {
            let corners = [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]];
            let corner = |[a, b]: [f64; 2]| of(x + a * off_x, y + b * off_y) - of(x, y);
            widest(corners.map(corner))
        }
        Binary::LogicalAnd | Binary::LogicalOr | Binary::LogicalXor => {
            is_open(may_be_zero(left) || may_be_zero(right))
        }
        Binary::Equal
        | Binary::NotEqual
        | Binary::Greater
        | Binary::GreaterEqual
        | Binary::Less
        | Binary::LessEqual => is_open(may_be_zero([x - y, off_x + off_y])),
        // Of integers, which are never off.
        Binary::BitwiseAnd
        | Binary::BitwiseOr
        | Binary::BitwiseXor
        | Binary::ShiftLeft
        | Binary::ShiftRight => f64::INFINITY,
    }
}

/// What a function of an element, whose result is `result`, is off.
pub fn unary(function: Unary, operand: &Operand) -> Array {
    let pairs = operand.spread(&operand.value.shape);
    Array {
        shape: operand.value.shape.clone(),
        values: pairs
            .into_iter()
            .map(|pair| of_one(function, pair))
            .collect(),
    }
}

/// What a function of two elements is off, that gives a result of this shape.
pub fn binary(function: Binary, [left, right]: [&Operand; 2], shape: &[u64]) -> Array {
    let pairs = left.spread(shape).into_iter().zip(right.spread(shape));
    Array {
        shape: shape.to_vec(),
        values: pairs.map(|(x, y)| of_two(function, x, y)).collect(),
    }
}

/// What another operation on tensors is off, that gives `result`.
pub fn function(
    chip: Chip,
    op: &TensorOp,
    operands: &[Operand],
    result: &Array,
) -> Result<Array, EvalError> {
    let first = &operands[0];
    Ok(match op.op.class {
        Class::Ternary(function) => ternary(function, operands, result),
        Class::Parametric(Parametric::LeakyRelu) => {
            let parameter = op.attributes.float("parameter").unwrap_or_default();
            let most = parameter.abs().max(1.0);
            map(first.error.clone(), |error| error * most)
        }
        Class::Parametric(Parametric::Clamp) => first.error.clone(),
        Class::Movement(_) => unrounded_of(op, Arithmetic::Float, &|_| Ok(first.error.clone()))?,
        Class::Reduction(reduction) => {
            let dims = reduced_dimensions(op, &first.value)?;
            let extents = dims.iter().map(|dim| first.value.shape[*dim]);
            reduced(chip, op, reduction, extents.product::<u64>() as f64, first)?
        }
        // Softmax is the only composite of a program file.
        Class::Composite(_) => {
            let rank = first.value.shape.len();
            let dimension = op.attributes.int("dimension").unwrap_or_default();
            let dims = table::normalize_dimension(dimension, rank);
            let dims = dims.into_iter().map(|dim| dim as i64).collect();
            let keep = AttributeValue::Bool(true);
            let largest = table_op("max")?
                .with("keep_dim", keep)
                .with("dim_arg", AttributeValue::Ints(dims));
            let most = along(&largest, &first.error)?;
            let grown = most.broadcast_to(&result.shape);
            let grown = grown.into_iter().map(|most| (2.0 * most).exp_m1());
            let values = result.values.iter().zip(grown);
            Array {
                shape: result.shape.clone(),
                values: values.map(|(value, grown)| value * grown).collect(),
            }
        }
        _ => return Err(EvalError::NotArithmetic(op.op.name)),
    })
}

/// What a function of three elements is off, that gives `result`.
fn ternary(function: Ternary, operands: &[Operand], result: &Array) -> Array {
    let spread: Vec<_> = operands
        .iter()
        .map(|one| one.spread(&result.shape))
        .collect();
    let each = |off: &dyn Fn([[f64; 2]; 3]) -> f64| Array {
        shape: result.shape.clone(),
        values: (0..result.values.len())
            .map(|at| off([spread[0][at], spread[1][at], spread[2][at]]))
            .collect(),
    };
    match function {
        Ternary::Where => each(&|[condition, [yes, off_yes], [no, off_no]]| match (
            may_be_zero(condition),
            condition[0] != 0.0,
        ) {
            (true, _) => (yes - no).abs() + off_yes.max(off_no),
            (false, true) => off_yes,
            (false, false) => off_no,
        }),
        Ternary::Clamp => each(&|all| all.iter().fold(0.0, |most, one| one[1].max(most))),
    }
}

/// An operation on one tensor, without attributes.
fn table_op(name: &str) -> Result<TensorOp, EvalError> {
    const ONLY: GlobalId = 0;
    let unknown = |error: tessera_program::UnknownOp| CallError::Shape(error.to_string()).into();
    TensorOp::new(name, &[ONLY], &[ONLY]).map_err(unknown)
}

/// An operation on one tensor, of an array.
fn along(op: &TensorOp, of: &Array) -> Result<Array, EvalError> {
    unrounded_of(op, Arithmetic::Float, &|_| Ok(of.clone()))
}

fn reduced_dimensions(op: &TensorOp, of: &Array) -> Result<Vec<usize>, EvalError> {
    let operands = [TensorType {
        shape: of.shape.clone(),
        element: DataType::F32.into(),
    }];
    let dims = op.call(&operands).reduced_dimensions();
    Ok(dims.map_err(CallError::Shape)?)
}

/// What a reduction of so many elements each is off: a sum what they are, and a rounding for each of them.
fn reduced(
    chip: Chip,
    op: &TensorOp,
    reduction: Reduction,
    count: f64,
    operand: &Operand,
) -> Result<Array, EvalError> {
    match reduction.fold() {
        Reduce::Max | Reduce::Min => {
            let largest = TensorOp {
                attributes: op.attributes.clone(),
                ..table_op("max")?
            };
            along(&largest, &operand.error)
        }
        Reduce::Sum => {
            let magnitudes = map(operand.value.clone(), f64::abs);
            let most = along(op, &sum(magnitudes, &operand.error))?;
            let rounded = map(most, |value| count * chip.rounding(value));
            Ok(sum(rounded, &along(op, &operand.error)?))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_one_are_off_what_their_operands_are() {
        for (function, operand, least, most) in [
            (Unary::Exp, [0.0, 0.0], 0.0, 0.0),
            (Unary::Neg, [1.0, 0.5], 0.5, 0.5),
            (Unary::Exp, [1.0, 0.1], 0.28, 0.29),
            (Unary::Log, [0.1, 0.2], f64::INFINITY, f64::INFINITY),
            (Unary::Reciprocal, [1.0, 0.5], 1.0, 1.0),
            (Unary::Reciprocal, [0.1, 0.5], f64::INFINITY, f64::INFINITY),
            (Unary::LogicalNot, [0.1, 0.5], 1.0, 1.0),
            (Unary::LogicalNot, [1.0, 0.5], 0.0, 0.0),
            (Unary::Silu, [-1.3, 0.5], 0.5, 0.6),
        ] {
            let off = of_one(function, operand);
            assert!(
                (least..=most).contains(&off),
                "{function} {operand:?}: {off}"
            );
        }
    }

    #[test]
    fn functions_of_two_are_off_what_their_operands_are() {
        let exact = |value| [value, 0.0];
        for (function, left, right, expect) in [
            (Binary::Divide, exact(1.0), exact(0.0), 0.0),
            (Binary::Add, [1.0, 0.25], [2.0, 0.5], 0.75),
            (Binary::Multiply, [2.0, 0.5], [4.0, 0.5], 3.25),
            (Binary::Max, [2.0, 0.5], [4.0, 0.25], 0.5),
            (Binary::Divide, [2.0, 0.0], [4.0, 2.0], 0.5),
            (Binary::Divide, [2.0, 0.0], [0.5, 0.5], f64::INFINITY),
            (Binary::Less, [1.0, 0.5], [1.25, 0.0], 1.0),
            (Binary::Less, [1.0, 0.5], [2.0, 0.25], 0.0),
            (Binary::LogicalAnd, [0.25, 0.5], exact(1.0), 1.0),
            (Binary::LessEqual, [f64::NAN, f64::NAN], exact(1.0), 1.0),
            (Binary::LogicalOr, exact(0.0), [f64::NAN, 0.5], 1.0),
            (Binary::Prelu, [-2.0, 0.5], exact(0.25), 0.5),
        ] {
            let off = of_two(function, left, right);
            assert_eq!(off, expect, "{function} {left:?} {right:?}");
        }
    }

    #[test]
    fn other_functions_are_off_what_their_operands_are() {
        let operand = |values: &[f64], errors: &[f64]| {
            let array = |values: &[f64]| Array {
                shape: vec![values.len() as u64],
                values: values.to_vec(),
            };
            Operand {
                value: array(values),
                error: array(errors),
            }
        };
        let of_three = || {
            vec![
                operand(&[0.0, 0.1], &[0.0, 0.5]),
                operand(&[3.0, 3.0], &[0.25, 0.25]),
                operand(&[1.0, 1.0], &[0.5, 0.5]),
            ]
        };
        let one = |name| TensorOp::new(name, &[0], &[1]).unwrap();
        let reduce = |name| {
            let keep = AttributeValue::Bool(true);
            let dims = AttributeValue::Ints(vec![0]);
            one(name).with("keep_dim", keep).with("dim_arg", dims)
        };
        let three = |name| TensorOp::new(name, &[0, 1, 2], &[3]).unwrap();
        let float = AttributeValue::Float;
        let of_one = || vec![operand(&[1.0, -3.0], &[0.25, 0.5])];
        for (of, operands, result, expect) in [
            (three("where"), of_three(), vec![1.0, 3.0], vec![0.5, 2.5]),
            (
                three("clamp_tensor"),
                of_three(),
                vec![0.0; 2],
                vec![0.5; 2],
            ),
            (
                one("leaky_relu").with("parameter", float(-2.0)),
                of_one(),
                vec![1.0, 6.0],
                vec![0.5, 1.0],
            ),
            (
                one("clamp_scalar")
                    .with("min", float(0.0))
                    .with("max", float(1.0)),
                of_one(),
                vec![1.0, 0.0],
                vec![0.25, 0.5],
            ),
            (reduce("max"), of_one(), vec![1.0], vec![0.5]),
            (
                reduce("sum"),
                of_one(),
                vec![-2.0],
                vec![0.75 + 2.0 * Chip::Tensix.rounding(4.75)],
            ),
            (
                reduce("mean"),
                of_one(),
                vec![-1.0],
                vec![0.375 + 2.0 * Chip::Tensix.rounding(2.375)],
            ),
        ] {
            let result = Array {
                shape: vec![result.len() as u64],
                values: result,
            };
            let off = function(Chip::Tensix, &of, &operands, &result).unwrap();
            assert_eq!(off.values, expect, "{of:?}");
        }
    }
}
