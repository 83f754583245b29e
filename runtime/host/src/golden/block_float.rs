//! What products of block floats may be off.
//!
//! The factors of a block of terms have one exponent, the greatest; a factor loses up to `factor`
//! of the greatest by that. Products of a block are added without loss, and with the sum so far
//! rounded once. With `M` the sum over blocks of `max|a| Σ|b| + max|b| Σ|a|` and `P` the greatest
//! partial sum, a product may be off by
//!
//! `factor · M + (blocks + network_roundings) · sum · P + result · |C|`
//!
//! Sums may be made in parts, which places of the chip have, and which networks join: any blocks in
//! any order, so that `P` is at most `Σ|a b|`. Sums that are made in order have no networks, and
//! `P` is the greatest after any block. [`BlockFloatMatmul`] has what a precision loses of each.

use tessera_ops::eval::{
    block_exponent_loss, matmul_with_statistic, with_factors, Array, TermStatistic,
};
use tessera_program::Product;
use tessera_reference::EvalError;

use super::numerics::{BlockFloatMatmul, UNDERFLOW};

impl BlockFloatMatmul {
    /// The sums of a product of two factors, and what they may be off, if magnitudes of the chip's
    /// factors are at most `most`. `propagated_error` is what the sums are off since the factors are.
    pub(super) fn product(
        self,
        product: &Product,
        [a, b]: [&Array; 2],
        most: [&Array; 2],
        propagated_error: Option<Array>,
    ) -> Result<(Array, Array), EvalError> {
        let statistic = match self.network_roundings {
            // In order, block by block.
            None => TermStatistic::Nothing,
            // Any blocks in any order: no partial sum is greater than all magnitudes.
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

    /// What the factors of blocks lose that have one exponent, of which each loses `factor`.
    fn lost(self, product: &Product, most: [&Array; 2]) -> Result<Vec<f64>, EvalError> {
        // What is lost below the least is as much as a factor of this size would lose.
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

    /// What a bias of a magnitude adds to what a product over `k` terms is off: sums may begin with
    /// it.
    pub(super) fn bias(self, k: u64, bias: f64) -> f64 {
        (self.rounds(k) * self.sum + self.result) * bias
    }

    /// Returns how often the sums of a product over `k` terms are rounded.
    fn rounds(self, k: u64) -> f64 {
        let terms = match self.interleaved {
            Some(neighbours) => k.next_multiple_of(neighbours as u64),
            None => k,
        };
        terms.div_ceil(self.terms as u64) as f64 + self.network_roundings.unwrap_or(0.0)
    }

    /// Returns the left or the right factor with its terms in the order in which they are
    /// multiplied.
    fn in_order(self, product: &Product, which: usize, factor: &Array) -> Array {
        let Some(neighbours) = self.interleaved else {
            return factor.clone();
        };
        let rank = factor.shape.len();
        // Of a vector the terms are all there is.
        let is_last = product.transposed[which] == (which == 1);
        let dimension = match is_last || rank == 1 {
            true => rank - 1,
            false => rank - 2,
        };
        interleaved(factor, dimension, neighbours)
    }
}

/// Of each so many neighbours of a dimension first the even ones, then the odd ones, zeros behind
/// the last.
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
