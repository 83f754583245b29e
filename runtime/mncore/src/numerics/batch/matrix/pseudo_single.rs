//! Pseudo-single precision: matrices of 8 x 8.

use multiversion::multiversion;
use multiversion::target::match_target;

use super::super::super::block::PSEUDO_MANTISSA_BITS;
use super::super::super::format::{self, Format};
use super::super::super::matrix;
use crate::geometry::Geometry;

use super::{accumulate, elements, plain_singles, slot_of_row, store, weight, Kernel, Longs};

const ROWS: usize = 8;
const DROPPED: u32 = format::Single::MANTISSA_BITS - PSEUDO_MANTISSA_BITS;

/// Pseudo-single precision.
#[derive(Clone, Copy, Debug)]
pub struct PseudoSingle;

/// A decoded matrix.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct Matrix {
    /// Signed mantissas: for each column every row, by slots.
    columns: [[f64; ROWS]; 8],
    /// The weight of a mantissa's lowest bit, by slots.
    weights: [f64; ROWS],
    /// The rows, one bit each, that are finite blocks.
    plain: u8,
}

impl Default for Matrix {
    fn default() -> Self {
        Matrix {
            columns: [[0.0; ROWS]; 8],
            weights: [weight::<format::Single>(0, PSEUDO_MANTISSA_BITS); ROWS],
            plain: u8::MAX,
        }
    }
}

/// A block: signed mantissas from the low ends of long words, the exponent field, whether both are what they seem.
#[inline(always)]
fn decode(longs: &Longs) -> ([f64; 8], u32, bool) {
    const KEPT: u32 = format::Single::MANTISSA as u32 >> DROPPED << DROPPED;
    let words: [u32; 8] = elements(longs);
    let (field, plain) = plain_singles(longs, 0x1_0000_0001, KEPT);
    let mantissas = words.map(|word| {
        let magnitude = ((word & KEPT) >> DROPPED) as i32;
        let sign = word as i32 >> 31;
        f64::from((magnitude ^ sign) - sign)
    });
    (mantissas, field, plain)
}

impl Kernel for PseudoSingle {
    type Matrix = Matrix;
    type Plain = matrix::PseudoSingleBlocks;
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
        for (column, mantissa) in matrix.columns.iter_mut().zip(mantissas) {
            column[slot] = mantissa;
        }
        matrix.weights[slot] = weight::<format::Single>(u64::from(field), PSEUDO_MANTISSA_BITS);
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
    let mut vectors = [([0.0; 8], 0); Geometry::BOARD.mabs];
    for (mab, (decoded, vector)) in vectors.iter_mut().zip(vector).enumerate() {
        let (mantissas, field, plain) = decode(vector);
        *decoded = (mantissas, field);
        left |= u32::from(!plain) << mab;
    }
    let operands = vectors.iter().zip(addends).zip(results);
    for (mab, (((x, field), addends), results)) in operands.enumerate() {
        let matrix = &matrices[mab * stride];
        let mut sums = [0.0; ROWS];
        for (column, x) in matrix.columns.iter().zip(x) {
            for (sum, mantissa) in sums.iter_mut().zip(column) {
                *sum = fused(*mantissa, *x, *sum);
            }
        }
        let scale = weight::<format::Single>(u64::from(*field), PSEUDO_MANTISSA_BITS);
        let (words, finite) = accumulate(sums, &matrix.weights, scale, elements(addends));
        store(words, results);
        left |= u32::from(!(finite && matrix.plain == u8::MAX)) << mab;
    }
    left
}
