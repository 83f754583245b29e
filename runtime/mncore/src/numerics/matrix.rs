//! Matrix-vector fused multiply-add of the MAU (section 4.5; instructions 3.6.9.2 to 3.6.9.9).
//!
//! One output element is the inner product of a matrix row and the vector, both in block float,
//! plus an addend. The products are summed exactly as integers. The sum and the addend are rounded
//! once, as in [`super::vector`]. Single and double precision omit the lowest partial products of
//! each element product.
//!
//! Decoding a block ([`Precision::decode`]) is separate from multiplying it: a row is decoded once
//! when the matrix register is written, and used for many vectors. The words of a block are in the
//! order of [`super::block::split`].
//!
//! Recorded as undetermined: unequal exponents in a block, infinite blocks, and the rounding of
//! products of extended elements.

use super::block::{EXTENSION, PSEUDO_MANTISSA_BITS};
use super::exact::{shift_nearest_even, Exact, SumWord};
use super::format::{
    classify, exponent, is_negative, mantissa, Class, Double, Format, Half, Single,
};
use super::product;
use crate::undetermined::{Undetermined, UndeterminedSet};

/// A decoded block of `N` elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block<T, const N: usize> {
    /// The common exponent field.
    pub(super) exponent: u16,
    /// Bit `i` is set if element `i` has the extended form.
    pub(super) extended: u16,
    /// Signed mantissas.
    pub(super) mantissas: [T; N],
}

/// A decoded block, independent of its element type.
pub trait Decoded: Copy {
    /// Returns the common exponent field.
    fn exponent(&self) -> u16;
}

impl<T: Copy, const N: usize> Decoded for Block<T, N> {
    fn exponent(&self) -> u16 {
        self.exponent
    }
}

/// A precision mode of the matrix operations.
pub trait Precision {
    /// The format of a block float word.
    type Word: Format;
    /// The format of the addend, and of the output without `r`.
    type Accumulator: Format;
    /// A decoded block.
    type Block: Decoded;
    /// The integer type of the sum.
    type Sum: SumWord;
    /// The number of elements in a block.
    const SIZE: usize;
    /// The number of mantissa bits that are multiplied.
    const MANTISSA_BITS: u32;

    /// Decodes the first [`Precision::SIZE`] words.
    fn decode(words: &[u64], undetermined: &mut UndeterminedSet) -> Self::Block;
    /// Returns the exact inner product of the mantissas of two blocks: whether it is negative, and
    /// its magnitude.
    fn dot(
        row: &Self::Block,
        vector: &Self::Block,
        undetermined: &mut UndeterminedSet,
    ) -> (bool, Self::Sum);
}

/// Half precision: 16 elements, single precision accumulation.
#[derive(Clone, Copy, Debug)]
pub struct HalfBlocks;
/// Pseudo-single precision: 8 singles with 18 mantissa bits.
#[derive(Clone, Copy, Debug)]
pub struct PseudoSingleBlocks;
/// Single precision: 4 elements.
#[derive(Clone, Copy, Debug)]
pub struct SingleBlocks;
/// Double precision: 4 elements.
#[derive(Clone, Copy, Debug)]
pub struct DoubleBlocks;

/// Returns `row · vector + c`. `c` is in the accumulator format; the result is a normalised word of
/// `O`.
#[inline]
pub fn fma<P: Precision, O: Format>(
    row: &P::Block,
    vector: &P::Block,
    c: u64,
    undetermined: &mut UndeterminedSet,
) -> u64 {
    let is_infinite = |block: &P::Block| u64::from(block.exponent()) == P::Word::TOP_EXPONENT;
    if is_infinite(row) || is_infinite(vector) {
        undetermined.add(Undetermined::InfiniteBlock);
        return O::INFINITY;
    }
    if classify::<P::Accumulator>(c) == Class::Infinite {
        let negative = is_negative::<P::Accumulator>(c);
        return O::INFINITY | if negative { O::SIGN } else { 0 };
    }
    let addend = Exact::from_finite::<P::Accumulator>(c);
    let (negative, magnitude) = P::dot(row, vector, undetermined);
    let product = Exact {
        negative,
        magnitude,
        exponent: product_exponent::<P>(row.exponent(), vector.exponent()),
    };
    product.add_exact(addend).round::<O>()
}

/// Returns the weight of the lowest bit of a product of two mantissas, as a power of two.
fn product_exponent<P: Precision>(a: u16, b: u16) -> i32 {
    // A mantissa has one bit above the binary point and P::MANTISSA_BITS - 1 below it.
    i32::from(a) + i32::from(b) - 2 * (P::Word::BIAS + P::MANTISSA_BITS as i32 - 1)
}

/// Decodes a block. The low `drop` mantissa bits are ignored. If `extensible`, words with exponent
/// zero have the extended form.
fn decode<F: Format, T: Default + Copy, const N: usize>(
    words: &[u64],
    drop: u32,
    extensible: bool,
    signed: impl Fn(bool, u64) -> T,
    undetermined: &mut UndeterminedSet,
) -> Block<T, N> {
    let common = words[..N].iter().map(|&word| exponent::<F>(word)).max();
    let common = common.unwrap_or(0);
    let mut block = Block {
        exponent: common as u16,
        extended: 0,
        mantissas: [T::default(); N],
    };
    // The common case in a form that compilers vectorise: all exponents are equal, and zero
    // exponents occur only with zero words.
    let exponents = words[..N]
        .iter()
        .fold(0, |all, &word| all | (exponent::<F>(word) ^ common));
    let mantissas = words[..N]
        .iter()
        .fold(0, |all, &word| all | mantissa::<F>(word) >> drop);
    if exponents == 0 && (common != 0 || mantissas == 0) {
        for (to, &word) in block.mantissas.iter_mut().zip(words) {
            *to = signed(is_negative::<F>(word), mantissa::<F>(word) >> drop);
        }
        return block;
    }
    for (index, &word) in words[..N].iter().enumerate() {
        let mantissa = mantissa::<F>(word) >> drop;
        let extended = extensible && exponent::<F>(word) == 0 && common != 0;
        if (exponent::<F>(word) != common && !extended) || (common == 0 && mantissa != 0) {
            undetermined.add(Undetermined::UnequalExponents);
            continue;
        }
        block.extended |= u16::from(extended && mantissa != 0) << index;
        block.mantissas[index] = signed(is_negative::<F>(word), mantissa);
    }
    block
}

fn signed(negative: bool, magnitude: u64) -> i64 {
    if negative {
        -(magnitude as i64)
    } else {
        magnitude as i64
    }
}

/// Sums the products of signed mantissas; `product` multiplies magnitudes.
#[inline]
fn sum<const N: usize>(
    a: &Block<i64, N>,
    b: &Block<i64, N>,
    product: impl Fn(u64, u64) -> i128,
) -> i128 {
    let mut sum = 0;
    for (&a, &b) in a.mantissas.iter().zip(&b.mantissas) {
        let magnitude = product(a.unsigned_abs(), b.unsigned_abs());
        sum += if (a < 0) == (b < 0) {
            magnitude
        } else {
            -magnitude
        };
    }
    sum
}

impl Precision for HalfBlocks {
    type Word = Half;
    type Accumulator = Single;
    type Block = Block<i16, 16>;
    type Sum = u64;
    const SIZE: usize = 16;
    const MANTISSA_BITS: u32 = Half::MANTISSA_BITS;

    fn decode(words: &[u64], undetermined: &mut UndeterminedSet) -> Self::Block {
        let signed = |negative, magnitude| signed(negative, magnitude) as i16;
        decode::<Half, i16, 16>(words, 0, true, signed, undetermined)
    }

    #[inline]
    fn dot(
        row: &Self::Block,
        vector: &Self::Block,
        undetermined: &mut UndeterminedSet,
    ) -> (bool, u64) {
        let sum = if row.extended | vector.extended == 0 {
            let mut sum = 0i32;
            for (&a, &b) in row.mantissas.iter().zip(&vector.mantissas) {
                sum += i32::from(a) * i32::from(b);
            }
            sum
        } else {
            extended_sum(row, vector, undetermined)
        };
        (sum < 0, u64::from(sum.unsigned_abs()))
    }
}

/// Returns the inner product if any element has the extended form: its products are shifted and
/// rounded before summation.
fn extended_sum(
    row: &Block<i16, 16>,
    vector: &Block<i16, 16>,
    undetermined: &mut UndeterminedSet,
) -> i32 {
    let mut sum = 0;
    for index in 0..16 {
        let extended = (row.extended >> index & 1) + (vector.extended >> index & 1);
        let shift = u32::from(extended) * EXTENSION;
        let product = i32::from(row.mantissas[index]) * i32::from(vector.mantissas[index]);
        let magnitude = u64::from(product.unsigned_abs());
        let shifted = shift_nearest_even(magnitude, shift);
        undetermined.add_if(shifted << shift != magnitude, Undetermined::ExtendedProduct);
        sum += product.signum() * shifted as i32;
    }
    sum
}

impl Precision for PseudoSingleBlocks {
    type Word = Single;
    type Accumulator = Single;
    type Block = Block<i64, 8>;
    type Sum = u64;
    const SIZE: usize = 8;
    const MANTISSA_BITS: u32 = PSEUDO_MANTISSA_BITS;

    fn decode(words: &[u64], undetermined: &mut UndeterminedSet) -> Self::Block {
        let drop = Single::MANTISSA_BITS - PSEUDO_MANTISSA_BITS;
        decode::<Single, i64, 8>(words, drop, false, signed, undetermined)
    }

    #[inline]
    fn dot(row: &Self::Block, vector: &Self::Block, _: &mut UndeterminedSet) -> (bool, u64) {
        let mut sum = 0;
        for (&a, &b) in row.mantissas.iter().zip(&vector.mantissas) {
            sum += a * b;
        }
        (sum < 0, sum.unsigned_abs())
    }
}

impl Precision for SingleBlocks {
    type Word = Single;
    type Accumulator = Single;
    type Block = Block<i64, 4>;
    type Sum = u64;
    const SIZE: usize = 4;
    const MANTISSA_BITS: u32 = Single::MANTISSA_BITS;

    fn decode(words: &[u64], undetermined: &mut UndeterminedSet) -> Self::Block {
        decode::<Single, i64, 4>(words, 0, false, signed, undetermined)
    }

    #[inline]
    fn dot(row: &Self::Block, vector: &Self::Block, _: &mut UndeterminedSet) -> (bool, u64) {
        let sum = sum(row, vector, |a, b| {
            i128::from(product::multiply_single(a, b))
        }) as i64;
        (sum < 0, sum.unsigned_abs())
    }
}

impl Precision for DoubleBlocks {
    type Word = Double;
    type Accumulator = Double;
    type Block = Block<i64, 4>;
    type Sum = u128;
    const SIZE: usize = 4;
    const MANTISSA_BITS: u32 = Double::MANTISSA_BITS;

    fn decode(words: &[u64], undetermined: &mut UndeterminedSet) -> Self::Block {
        decode::<Double, i64, 4>(words, 0, false, signed, undetermined)
    }

    #[inline]
    fn dot(row: &Self::Block, vector: &Self::Block, _: &mut UndeterminedSet) -> (bool, u128) {
        let sum = sum(row, vector, |a, b| product::multiply_double(a, b) as i128);
        (sum < 0, sum.unsigned_abs())
    }
}

#[cfg(test)]
mod tests;
