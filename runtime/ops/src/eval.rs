//! Evaluation of operations in `f64`.
//!
//! Operands and results are row-major arrays. Floating-point results are exact up to the last bits
//! of an `f64`; sums of matrix products run along K in order. In [`Arithmetic::Integer`] elements
//! are `i32` and wrap.

use crate::attribute::Attributes;
use crate::broadcast::broadcast_sources;
use crate::op::{Call, CallError, Class, Parametric, Reduction, Ternary};
use crate::scalar::{Arithmetic, Binary};
use crate::shape::{self, MatmulShape};

pub use crate::matmul::{
    block_exponent_loss, matmul, matmul_with_statistic, max_partial_sums, sum_of_group_maxima,
    terms, Operand, TermStatistic,
};

/// A row-major array of numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// Extents, outermost first.
    pub shape: Vec<u64>,
    /// Elements.
    pub values: Vec<f64>,
}

impl Array {
    /// Applies a function to every element.
    #[must_use]
    pub fn map(mut self, function: impl Fn(f64) -> f64) -> Self {
        for value in &mut self.values {
            *value = function(*value);
        }
        self
    }

    /// Returns the elements, broadcast to a shape.
    pub fn broadcast_to(&self, shape: &[u64]) -> Vec<f64> {
        if self.shape == shape {
            return self.values.clone();
        }
        let sources = broadcast_sources(&self.shape, shape);
        sources
            .into_iter()
            .map(|source| self.values[source])
            .collect()
    }

    fn zip(&self, other: &Self, shape: &[u64], function: impl Fn(f64, f64) -> f64) -> Vec<f64> {
        let pairs = self
            .broadcast_to(shape)
            .into_iter()
            .zip(other.broadcast_to(shape));
        pairs.map(|(x, y)| function(x, y)).collect()
    }
}

/// Returns the result of an arithmetic operation, before it is rounded to an element type.
///
/// # Errors
/// If the operands do not fit the operation, or it is not arithmetic
/// ([`crate::OpInfo::is_arithmetic`]).
pub fn eval(call: &Call, arithmetic: Arithmetic, operands: &[Array]) -> Result<Array, CallError> {
    let shape = call.infer_shape()?;
    let values = match call.op.class {
        Class::Unary(function) => map_elements(&operands[0], |x| function.eval(arithmetic, x)),
        Class::Binary(function) => {
            let eval = |x, y| function.eval(arithmetic, x, y);
            operands[0].zip(&operands[1], &shape, eval)
        }
        Class::Ternary(function) => ternary(function, arithmetic, operands, &shape),
        Class::Parametric(function) => {
            let eval = parametric(function, call.attributes, arithmetic)?;
            map_elements(&operands[0], eval)
        }
        Class::Cast => operands[0].values.clone(),
        Class::Reduction(reduction) => {
            let dims = call.reduced_dimensions().map_err(CallError::Shape)?;
            reduce(reduction, arithmetic, &operands[0], &dims)
        }
        Class::Contraction => contract(call, operands, &shape)?,
        Class::Movement(map) | Class::Lookup(map) => {
            let indices = |operand: usize| operands[operand].values.iter().map(|&one| one as i64);
            let map = map(call).resolve(indices)?;
            let sources: Vec<&[f64]> = operands.iter().map(|one| &one.values[..]).collect();
            map.apply(&sources, map.fill, shape.iter().product::<u64>() as usize)
        }
        Class::Composite(_) => return call.decompose()?.eval(arithmetic, operands),
        Class::Creation(_) | Class::Placement(_) | Class::GetDevice | Class::Deallocate => {
            return Err(CallError::Shape(format!("'{}' is not arithmetic", call.op)));
        }
    };
    Ok(Array { shape, values })
}

fn map_elements(operand: &Array, function: impl Fn(f64) -> f64) -> Vec<f64> {
    operand.values.iter().map(|&x| function(x)).collect()
}

fn ternary(
    function: Ternary,
    arithmetic: Arithmetic,
    operands: &[Array],
    shape: &[u64],
) -> Vec<f64> {
    let [x, y, z] = [0, 1, 2].map(|index: usize| operands[index].broadcast_to(shape));
    let triples = x.into_iter().zip(y).zip(z);
    let eval = |((x, y), z)| match function {
        Ternary::Where if x != 0.0 => y,
        Ternary::Where => z,
        Ternary::Clamp => clamp(arithmetic, x, y, z),
    };
    triples.map(eval).collect()
}

fn clamp(arithmetic: Arithmetic, x: f64, low: f64, high: f64) -> f64 {
    Binary::Min.eval(arithmetic, Binary::Max.eval(arithmetic, x, low), high)
}

fn parametric(
    function: Parametric,
    attributes: &Attributes,
    arithmetic: Arithmetic,
) -> Result<impl Fn(f64) -> f64, CallError> {
    let [first, second] = match function {
        Parametric::LeakyRelu => [slope(attributes)?, 0.0],
        Parametric::Clamp => limits(attributes)?,
    };
    Ok(move |x| match function {
        Parametric::LeakyRelu => Binary::Prelu.eval(Arithmetic::Float, x, first),
        Parametric::Clamp => clamp(arithmetic, x, first, second),
    })
}

fn number_attribute(attributes: &Attributes, name: &str) -> Result<f64, CallError> {
    let lacks = || CallError::Shape(format!("requires attribute '{name}'"));
    attributes.float(name).ok_or_else(lacks)
}

/// Returns the slope of a leaky ReLU for negative elements.
pub(crate) fn slope(attributes: &Attributes) -> Result<f64, CallError> {
    number_attribute(attributes, "parameter")
}

/// Returns the limits of a clamp.
pub(crate) fn limits(attributes: &Attributes) -> Result<[f64; 2], CallError> {
    Ok([
        number_attribute(attributes, "min")?,
        number_attribute(attributes, "max")?,
    ])
}

/// Reduces along some dimensions, in ascending order. The row-major elements do not depend on
/// whether reduced dimensions are kept.
fn reduce(
    reduction: Reduction,
    arithmetic: Arithmetic,
    operand: &Array,
    dims: &[usize],
) -> Vec<f64> {
    let step = reduction.fold().step();
    let kept = |axis: usize, extent: u64| if dims.contains(&axis) { 1 } else { extent };
    let shape: Vec<u64> = operand
        .shape
        .iter()
        .enumerate()
        .map(|(a, &e)| kept(a, e))
        .collect();
    let count: u64 = dims.iter().map(|&dim| operand.shape[dim]).product();
    let mut result =
        vec![reduction.fold().identity(arithmetic); shape.iter().product::<u64>() as usize];
    let targets = broadcast_sources(&shape, &operand.shape);
    for (&value, target) in operand.values.iter().zip(targets) {
        result[target] = step.eval(arithmetic, result[target], value);
    }
    if reduction == Reduction::Mean {
        result.iter_mut().for_each(|sum| *sum /= count as f64);
    }
    result
}

fn contract(call: &Call, operands: &[Array], shape: &[u64]) -> Result<Vec<f64>, CallError> {
    let flags = ["transpose_a", "transpose_b"].map(|flag| call.attributes.flag(flag));
    let (product, sums) = with_factors(&operands[0], &operands[1], flags, matmul)?;
    let sums = Array {
        shape: product.result,
        values: sums,
    };
    Ok(match operands.get(2) {
        None => sums.values,
        Some(bias) => sums.zip(bias, shape, |sum, bias| sum + bias),
    })
}

/// Applies `function` to the factors of a matrix product; returns its result and the shape of the
/// product.
///
/// # Errors
/// If the factors have no product.
pub fn with_factors<T>(
    a: &Array,
    b: &Array,
    [transpose_a, transpose_b]: [bool; 2],
    function: impl FnOnce(&MatmulShape, Operand<'_>, Operand<'_>) -> T,
) -> Result<(MatmulShape, T), CallError> {
    let shape = shape::matmul(&a.shape, &b.shape, transpose_a, transpose_b);
    let shape = shape.map_err(CallError::Shape)?;
    // The flags have no effect on vectors.
    let operand = |array: &'_ Array, flag: bool| flag && array.shape.len() > 1;
    let [a, b] = [(a, transpose_a), (b, transpose_b)].map(|(array, flag)| Operand {
        transposed: operand(array, flag),
        values: &array.values,
    });
    let result = function(&shape, a, b);
    Ok((shape, result))
}
