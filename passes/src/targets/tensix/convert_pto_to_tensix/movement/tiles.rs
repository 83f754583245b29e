//! Recognition of whole-tile copies: if a box begins and ends at tile boundaries in both tensors,
//! and its rows and columns are rows and columns in both, the copy of elements is a copy of pages.
//! Boxes may lie beside one another in the rows of a matrix, as the heads of attention do.
//!
//! A page copy is again a strided copy, between arrays of pages. Partial tiles are copied with
//! their padding, so both tensors must end at the same place within the tile.

use tessera_ops::StridedCopy;

use super::super::plan::Tensor;
use super::TILE_SIDE;

/// One side of a copy, source or result: the tensor and the coordinates of the first element.
struct CopySide {
    tensor: Tensor,
    matrix: u64,
    row: u64,
    column: u64,
    /// Columns from the first box to the last one beside it in the same row.
    beside: u64,
}

impl CopySide {
    fn new(tensor: Tensor, offset: u64) -> Self {
        let [rows, columns] = tensor.extents().map(u64::from);
        CopySide {
            tensor,
            matrix: offset / columns / rows,
            row: offset / columns % rows,
            column: offset % columns,
            beside: 0,
        }
    }

    fn extents(&self) -> [u64; 2] {
        self.tensor.extents().map(u64::from)
    }

    /// Returns the tensor's rows and columns of tiles.
    fn tiles(&self) -> [u64; 2] {
        self.tensor.tiles().map(u64::from)
    }

    /// Returns whether the tile rows of consecutive matrices are equally spaced, i.e. matrices have
    /// no padding rows.
    fn is_linear(&self) -> bool {
        self.tensor.rows % TILE_SIDE == 0
    }

    /// Returns the number of the first page.
    fn page(&self) -> u64 {
        let [down, across] = self.tiles();
        let side = u64::from(TILE_SIDE);
        (self.matrix * down + self.row / side) * across + self.column / side
    }

    /// Converts the stride of a dimension from elements to pages, and notes the boxes that lie
    /// beside one another. Returns `None` if the elements of a tile would not all move by the same
    /// number of pages.
    fn page_stride(&mut self, extent: u64, stride: i64) -> Option<i64> {
        let [rows, columns] = self.extents().map(|extent| extent as i64);
        let [down, across] = self.tiles().map(|count| count as i64);
        let side = i64::from(TILE_SIDE);
        let (unit, pages) = match self.is_linear() {
            true => (side * columns, across),
            false => (rows * columns, down * across),
        };
        if stride % unit == 0 {
            return Some(stride / unit * pages);
        }
        let tiles = u64::try_from(stride / side).ok()?;
        self.beside += (extent - 1) * tiles * u64::from(TILE_SIDE);
        (stride % side == 0).then_some(stride / side)
    }

    /// Returns whether a region of these extents starts at a tile boundary and ends at one, or
    /// where the matrix ends.
    fn has_whole_tiles(&self, extents: [u64; 2]) -> bool {
        let side = u64::from(TILE_SIDE);
        let first = [self.row, self.column];
        let ends = first.into_iter().zip(extents).zip(self.extents());
        let are_whole = ends.into_iter().all(|((first, extent), all)| {
            let ends_with_tile = extent % side == 0 || first + extent == all;
            first % side == 0 && ends_with_tile
        });
        are_whole && (self.beside == 0 || extents[1] % side == 0)
    }
}

/// A dimension of a copy: extent, source stride, result stride.
type Dimension = (u64, i64, u64);

/// Converts a copy of elements to a copy of pages, if it copies whole tiles.
pub fn page_copy(copy: &StridedCopy, source: Tensor, target: Tensor) -> Option<StridedCopy> {
    let mut from = CopySide::new(source, copy.source_offset);
    let mut to = CopySide::new(target, copy.result_offset);
    let mut extents = [1, 1];
    let mut outer = Vec::new();
    for (extent, source, result) in dimensions(copy, &from, &to) {
        let row = (from.extents()[1] as i64, to.extents()[1]);
        match (source, result) {
            (1, 1) if extents[1] == 1 => extents[1] = extent,
            strides if strides == row && extents[0] == 1 => extents[0] = extent,
            _ => outer.push((
                extent,
                from.page_stride(extent, source)?,
                to.page_stride(extent, result as i64)?,
            )),
        }
    }
    // A region may continue in the next matrix only if there are no padding rows between.
    let stays = |side: &CopySide| {
        let [rows, columns] = side.extents();
        let is_within = side.row + extents[0] <= rows || side.is_linear();
        is_within && side.column + side.beside + extents[1] <= columns
    };
    let both = [&from, &to];
    if !both
        .iter()
        .all(|side| stays(side) && side.has_whole_tiles(extents))
    {
        return None;
    }
    let [down, across] = extents.map(|extent| extent.div_ceil(TILE_SIDE.into()));
    let rows = (down, from.tiles()[1] as i64, to.tiles()[1] as i64);
    let all = outer.into_iter().chain([rows, (across, 1, 1)]);
    let mut all: Vec<_> = all.collect();
    // Boxes beside one another come before the rows of tiles, but are closer in the target.
    all.sort_by_key(|(_, _, result)| std::cmp::Reverse(*result));
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

/// Returns the dimensions of a copy, split at the ends of rows and of matrices where both tensors
/// agree.
fn dimensions(copy: &StridedCopy, from: &CopySide, to: &CopySide) -> Vec<Dimension> {
    let strides = copy.source_strides.iter().zip(&copy.result_strides);
    let given = copy.extents.iter().zip(strides);
    let given = given.map(|(&extent, (&source, &result))| (extent, source, result));
    let [[from_rows, from_columns], [to_rows, to_columns]] = [from, to].map(CopySide::extents);
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

/// Splits a dimension into parts of extent `part`, if its extent is a multiple of that.
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
mod tests;
