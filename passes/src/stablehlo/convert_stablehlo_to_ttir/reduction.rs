//! Reductions along dimensions.
//!
//! `stablehlo.reduce` has a region that combines two elements. A region of a single operation is a
//! sum, product, maximum, minimum, conjunction or disjunction. A region that combines elements
//! with their indices is an `argmax` or `argmin` if it decides as these do ([`super::decision`]).

use tessera_dialects::mlir::{Block, Reported, Scalar, ScalarType, Value};
use tessera_ops::{AttributeValue, Attributes};

use super::decision::{self, Extremum};
use super::elementwise::binary_name;
use super::source::Source;
use super::Converter;
use crate::ttir::constant_value::splat_number;
use crate::ttir::emitter::{ints, with, Emitter};
use crate::ttir::tensor::Tensor;

/// Returns the converter of a reduction.
pub fn converter(name: &str) -> Option<Converter> {
    (name == "stablehlo.reduce").then_some(reduce)
}

/// The function that combines elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Combiner {
    /// The operation of TTIR that reduces along dimensions.
    pub reduction: &'static str,
    /// The operation of TTIR that combines two tensors.
    pub binary: &'static str,
}

/// Returns how a region combines two elements of this type.
///
/// # Errors
/// If it does not consist of one supported operation on its arguments.
pub fn combiner<'a>(
    source: &Source<'a>,
    body: Block<'a>,
    element: &Tensor<'a>,
) -> Result<Combiner, Reported> {
    let unsupported = || {
        source.op.error(
            "has a region that is not supported; it must return the sum, product, maximum, \
             minimum, conjunction or disjunction of its arguments",
        )
    };
    let (arguments, ops) = (body.arguments(), body.ops());
    let [op, end] = ops[..] else {
        return Err(unsupported());
    };
    let (operands, reversed) = (op.operands(), op.operands().into_iter().rev());
    let takes_both = operands == arguments || reversed.eq(arguments.iter().copied());
    let is_returned = end.is("stablehlo.return") && end.operands() == op.results();
    let binary = binary_name(op.name(), element);
    let reduction = binary.and_then(|name| {
        Some(match name {
            "add" => "sum",
            "multiply" => "prod",
            "maximum" => "max",
            "minimum" => "min",
            "logical_and" => "reduce_and",
            "logical_or" => "reduce_or",
            _ => return None,
        })
    });
    match (binary.zip(reduction), takes_both && is_returned) {
        (Some((binary, reduction)), true) => Ok(Combiner { reduction, binary }),
        _ => Err(unsupported()),
    }
}

impl Combiner {
    /// The sum.
    pub const SUM: Combiner = Combiner {
        reduction: "sum",
        binary: "add",
    };
    /// The maximum.
    pub const MAX: Combiner = Combiner {
        reduction: "max",
        binary: "maximum",
    };
    /// The minimum.
    pub const MIN: Combiner = Combiner {
        reduction: "min",
        binary: "minimum",
    };

    /// Returns whether combining with a number changes nothing.
    pub fn is_identity(self, number: f64, element: &Tensor) -> bool {
        let (lowest, highest) = limits(element);
        match self.reduction {
            "sum" | "reduce_or" => number == 0.0,
            "prod" | "reduce_and" => number == 1.0,
            "max" => number <= lowest,
            "min" => number >= highest,
            _ => false,
        }
    }
}

/// Returns the least and the greatest number of an element type.
pub fn limits(element: &Tensor) -> (f64, f64) {
    match element.element.scalar() {
        Some(Scalar::Integer { width, .. }) if !element.is_boolean() => {
            let half = 2f64.powi(width as i32 - 1);
            (-half, half - 1.0)
        }
        _ => (f64::NEG_INFINITY, f64::INFINITY),
    }
}

fn reduce<'a>(source: &Source<'a>, emitter: &Emitter<'a, '_>) -> Result<Vec<Value<'a>>, Reported> {
    let operands = source.all_operands()?;
    match &operands[..] {
        [operand, initial] => {
            if initial.rank() != 0 {
                return Err(source.op.error(format!(
                    "has an initial value of type '{}', which must have rank 0",
                    initial.value.r#type()
                )));
            }
            let dims = source.dimensions("dimensions", operand.rank())?;
            let combiner = combiner(source, source.body()?, operand)?;
            if operand.is_empty() {
                let shape = source.result()?.shape;
                let value = emitter.reshape(initial.value, &vec![1; shape.len()])?;
                return Ok(vec![emitter.broadcast(value, &shape)?]);
            }
            let value = reduce_one(emitter, operand, initial, combiner, &dims)?;
            Ok(vec![value])
        }
        [values, indices, ..] if operands.len() == 4 => {
            let dims = source.dimensions("dimensions", values.rank())?;
            reduce_with_indices(source, emitter, values, indices, &dims)
        }
        _ => Err(source.op.error(format!(
            "has {} operands; reductions of one tensor, or of one with its indices, are supported",
            operands.len()
        ))),
    }
}

/// Returns the reduction of one tensor, combined with the initial value unless that changes
/// nothing.
fn reduce_one<'a>(
    emitter: &Emitter<'a, '_>,
    operand: &Tensor<'a>,
    initial: &Tensor<'a>,
    combiner: Combiner,
    dims: &[usize],
) -> Result<Value<'a>, Reported> {
    let value = match dims {
        [] => operand.value,
        _ => emitter.emit(combiner.reduction, &[operand.value], along(dims))?,
    };
    let number = splat_number(initial.value);
    if number.is_some_and(|number| combiner.is_identity(number, operand)) {
        return Ok(value);
    }
    let unit = vec![1; emitter.shape(value)?.len()];
    let initial = emitter.reshape(initial.value, &unit)?;
    let operands = [initial, value];
    emitter.emit(combiner.binary, &operands, Attributes::none())
}

/// Returns the attributes of a reduction that drops dimensions.
fn along(dims: &[usize]) -> Attributes {
    with("keep_dim", AttributeValue::Bool(false)).with("dim_arg", ints(dims))
}

/// Returns the extrema along a dimension, and their indices.
fn reduce_with_indices<'a>(
    source: &Source<'a>,
    emitter: &Emitter<'a, '_>,
    values: &Tensor<'a>,
    indices: &Tensor<'a>,
    dims: &[usize],
) -> Result<Vec<Value<'a>>, Reported> {
    let &[dim] = dims else {
        return Err(source.op.error(
            "reduces a tensor with its indices along several dimensions, which is not supported",
        ));
    };
    if !is_iota(indices.value, dim) {
        return Err(source.op.error(
            "reduces a tensor with another one that is not the index along the dimension, which \
             is not supported",
        ));
    }
    let extremum = decision::extremum(source.body()?).ok_or_else(|| {
        source.op.error(
            "has a region of two results that is neither 'argmax' nor 'argmin' with the lowest \
             index among equal elements",
        )
    })?;
    let (input, reduction) = match extremum {
        Extremum::Max => (values.value, "max"),
        Extremum::Min => (
            emitter.emit("neg", &[values.value], Attributes::none())?,
            "min",
        ),
    };
    let value = emitter.emit(reduction, &[values.value], along(&[dim]))?;
    let index = emitter.emit_as("argmax", &[input], along(&[dim]), indices.element)?;
    Ok(vec![value, index])
}

/// Returns whether a value is the index along a dimension.
fn is_iota(value: Value, dim: usize) -> bool {
    let Some(op) = value.defining_op().filter(|op| op.is("ttir.arange")) else {
        return false;
    };
    use tessera_dialects::mlir::AttributeValue as _;
    let integer = |name: &str| op.attribute(name).and_then(|attribute| attribute.integer());
    integer("start") == Some(0)
        && integer("step") == Some(1)
        && integer("arange_dimension") == i64::try_from(dim).ok()
}
