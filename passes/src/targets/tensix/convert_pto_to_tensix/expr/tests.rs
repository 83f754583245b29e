use super::*;

#[test]
fn constants_are_folded() {
    let x = Expr::Var(0);
    let c = |value| Expr::Constant(value);
    for (op, a, b, expect) in [
        (Arith::Add, c(2), c(3), Some(c(5))),
        (Arith::Mul, c(4), x.clone(), None),
        (Arith::Mul, x.clone(), c(1), Some(x.clone())),
        (Arith::Mul, c(0), x.clone(), Some(c(0))),
        (Arith::Add, x.clone(), c(0), Some(x.clone())),
        (Arith::Sub, x.clone(), c(0), Some(x.clone())),
        (Arith::Rem, x.clone(), c(1), Some(c(0))),
        (Arith::Min, c(4), c(3), Some(c(3))),
        (Arith::UnsignedDiv, c(7), c(2), Some(c(3))),
        (Arith::UnsignedRem, c(7), c(2), Some(c(1))),
        (Arith::UnsignedMin, c(7), c(2), Some(c(2))),
        (Arith::UnsignedMin, c(7), x.clone(), None),
    ] {
        let made = Expr::binary(op, &a, &b).expect("fits");
        match expect {
            Some(expect) => assert_eq!(made, expect),
            None => assert_eq!(
                made.value(&|_| 7),
                op.compute(a.value(&|_| 7).unwrap(), b.value(&|_| 7).unwrap())
            ),
        }
    }
    assert_eq!(Expr::binary(Arith::Div, &c(1), &c(0)), None);
    assert_eq!(Expr::binary(Arith::Mul, &c(i64::MAX), &c(2)), None);
    for unsigned in [Arith::UnsignedDiv, Arith::UnsignedRem, Arith::UnsignedMin] {
        assert_eq!(Expr::binary(unsigned, &c(-1), &c(2)), None);
        assert_eq!(Expr::binary(unsigned, &c(2), &c(-1)), None);
    }
}
