//! Copies of whole tiles: where a box begins and ends with tiles in both tensors, and rows and
//! columns are rows and columns in both, a copy of elements is one of pages.
//!
//! A page copy is a strided copy again, of the arrays of pages. Tiles that are not full are copied
//! with their padding, so both tensors must end there.

use tessera_ops::StridedCopy;

use super::super::plan::Tensor;
use super::SIDE;

/// One side of a copy: where it begins, and how a dimension goes on.
struct Side {
    tensor: Tensor,
    matrix: u64,
    row: u64,
    column: u64,
}

impl Side {
    fn new(tensor: Tensor, offset: u64) -> Self {
        let [rows, columns] = tensor.extents().map(u64::from);
        Side {
            tensor,
            matrix: offset / columns / rows,
            row: offset / columns % rows,
            column: offset % columns,
        }
    }

    fn extents(&self) -> [u64; 2] {
        self.tensor.extents().map(u64::from)
    }

    /// Rows and columns of tiles.
    fn tiles(&self) -> [u64; 2] {
        self.tensor.tiles().map(u64::from)
    }

    /// Whether the rows of tiles of a matrix follow those of the matrix before as its rows do.
    fn is_linear(&self) -> bool {
        self.tensor.rows % SIDE == 0
    }

    /// The first page.
    fn page(&self) -> u64 {
        let [down, across] = self.tiles();
        let side = u64::from(SIDE);
        (self.matrix * down + self.row / side) * across + self.column / side
    }

    /// How many pages lie between elements at a distance; nothing if that is not the same for all
    /// elements of a tile.
    fn page_stride(&self, stride: i64) -> Option<i64> {
        let [rows, columns] = self.extents().map(|extent| extent as i64);
        let [down, across] = self.tiles().map(|count| count as i64);
        let side = i64::from(SIDE);
        let (unit, pages) = match self.is_linear() {
            true => (side * columns, across),
            false => (rows * columns, down * across),
        };
        (stride % unit == 0).then_some(stride / unit * pages)
    }

    /// Whether so many rows and columns from its first element on are whole tiles, or end as the
    /// matrix does.
    fn has_whole_tiles(&self, extents: [u64; 2]) -> bool {
        let side = u64::from(SIDE);
        let first = [self.row, self.column];
        let ends = first.into_iter().zip(extents).zip(self.extents());
        ends.into_iter().all(|((first, extent), all)| {
            let ends_with_tile = extent % side == 0 || first + extent == all;
            first % side == 0 && ends_with_tile
        })
    }
}

/// A dimension of a copy: its extent, and the strides of the source and of the result.
type Dimension = (u64, i64, u64);

/// The copy of pages that a copy of elements is, if it is one.
pub fn page_copy(copy: &StridedCopy, source: Tensor, target: Tensor) -> Option<StridedCopy> {
    let (from, to) = (
        Side::new(source, copy.source_offset),
        Side::new(target, copy.result_offset),
    );
    let mut extents = [1, 1];
    let mut outer = Vec::new();
    for (extent, source, result) in dimensions(copy, &from, &to) {
        let row = (from.extents()[1] as i64, to.extents()[1]);
        match (source, result) {
            (1, 1) if extents[1] == 1 => extents[1] = extent,
            strides if strides == row && extents[0] == 1 => extents[0] = extent,
            _ => outer.push((
                extent,
                from.page_stride(source)?,
                to.page_stride(result as i64)?,
            )),
        }
    }
    // What goes on in the next matrix has no padding between.
    let stays = |side: &Side| {
        let [rows, columns] = side.extents();
        let is_within = side.row + extents[0] <= rows || side.is_linear();
        is_within && side.column + extents[1] <= columns
    };
    let both = [&from, &to];
    if !both
        .iter()
        .all(|side| stays(side) && side.has_whole_tiles(extents))
    {
        return None;
    }
    let [down, across] = extents.map(|extent| extent.div_ceil(SIDE.into()));
    let rows = (down, from.tiles()[1] as i64, to.tiles()[1] as i64);
    let all: Vec<_> = outer.into_iter().chain([rows, (across, 1, 1)]).collect();
    let pages = StridedCopy {
        operand: copy.operand,
        extents: all.iter().map(|one| one.0).collect(),
        source_offset: from.page(),
        source_strides: all.iter().map(|one| one.1).collect(),
        result_offset: to.page(),
        result_strides: all.iter().map(|one| one.2 as u64).collect(),
    };
    Some(pages.simplified())
}

/// The dimensions of a copy, split where a row ends in both tensors, and where a matrix does.
fn dimensions(copy: &StridedCopy, from: &Side, to: &Side) -> Vec<Dimension> {
    let strides = copy.source_strides.iter().zip(&copy.result_strides);
    let given = copy.extents.iter().zip(strides);
    let given = given.map(|(&extent, (&source, &result))| (extent, source, result));
    let [[from_rows, from_columns], [to_rows, to_columns]] = [from, to].map(Side::extents);
    let rows = given.flat_map(|dimension| match dimension {
        (extent, 1, 1) if from_columns == to_columns => split(extent, to_columns, [1, 1]),
        other => vec![other],
    });
    let is_linear = from.is_linear() && to.is_linear();
    let all = rows.flat_map(|dimension| match dimension {
        (extent, source, result)
            if (source, result) == (from_columns as i64, to_columns)
                && from_rows == to_rows
                && !is_linear =>
        {
            split(extent, to_rows, [source, result as i64])
        }
        other => vec![other],
    });
    all.filter(|(extent, _, _)| *extent > 1).collect()
}

/// A dimension with these strides as parts of so many, if it is made of such.
fn split(extent: u64, part: u64, [source, result]: [i64; 2]) -> Vec<Dimension> {
    let whole = (extent, source, result as u64);
    match extent % part {
        0 if extent > part => {
            let count = part as i64;
            let outer = (extent / part, source * count, (result * count) as u64);
            vec![outer, (part, source, result as u64)]
        }
        _ => vec![whole],
    }
}

#[cfg(test)]
mod tests {
    use tessera_ops::{row_major_strides, IndexMap};

    use super::super::super::plan::Element;
    use super::*;

    fn tensor(shape: &[u64]) -> Tensor {
        let (columns, rest) = shape.split_last().expect("it has dimensions");
        let (rows, rest) = rest.split_last().unwrap_or((&1, &[]));
        Tensor {
            arg: 0,
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

    /// A box of a tensor to a place of another, both with all dimensions.
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
}
