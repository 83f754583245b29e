use super::*;

fn all(of: StridedInterval) -> Vec<i64> {
    let steps = (of.high - of.low).checked_div(of.step).unwrap_or(0);
    (0..=steps).map(|k| of.low + k * of.step).collect()
}

/// Small sets.
fn sets() -> Vec<StridedInterval> {
    let mut sets = Vec::new();
    for low in -5..6 {
        for count in 0..4 {
            for step in 1..4 {
                sets.push(StridedInterval::new(low, low + count * step, step));
            }
        }
    }
    sets
}

/// Checks that what comes out of each two numbers is in the set that comes out.
fn check(
    name: &str,
    set: fn(StridedInterval, StridedInterval) -> StridedInterval,
    word: fn(i64, i64) -> i64,
) {
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
    check("sum", StridedInterval::add, |a, b| a + b);
    check("difference", StridedInterval::sub, |a, b| a - b);
    check("product", StridedInterval::mul, |a, b| a * b);
    check("minimum", StridedInterval::min, i64::min);
    check("left", StridedInterval::join, |a, _| a);
    check("right", StridedInterval::join, |_, b| b);
    check("quotient", |a, _| a.div_constant(3), |a, _| a / 3);
    check("remainder", |a, _| a.rem_constant(3), |a, _| a % 3);
    check("remainder", |a, _| a.rem_constant(4), |a, _| a % 4);
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
                let left = set.refine(predicate, constant).map(all).unwrap_or_default();
                for value in all(set).into_iter().filter(|value| holds(*value, constant)) {
                    assert!(
                        left.contains(&value),
                        "{set:?} {predicate:?} {constant}: {left:?}"
                    );
                }
                let not = set.refine(predicate.negated(), constant);
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

/// Tests the exact sets of positions in rings, of halves of Dst and of digits of pieces.
#[test]
fn sets_are_not_too_large() {
    let of = StridedInterval::new;
    for (found, expect) in [
        (of(2, 8, 2).refine(Predicate::Different, 8), of(2, 6, 2)),
        (
            Some(StridedInterval::constant(256).sub(of(0, 256, 256))),
            of(0, 256, 256),
        ),
        (Some(of(0, 1000, 1).rem_constant(16)), of(0, 15, 1)),
        (Some(of(0, 1000, 4).rem_constant(16)), of(0, 12, 4)),
        (Some(of(7, 9, 1).rem_constant(16)), of(7, 9, 1)),
        (
            Some(of(0, 3, 1).mul(StridedInterval::constant(64))),
            of(0, 192, 64),
        ),
        (Some(of(0, 4096, 2048).div_constant(16)), of(0, 256, 128)),
        (Some(of(0, 5, 2)), of(0, 4, 2)),
        (of(0, 9, 3).refine(Predicate::Below, 6), of(0, 3, 3)),
        (of(0, 9, 3).refine(Predicate::AtLeast, 4), of(6, 9, 3)),
        (
            Some(StridedInterval::ANY.add(StridedInterval::constant(1))),
            StridedInterval::ANY,
        ),
        (
            Some(StridedInterval::constant(1 << 40)),
            StridedInterval::ANY,
        ),
    ] {
        assert_eq!(found, Some(expect));
    }
    assert_eq!(of(0, 9, 3).refine(Predicate::Below, 0), None);
    assert_eq!(of(0, 9, 3).refine(Predicate::AtLeast, 10), None);
}
