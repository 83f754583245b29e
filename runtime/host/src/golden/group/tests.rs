//! Values of groups, and how far from them a device's may be.

use super::super::chip::{GROUP_LOSS, TENSIX_LOSS};
use super::*;
use tessera_isa_mncore::memory::Precision;
use tessera_ops::AttributeValue;
use tessera_reference::Tensor;

const TENSIX: Arithmetic = Arithmetic {
    chip: Chip::Tensix,
    products: Precision::Pseudo,
    rounds_results: false,
    miscounts: false,
};
const X: GlobalId = 0;
const Y: GlobalId = 1;

fn operation(op: TensorOp) -> Operation {
    Operation {
        op: op.into(),
        debug_info: String::new(),
        loc: String::new(),
    }
}

fn op(name: &str, inputs: &[GlobalId], out: GlobalId) -> TensorOp {
    TensorOp::new(name, inputs, &[out]).expect(name)
}

fn binary(function: Binary, lhs: GlobalId, rhs: GlobalId, out: GlobalId) -> Operation {
    operation(op(function.name(), &[lhs, rhs], out))
}

fn relu(input: GlobalId, out: GlobalId) -> Operation {
    operation(op("relu", &[input], out))
}

fn product(a: GlobalId, b: GlobalId, out: GlobalId) -> Operation {
    operation(op("matmul", &[a, b], out))
}

/// How far from the value of the first element a device's may be.
fn error(enclosed: &Enclosed) -> f64 {
    enclosed.ranges[0].distance(enclosed.value.values[0])
}

/// Value and bound, in units of [`GROUP_LOSS`] to the first digit behind the point, of the last result of a group, from
/// x = 3 and y = 2.
#[test]
fn errors_add_up() {
    use Binary::{Add, Multiply, Subtract};
    let tensor = |value| Tensor::from_f64s(vec![1, 1], DataType::BF16, &[value]).unwrap();
    let mut operands = Values::new();
    operands.set(X, tensor(3.0));
    operands.set(Y, tensor(2.0));
    for (operations, value, off) in [
        // Arithmetic on elements is exact but for float32's rounding; sums of operands are aligned.
        (vec![binary(Multiply, X, Y, 2), relu(2, 3)], 6.0, 0.0),
        (vec![binary(Add, X, Y, 2), relu(2, 3)], 5.0, 0.6),
        (vec![relu(X, 2), binary(Add, 2, Y, 3)], 5.0, 0.0),
        // A product may be off by its groups, and so is what is added to it.
        (vec![product(X, Y, 2), binary(Add, 2, X, 3)], 9.0, 6.0),
        (vec![product(X, Y, 2), binary(Subtract, X, 2, 3)], -3.0, 6.0),
        // What is multiplied by it is off as many times more.
        (
            vec![product(X, Y, 2), binary(Multiply, 2, X, 3)],
            18.0,
            18.0,
        ),
        // Squared: (6 + 6 d)^2 - 36 = 72 d + 36 d^2, and a little of the roundings.
        (
            vec![product(X, Y, 2), binary(Multiply, 2, 2, 3)],
            36.0,
            72.2,
        ),
        // A product of a product, which is off by 6 and rounded to bf16, 6 / 1.04: 12 of its own groups, which are of what
        // the device has, and twice that.
        (vec![product(X, Y, 2), product(2, Y, 3)], 12.0, 35.7),
        // A factor that bf16 does not have is rounded: 1458 of its own, 1458 / 1.04, and a little of the roundings.
        (
            vec![
                binary(Multiply, X, X, 4),
                binary(Multiply, 4, 4, 5),
                binary(Multiply, 5, 4, 6),
                product(6, Y, 3),
            ],
            1458.0,
            2866.1,
        ),
    ] {
        let known = values(TENSIX, &operations, &operands, &|_| None).unwrap();
        let found = &known[&3];
        assert_eq!(found.value.values, [value], "{operations:?}");
        let units = (error(found) / GROUP_LOSS * 10.0).round() / 10.0;
        assert_eq!(units, off, "{operations:?}");
    }
}

/// The bound of a quotient by 2^-60, in units in its last place, by its dividend.
/// MN-Core 2 loses quotients of dividends below 2^-124, and bits of those below 2^-95, whatever the divisor; Tensix loses those below
/// 2^-124, too.
#[test]
fn small_dividends_have_a_bound_of_their_own() {
    let units = |exponent: i32, chip| {
        let tensor = |value| Tensor::from_f64s(vec![1, 1], DataType::F32, &[value]).unwrap();
        let mut operands = Values::new();
        operands.set(X, tensor(2f64.powi(exponent)));
        operands.set(Y, tensor(2f64.powi(-60)));
        let quotient = binary(Binary::Divide, X, Y, 2);
        let arithmetic = Arithmetic { chip, ..TENSIX };
        let known = values(arithmetic, &[quotient], &operands, &|_| None).unwrap();
        let quotient = &known[&2];
        let units = error(quotient) / (quotient.value.values[0] * 2f64.powi(-23));
        (units * 100.0).round() / 100.0
    };
    // All of it: quotients keep their signs.
    let all = 2f64.powi(23);
    for (exponent, expect) in [
        (-94, [0.51, 1.75]),
        (-96, [2.5, 1.75]),
        (-124, [2.5, 1.75]),
        (-125, [all, all]),
    ] {
        let found = [Chip::Mncore, Chip::Tensix].map(|chip| units(exponent, chip));
        assert_eq!(found, expect, "{exponent}");
    }
}

/// Value and bound of a cast of x to bf16, then of its product with y = 2, less the bound of that product.
#[test]
fn casts_round() {
    let below = 2f64.powi(-8);
    for (x, value, off) in [
        (1.0, 1.0, 0.0),
        (1.0 + below / 2.0, 1.0, 0.0),
        // To even; the chip rounds away from zero.
        (1.0 + below, 1.0, 2.0 * below),
        (-1.0 - below, -1.0, 2.0 * below),
        (1.0 + 3.0 * below, 1.0 + 4.0 * below, 0.0),
        (1.0 - below / 2.0, 1.0, 0.0),
    ] {
        let tensor = |r#type, value| Tensor::from_f64s(vec![1, 1], r#type, &[value]).unwrap();
        let mut operands = Values::new();
        operands.set(X, tensor(DataType::F32, x));
        operands.set(Y, tensor(DataType::BF16, 2.0));
        let cast = operation(op("typecast", &[X], 2));
        let types = |id| Some([DataType::F32, DataType::BF16][usize::from(id != X)]);
        let operations = [cast, product(2, Y, 3)];
        let known = values(TENSIX, &operations, &operands, &types).unwrap();
        assert_eq!(known[&2].value.values, [value], "{x}");
        assert_eq!(error(&known[&2]), off, "{x}");
        let found = known[&3].value.values[0];
        assert_eq!(found, 2.0 * value, "{x}");
        // The groups are of what the device has, and so is the rounding.
        let most = 2.0 * (value.abs() + off) * if off == 0.0 { 1.0 } else { 1.0 + below };
        let rounded = if off == 0.0 {
            0.0
        } else {
            below * (value.abs() + off)
        };
        let own = GROUP_LOSS * most + TENSIX_LOSS * most * 1.01;
        let more = error(&known[&3]) - own - 2.0 * (off + rounded);
        assert!(more.abs() < 1e-7, "{x}: {more}");
    }
}

#[test]
fn what_is_no_arithmetic_has_no_bound() {
    let free = operation(TensorOp::new("deallocate", &[X], &[]).unwrap());
    assert!(values(TENSIX, &[free], &Values::new(), &|_| None).is_err());
}

/// What comes of operands that are off: choices, clamps, reductions.
#[test]
fn other_operations_are_off_what_their_operands_are() {
    let of = |name: &str, inputs: usize| {
        let inputs: Vec<_> = (0..inputs as GlobalId).collect();
        op(name, &inputs, 3)
    };
    let float = AttributeValue::Float;
    let reduce = |name| {
        of(name, 1)
            .with("keep_dim", AttributeValue::Bool(true))
            .with("dim_arg", AttributeValue::Ints(vec![0]))
    };
    let around = |values: &[f64], errors: &[f64]| Enclosed {
        value: Array {
            shape: vec![values.len() as u64],
            values: values.to_vec(),
        },
        ranges: values
            .iter()
            .zip(errors)
            .map(|(value, error)| Interval::around(*value, *error))
            .collect(),
    };
    let three = || {
        vec![
            around(&[0.0, 0.1], &[0.0, 0.5]),
            around(&[3.0, 3.0], &[0.25, 0.25]),
            around(&[1.0, 1.0], &[0.5, 0.5]),
        ]
    };
    let one = || vec![around(&[1.0, -3.0], &[0.25, 0.5])];
    let loss = TENSIX_LOSS;
    for (op, operands, expect) in [
        (of("where", 3), three(), vec![[0.5, 1.5], [0.5, 3.25]]),
        // Below its lower limit, which is above its upper one.
        (of("clamp_tensor", 3), three(), vec![[0.5, 1.5]; 2]),
        (
            of("leaky_relu", 1).with("parameter", float(-2.0)),
            one(),
            vec![[0.75, 1.25], [5.0, 7.0]],
        ),
        (
            of("clamp_scalar", 1)
                .with("min", float(0.0))
                .with("max", float(1.0)),
            one(),
            vec![[0.75, 1.0], [0.0, 0.0]],
        ),
        (reduce("max"), one(), vec![[0.75, 1.25]]),
        (reduce("min"), one(), vec![[-3.5, -2.5]]),
        (
            reduce("sum"),
            one(),
            vec![[-2.75 - 2.0 * 4.75 * loss, -1.25 + 2.0 * 4.75 * loss]],
        ),
        (
            reduce("mean"),
            one(),
            vec![[-1.375 - 2.0 * 2.375 * loss, -0.625 + 2.0 * 2.375 * loss]],
        ),
    ] {
        let applied = Applied {
            op: op.op,
            attributes: &op.attributes,
            operands,
            numbers: Numbers::Float,
            is_narrow: true,
            are_given: false,
        };
        let found = applied.evaluate(Chip::Tensix).unwrap().ranges;
        assert_eq!(found.len(), expect.len(), "{op:?}");
        for (found, [low, high]) in found.into_iter().zip(expect) {
            let exact = Interval::new(low, high);
            let close = |a: f64, b: f64| (a - b).abs() <= 1.1 * loss * b.abs();
            let is_close = close(found.low, exact.low) && close(found.high, exact.high);
            assert!(is_close, "{op:?}: {found:?} {exact:?}");
        }
    }
}
