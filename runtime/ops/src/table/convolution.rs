//! Convolutions of images.
//!
//! * A convolution gathers each window into a row (im2col), along the width and then along the
//!   height: one strided slice of the padded image for each offset, concatenated along the
//!   channels. Windows that tile the image are a permutation instead. The rows times the weights
//!   are the result.
//! * Groups are a batch of such products.
//! * In a depthwise convolution each group has one channel, so a product would sum a few elements
//!   only. Each slice is multiplied by the weights of its offset instead, element by element; bf16
//!   is computed in f32 and rounded once.

use super::folds::wide;
use super::spatial::{pair, quadruple, require, require_rank, Axis};
use super::{operand, INPUT};
use crate::attribute::{AttributeInfo, AttributeKind, AttributeValue, Attributes, Presence};
use crate::element::TensorType;
use crate::graph::{Graph, Value};
use crate::op::{Arity, Call, CallError, Class, ElementRule, OpInfo, OperandInfo};
use crate::scalar::Domain;

const OPERANDS: &[OperandInfo] = &[
    INPUT[0],
    operand("weight"),
    OperandInfo {
        name: "bias",
        count: Arity::Optional,
    },
];

const fn dimension(name: &'static str, default: &'static str) -> AttributeInfo {
    AttributeInfo {
        presence: Presence::Default(default),
        ..AttributeInfo::required(name, AttributeKind::I64)
    }
}

const ATTRIBUTES: &[AttributeInfo] = &[
    AttributeInfo::required("stride", AttributeKind::IntOrDenseI32s),
    AttributeInfo::required("padding", AttributeKind::IntOrDenseI32s),
    AttributeInfo::required("dilation", AttributeKind::IntOrDenseI32s),
    AttributeInfo::required("groups", AttributeKind::I32),
    dimension("batch_dim", "0"),
    dimension("height_dim", "1"),
    dimension("width_dim", "2"),
    dimension("channel_dim", "3"),
];

/// The dimensions of an image, in the order in which attributes name them.
const DIMENSIONS: [&str; 4] = ["batch_dim", "height_dim", "width_dim", "channel_dim"];

/// Returns the entries.
pub(super) fn entries() -> impl Iterator<Item = OpInfo> {
    [OpInfo {
        name: "conv2d",
        ttir: Some("conv2d"),
        in_ttnn: false,
        summary: "Convolution of an image",
        description: "`input` has the dimensions batch, height, width and channels, unless \
                      attributes say another order; so has the result. `weight` has output \
                      channels, input channels per group, height and width. `bias` has one \
                      element for each output channel, along the dimension of channels. `stride` \
                      and `dilation` are one number, or one for height and one for width. \
                      `padding` is one number, one for height and one for width, or four: top, \
                      left, bottom and right.",
        example: "%0 = \"ttir.conv2d\"(%a, %weight) <{stride = 1 : i32, padding = 1 : i32, \
                  dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x32x32x64xbf16>, \
                  tensor<96x64x3x3xbf16>) -> tensor<1x32x32x96xbf16>",
        operands: OPERANDS,
        attributes: ATTRIBUTES,
        class: Class::Composite(decompose),
        elements: ElementRule::Same,
        domain: Domain::Any,
        verify: |call, result| {
            Convolution::check_ranks(call)?;
            verify_rank(result)
        },
        shape: |call| Ok(Convolution::new(call)?.result()),
        mismatch,
    }]
    .into_iter()
}

fn verify_rank(result: &TensorType) -> Result<(), String> {
    require_rank("output", &result.shape)
}

/// A convolution.
struct Convolution {
    /// The dimensions batch, height, width and channels of the image.
    dims: [usize; 4],
    batch: u64,
    channels: u64,
    outputs: u64,
    groups: u64,
    axes: [Axis; 2],
}

impl Convolution {
    fn check_ranks(call: &Call) -> Result<(), String> {
        require_rank("input", call.operand_shape(0))?;
        require_rank("weight", call.operand_shape(1))?;
        match call.operands.get(2) {
            Some(bias) => require_rank("bias", &bias.shape),
            None => Ok(()),
        }
    }

    fn new(call: &Call) -> Result<Self, String> {
        Self::check_ranks(call)?;
        let mut dims = [0; 4];
        for (default, (dim, name)) in dims.iter_mut().zip(DIMENSIONS).enumerate() {
            *dim = call.attributes.int(name).unwrap_or(default as i64) as usize;
        }
        let mut sorted = dims;
        sorted.sort_unstable();
        if sorted != [0, 1, 2, 3] {
            return Err(format!(
                "dimensions of batch, height, width and channels ({}) must be a permutation of \
                 (0, 1, 2, 3)",
                super::join(&dims, ", ")
            ));
        }
        let [input, weight] = [0, 1].map(|number| call.operand_shape(number));
        let [stride, dilation] = [pair(call, "stride")?, pair(call, "dilation")?];
        let padding = quadruple(call, "padding")?;
        require(&stride, 1, "Stride attribute values must be > 0.")?;
        require(&dilation, 1, "Dilation attribute values must be > 0.")?;
        require(&padding, 0, "Padding attribute values must be >= 0.")?;
        let groups = call.attributes.int("groups").unwrap_or(1);
        require(&[groups], 1, "Groups attribute value must be > 0.")?;
        let axes = [0, 1].map(|at| Axis {
            extent: input[dims[1 + at]],
            kernel: weight[2 + at],
            stride: stride[at].unsigned_abs(),
            dilation: dilation[at].unsigned_abs(),
            padding: [padding[at], padding[at + 2]].map(i64::unsigned_abs),
            is_ceiling: false,
        });
        let convolution = Convolution {
            dims,
            batch: input[dims[0]],
            channels: input[dims[3]],
            outputs: weight[0],
            groups: groups.unsigned_abs(),
            axes,
        };
        let bias = call.operands.get(2).map(|bias| bias.shape[dims[3]]);
        convolution.check(weight[1], bias)?;
        Ok(convolution)
    }

    fn check(&self, per_group: u64, bias: Option<u64>) -> Result<(), String> {
        let Convolution {
            channels,
            outputs,
            groups,
            axes: [rows, columns],
            ..
        } = self;
        for (name, tensor, count) in [("input", "input", channels), ("output", "weight", outputs)] {
            if count % groups != 0 {
                return Err(format!(
                    "The number of {name} channels from the {tensor} tensor ({count}) is not \
                     divisible by the number of groups ({groups})."
                ));
            }
        }
        if channels / groups != per_group {
            return Err(format!(
                "The number of input channels per group ({channels}) must match the number of \
                 input channels in the weight tensor ({per_group})."
            ));
        }
        if let Some(bias) = bias.filter(|bias| bias != outputs) {
            return Err(format!(
                "The number of output channels from the weight tensor ({outputs}) must match the \
                 number of output channels in the bias tensor ({bias})."
            ));
        }
        if self
            .axes
            .iter()
            .any(|axis| axis.kernel == 0 || axis.padded() < axis.span())
        {
            return Err(format!(
                "The effective kernel size ({}, {}) cannot be greater than the padded input size \
                 per channel ({}, {}).",
                rows.span(),
                columns.span(),
                rows.padded(),
                columns.padded()
            ));
        }
        Ok(())
    }

    /// Returns height and width of the result.
    fn size(&self) -> [u64; 2] {
        self.axes.each_ref().map(Axis::outputs)
    }

    /// Returns the shape of the result.
    fn result(&self) -> Vec<u64> {
        let [height, width] = self.size();
        let mut shape = vec![0; 4];
        for (dim, extent) in self
            .dims
            .iter()
            .zip([self.batch, height, width, self.outputs])
        {
            shape[*dim] = extent;
        }
        shape
    }

    /// Returns the windows: for each of them, the elements of the padded image, row by row.
    fn windows(&self, graph: &mut Graph, image: Value) -> Result<Value, CallError> {
        let [rows, columns] = &self.axes;
        let image = rows.pad(graph, image, 1, 0.0)?;
        let image = columns.pad(graph, image, 2, 0.0)?;
        if self.axes.iter().all(Axis::is_tiling) {
            return self.tiles(graph, image);
        }
        let lines = gather(graph, image, 2, columns)?;
        gather(graph, lines, 1, rows)
    }

    /// Returns windows that do not overlap.
    fn tiles(&self, graph: &mut Graph, image: Value) -> Result<Value, CallError> {
        let ([height, width], [rows, columns]) = (self.size(), &self.axes);
        let image = graph.slice(image, 1, [0, height * rows.kernel], 1)?;
        let image = graph.slice(image, 2, [0, width * columns.kernel], 1)?;
        let split = [
            self.batch,
            height,
            rows.kernel,
            width,
            columns.kernel,
            self.channels,
        ];
        let image = graph.reshape(image, &split)?;
        let image = graph.permute(image, &[0, 1, 3, 2, 4, 5])?;
        let elements = rows.kernel * columns.kernel * self.channels;
        graph.reshape(image, &[self.batch, height, width, elements])
    }

    /// Returns one slice of the padded image for each offset, row by row.
    fn slices(&self, graph: &mut Graph, image: Value) -> Result<Vec<Value>, CallError> {
        let [rows, columns] = &self.axes;
        let image = rows.pad(graph, image, 1, 0.0)?;
        let image = columns.pad(graph, image, 2, 0.0)?;
        let mut slices = Vec::new();
        for row in 0..rows.kernel {
            let line = rows.slice(graph, image, 1, row)?;
            for column in 0..columns.kernel {
                slices.push(columns.slice(graph, line, 2, column)?);
            }
        }
        Ok(slices)
    }

    /// Adds the products of windows and weights. The result has the dimensions batch, height,
    /// width and channels; or it is a matrix with a row for each window.
    fn products(
        &self,
        graph: &mut Graph,
        image: Value,
        bias: Option<Value>,
    ) -> Result<Value, CallError> {
        let [height, width] = self.size();
        let windows = self.batch * height * width;
        let (groups, per_group) = (self.groups, self.channels / self.groups);
        let outputs = self.outputs / groups;
        let offsets = self.axes[0].kernel * self.axes[1].kernel;
        let rows = self.windows(graph, image)?;
        // Weights in the order of a row's elements: offset, channel.
        let weight = graph.reshape(Value::Operand(1), &[groups, outputs, per_group, offsets])?;
        let weight = graph.permute(weight, &[0, 3, 2, 1])?;
        if groups == 1 {
            let rows = graph.reshape(rows, &[windows, offsets * per_group])?;
            let weight = graph.reshape(weight, &[offsets * per_group, outputs])?;
            return match bias {
                Some(bias) => {
                    let bias = graph.reshape(bias, &[outputs])?;
                    graph.add("linear", &[rows, weight, bias], Attributes::none())
                }
                None => graph.add("matmul", &[rows, weight], Attributes::none()),
            };
        }
        let rows = graph.reshape(rows, &[windows, offsets, groups, per_group])?;
        let rows = graph.permute(rows, &[2, 0, 1, 3])?;
        let rows = graph.reshape(rows, &[groups, windows, offsets * per_group])?;
        let weight = graph.reshape(weight, &[groups, offsets * per_group, outputs])?;
        let operation = match bias {
            Some(_) => "linear",
            None => "matmul",
        };
        let mut operands = vec![rows, weight];
        if let Some(bias) = bias {
            operands.push(graph.reshape(bias, &[groups, 1, outputs])?);
        }
        let products = graph.add(operation, &operands, Attributes::none())?;
        let products = graph.permute(products, &[1, 0, 2])?;
        graph.reshape(products, &[windows, self.outputs])
    }

    /// Adds the sum over the offsets of slices times weights, for groups of one input channel.
    fn depthwise(
        &self,
        graph: &mut Graph,
        image: Value,
        bias: Option<Value>,
    ) -> Result<Value, CallError> {
        let element = graph.type_of(image).element;
        let repeats = self.outputs / self.groups;
        let offsets = self.axes[0].kernel * self.axes[1].kernel;
        let mut image = graph.cast(image, wide(element))?;
        if repeats > 1 {
            let times = Attributes::none().with("repeats", AttributeValue::Int(repeats as i64));
            let attributes = times.with("dim", AttributeValue::Int(3));
            image = graph.add("repeat_interleave", &[image], attributes)?;
        }
        let weight = graph.reshape(Value::Operand(1), &[self.outputs, offsets])?;
        let weight = graph.permute(weight, &[1, 0])?;
        let weight = graph.cast(weight, wide(element))?;
        let mut sum = None;
        for (offset, slice) in self.slices(graph, image)?.into_iter().enumerate() {
            let offset = offset as u64;
            let factors = graph.slice(weight, 0, [offset, offset + 1], 1)?;
            let term = graph.add("multiply", &[slice, factors], Attributes::none())?;
            sum = Some(match sum {
                None => term,
                Some(sum) => graph.add("add", &[sum, term], Attributes::none())?,
            });
        }
        let no_offset = || CallError::Shape("a kernel has at least one element".into());
        let mut sum = sum.ok_or_else(no_offset)?;
        if let Some(bias) = bias {
            let bias = graph.cast(bias, wide(element))?;
            let bias = graph.reshape(bias, &[self.outputs])?;
            sum = graph.add("add", &[sum, bias], Attributes::none())?;
        }
        graph.cast(sum, element)
    }
}

/// Concatenates the slices for all offsets along a dimension, along the channels.
fn gather(graph: &mut Graph, image: Value, dim: usize, axis: &Axis) -> Result<Value, CallError> {
    let slices = (0..axis.kernel).map(|offset| axis.slice(graph, image, dim, offset));
    match slices.collect::<Result<Vec<_>, _>>()?[..] {
        [slice] => Ok(slice),
        ref slices => {
            let channels = Attributes::none().with("dim", AttributeValue::Int(3));
            graph.add("concat", slices, channels)
        }
    }
}

fn decompose(call: &Call, graph: &mut Graph) -> Result<(), CallError> {
    let convolution = Convolution::new(call).map_err(CallError::Shape)?;
    let dims = convolution.dims;
    let image = graph.permute(Value::Operand(0), &dims)?;
    let bias = call.operands.get(2).map(|_| Value::Operand(2));
    let is_depthwise = convolution.groups > 1 && convolution.groups == convolution.channels;
    let result = match is_depthwise {
        true => convolution.depthwise(graph, image, bias)?,
        false => convolution.products(graph, image, bias)?,
    };
    let [height, width] = convolution.size();
    let shape = [convolution.batch, height, width, convolution.outputs];
    let result = graph.reshape(result, &shape)?;
    let mut inverse = [0; 4];
    dims.iter()
        .enumerate()
        .for_each(|(at, dim)| inverse[*dim] = at);
    let result = graph.permute(result, &inverse)?;
    graph.finish(result, &call.infer_shape()?)
}

fn mismatch(call: &Call, expected: &[u64], found: &[u64]) -> String {
    let Ok(Convolution { dims, outputs, .. }) = Convolution::new(call) else {
        return "output must be a 4D tensor".into();
    };
    if found.len() != 4 {
        return "output must be a 4D tensor".into();
    }
    let [batch, height, width, channels] = dims.map(|dim| (expected[dim], found[dim]));
    if batch.0 != batch.1 {
        return format!(
            "Batch size from the input tensor ({}) must match the first dimension of the output \
             tensor ({})",
            batch.0, batch.1
        );
    }
    if channels.0 != channels.1 {
        // Upstream's text ends in a blank.
        return format!(
            "The number of output channels from the output tensor ({}) must match the number of \
             output channels in the weight tensor ({outputs}). ",
            channels.1
        );
    }
    format!(
        "The output tensor height and width dimension ({}, {}) do not match the expected \
         dimensions ({}, {}).",
        height.1, width.1, height.0, width.0
    )
}
