//! Diagnostics of groups that do not terminate, with the number of slots that suffices.

use tessera_pto::builder::Builder;
use tessera_pto::liveness::{check, Problem};

use super::common::*;
use super::matrix::{holding, round_trip};

/// The maximum number of operations of a launch.
const LIMIT: u64 = 1_000_000;

#[track_caller]
fn needs(group: &tessera_pto::kernel::Group, expect: &[(&str, u32)]) {
    let found = match check(group, LIMIT) {
        Ok(_) => vec![],
        Err(Problem::Deadlock {
            sufficient_slots: Some(enough),
            ..
        }) => enough,
        other => panic!("{other:?}"),
    };
    let found: Vec<_> = found
        .iter()
        .map(|(name, slots)| (name.as_str(), *slots))
        .collect();
    assert_eq!(found, expect);
}

/// T-DEPTH: the fewest slots.
#[test]
fn the_fewest_slots_are_found() {
    needs(&holding(2, 2), &[]);
    needs(&holding(2, 3), &[("down", 3)]);
    needs(&holding(1, 17), &[("down", 17)]);
    // Two rings ahead; what the first pipe saves, the second has to give.
    needs(&round_trip(2, 4), &[]);
    needs(&round_trip(2, 5), &[("up", 3)]);
    needs(&round_trip(1, 12), &[("up", 11)]);
    // Both push first. It is enough that one side gets all its tiles away.
    let ahead = |own: usize, other: usize, count: usize| {
        move |builder: &mut Builder| {
            (0..count).for_each(|_| push(builder, own));
            (0..5 - count).for_each(|_| pop_and_free(builder, other));
        }
    };
    let group = pair([1, 1], ahead(DOWN, UP, 3), ahead(UP, DOWN, 2));
    needs(&group, &[("up", 2)]);
}

#[test]
fn deadlocks_that_no_ring_size_avoids_are_reported() {
    let group = pair(
        [2, 2],
        |cube| (0..2).for_each(|_| push(cube, DOWN)),
        |vector| {
            vector.repeat(3, |vector, _| pop_and_free(vector, DOWN));
        },
    );
    let found = check(&group, LIMIT)
        .expect_err("a push is missing")
        .to_string();
    assert_eq!(
        found,
        "deadlock:\n  kernel vector at somewhere, iteration [2] waits for a tile of pipe down from \
         cube (2 pushed, 2 popped, 2 freed, 2 slots)\n\
         no number of slots helps: pushes, pops and frees of the two sides do not match"
    );
    let found = check(&holding(1, 3), LIMIT)
        .expect_err("two slots are missing")
        .to_string();
    assert!(
        found.ends_with("\n3 slots in pipe down would suffice"),
        "{found}"
    );
}

#[test]
fn other_problems_are_passed_on() {
    let mut group = pair([0, 1], |_| (), |_| ());
    let found = check(&group, LIMIT).expect_err("no slots");
    assert_eq!(found.to_string(), "pipe down: the ring has no slots");
    group.pipes[0].slots = 1;
    assert_eq!(
        check(&group, LIMIT).map(|outcome| outcome.watermarks),
        Ok(vec![0, 0])
    );
    let group = pair(
        [1, 1],
        |cube| push(cube, DOWN),
        |vector| {
            let tile = vector.pop(DOWN, TILE);
            vector.free(DOWN, tile);
            vector.free(DOWN, tile);
        },
    );
    let found = check(&group, LIMIT).expect_err("freed twice");
    assert!(matches!(found, Problem::Trap(_)), "{found}");
}
