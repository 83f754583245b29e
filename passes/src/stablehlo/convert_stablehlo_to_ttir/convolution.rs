//! Convolutions, with dimensions in any order.
//!
//! A convolution becomes a `ttir.conv2d` of an input in the order batch, height, width, channel
//! and a kernel in the order output, input, height, width. The following are expressed by data
//! movement before it:
//!
//! * a dilated input, by zeros between its elements
//! * a reversed window, by reversing the kernel
//! * groups of the batch, by moving the group from the batch to the channels; the convolution then
//!   has feature groups
//! * one spatial dimension, by a second one of extent 1

use tessera_dialects::mlir::{Reported, Value};
use tessera_ops::AttributeValue;

use super::movement::{pad_between, reverse_dimensions};
use super::opaque::{convolution_labels, Label, Labels};
use super::source::Source;
use super::Converter;
use crate::ttir::emitter::{ints, with, Emitter};
use crate::ttir::tensor::Tensor;

/// Returns the converter of a convolution.
pub fn converter(name: &str) -> Option<Converter> {
    (name == "stablehlo.convolution").then_some(convolution)
}

/// The attributes of a convolution; lists have an entry for each spatial dimension.
struct Convolution {
    labels: [Labels; 3],
    spatial: usize,
    strides: Vec<i64>,
    padding: Vec<(i64, i64)>,
    lhs_dilation: Vec<i64>,
    rhs_dilation: Vec<i64>,
    reversal: Vec<bool>,
    feature_groups: i64,
    batch_groups: i64,
}

impl Convolution {
    fn read(source: &Source, ranks: [usize; 3]) -> Result<Self, Reported> {
        let name = "dimension_numbers";
        let labels = source.parse(name, "'#stablehlo.conv<[...]x[...]->[...]>'", |text| {
            convolution_labels(text)
        })?;
        let named = [0, 1, 2].map(|tensor: usize| labels[tensor].rank());
        if named != ranks {
            return Err(source.op.error(format!(
                "attribute '{name}' is for tensors of ranks {named:?}, but they have {ranks:?}"
            )));
        }
        let spatial = ranks[0].saturating_sub(2);
        if !matches!(spatial, 1 | 2) {
            return Err(source.op.error(format!(
                "has {spatial} spatial dimensions; 1 and 2 are supported"
            )));
        }
        let padding = source.integers_or("padding", 2 * spatial, 0)?;
        let read = Convolution {
            labels,
            spatial,
            strides: source.integers_or("window_strides", spatial, 1)?,
            padding: padding.chunks(2).map(|pair| (pair[0], pair[1])).collect(),
            lhs_dilation: source.integers_or("lhs_dilation", spatial, 1)?,
            rhs_dilation: source.integers_or("rhs_dilation", spatial, 1)?,
            reversal: source.flags("window_reversal", spatial)?,
            feature_groups: source.integer("feature_group_count")?,
            batch_groups: source.integer("batch_group_count")?,
        };
        let lists = [&read.strides, &read.lhs_dilation, &read.rhs_dilation];
        let groups = [read.feature_groups, read.batch_groups];
        let is_valid = |count: &i64| (1..1 << 31).contains(count);
        let are_valid = lists.into_iter().flatten().chain(&groups).all(is_valid);
        match are_valid && groups.contains(&1) {
            true => Ok(read),
            false => Err(source.op.error(
                "has strides, dilations or groups that are not positive, or groups of both \
                 features and batch",
            )),
        }
    }

    /// Returns the positions of two named dimensions and the spatial ones, in this order: first,
    /// spatial, last; or first, last, spatial.
    fn order(&self, tensor: usize, first: char, last: char, last_is_inner: bool) -> Vec<usize> {
        let position = |label| self.labels[tensor].position(label).unwrap_or_default();
        let spatial = (0..self.spatial).map(|number| position(Label::Spatial(number)));
        let mut order = vec![position(Label::Named(first))];
        let last = position(Label::Named(last));
        match last_is_inner {
            true => {
                order.extend(spatial);
                order.push(last);
            }
            false => {
                order.push(last);
                order.extend(spatial);
            }
        }
        order
    }
}

fn convolution<'a>(
    source: &Source<'a>,
    emitter: &Emitter<'a, '_>,
) -> Result<Vec<Value<'a>>, Reported> {
    let [input, kernel] = source.operands()?;
    let result = source.result()?;
    let ranks = [input.rank(), kernel.rank(), result.rank()];
    let convolution = Convolution::read(source, ranks)?;
    let input = prepare_input(source, emitter, &convolution, &input)?;
    let kernel = prepare_kernel(emitter, &convolution, &kernel)?;
    let value = emit_conv2d(emitter, &convolution, input, kernel)?;
    let order = convolution.order(2, 'b', 'f', true);
    Ok(vec![emitter.permute_back(value, &order)?])
}

/// Returns the input in the order batch, spatial, feature, dilated, with feature groups only.
fn prepare_input<'a>(
    source: &Source<'a>,
    emitter: &Emitter<'a, '_>,
    convolution: &Convolution,
    input: &Tensor<'a>,
) -> Result<Value<'a>, Reported> {
    let order = convolution.order(0, 'b', 'f', true);
    let value = emitter.permute(input.value, &order)?;
    let spatial = convolution.lhs_dilation.iter().map(|one| one - 1);
    let between: Vec<i64> = [0].into_iter().chain(spatial).chain([0]).collect();
    let value = pad_between(emitter, value, &between, 0.0)?;
    let groups = convolution.batch_groups as u64;
    if groups == 1 {
        return Ok(value);
    }
    let shape = emitter.shape(value)?;
    if shape[0] % groups != 0 {
        return Err(source.op.error(format!(
            "has a batch of {}, which {groups} groups do not divide",
            shape[0]
        )));
    }
    let last = shape.len() - 1;
    let mut split = vec![groups, shape[0] / groups];
    split.extend(&shape[1..]);
    let mut order: Vec<usize> = (1..=last).collect();
    order.extend([0, last + 1]);
    let mut merged = shape.clone();
    merged[0] /= groups;
    merged[last] *= groups;
    let value = emitter.reshape(value, &split)?;
    let value = emitter.permute(value, &order)?;
    emitter.reshape(value, &merged)
}

/// Returns the kernel in the order output, input, spatial, not reversed.
fn prepare_kernel<'a>(
    emitter: &Emitter<'a, '_>,
    convolution: &Convolution,
    kernel: &Tensor<'a>,
) -> Result<Value<'a>, Reported> {
    let order = convolution.order(1, 'o', 'i', false);
    let value = emitter.permute(kernel.value, &order)?;
    let reversed = convolution.reversal.iter().enumerate();
    let reversed = reversed.filter_map(|(number, &is)| is.then_some(number + 2));
    reverse_dimensions(emitter, value, &reversed.collect::<Vec<_>>())
}

/// Emits the convolution; one spatial dimension gets another one before it.
fn emit_conv2d<'a>(
    emitter: &Emitter<'a, '_>,
    convolution: &Convolution,
    input: Value<'a>,
    kernel: Value<'a>,
) -> Result<Value<'a>, Reported> {
    let is_negative = |(low, high): &(i64, i64)| *low < 0 || *high < 0;
    let mut padding = convolution.padding.clone();
    let mut input = input;
    if padding.iter().any(is_negative) {
        let mut amounts = vec![(0, 0)];
        amounts.extend(&padding);
        amounts.push((0, 0));
        input = emitter.pad(input, &amounts, 0.0)?;
        padding.fill((0, 0));
    }
    let [mut strides, mut dilation] = [
        convolution.strides.clone(),
        convolution.rhs_dilation.clone(),
    ];
    let mut kernel = kernel;
    if convolution.spatial == 1 {
        input = insert_unit(emitter, input, 1)?;
        kernel = insert_unit(emitter, kernel, 2)?;
        strides.insert(0, 1);
        dilation.insert(0, 1);
        padding.insert(0, (0, 0));
    }
    let (top, bottom) = padding[0];
    let (left, right) = padding[1];
    let groups = convolution.feature_groups.max(convolution.batch_groups);
    let attributes = with("stride", ints(&strides))
        .with("padding", ints(&[top, left, bottom, right]))
        .with("dilation", ints(&dilation))
        .with("groups", AttributeValue::Int(groups));
    let value = emitter.emit("conv2d", &[input, kernel], attributes)?;
    match convolution.spatial {
        1 => {
            let mut shape = emitter.shape(value)?;
            shape.remove(1);
            emitter.reshape(value, &shape)
        }
        _ => Ok(value),
    }
}

fn insert_unit<'a>(
    emitter: &Emitter<'a, '_>,
    value: Value<'a>,
    dim: usize,
) -> Result<Value<'a>, Reported> {
    let mut shape = emitter.shape(value)?;
    shape.insert(dim, 1);
    emitter.reshape(value, &shape)
}
