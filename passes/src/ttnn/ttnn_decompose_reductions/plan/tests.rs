use super::Step::{Permute, Reduce, Reshape};
use super::*;

fn planned(
    shape: &[u64],
    dims: &[usize],
    result: &[u64],
    [is_exact, may_collapse_dims]: [bool; 2],
) -> Option<Vec<Step>> {
    plan(Request {
        shape,
        dims,
        result,
        is_exact,
        may_collapse_dims,
    })
}

#[test]
fn kernels_on_tiles_reduce_matrices_of_the_last_dimensions() {
    let sums = |shape: &[u64], dims: &[usize], result: &[u64]| {
        planned(shape, dims, result, [false, false])
    };
    // As it is.
    assert_eq!(sums(&[3, 33, 40], &[1, 2], &[3, 1, 1]), None);
    assert_eq!(sums(&[33, 40], &[0], &[40]), None);
    // Only the rank differs.
    assert_eq!(
        sums(&[3, 33, 40], &[2], &[3, 33]),
        Some(vec![Reduce(vec![2]), Reshape(vec![3, 33])])
    );
    // One run of dimensions.
    assert_eq!(
        sums(&[3, 33, 40], &[0], &[33, 40]),
        Some(vec![
            Reshape(vec![3, 1320]),
            Reduce(vec![0]),
            Reshape(vec![33, 40])
        ])
    );
    assert_eq!(
        sums(&[2, 3, 33, 40], &[1, 2], &[2, 40]),
        Some(vec![
            Reshape(vec![2, 99, 40]),
            Reduce(vec![1]),
            Reshape(vec![2, 40])
        ])
    );
    assert_eq!(
        sums(&[2, 3, 33, 40], &[1, 2, 3], &[2]),
        Some(vec![
            Reshape(vec![2, 99, 40]),
            Reduce(vec![1, 2]),
            Reshape(vec![2])
        ])
    );
    assert_eq!(
        sums(&[2, 3, 33, 40], &[0, 1, 2, 3], &[]),
        Some(vec![
            Reshape(vec![198, 40]),
            Reduce(vec![0, 1]),
            Reshape(vec![])
        ])
    );
    // Several.
    assert_eq!(
        sums(&[2, 3, 33, 40], &[0, 2, 3], &[3]),
        Some(vec![
            Permute(vec![1, 0, 2, 3]),
            Reshape(vec![3, 66, 40]),
            Reduce(vec![1, 2]),
            Reshape(vec![3])
        ])
    );
    assert_eq!(
        sums(&[2, 3, 33, 40], &[0, 2], &[3, 40]),
        Some(vec![
            Permute(vec![0, 2, 1, 3]),
            Reshape(vec![66, 120]),
            Reduce(vec![0]),
            Reshape(vec![3, 40])
        ])
    );
    // Dimensions of extent 1 are reduced already.
    assert_eq!(
        sums(&[1, 33, 40], &[0], &[33, 40]),
        Some(vec![Reshape(vec![33, 40])])
    );
}

#[test]
fn exact_reductions_take_one_part_after_the_other() {
    let maxima = |shape: &[u64], dims: &[usize], result: &[u64], may_collapse_dims| {
        planned(shape, dims, result, [true, may_collapse_dims])
    };
    assert_eq!(
        maxima(&[2, 3, 33, 40], &[0, 2, 3], &[3], false),
        Some(vec![
            Reduce(vec![2, 3]),
            Reshape(vec![2, 3]),
            Reduce(vec![0]),
            Reshape(vec![3])
        ])
    );
    assert_eq!(
        maxima(&[2, 3, 33, 40], &[0, 2, 3], &[3], true),
        Some(vec![Reduce(vec![2, 3]), Reduce(vec![0]), Reshape(vec![3])])
    );
    assert_eq!(
        maxima(&[2, 3, 33, 40], &[0, 2], &[3, 40], true),
        Some(vec![Reduce(vec![2]), Reduce(vec![0]), Reshape(vec![3, 40])])
    );
}

#[test]
fn kernels_that_collapse_dimensions_reduce_one_run() {
    let sums =
        |shape: &[u64], dims: &[usize], result: &[u64]| planned(shape, dims, result, [false, true]);
    assert_eq!(sums(&[2, 3, 33, 40], &[1, 2], &[2, 40]), None);
    assert_eq!(
        sums(&[2, 3, 33, 40], &[1, 3], &[2, 33]),
        Some(vec![
            Permute(vec![0, 2, 1, 3]),
            Reshape(vec![66, 3, 40]),
            Reduce(vec![1, 2]),
            Reshape(vec![2, 33])
        ])
    );
}
