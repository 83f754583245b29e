//! Operations on tensors: values computed by hand, and invalid operations.

use tessera_ops::eval::{block_exponent_loss, max_partial_sums, sum_of_group_maxima};
use tessera_ops::AttributeValue;
use tessera_program::DataType::{self, BF16, F32, SI32};
use tessera_program::*;
use tessera_reference::{eval_unrounded, execute, with_factors, Tensor, Values};

/// Returns a program that declares tensors of the given shapes and types, without operations.
fn declare(tensors: &[(&[u64], DataType)]) -> Program {
    let tensors = tensors
        .iter()
        .map(|&(shape, data_type)| TensorDesc {
            name: None,
            shape: shape.to_vec(),
            data_type,
            layout: Layout::RowMajor,
            memory: MemorySpace::System,
        })
        .collect();
    Program {
        name: "f".into(),
        private: false,
        tensors,
        inputs: vec![],
        cached: vec![],
        outputs: vec![],
        operations: vec![],
    }
}

/// Returns an operation of the table.
fn op(name: &str, inputs: &[GlobalId], outputs: &[GlobalId]) -> TensorOp {
    TensorOp::new(name, inputs, outputs).expect(name)
}

fn operation(op: impl Into<Op>) -> Operation {
    Operation {
        op: op.into(),
        debug_info: String::new(),
        loc: String::new(),
    }
}

/// Returns the tensors of `program`, the first of which have the given values.
fn values(program: &Program, given: &[&[f64]]) -> Values {
    let mut values = Values::new();
    for (id, (elements, desc)) in given.iter().zip(&program.tensors).enumerate() {
        values.set(
            id as u32,
            Tensor::from_f64s(desc.shape.clone(), desc.data_type, elements).unwrap(),
        );
    }
    values
}

/// Runs `op`, whose result is the last tensor declared; the others have the given values.
fn run(
    tensors: &[(&[u64], DataType)],
    given: &[&[f64]],
    op: impl Into<Op>,
) -> Result<Vec<f64>, String> {
    let program = declare(tensors);
    let mut values = values(&program, given);
    execute(&program, &operation(op), &mut values).map_err(|error| error.to_string())?;
    Ok(values.get(tensors.len() as u32 - 1).unwrap().to_f64s())
}

fn matmul(transpose_a: bool, transpose_b: bool) -> TensorOp {
    op("matmul", &[0, 1], &[2])
        .with("transpose_a", AttributeValue::Bool(transpose_a))
        .with("transpose_b", AttributeValue::Bool(transpose_b))
}

#[test]
fn matrix_products() {
    let check = |a: &[u64], b: &[u64], out: &[u64], ta, tb, expected: &[f64]| {
        let count = |shape: &[u64]| {
            (1..=shape.iter().product())
                .map(|value: u64| value as f64)
                .collect::<Vec<_>>()
        };
        let result = run(
            &[(a, F32), (b, F32), (out, F32)],
            &[&count(a), &count(b)],
            matmul(ta, tb),
        );
        assert_eq!(result.unwrap(), expected, "{a:?} {b:?} {ta} {tb}");
    };
    check(
        &[2, 3],
        &[3, 2],
        &[2, 2],
        false,
        false,
        &[22.0, 28.0, 49.0, 64.0],
    );
    check(
        &[3, 2],
        &[3, 2],
        &[2, 2],
        true,
        false,
        &[35.0, 44.0, 44.0, 56.0],
    );
    check(
        &[2, 3],
        &[2, 3],
        &[2, 2],
        false,
        true,
        &[14.0, 32.0, 32.0, 77.0],
    );
    check(
        &[3, 2],
        &[2, 3],
        &[2, 2],
        true,
        true,
        &[22.0, 49.0, 28.0, 64.0],
    );
    check(&[3], &[3, 2], &[2], true, false, &[22.0, 28.0]);
    check(&[2, 3], &[3], &[2], false, true, &[14.0, 32.0]);
    check(&[3], &[3], &[1], false, false, &[14.0]);
    check(&[2, 1, 2], &[2, 1], &[2, 1, 1], false, false, &[5.0, 11.0]);
    check(
        &[2, 1, 1, 1],
        &[2, 1, 2],
        &[2, 2, 1, 2],
        false,
        false,
        &[1.0, 2.0, 3.0, 4.0, 2.0, 4.0, 6.0, 8.0],
    );
    check(
        &[2, 2, 1],
        &[2, 2, 1],
        &[2, 1, 1],
        true,
        false,
        &[5.0, 25.0],
    );
}

#[test]
fn unrounded_sums_and_group_maxima() {
    let program = declare(&[(&[1, 5], BF16), (&[5, 1], BF16), (&[1, 1], BF16)]);
    let values = values(
        &program,
        &[&[1.0, -3.0, 2.0, 256.0, 1.0], &[1.0, 1.0, 1.0, 1.0, 0.5]],
    );
    assert_eq!(
        eval_unrounded(&matmul(false, false), &values)
            .unwrap()
            .values,
        [256.5]
    );
    let maxima = |group| {
        let product = matmul(false, false).product().unwrap();
        let read = |id| values.elements(id);
        let maxima = with_factors(&product, &read, |shape, a, b| {
            sum_of_group_maxima(shape, a, b, group)
        });
        maxima.unwrap().values
    };
    assert_eq!(maxima(2), [3.0 + 256.0 + 0.5]);
    assert_eq!(maxima(8), [256.0]);
    let error = eval_unrounded(&op("get_device", &[], &[]), &values).unwrap_err();
    assert_eq!(
        error.to_string(),
        "'get_device' is not arithmetic: it has no unrounded result"
    );
}

#[test]
fn blocks_of_factors() {
    let program = declare(&[(&[1, 5], BF16), (&[5, 1], BF16), (&[1, 1], BF16)]);
    let values = values(
        &program,
        &[&[1.0, -3.0, 2.0, 256.0, 1.0], &[1.0, 1.0, -1.0, 1.0, 0.5]],
    );
    let read = |id| values.elements(id);
    let product = matmul(false, false).product().unwrap();
    // max|a| sum|b| + max|b| sum|a| of each block; sums after each block.
    for (block, magnitudes, partial) in [
        (
            2,
            (3.0 * 2.0 + 4.0) + (256.0 * 2.0 + 258.0) + (0.5 + 0.5),
            252.5,
        ),
        (3, (3.0 * 3.0 + 6.0) + (256.0 * 1.5 + 257.0), 252.5),
        (8, 256.0 * 4.5 + 263.0, 252.5),
        (4, (256.0 * 4.0 + 262.0) + (0.5 + 0.5), 252.5),
    ] {
        let found = with_factors(&product, &read, |shape, a, b| {
            block_exponent_loss(shape, a, b, block)
        });
        assert_eq!(found.unwrap().values, [magnitudes], "{block}");
        let found = with_factors(&product, &read, |shape, a, b| {
            max_partial_sums(shape, a, b, block)
        });
        assert_eq!(found.unwrap().values, [partial], "{block}");
    }
    let cancelling = |id| {
        let mut values = values.elements(id)?;
        if id == 1 {
            values.values[3] = 0.0;
        }
        Ok(values)
    };
    let found = with_factors(&product, &cancelling, |shape, a, b| {
        max_partial_sums(shape, a, b, 2)
    });
    assert_eq!(found.unwrap().values, [4.0], "the greatest, not the last");
}

/// The sum and the bias are rounded together and once.
#[test]
fn linear_rounds_once() {
    let tensors: &[(&[u64], _)] = &[
        (&[1, 2], BF16),
        (&[2, 2], BF16),
        (&[2], BF16),
        (&[1, 2], BF16),
    ];
    let linear = |inputs: &[GlobalId]| op("linear", inputs, &[3]);
    // 256 + 1 is a tie of bf16 that alone goes to 256; with 0.5 it goes to 258.
    let given: &[&[f64]] = &[&[256.0, 1.0], &[1.0, 1.0, 1.0, 0.0], &[0.5, -256.0]];
    assert_eq!(
        run(tensors, given, linear(&[0, 1, 2])).unwrap(),
        [258.0, 0.0]
    );
    assert_eq!(
        run(tensors, given, linear(&[0, 1])).unwrap(),
        [256.0, 256.0]
    );
}

#[test]
fn element_wise() {
    let check =
        |kind, lhs: (&[u64], &[f64]), rhs: (&[u64], &[f64]), out: &[u64], expected: &[f64]| {
            let op = op(kind, &[0, 1], &[2]);
            let result = run(
                &[(lhs.0, BF16), (rhs.0, BF16), (out, BF16)],
                &[lhs.1, rhs.1],
                op,
            );
            assert_eq!(result.unwrap(), expected);
        };
    let [add, multiply, subtract] = ["add", "multiply", "subtract"];
    check(
        add,
        (&[2], &[256.0, 1.0]),
        (&[2], &[1.0, 1.0]),
        &[2],
        &[256.0, 2.0],
    );
    check(
        subtract,
        (&[2, 1], &[1.0, 2.0]),
        (&[2], &[5.0, 7.0]),
        &[2, 2],
        &[-4.0, -6.0, -3.0, -5.0],
    );
    check(
        multiply,
        (&[], &[3.0]),
        (&[2], &[5.0, 7.0]),
        &[2],
        &[15.0, 21.0],
    );
    let unary = |kind| {
        run(
            &[(&[3], BF16), (&[3], BF16)],
            &[&[-1.0, 0.0, 2.0]],
            op(kind, &[0], &[1]),
        )
    };
    assert_eq!(unary("relu").unwrap(), [0.0, 0.0, 2.0]);
    assert_eq!(unary("neg").unwrap(), [1.0, 0.0, -2.0]);
}

/// Integer operations wrap; operations without an integer value are errors.
#[test]
fn element_wise_integers() {
    let binary = |kind, r#type, lhs: f64, rhs: f64| {
        let op = op(kind, &[0, 1], &[2]);
        run(&[(&[1][..], r#type); 3], &[&[lhs], &[rhs]], op)
    };
    let most = f64::from(i32::MAX);
    for (kind, lhs, rhs, expect) in [
        ("add", most, 1.0, f64::from(i32::MIN)),
        ("multiply", 65537.0, 65537.0, 131073.0),
        ("divide", -7.0, 2.0, -3.0),
        ("divide", f64::from(i32::MIN), -1.0, f64::from(i32::MIN)),
        ("bitwise_xor", -1.0, 5.0, -6.0),
        ("logical_right_shift", -1.0, 28.0, 15.0),
        ("lt", -1.0, 0.0, 1.0),
    ] {
        let found = binary(kind, DataType::SI32, lhs, rhs).unwrap();
        assert_eq!(found, [expect], "{kind}");
    }
    for (kind, r#type, text) in [
        (
            "atan2",
            DataType::SI32,
            "'atan2' does not support element type 'i32'; cast to 'f32' first",
        ),
        (
            "bitwise_or",
            BF16,
            "'bitwise_or' does not support element type 'bf16'; cast to 'i32' first",
        ),
        (
            "bitwise_or",
            DataType::UI8,
            "'bitwise_or' does not support element type 'ui8'; cast to 'i32' first",
        ),
    ] {
        let error = binary(kind, r#type, 1.0, 2.0).unwrap_err();
        assert_eq!(error.to_string(), text);
    }
}

/// Arithmetic on unsigned integers does not wrap: a result that does not fit is an error.
#[test]
fn unsigned_integers() {
    let add = |r#type, lhs: f64, rhs: f64| {
        run(
            &[(&[1][..], r#type); 3],
            &[&[lhs], &[rhs]],
            op("add", &[0, 1], &[2]),
        )
    };
    assert_eq!(add(DataType::UI32, 3e9, 1e9).unwrap(), [4e9]);
    let error = add(DataType::UI8, 255.0, 1.0).unwrap_err();
    assert_eq!(error, "the value 256 at element 0 is no ui8");
}

#[test]
fn other_operations() {
    let function = |op: TensorOp, out: &[u64]| {
        run(
            &[(&[2, 2], BF16), (out, BF16)],
            &[&[1.0, 3.0, 4.0, 8.0]],
            op,
        )
    };
    let keep = AttributeValue::Bool(true);
    let mean = op("mean", &[0], &[1])
        .with("keep_dim", keep)
        .with("dim_arg", AttributeValue::Ints(vec![0]));
    assert_eq!(function(mean.clone(), &[1, 2]).unwrap(), [2.5, 5.5]);
    assert_eq!(
        function(op("clamp_tensor", &[0, 0, 0], &[1]), &[2, 2]).unwrap(),
        [1.0, 3.0, 4.0, 8.0]
    );
    let error = function(mean, &[2, 1]).unwrap_err().to_string();
    assert_eq!(
        error,
        "the result is 1x2 of bf16, but the program declares 2x1 of bf16"
    );
    let softmax = op("softmax", &[0], &[1]).with("dimension", AttributeValue::Int(2));
    let error = function(softmax, &[2, 2]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "Dimension attribute must be within the bounds of the input tensor"
    );
}

/// Values computed by hand of operations other than unary and binary element-wise functions.
#[test]
fn values_by_hand() {
    let counted = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    let tensor = (&[2, 3][..], &counted[..]);
    let three = |name| op(name, &[0, 1, 2], &[3]);
    let one = |name| op(name, &[0], &[1]);
    let float = AttributeValue::Float;
    let ints = |values: &[i64]| AttributeValue::Ints(values.to_vec());
    let reduce = |name, dims: &[i64], keep| {
        let keep = AttributeValue::Bool(keep);
        one(name).with("dim_arg", ints(dims)).with("keep_dim", keep)
    };
    let permute = |dims: &[i64]| one("permute").with("permutation", ints(dims));
    let softmax = one("softmax").with("dimension", AttributeValue::Int(0));
    let rows: [(TensorOp, &[(&[u64], &[f64])], &[u64], &[f64]); 12] = [
        (
            three("where"),
            &[(&[2], &[1.0, 0.0]), (&[1], &[5.0]), (&[2, 1], &[7.0, 8.0])],
            &[2, 2],
            &[5.0, 7.0, 5.0, 8.0],
        ),
        (
            three("clamp_tensor"),
            &[
                (&[3], &[-2.0, 0.5, 9.0]),
                (&[], &[0.0]),
                (&[3], &[1.0, 1.0, -1.0]),
            ],
            &[3],
            &[0.0, 0.5, -1.0],
        ),
        (
            one("leaky_relu").with("parameter", float(0.5)),
            &[(&[3], &[-2.0, 0.0, 3.0])],
            &[3],
            &[-1.0, 0.0, 3.0],
        ),
        (
            one("clamp_scalar")
                .with("min", float(2.0))
                .with("max", float(5.0)),
            &[tensor],
            &[2, 3],
            &[2.0, 2.0, 3.0, 4.0, 5.0, 5.0],
        ),
        (
            reduce("sum", &[0], true),
            &[tensor],
            &[1, 3],
            &[5.0, 7.0, 9.0],
        ),
        (reduce("mean", &[1], false), &[tensor], &[2], &[2.0, 5.0]),
        (reduce("max", &[1], true), &[tensor], &[2, 1], &[3.0, 6.0]),
        (reduce("min", &[0, 1], false), &[tensor], &[], &[1.0]),
        (reduce("sum", &[], false), &[tensor], &[2, 3], &counted),
        (
            softmax,
            &[(&[2, 2], &[1000.0, 0.0, 1000.0, -1000.0])],
            &[2, 2],
            &[0.5, 1.0, 0.5, 0.0],
        ),
        (
            permute(&[1, 0]),
            &[tensor],
            &[3, 2],
            &[1.0, 4.0, 2.0, 5.0, 3.0, 6.0],
        ),
        (
            permute(&[2, 0, 1]),
            &[(&[1, 2, 3], &counted)],
            &[3, 1, 2],
            &[1.0, 4.0, 2.0, 5.0, 3.0, 6.0],
        ),
    ];
    for (op, given, shape, expected) in rows {
        let name = op.op.name;
        let mut tensors: Vec<_> = given.iter().map(|(shape, _)| (*shape, F32)).collect();
        tensors.push((shape, F32));
        let elements: Vec<_> = given.iter().map(|(_, elements)| *elements).collect();
        assert_eq!(run(&tensors, &elements, op).unwrap(), expected, "{name}");
    }
    let wrapped = run(
        &[(&[2], SI32), (&[], SI32)],
        &[&[i32::MAX.into(), 1.0]],
        reduce("sum", &[0], false),
    );
    assert_eq!(wrapped.unwrap(), [f64::from(i32::MIN)]);
}

#[test]
fn sources_of_tensors() {
    let run = |shape, data_type, op: TensorOp| run(&[(shape, data_type)], &[], op);
    assert_eq!(
        run(
            &[2],
            BF16,
            op("full", &[], &[0]).with("fill_value", AttributeValue::Float(257.0))
        )
        .unwrap(),
        [256.0, 256.0]
    );
    assert_eq!(
        run(
            &[2],
            SI32,
            op("constant", &[], &[0]).with(
                "value",
                AttributeValue::Bytes(vec![1, 0, 0, 0, 255, 255, 255, 255])
            )
        )
        .unwrap(),
        [1.0, -1.0]
    );
    assert_eq!(run(&[1], BF16, op("zeros", &[], &[0])).unwrap(), [0.0]);
    assert_eq!(run(&[1], SI32, op("ones", &[], &[0])).unwrap(), [1.0]);
    assert!(run(&[2], BF16, op("empty", &[], &[0]))
        .unwrap()
        .iter()
        .all(|value| value.is_nan()));
}

#[test]
fn copies_and_casts() {
    let two = |to| [(&[2_u64][..], F32), (&[2_u64][..], to)];
    let typecast = op("typecast", &[0], &[1]);
    assert_eq!(
        run(&two(BF16), &[&[257.0, -1.5]], typecast.clone()).unwrap(),
        [256.0, -1.5]
    );
    assert_eq!(
        run(&two(SI32), &[&[257.0, -1.5]], typecast.clone()).unwrap(),
        [257.0, -1.0]
    );
    assert_eq!(
        run(&two(SI32), &[&[0.0, 3e9]], typecast).unwrap_err(),
        "the value 3000000000 at element 1 is no si32"
    );
    let moved = op("to_layout", &[0], &[1]);
    assert_eq!(
        run(&two(F32), &[&[257.0, -1.5]], moved).unwrap(),
        [257.0, -1.5]
    );
}

#[test]
fn groups_keep_only_their_results() {
    let program = declare(&[(&[1], F32), (&[1], F32), (&[1], F32)]);
    let neg = |input, out| operation(op("neg", &[input], &[out]));
    let group = KernelOp {
        operations: vec![neg(0, 1), neg(1, 2)],
        outputs: vec![2],
        kernels: vec![],
    };
    let mut values = values(&program, &[&[5.0]]);
    execute(&program, &operation(group), &mut values).unwrap();
    assert_eq!(values.get(2).unwrap().to_f64s(), [5.0]);
    assert_eq!(values.get(1), None);
    execute(
        &program,
        &operation(op("deallocate", &[0], &[])),
        &mut values,
    )
    .unwrap();
    assert_eq!(values.get(0), None);
}

#[test]
fn operations_without_a_result() {
    let check = |tensors: &[(&[u64], DataType)], given: &[&[f64]], op: TensorOp, text: &str| {
        assert_eq!(run(tensors, given, op).unwrap_err(), text);
    };
    let unary = |input, out| op("neg", &[input], &[out]);
    let add = op("add", &[0, 1], &[2]);
    let (two, three): (&[u64], &[u64]) = (&[2], &[3]);
    check(
        &[(two, F32)],
        &[&[1.0, 2.0]],
        unary(0, 7),
        "tensor 7 is not declared",
    );
    check(
        &[(two, F32), (two, F32)],
        &[],
        unary(0, 1),
        "tensor 0 has no value",
    );
    check(
        &[(two, F32)],
        &[],
        op("deallocate", &[0], &[]),
        "tensor 0 has no value",
    );
    check(
        &[(two, F32), (three, F32), (three, F32)],
        &[&[0.0; 2], &[0.0; 3]],
        add,
        "operand shape (3) is not broadcast compatible with inferred operand shapes (2)",
    );
    check(
        &[(two, F32), (three, F32), (three, F32)],
        &[&[0.0; 2], &[0.0; 3]],
        matmul(false, false),
        "Input A[-1](2) and B[-2](3) must have matching inner dimensions",
    );
    check(
        &[(two, SI32), (two, SI32), (&[1], SI32)],
        &[&[0.0; 2], &[0.0; 2]],
        matmul(false, false),
        "the reference does not support matrix products of element type 'si32', whose sums f64 \
         cannot hold; cast to 'f32' first",
    );
    check(
        &[(two, F32), (three, BF16)],
        &[&[0.0; 2]],
        unary(0, 1),
        "the result is 2 of bf16, but the program declares 3 of bf16",
    );
    check(
        &[(two, F32)],
        &[],
        op("constant", &[], &[0]).with("value", AttributeValue::Bytes(vec![0; 4])),
        "a f32 tensor of 2 has 8 bytes, but 4 were given",
    );
}
