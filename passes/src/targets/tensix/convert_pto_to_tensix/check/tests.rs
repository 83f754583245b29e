use super::*;

#[test]
fn ranges_of_arithmetic() {
    for (op, a, b, expect) in [
        (Arith::Add, (0, 3), (1, 2), (1, 5)),
        (Arith::Sub, (0, 3), (1, 2), (-2, 2)),
        (Arith::Mul, (-1, 3), (2, 4), (-4, 12)),
        (Arith::Min, (0, 9), (4, 4), (0, 4)),
        (Arith::Div, (0, 9), (4, 4), (0, 2)),
        (Arith::Rem, (0, 9), (4, 4), (0, 3)),
        (Arith::Rem, (1, 2), (4, 4), (1, 2)),
        (Arith::Div, (0, 9), (0, 4), (i64::MIN, i64::MAX)),
        (Arith::UnsignedDiv, (0, 9), (4, 4), (0, 2)),
        (Arith::UnsignedRem, (0, 9), (4, 4), (0, 3)),
        (Arith::UnsignedRem, (-1, 9), (4, 4), (i64::MIN, i64::MAX)),
        (Arith::UnsignedMin, (0, 9), (4, 4), (0, 4)),
        (Arith::UnsignedMin, (0, 9), (-1, 4), (i64::MIN, i64::MAX)),
        (
            Arith::Add,
            (i64::MIN, i64::MAX),
            (1, 1),
            (i64::MIN + 1, i64::MAX),
        ),
    ] {
        assert_eq!(arithmetic(op, a, b), expect, "{op:?} {a:?} {b:?}");
    }
}
