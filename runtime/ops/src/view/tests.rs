use super::*;

fn view(offset: u64, extents: &[u64], strides: &[i64]) -> View {
    View {
        offset,
        extents: extents.to_vec(),
        strides: strides.to_vec(),
    }
}

#[test]
fn indices_go_by_the_strides() {
    for (view, expected) in [
        (view(5, &[], &[]), &[5][..]),
        (view(2, &[2, 3], &[10, -1]), &[2, 1, 0, 12, 11, 10]),
        (view(0, &[2, 2], &[0, 3]), &[0, 3, 0, 3]),
        (view(0, &[2, 0], &[1, 1]), &[]),
    ] {
        let found: Vec<usize> = view.indices().collect();
        assert_eq!(found, expected, "{view:?}");
    }
}

#[test]
fn runs_have_all_elements() {
    for (view, runs) in [
        (view(5, &[], &[]), 1),
        (view(2, &[2, 3], &[10, 1]), 2),
        (view(2, &[2, 3], &[10, -1]), 2),
        (view(0, &[4, 3, 2], &[6, 2, 1]), 1),
        (view(0, &[2, 2], &[0, 3]), 2),
    ] {
        let (mut found, mut count) = (Vec::new(), 0);
        view.for_each_run(|run| {
            let indices: Vec<usize> = run.indices().collect();
            if let Some(range) = run.as_range() {
                assert!(range.eq(indices.iter().copied()), "{view:?}");
            }
            found.extend(indices);
            count += 1;
        });
        assert!(view.indices().eq(found), "{view:?}");
        assert_eq!(count, runs, "{view:?}");
    }
}

#[test]
fn views_have_as_few_dimensions_as_possible() {
    for (given, expected) in [
        (view(3, &[2, 3, 4], &[12, 4, 1]), view(3, &[24], &[1])),
        (view(3, &[2, 1, 4], &[8, 9, 2]), view(3, &[8], &[2])),
        (view(3, &[2, 3], &[-3, -1]), view(3, &[6], &[-1])),
        (view(3, &[2, 3], &[1, 2]), view(3, &[2, 3], &[1, 2])),
        (view(3, &[1], &[7]), view(3, &[], &[])),
    ] {
        assert_eq!(given.simplified(), expected);
        assert!(given.indices().eq(expected.indices()));
    }
}

#[test]
fn texts_are_read_as_they_are_printed() {
    for view in [view(5, &[], &[]), view(1, &[2, 3], &[-10, 1])] {
        assert_eq!(view.to_string().parse(), Ok(view));
    }
    for text in [
        "",
        "[1] from 0",
        "[1] from -1 by [1]",
        "[1, x] from 0 by [1, 1]",
    ] {
        let error = text.parse::<View>().expect_err(text);
        let expected =
            format!("'{text}' is not a view; expects '[<extents>] from <offset> by [<strides>]'");
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn elements_must_be_those_of_the_array() {
    let outside = |first, last| {
        Err(ViewError::Outside {
            first,
            last,
            elements: 6,
        })
    };
    assert_eq!(view(5, &[2, 3], &[-3, -1]).check(6), Ok(()));
    assert_eq!(view(5, &[], &[]).check(6), Ok(()));
    assert_eq!(view(6, &[], &[]).check(6), outside(6, 6));
    assert_eq!(view(0, &[2, 3], &[-3, 1]).check(6), outside(-3, 2));
    assert_eq!(view(0, &[2], &[6]).check(6), outside(0, 6));
    assert_eq!(view(0, &[0], &[1]).check(6), Err(ViewError::Extent));
    let huge = [1 << 32, 1 << 32];
    assert_eq!(view(0, &huge, &[0, 0]).check(6), Err(ViewError::Extent));
    let (extents, strides) = (1, 2);
    let found = view(0, &[1], &[1, 1]).check(6);
    assert_eq!(found, Err(ViewError::Rank { extents, strides }));
    let ones = [1; MAX_RANK + 1];
    assert!(view(0, &ones, &[0; MAX_RANK + 1]).check(6).is_err());
    let last = view(0, &[1 << 62], &[i64::MAX]).check(6);
    assert!(matches!(last, Err(ViewError::Outside { .. })), "{last:?}");
}
