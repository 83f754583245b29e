//! Single precision: matrices of 8 x 4. The products omit the partial products of the mantissas' five lowest bits, but for
//! a correction (section 4.5).

use multiversion::multiversion;
use multiversion::target::match_target;

use super::super::super::format::{self, Format};
use super::super::super::matrix;
use crate::geometry::Geometry;

use super::{accumulate, elements, plain_singles, slot_of_row, store, weight, Kernel, Longs};

const ROWS: usize = 8;
const MANTISSA: u32 = format::Single::MANTISSA as u32;
const MANTISSA_BITS: u32 = format::Single::MANTISSA_BITS;

/// Single precision.
#[derive(Clone, Copy, Debug)]
pub struct Single;

/// A decoded matrix.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct Matrix {
    /// For each column and every row, by slots: signed mantissas, their low bits, and the low bits' signs.
    columns: [[[f64; ROWS]; 3]; 4],
    /// The weight of a mantissa's lowest bit, by slots.
    weights: [f64; ROWS],
    /// The rows, one bit each, that are finite blocks.
    plain: u8,
}

impl Default for Matrix {
    fn default() -> Self {
        Matrix {
            columns: [[[0.0; ROWS]; 3]; 4],
            weights: [weight::<format::Single>(0, MANTISSA_BITS); ROWS],
            plain: u8::MAX,
        }
    }
}

/// A block, of the upper words of long words: signed mantissas, the exponent field, whether both are what they seem.
#[inline(always)]
fn decode(longs: &Longs) -> ([i32; 4], u32, bool) {
    let words: [u32; 4] = std::array::from_fn(|pe| (longs[pe] >> 32) as u32);
    let (field, plain) = plain_singles(longs, 1 << 32, MANTISSA);
    let mantissas = words.map(|word| {
        let (magnitude, sign) = ((word & MANTISSA) as i32, word as i32 >> 31);
        (magnitude ^ sign) - sign
    });
    (mantissas, field, plain)
}

/// A mantissa, the five lowest bits of its magnitude with its sign, and that sign: zero if those bits are.
#[inline(always)]
fn parts(mantissa: i32) -> [f64; 3] {
    // The remainder of a truncating division has the sign of the dividend.
    let low = mantissa % 32;
    [mantissa, low, low.signum()].map(f64::from)
}

/// What multiplies the [`parts`] of a row's mantissa: the mantissa, minus what is omitted, plus the product of the two highest
/// omitted bits, which is bit 8 of the product.
#[inline(always)]
fn factors(mantissa: i32) -> [f64; 3] {
    let [mantissa, low, sign] = parts(mantissa);
    [mantissa, -low, sign * 256.0]
}

impl Kernel for Single {
    type Matrix = Matrix;
    type Plain = matrix::SingleBlocks;
    const ROWS: usize = ROWS;

    fn set_row(matrices: &mut [Matrix], row: usize, longs: &[Longs]) {
        set_row(matrices, row, longs);
    }

    fn fma(
        matrices: &[Matrix],
        vector: &[Longs],
        (high, _): (&[Longs], &[Longs]),
        (to_high, to_low): (&mut [Longs], &mut [Longs]),
    ) -> u32 {
        to_low.fill([0; 4]);
        fma(matrices, vector, high, to_high)
    }
}

#[multiversion(targets("x86_64+avx+avx2+bmi1+bmi2+fma"))]
fn set_row(matrices: &mut [Matrix], row: usize, longs: &[Longs]) {
    let slot = slot_of_row(row, ROWS);
    for (matrix, longs) in matrices.iter_mut().zip(longs) {
        let (mantissas, field, plain) = decode(longs);
        for (columns, mantissa) in matrix.columns.iter_mut().zip(mantissas) {
            for (column, part) in columns.iter_mut().zip(parts(mantissa)) {
                column[slot] = part;
            }
        }
        matrix.weights[slot] = weight::<format::Single>(u64::from(field), MANTISSA_BITS);
        matrix.plain = matrix.plain & !(1 << row) | u8::from(plain) << row;
    }
}

#[multiversion(targets("x86_64+avx+avx2+bmi1+bmi2+fma"))]
fn fma(matrices: &[Matrix], vector: &[Longs], addends: &[Longs], results: &mut [Longs]) -> u32 {
    let (mut left, stride) = (0, usize::from(matrices.len() > 1));
    // Both are exact; without the instruction, the fused one would be slow.
    let fused = match_target! {
        "x86_64+fma" => f64::mul_add,
        _ => |a: f64, b: f64, c: f64| a * b + c,
    };
    // All vectors first: their elements are then read from memory, into whole registers.
    let mut vectors = [([[0.0; 3]; 4], 0); Geometry::BOARD.mabs];
    for (mab, (factors, vector)) in vectors.iter_mut().zip(vector).enumerate() {
        let (mantissas, field, plain) = decode(vector);
        *factors = (mantissas.map(self::factors), field);
        left |= u32::from(!plain) << mab;
    }
    let operands = vectors.iter().zip(addends).zip(results);
    for (mab, (((x, field), addends), results)) in operands.enumerate() {
        let matrix = &matrices[mab * stride];
        let mut sums = [0.0; ROWS];
        let columns = matrix.columns.as_flattened();
        for (column, factor) in columns.iter().zip(x.as_flattened()) {
            for (sum, part) in sums.iter_mut().zip(column) {
                *sum = fused(*part, *factor, *sum);
            }
        }
        let scale = weight::<format::Single>(u64::from(*field), MANTISSA_BITS);
        let (words, finite) = accumulate(sums, &matrix.weights, scale, elements(addends));
        store(words, results);
        left |= u32::from(!(finite && matrix.plain == u8::MAX)) << mab;
    }
    left
}
