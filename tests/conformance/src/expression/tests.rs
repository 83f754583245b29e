use super::*;

#[test]
fn values() {
    for (text, index, expect) in [
        ("3 * (i + 1)", 4, Some(15)),
        ("i % 4 == 3 ? i - 2 : i + 2", 7, Some(5)),
        ("i % 4 == 3 ? i - 2 : i + 2", 8, Some(10)),
        ("100 * (i / 64) + i % 64 + 1", 130, Some(203)),
        ("1 - 2 - 3", 0, Some(-4)),
        ("i < 2 ? 0xff : i << 4", 1, Some(255)),
        ("i < 2 ? 0xff : i << 4", 3, Some(48)),
        ("(i - 5) / 4", 0, Some(-2)),
        ("1 / i", 0, None),
    ] {
        let value = Expression::parse(text).map(|expression| expression.value(index));
        assert_eq!(value, Ok(expect), "{text}");
    }
}

#[test]
fn invalid_expressions() {
    for (text, expect) in [
        ("", "a number or i is missing"),
        ("1 +", "a number or i is missing"),
        ("(1", "a ) is missing"),
        ("1 ? 2", "a : is missing"),
        ("1 2", "does not belong"),
        ("j", "a number or i is missing"),
    ] {
        let error = Expression::parse(text).map(|_| ()).expect_err(text);
        assert!(error.contains(expect), "{text}: {error}");
    }
}
