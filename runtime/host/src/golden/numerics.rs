//! How a device computes, as far as the bounds of its results depend on it.
//!
//! The judge knows no device: each describes its arithmetic by [`Numerics`], and the judge makes
//! intervals and bounds of that. Losses are relative to what they are said to be of; a loss of
//! `2^-24` of a result is half a unit in the last place of f32.

use tessera_pto::bounds::Bounds;

/// What rounding a result to bf16 may lose, relative to it.
pub const BF16_LOSS: f64 = 1.0 / 256.0;

/// What rounding a result to f32 may lose, relative to it.
pub const F32_LOSS: f64 = 1.0 / (1 << 24) as f64;

/// The least normal number of f32: devices may take what is less for zero.
pub const UNDERFLOW: f64 = f32::MIN_POSITIVE as f64;

/// How a device computes.
#[derive(Debug, Clone, Copy)]
pub struct Numerics {
    /// How far its functions of elements may be from the exact ones.
    pub functions: Bounds,
    /// What arithmetic in f32 may lose, relative to its result.
    pub rounding: f64,
    /// How sums and products of elements may be computed if one of them is not f32; `None` if they
    /// are computed as those of f32 are.
    pub narrow: Option<NarrowArithmetic>,
    /// How matrices are multiplied.
    pub products: MatmulModel,
    /// What a result is where the reference has NaN.
    pub nan: NanResult,
    /// Whether the result of every operation of a group is rounded to the type of its tensor. A
    /// kernel rounds what leaves it.
    pub rounds_results: bool,
}

/// Sums and products of elements in a unit for matrices, which takes infinities for large numbers.
#[derive(Debug, Clone, Copy)]
pub struct NarrowArithmetic {
    /// What a sum of two numbers may lose, relative to the larger: the smaller one is aligned to
    /// its exponent and rounded.
    pub alignment: f64,
    /// By how much the exponent of the smaller one may be less without that it loses anything.
    pub aligned_exponents: i32,
    /// What a product of two elements may lose to underflow of its parts.
    pub underflow: f64,
}

/// How matrices are multiplied.
#[derive(Debug, Clone, Copy)]
pub enum MatmulModel {
    /// Groups of terms are aligned to the greatest and added.
    Aligned(AlignedMatmul),
    /// The factors of a block of terms have one exponent.
    Blocks(BlockFloatMatmul),
}

/// Products whose terms are added in groups. Each term is aligned to the greatest of its group.
#[derive(Debug, Clone, Copy)]
pub struct AlignedMatmul {
    /// Terms of a group: neighbours along the depth.
    pub terms: usize,
    /// What one term may lose, relative to the greatest of its group.
    pub loss: f64,
    /// What one term may lose to underflow of its parts.
    pub underflow: f64,
    /// How the significands of two factors are multiplied.
    pub multiplier: Multiplier,
    /// The root mean square of the errors of a product over that of the reference, in f32.
    pub rms_f32: f64,
    /// The same in bf16, of many elements.
    pub rms_bf16: f64,
    /// An erratum of the adder, if it has it.
    pub erratum: Option<&'static Erratum>,
}

/// A multiplier of parts of significands. Bits are counted with the hidden one.
#[derive(Debug, Clone, Copy)]
pub struct Multiplier {
    /// Bits of the high part of the left and of the right factor; the rest is the low part. The
    /// products of parts that a fidelity computes are, in this order, high and high, high and low
    /// of the right factor, low of the left one and high, low and low.
    pub high: [u32; 2],
    /// Bits of a factor in f32 that are read; it is cut to them.
    pub read: [u32; 2],
}

/// An adder that makes a power of two of some sums that nearly cancel. Which sums these are no
/// bound of their terms says; they are rare.
#[derive(Debug, PartialEq)]
pub struct Erratum {
    /// How much larger the negative power of two is than the greatest addend, at least.
    pub factor: f64,
    /// Elements of a result of which one may be such a power of two, and one more.
    pub elements: usize,
    /// What may have happened to an element, as in `because ...`.
    pub cause: &'static str,
    /// What a person can do who meets it.
    pub hint: &'static str,
}

/// Products whose factors have one exponent in each block of terms, the greatest of the block.
/// Products of a block are added without loss, and with the sum so far rounded once.
#[derive(Debug, Clone, Copy)]
pub struct BlockFloatMatmul {
    /// Terms of a block.
    pub terms: usize,
    /// Of so many neighbours along the depth first the even ones are multiplied, then the odd ones;
    /// nothing if they are multiplied in order.
    pub interleaved: Option<usize>,
    /// What a factor loses, relative to the greatest of its block.
    pub factor: f64,
    /// What a sum loses after a block, relative to it.
    pub sum: f64,
    /// The roundings more that sums have which are made in parts, of any blocks in any order;
    /// nothing if they are made in order.
    pub network_roundings: Option<f64>,
    /// What a result loses, relative to it.
    pub result: f64,
    /// Factors that are less than this in magnitude are zero.
    pub least: f64,
}

/// What a result is where the reference has NaN.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NanResult {
    /// NaN or an infinity.
    NotFinite,
    /// Anything: the device has no NaN.
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

    /// Returns the same without an erratum.
    #[must_use]
    pub fn without_erratum(mut self) -> Self {
        if let MatmulModel::Aligned(aligned) = &mut self.products {
            aligned.erratum = None;
        }
        self
    }
}

impl Erratum {
    /// Returns how many elements of a result it may have changed.
    pub(super) fn max_affected(&self, elements: usize) -> usize {
        elements / self.elements + 1
    }
}
