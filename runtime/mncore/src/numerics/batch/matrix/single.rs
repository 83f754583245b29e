//! Single precision: 8×4 matrices. Products omit the partial products of the five lowest bits of
//! both mantissas, except for a correction (section 4.5). So each element contributes three exact
//! products: the full product, minus the omitted part, plus the correction.

use super::super::super::format::{self, Format};
use super::super::super::matrix;
use super::doubles::{self, Block, Matrix, Mode};
use super::{plain_singles, Kernel, Longs};

/// Single precision.
#[derive(Clone, Copy, Debug)]
pub struct Single;

const MANTISSA: u32 = format::Single::MANTISSA as u32;

/// Decodes the upper words of long words; each signed mantissa gives three factors.
#[inline(always)]
fn decode(longs: &Longs, factors: impl Fn(i32) -> [f64; 3]) -> [f64; 12] {
    let mut all = [0.0; 12];
    for (three, long) in all.chunks_exact_mut(3).zip(longs) {
        let word = (long >> 32) as u32;
        let (magnitude, sign) = ((word & MANTISSA) as i32, word as i32 >> 31);
        three.copy_from_slice(&factors((magnitude ^ sign) - sign));
    }
    all
}

/// Returns a mantissa, the five lowest bits of its magnitude with its sign, and that sign, which is
/// zero if those bits are zero.
#[inline(always)]
fn parts(mantissa: i32) -> [f64; 3] {
    // The remainder of a truncating division has the sign of the dividend.
    let low = mantissa % 32;
    [mantissa, low, low.signum()].map(f64::from)
}

impl Mode<12> for Single {
    const MANTISSA_BITS: u32 = format::Single::MANTISSA_BITS;

    #[inline(always)]
    fn row(longs: &Longs) -> Block<12> {
        let (field, plain) = Self::field(longs);
        Block {
            factors: decode(longs, parts),
            field,
            plain,
        }
    }

    #[inline(always)]
    fn vector_factors(vectors: &[Longs], factors: &mut [[f64; 12]]) {
        for (longs, factors) in vectors.iter().zip(factors) {
            *factors = decode(longs, |mantissa| {
                let [mantissa, low, sign] = parts(mantissa);
                // The full product, minus the omitted part, plus the product of the two highest
                // omitted bits, which is bit 8 of the product.
                [mantissa, -low, sign * 256.0]
            });
        }
    }

    #[inline(always)]
    fn field(longs: &Longs) -> (u32, bool) {
        plain_singles(longs, 1 << 32, MANTISSA)
    }
}

impl Kernel for Single {
    type Matrix = Matrix<12>;
    type Plain = matrix::SingleBlocks;
    const ROWS: usize = doubles::ROWS;

    fn set_row(matrices: &mut [Matrix<12>], row: usize, longs: &[Longs]) {
        doubles::set_row::<Self, 12>(matrices, row, longs);
    }

    fn fma(
        matrices: &[Matrix<12>],
        vector: &[Longs],
        (high, _): (&[Longs], &[Longs]),
        (to_high, to_low): (&mut [Longs], &mut [Longs]),
    ) -> u32 {
        to_low.fill([0; 4]);
        doubles::fma::<Self, 12>(matrices, vector, high, to_high)
    }
}
