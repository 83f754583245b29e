//! Intervals of the sums of a matrix product, by the arithmetic of the device.

use tessera_ops::eval::{matmul_with_statistic, with_factors, Array, TermStatistic};
use tessera_ops::Interval;
use tessera_program::Product;
use tessera_reference::EvalError;

use super::elementwise::{add_error, flush, widen, OVERFLOW};
use super::enclosed::Enclosed;
use super::fidelity;
use super::numerics::{AlignedMatmul, Erratum, MatmulModel};

/// A product and the intervals of its factors.
pub struct ProductCall<'a> {
    /// The product.
    pub product: &'a Product,
    /// The intervals of the left and the right factor.
    pub factors: [&'a Enclosed; 2],
    /// Whether both factors are f32. A multiplier of parts truncates them.
    pub are_both_f32: bool,
    /// Whether a factor is the result of another operation of the group, and so is not known
    /// exactly.
    pub are_intermediate: bool,
}

impl MatmulModel {
    /// Returns the intervals of the sums of a product.
    pub fn enclose(&self, call: &ProductCall<'_>) -> Result<Enclosed, EvalError> {
        let [a, b] = call.factors;
        let errors = [a.max_errors(), b.max_errors()];
        // The error of the product that errors of the factors cause.
        let propagated_error = match errors.each_ref().map(Option::is_some) {
            [false, false] => None,
            _ => Some(propagated(call, &errors)?),
        };
        match self {
            MatmulModel::Aligned(aligned) => aligned.enclose(call, propagated_error),
            MatmulModel::Blocks(blocks) => {
                let most = [a.magnitudes(), b.magnitudes()];
                let (value, error) = blocks.product(
                    call.product,
                    [&a.value, &b.value],
                    most.each_ref(),
                    propagated_error,
                )?;
                Ok(enclose_sums(value, &error))
            }
        }
    }

    /// Returns the additional error of sums over `k` terms that begin with a bias.
    pub fn bias(&self, k: u64, bias: Interval) -> f64 {
        match self {
            MatmulModel::Aligned(_) => 0.0,
            MatmulModel::Blocks(blocks) => blocks.bias(k, bias.magnitude()),
        }
    }

    /// Returns the interval of the left or the right factor after truncation, if both are f32.
    pub fn enclose_truncated_factor(&self, which: usize, factor: Interval) -> Interval {
        match self {
            MatmulModel::Aligned(aligned) => {
                let loss = aligned.multiplier.truncation_loss(which);
                widen(factor, |value| loss * value.abs())
            }
            MatmulModel::Blocks(_) => factor,
        }
    }
}

impl AlignedMatmul {
    fn enclose(
        &self,
        call: &ProductCall<'_>,
        propagated_error: Option<Array>,
    ) -> Result<Enclosed, EvalError> {
        let [a, b] = call.factors;
        let transposed = call.product.transposed;
        let (shape, (sums, mut maxima)) =
            with_factors(&a.value, &b.value, transposed, |shape, a, b| {
                matmul_with_statistic(shape, a, b, TermStatistic::SumOfGroupMaxima(self.terms))
            })?;
        if propagated_error.is_some() {
            // Groups are aligned to the terms of the device, whose factors have errors.
            let [a, b] = [a.magnitudes(), b.magnitudes()];
            let most = with_factors(&a, &b, transposed, |shape, a, b| {
                matmul_with_statistic(shape, a, b, TermStatistic::SumOfGroupMaxima(self.terms)).1
            });
            maxima = most?.1;
        }
        let underflow = shape.k as f64 * self.underflow;
        let mut errors = maxima;
        for error in &mut errors {
            *error = match *error == 0.0 {
                true => 0.0,
                false => self.loss * *error + underflow,
            };
        }
        if let Some(propagated_error) = propagated_error {
            add(&mut errors, propagated_error.values.into_iter());
        }
        if !call.are_intermediate {
            let factors = [&a.value, &b.value];
            let dropped_terms =
                fidelity::dropped_terms(self.multiplier, call.product, call.are_both_f32, factors)?;
            if let Some(dropped_terms) = dropped_terms {
                add(&mut errors, dropped_terms.values.into_iter().map(f64::abs));
            }
        }
        let [value, error] = [sums, errors].map(|values| Array {
            shape: shape.result.clone(),
            values,
        });
        let mut sums = enclose_sums(value, &error);
        if let Some(erratum) = self.erratum {
            self.widen_by(erratum, call, &mut sums)?;
        }
        Ok(sums)
    }

    /// Widens the intervals of sums by the wrong results of an erratum.
    fn widen_by(
        &self,
        erratum: &Erratum,
        call: &ProductCall<'_>,
        sums: &mut Enclosed,
    ) -> Result<(), EvalError> {
        let [a, b] = call.factors.map(Enclosed::magnitudes);
        let statistic = |statistic| {
            let found = with_factors(&a, &b, call.product.transposed, |shape, a, b| {
                matmul_with_statistic(shape, a, b, statistic).1
            });
            Ok::<_, EvalError>(found?.1)
        };
        let least = statistic(TermStatistic::MinOfGroupMaxima(self.terms))?;
        let most = statistic(TermStatistic::SumOfMagnitudes)?;
        let limits = least.into_iter().zip(most);
        for (range, (least, most)) in sums.ranges.iter_mut().zip(limits) {
            if range.is_enclosed() {
                *range = erratum.widen(*range, least, most);
            }
        }
        Ok(())
    }
}

impl Erratum {
    /// Widens the interval of a correct sum by the results that the erratum may give instead.
    /// `least` is the minimum over all groups of the greatest magnitude in a group, `most` the sum
    /// of all magnitudes.
    pub(super) fn widen(&self, range: Interval, least: f64, most: f64) -> Interval {
        // The power of two of an exponent may be half of the number, and another addend twice as
        // large.
        let low = range.low - 2.0 * self.factor * most;
        Interval::new(low, range.high - self.factor / 2.0 * least)
    }
}

/// Widens sums by errors. Overflow in a matrix unit is undetermined: it need not give an infinity.
fn enclose_sums(value: Array, error: &Array) -> Enclosed {
    let pairs = value.values.iter().zip(&error.values);
    let ranges = pairs.map(|(&value, &error)| {
        let sum = add_error(Interval::point(value), error);
        match sum.is_enclosed() && sum.magnitude() < OVERFLOW {
            true => flush(sum),
            false => Interval::UNDETERMINED,
        }
    });
    Enclosed {
        ranges: ranges.collect(),
        value,
    }
}

/// Adds `more` to the errors, element by element.
fn add(errors: &mut [f64], more: impl Iterator<Item = f64>) {
    errors.iter_mut().zip(more).for_each(|(a, b)| *a += b);
}

/// Returns the error of a product that errors of its factors cause: `|a| e_b + e_a (|b| + e_b)`.
fn propagated(call: &ProductCall<'_>, errors: &[Option<Array>; 2]) -> Result<Array, EvalError> {
    let [a, b] = call.factors;
    let transposed = call.product.transposed;
    let product = |a: &Array, b: &Array| -> Result<Array, EvalError> {
        let (shape, values) = with_factors(a, b, transposed, |shape, a, b| {
            matmul_with_statistic(shape, a, b, TermStatistic::Nothing).0
        })?;
        let shape = shape.result;
        Ok(Array { shape, values })
    };
    let right = match &errors[1] {
        None => None,
        Some(error) => Some(product(&a.value.clone().map(f64::abs), error)?),
    };
    let Some(error) = &errors[0] else {
        return right.ok_or(EvalError::NotArithmetic("matmul"));
    };
    let mut sum = product(error, &b.magnitudes())?;
    if let Some(right) = right {
        add(&mut sum.values, right.values.into_iter());
    }
    Ok(sum)
}
