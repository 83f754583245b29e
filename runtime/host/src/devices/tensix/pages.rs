//! How a tensor is cut into pages.
//!
//! A tensor `[.., M, N]` is a sequence of `M` by `N` matrices; a vector is one row, a scalar one
//! element. In tile layout each matrix is padded to multiples of 32, as `#ttnn.ttnn_layout` says; a
//! page is a tile of 32x32, four faces of 16x16 (top left, top right, bottom left, bottom right),
//! each row-major; pages run along rows of tiles. In row-major layout a page is one row, padded to
//! 32 bytes, since DRAM and L1 exchange pieces of that size. Padding is +0 whenever no operation is
//! running.

use tessera_program::{Layout, TensorDesc};

const TILE: usize = 32;
const FACE: usize = 16;
/// Bytes that rows are padded to.
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
    /// The pages of a tensor of the shape, layout and element type of `desc`.
    pub fn of(desc: &TensorDesc) -> Self {
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

    /// Rows and columns of a matrix with padding.
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

    /// The row, counted with padding, of a row counted without.
    fn padded_row(&self, row: usize) -> usize {
        row / self.rows * self.padded().0 + row % self.rows
    }

    /// Number of pages.
    pub fn count(&self) -> usize {
        let (rows, columns) = self.padded();
        self.matrices * rows * columns * self.element / self.page_bytes()
    }

    /// Bytes of a page.
    pub fn page_bytes(&self) -> usize {
        match self.layout {
            Layout::Tile => TILE * TILE * self.element,
            Layout::RowMajor => self.padded().1 * self.element,
        }
    }

    /// Byte of an element in the pages one after another; the row counts padding.
    fn at(&self, row: usize, column: usize) -> usize {
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

    /// Elements of a row that lie together in a page, from a multiple of that on.
    fn run(&self) -> usize {
        match self.layout {
            Layout::RowMajor => self.columns.max(1),
            Layout::Tile => FACE,
        }
    }

    /// The pages, one after another, of row-major elements; padding is +0.
    pub fn scatter(&self, elements: &[u8]) -> Vec<u8> {
        let mut pages = vec![0; self.count() * self.page_bytes()];
        let bytes = self.element;
        for (row, elements) in elements.chunks_exact(self.columns * bytes).enumerate() {
            let row = self.padded_row(row);
            for (run, elements) in elements.chunks(self.run() * bytes).enumerate() {
                let first = self.at(row, run * self.run());
                pages[first..][..elements.len()].copy_from_slice(elements);
            }
        }
        pages
    }

    /// The row-major elements in `pages`, without padding.
    pub fn gather(&self, pages: &[u8]) -> Vec<u8> {
        let rows = self.matrices * self.rows;
        let mut elements = Vec::with_capacity(rows * self.columns * self.element);
        for row in (0..rows).map(|row| self.padded_row(row)) {
            for column in (0..self.columns).step_by(self.run()) {
                let count = self.run().min(self.columns - column);
                elements.extend(&pages[self.at(row, column)..][..count * self.element]);
            }
        }
        elements
    }

    /// Whether there is any padding.
    pub fn has_padding(&self) -> bool {
        self.padded() != (self.rows, self.columns)
    }

    /// The first element of the padding that is not +0: row, column, bits.
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
                let bytes = &pages[self.at(row, column)..][..self.element];
                let bits = bytes.iter().rev();
                let bits = bits.fold(0, |bits, byte| bits << 8 | u32::from(*byte));
                (row, column, bits)
            })
            .find(|&(_, _, bits)| bits != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tessera_program::{DataType, MemorySpace};

    fn pages(shape: &[u64], data_type: DataType, layout: Layout) -> Pages {
        Pages::of(&TensorDesc {
            name: None,
            shape: shape.to_vec(),
            data_type,
            layout,
            memory: MemorySpace::Dram,
        })
    }

    #[test]
    fn counts_and_sizes() {
        use DataType::{BF16, F32};
        use Layout::{RowMajor, Tile};
        for (shape, data_type, layout, expected) in [
            (&[][..], BF16, Tile, (1, 2048, true)),
            (&[32], BF16, Tile, (1, 2048, true)),
            (&[32, 32], BF16, Tile, (1, 2048, false)),
            (&[33, 65], BF16, Tile, (6, 2048, true)),
            (&[33, 65], F32, Tile, (6, 4096, true)),
            (&[2, 3, 16, 32], BF16, Tile, (6, 2048, true)),
            (&[2, 33, 65], BF16, Tile, (12, 2048, true)),
            (&[2, 3, 64, 32], BF16, Tile, (12, 2048, false)),
            (&[2, 3, 64, 32], F32, Tile, (12, 4096, false)),
            (&[5, 16], BF16, RowMajor, (5, 32, false)),
            (&[5, 17], BF16, RowMajor, (5, 64, true)),
            (&[5, 8], F32, RowMajor, (5, 32, false)),
            (&[5, 17], F32, RowMajor, (5, 96, true)),
        ] {
            let pages = pages(shape, data_type, layout);
            assert_eq!(
                (pages.count(), pages.page_bytes(), pages.has_padding()),
                expected,
                "{shape:?} {data_type} {layout}"
            );
        }
    }

    /// Places of single elements, by hand.
    #[test]
    fn tiles_and_faces() {
        let of = |data_type| pages(&[64, 96], data_type, Layout::Tile);
        let (bf16, f32) = (of(DataType::BF16), of(DataType::F32));
        for ((row, column), (page, face, element)) in [
            ((0, 0), (0, 0, 0)),
            ((0, 16), (0, 1, 0)),
            ((16, 0), (0, 2, 0)),
            ((31, 31), (0, 3, 255)),
            ((1, 2), (0, 0, 18)),
            ((0, 32), (1, 0, 0)),
            ((32, 0), (3, 0, 0)),
            ((63, 95), (5, 3, 255)),
        ] {
            let bytes = page * 2048 + face * 512 + element * 2;
            assert_eq!(bf16.at(row, column), bytes, "{row} {column}");
            assert_eq!(f32.at(row, column), 2 * bytes, "{row} {column}");
        }
    }

    #[test]
    fn elements_survive_and_padding_is_zero() {
        for layout in [Layout::Tile, Layout::RowMajor] {
            for data_type in [DataType::BF16, DataType::F32] {
                for shape in [
                    &[][..],
                    &[7],
                    &[33, 65],
                    &[2, 3, 5],
                    &[2, 33, 40],
                    &[64, 32],
                ] {
                    check_elements(&pages(shape, data_type, layout), shape);
                }
            }
        }
    }

    #[track_caller]
    fn check_elements(pages: &Pages, shape: &[u64]) {
        let count: u64 = shape.iter().product();
        let bytes = |number: u32| number.to_le_bytes().into_iter().take(pages.element);
        let elements: Vec<u8> = (1..=count as u32).flat_map(bytes).collect();
        let mut scattered = pages.scatter(&elements);
        assert_eq!(pages.gather(&scattered), elements, "{pages:?}");
        assert_eq!(pages.dirty_padding(&scattered), None, "{pages:?}");
        if pages.has_padding() {
            let (rows, columns) = pages.padded();
            let rows = pages.matrices * rows;
            let last = pages.at(rows - 1, columns - 1);
            scattered[last + pages.element - 1] = 0x80;
            let minus_zero = 0x80 << (8 * (pages.element - 1));
            let found = pages.dirty_padding(&scattered);
            assert_eq!(found, Some((rows - 1, columns - 1, minus_zero)));
        }
    }
}
