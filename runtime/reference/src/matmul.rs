//! Matrix products.

use tessera_program::shape::MatmulShape;

use crate::eltwise::sources;

/// A matrix product's operand: row-major elements, and whether its inner two dimensions are to be swapped.
pub struct Operand<'a> {
    pub values: &'a [f64],
    pub transposed: bool,
}

/// `op(a) @ op(b)`, row-major. Every sum runs over K in order, in `f64`, from +0.
pub fn matmul(shape: &MatmulShape, a: Operand<'_>, b: Operand<'_>) -> Vec<f64> {
    let [m, k, n] = [shape.m, shape.k, shape.n].map(|extent| extent as usize);
    let a = oriented(a, m, k);
    let b = oriented(b, k, n);
    let mut result = Vec::new();
    let batches_a = sources(&shape.batch_a, &shape.batch);
    let batches_b = sources(&shape.batch_b, &shape.batch);
    for (batch_a, batch_b) in batches_a.into_iter().zip(batches_b) {
        let a = &a[batch_a * m * k..][..m * k];
        let b = &b[batch_b * k * n..][..k * n];
        for row in a.chunks_exact(k) {
            let mut sums = vec![0.0; n];
            for (factor, row) in row.iter().zip(b.chunks_exact(n)) {
                for (sum, value) in sums.iter_mut().zip(row) {
                    *sum += factor * value;
                }
            }
            result.extend(sums);
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
