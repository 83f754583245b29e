//! Distances between two tensors: absolute, relative and in units in the last place.

use serde::Serialize;
use tessera_program::DataType;
use tessera_reference::Tensor;

/// Distances between two tensors of one shape and type. Elements that are not finite in both
/// tensors count only in `equal` and `max_ulp`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Comparison {
    /// Whether all bits are the same.
    pub equal: bool,
    /// Greatest absolute difference.
    pub max_abs_error: f64,
    /// Root mean square of the differences, relative to that of the reference; `None` if the
    /// reference is 0 everywhere.
    pub nrms: Option<f64>,
    /// Pearson correlation coefficient; `None` if one side is constant, which makes it undefined.
    pub pcc: Option<f64>,
    /// Greatest difference in units in the last place; `None` if one side is NaN where the other is
    /// not.
    pub max_ulp: Option<u64>,
}

impl Comparison {
    /// Compares `found` with `expected`.
    pub fn new(found: &Tensor, expected: &Tensor) -> Self {
        let (found_values, expected_values) = (found.to_f64s(), expected.to_f64s());
        let finite: Vec<_> = found_values
            .iter()
            .zip(&expected_values)
            .filter(|(found, expected)| found.is_finite() && expected.is_finite())
            .map(|(&found, &expected)| (found, expected))
            .collect();
        let errors: f64 = finite
            .iter()
            .map(|(found, expected)| (found - expected).powi(2))
            .sum();
        let references: f64 = finite.iter().map(|(_, expected)| expected.powi(2)).sum();
        Self {
            equal: found.data() == expected.data(),
            max_abs_error: finite
                .iter()
                .map(|(found, expected)| (found - expected).abs())
                .fold(0.0, f64::max),
            nrms: (references > 0.0).then(|| (errors / references).sqrt()),
            pcc: pcc(&finite),
            max_ulp: ulp_distances(found, expected)
                .map(|(_, distance)| distance)
                .try_fold(0, |max, ulp| Some(max.max(ulp?))),
        }
    }
}

/// Returns the Pearson correlation coefficient of pairs, or `None` if one side is constant.
fn pcc(pairs: &[(f64, f64)]) -> Option<f64> {
    let count = pairs.len() as f64;
    let (mean_a, mean_b) = (
        pairs.iter().map(|pair| pair.0).sum::<f64>() / count,
        pairs.iter().map(|pair| pair.1).sum::<f64>() / count,
    );
    let (mut covariance, mut variance_a, mut variance_b) = (0.0, 0.0, 0.0);
    for (a, b) in pairs {
        let (a, b) = (a - mean_a, b - mean_b);
        covariance += a * b;
        variance_a += a * a;
        variance_b += b * b;
    }
    let scale = (variance_a * variance_b).sqrt();
    (scale > 0.0).then(|| covariance / scale)
}

/// Returns the pairs of elements of two tensors of one type, each with its distance in units in the
/// last place.
pub fn ulp_distances(
    found: &Tensor,
    expected: &Tensor,
) -> impl Iterator<Item = ((f64, f64), Option<u64>)> {
    let data_type = expected.data_type();
    let pairs = found.to_f64s().into_iter().zip(expected.to_f64s());
    pairs
        .map(move |(found, expected)| ((found, expected), ulp_distance(found, expected, data_type)))
}

/// Returns the distance of two numbers in units in the last place of `data_type`.
///
/// Denormals count as zero, both zeros as one number, and infinity as the number after the largest.
/// Returns `None` if exactly one of them is NaN, except that an infinity is accepted for an
/// expected NaN.
fn ulp_distance(found: f64, expected: f64, data_type: DataType) -> Option<u64> {
    if expected.is_nan() {
        return (!found.is_finite()).then_some(0);
    }
    if found.is_nan() {
        return None;
    }
    Some(ordinal(found, data_type).abs_diff(ordinal(expected, data_type)))
}

/// Returns the position of a number among the numbers of its type, with zero at 0.
fn ordinal(value: f64, data_type: DataType) -> i64 {
    let unit_bits = match data_type {
        DataType::BF16 => 16,
        DataType::F32 => 0,
        DataType::SI32 | DataType::UI32 | DataType::UI16 | DataType::UI8 => return value as i64,
    };
    let magnitude = i64::from((value.abs() as f32).to_bits() >> unit_bits);
    let least_normal = i64::from(f32::MIN_POSITIVE.to_bits() >> unit_bits);
    let place = (magnitude - least_normal + 1).max(0);
    if value < 0.0 {
        -place
    } else {
        place
    }
}

#[cfg(test)]
mod tests;
