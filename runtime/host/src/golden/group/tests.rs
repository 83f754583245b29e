//! Values of groups, and how far from them a device's may be.

use super::super::numerics::AlignedMatmul;
use super::*;
use crate::devices::NUMERICS;
use tessera_ops::rounding::{bf16_to_f64, f64_to_bf16};
use tessera_ops::AttributeValue;
use tessera_reference::Tensor;

const ALIGNED: AlignedMatmul = match NUMERICS.products {
    MatmulModel::Aligned(products) => products,
    MatmulModel::Blocks(_) => panic!("what follows is about terms in groups"),
};
const X: GlobalId = 0;
const Y: GlobalId = 1;
const SMALL: GlobalId = 7;

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

/// Returns the reduction of the rows of a matrix to a column.
fn reduce_rows(name: &str, input: GlobalId, out: GlobalId) -> Operation {
    let rows = AttributeValue::Ints(vec![1]);
    let reduce = op(name, &[input], out).with("dim_arg", rows);
    operation(reduce.with("keep_dim", AttributeValue::Bool(true)))
}

/// Returns the allowed distance of a device's first element from the reference.
fn error(enclosed: &Enclosed) -> f64 {
    enclosed.ranges[0].distance(enclosed.value.values[0])
}

/// Value and bound, in units of what a term of a group may lose, to the first digit after the
/// point, of the last result of a group, from x = 3 and y = 2.
#[test]
fn errors_add_up() {
    use Binary::{Add, Multiply, Subtract};
    let tensor = |value| Tensor::from_f64s(vec![1, 1], DataType::BF16, &[value]).unwrap();
    let mut operands = Values::new();
    operands.set(X, tensor(3.0));
    operands.set(Y, tensor(2.0));
    operands.set(SMALL, tensor(0.0625));
    for (operations, value, off) in [
        // Arithmetic on elements is exact but for float32's rounding; sums of operands are aligned,
        // which may cost bits if they differ by much.
        (vec![binary(Multiply, X, Y, 2), relu(2, 3)], 6.0, 0.0),
        (vec![binary(Add, X, Y, 2), relu(2, 3)], 5.0, 0.0),
        (vec![binary(Add, X, SMALL, 2), relu(2, 3)], 3.0625, 0.4),
        (vec![relu(X, 2), binary(Add, 2, Y, 3)], 5.0, 0.0),
        // A product may be off by its groups, and so is what is added to it.
        (vec![product(X, Y, 2), binary(Add, 2, X, 3)], 9.0, 6.0),
        (vec![product(X, Y, 2), binary(Subtract, X, 2, 3)], -3.0, 6.0),
        // Multiplication scales the error by the other factor.
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
        // A product of a product, which is off by 6 and rounded to bf16, 6 / 1.04: 12 of its own
        // groups, which are of what the device has, and twice that.
        (vec![product(X, Y, 2), product(2, Y, 3)], 12.0, 35.7),
        // A factor that bf16 does not have is rounded: 1458 of its own, 1458 / 1.04, and a little
        // of the roundings.
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
        let known = enclose_group(&NUMERICS, &operations, &operands, &|_| None).unwrap();
        let found = &known[&3];
        assert_eq!(found.value.values, [value], "{operations:?}");
        let units = (error(found) / ALIGNED.loss * 10.0).round() / 10.0;
        assert_eq!(units, off, "{operations:?}");
    }
}

/// Value and bound of a cast of x to bf16, then of its product with y = 2, less the bound of that
/// product.
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
        let known = enclose_group(&NUMERICS, &operations, &operands, &types).unwrap();
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
        let own = ALIGNED.loss * most + NUMERICS.rounding * most * 1.01;
        let more = error(&known[&3]) - own - 2.0 * (off + rounded);
        assert!(more.abs() < 1e-7, "{x}: {more}");
    }
}

#[test]
fn operations_without_arithmetic_have_no_bound() {
    let free = operation(TensorOp::new("deallocate", &[X], &[]).unwrap());
    assert!(enclose_group(&NUMERICS, &[free], &Values::new(), &|_| None).is_err());
}

/// Error propagation through `where`, clamps and reductions.
#[test]
fn errors_of_operands_are_propagated() {
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
    let loss = NUMERICS.rounding;
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
        let applied = OperationInstance {
            op: op.op,
            attributes: &op.attributes,
            operands,
            arithmetic: Arithmetic::Float,
            types: OperandTypes {
                precision: Precision::F32,
                is_narrow: true,
            },
            are_inputs: false,
        };
        let found = applied.enclose(&NUMERICS).unwrap().ranges;
        assert_eq!(found.len(), expect.len(), "{op:?}");
        for (found, [low, high]) in found.into_iter().zip(expect) {
            let exact = Interval::new(low, high);
            let close = |a: f64, b: f64| (a - b).abs() <= 1.1 * loss * b.abs();
            let is_close = close(found.low, exact.low) && close(found.high, exact.high);
            assert!(is_close, "{op:?}: {found:?} {exact:?}");
        }
    }
}

/// Numbers in [0, 1): SplitMix64.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn tensor(&mut self, shape: [u64; 2], scale: Scale) -> Tensor {
        let values = (0..shape[0] * shape[1]).map(|_| {
            let unit = self.unit();
            match scale {
                Scale::Positive => 0.5 + unit,
                Scale::Signed => 4.0 * unit - 2.0,
                Scale::Wide => {
                    let exponent = (self.unit() * 40.0) as i32 - 20;
                    (2.0 * unit - 1.0) * 2f64.powi(exponent)
                }
            }
        });
        let values: Vec<_> = values.collect();
        Tensor::from_f64s(shape.to_vec(), DataType::BF16, &values).unwrap()
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Scale {
    Positive,
    Signed,
    Wide,
}

const M: usize = 8;
const K: usize = 40;

/// Returns a product, and what is computed of it in the same kernel: tensors 0 and 1 are the
/// factors, 2 is another operand.
fn function_of_product(name: &str) -> Vec<Operation> {
    let function = match name {
        "divide" => op(name, &[2, 3], 4),
        "softmax" => op(name, &[3], 4).with("dimension", AttributeValue::Int(1)),
        _ => op(name, &[3], 4),
    };
    vec![product(0, 1, 3), operation(function)]
}

/// Returns the value of the function for sums that are each off by a share of what groups of terms
/// may lose.
fn of_device(name: &str, operands: &Values, random: &mut Random) -> Vec<f64> {
    let [a, b, c] = [0, 1, 2].map(|id| operands.get(id).unwrap().to_f64s());
    let mut sums = Vec::new();
    for (row, column) in (0..M * M).map(|at| (at / M, at % M)) {
        let terms: Vec<_> = (0..K).map(|k| a[row * K + k] * b[k * M + column]).collect();
        let groups = terms.chunks(ALIGNED.terms).map(|group| {
            let most = group
                .iter()
                .fold(0.0, |most: f64, term| most.max(term.abs()));
            group.iter().sum::<f64>() + ALIGNED.loss * most * (2.0 * random.unit() - 1.0)
        });
        sums.push(groups.sum::<f64>());
    }
    let single = |value: f64| f64::from(value as f32);
    let each = |function: fn(f64) -> f64| sums.iter().map(|sum| function(*sum)).collect();
    let values: Vec<f64> = match name {
        "sqrt" => each(f64::sqrt),
        "log" => each(f64::ln),
        "rsqrt" => each(|sum| sum.sqrt().recip()),
        "reciprocal" => each(f64::recip),
        "divide" => c.iter().zip(&sums).map(|(c, sum)| c / sum).collect(),
        _ => sums.chunks(M).flat_map(softmax).collect(),
    };
    values.into_iter().map(single).collect()
}

fn softmax(row: &[f64]) -> Vec<f64> {
    let most = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let exponentials: Vec<_> = row.iter().map(|value| (value - most).exp()).collect();
    let sum: f64 = exponentials.iter().sum();
    exponentials.iter().map(|value| value / sum).collect()
}

/// Results of a correct kernel are within the bound; an error of twice the bound in any element is
/// not. Bounds are finite.
#[test]
fn errors_in_functions_of_products_are_detected() {
    let mut random = Random(7);
    for name in ["sqrt", "log", "rsqrt", "reciprocal", "divide", "softmax"] {
        for scale in [Scale::Positive, Scale::Signed, Scale::Wide] {
            let mut operands = Values::new();
            let (m, k) = (M as u64, K as u64);
            operands.set(0, random.tensor([m, k], scale));
            operands.set(1, random.tensor([k, m], scale));
            operands.set(2, random.tensor([m, m], scale));
            let types = |id| Some([DataType::BF16, DataType::F32][usize::from(id > 2)]);
            let operations = function_of_product(name);
            let known = enclose_group(&NUMERICS, &operations, &operands, &types).unwrap();
            let judged = &known[&4];
            let tensor = |values: &[f64]| {
                Tensor::from_f64s(vec![m, m], DataType::F32, values).expect("as many as there are")
            };
            let found = of_device(name, &operands, &mut random);
            let usage = judged.bound_usage(&NUMERICS, &tensor(&found));
            assert!(usage.max() <= 1.0, "{name} {scale:?}: {}", usage.max());
            let undetermined = usage.undetermined();
            assert!(
                scale != Scale::Positive || undetermined == 0,
                "{name}: {undetermined}"
            );
            // Differences of wide products are known to no better than many units, and their
            // exponentials are anything; kernels compute a softmax of tensors in memory, which are
            // known exactly.
            let is_open = (name, scale) == ("softmax", Scale::Wide);
            assert_eq!(
                undetermined == M * M,
                is_open,
                "{name} {scale:?}: {undetermined}"
            );
            for (at, share) in usage.per_element.iter().enumerate() {
                let (value, range) = (judged.value.values[at], judged.ranges[at]);
                if share.is_none() || range.is_not_a_number() {
                    continue;
                }
                assert!(
                    range.low.is_finite() && range.high.is_finite(),
                    "{name}: {range:?}"
                );
                for end in [range.low, range.high] {
                    let mut wrong = found.clone();
                    wrong[at] = value + 2.0 * (end - value);
                    let usage = judged.bound_usage(&NUMERICS, &tensor(&wrong));
                    let is_seen = usage.max() > 1.9 || wrong[at] as f32 == end as f32;
                    assert!(is_seen, "{name} {scale:?}: {} of {range:?}", wrong[at]);
                }
            }
        }
    }
}

/// Results are undetermined if the operand of a function may be at a pole.
#[test]
fn poles_are_undetermined() {
    let tensor = |value| Tensor::from_f64s(vec![1, 1], DataType::BF16, &[value]).unwrap();
    let usage = |name, a, found| {
        let mut operands = Values::new();
        operands.set(
            0,
            Tensor::from_f64s(vec![1, 2], DataType::BF16, &[a, 1.0]).unwrap(),
        );
        operands.set(
            1,
            Tensor::from_f64s(vec![2, 1], DataType::BF16, &[1.0, 1.0]).unwrap(),
        );
        operands.set(2, tensor(1.0));
        let types = |_| Some(DataType::BF16);
        let known =
            enclose_group(&NUMERICS, &function_of_product(name), &operands, &types).unwrap();
        known[&4].bound_usage(&NUMERICS, &tensor(found)).per_element[0]
    };
    for name in ["sqrt", "log", "rsqrt", "reciprocal", "divide"] {
        // 1 - 1 is 0 up to an error.
        for found in [0.0, 1e30, f64::INFINITY, f64::NAN] {
            assert_eq!(usage(name, -1.0, found), None, "{name} {found}");
        }
        // 2 is away from it.
        assert!(usage(name, 1.0, 1e30) > Some(1e3), "{name}");
        assert_eq!(
            usage(name, 1.0, f64::INFINITY),
            Some(f64::INFINITY),
            "{name}"
        );
    }
    // -1 has no root, whatever the error; the packers convert NaN to an infinity.
    assert_eq!(usage("sqrt", -2.0, f64::INFINITY), Some(0.0));
    assert_eq!(usage("sqrt", -2.0, 1.0), Some(f64::INFINITY));
}

/// Shares of a softmax over a wide spread: what is less than exp gives, or than there are numbers,
/// may be zero.
#[test]
fn shares_of_nearly_nothing_may_be_zero() {
    let softmax = op("softmax", &[X], 2).with("dimension", AttributeValue::Int(0));
    let mut operands = Values::new();
    // exp(-87.25) is 1.28e-38.
    let given = Tensor::from_f64s(vec![3], DataType::BF16, &[0.0, -87.0, -80.0]).unwrap();
    operands.set(X, given);
    let types = |_| Some(DataType::BF16);
    let known = enclose_group(&NUMERICS, &[operation(softmax)], &operands, &types).unwrap();
    let usage = |values: [f64; 3]| {
        let found = Tensor::from_f64s(vec![3], DataType::BF16, &values).unwrap();
        known[&2].bound_usage(&NUMERICS, &found).per_element
    };
    let [least, small] = [-87.0, -80.0].map(f64::exp);
    assert!(usage([1.0, 0.0, small])[1] <= Some(1.0));
    assert!(usage([1.0, least, small])[1] <= Some(1.0));
    assert!(usage([1.0, 2.0 * least, small])[1] > Some(1.0));
    assert!(usage([1.0, least, 0.0])[2] > Some(1.0));
}

/// A device that rounds every result keeps the bound if it says so.
#[test]
fn roundings_between_operations_are_known() {
    let mut random = Random(3);
    let types = |_| Some(DataType::BF16);
    let mut operands = Values::new();
    operands.set(X, random.tensor([16, 16], Scale::Signed));
    operands.set(Y, random.tensor([16, 16], Scale::Signed));
    let [add, subtract] = [Binary::Add, Binary::Subtract];
    let operations = [binary(add, X, Y, 2), binary(subtract, 2, Y, 3)];
    let rounded = |tensor: Vec<f64>| {
        Tensor::from_f64s(vec![16, 16], DataType::BF16, &tensor)
            .unwrap()
            .to_f64s()
    };
    let [x, y] = [X, Y].map(|id| operands.get(id).unwrap().to_f64s());
    let pairs = x.iter().zip(&y);
    let sums = rounded(pairs.map(|(x, y)| x + y).collect());
    let differences = rounded(sums.iter().zip(&y).map(|(sum, y)| sum - y).collect());
    let found = Tensor::from_f64s(vec![16, 16], DataType::BF16, &differences).unwrap();
    let greatest = |rounds_results| {
        let numerics = Numerics {
            rounds_results,
            ..NUMERICS
        };
        let known = enclose_group(&numerics, &operations, &operands, &types).unwrap();
        known[&3].bound_usage(&NUMERICS, &found).max()
    };
    assert!(greatest(true) <= 1.0, "{}", greatest(true));
    assert!(
        greatest(false) > 2.0,
        "a kernel does not round: {}",
        greatest(false)
    );
}

/// Results between the stages of a kernel may be rounded or not: here the products from which the
/// maximum of a row is subtracted, and the differences, which are added.
#[test]
fn stages_may_round() {
    let mut random = Random(5);
    let types = |_| Some(DataType::BF16);
    let mut operands = Values::new();
    operands.set(X, random.tensor([16, 16], Scale::Signed));
    operands.set(Y, random.tensor([16, 16], Scale::Signed));
    let stages = [
        binary(Binary::Multiply, X, Y, 2),
        reduce_rows("max", 2, 4),
        binary(Binary::Subtract, 2, 4, 5),
        reduce_rows("sum", 5, 3),
    ];
    let known = enclose_group(&NUMERICS, &stages, &operands, &types).unwrap();
    let rounded = |values: Vec<f64>, shape| {
        let tensor = Tensor::from_f64s(shape, DataType::BF16, &values);
        tensor.unwrap().to_f64s()
    };
    let [x, y] = [X, Y].map(|id| operands.get(id).unwrap().to_f64s());
    let products: Vec<f64> = x.iter().zip(&y).map(|(x, y)| x * y).collect();
    let usage = |products: &[f64], are_differences_rounded: bool| {
        let sums = products.chunks(16).map(|row| {
            let greatest = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let differences = row.iter().map(|one| one - greatest).collect();
            let differences = match are_differences_rounded {
                true => rounded(differences, vec![16]),
                false => differences,
            };
            differences.iter().sum()
        });
        let sums: Vec<f64> = sums.collect();
        let found = Tensor::from_f64s(vec![16, 1], DataType::BF16, &sums).unwrap();
        known[&3].bound_usage(&NUMERICS, &found).max()
    };
    let all_rounded = rounded(products.clone(), vec![16, 16]);
    for usage in [
        usage(&products, false),
        usage(&products, true),
        usage(&all_rounded, false),
        usage(&all_rounded, true),
    ] {
        assert!(usage <= 1.0, "{usage}");
    }
    // The bounds are finite, and a few times the errors of roundings.
    let off: Vec<f64> = products.iter().map(|one| one * 1.125).collect();
    assert!(usage(&off, false) > 1.0);
}

/// A result that is larger than a reduction before it is computed in another stage, for which the
/// sums of rows may be rounded.
#[test]
fn results_grow_in_another_stage() {
    let mut random = Random(6);
    let types = |_| Some(DataType::BF16);
    let mut operands = Values::new();
    operands.set(X, random.tensor([16, 16], Scale::Positive));
    let stages = [reduce_rows("sum", X, 2), binary(Binary::Divide, X, 2, 3)];
    let known = enclose_group(&NUMERICS, &stages, &operands, &types).unwrap();
    let x = operands.get(X).unwrap().to_f64s();
    let usage = |round: fn(f64) -> f64| {
        let shares = x.chunks(16).flat_map(|row| {
            let sum = round(row.iter().sum());
            row.iter().map(move |one| one / sum)
        });
        let shares: Vec<f64> = shares.collect();
        let found = Tensor::from_f64s(vec![16, 16], DataType::BF16, &shares).unwrap();
        known[&3].bound_usage(&NUMERICS, &found).max()
    };
    assert!(usage(|sum| sum) <= 1.0);
    assert!(usage(|sum| bf16_to_f64(f64_to_bf16(sum))) <= 1.0);
    assert!(usage(|sum| sum * 1.03) > 1.0);
}
