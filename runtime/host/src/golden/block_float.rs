//! Error bounds of matrix products of block floats.
//!
//! The factors of a block of terms share one exponent, that of the greatest. Aligning a factor to
//! it loses up to `factor`, relative to the greatest factor of the block. The products of a block
//! are added without loss; the sum so far is then added and rounded once. Let `M` be the sum over
//! blocks of `max|a| Σ|b| + max|b| Σ|a|`, `P` the greatest magnitude of a partial sum and `C` the
//! result. The error of a product is at most
//!
//! `factor · M + (blocks + networks) · sum · P + result · |C|`
//!
//! Sums may be computed in parts by different units of the chip and joined by reduction networks.
//! The blocks are then added in any order, and `P` is at most `Σ|a b|`. Sums that are computed in
//! order use no networks; `P` is then the greatest partial sum after a block. [`BlockFloatMatmul`]
//! holds the constants of a precision.

use tessera_ops::eval::{
    block_exponent_loss, matmul_with_statistic, with_factors, Array, TermStatistic,
};
use tessera_program::Product;
use tessera_reference::EvalError;

use super::numerics::{BlockFloatMatmul, UNDERFLOW};

impl BlockFloatMatmul {
    /// Returns the sums of a product of two factors and the bounds of their errors. `most` bounds
    /// the magnitudes of the device's factors. `propagated_error` is the error of the sums that
    /// errors of the factors cause.
    pub(super) fn product(
        self,
        product: &Product,
        [a, b]: [&Array; 2],
        most: [&Array; 2],
        propagated_error: Option<Array>,
    ) -> Result<(Array, Array), EvalError> {
        let statistic = match self.network_roundings {
            // Blocks are added in order; the partial sums are computed below.
            None => TermStatistic::Nothing,
            // Blocks are added in any order: the sum of all magnitudes bounds every partial sum.
            Some(_) => TermStatistic::SumOfMagnitudes,
        };
        let (shape, (sums, mut partials)) =
            with_factors(a, b, product.transposed, |shape, a, b| {
                matmul_with_statistic(shape, a, b, statistic)
            })?;
        if partials.is_empty() {
            let [a, b] = [self.in_order(product, 0, a), self.in_order(product, 1, b)];
            let of_blocks = with_factors(&a, &b, product.transposed, |shape, a, b| {
                matmul_with_statistic(shape, a, b, TermStatistic::MaxPartialSum(self.terms)).1
            });
            partials = of_blocks?.1;
        }
        let mut errors = self.lost(product, most)?;
        let propagated_error = propagated_error.map_or_else(
            || vec![0.0; errors.len()],
            |propagated_error| propagated_error.values,
        );
        let rounds = self.rounds(shape.k);
        for (index, error) in errors.iter_mut().enumerate() {
            *error = self.factor * *error + propagated_error[index];
            *error += rounds * (self.sum * (partials[index] + *error) + UNDERFLOW);
            *error += self.result * (sums[index].abs() + *error);
        }
        let array = |values| Array {
            shape: shape.result.clone(),
            values,
        };
        Ok((array(sums), array(errors)))
    }

    /// Returns, for each element, the sum `M` of the module's documentation. Magnitudes include
    /// what flushing small factors to zero loses.
    fn lost(self, product: &Product, most: [&Array; 2]) -> Result<Vec<f64>, EvalError> {
        // A factor below `least` loses as much as aligning a factor of this size would.
        let least = self.least / self.factor;
        let [a, b] = [0, 1].map(|which: usize| {
            let most = most[which].clone().map(|most| most + least);
            self.in_order(product, which, &most)
        });
        let lost = with_factors(&a, &b, product.transposed, |shape, a, b| {
            block_exponent_loss(shape, a, b, self.terms)
        });
        Ok(lost?.1)
    }

    /// Returns the additional error of a product over `k` terms whose sums may begin with a bias of
    /// this magnitude.
    pub(super) fn bias(self, k: u64, bias: f64) -> f64 {
        (self.rounds(k) * self.sum + self.result) * bias
    }

    /// Returns how often the sum of a product over `k` terms is rounded.
    fn rounds(self, k: u64) -> f64 {
        let terms = match self.interleaved {
            Some(neighbours) => k.next_multiple_of(neighbours as u64),
            None => k,
        };
        terms.div_ceil(self.terms as u64) as f64 + self.network_roundings.unwrap_or(0.0)
    }

    /// Returns the left or the right factor with its terms in the order in which the device
    /// multiplies them.
    fn in_order(self, product: &Product, which: usize, factor: &Array) -> Array {
        let Some(neighbours) = self.interleaved else {
            return factor.clone();
        };
        let rank = factor.shape.len();
        // A vector has only the dimension of its terms.
        let is_last = product.transposed[which] == (which == 1);
        let dimension = match is_last || rank == 1 {
            true => rank - 1,
            false => rank - 2,
        };
        interleaved(factor, dimension, neighbours)
    }
}

/// Reorders each group of `neighbours` elements along a dimension: the even ones first, then the
/// odd ones. The last group is padded with zeros.
fn interleaved(of: &Array, dimension: usize, neighbours: usize) -> Array {
    let extent = of.shape[dimension] as usize;
    let inner: usize = of.shape[dimension + 1..].iter().product::<u64>() as usize;
    let padded = extent.next_multiple_of(neighbours);
    let mut shape = of.shape.clone();
    shape[dimension] = padded as u64;
    let mut values = Vec::with_capacity(of.values.len() / extent.max(1) * padded);
    for slab in of.values.chunks_exact((extent * inner).max(1)) {
        for at in 0..padded {
            let (block, place) = (at - at % neighbours, at % neighbours);
            let from = block + place % (neighbours / 2) * 2 + place / (neighbours / 2);
            match slab.get(from * inner..(from + 1) * inner) {
                Some(row) => values.extend_from_slice(row),
                None => values.extend(std::iter::repeat_n(0.0, inner)),
            }
        }
    }
    Array { shape, values }
}

#[cfg(test)]
mod tests;
