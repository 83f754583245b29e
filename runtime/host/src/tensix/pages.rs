//! How a bf16 tensor is cut into pages.
//!
//! A tensor `[.., M, N]` is a sequence of `M` by `N` matrices; a vector is one row, a scalar one element. In tile layout
//! each matrix is padded to multiples of 32, as `#ttnn.ttnn_layout` says; a page is a tile of 32x32, four faces of 16x16 (top left, top
//! right, bottom left, bottom right), each row-major; pages run along rows of tiles. In row-major layout a page is
//! one row, padded to 32 bytes, since DRAM and L1 exchange pieces of that size. Padding is +0 whenever no
//! operation is running.

use tessera_program::{Layout, TensorDesc};

const BYTES: usize = 2;
const TILE: usize = 32;
const FACE: usize = 16;
/// Elements in 32 bytes.
const ALIGNMENT: usize = 16;

/// The pages of a tensor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pages {
    layout: Layout,
    matrices: usize,
    /// Rows and columns of a matrix.
    rows: usize,
    columns: usize,
}

impl Pages {
    /// The pages of a bf16 tensor of the shape and layout of `desc`.
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
        }
    }

    /// Rows and columns of a matrix with padding.
    fn padded(&self) -> (usize, usize) {
        match self.layout {
            Layout::Tile => (
                self.rows.next_multiple_of(TILE),
                self.columns.next_multiple_of(TILE),
            ),
            Layout::RowMajor => (self.rows, self.columns.next_multiple_of(ALIGNMENT)),
        }
    }

    /// The row, counted with padding, of a row counted without.
    fn padded_row(&self, row: usize) -> usize {
        row / self.rows * self.padded().0 + row % self.rows
    }

    /// Number of pages.
    pub fn count(&self) -> usize {
        let (rows, columns) = self.padded();
        self.matrices * rows * columns * BYTES / self.page_bytes()
    }

    /// Bytes of a page.
    pub fn page_bytes(&self) -> usize {
        match self.layout {
            Layout::Tile => TILE * TILE * BYTES,
            Layout::RowMajor => self.padded().1 * BYTES,
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
        element * BYTES
    }

    /// The pages, one after another, of row-major elements; padding is +0.
    pub fn scatter(&self, elements: &[u8]) -> Vec<u8> {
        let mut pages = vec![0; self.count() * self.page_bytes()];
        for (row, elements) in elements.chunks_exact(self.columns * BYTES).enumerate() {
            let row = self.padded_row(row);
            for (column, element) in elements.chunks_exact(BYTES).enumerate() {
                pages[self.at(row, column)..][..BYTES].copy_from_slice(element);
            }
        }
        pages
    }

    /// The row-major elements in `pages`, without padding.
    pub fn gather(&self, pages: &[u8]) -> Vec<u8> {
        let rows = self.matrices * self.rows;
        let mut elements = Vec::with_capacity(rows * self.columns * BYTES);
        for row in (0..rows).map(|row| self.padded_row(row)) {
            for column in 0..self.columns {
                elements.extend(&pages[self.at(row, column)..][..BYTES]);
            }
        }
        elements
    }

    /// Whether there is any padding.
    pub fn has_padding(&self) -> bool {
        self.padded() != (self.rows, self.columns)
    }

    /// The first element of the padding that is not +0: row, column, bits.
    pub fn dirty_padding(&self, pages: &[u8]) -> Option<(usize, usize, u16)> {
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
                let at = self.at(row, column);
                (row, column, u16::from_le_bytes([pages[at], pages[at + 1]]))
            })
            .find(|&(_, _, bits)| bits != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tessera_program::{DataType, MemorySpace};

    fn pages(shape: &[u64], layout: Layout) -> Pages {
        Pages::of(&TensorDesc {
            name: None,
            shape: shape.to_vec(),
            data_type: DataType::BF16,
            layout,
            memory: MemorySpace::Dram,
        })
    }

    #[test]
    fn counts_and_sizes() {
        use Layout::{RowMajor, Tile};
        for (shape, layout, expected) in [
            (&[][..], Tile, (1, 2048, true)),
            (&[32], Tile, (1, 2048, true)),
            (&[32, 32], Tile, (1, 2048, false)),
            (&[33, 65], Tile, (6, 2048, true)),
            (&[2, 3, 16, 32], Tile, (6, 2048, true)),
            (&[2, 33, 65], Tile, (12, 2048, true)),
            (&[2, 3, 64, 32], Tile, (12, 2048, false)),
            (&[5, 16], RowMajor, (5, 32, false)),
            (&[5, 17], RowMajor, (5, 64, true)),
        ] {
            let pages = pages(shape, layout);
            assert_eq!(
                (pages.count(), pages.page_bytes(), pages.has_padding()),
                expected,
                "{shape:?} {layout}"
            );
        }
    }

    /// Places of single elements, by hand.
    #[test]
    fn tiles_and_faces() {
        let pages = pages(&[64, 96], Layout::Tile);
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
            assert_eq!(
                pages.at(row, column),
                page * 2048 + face * 512 + element * 2,
                "{row} {column}"
            );
        }
    }

    #[test]
    fn elements_survive_and_padding_is_zero() {
        for layout in [Layout::Tile, Layout::RowMajor] {
            for shape in [
                &[][..],
                &[7],
                &[33, 65],
                &[2, 3, 5],
                &[2, 33, 40],
                &[64, 32],
            ] {
                let pages = pages(shape, layout);
                let count: u64 = shape.iter().product();
                let elements: Vec<u8> = (1..=count as u16).flat_map(u16::to_le_bytes).collect();
                let mut scattered = pages.scatter(&elements);
                assert_eq!(pages.gather(&scattered), elements, "{shape:?} {layout}");
                assert_eq!(pages.dirty_padding(&scattered), None, "{shape:?} {layout}");
                if pages.has_padding() {
                    let (rows, columns) = pages.padded();
                    let rows = pages.matrices * rows;
                    let last = pages.at(rows - 1, columns - 1);
                    scattered[last + 1] = 0x80;
                    assert_eq!(
                        pages.dirty_padding(&scattered),
                        Some((rows - 1, columns - 1, 0x8000))
                    );
                }
            }
        }
    }
}
