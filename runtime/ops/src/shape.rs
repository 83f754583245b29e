//! Shape inference.
//!
//! The rules are those of NumPy's `broadcast` and `matmul`, except that the dot product of two
//! vectors has shape `[1]`.

use std::fmt;

use crate::table::product_shape;

/// Displays a shape, such as `2x3`, or `scalar` for rank 0.
#[derive(Clone, Copy)]
pub struct Extents<'a>(pub &'a [u64]);

impl fmt::Display for Extents<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((first, rest)) = self.0.split_first() else {
            return f.write_str("scalar");
        };
        write!(f, "{first}")?;
        rest.iter().try_for_each(|extent| write!(f, "x{extent}"))
    }
}

/// Returns the number of elements of a shape, or `None` if it overflows.
pub fn count_elements(shape: &[u64]) -> Option<u64> {
    let mut extents = shape.iter();
    extents.try_fold(1u64, |count, extent| count.checked_mul(*extent))
}

/// Joins extents by a separator.
pub fn join<T: ToString>(shape: &[T], separator: &str) -> String {
    let extents: Vec<_> = shape.iter().map(T::to_string).collect();
    extents.join(separator)
}

/// Returns the shape to which both operands broadcast. Extents are aligned at the right and must be
/// equal or 1; otherwise returns `None`.
pub fn broadcast(a: &[u64], b: &[u64]) -> Option<Vec<u64>> {
    let rank = a.len().max(b.len());
    let extent = |shape: &[u64], axis: usize| {
        let missing = rank - shape.len();
        axis.checked_sub(missing).map_or(1, |axis| shape[axis])
    };
    (0..rank)
        .map(|axis| match (extent(a, axis), extent(b, axis)) {
            (a, b) if a == b => Some(a),
            (1, other) | (other, 1) => Some(other),
            _ => None,
        })
        .collect()
}

/// The shape of a matrix product: `batch` times `[m, k] @ [k, n]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatmulShape {
    /// Batch dimensions of `a`, before broadcasting.
    pub batch_a: Vec<u64>,
    /// Batch dimensions of `b`, before broadcasting.
    pub batch_b: Vec<u64>,
    /// Batch dimensions of the result.
    pub batch: Vec<u64>,
    /// Rows of the result; 1 if `a` is a vector.
    pub m: u64,
    /// Length of the sums.
    pub k: u64,
    /// Columns of the result; 1 if `b` is a vector.
    pub n: u64,
    /// Shape of the result: without `m` if `a` is a vector, without `n` if `b` is; `[1]` if nothing
    /// is left.
    pub result: Vec<u64>,
}

/// Returns the shape of `op(a) @ op(b)`. A transpose flag swaps the inner two dimensions and has no
/// effect on a vector.
///
/// # Errors
/// If the shapes do not fit each other.
pub fn matmul(
    a: &[u64],
    b: &[u64],
    transpose_a: bool,
    transpose_b: bool,
) -> Result<MatmulShape, String> {
    let mut result = product_shape(a, transpose_a, b, transpose_b)?;
    if result.is_empty() {
        result.push(1);
    }
    let (batch_a, m, k) = match *a {
        [ref batch @ .., k, m] if transpose_a => (batch, m, k),
        [ref batch @ .., m, k] => (batch, m, k),
        _ => (&[][..], 1, a.first().copied().unwrap_or(1)),
    };
    let (batch_b, n) = match *b {
        [ref batch @ .., n, _] if transpose_b => (batch, n),
        [ref batch @ .., _, n] => (batch, n),
        _ => (&[][..], 1),
    };
    let batch = broadcast(batch_a, batch_b).unwrap_or_default();
    Ok(MatmulShape {
        batch_a: batch_a.to_vec(),
        batch_b: batch_b.to_vec(),
        batch,
        m,
        k,
        n,
        result,
    })
}

#[cfg(test)]
mod tests;
