//! Matrix products.

use crate::broadcast::broadcast_sources;
use crate::shape::MatmulShape;

/// A matrix product's operand: row-major elements, and whether its inner two dimensions are to be swapped.
pub struct Operand<'a> {
    /// The elements.
    pub values: &'a [f64],
    /// Whether the inner two dimensions are swapped.
    pub transposed: bool,
}

/// `op(a) @ op(b)`, row-major. Every sum runs over K in order, in `f64`, from +0.
pub fn matmul(shape: &MatmulShape, a: Operand<'_>, b: Operand<'_>) -> Vec<f64> {
    map_rows(shape, a, b, |row, b, sums| {
        for (factor, row) in row.iter().zip(b.chunks_exact(sums.len())) {
            for (sum, value) in sums.iter_mut().zip(row) {
                *sum += factor * value;
            }
        }
    })
}

/// For every element of the product: the sum over groups of `group` terms along K of the greatest magnitude in a group.
pub fn group_maxima(shape: &MatmulShape, a: Operand<'_>, b: Operand<'_>, group: usize) -> Vec<f64> {
    map_rows(shape, a, b, |row, b, sums| {
        let n = sums.len();
        let mut maxima = vec![0_f64; n];
        for (row, b) in row.chunks(group).zip(b.chunks(group * n)) {
            maxima.fill(0.0);
            for (factor, row) in row.iter().zip(b.chunks_exact(n)) {
                for (max, value) in maxima.iter_mut().zip(row) {
                    *max = max.max((factor * value).abs());
                }
            }
            for (sum, max) in sums.iter_mut().zip(&maxima) {
                *sum += max;
            }
        }
    })
}

/// For every element of the product: the sum over blocks of `block` terms along K of `max|a| * Σ|b| + max|b| * Σ|a|`, over the
/// factors of a block.
pub fn block_magnitudes(
    shape: &MatmulShape,
    a: Operand<'_>,
    b: Operand<'_>,
    block: usize,
) -> Vec<f64> {
    map_rows(shape, a, b, |row, b, sums| {
        let n = sums.len();
        let (mut maxima, mut magnitudes) = (vec![0_f64; n], vec![0_f64; n]);
        for (row, b) in row.chunks(block).zip(b.chunks(block * n)) {
            maxima.fill(0.0);
            magnitudes.fill(0.0);
            for b in b.chunks_exact(n) {
                for (index, value) in b.iter().enumerate() {
                    maxima[index] = maxima[index].max(value.abs());
                    magnitudes[index] += value.abs();
                }
            }
            let max = row.iter().fold(0_f64, |max, value| max.max(value.abs()));
            let magnitude: f64 = row.iter().map(|value| value.abs()).sum();
            let of_b = maxima.iter().zip(&magnitudes);
            for (sum, (max_b, magnitude_b)) in sums.iter_mut().zip(of_b) {
                *sum += max * magnitude_b + max_b * magnitude;
            }
        }
    })
}

/// For every element of the product: the greatest magnitude of a sum over the first blocks of `block` terms along K.
pub fn greatest_partials(
    shape: &MatmulShape,
    a: Operand<'_>,
    b: Operand<'_>,
    block: usize,
) -> Vec<f64> {
    map_rows(shape, a, b, |row, b, greatest| {
        let n = greatest.len();
        let mut sums = vec![0_f64; n];
        for (row, b) in row.chunks(block).zip(b.chunks(block * n)) {
            for (factor, row) in row.iter().zip(b.chunks_exact(n)) {
                for (sum, value) in sums.iter_mut().zip(row) {
                    *sum += factor * value;
                }
            }
            for (greatest, sum) in greatest.iter_mut().zip(&sums) {
                *greatest = greatest.max(sum.abs());
            }
        }
    })
}

/// Rows of the result, each made from zeros by `accumulate(row of a, matrix b, row of the result)`.
fn map_rows(
    shape: &MatmulShape,
    a: Operand<'_>,
    b: Operand<'_>,
    accumulate: impl Fn(&[f64], &[f64], &mut [f64]),
) -> Vec<f64> {
    let [m, k, n] = [shape.m, shape.k, shape.n].map(|extent| extent as usize);
    let a = oriented(a, m, k);
    let b = oriented(b, k, n);
    let batches_a = broadcast_sources(&shape.batch_a, &shape.batch);
    let batches_b = broadcast_sources(&shape.batch_b, &shape.batch);
    let mut result = vec![0.0; batches_a.len() * m * n];
    let mut rows = result.chunks_exact_mut(n);
    for (batch_a, batch_b) in batches_a.into_iter().zip(batches_b) {
        let b = &b[batch_b * k * n..][..k * n];
        for row in a[batch_a * m * k..][..m * k].chunks_exact(k) {
            accumulate(
                row,
                b,
                rows.next()
                    .expect("the result has a row for each row of each batch"),
            );
        }
    }
    result
}

/// The operand's matrices, `rows` by `columns` after any swap.
fn oriented(operand: Operand<'_>, rows: usize, columns: usize) -> Vec<f64> {
    if !operand.transposed {
        return operand.values.to_vec();
    }
    operand
        .values
        .chunks_exact(rows * columns)
        .flat_map(|matrix| {
            (0..rows * columns).map(move |at| matrix[at % columns * rows + at / columns])
        })
        .collect()
}
