use super::*;

#[test]
fn copies_go_by_their_strides() {
    let elements: Vec<u32> = (0..6).collect();
    for (shape, offset, strides, expected) in [
        (&[3, 2][..], 0, vec![1, 3], vec![0, 3, 1, 4, 2, 5]),
        (&[2, 2], 4, vec![-3, 1], vec![4, 5, 1, 2]),
        (&[2, 3], 1, vec![0, 1], vec![1, 2, 3, 1, 2, 3]),
        (&[], 5, vec![], vec![5]),
        (&[0], 0, vec![1], vec![]),
    ] {
        let map = IndexMap::view(shape, offset, strides);
        let found = map.apply(&[&elements], 9, expected.len());
        assert_eq!(found, expected, "{shape:?}");
    }
}

#[test]
fn copies_may_leave_elements_to_the_fill_value() {
    let map = IndexMap {
        copies: vec![StridedCopy {
            operand: 1,
            extents: vec![2],
            source_offset: 0,
            source_strides: vec![1],
            result_offset: 1,
            result_strides: vec![2],
        }],
        fill: 0.0,
        lookup: None,
    };
    assert_eq!(map.apply(&[&[7], &[1, 2]], 0, 5), [0, 1, 0, 2, 0]);
}

fn copy(extents: &[u64], source: &[i64], result: &[u64]) -> StridedCopy {
    StridedCopy {
        operand: 0,
        extents: extents.to_vec(),
        source_offset: 0,
        source_strides: source.to_vec(),
        result_offset: 0,
        result_strides: result.to_vec(),
    }
}

#[test]
fn copies_have_as_few_dimensions_as_possible() {
    for (given, expected) in [
        (
            copy(&[2, 3, 4], &[12, 4, 1], &[12, 4, 1]),
            copy(&[24], &[1], &[1]),
        ),
        (
            copy(&[2, 1, 4], &[4, 9, 1], &[8, 9, 1]),
            copy(&[2, 4], &[4, 1], &[8, 1]),
        ),
        (
            copy(&[2, 3, 4], &[24, 8, 2], &[12, 4, 1]),
            copy(&[24], &[2], &[1]),
        ),
        (copy(&[3, 4], &[0, 0], &[4, 1]), copy(&[12], &[0], &[1])),
        (
            copy(&[3, 4], &[1, 3], &[4, 1]),
            copy(&[3, 4], &[1, 3], &[4, 1]),
        ),
        (copy(&[1, 1], &[7, 7], &[7, 7]), copy(&[], &[], &[])),
    ] {
        assert_eq!(given.simplified(), expected);
    }
}

#[test]
fn maps_that_break_an_invariant_are_refused() {
    let check = |copy: StridedCopy| {
        let map = IndexMap {
            copies: vec![copy],
            fill: 0.0,
            lookup: None,
        };
        map.check(&[6], 6)
    };
    assert_eq!(check(copy(&[2, 3], &[3, 1], &[3, 1])), Ok(()));
    assert_eq!(
        check(copy(&[2, 3], &[3, 1], &[1, 2])),
        Err(MapError::Nested)
    );
    assert_eq!(
        check(copy(&[2, 3], &[0, 0], &[2, 1])),
        Err(MapError::Nested)
    );
    assert_eq!(
        check(copy(&[2, 3], &[0, 0], &[0, 1])),
        Err(MapError::Nested)
    );
    for (source, result) in [(&[3, -1], &[3, 1]), (&[6, 1], &[3, 1])] {
        let found = check(copy(&[2, 3], source, result));
        assert!(matches!(found, Err(MapError::Source(_))), "{found:?}");
    }
    let found = check(copy(&[2, 3], &[3, 1], &[4, 1]));
    assert!(matches!(found, Err(MapError::Target(_))), "{found:?}");
    let found = check(copy(&[1], &[1], &[u64::MAX]));
    assert_eq!(found, Err(MapError::Nested));
    let other = StridedCopy {
        operand: 1,
        ..copy(&[6], &[1], &[1])
    };
    assert_eq!(check(other), Err(MapError::Operand(1)));
    let map = IndexMap {
        copies: vec![copy(&[6], &[1], &[1]), copy(&[1], &[1], &[1])],
        fill: 0.0,
        lookup: None,
    };
    let (copied, elements) = (7, 6);
    assert_eq!(
        map.check(&[6], 6),
        Err(MapError::Overlap { copied, elements })
    );
}

/// Returns a map that looks rows of 2 elements up.
fn rows(indices: u64, rows: u64) -> IndexMap {
    IndexMap {
        copies: vec![copy(&[indices, 2], &[2, 1], &[2, 1])],
        fill: 0.0,
        lookup: Some(Lookup { indices: 1, rows }),
    }
}

#[test]
fn positions_are_looked_up() {
    let map = rows(3, 4);
    assert_eq!(map.check(&[8, 3], 6), Ok(()));
    assert_eq!(map.simplified(), map);
    let resolved = map.resolve(|_| [3, 0, 3]).expect("they are in range");
    let table: Vec<u32> = (0..8).collect();
    assert_eq!(resolved.apply(&[&table], 9, 6), [6, 7, 0, 1, 6, 7]);
}

#[test]
fn positions_out_of_range_are_refused() {
    for index in [-1, 4, i64::MAX, i64::MIN] {
        let found = rows(3, 4).resolve(|_| [0, index, 0]);
        let expected = IndexError {
            index,
            position: 1,
            rows: 4,
        };
        assert_eq!(found, Err(expected));
    }
}

#[test]
fn lookups_that_break_an_invariant_are_refused() {
    assert_eq!(rows(3, 4).check(&[8], 6), Err(MapError::Operand(1)));
    assert_eq!(rows(3, 4).check(&[8, 2], 6), Err(MapError::Lookup));
    let found = rows(3, 5).check(&[8, 3], 6);
    assert!(matches!(found, Err(MapError::Source(_))), "{found:?}");
    let mut twice = rows(3, 4);
    twice.copies.push(copy(&[3, 2], &[2, 1], &[2, 1]));
    assert_eq!(twice.check(&[8, 3], 6), Err(MapError::Lookup));
}
