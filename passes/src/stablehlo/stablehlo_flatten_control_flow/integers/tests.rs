use super::*;

const I32: Element = Element {
    width: 32,
    sign: Sign::Signless,
};
const U64: Element = Element {
    width: 64,
    sign: Sign::Unsigned,
};
const BOOLEAN: Element = Element {
    width: 1,
    sign: Sign::Signless,
};

#[test]
fn binary_operations_wrap_or_are_undefined() {
    let (min, max) = (i128::from(i32::MIN), i128::from(i32::MAX));
    let largest = i128::from(u64::MAX);
    let rows = [
        (I32, "add", max, 1, Some(min)),
        (I32, "subtract", min, 1, Some(max)),
        (I32, "multiply", 1 << 16, 1 << 16, Some(0)),
        (I32, "divide", -7, 2, Some(-3)),
        (I32, "divide", 7, 0, None),
        (I32, "divide", min, -1, None),
        (I32, "remainder", -7, 2, Some(-1)),
        (I32, "remainder", 7, 0, None),
        (I32, "maximum", -7, 2, Some(2)),
        (I32, "minimum", -7, 2, Some(-7)),
        (I32, "and", -2, 7, Some(6)),
        (I32, "power", 2, 3, None),
        (U64, "subtract", 0, 1, Some(largest)),
        (U64, "multiply", largest, largest, Some(1)),
        (U64, "multiply", largest, 2, Some(largest - 1)),
        (U64, "divide", largest, 2, Some(largest / 2)),
        (BOOLEAN, "xor", 1, 1, Some(0)),
        (BOOLEAN, "or", 0, 1, Some(1)),
        (BOOLEAN, "add", 1, 1, None),
    ];
    for (element, name, a, b, result) in rows {
        let found = element.binary(&format!("stablehlo.{name}"), a, b);
        assert_eq!(found, result, "{name} of {a} and {b}");
    }
}

#[test]
fn unary_operations_wrap() {
    let (min, largest) = (i128::from(i32::MIN), i128::from(u64::MAX));
    let rows = [
        (I32, "not", 5, Some(-6)),
        (I32, "negate", min, Some(min)),
        (I32, "abs", min, Some(min)),
        (I32, "abs", -3, Some(3)),
        (U64, "not", 0, Some(largest)),
        (U64, "negate", 1, Some(largest)),
        (BOOLEAN, "not", 1, Some(0)),
        (BOOLEAN, "negate", 1, None),
        (I32, "sign", 1, None),
    ];
    for (element, name, a, result) in rows {
        let found = element.unary(&format!("stablehlo.{name}"), a);
        assert_eq!(found, result, "{name} of {a}");
    }
}

#[test]
fn conversions_wrap() {
    assert_eq!(I32.wrap(1 << 31), i128::from(i32::MIN));
    assert_eq!(I32.wrap(-1), -1);
    assert_eq!(U64.wrap(-1), i128::from(u64::MAX));
}
