//! Error bounds of a single matrix product whose terms are added in groups.
//!
//! Both the error of each element and the root mean square of all errors are bounded; see the
//! documentation of `golden`.

use tessera_ops::eval::{matmul_with_statistic, terms, with_factors, Array, TermStatistic};
use tessera_ops::{broadcast_sources, Binary, Interval};
use tessera_program::{DataType, Product};
use tessera_reference::{EvalError, Tensor, Values};

use super::enclosed::{usage, BoundUsage};
use super::fidelity;
use super::numerics::{AlignedMatmul, Erratum, Numerics, BF16_LOSS};

/// A reference product with what the bounds of its elements depend on.
pub struct AlignedProduct<'n> {
    numerics: &'n Numerics,
    products: &'n AlignedMatmul,
    /// The product with its bias, before rounding.
    value: Array,
    /// The product without the terms that a lower fidelity or truncated factors drop; `None` if
    /// nothing is dropped.
    truncated: Option<Vec<f64>>,
    /// For each element, the sum over groups of the greatest magnitude of a term.
    maxima: Vec<f64>,
    /// Number of groups along K.
    groups: f64,
    /// The greatest error of an element because of underflow.
    underflow: f64,
}

impl<'n> AlignedProduct<'n> {
    /// Computes the reference product of `operands`.
    pub fn new(
        numerics: &'n Numerics,
        products: &'n AlignedMatmul,
        product: &Product,
        operands: &Values,
    ) -> Result<Self, EvalError> {
        let [a, b] = product.factors;
        let (a, b) = (operands.elements(a)?, operands.elements(b)?);
        let (shape, (sums, maxima)) = with_factors(&a, &b, product.transposed, |shape, a, b| {
            matmul_with_statistic(shape, a, b, TermStatistic::SumOfGroupMaxima(products.terms))
        })?;
        let data_type = |id| operands.get(id).map(Tensor::data_type);
        let are_both_f32 = fidelity::are_both_f32(product, &data_type);
        let dropped_terms =
            fidelity::dropped_terms(products.multiplier, product, are_both_f32, [&a, &b])?;
        let sums = Array {
            shape: shape.result,
            values: sums,
        };
        let bias = product
            .bias
            .map(|bias| operands.elements(bias))
            .transpose()?;
        // A bias is added to finished sums, so only the product's groups count; broadcasting it may
        // stretch the result.
        let value = match &bias {
            None => sums.clone(),
            Some(bias) => add_bias(&sums, bias)?,
        };
        let stretch = |values: Vec<f64>| match value.shape == sums.shape {
            true => values,
            false => {
                let sources = broadcast_sources(&sums.shape, &value.shape);
                sources.into_iter().map(|source| values[source]).collect()
            }
        };
        let truncated = dropped_terms.map(|dropped_terms| {
            let pairs = value.values.iter().zip(stretch(dropped_terms.values));
            pairs
                .map(|(exact, dropped_terms)| exact - dropped_terms)
                .collect()
        });
        Ok(AlignedProduct {
            numerics,
            products,
            maxima: stretch(maxima),
            groups: shape.k.div_ceil(products.terms as u64) as f64,
            truncated,
            underflow: shape.k as f64 * products.underflow,
            value,
        })
    }

    /// Returns the reference's result, rounded to a type.
    pub fn to_tensor(&self, data_type: DataType) -> Result<Tensor, EvalError> {
        let Array { shape, values } = &self.value;
        Ok(Tensor::from_f64s(shape.clone(), data_type, values)?)
    }

    /// Returns the product without dropped terms.
    fn truncated(&self) -> &[f64] {
        self.truncated.as_deref().unwrap_or(&self.value.values)
    }

    /// Returns the usage of their bounds by the elements of a device's tensor, and the usage of the
    /// bound on the root mean square of the errors. Elements beyond their bounds for which
    /// `may_be_affected` holds are undetermined and do not count in the root mean square.
    pub fn bound_usage(
        &self,
        found: &Tensor,
        expected: &Tensor,
        may_be_affected: &dyn Fn(usize) -> bool,
    ) -> Result<(BoundUsage, f64), EvalError> {
        let data_type = found.data_type();
        let shape = self.value.shape.clone();
        let rounded = Tensor::from_f64s(shape, data_type, self.truncated())?.to_f64s();
        let (found, expected) = (found.to_f64s(), expected.to_f64s());
        let mut per_element = Vec::with_capacity(found.len());
        let (mut errors, mut roundings, mut references, mut expectations) = (0.0, 0.0, 0.0, 0.0);
        for (index, (&found, &exact)) in found.iter().zip(&self.value.values).enumerate() {
            let expected = expected[index];
            if exact.is_nan() {
                per_element.push(self.numerics.usage_where_nan(found));
                continue;
            }
            if !exact.is_finite() || !expected.is_finite() {
                per_element.push(Some(if found == expected {
                    0.0
                } else {
                    f64::INFINITY
                }));
                continue;
            }
            let truncated = self.truncated()[index];
            let share = self.element_usage(index, found);
            if share > 1.0 && may_be_affected(index) {
                per_element.push(None);
                continue;
            }
            per_element.push(Some(share));
            errors += distance_outside(found, exact, truncated).powi(2);
            let rounding = (expected - exact).abs();
            roundings += rounding.max((rounded[index] - truncated).abs()).powi(2);
            references += exact * exact;
            expectations += self.maxima[index].powi(2) / self.groups;
        }
        let references = references.max(expectations);
        let [error, rounding, reference] = [errors, roundings, references].map(f64::sqrt);
        let elements = (per_element.len() as f64).sqrt();
        // The root mean square of few errors varies more.
        let reference = (1.0 + 1.0 / elements) * reference;
        let limit = match data_type {
            DataType::BF16 => {
                let few = self.products.rms_f32 * reference + rounding;
                (self.products.rms_bf16 * reference).max(few)
            }
            _ => self.products.rms_f32 * reference,
        };
        Ok((
            BoundUsage { per_element },
            usage(error, limit + self.underflow * elements),
        ))
    }

    /// Returns the usage of its bound by a finite element.
    fn element_usage(&self, index: usize, found: f64) -> f64 {
        let (exact, truncated) = (self.value.values[index], self.truncated()[index]);
        let magnitude = exact.abs().max(truncated.abs());
        let maxima = self.maxima[index];
        let mut bound = BF16_LOSS * magnitude + self.products.loss * maxima;
        if maxima > 0.0 {
            bound += self.underflow;
        }
        usage(distance_outside(found, exact, truncated), bound)
    }
}

/// Returns the elements beyond their bounds that an erratum may have changed.
pub fn elements_affected_by(
    erratum: &Erratum,
    products: &AlignedMatmul,
    product: &Product,
    operands: &Values,
    (found, usage): (&Tensor, &BoundUsage),
) -> Result<Vec<usize>, EvalError> {
    let [a, b] = product.factors;
    let (a, b) = (operands.elements(a)?, operands.elements(b)?);
    let bias = product
        .bias
        .map(|bias| operands.elements(bias))
        .transpose()?;
    let found = found.to_f64s();
    let is_beyond = |share: &Option<f64>| share.is_some_and(|share| share > 1.0);
    let distance_outside = (0..found.len()).filter(|index| is_beyond(&usage.per_element[*index]));
    let (_, changed) = with_factors(&a, &b, product.transposed, |shape, a, b| {
        if found.len() as u64 != shape.result.iter().product::<u64>() {
            return Vec::new(); // A bias stretches the product.
        }
        let bias = bias.map(|bias| bias.broadcast_to(&shape.result));
        let may_be = |index: &usize| {
            let range = products.enclose_affected_sum(erratum, &terms(shape, a, b, *index));
            let bias = bias.as_ref().map_or(0.0, |bias| bias[*index]);
            let range = Interval::new(range.low + bias, range.high + bias);
            is_within(range, found[*index])
        };
        distance_outside.filter(may_be).collect()
    })?;
    Ok(changed)
}

impl AlignedMatmul {
    /// Returns the interval of a sum of terms that an erratum may change on the way.
    fn enclose_affected_sum(&self, erratum: &Erratum, terms: &[f64]) -> Interval {
        let magnitudes = || terms.iter().map(|term| term.abs());
        let groups = terms.chunks(self.terms);
        let greatest = |group: &[f64]| group.iter().fold(0.0, |max: f64, term| max.max(term.abs()));
        let least = groups.map(greatest).fold(f64::INFINITY, f64::min);
        let lost = self.loss * magnitudes().sum::<f64>();
        let sum = Interval::around(terms.iter().sum(), lost);
        erratum.widen(sum, least, magnitudes().sum())
    }
}

fn add_bias(sums: &Array, bias: &Array) -> Result<Array, EvalError> {
    let shape = tessera_ops::shape::broadcast(&sums.shape, &bias.shape);
    let shape = shape.ok_or(EvalError::NotArithmetic("linear"))?;
    let pairs = sums.broadcast_to(&shape).into_iter();
    let sums = pairs.zip(bias.broadcast_to(&shape));
    Ok(Array {
        values: sums
            .map(|(sum, bias)| Binary::Add.eval(tessera_ops::Arithmetic::Float, sum, bias))
            .collect(),
        shape,
    })
}

/// Returns whether a stored number may come from an interval, with the error of rounding to bf16.
pub fn is_within(range: Interval, found: f64) -> bool {
    let loss = BF16_LOSS * found.abs();
    range.is_enclosed() && range.low - loss <= found && found <= range.high + loss
}

/// Returns the distance of a number from the span between two others; 0 inside.
fn distance_outside(found: f64, one: f64, other: f64) -> f64 {
    if found.is_finite() {
        (one.min(other) - found)
            .max(found - one.max(other))
            .max(0.0)
    } else {
        f64::INFINITY
    }
}

#[cfg(test)]
mod tests;
