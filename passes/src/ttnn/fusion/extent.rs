//! Extents of tensors as sequences of matrices, and broadcasts between them.

use std::fmt;

use tessera_dialects::pto::Broadcast;

use crate::ttnn::layout::TILE;

/// A tensor as a sequence of matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Number of matrices.
    pub matrices: u64,
    /// Elements of a column.
    pub rows: u64,
    /// Elements of a row.
    pub columns: u64,
}

impl Extent {
    /// Returns the extent of a tensor of this shape. A vector is one row, a scalar a vector of one
    /// element.
    pub fn from_shape(shape: &[u64]) -> Extent {
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

    /// Returns the extent of the transposed matrices.
    pub fn transposed(self) -> Extent {
        Extent {
            rows: self.columns,
            columns: self.rows,
            ..self
        }
    }

    /// Returns how matrices of this extent are broadcast to others, or `None` if they cannot be.
    /// [`MatrixIndex`] handles the number of matrices.
    pub fn broadcast_to(self, to: Extent) -> Option<Broadcast> {
        match (self.rows, self.columns) {
            (rows, columns) if (rows, columns) == (to.rows, to.columns) => Some(Broadcast::None),
            (1, 1) => Some(Broadcast::Scalar),
            (1, columns) if columns == to.columns => Some(Broadcast::Row),
            (rows, 1) if rows == to.rows => Some(Broadcast::Column),
            _ => None,
        }
    }

    /// Returns the number of tiles of one matrix, down and across.
    pub fn tiles(self) -> [u64; 2] {
        [self.rows.div_ceil(TILE), self.columns.div_ceil(TILE)]
    }

    /// Returns the number of rectangles of `shape` tiles in one matrix, down and across.
    pub fn rectangles(self, shape: [u64; 2]) -> [u64; 2] {
        let [down, across] = self.tiles();
        [down.div_ceil(shape[0]), across.div_ceil(shape[1])]
    }
}

/// Which matrix of an operand belongs to a matrix of the result, as NumPy broadcasts the dimensions
/// before the last two.
///
/// Matrices are counted in row-major order. The number of the operand's matrix is a sum of digits
/// of the result's number, one for each run of dimensions that the operand has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatrixIndex {
    /// The digits; none if the operand is one matrix, used for all.
    pub digits: Vec<Digit>,
}

/// A digit of the result's matrix number, weighted: `number / divisor % modulus * stride`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digit {
    /// Matrices of the result in one step of the digit.
    pub divisor: u64,
    /// Values of the digit; `None` for the first digit, which needs no remainder.
    pub modulus: Option<u64>,
    /// Matrices of the operand in one step of the digit.
    pub stride: u64,
}

impl MatrixIndex {
    /// Returns the index of an operand that has one matrix for each of the result's.
    pub fn identity() -> Self {
        let digit = Digit {
            divisor: 1,
            modulus: None,
            stride: 1,
        };
        MatrixIndex {
            digits: vec![digit],
        }
    }

    /// Returns whether the operand has one matrix, or one for each of the result's.
    pub fn is_simple(&self) -> bool {
        self.digits.is_empty() || *self == Self::identity()
    }

    /// Returns the index of an operand with these dimensions before the last two, or nothing if it
    /// does not broadcast.
    pub fn for_broadcast(operand: &[u64], result: &[u64]) -> Option<Self> {
        let mut digits: Vec<Digit> = Vec::new();
        let (mut divisor, mut stride) = (1, 1);
        let total: u64 = result.iter().product();
        let missing = result.len().checked_sub(operand.len())?;
        // Whether the dimension after is one that the operand has.
        let mut continues = false;
        for (dim, &extent) in result.iter().enumerate().rev() {
            let own = dim.checked_sub(missing).map_or(1, |dim| operand[dim]);
            if own != 1 && own != extent {
                return None;
            }
            if extent == 1 {
                continue;
            }
            match digits.last_mut() {
                _ if own == 1 => {}
                Some(digit) if continues => {
                    digit.modulus = digit.modulus.map(|modulus| modulus * own);
                }
                _ => digits.push(Digit {
                    divisor,
                    modulus: Some(own),
                    stride,
                }),
            }
            continues = own != 1;
            divisor *= extent;
            stride *= own;
        }
        if let Some(first) = digits.last_mut() {
            let ends = first.modulus.map(|modulus| modulus * first.divisor);
            first.modulus = first.modulus.filter(|_| ends != Some(total));
        }
        Some(MatrixIndex { digits })
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

#[cfg(test)]
mod tests;
