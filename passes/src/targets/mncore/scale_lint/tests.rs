use super::*;

#[test]
fn ratios() {
    for (block, expect) in [
        (&[][..], 1.0),
        (&[0.0, 0.0], 1.0),
        (&[1.0, -4096.0, 2.0, 0.0], 2048.0),
        (&[8.0, 1.0], 1.0),
        // A small one does not make a block bad, nor do half of them.
        (&[1.0, 1.0, 1.0, 1e-6], 1.0),
        (&[1.0, 1.0, 1e-6, 1e-6], 1.0),
        (&[1.0, 1e-3, 1e-3, 1e-6], 1000.0),
    ] {
        assert_eq!(ratio(block.iter().copied()), expect, "{block:?}");
    }
}

/// The greatest stands beside small ones along one dimension only, and in single precision
/// among the odd ones.
#[test]
fn the_depth_counts() {
    let mut values = vec![1.0; 16 * 3];
    for row in 0..16 {
        values[row * 3 + 1] = if row == 5 { 1e6 } else { 1e3 };
    }
    let of = |shape: &[usize]| Elements {
        shape: shape.to_vec(),
        values: values.clone(),
    };
    for (shape, last, terms, expect) in [
        (&[16, 3][..], false, 8, 1e3),
        (&[2, 8, 3], false, 8, 1e3),
        (&[16, 3], false, 4, 1e3),
        (&[16, 3], true, 8, 1e6),
        (&[16, 3], true, 4, 1.0),
        (&[48], true, 16, 1e6),
    ] {
        assert_eq!(
            of(shape).max_ratio(last, terms),
            Some(expect),
            "{shape:?} {last} {terms}"
        );
    }
    assert_eq!(of(&[48]).max_ratio(false, 8), None);
    let repeated = Elements::splat(-5e9);
    assert_eq!(
        (repeated.max_ratio(true, 8), repeated.greatest()),
        (None, 5e9)
    );
}
