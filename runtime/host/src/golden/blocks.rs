//! What products on MN-Core 2 may be off, in each precision (manual, sections 4.3 to 4.5).
//!
//! The factors of a block of terms have one exponent, the greatest; a factor loses up to `factor`
//! of the greatest by that. Products of a block are added without loss, and with the sum so far
//! rounded once. With `M` the sum over blocks of `max|a| Σ|b| + max|b| Σ|a|` and `P` the greatest
//! partial sum, a product may be off by
//!
//! `factor · M + (blocks + networks) · sum · P + result · |C|`
//!
//! | precision | block | factor | sum | networks | result |
//! |---|---|---|---|---|---|
//! | half | 16 | 2^-9 for the exponent, 2^-10 for narrowing to half; both factors at once | 2^-24 | 10 | |
//! | pseudo-single | 8 | 2^-18 (1 + 2^-17) | 2^-24 | 10 | |
//! | single | 4, of 8 neighbours the even ones, then the odd ones | 2^-23 (1 + 2^-10) | 2^-24 | 10 | |
//! | double | as single | 2^-52 (1 + 2^-10) | 5 · 2^-53 | 0 | 2^-24 |
//!
//! Sums of singles may be made in parts, which places of the chip have, and which networks join:
//! any blocks in any order, so that `P` is at most `Σ|a b|`. A network has up to five stages, of up
//! to eight numbers each; at each of them what is shifted out beyond three bits is rounded, at most
//! 7/16 of a last bit, and their sum, half a last bit (4.2.1): less than two roundings. Sums of
//! doubles are made in order, and `P` is the greatest after any block.
//!
//! In single and double precision the last bits of both factors are not multiplied with one
//! another: less than 2^-10 of what the exponent costs. The reference adds in doubles itself, hence
//! four of the five roundings. In half precision a factor below 2^-30 is zero; beyond 2^32 it is no
//! number, and no bound holds.

use tessera_isa_mncore::memory::Precision;
use tessera_isa_mncore::table::mau::block_terms;
use tessera_ops::eval::{block_magnitudes, matmul_beside, with_factors, Array, Beside};
use tessera_program::Product;
use tessera_reference::EvalError;

use super::chip::{F32_LOSS, UNDERFLOW};

/// Neighbours of which even and odd ones are blocks of their own in single and double precision.
const NEIGHBOURS: usize = 8;

/// Two roundings for each of five stages.
const NETWORKS: f64 = 10.0;

/// How a precision multiplies.
#[derive(Debug, Clone, Copy)]
pub struct Blocks {
    /// Terms of a block.
    terms: usize,
    /// Whether blocks are the even and the odd ones of neighbours.
    parted: bool,
    /// What a factor loses, relative to the greatest of its block.
    factor: f64,
    /// What a sum loses after a block, relative to it.
    sum: f64,
    /// How many roundings more sums that are made in parts have, in networks; none if they are made
    /// in order.
    networks: f64,
    /// What the result loses, relative to it.
    result: f64,
    /// Below this a factor is zero.
    least: f64,
}

/// A power of two.
const fn bits(count: u32) -> f64 {
    1.0 / (1_u64 << count) as f64
}

impl Blocks {
    /// Those of a precision.
    pub fn of(precision: Precision) -> Self {
        let terms = block_terms(precision).into();
        let blocks = |factor: f64| Blocks {
            terms,
            parted: terms < NEIGHBOURS,
            factor,
            sum: F32_LOSS,
            networks: NETWORKS,
            result: 0.0,
            least: 0.0,
        };
        match precision {
            Precision::Half => {
                let factor = bits(9) * (1.0 + bits(8)) * (1.0 + bits(10)) + bits(10);
                // Of 16 terms, what both factors lose at once is at most so much of what they lose
                // one by one.
                let both = 1.0 + 8.0 * factor;
                Blocks {
                    least: bits(30),
                    ..blocks(factor * both)
                }
            }
            Precision::Single => blocks(bits(23) * (1.0 + bits(10))),
            Precision::Double => Blocks {
                sum: 5.0 * bits(53),
                networks: 0.0,
                result: F32_LOSS,
                ..blocks(bits(52) * (1.0 + bits(10)))
            },
            _ => blocks(bits(18) * (1.0 + bits(17))),
        }
    }

    /// The sums of a product of two factors, and what they may be off, if magnitudes of the chip's
    /// factors are at most `most`. `already` is what the sums are off since the factors are.
    pub fn product(
        self,
        product: &Product,
        [a, b]: [&Array; 2],
        most: [&Array; 2],
        already: Option<Array>,
    ) -> Result<(Array, Array), EvalError> {
        let beside = match self.networks == 0.0 {
            // In order, block by block.
            true => Beside::Nothing,
            // Any blocks in any order: no partial sum is greater than all magnitudes.
            false => Beside::Magnitudes,
        };
        let (shape, (sums, mut partials)) =
            with_factors(a, b, product.transposed, |shape, a, b| {
                matmul_beside(shape, a, b, beside)
            })?;
        if partials.is_empty() {
            let [a, b] = [self.in_order(product, 0, a), self.in_order(product, 1, b)];
            let of_blocks = with_factors(&a, &b, product.transposed, |shape, a, b| {
                matmul_beside(shape, a, b, Beside::GreatestPartials(self.terms)).1
            });
            partials = of_blocks?.1;
        }
        let mut errors = self.lost(product, most)?;
        let already = already.map_or_else(|| vec![0.0; errors.len()], |already| already.values);
        let rounds = self.rounds(shape.k);
        for (index, error) in errors.iter_mut().enumerate() {
            *error = self.factor * *error + already[index];
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
            block_magnitudes(shape, a, b, self.terms)
        });
        Ok(lost?.1)
    }

    /// What a bias of a magnitude adds to what a product over `k` terms is off: sums may begin with
    /// it.
    pub fn bias(self, k: u64, bias: f64) -> f64 {
        (self.rounds(k) * self.sum + self.result) * bias
    }

    /// How often the sums of a product over `k` terms are rounded.
    fn rounds(self, k: u64) -> f64 {
        let terms = match self.parted {
            true => k.next_multiple_of(NEIGHBOURS as u64),
            false => k,
        };
        terms.div_ceil(self.terms as u64) as f64 + self.networks
    }

    /// The left or the right factor with its terms in the order in which they are multiplied.
    fn in_order(self, product: &Product, which: usize, factor: &Array) -> Array {
        if !self.parted {
            return factor.clone();
        }
        let rank = factor.shape.len();
        // Of a vector the terms are all there is.
        let is_last = product.transposed[which] == (which == 1);
        let dimension = match is_last || rank == 1 {
            true => rank - 1,
            false => rank - 2,
        };
        parted(factor, dimension)
    }
}

/// Of each eight neighbours of a dimension first the even ones, then the odd ones, zeros behind the
/// last.
fn parted(of: &Array, dimension: usize) -> Array {
    let extent = of.shape[dimension] as usize;
    let inner: usize = of.shape[dimension + 1..].iter().product::<u64>() as usize;
    let padded = extent.next_multiple_of(NEIGHBOURS);
    let mut shape = of.shape.clone();
    shape[dimension] = padded as u64;
    let mut values = Vec::with_capacity(of.values.len() / extent.max(1) * padded);
    for slab in of.values.chunks_exact((extent * inner).max(1)) {
        for at in 0..padded {
            let (block, place) = (at - at % NEIGHBOURS, at % NEIGHBOURS);
            let from = block + place % (NEIGHBOURS / 2) * 2 + place / (NEIGHBOURS / 2);
            match slab.get(from * inner..(from + 1) * inner) {
                Some(row) => values.extend_from_slice(row),
                None => values.extend(std::iter::repeat_n(0.0, inner)),
            }
        }
    }
    Array { shape, values }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_parted() {
        let of = |shape: &[u64], values: &[i32]| Array {
            shape: shape.to_vec(),
            values: values.iter().map(|&value| value.into()).collect(),
        };
        let numbers: Vec<i32> = (1..=20).collect();
        for (given, dimension, expect) in [
            (
                of(&[8], &numbers[..8]),
                0,
                of(&[8], &[1, 3, 5, 7, 2, 4, 6, 8]),
            ),
            (
                of(&[2, 3], &numbers[..6]),
                1,
                of(&[2, 8], &[1, 3, 0, 0, 2, 0, 0, 0, 4, 6, 0, 0, 5, 0, 0, 0]),
            ),
            (
                of(&[3, 2], &numbers[..6]),
                0,
                of(&[8, 2], &[1, 2, 5, 6, 0, 0, 0, 0, 3, 4, 0, 0, 0, 0, 0, 0]),
            ),
        ] {
            let found = parted(&given, dimension);
            assert_eq!((found.shape, found.values), (expect.shape, expect.values));
        }
    }

    /// Share of the greatest that a factor loses and share that a sum loses, in units of 2^-24.
    #[test]
    fn precisions_differ() {
        let units = |precision| {
            let blocks = Blocks::of(precision);
            let losses = [blocks.factor, blocks.sum, blocks.result];
            (
                losses.map(|loss| (loss / bits(24)).round()),
                blocks.networks,
            )
        };
        for (precision, losses, networks) in [
            (Precision::Half, [50_472.0, 1.0, 0.0], 10.0),
            (Precision::Pseudo, [64.0, 1.0, 0.0], 10.0),
            (Precision::Single, [2.0, 1.0, 0.0], 10.0),
            (Precision::Double, [0.0, 0.0, 1.0], 0.0),
        ] {
            assert_eq!(units(precision), (losses, networks), "{precision:?}");
        }
    }
}
