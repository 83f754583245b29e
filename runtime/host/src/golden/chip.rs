//! How the chips compute: what the bounds of their results are made from.

use serde::Serialize;
use tessera_isa_mncore::memory::Precision;
use tessera_ops::eval::{group_maxima, Array};
use tessera_ops::{Binary, Unary};
use tessera_program::Product;
use tessera_pto::bounds::{Bound, Bounds, MNCORE, TENSIX};
use tessera_reference::{with_factors, EvalError, Read};

use super::blocks::Blocks;
use super::{fidelity, group};

/// The chip whose results are judged.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Chip {
    /// Tensix; also what computes nearer to the reference, as the interpreter does.
    #[default]
    Tensix,
    /// MN-Core 2, with products in the precision of their kernels.
    Mncore,
}

/// How a group of operations is computed.
#[derive(Debug, Clone, Copy)]
pub struct Arithmetic {
    /// The chip.
    pub chip: Chip,
    /// The precision of its products, on MN-Core 2.
    pub products: Precision,
}

/// Terms that the matrix unit of Tensix adds at once, aligned to the greatest.
pub const GROUP: usize = 8;

/// What one of a group's terms may lose on Tensix, relative to the greatest.
pub const GROUP_LOSS: f64 = 1.04 / 256.0;

/// What rounding a result to bf16 may lose, relative to it.
pub const BF16_LOSS: f64 = 1.0 / 256.0;

/// What rounding to f32 may lose, relative to the result.
pub const F32_LOSS: f64 = 1.0 / (1 << 24) as f64;

/// What arithmetic in float32 may lose on Tensix, relative to its result.
pub const TENSIX_LOSS: f64 = 1.0 / (1 << 22) as f64;

/// What a sum of two bf16 numbers may lose on Tensix, relative to their magnitudes: the smaller one is aligned to the exponent of the
/// larger, in 11 bits, and rounded (rulings 2.3).
const ALIGNMENT_LOSS: f64 = 1.0 / (1 << 11) as f64;

/// Below this MN-Core 2 has only zero.
pub const UNDERFLOW: f64 = f32::MIN_POSITIVE as f64;

/// What three of the four fidelity phases of a product may lose on Tensix: each what is below the least normal number.
const PHASES_UNDERFLOW: f64 = 3.0 * UNDERFLOW;

impl Chip {
    /// Whether only underflow of parts keeps a product of two elements from what is expected; MN-Core 2 multiplies at once.
    pub fn underflows(self, found: f64, expected: f64) -> bool {
        match self {
            Chip::Tensix => (found - expected).abs() <= PHASES_UNDERFLOW,
            Chip::Mncore => false,
        }
    }

    /// What arithmetic on elements may be off at a value.
    pub fn rounding(self, value: f64) -> f64 {
        match self {
            Chip::Tensix => TENSIX_LOSS * value.abs(),
            Chip::Mncore => F32_LOSS * value.abs() + UNDERFLOW,
        }
    }

    /// What a function of an element may be off at its value, by the table of the chip's library.
    pub fn function(self, function: Unary, value: f64, operand: f64) -> f64 {
        self.bound(self.library().unary(function), value, operand)
    }

    /// What a function of two elements may be off at its value, if the first is at least `operand` in magnitude.
    pub fn function_of_two(self, function: Binary, value: f64, operand: f64) -> f64 {
        match function {
            // The matrix unit of Tensix may compute these.
            Binary::Add | Binary::Subtract | Binary::Multiply => self.rounding(value),
            Binary::Divide => self.bound(self.library().quotient(operand), value, 0.0),
            _ => self.bound(self.library().binary(function), value, 0.0),
        }
    }

    fn library(self) -> &'static Bounds {
        match self {
            Chip::Tensix => &TENSIX,
            Chip::Mncore => &MNCORE,
        }
    }

    /// What is exact of its operands may still be rounded as a result.
    fn bound(self, bound: Bound, value: f64, operand: f64) -> f64 {
        match bound {
            Bound::Exact | Bound::Rounded => self.rounding(value),
            bound => bound.off(value, operand),
        }
    }

    /// Whether a number may stand where the reference is NaN.
    pub fn stands_for_nan(self, found: f64) -> bool {
        match self {
            Chip::Tensix => !found.is_finite(),
            // It has none, so no number is wrong.
            Chip::Mncore => true,
        }
    }

    /// What an operand of a group is off as it is read.
    pub fn reading(self, value: f64) -> f64 {
        match self {
            Chip::Mncore if value.abs() < UNDERFLOW => value.abs(),
            _ => 0.0,
        }
    }

    /// What a sum of two operands of a group loses, relative to their magnitudes.
    pub fn alignment_loss(self) -> f64 {
        match self {
            Chip::Tensix => ALIGNMENT_LOSS,
            Chip::Mncore => 0.0,
        }
    }
}

impl Arithmetic {
    /// What a product of these factors may be off, whose magnitudes are at most `most`. `already` is what it is off since the factors are;
    /// `cuts` tells whether Tensix cuts them to TF32.
    pub fn product(
        self,
        product: &Product,
        cuts: bool,
        value: &Read,
        most: &Read,
        already: Array,
    ) -> Result<Array, EvalError> {
        match self.chip {
            Chip::Tensix => {
                let maxima = with_factors(product, value, |shape, a, b| {
                    group_maxima(shape, a, b, GROUP)
                })?;
                let off = group::sum(group::map(maxima, |sum| GROUP_LOSS * sum), &already);
                Ok(match fidelity::dropped(product, cuts, value)? {
                    None => off,
                    Some(dropped) => group::sum(off, &group::map(dropped, f64::abs)),
                })
            }
            Chip::Mncore => Blocks::of(self.products).product(product, value, most, already),
        }
    }

    /// What a bias of a magnitude adds to that: sums may begin with it.
    pub fn bias(self, product: &Product, value: &Read, bias: f64) -> Result<f64, EvalError> {
        match self.chip {
            Chip::Tensix => Ok(0.0),
            Chip::Mncore => Blocks::of(self.products).bias(product, value, bias),
        }
    }
}
