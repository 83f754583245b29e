//! What a product may drop: at less than full fidelity, and of factors in f32.
//!
//! A [`Multiplier`] multiplies parts of significands. Each phase adds one of the four products of
//! parts, and a fidelity leaves out the last ones. Factors in f32 are cut on their way to it. So
//! what is left out is known exactly. A device may keep all of it; the reference does.

use tessera_ops::eval::{matmul, with_factors, Array};
use tessera_ops::MathFidelity;
use tessera_program::{DataType, GlobalId, Product};
use tessera_reference::EvalError;

use super::numerics::Multiplier;

/// Which part of an operand, all of it or what is left if it is cut.
#[derive(Clone, Copy)]
enum Part {
    All,
    High,
    Low,
    /// What is cut off.
    Cut,
    /// What is not.
    Kept,
}

/// Returns whether both factors of a product are f32: these are cut.
pub fn are_both_f32(product: &Product, data_type: &dyn Fn(GlobalId) -> Option<DataType>) -> bool {
    product
        .factors
        .iter()
        .all(|id| data_type(*id) == Some(DataType::F32))
}

impl Multiplier {
    /// What cutting the left or the right factor may lose, relative to it.
    pub(super) fn truncation_loss(self, which: usize) -> f64 {
        2.0 / (1_u64 << self.read[which]) as f64
    }
}

/// The sum of the products that are left out: by the phases of a fidelity, and if `cuts` tells that
/// factors are cut, by that. Nothing, if all is kept.
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

/// The product of parts of the operands.
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

/// Returns the part of a number whose high part has so many bits, of which those behind the first
/// `most` are cut off, if any are.
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

/// Returns a number cut to so many bits of its significand.
fn first(value: f64, bits: u32) -> f64 {
    let low = (1u64 << (f64::MANTISSA_DIGITS - bits)) - 1;
    f64::from_bits(value.to_bits() & !low)
}

#[cfg(test)]
mod tests;
