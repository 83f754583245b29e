use super::*;

fn text(extent: Extent) -> String {
    extent.to_string()
}

#[test]
fn reductions_along_outer_dimensions() {
    for (shape, dims, expect) in [
        (&[3, 7, 5][..], &[0][..], Some(("3x35", [true, false]))),
        (&[2, 3, 7, 5], &[1], Some(("2x3x35", [true, false]))),
        (&[2, 3, 7, 5], &[0, 1], Some(("6x35", [true, false]))),
        (&[2, 3, 7, 5], &[0, 1, 2], Some(("42x5", [true, false]))),
        (&[2, 3, 7, 5], &[0, 1, 2, 3], Some(("42x5", [true, true]))),
        (&[2, 3, 7, 5], &[1, 2, 3], Some(("2x21x5", [true, true]))),
        (&[2, 3, 7, 1], &[1, 2], Some(("2x3x7", [true, true]))),
        // Dimensions of extent 1 lie between nothing.
        (&[2, 1, 7, 5], &[0, 2], Some(("14x5", [true, false]))),
        (&[1, 7, 5], &[0], Some(("1x35", [true, false]))),
        (&[1, 1, 1], &[0], Some(("1x1", [true, false]))),
        (&[2, 3, 7, 5], &[0, 2], None),
        (&[2, 3, 7, 5], &[0, 3], None),
    ] {
        let found = outer_reduction(shape, dims);
        let found = found.map(|(source, reduced)| (text(source), reduced));
        let expect = expect.map(|(source, reduced)| (source.to_owned(), reduced));
        assert_eq!(found, expect, "{shape:?} along {dims:?}");
    }
}

#[track_caller]
fn check(
    see: fn(MatrixView, &[Vec<u64>], &[u64]) -> MatrixView,
    shapes: &[&[u64]],
    result: &[u64],
    expect: &[&str],
) {
    let shapes: Vec<Vec<u64>> = shapes.iter().map(|shape| shape.to_vec()).collect();
    let view = see(default_view(&shapes, result), &shapes, result);
    let found: Vec<String> = view.operands.iter().copied().map(text).collect();
    let found = [found, vec![text(view.result)]].concat();
    assert_eq!(found, expect, "{shapes:?} to {result:?}");
}

#[test]
fn what_is_spread_becomes_rows_or_columns() {
    for (shapes, result, expect) in [
        // As it is, if it can be.
        (
            &[&[3, 7, 5][..], &[7, 5]][..],
            &[3, 7, 5][..],
            &["3x7x5", "7x5", "3x7x5"][..],
        ),
        (
            &[&[2, 3, 7, 5], &[2, 1, 7, 5]],
            &[2, 3, 7, 5],
            &["2x3x35", "2x1x35", "2x3x35"],
        ),
        (
            &[&[2, 3, 7, 5], &[2, 1, 1, 1]],
            &[2, 3, 7, 5],
            &["2x105", "2x1", "2x105"],
        ),
        (
            &[&[2, 3, 7, 5], &[3, 1, 1]],
            &[2, 3, 7, 5],
            &["2x3x35", "3x1", "2x3x35"],
        ),
        // Too many for three dimensions.
        (
            &[&[2, 3, 7, 5], &[2, 1, 7, 1]],
            &[2, 3, 7, 5],
            &["6x7x5", "2x7x1", "6x7x5"],
        ),
        (&[&[]], &[], &["1x1", "1x1"]),
    ] {
        check(elementwise_view, shapes, result, expect);
    }
}

#[test]
fn vectors_are_rows_or_columns_of_products() {
    for (shapes, result, expect) in [
        (
            &[&[3, 5][..], &[5, 7]][..],
            &[3, 7][..],
            &["3x5", "5x7", "3x7"][..],
        ),
        (&[&[3, 5], &[5]], &[3], &["3x5", "5x1", "3x1"]),
        (
            &[&[2, 3, 5], &[5], &[3]],
            &[2, 3],
            &["2x3x5", "5x1", "3x1", "2x3x1"],
        ),
        (&[&[5], &[5, 7], &[7]], &[7], &["1x5", "5x7", "1x7", "1x7"]),
        (&[&[5], &[2, 5, 7]], &[2, 7], &["1x5", "2x5x7", "2x1x7"]),
    ] {
        check(product_view, shapes, result, expect);
    }
}
