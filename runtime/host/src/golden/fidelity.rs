//! Terms that a matrix product drops: at less than full fidelity, and of truncated f32 factors.
//!
//! A [`Multiplier`] multiplies parts of significands. Each fidelity phase adds one of the four
//! products of parts; a lower fidelity leaves out the last phases. Factors in f32 are truncated
//! before they are multiplied. The dropped terms are therefore known exactly. A device may keep all
//! of them, as the reference does.

use tessera_ops::eval::{matmul, with_factors, Array};
use tessera_ops::MathFidelity;
use tessera_program::{DataType, GlobalId, Product};
use tessera_reference::EvalError;

use super::numerics::Multiplier;

/// A part of an operand's significand.
#[derive(Clone, Copy)]
enum Part {
    /// The whole operand, before truncation.
    All,
    /// The bits of the high part.
    High,
    /// The bits that are read, without the high part.
    Low,
    /// The bits that truncation removes.
    Cut,
    /// The operand after truncation.
    Kept,
}

/// Returns whether both factors of a product are f32. Such factors are truncated.
pub fn are_both_f32(product: &Product, data_type: &dyn Fn(GlobalId) -> Option<DataType>) -> bool {
    product
        .factors
        .iter()
        .all(|id| data_type(*id) == Some(DataType::F32))
}

impl Multiplier {
    /// Returns the error of truncating the left or the right factor, relative to it.
    pub(super) fn truncation_loss(self, which: usize) -> f64 {
        2.0 / (1_u64 << self.read[which]) as f64
    }
}

/// Returns the sum of the products of parts that the fidelity leaves out and, if `cuts`, that
/// truncation removes. Returns `None` if nothing is dropped.
pub fn dropped_terms(
    multiplier: Multiplier,
    product: &Product,
    cuts: bool,
    factors: [&Array; 2],
) -> Result<Option<Array>, EvalError> {
    let by_phases: &[[Part; 2]] = match product.math_fidelity() {
        MathFidelity::LoFi => &[[Part::Low, Part::Kept], [Part::High, Part::Low]],
        MathFidelity::HiFi2 => &[[Part::Low, Part::Kept]],
        MathFidelity::HiFi3 => &[[Part::Low, Part::Low]],
        MathFidelity::HiFi4 => &[],
    };
    let by_cuts: &[[Part; 2]] = match cuts {
        true => &[[Part::Cut, Part::All], [Part::Kept, Part::Cut]],
        false => &[],
    };
    let mut sum: Option<Array> = None;
    for parts in by_phases.iter().chain(by_cuts) {
        let term = product_of_parts(multiplier, product, *parts, cuts, factors)?;
        match &mut sum {
            None => sum = Some(term),
            Some(sum) => {
                let values = sum.values.iter_mut().zip(&term.values);
                values.for_each(|(sum, term)| *sum += term);
            }
        }
    }
    Ok(sum)
}

/// Returns the product of two parts of the operands.
fn product_of_parts(
    multiplier: Multiplier,
    product: &Product,
    parts: [Part; 2],
    cuts: bool,
    factors: [&Array; 2],
) -> Result<Array, EvalError> {
    let [a, b] = [0, 1].map(|which: usize| {
        let most = cuts.then_some(multiplier.read[which]);
        let factor = factors[which].clone();
        factor.map(|value| part(value, parts[which], multiplier.high[which], most))
    });
    let (shape, values) = with_factors(&a, &b, product.transposed, matmul)?;
    let shape = shape.result;
    Ok(Array { shape, values })
}

/// Returns a part of a number whose high part has `bits` bits and of which `most` bits are read, or
/// all.
fn part(value: f64, part: Part, bits: u32, most: Option<u32>) -> f64 {
    let kept = most.map_or(value, |most| first(value, most));
    match part {
        Part::All => value,
        Part::High => first(value, bits),
        Part::Low => kept - first(value, bits),
        Part::Cut => value - kept,
        Part::Kept => kept,
    }
}

/// Truncates the significand of a number to `bits` bits.
fn first(value: f64, bits: u32) -> f64 {
    let low = (1u64 << (f64::MANTISSA_DIGITS - bits)) - 1;
    f64::from_bits(value.to_bits() & !low)
}

#[cfg(test)]
mod tests;
