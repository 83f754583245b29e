//! Reductions over sliding windows: pooling and cumulative sums.
//!
//! A cumulative sum is a window as long as a dimension, padded on one side. Every other window is
//! combined from strided slices of the padded operand, one for each of its elements.
//! [`super::window_gradient`] converts the gradient of such a maximum.

use tessera_dialects::mlir::{Reported, Value};
use tessera_ops::{AttributeValue, Attributes};

use super::movement::{pad_between, reverse_dimensions};
use super::reduction::{combiner, Combiner};
use super::source::Source;
use super::Converter;
use crate::ttir::constant_value::splat_number;
use crate::ttir::emitter::{with, Emitter};
use crate::ttir::tensor::Tensor;
use crate::verified::expect_verified;

/// The most elements of a window that is combined from slices.
const MAX_ELEMENTS: i64 = 256;

/// Returns the converter of a reduction over windows.
pub fn converter(name: &str) -> Option<Converter> {
    (name == "stablehlo.reduce_window").then_some(reduce_window)
}

/// The attributes of a window, each with an entry for every dimension.
pub struct Window {
    /// The extents, in elements.
    pub extents: Vec<i64>,
    /// The distances of neighbouring windows.
    pub strides: Vec<i64>,
    dilations: Vec<i64>,
    base_dilations: Vec<i64>,
    /// The elements added before and after the operand.
    pub padding: Vec<(i64, i64)>,
}

impl Window {
    /// Reads the attributes of an operation on tensors of this rank.
    ///
    /// # Errors
    /// If one is malformed, or an extent, stride or dilation is not positive.
    pub fn read(source: &Source, rank: usize) -> Result<Self, Reported> {
        let padding = source.integers_or("padding", 2 * rank, 0)?;
        let window = Window {
            extents: source.integers("window_dimensions", rank)?,
            strides: source.integers_or("window_strides", rank, 1)?,
            dilations: source.integers_or("window_dilations", rank, 1)?,
            base_dilations: source.integers_or("base_dilations", rank, 1)?,
            padding: padding.chunks(2).map(|pair| (pair[0], pair[1])).collect(),
        };
        let lists = [
            &window.extents,
            &window.strides,
            &window.dilations,
            &window.base_dilations,
        ];
        let is_valid = |value: &i64| (1..1 << 31).contains(value);
        let are_valid = lists.into_iter().flatten().all(is_valid);
        match are_valid {
            true => Ok(window),
            false => Err(source.op.error(
                "has a window whose extents, strides and dilations are not all positive and \
                 below 2^31",
            )),
        }
    }

    /// Returns the offsets of the elements of a window, in row-major order.
    ///
    /// # Errors
    /// If there are too many to combine slices.
    pub fn offsets(&self, source: &Source) -> Result<Vec<Vec<i64>>, Reported> {
        let extents = self.extents.iter().copied();
        let elements = extents.fold(1, i64::saturating_mul);
        if elements > MAX_ELEMENTS {
            return Err(source.op.error(format!(
                "has a window of {elements} elements; at most {MAX_ELEMENTS} are supported, but \
                 for cumulative sums"
            )));
        }
        Ok(offsets(&self.extents))
    }

    /// Returns whether the window or the operand has gaps between its elements.
    pub fn is_dilated(&self) -> bool {
        let mut dilations = self.dilations.iter().chain(&self.base_dilations);
        dilations.any(|dilation| *dilation != 1)
    }

    /// Returns an operand with the padding of the window.
    pub fn pad<'a>(
        &self,
        emitter: &Emitter<'a, '_>,
        operand: Value<'a>,
        number: f64,
    ) -> Result<Value<'a>, Reported> {
        let between: Vec<i64> = self.base_dilations.iter().map(|one| one - 1).collect();
        let padded = pad_between(emitter, operand, &between, number)?;
        emitter.pad(padded, &self.padding, number)
    }

    /// Returns the elements that all windows have at an offset of the padded operand.
    ///
    /// # Errors
    /// If the window is larger than the operand.
    pub fn slice<'a>(
        &self,
        source: &Source<'a>,
        emitter: &Emitter<'a, '_>,
        padded: Value<'a>,
        offset: &[i64],
    ) -> Result<Value<'a>, Reported> {
        let (mut begins, mut ends) = (Vec::new(), Vec::new());
        for (dim, extent) in emitter.shape(padded)?.into_iter().enumerate() {
            let dilation = self.dilations[dim];
            let reach = (self.extents[dim] - 1).saturating_mul(dilation) + 1;
            let Some(left) = (extent as i64).checked_sub(reach).filter(|left| *left >= 0) else {
                return Err(source.op.error(format!(
                    "has a window of {reach} elements along dimension {dim}, which has {extent} \
                     with its padding"
                )));
            };
            let begin = offset[dim] * dilation;
            begins.push(begin);
            ends.push(begin + left / self.strides[dim] * self.strides[dim] + 1);
        }
        emitter.slice(padded, &begins, &ends, &self.strides)
    }

    /// Returns the dimension of a cumulative sum and whether it starts at the end.
    fn cumulative(&self, shape: &[u64]) -> Option<(usize, bool)> {
        let is_one = |list: &[i64]| list.iter().all(|value| *value == 1);
        let dim = self.extents.iter().position(|extent| *extent != 1)?;
        let extent = self.extents[dim];
        let mut others = self.extents.iter().zip(&self.padding).enumerate();
        let others_are_one =
            others.all(|(at, (extent, padding))| at == dim || (*extent, *padding) == (1, (0, 0)));
        let is_plain = is_one(&self.strides) && !self.is_dilated() && others_are_one;
        if !is_plain || extent as u64 != shape[dim] {
            return None;
        }
        match self.padding[dim] {
            (low, 0) if low == extent - 1 => Some((dim, false)),
            (0, high) if high == extent - 1 => Some((dim, true)),
            _ => None,
        }
    }
}

fn reduce_window<'a>(
    source: &Source<'a>,
    emitter: &Emitter<'a, '_>,
) -> Result<Vec<Value<'a>>, Reported> {
    let [operand, initial] = source.operands()?;
    let window = Window::read(source, operand.rank())?;
    let combiner = combiner(source, source.body()?, &operand)?;
    let number = splat_number(initial.value);
    let Some(number) = number.filter(|number| combiner.is_identity(*number, &operand)) else {
        return Err(source.op.error(
            "has an initial value that is not the identity of its region, which is not supported",
        ));
    };
    let value = match window.cumulative(&operand.shape) {
        Some((dim, from_end)) if combiner.reduction == "sum" => {
            cumulative_sum(emitter, &operand, dim, from_end)?
        }
        _ => combine_slices(source, emitter, operand.value, &window, combiner, number)?,
    };
    Ok(vec![value])
}

fn cumulative_sum<'a>(
    emitter: &Emitter<'a, '_>,
    operand: &Tensor<'a>,
    dim: usize,
    from_end: bool,
) -> Result<Value<'a>, Reported> {
    let reversed: &[usize] = if from_end { &[dim] } else { &[] };
    let value = reverse_dimensions(emitter, operand.value, reversed)?;
    let attributes = with("dim", AttributeValue::Int(dim as i64));
    let value = emitter.emit("cumsum", &[value], attributes)?;
    reverse_dimensions(emitter, value, reversed)
}

fn combine_slices<'a>(
    source: &Source<'a>,
    emitter: &Emitter<'a, '_>,
    operand: Value<'a>,
    window: &Window,
    combiner: Combiner,
    identity: f64,
) -> Result<Value<'a>, Reported> {
    let offsets = window.offsets(source)?;
    let padded = window.pad(emitter, operand, identity)?;
    let mut slices = Vec::new();
    for offset in offsets {
        slices.push(window.slice(source, emitter, padded, &offset)?);
    }
    combine(source, emitter, combiner.binary, &slices)
}

/// Combines tensors of one shape by an operation of TTIR, from the first one on.
pub fn combine<'a>(
    source: &Source<'a>,
    emitter: &Emitter<'a, '_>,
    binary: &str,
    values: &[Value<'a>],
) -> Result<Value<'a>, Reported> {
    let mut values = values.iter().copied();
    let first = expect_verified(source.op, values.next())?;
    values.try_fold(first, |combined, value| {
        emitter.emit(binary, &[combined, value], Attributes::none())
    })
}

/// Iterates over the indices of a small array in row-major order.
pub fn offsets(extents: &[i64]) -> Vec<Vec<i64>> {
    extents.iter().fold(vec![Vec::new()], |prefixes, &extent| {
        let extended = prefixes.iter().flat_map(|prefix| {
            (0..extent).map(move |index| {
                let mut longer = prefix.clone();
                longer.push(index);
                longer
            })
        });
        extended.collect()
    })
}
