//! Tensors of intervals: where the elements of a device's tensor may lie, around the reference.

use tessera_ops::enclose::Intervals;
use tessera_ops::eval::Array;
use tessera_ops::Interval;
use tessera_program::DataType;
use tessera_reference::{EvalError, Tensor};

use super::elementwise::{flush, widen};
use super::numerics::{Numerics, BF16_LOSS};

/// The elements of the reference before rounding, and the interval of each in which the device's
/// element must lie.
#[derive(Clone, Debug)]
pub struct Enclosed {
    /// The elements of the reference.
    pub value: Array,
    /// The interval of each element.
    pub ranges: Vec<Interval>,
}

/// How much of its error bound each element of a tensor uses.
#[derive(Clone, Debug, Default)]
pub struct BoundUsage {
    /// The ratio of the error to its bound, for each element; `None` where the element is
    /// undetermined.
    pub per_element: Vec<Option<f64>>,
}

impl BoundUsage {
    /// Returns the greatest usage.
    pub fn max(&self) -> f64 {
        let usage = self.per_element.iter().flatten();
        usage.fold(0.0, |greatest, share| f64::max(greatest, *share))
    }

    /// Returns the number of undetermined elements.
    pub fn undetermined(&self) -> usize {
        let elements = self.per_element.iter();
        elements.filter(|share| share.is_none()).count()
    }
}

impl Enclosed {
    /// Returns the intervals of a tensor when a device reads it.
    pub fn from_tensor(numerics: &Numerics, tensor: &Tensor) -> Self {
        let value = tensor.to_array();
        Enclosed {
            ranges: value
                .values
                .iter()
                .map(|&value| numerics.enclose_operand(value))
                .collect(),
            value,
        }
    }

    /// Returns the intervals as an array.
    pub fn intervals(&self) -> Intervals {
        Intervals {
            shape: self.value.shape.clone(),
            values: self.ranges.clone(),
        }
    }

    /// Returns the greatest magnitude in each interval.
    pub fn magnitudes(&self) -> Array {
        let magnitudes = self.ranges.iter().map(|range| range.magnitude());
        Array {
            shape: self.value.shape.clone(),
            values: magnitudes.collect(),
        }
    }

    /// Returns the greatest distance of each interval from its reference value; NaN where the
    /// element is undetermined. Returns `None` if all elements are known exactly.
    pub fn max_errors(&self) -> Option<Array> {
        let pairs = || self.ranges.iter().zip(&self.value.values);
        let is_exact = |range: &Interval, value: f64| range.is_point() && range.low == value;
        if pairs().all(|(range, value)| is_exact(range, *value)) {
            return None;
        }
        let error = |(range, value): (&Interval, &f64)| match range.is_enclosed() {
            true if is_exact(range, *value) => 0.0,
            true => range.distance(*value),
            false => f64::NAN,
        };
        Some(Array {
            shape: self.value.shape.clone(),
            values: pairs().map(error).collect(),
        })
    }

    /// Broadcasts the elements to a shape.
    pub fn broadcast_to(&self, shape: &[u64]) -> Self {
        Enclosed {
            value: Array {
                shape: shape.to_vec(),
                values: self.value.broadcast_to(shape),
            },
            ranges: self.intervals().broadcast_to(shape),
        }
    }

    /// Replaces each interval by a function of it.
    #[must_use]
    pub fn map_ranges(mut self, function: impl Fn(Interval) -> Interval) -> Self {
        self.ranges
            .iter_mut()
            .for_each(|range| *range = function(*range));
        self
    }

    /// Returns the reference values, rounded to a type.
    pub fn to_tensor(&self, data_type: DataType) -> Result<Tensor, EvalError> {
        let Array { shape, values } = &self.value;
        Ok(Tensor::from_f64s(shape.clone(), data_type, values)?)
    }

    /// Casts the elements to another type.
    pub fn cast(
        self,
        numerics: &Numerics,
        from: DataType,
        to: DataType,
    ) -> Result<Self, EvalError> {
        match (from, to) {
            (DataType::F32 | DataType::SI32, DataType::BF16) => self.cast_to_bf16(),
            (DataType::SI32, DataType::F32) => {
                Ok(self.map_ranges(|range| numerics.enclose_rounded(range)))
            }
            (_, DataType::SI32) => {
                let cut = self.map_ranges(|range| range.map(f64::trunc));
                let value = cut.value.map(f64::trunc);
                Ok(Enclosed { value, ..cut })
            }
            _ => Ok(self),
        }
    }

    /// Rounds the elements to bf16. A device may round ties to even, as the reference does, or away
    /// from zero.
    fn cast_to_bf16(self) -> Result<Self, EvalError> {
        let shape = self.value.shape.clone();
        let tensor = Tensor::from_f64s(shape, DataType::BF16, &self.value.values)?;
        let ranges = self.ranges.into_iter().map(rounded_to_bf16);
        Ok(Enclosed {
            ranges: ranges.collect(),
            value: tensor.to_array(),
        })
    }

    /// Adds to each interval the numbers of bf16 to which a device may round it.
    #[must_use]
    pub fn or_rounded_to_bf16(self) -> Self {
        self.map_ranges(|range| {
            let rounded = rounded_to_bf16(range);
            match range.is_enclosed() {
                true => Interval::new(range.low.min(rounded.low), range.high.max(rounded.high)),
                false => range,
            }
        })
    }

    /// Widens each interval by the error of rounding it to bf16, unless it is a single bf16 number.
    #[must_use]
    pub fn round_to_bf16_factor(self) -> Self {
        self.map_ranges(|range| match range.is_point() && is_bf16(range.low) {
            true => range,
            false => flush(widen(range, |value| BF16_LOSS * value.abs())),
        })
    }

    /// Rounds the elements to a type: floats to nearest with ties to even, integers towards zero.
    pub fn round_to(self, data_type: DataType) -> Result<Self, EvalError> {
        let ends = |end: fn(&Interval) -> f64| -> Result<Vec<f64>, EvalError> {
            let enclosed = |range: &Interval| match range.is_enclosed() {
                true => end(range),
                false => 0.0,
            };
            let ends: Vec<_> = self.ranges.iter().map(enclosed).collect();
            let shape = self.value.shape.clone();
            Ok(Tensor::from_f64s(shape, data_type, &ends)?.to_f64s())
        };
        if !matches!(data_type, DataType::BF16 | DataType::F32) {
            let value = self.value.clone().map(f64::trunc);
            let ranges = self.map_ranges(|range| range.map(f64::trunc)).ranges;
            return Ok(Enclosed { value, ranges });
        }
        let value = self.to_tensor(data_type)?.to_array();
        let (lows, highs) = (ends(|range| range.low)?, ends(|range| range.high)?);
        let rounded = lows.into_iter().zip(highs).zip(&self.ranges);
        let ranges = rounded.map(|((low, high), range)| match range.is_enclosed() {
            true => Interval::new(low, high),
            false => *range,
        });
        Ok(Enclosed {
            ranges: ranges.collect(),
            value,
        })
    }

    /// Returns the usage of their bounds by the elements of a device's tensor.
    pub fn bound_usage(&self, numerics: &Numerics, found: &Tensor) -> BoundUsage {
        let data_type = found.data_type();
        let pairs = self.value.values.iter().zip(&self.ranges);
        let share = |(found, (value, range)): (f64, (&f64, &Interval))| {
            element_usage(numerics, found, *value, stored(data_type, *range))
        };
        BoundUsage {
            per_element: found.to_f64s().into_iter().zip(pairs).map(share).collect(),
        }
    }
}

/// Returns the interval in which an element lies after it is stored in a tensor of a type.
fn stored(data_type: DataType, range: Interval) -> Interval {
    match data_type {
        // Numbers beyond the midpoint between the largest bf16 and the next power of two.
        DataType::BF16 => {
            const OVERFLOW: f64 = f32::MAX as f64 * (1.0 - 1.0 / 512.0);
            let rounded = widen(range, |value| BF16_LOSS * value.abs());
            let infinite = |end: f64, stored: f64| match end.abs() >= OVERFLOW {
                true => f64::INFINITY.copysign(end),
                false => stored,
            };
            match range.is_enclosed() {
                true => flush(Interval::new(
                    infinite(range.low, rounded.low),
                    infinite(range.high, rounded.high),
                )),
                false => range,
            }
        }
        // The arithmetic already includes the error of rounding to f32.
        DataType::F32 => flush(range),
        _ => range.map(f64::trunc),
    }
}

/// Returns the usage of its bound by an element that should be `value` and may lie in `range`, or
/// `None` if it is undetermined.
fn element_usage(numerics: &Numerics, found: f64, value: f64, range: Interval) -> Option<f64> {
    if range.is_not_a_number() {
        return numerics.usage_where_nan(found);
    }
    if range.is_undetermined() {
        return None;
    }
    if range.is_point() {
        return Some(if found == range.low {
            0.0
        } else {
            f64::INFINITY
        });
    }
    if range.low.is_infinite() || range.high.is_infinite() {
        return None;
    }
    let bound = match found > value {
        true => range.high - value,
        false => value - range.low,
    };
    Some(usage((found - value).abs(), bound))
}

/// Returns the ratio of an error to its bound; infinite if the error has no bound or is NaN.
pub fn usage(error: f64, bound: f64) -> f64 {
    if error == 0.0 {
        0.0
    } else if error.is_finite() && bound > 0.0 {
        error / bound
    } else {
        f64::INFINITY
    }
}

/// Returns whether a number is a bf16.
fn is_bf16(value: f64) -> bool {
    f64::from(value as f32) == value && (value as f32).to_bits() & 0xffff == 0
}

/// Returns the numbers of bf16 to which a device may round those of an interval: to nearest, with
/// ties to even or away from zero.
fn rounded_to_bf16(range: Interval) -> Interval {
    match range.is_enclosed() {
        true => {
            let [low, high] = [range.low, range.high].map(bf16_neighbours);
            flush(Interval::new(low.low, high.high))
        }
        false => range,
    }
}

/// Returns the bf16 numbers that are nearest to a number: one, or both ends of a tie.
fn bf16_neighbours(value: f64) -> Interval {
    let nearest = tessera_ops::rounding::f64_to_bf16(value);
    let nearest = tessera_ops::rounding::bf16_to_f64(nearest);
    let other = 2.0 * value - nearest;
    match other != nearest && other.abs() > nearest.abs() && is_bf16(other) {
        true => Interval::new(nearest.min(other), nearest.max(other)),
        false => Interval::point(nearest),
    }
}
