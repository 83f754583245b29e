use super::*;

#[test]
fn quotients_go_where_they_should() {
    for (left, right, toward_zero, down, up) in [
        (7, 2, 3, 3, 4),
        (-7, 2, -3, -4, -3),
        (7, -2, -3, -4, -3),
        (-7, -2, 3, 3, 4),
        (6, 3, 2, 2, 2),
        (-6, 3, -2, -2, -2),
        (0, -5, 0, 0, 0),
    ] {
        let ops = [
            ScalarOp::Divide,
            ScalarOp::FloorDivide,
            ScalarOp::CeilDivide,
        ];
        let found = ops.map(|op| eval_scalar(op, left, right));
        assert_eq!(found, [toward_zero, down, up].map(Ok), "{left} / {right}");
    }
    for op in [
        ScalarOp::Divide,
        ScalarOp::FloorDivide,
        ScalarOp::CeilDivide,
        ScalarOp::Remainder,
    ] {
        assert_eq!(eval_scalar(op, 1, 0), Err(Reason::Arithmetic));
        assert_eq!(eval_scalar(op, i64::MIN, -1), Err(Reason::Arithmetic));
    }
}

#[test]
fn numbers_without_a_sign_are_not_negative() {
    let ops = [
        ScalarOp::UnsignedDivide,
        ScalarOp::UnsignedRemainder,
        ScalarOp::UnsignedMin,
    ];
    assert_eq!(ops.map(|op| eval_scalar(op, 7, 2)), [3, 1, 2].map(Ok));
    for (left, right) in [(-1, 2), (2, -1)] {
        let found = ops.map(|op| eval_scalar(op, left, right));
        assert_eq!(
            found,
            [const { Err(Reason::Arithmetic) }; 3],
            "{left} {right}"
        );
    }
    let by_zero = ops.map(|op| eval_scalar(op, 1, 0));
    let none = || Err(Reason::Arithmetic);
    assert_eq!(by_zero, [none(), none(), Ok(0)]);
}

#[test]
fn numbers_are_compared_with_and_without_a_sign() {
    for (left, right, less, below) in [(1, 2, 1, 1), (-1, 2, 1, 0), (2, -1, 0, 1), (3, 3, 0, 0)] {
        assert_eq!(eval_scalar(ScalarOp::Less, left, right), Ok(less));
        assert_eq!(eval_scalar(ScalarOp::Below, left, right), Ok(below));
    }
}
