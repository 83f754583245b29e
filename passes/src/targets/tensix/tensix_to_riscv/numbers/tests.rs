use super::*;

fn all(of: Numbers) -> Vec<i64> {
    let steps = (of.high - of.low).checked_div(of.step).unwrap_or(0);
    (0..=steps).map(|k| of.low + k * of.step).collect()
}

/// Small sets.
fn sets() -> Vec<Numbers> {
    let mut sets = Vec::new();
    for low in -5..6 {
        for count in 0..4 {
            for step in 1..4 {
                sets.push(Numbers::of(low, low + count * step, step));
            }
        }
    }
    sets
}

/// Checks that what comes out of each two numbers is in the set that comes out.
fn check(name: &str, set: fn(Numbers, Numbers) -> Numbers, word: fn(i64, i64) -> i64) {
    for a in sets() {
        for b in sets() {
            let found = set(a, b);
            for (x, y) in all(a)
                .iter()
                .flat_map(|x| all(b).into_iter().map(move |y| (*x, y)))
            {
                let expect = word(x, y);
                assert!(
                    all(found).contains(&expect),
                    "{name} of {a:?}, {b:?}: {found:?} lacks {expect}"
                );
            }
        }
    }
}

#[test]
fn sets_hold_what_comes_out() {
    check("sum", Numbers::plus, |a, b| a + b);
    check("difference", Numbers::minus, |a, b| a - b);
    check("product", Numbers::times, |a, b| a * b);
    check("minimum", Numbers::min, i64::min);
    check("left", Numbers::join, |a, _| a);
    check("right", Numbers::join, |_, b| b);
    check("quotient", |a, _| a.over(3), |a, _| a / 3);
    check("remainder", |a, _| a.modulo(3), |a, _| a % 3);
    check("remainder", |a, _| a.modulo(4), |a, _| a % 4);
}

#[test]
fn comparisons_leave_what_they_say() {
    use Predicate::{AtLeast, Below, Different, Equal};
    for set in sets() {
        for constant in -6..12 {
            let holds: [(Predicate, fn(i64, i64) -> bool); 4] = [
                (Equal, |a, b| a == b),
                (Different, |a, b| a != b),
                (Below, |a, b| a < b),
                (AtLeast, |a, b| a >= b),
            ];
            for (predicate, holds) in holds {
                let left = set.that(predicate, constant).map(all).unwrap_or_default();
                for value in all(set).into_iter().filter(|value| holds(*value, constant)) {
                    assert!(
                        left.contains(&value),
                        "{set:?} {predicate:?} {constant}: {left:?}"
                    );
                }
                let not = set.that(predicate.opposite(), constant);
                for value in all(set)
                    .into_iter()
                    .filter(|value| !holds(*value, constant))
                {
                    assert!(not.map(all).unwrap_or_default().contains(&value));
                }
            }
        }
    }
}

/// What the positions in rings, the halves of Dst and the digits of pieces come to, no more.
#[test]
fn sets_are_not_too_large() {
    let of = Numbers::of;
    for (found, expect) in [
        (of(2, 8, 2).that(Predicate::Different, 8), of(2, 6, 2)),
        (
            Some(Numbers::one(256).minus(of(0, 256, 256))),
            of(0, 256, 256),
        ),
        (Some(of(0, 1000, 1).modulo(16)), of(0, 15, 1)),
        (Some(of(0, 1000, 4).modulo(16)), of(0, 12, 4)),
        (Some(of(7, 9, 1).modulo(16)), of(7, 9, 1)),
        (Some(of(0, 3, 1).times(Numbers::one(64))), of(0, 192, 64)),
        (Some(of(0, 4096, 2048).over(16)), of(0, 256, 128)),
        (Some(of(0, 5, 2)), of(0, 4, 2)),
        (of(0, 9, 3).that(Predicate::Below, 6), of(0, 3, 3)),
        (of(0, 9, 3).that(Predicate::AtLeast, 4), of(6, 9, 3)),
        (Some(Numbers::ANY.plus(Numbers::one(1))), Numbers::ANY),
        (Some(Numbers::one(1 << 40)), Numbers::ANY),
    ] {
        assert_eq!(found, Some(expect));
    }
    assert_eq!(of(0, 9, 3).that(Predicate::Below, 0), None);
    assert_eq!(of(0, 9, 3).that(Predicate::AtLeast, 10), None);
}
