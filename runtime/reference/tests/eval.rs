//! Operations on tensors: values by hand, and what has none.

use tessera_program::DataType::{self, BF16, F32, SI32};
use tessera_program::*;
use tessera_reference::{
    block_magnitudes, execute, greatest_partials, group_maxima, unrounded, Tensor, Values,
};

/// A program that declares tensors of the given shapes and types, without operations.
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
        outputs: vec![],
        operations: vec![],
    }
}

fn operation(op: Op) -> Operation {
    Operation {
        op,
        debug_info: String::new(),
        loc: String::new(),
    }
}

/// The tensors of `program`, the first of which have the given values.
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
fn run(tensors: &[(&[u64], DataType)], given: &[&[f64]], op: Op) -> Result<Vec<f64>, String> {
    let program = declare(tensors);
    let mut values = values(&program, given);
    execute(&program, &operation(op), &mut values).map_err(|error| error.to_string())?;
    Ok(values.get(tensors.len() as u32 - 1).unwrap().to_f64s())
}

fn matmul(transpose_a: bool, transpose_b: bool) -> Matmul {
    Matmul {
        a: 0,
        b: 1,
        transpose_a,
        transpose_b,
        compute_config: None,
        out: 2,
    }
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
            Op::Matmul(matmul(ta, tb)),
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
        unrounded(&Op::Matmul(matmul(false, false)), &values)
            .unwrap()
            .values,
        [256.5]
    );
    let maxima = |group| {
        group_maxima(&matmul(false, false), group, &|id| values.elements(id))
            .unwrap()
            .values
    };
    assert_eq!(maxima(2), [3.0 + 256.0 + 0.5]);
    assert_eq!(maxima(8), [256.0]);
    let error = unrounded(&Op::GetDevice, &values).unwrap_err();
    assert_eq!(
        error.to_string(),
        "get_device is not arithmetic: it has no unrounded result"
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
    let product = matmul(false, false);
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
        let found = block_magnitudes(&product, block, &read).unwrap().values;
        assert_eq!(found, [magnitudes], "{block}");
        let found = greatest_partials(&product, block, &read).unwrap().values;
        assert_eq!(found, [partial], "{block}");
    }
    let cancelling = |id| {
        let mut values = values.elements(id)?;
        if id == 1 {
            values.values[3] = 0.0;
        }
        Ok(values)
    };
    let found = greatest_partials(&product, 2, &cancelling).unwrap().values;
    assert_eq!(found, [4.0], "the greatest, not the last");
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
    let op = |bias| Op::Linear {
        matmul: Matmul {
            out: 3,
            ..matmul(false, false)
        },
        bias,
    };
    // 256 + 1 is a tie of bf16 that alone goes to 256; with 0.5 it goes to 258.
    let given: &[&[f64]] = &[&[256.0, 1.0], &[1.0, 1.0, 1.0, 0.0], &[0.5, -256.0]];
    assert_eq!(run(tensors, given, op(Some(2))).unwrap(), [258.0, 0.0]);
    assert_eq!(run(tensors, given, op(None)).unwrap(), [256.0, 256.0]);
}

#[test]
fn element_wise() {
    let check =
        |kind, lhs: (&[u64], &[f64]), rhs: (&[u64], &[f64]), out: &[u64], expected: &[f64]| {
            let op = Op::EltwiseBinary {
                kind,
                lhs: 0,
                rhs: 1,
                out: 2,
            };
            let result = run(
                &[(lhs.0, BF16), (rhs.0, BF16), (out, BF16)],
                &[lhs.1, rhs.1],
                op,
            );
            assert_eq!(result.unwrap(), expected);
        };
    use BinaryKind::{Add, Multiply, Subtract};
    check(
        Add,
        (&[2], &[256.0, 1.0]),
        (&[2], &[1.0, 1.0]),
        &[2],
        &[256.0, 2.0],
    );
    check(
        Subtract,
        (&[2, 1], &[1.0, 2.0]),
        (&[2], &[5.0, 7.0]),
        &[2, 2],
        &[-4.0, -6.0, -3.0, -5.0],
    );
    check(
        Multiply,
        (&[], &[3.0]),
        (&[2], &[5.0, 7.0]),
        &[2],
        &[15.0, 21.0],
    );
    let unary = |kind| {
        run(
            &[(&[3], BF16), (&[3], BF16)],
            &[&[-1.0, 0.0, 2.0]],
            Op::EltwiseUnary {
                kind,
                input: 0,
                out: 1,
            },
        )
    };
    assert_eq!(unary(UnaryKind::Relu).unwrap(), [0.0, 0.0, 2.0]);
    assert_eq!(unary(UnaryKind::Neg).unwrap(), [1.0, 0.0, -2.0]);
}

/// Integers are computed as such, and wrap; what has no value of them says so.
#[test]
fn element_wise_integers() {
    let binary = |kind, r#type, lhs: f64, rhs: f64| {
        let op = Op::EltwiseBinary {
            kind,
            lhs: 0,
            rhs: 1,
            out: 2,
        };
        run(&[(&[1][..], r#type); 3], &[&[lhs], &[rhs]], op)
    };
    let most = f64::from(i32::MAX);
    for (kind, lhs, rhs, expect) in [
        (BinaryKind::Add, most, 1.0, f64::from(i32::MIN)),
        (BinaryKind::Multiply, 65537.0, 65537.0, 131073.0),
        (BinaryKind::BitwiseXor, -1.0, 5.0, -6.0),
        (BinaryKind::ShiftRight, -1.0, 28.0, 15.0),
        (BinaryKind::Less, -1.0, 0.0, 1.0),
    ] {
        let found = binary(kind, DataType::SI32, lhs, rhs).unwrap();
        assert_eq!(found, [expect], "{kind}");
    }
    for (kind, r#type, text) in [
        (
            BinaryKind::Divide,
            DataType::SI32,
            "divide is not computed of si32: put a typecast before",
        ),
        (
            BinaryKind::BitwiseOr,
            BF16,
            "bitwise_or is not computed of bf16: put a typecast before",
        ),
        (
            BinaryKind::BitwiseOr,
            DataType::UI8,
            "bitwise_or is not computed of ui8: put a typecast before",
        ),
    ] {
        let error = binary(kind, r#type, 1.0, 2.0).unwrap_err();
        assert_eq!(error.to_string(), text);
    }
}

#[test]
fn functions_of_tensors() {
    let function = |function: Function, out: &[u64]| {
        let inputs = vec![0; function.operands()];
        let op = Op::Function {
            function,
            inputs,
            out: 1,
        };
        run(
            &[(&[2, 2], BF16), (out, BF16)],
            &[&[1.0, 3.0, 4.0, 8.0]],
            op,
        )
    };
    let mean = Function::Reduce {
        kind: ReduceKind::Mean,
        dims: vec![0],
        keep_dim: true,
    };
    assert_eq!(function(mean.clone(), &[1, 2]).unwrap(), [2.5, 5.5]);
    assert_eq!(
        function(Function::ClampTensor, &[2, 2]).unwrap(),
        [1.0, 3.0, 4.0, 8.0]
    );
    let error = function(mean, &[2, 1]).unwrap_err().to_string();
    assert_eq!(
        error,
        "the result is 1x2 of bf16, but the program declares 2x1 of bf16"
    );
    let error = function(Function::Softmax { dimension: 2 }, &[2, 2]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "softmax is along dimensions [2] of a tensor of 2; each can be named once"
    );
}

#[test]
fn sources_of_tensors() {
    let run = |shape, data_type, op| run(&[(shape, data_type)], &[], op);
    assert_eq!(
        run(
            &[2],
            BF16,
            Op::Full {
                value: 257.0,
                out: 0
            }
        )
        .unwrap(),
        [256.0, 256.0]
    );
    assert_eq!(
        run(
            &[2],
            SI32,
            Op::Constant {
                data: vec![1, 0, 0, 0, 255, 255, 255, 255],
                out: 0
            }
        )
        .unwrap(),
        [1.0, -1.0]
    );
    assert!(run(&[2], BF16, Op::Empty { out: 0 })
        .unwrap()
        .iter()
        .all(|value| value.is_nan()));
}

#[test]
fn copies_and_casts() {
    let two = |to| [(&[2_u64][..], F32), (&[2_u64][..], to)];
    let typecast = Op::Typecast { input: 0, out: 1 };
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
    let moved = Op::Move {
        kind: MoveKind::ToLayout,
        input: 0,
        out: 1,
    };
    assert_eq!(
        run(&two(F32), &[&[257.0, -1.5]], moved).unwrap(),
        [257.0, -1.5]
    );
}

#[test]
fn groups_keep_only_their_results() {
    let program = declare(&[(&[1], F32), (&[1], F32), (&[1], F32)]);
    let neg = |input, out| {
        operation(Op::EltwiseUnary {
            kind: UnaryKind::Neg,
            input,
            out,
        })
    };
    let group = Op::Kernel {
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
        &operation(Op::Deallocate { input: 0 }),
        &mut values,
    )
    .unwrap();
    assert_eq!(values.get(0), None);
}

#[test]
fn what_has_no_result() {
    let check = |tensors: &[(&[u64], DataType)], given: &[&[f64]], op, text: &str| {
        assert_eq!(run(tensors, given, op).unwrap_err(), text);
    };
    let unary = |input, out| Op::EltwiseUnary {
        kind: UnaryKind::Neg,
        input,
        out,
    };
    let add = Op::EltwiseBinary {
        kind: BinaryKind::Add,
        lhs: 0,
        rhs: 1,
        out: 2,
    };
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
        Op::Deallocate { input: 0 },
        "tensor 0 has no value",
    );
    check(
        &[(two, F32), (three, F32), (three, F32)],
        &[&[0.0; 2], &[0.0; 3]],
        add,
        "shapes 2 and 3 cannot be broadcast",
    );
    check(
        &[(two, F32), (three, F32), (three, F32)],
        &[&[0.0; 2], &[0.0; 3]],
        Op::Matmul(matmul(false, false)),
        "the inner dimensions 2 and 3 differ",
    );
    check(
        &[(two, SI32), (two, SI32), (&[1], SI32)],
        &[&[0.0; 2], &[0.0; 2]],
        Op::Matmul(matmul(false, false)),
        "the reference has no matrix product of si32, whose sums f64 cannot hold: put a typecast to f32 before",
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
        Op::Constant {
            data: vec![0; 4],
            out: 0,
        },
        "a f32 tensor of 2 has 8 bytes, but 4 were given",
    );
}
