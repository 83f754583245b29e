//! Pseudo-single precision: 8×8 matrices.

use super::super::super::block::PSEUDO_MANTISSA_BITS;
use super::super::super::format::{self, Format};
use super::super::super::matrix;
use super::doubles::{self, Block, Matrix, Mode};
use super::{elements, plain_singles, Kernel, Longs};

const DROPPED: u32 = format::Single::MANTISSA_BITS - PSEUDO_MANTISSA_BITS;

/// Pseudo-single precision.
#[derive(Clone, Copy, Debug)]
pub struct PseudoSingle;

/// The mantissa bits that elements keep.
const KEPT: u32 = format::Single::MANTISSA as u32 >> DROPPED << DROPPED;

/// Returns the signed mantissa of an element.
#[inline(always)]
fn mantissa(word: u32) -> f64 {
    let (magnitude, sign) = (((word & KEPT) >> DROPPED) as i32, word as i32 >> 31);
    f64::from((magnitude ^ sign) - sign)
}

impl Mode<8> for PseudoSingle {
    const MANTISSA_BITS: u32 = PSEUDO_MANTISSA_BITS;

    /// Decodes the signed mantissas in memory order.
    #[inline(always)]
    fn row(longs: &Longs) -> Block<8> {
        let words: [u32; 8] = elements(longs);
        let (field, plain) = Self::field(longs);
        Block {
            factors: words.map(mantissa),
            field,
            plain,
        }
    }

    #[inline(always)]
    fn vector_factors(vectors: &[Longs], factors: &mut [[f64; 8]]) {
        let factors = factors.as_flattened_mut().iter_mut();
        if cfg!(target_endian = "little") {
            let words: &[u32] = bytemuck::cast_slice(vectors);
            (factors.zip(words)).for_each(|(factor, word)| *factor = mantissa(*word));
        } else {
            let words = vectors.iter().flat_map(elements::<[u32; 8]>);
            (factors.zip(words)).for_each(|(factor, word)| *factor = mantissa(word));
        }
    }

    #[inline(always)]
    fn field(longs: &Longs) -> (u32, bool) {
        plain_singles(longs, 0x1_0000_0001, KEPT)
    }
}

impl Kernel for PseudoSingle {
    type Matrix = Matrix<8>;
    type Plain = matrix::PseudoSingleBlocks;
    const ROWS: usize = doubles::ROWS;

    fn set_row(matrices: &mut [Matrix<8>], row: usize, longs: &[Longs]) {
        doubles::set_row::<Self, 8>(matrices, row, longs);
    }

    fn fma(
        matrices: &[Matrix<8>],
        vector: &[Longs],
        (high, _): (&[Longs], &[Longs]),
        (to_high, to_low): (&mut [Longs], &mut [Longs]),
    ) -> u32 {
        to_low.fill([0; 4]);
        doubles::fma::<Self, 8>(matrices, vector, high, to_high)
    }
}
