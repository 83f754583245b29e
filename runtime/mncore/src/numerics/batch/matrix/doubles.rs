//! Matrices of eight rows of single precision words, multiplied in doubles: the common part of
//! pseudo-single and single precision.

use multiversion::multiversion;
use multiversion::target::match_target;

use super::super::super::format;
use super::{accumulate, elements, slot_of_row, store, weight, Longs};
use crate::geometry::Geometry;

/// The number of rows of a matrix.
pub const ROWS: usize = 8;

/// A precision mode that sums `TERMS` exact products of doubles.
pub trait Mode<const TERMS: usize> {
    /// The number of mantissa bits of an element.
    const MANTISSA_BITS: u32;
    /// Decodes a row of a matrix.
    fn row(longs: &Longs) -> Block<TERMS>;
    /// Decodes the factors of the vectors of many MABs.
    fn vector_factors(vectors: &[Longs], factors: &mut [[f64; TERMS]]);
    /// Returns the common exponent field of a block and whether it is finite and valid.
    fn field(longs: &Longs) -> (u32, bool);
}

/// A decoded block.
#[derive(Clone, Copy, Debug)]
pub struct Block<const TERMS: usize> {
    /// The factors of its products, in units of the lowest mantissa bit.
    pub factors: [f64; TERMS],
    /// The common exponent field.
    pub field: u32,
    /// Whether the block is finite and valid; if not, the other fields are not significant.
    pub plain: bool,
}

/// A decoded matrix.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct Matrix<const TERMS: usize> {
    /// For each term, the factors of every row, in slot order.
    columns: [[f64; ROWS]; TERMS],
    /// The weight of the lowest mantissa bit of each row, in slot order.
    weights: [f64; ROWS],
    /// The set of rows that are finite blocks, one bit each.
    plain: u8,
}

impl<const TERMS: usize> Default for Matrix<TERMS> {
    fn default() -> Self {
        Matrix {
            columns: [[0.0; ROWS]; TERMS],
            weights: [1.0; ROWS],
            plain: u8::MAX,
        }
    }
}

/// Implements [`super::Kernel::set_row`].
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx+avx2+bmi1+bmi2+fma",
    "x86_64+avx+avx2+bmi1+bmi2+fma"
))]
pub fn set_row<M: Mode<TERMS>, const TERMS: usize>(
    matrices: &mut [Matrix<TERMS>],
    row: usize,
    longs: &[Longs],
) {
    let slot = slot_of_row(row, ROWS);
    for (matrix, longs) in matrices.iter_mut().zip(longs) {
        let block = M::row(longs);
        for (column, factor) in matrix.columns.iter_mut().zip(block.factors) {
            column[slot] = factor;
        }
        matrix.weights[slot] = weight::<format::Single>(u64::from(block.field), M::MANTISSA_BITS);
        matrix.plain = matrix.plain & !(1 << row) | u8::from(block.plain) << row;
    }
}

/// Implements [`super::Kernel::fma`], without the second long words.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx+avx2+bmi1+bmi2+fma",
    "x86_64+avx+avx2+bmi1+bmi2+fma"
))]
pub fn fma<M: Mode<TERMS>, const TERMS: usize>(
    matrices: &[Matrix<TERMS>],
    vector: &[Longs],
    addends: &[Longs],
    results: &mut [Longs],
) -> u32 {
    let (mut left, stride) = (0, usize::from(matrices.len() > 1));
    // Both variants are exact; fused multiply-add would be slow without hardware support.
    let fused = match_target! {
        "x86_64+fma" => f64::mul_add,
        _ => |a: f64, b: f64, c: f64| a * b + c,
    };
    // All vectors first, as compilers vectorise this best.
    let mut factors = [[0.0; TERMS]; Geometry::BOARD.mabs];
    M::vector_factors(vector, &mut factors);
    let operands = vector.iter().zip(&factors).zip(addends).zip(results);
    for (mab, (((vector, factors), addends), results)) in operands.enumerate() {
        let (field, plain) = M::field(vector);
        let matrix = &matrices[mab * stride];
        let mut sums = [0.0; ROWS];
        for (column, x) in matrix.columns.iter().zip(factors) {
            for (sum, factor) in sums.iter_mut().zip(column) {
                *sum = fused(*factor, *x, *sum);
            }
        }
        let scale = weight::<format::Single>(u64::from(field), M::MANTISSA_BITS);
        let (words, finite) = accumulate(sums, &matrix.weights, scale, elements(addends));
        store(words, results);
        left |= u32::from(!(plain && finite && matrix.plain == u8::MAX)) << mab;
    }
    left
}
