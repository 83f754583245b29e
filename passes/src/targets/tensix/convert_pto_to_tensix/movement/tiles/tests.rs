use tessera_ops::{row_major_strides, IndexMap};

use super::super::super::plan::{Element, TensorMemory};
use super::*;

fn tensor(shape: &[u64]) -> Tensor {
    let (columns, rest) = shape.split_last().expect("it has dimensions");
    let (rows, rest) = rest.split_last().unwrap_or((&1, &[]));
    Tensor {
        memory: TensorMemory::Argument(0),
        matrices: rest.iter().product::<u64>() as u32,
        rows: *rows as u32,
        columns: *columns as u32,
        element: Element::Bf16,
    }
}

/// Page and place in it of an element.
fn place(tensor: Tensor, element: usize) -> (usize, usize) {
    let [rows, columns] = tensor.extents().map(|extent| extent as usize);
    let [down, across] = tensor.tiles().map(|count| count as usize);
    let (matrix, row, column) = (
        element / columns / rows,
        element / columns % rows,
        element % columns,
    );
    let page = (matrix * down + row / 32) * across + column / 32;
    (page, row % 32 * 32 + column % 32)
}

/// Checks that a copy of pages, where there is one, copies the same elements to the same
/// places, and tells whether there is one.
#[track_caller]
fn check(copy: &StridedCopy, source: &[u64], target: &[u64]) -> bool {
    let (from, to) = (tensor(source), tensor(target));
    let Some(pages) = page_copy(&copy.simplified(), from, to) else {
        return false;
    };
    let strides = pages.result_strides.iter().rev();
    assert!(strides.is_sorted(), "{pages:?} is not nested in the target");
    let mut known = std::collections::HashMap::new();
    pages.for_each(|source, result| {
        assert_eq!(known.insert(result, source), None, "a page is copied once");
    });
    let mut copied = std::collections::HashMap::new();
    copy.for_each(|source, result| {
        let ((from, at), (page, to)) = (place(from, source), place(to, result));
        assert_eq!(known.get(&page), Some(&from), "{copy:?}");
        assert_eq!(at, to, "{copy:?}");
        *copied.entry(page).or_insert(0) += 1;
    });
    // All elements that the result has in these pages.
    let elements: u64 = target.iter().product();
    for element in 0..elements as usize {
        let (page, _) = place(to, element);
        if let Some(left) = copied.get_mut(&page) {
            *left -= 1;
        }
    }
    assert!(copied.values().all(|left| *left == 0), "{copy:?}");
    assert_eq!(copied.len(), known.len());
    true
}

/// Returns a box of a tensor to a place of another, both with all dimensions.
fn moved(
    extents: &[u64],
    (source, from): (&[u64], &[u64]),
    (target, to): (&[u64], &[u64]),
) -> StridedCopy {
    let [strides, result_strides] = [source, target].map(row_major_strides);
    let offset = |at: &[u64], strides: &[u64]| at.iter().zip(strides).map(|(a, b)| a * b).sum();
    StridedCopy {
        operand: 0,
        extents: extents.to_vec(),
        source_offset: offset(from, &strides),
        source_strides: strides.iter().map(|&stride| stride as i64).collect(),
        result_offset: offset(to, &result_strides),
        result_strides,
    }
}

#[test]
fn boxes_that_are_whole_tiles() {
    for (extents, source, from, target, to, expected) in [
        // Joined along columns, and along rows.
        (
            &[64, 96][..],
            &[64, 96][..],
            &[0, 0][..],
            &[64, 160][..],
            &[0, 64][..],
            true,
        ),
        (&[33, 65], &[33, 65], &[0, 0], &[97, 65], &[64, 0], true),
        (&[33, 65], &[33, 65], &[0, 0], &[98, 65], &[64, 0], false),
        (&[33, 65], &[33, 65], &[0, 0], &[66, 65], &[33, 0], false),
        (&[33, 32], &[33, 32], &[0, 0], &[33, 65], &[0, 32], true),
        (&[33, 33], &[33, 33], &[0, 0], &[33, 65], &[0, 32], true),
        (&[33, 33], &[33, 33], &[0, 0], &[33, 66], &[0, 32], false),
        // Parts.
        (&[32, 32], &[64, 96], &[32, 64], &[32, 32], &[0, 0], true),
        (&[32, 31], &[64, 96], &[32, 64], &[32, 31], &[0, 0], false),
        (&[32, 31], &[64, 95], &[32, 64], &[32, 31], &[0, 0], true),
        (&[30, 32], &[64, 96], &[2, 64], &[30, 32], &[0, 0], false),
        // Matrices.
        (
            &[2, 33, 65],
            &[2, 33, 65],
            &[0, 0, 0],
            &[5, 33, 65],
            &[3, 0, 0],
            true,
        ),
        (
            &[1, 32, 64],
            &[3, 64, 64],
            &[1, 32, 0],
            &[1, 32, 64],
            &[0, 0, 0],
            true,
        ),
    ] {
        let copy = moved(extents, (source, from), (target, to));
        let found = check(&copy, source, target);
        assert_eq!(found, expected, "{extents:?} of {source:?} to {target:?}");
    }
}

#[test]
fn other_dimensions_of_the_same_elements() {
    for (source, target, expected) in [
        (&[2, 32, 64][..], &[64, 64][..], true),
        (&[6, 33, 65], &[2, 3, 33, 65], true),
        (&[128, 64], &[2, 2, 32, 64], true),
        (&[66, 64], &[2, 33, 64], false),
        (&[64, 64], &[32, 128], false),
        (&[1, 40], &[40], true),
    ] {
        let count = source.iter().product();
        let map = IndexMap::view(&[count], 0, vec![1]);
        assert_eq!(check(&map.copies[0], source, target), expected);
    }
}

#[test]
fn permutations_of_matrices() {
    for (shape, expected) in [([2, 3, 33, 65], true), ([2, 3, 64, 64], true)] {
        let [a, b, rows, columns] = shape;
        let strides = row_major_strides(&shape);
        let turned = [1, 0, 2, 3].map(|dim: usize| strides[dim] as i64);
        let map = IndexMap::view(&[b, a, rows, columns], 0, turned.to_vec());
        let found = check(&map.copies[0], &shape, &[b, a, rows, columns]);
        assert_eq!(found, expected);
    }
    // Rows of tiles change places with matrices.
    let strides = row_major_strides(&[2, 3, 32, 64]);
    let turned = [1, 0, 2, 3].map(|dim: usize| strides[dim] as i64);
    let map = IndexMap::view(&[3, 2, 32, 64], 0, turned.to_vec());
    assert!(check(&map.copies[0], &[6, 32, 64], &[192, 64]));
}

#[test]
fn strides_that_are_negative_or_zero() {
    // Matrices the other way round, and one again and again.
    let back = IndexMap::view(&[3, 33, 65], 2 * 33 * 65, vec![-33 * 65, 65, 1]);
    assert!(check(&back.copies[0], &[3, 33, 65], &[3, 33, 65]));
    let same = IndexMap::view(&[3, 33, 65], 0, vec![0, 65, 1]);
    assert!(check(&same.copies[0], &[33, 65], &[3, 33, 65]));
    let rows = IndexMap::view(&[32, 64], 31 * 64, vec![-64, 1]);
    assert!(!check(&rows.copies[0], &[32, 64], &[32, 64]));
    let columns = IndexMap::view(&[32, 64], 0, vec![64, 0]);
    assert!(!check(&columns.copies[0], &[32, 64], &[32, 64]));
}

#[test]
fn boxes_beside_one_another() {
    // The heads of attention become matrices, and columns again.
    for (tokens, heads, width, expected) in [
        (128, 12, 32, true),
        (40, 3, 64, true),
        (40, 3, 48, false),
        (64, 4, 16, false),
    ] {
        let (joined, apart) = ([tokens, heads * width], [heads, tokens, width]);
        let strides = [width, heads * width, 1].map(|stride| stride as i64);
        let split = IndexMap::view(&apart, 0, strides.to_vec());
        assert_eq!(check(&split.copies[0], &joined, &apart), expected);
        let strides = [width, tokens * width, 1].map(|stride| stride as i64);
        let join = IndexMap::view(&[tokens, heads, width], 0, strides.to_vec());
        assert_eq!(check(&join.copies[0], &apart, &joined), expected);
    }
    // The boxes of a row continue in the next one.
    let across = IndexMap::view(&[4, 32, 32], 0, vec![32, 64, 1]);
    assert!(!check(&across.copies[0], &[64, 64], &[4, 32, 32]));
}
