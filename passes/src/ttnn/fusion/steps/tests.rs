//! Which unit does what.

use super::super::extent::Extent;
use super::*;
use tessera_pto::target::Precision;

#[test]
fn units_are_chosen() {
    use Source::{Chain, Input};
    let member = |compute, operands: &[Source]| Member {
        compute,
        operands: operands.to_vec(),
        result: Extent {
            matrices: 1,
            rows: 32,
            columns: 32,
        },
        element: Element::Bf16,
        computes: Element::F32,
    };
    let product = || Step::Product(Factor::Input(0), Factor::Input(1));
    let matmul = || {
        member(
            Compute::Matmul {
                transposed: [false; 2],
                bias: None,
            },
            &[Input(0), Input(1)],
        )
    };
    let biased = || {
        let compute = Compute::Matmul {
            transposed: [false; 2],
            bias: Some(Broadcast::Row),
        };
        member(compute, &[Input(0), Input(1), Input(2)])
    };
    let relu = || member(Compute::Unary(Unary::Relu), &[Chain]);
    let cast = |operands: &[Source]| member(Compute::Cast { narrows: false }, operands);
    // `swap` if the left operand is broadcast, so that the operands change places.
    let binary = |function, operands: &[Source], swap| {
        let left = match swap {
            true => Broadcast::Row,
            false => Broadcast::None,
        };
        let compute = Compute::Binary {
            function,
            broadcasts: [left, Broadcast::None],
        };
        member(compute, operands)
    };
    // Elements are bf16.
    let precision = |function| match binary_has_bf16_code(function) {
        true => Precision::Bf16,
        false => Precision::F32,
    };
    let on_vector = |function, input, left| Step::Binary {
        function,
        input,
        broadcast: Broadcast::None,
        left,
        precision: precision(function),
    };
    let row = |function, input, left| Step::Binary {
        function,
        input,
        broadcast: Broadcast::Row,
        left,
        precision: precision(function),
    };
    let bias = Step::Accumulate(Binary::Add, 2, Broadcast::Row);
    for (group, expect) in [
        (vec![matmul()], vec![product()]),
        (
            vec![biased(), relu()],
            vec![product(), bias, Step::PackRelu],
        ),
        // Relu in the middle is the vector unit's.
        (
            vec![
                matmul(),
                relu(),
                binary(Binary::Add, &[Chain, Input(2)], false),
            ],
            vec![
                product(),
                Step::Cross,
                Step::Unary(Unary::Relu, Precision::F32),
                on_vector(Binary::Add, 2, false),
            ],
        ),
        // A cast only says what is stored.
        (
            vec![cast(&[Input(0)])],
            vec![Step::WidenVector(0, Broadcast::None)],
        ),
        (vec![matmul(), cast(&[Chain])], vec![product()]),
        (
            vec![cast(&[Input(0)]), relu()],
            vec![Step::WidenVector(0, Broadcast::None), Step::PackRelu],
        ),
        // Packers have relu of what they round only.
        (
            vec![matmul(), relu(), cast(&[Chain])],
            vec![
                product(),
                Step::Cross,
                Step::Unary(Unary::Relu, Precision::F32),
            ],
        ),
        // A residual is added to the accumulator, from either side.
        (
            vec![matmul(), binary(Binary::Add, &[Input(2), Chain], false)],
            vec![product(), Step::Accumulate(Binary::Add, 2, Broadcast::None)],
        ),
        (
            vec![
                matmul(),
                binary(Binary::Multiply, &[Chain, Input(2)], false),
                relu(),
            ],
            vec![
                product(),
                Step::Cross,
                on_vector(Binary::Multiply, 2, false),
                Step::PackRelu,
            ],
        ),
        (
            vec![
                matmul(),
                binary(Binary::Subtract, &[Input(2), Chain], false),
            ],
            vec![product(), Step::Cross, on_vector(Binary::Subtract, 2, true)],
        ),
        (
            vec![binary(Binary::Subtract, &[Input(0), Input(1)], true)],
            vec![
                Step::Elementwise(Binary::Subtract, 1, 0, Broadcast::Row),
                Step::Cross,
                Step::Unary(Unary::Neg, Precision::F32),
            ],
        ),
        (
            vec![member(Compute::Unary(Unary::Relu), &[Input(0)])],
            vec![Step::Widen(0), Step::PackRelu],
        ),
        (
            vec![member(Compute::Unary(Unary::Neg), &[Input(0)]), relu()],
            vec![
                Step::WidenVector(0, Broadcast::None),
                Step::Unary(Unary::Neg, Precision::F32),
                Step::PackRelu,
            ],
        ),
    ] {
        let group = Chains {
            main: group,
            ..Chains::default()
        };
        assert_eq!(steps(&group, false), expect, "{group:?}");
    }
    // The right operand is broadcast if the operands cannot be exchanged.
    let divided = |operands: &[Source], swap| binary(Binary::Divide, operands, swap);
    for (group, expect) in [
        (
            vec![divided(&[Input(0), Input(1)], false)],
            vec![
                Step::WidenVector(0, Broadcast::None),
                on_vector(Binary::Divide, 1, false),
            ],
        ),
        (
            vec![divided(&[Input(0), Input(1)], true)],
            vec![
                Step::WidenVector(1, Broadcast::None),
                row(Binary::Divide, 0, true),
            ],
        ),
        // If both are broadcast, the vector unit computes, whatever the function.
        (
            vec![member(
                Compute::Binary {
                    function: Binary::Add,
                    broadcasts: [Broadcast::Column, Broadcast::Row],
                },
                &[Input(0), Input(1)],
            )],
            vec![
                Step::WidenVector(0, Broadcast::Column),
                row(Binary::Add, 1, false),
            ],
        ),
        (
            vec![matmul(), divided(&[Input(2), Chain], false)],
            vec![product(), Step::Cross, on_vector(Binary::Divide, 2, true)],
        ),
        (
            vec![matmul(), binary(Binary::Max, &[Input(2), Chain], false)],
            vec![product(), Step::Cross, on_vector(Binary::Max, 2, false)],
        ),
    ] {
        let group = Chains {
            main: group,
            ..Chains::default()
        };
        assert_eq!(steps(&group, false), expect, "{group:?}");
    }
    // Operations before a factor run on the vector unit and the packers.
    let relu_of = |source| member(Compute::Unary(Unary::Relu), &[source]);
    let sum = binary(Binary::Add, &[Input(2), Input(3)], false);
    let reversed = binary(Binary::Subtract, &[Input(2), Input(3)], true);
    for (before, expect) in [
        (
            vec![relu_of(Input(2))],
            vec![Step::WidenVector(2, Broadcast::None), Step::PackRelu],
        ),
        (
            vec![sum, relu_of(Chain), relu_of(Chain)],
            vec![
                Step::WidenVector(2, Broadcast::None),
                on_vector(Binary::Add, 3, false),
                Step::Unary(Unary::Relu, Precision::F32),
                Step::PackRelu,
            ],
        ),
        (
            vec![cast(&[Input(2)])],
            vec![Step::WidenVector(2, Broadcast::None)],
        ),
        (
            vec![reversed],
            vec![
                Step::WidenVector(3, Broadcast::None),
                row(Binary::Subtract, 2, false),
                Step::Unary(Unary::Neg, Precision::F32),
            ],
        ),
    ] {
        let group = Chains {
            factors: [vec![], before],
            main: vec![member(
                Compute::Matmul {
                    transposed: [false; 2],
                    bias: None,
                },
                &[Input(0), Chain],
            )],
            ..Chains::default()
        };
        let product = Step::Product(Factor::Input(0), Factor::Computed(expect, Element::Bf16));
        assert_eq!(steps(&group, false), [product], "{group:?}");
    }
}
