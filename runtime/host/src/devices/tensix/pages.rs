//! Layout of tensors in pages.
//!
//! A tensor `[.., M, N]` is a sequence of `M` by `N` matrices; a vector is one row, a scalar one
//! element. In tile layout, each matrix is padded to multiples of 32, as `#ttnn.ttnn_layout`
//! specifies. A page is a tile of 32x32: four faces of 16x16 (top left, top right, bottom left,
//! bottom right), each row-major. Pages are ordered along rows of tiles. In row-major layout, a
//! page is one row, padded to 32 bytes, the granularity of transfers between DRAM and L1. Padding
//! is +0 between operations.

use tessera_program::{Layout, TensorDesc};

const TILE: usize = 32;
const FACE: usize = 16;
/// Rows are padded to a multiple of this number of bytes.
const ALIGNMENT: usize = 32;

/// The pages of a tensor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pages {
    layout: Layout,
    matrices: usize,
    /// Rows and columns of a matrix.
    rows: usize,
    columns: usize,
    /// Bytes of an element.
    element: usize,
}

impl Pages {
    /// Returns the pages of a tensor of the shape, layout and element type of `desc`.
    pub fn new(desc: &TensorDesc) -> Self {
        let (matrices, rows, columns) = match desc.shape[..] {
            [] => (1, 1, 1),
            [columns] => (1, 1, columns),
            [ref matrices @ .., rows, columns] => (matrices.iter().product(), rows, columns),
        };
        Self {
            layout: desc.layout,
            matrices: matrices as usize,
            rows: rows as usize,
            columns: columns as usize,
            element: desc.data_type.size(),
        }
    }

    /// Returns the extents of a matrix with padding.
    fn padded(&self) -> (usize, usize) {
        match self.layout {
            Layout::Tile => (
                self.rows.next_multiple_of(TILE),
                self.columns.next_multiple_of(TILE),
            ),
            Layout::RowMajor => (
                self.rows,
                self.columns.next_multiple_of(ALIGNMENT / self.element),
            ),
        }
    }

    /// Returns the index with padding of a row counted without.
    fn padded_row(&self, row: usize) -> usize {
        row / self.rows * self.padded().0 + row % self.rows
    }

    /// Returns the number of pages.
    pub fn count(&self) -> usize {
        let (rows, columns) = self.padded();
        self.matrices * rows * columns * self.element / self.page_bytes()
    }

    /// Returns the size of a page in bytes.
    pub fn page_bytes(&self) -> usize {
        match self.layout {
            Layout::Tile => TILE * TILE * self.element,
            Layout::RowMajor => self.padded().1 * self.element,
        }
    }

    /// Returns the byte offset of an element in the concatenated pages; the row counts padding.
    fn offset(&self, row: usize, column: usize) -> usize {
        let (_, columns) = self.padded();
        let element = match self.layout {
            Layout::RowMajor => row * columns + column,
            Layout::Tile => {
                let page = row / TILE * (columns / TILE) + column / TILE;
                let (row, column) = (row % TILE, column % TILE);
                let face = row / FACE * 2 + column / FACE;
                (page * 4 + face) * FACE * FACE + row % FACE * FACE + column % FACE
            }
        };
        element * self.element
    }

    /// Returns the number of consecutive elements of a row that are contiguous in a page.
    fn run(&self) -> usize {
        match self.layout {
            Layout::RowMajor => self.columns.max(1),
            Layout::Tile => FACE,
        }
    }

    /// Returns the concatenated pages of row-major elements; padding is +0.
    pub fn scatter(&self, elements: &[u8]) -> Vec<u8> {
        let mut pages = vec![0; self.count() * self.page_bytes()];
        let bytes = self.element;
        for (row, elements) in elements.chunks_exact(self.columns * bytes).enumerate() {
            let row = self.padded_row(row);
            for (run, elements) in elements.chunks(self.run() * bytes).enumerate() {
                let first = self.offset(row, run * self.run());
                pages[first..][..elements.len()].copy_from_slice(elements);
            }
        }
        pages
    }

    /// Returns the row-major elements in `pages`, without padding.
    pub fn gather(&self, pages: &[u8]) -> Vec<u8> {
        let rows = self.matrices * self.rows;
        let mut elements = Vec::with_capacity(rows * self.columns * self.element);
        for row in (0..rows).map(|row| self.padded_row(row)) {
            for column in (0..self.columns).step_by(self.run()) {
                let count = self.run().min(self.columns - column);
                elements.extend(&pages[self.offset(row, column)..][..count * self.element]);
            }
        }
        elements
    }

    /// Returns whether there is any padding.
    pub fn has_padding(&self) -> bool {
        self.padded() != (self.rows, self.columns)
    }

    /// Returns the first element of the padding that is not +0: row, column, bits.
    pub fn dirty_padding(&self, pages: &[u8]) -> Option<(usize, usize, u32)> {
        let (rows, columns) = self.padded();
        let places = (0..self.matrices * rows).flat_map(|row| {
            let first = if row % rows < self.rows {
                self.columns
            } else {
                0
            };
            (first..columns).map(move |column| (row, column))
        });
        places
            .map(|(row, column)| {
                let bytes = &pages[self.offset(row, column)..][..self.element];
                let bits = bytes.iter().rev();
                let bits = bits.fold(0, |bits, byte| bits << 8 | u32::from(*byte));
                (row, column, bits)
            })
            .find(|&(_, _, bits)| bits != 0)
    }
}

#[cfg(test)]
mod tests;
