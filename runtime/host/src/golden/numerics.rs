//! The arithmetic of a device, as far as the error bounds of its results depend on it.
//!
//! The comparison knows no device. Each device describes its arithmetic by [`Numerics`], from which
//! intervals and bounds are computed. Losses are relative to the quantity that their documentation
//! names. A loss of `2^-24` of a result is half a unit in the last place of f32.

use tessera_pto::bounds::Bounds;

/// Relative error of rounding a result to bf16.
pub const BF16_LOSS: f64 = 1.0 / 256.0;

/// Relative error of rounding a result to f32.
pub const F32_LOSS: f64 = 1.0 / (1 << 24) as f64;

/// The least normal number of f32. Devices may flush smaller magnitudes to zero.
pub const UNDERFLOW: f64 = f32::MIN_POSITIVE as f64;

/// The arithmetic of a device.
#[derive(Debug, Clone, Copy)]
pub struct Numerics {
    /// Error bounds of its element-wise functions.
    pub functions: Bounds,
    /// Error of f32 arithmetic, relative to the result.
    pub rounding: f64,
    /// Arithmetic of element-wise sums and products if an operand is not f32; `None` if it is the
    /// same as for f32.
    pub narrow: Option<NarrowArithmetic>,
    /// Arithmetic of matrix products.
    pub products: MatmulModel,
    /// Result where the reference is NaN.
    pub nan: NanResult,
    /// Whether every operation of a group rounds its result to the type of its tensor. Otherwise
    /// only values that leave the kernel are rounded.
    pub rounds_results: bool,
}

/// Element-wise sums and products in a matrix unit, which treats infinities as large numbers.
#[derive(Debug, Clone, Copy)]
pub struct NarrowArithmetic {
    /// Error of a sum, relative to the larger operand: the smaller operand is aligned to its
    /// exponent and rounded.
    pub alignment: f64,
    /// Difference of exponents up to which aligning the smaller operand loses nothing.
    pub aligned_exponents: i32,
    /// Error of a product because of underflow of its partial products.
    pub underflow: f64,
}

/// Arithmetic of matrix products.
#[derive(Debug, Clone, Copy)]
pub enum MatmulModel {
    /// The terms of a group are aligned to the greatest one and added.
    Aligned(AlignedMatmul),
    /// The factors of a block of terms share one exponent.
    Blocks(BlockFloatMatmul),
}

/// Matrix products whose terms are added in groups. Each term is aligned to the greatest of its
/// group.
#[derive(Debug, Clone, Copy)]
pub struct AlignedMatmul {
    /// Number of terms in a group, neighbours along K.
    pub terms: usize,
    /// Error of one term, relative to the greatest term of its group.
    pub loss: f64,
    /// Error of one term because of underflow of its partial products.
    pub underflow: f64,
    /// The multiplier of significands.
    pub multiplier: Multiplier,
    /// Root mean square of the errors of an f32 product, relative to that of the reference.
    pub rms_f32: f64,
    /// The same for a bf16 product of many elements.
    pub rms_bf16: f64,
    /// An adder that returns a power of two for some sums that nearly cancel. The operands do not
    /// tell which sums are affected; they are rare.
    pub erratum: Option<&'static Erratum>,
}

/// A multiplier that computes partial products of parts of significands. Bit counts include the
/// hidden bit.
#[derive(Debug, Clone, Copy)]
pub struct Multiplier {
    /// Bits of the high part of the left and of the right factor; the other bits are the low part.
    /// The fidelity phases compute, in this order: high × high, high (left) × low (right), low
    /// (left) × high (right), low × low.
    pub high: [u32; 2],
    /// Bits of an f32 factor that are read; the factor is truncated to them.
    pub read: [u32; 2],
}

/// An adder that makes a power of two of some sums that nearly cancel. Which sums these are no
/// bound of their terms says; they are rare.
#[derive(Debug, PartialEq)]
pub struct Erratum {
    /// Lower bound of the magnitude of the wrong negative power of two, relative to the greatest
    /// addend.
    pub factor: f64,
    /// Number of elements of which one may be affected; one more element is always allowed.
    pub elements: usize,
    /// What may have happened to an element, worded to follow "because".
    pub cause: &'static str,
    /// A workaround for the user.
    pub hint: &'static str,
}

/// Matrix products whose factors share one exponent in each block of terms, the greatest of the
/// block. Products of a block are added without loss; the sum so far is then added and rounded
/// once.
#[derive(Debug, Clone, Copy)]
pub struct BlockFloatMatmul {
    /// Number of terms in a block.
    pub terms: usize,
    /// Number of neighbours along K of which the even ones are multiplied first, then the odd ones;
    /// `None` if they are multiplied in order.
    pub interleaved: Option<usize>,
    /// Error of a factor, relative to the greatest of its block.
    pub factor: f64,
    /// Error of rounding the sum after a block, relative to the sum.
    pub sum: f64,
    /// Additional roundings of sums that are computed in parts, from any blocks in any order;
    /// `None` if blocks are added in order.
    pub network_roundings: Option<f64>,
    /// Error of rounding the result, relative to it.
    pub result: f64,
    /// Factors of lesser magnitude become zero.
    pub least: f64,
}

/// What a device returns where the reference is NaN.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NanResult {
    /// NaN or an infinity.
    NotFinite,
    /// Any value: the device has no NaN.
    Undetermined,
}

impl Numerics {
    /// Returns the erratum of the device, if it has one.
    pub fn erratum(&self) -> Option<&'static Erratum> {
        match self.products {
            MatmulModel::Aligned(aligned) => aligned.erratum,
            MatmulModel::Blocks(_) => None,
        }
    }

    /// Returns the same arithmetic without the erratum.
    #[must_use]
    pub fn without_erratum(mut self) -> Self {
        if let MatmulModel::Aligned(aligned) = &mut self.products {
            aligned.erratum = None;
        }
        self
    }
}

impl Erratum {
    /// Returns the greatest number of elements of a result that the erratum may have changed.
    pub(super) fn max_affected(&self, elements: usize) -> usize {
        elements / self.elements + 1
    }
}
