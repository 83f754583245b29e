//! Interval evaluation of operations: where the elements of the result lie if those of the operands
//! lie in intervals.
//!
//! The intervals enclose the exact results; a device adds its own errors. Matrix products are not
//! included, because their intervals depend on the order in which a device adds.

use crate::attribute::Attributes;
use crate::broadcast::broadcast_sources;
use crate::eval::{limits, slope, Array};
use crate::op::{Call, CallError, Class, Parametric, Reduction, Ternary};
use crate::scalar::{Arithmetic, Binary, Interval};

/// A row-major array of intervals.
#[derive(Clone, Debug, PartialEq)]
pub struct Intervals {
    /// Extents, outermost first.
    pub shape: Vec<u64>,
    /// The interval of each element.
    pub values: Vec<Interval>,
}

impl Intervals {
    /// Returns an array of points.
    pub fn from_array(array: &Array) -> Self {
        Intervals {
            shape: array.shape.clone(),
            values: array
                .values
                .iter()
                .map(|&value| Interval::point(value))
                .collect(),
        }
    }

    /// Applies a function to every element.
    #[must_use]
    pub fn map(mut self, function: impl Fn(Interval) -> Interval) -> Self {
        for value in &mut self.values {
            *value = function(*value);
        }
        self
    }

    /// Returns the elements, broadcast to a shape.
    pub fn broadcast_to(&self, shape: &[u64]) -> Vec<Interval> {
        if self.shape == shape {
            return self.values.clone();
        }
        let sources = broadcast_sources(&self.shape, shape);
        let values = sources.into_iter().map(|source| self.values[source]);
        values.collect()
    }
}

/// Returns the intervals of the exact result of an operation.
///
/// # Errors
/// If the operands do not fit the operation, or it is a matrix product, a composite or not
/// arithmetic.
pub fn enclose(
    call: &Call,
    arithmetic: Arithmetic,
    operands: &[Intervals],
) -> Result<Intervals, CallError> {
    let shape = call.infer_shape()?;
    let values = match call.op.class {
        Class::Unary(function) => {
            let values = operands[0].values.iter();
            let enclose = |&x| function.enclose(arithmetic, x);
            values.map(enclose).collect()
        }
        Class::Binary(function) => {
            let [x, y] = [0, 1].map(|operand: usize| operands[operand].broadcast_to(&shape));
            let pairs = x.into_iter().zip(y);
            pairs
                .map(|(x, y)| function.enclose(arithmetic, x, y))
                .collect()
        }
        Class::Ternary(function) => {
            let [x, y, z] = [0, 1, 2].map(|operand: usize| operands[operand].broadcast_to(&shape));
            let triples = x.into_iter().zip(y).zip(z);
            let enclose = |((x, y), z)| function.enclose(arithmetic, [x, y, z]);
            triples.map(enclose).collect()
        }
        Class::Parametric(function) => {
            let parameters = function.parameters(call.attributes)?;
            let enclose = |&x| function.enclose_with(arithmetic, x, parameters);
            operands[0].values.iter().map(enclose).collect()
        }
        Class::Cast => operands[0].values.clone(),
        Class::Reduction(reduction) => {
            let dims = call.reduced_dimensions().map_err(CallError::Shape)?;
            reduce(reduction, arithmetic, &operands[0], &dims)
        }
        Class::Movement(map) | Class::Lookup(map) => {
            let map = map(call);
            let indices = |operand: usize| operands[operand].values.iter();
            if let Some(lookup) = map.lookup {
                if !indices(lookup.indices).all(|index| index.is_point()) {
                    let what = "the indices of a lookup are not exact";
                    return Err(CallError::Shape(what.into()));
                }
            }
            let map = map.resolve(|operand| indices(operand).map(|index| index.low as i64))?;
            let sources: Vec<&[Interval]> = operands.iter().map(|one| &one.values[..]).collect();
            let elements = shape.iter().product::<u64>() as usize;
            map.apply(&sources, Interval::point(map.fill), elements)
        }
        _ => {
            let op = call.op;
            return Err(CallError::Shape(format!(
                "'{op}' has no enclosure of its own"
            )));
        }
    };
    Ok(Intervals { shape, values })
}

impl Ternary {
    /// Returns the interval of the value for operands in intervals.
    pub fn enclose(self, arithmetic: Arithmetic, [x, y, z]: [Interval; 3]) -> Interval {
        match self {
            Ternary::Clamp => clamp(arithmetic, x, y, z),
            Ternary::Where if !x.is_enclosed() => Interval::UNDETERMINED,
            Ternary::Where if !x.contains(0.0) => y,
            Ternary::Where if x.is_point() => z,
            Ternary::Where => y.hull(z),
        }
    }
}

impl Parametric {
    /// Returns the parameters among the attributes.
    fn parameters(self, attributes: &Attributes) -> Result<[f64; 2], CallError> {
        match self {
            Parametric::LeakyRelu => Ok([slope(attributes)?, 0.0]),
            Parametric::Clamp => limits(attributes),
        }
    }

    /// Returns the interval of the value for an operand in an interval.
    ///
    /// # Errors
    /// If an attribute is lacking.
    pub fn enclose(
        self,
        arithmetic: Arithmetic,
        x: Interval,
        attributes: &Attributes,
    ) -> Result<Interval, CallError> {
        Ok(self.enclose_with(arithmetic, x, self.parameters(attributes)?))
    }

    fn enclose_with(self, arithmetic: Arithmetic, x: Interval, parameters: [f64; 2]) -> Interval {
        let [first, second] = parameters.map(Interval::point);
        match self {
            Parametric::LeakyRelu => Binary::Prelu.enclose(Arithmetic::Float, x, first),
            Parametric::Clamp => clamp(arithmetic, x, first, second),
        }
    }
}

fn clamp(arithmetic: Arithmetic, x: Interval, low: Interval, high: Interval) -> Interval {
    let above = Binary::Max.enclose(arithmetic, x, low);
    Binary::Min.enclose(arithmetic, above, high)
}

/// Reduces along some dimensions, ascending; the elements are row-major either way of keeping them.
fn reduce(
    reduction: Reduction,
    arithmetic: Arithmetic,
    operand: &Intervals,
    dims: &[usize],
) -> Vec<Interval> {
    let step = reduction.fold().step();
    let extents = operand.shape.iter().enumerate();
    let kept = extents.map(|(axis, &extent)| if dims.contains(&axis) { 1 } else { extent });
    let kept: Vec<u64> = kept.collect();
    let identity = Interval::point(reduction.fold().identity(arithmetic));
    let mut result = vec![identity; kept.iter().product::<u64>() as usize];
    let targets = broadcast_sources(&kept, &operand.shape);
    for (&value, target) in operand.values.iter().zip(targets) {
        result[target] = step.enclose(arithmetic, result[target], value);
    }
    if reduction == Reduction::Mean {
        let count: u64 = dims.iter().map(|&dim| operand.shape[dim]).product();
        let mean = |sum: &mut Interval| *sum = sum.map(|end| end / count as f64);
        result.iter_mut().for_each(mean);
    }
    result
}

#[cfg(test)]
mod tests;
