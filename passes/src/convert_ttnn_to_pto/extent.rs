//! Tensors as sequences of matrices, and how one is spread over another.

use std::fmt;

use tessera_dialects::pto::Broadcast;

use crate::layout::TILE;

/// A tensor as a sequence of matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// How many.
    pub matrices: u64,
    /// Elements of a column.
    pub rows: u64,
    /// Elements of a row.
    pub columns: u64,
}

impl Extent {
    /// The extent of a tensor of this shape; a vector is one row, a number a vector of one.
    pub fn of(shape: &[u64]) -> Extent {
        let (matrices, rows, columns) = match *shape {
            [] => (1, 1, 1),
            [columns] => (1, 1, columns),
            [ref matrices @ .., rows, columns] => (matrices.iter().product(), rows, columns),
        };
        Extent {
            matrices,
            rows,
            columns,
        }
    }

    /// That of the transposed matrices.
    pub fn turned(self) -> Extent {
        Extent {
            rows: self.columns,
            columns: self.rows,
            ..self
        }
    }

    /// How tensors of this extent are spread over others; nothing if they are not.
    pub fn spread_over(self, to: Extent) -> Option<Broadcast> {
        if self.matrices != 1 && self.matrices != to.matrices {
            return None;
        }
        match (self.rows, self.columns) {
            (rows, columns) if (rows, columns) == (to.rows, to.columns) => Some(Broadcast::None),
            (1, 1) => Some(Broadcast::Scalar),
            (1, columns) if columns == to.columns => Some(Broadcast::Row),
            (rows, 1) if rows == to.rows => Some(Broadcast::Column),
            _ => None,
        }
    }

    /// Tiles of one matrix, down and across.
    pub fn tiles(self) -> [u64; 2] {
        [self.rows.div_ceil(TILE), self.columns.div_ceil(TILE)]
    }

    /// Rectangles of `shape` tiles in one matrix, down and across.
    pub fn rectangles(self, shape: [u64; 2]) -> [u64; 2] {
        let [down, across] = self.tiles();
        [down.div_ceil(shape[0]), across.div_ceil(shape[1])]
    }
}

impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.matrices != 1 {
            write!(f, "{}x", self.matrices)?;
        }
        write!(f, "{}x{}", self.rows, self.columns)
    }
}
