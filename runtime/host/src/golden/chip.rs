//! How the chips compute: what the bounds of their results are made from.

use serde::Serialize;
use tessera_program::{shape, Matmul};
use tessera_reference::{
    block_magnitudes, greatest_partials, group_maxima, EvalError, Read, Unrounded,
};

use super::{fidelity, group};

/// The chip whose results are judged.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Chip {
    /// Tensix; also what computes nearer to the reference, as the interpreter does.
    #[default]
    Tensix,
    /// MN-Core 2, with products in pseudo-single precision or a better one.
    Mncore,
}

/// Terms that a matrix unit adds at once: on Tensix aligned to the greatest; on MN-Core 2 the factors of so many terms have one
/// exponent, the greatest.
pub const GROUP: usize = 8;

/// What one of a group's terms may lose on Tensix, relative to the greatest.
pub const GROUP_LOSS: f64 = 1.04 / 256.0;

/// What a factor may lose on MN-Core 2 in pseudo-single precision, relative to the greatest of its block: it keeps 18 bits. Both
/// factors lose, hence the second term.
const BLOCK_LOSS: f64 = (1.0 + 1.0 / (1 << 17) as f64) / (1 << 18) as f64;

/// What rounding a result to bf16 may lose, relative to it.
pub const BF16_LOSS: f64 = 1.0 / 256.0;

/// What rounding to f32 may lose, relative to the result.
const F32_LOSS: f64 = 1.0 / (1 << 24) as f64;

/// What arithmetic in float32 may lose on Tensix, relative to its result.
pub const TENSIX_LOSS: f64 = 1.0 / (1 << 22) as f64;

/// What a sum of two bf16 numbers may lose on Tensix, relative to their magnitudes: the smaller one is aligned to the exponent of the
/// larger, in 11 bits, and rounded (rulings 2.3).
const ALIGNMENT_LOSS: f64 = 1.0 / (1 << 11) as f64;

/// Below this MN-Core 2 has only zero.
const UNDERFLOW: f64 = f32::MIN_POSITIVE as f64;

impl Chip {
    /// What arithmetic on elements may be off at a value.
    pub fn rounding(self, value: f64) -> f64 {
        match self {
            Chip::Tensix => TENSIX_LOSS * value.abs(),
            Chip::Mncore => F32_LOSS * value.abs() + UNDERFLOW,
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

    /// What a product of these factors may be off, whose magnitudes are at most `most`. `already` is what it is off since the factors are.
    pub fn product(
        self,
        matmul: &Matmul,
        value: &Read,
        most: &Read,
        already: Unrounded,
    ) -> Result<Unrounded, EvalError> {
        match self {
            Chip::Tensix => {
                let maxima = group_maxima(matmul, GROUP, value)?;
                let off = group::sum(group::map(maxima, |sum| GROUP_LOSS * sum), &already);
                Ok(match fidelity::dropped(matmul, value)? {
                    None => off,
                    Some(dropped) => group::sum(off, &group::map(dropped, f64::abs)),
                })
            }
            Chip::Mncore => {
                let lost = block_magnitudes(matmul, GROUP, most)?;
                let off = group::sum(group::map(lost, |sum| BLOCK_LOSS * sum), &already);
                let partials = greatest_partials(matmul, GROUP, value)?;
                let rounds = rounds(matmul, value)?;
                let rounded = group::map(group::sum(partials, &off), |partial| {
                    rounds * (F32_LOSS * partial + UNDERFLOW)
                });
                Ok(group::sum(off, &rounded))
            }
        }
    }

    /// What a bias of a magnitude adds to that: sums may begin with it.
    pub fn bias(self, matmul: &Matmul, value: &Read, bias: f64) -> Result<f64, EvalError> {
        match self {
            Chip::Tensix => Ok(0.0),
            Chip::Mncore => Ok(rounds(matmul, value)? * F32_LOSS * bias),
        }
    }
}

/// How often the sums of a product are rounded.
fn rounds(matmul: &Matmul, value: &Read) -> Result<f64, EvalError> {
    let (a, b) = (value(matmul.a)?, value(matmul.b)?);
    let shape = shape::matmul(&a.shape, &b.shape, matmul.transpose_a, matmul.transpose_b)?;
    Ok(shape.k.div_ceil(GROUP as u64) as f64)
}
