//! Where the elements of a result lie if those of the operands lie in intervals.
//!
//! These are enclosures of exact results: what a device loses on top is the device's. Matrix
//! products are not among them, because their enclosures depend on how a device adds.

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
    /// What is known of each element.
    pub values: Vec<Interval>,
}

impl Intervals {
    /// The elements of an array, which are known exactly.
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

    /// `function` of every element.
    #[must_use]
    pub fn map(mut self, function: impl Fn(Interval) -> Interval) -> Self {
        for value in &mut self.values {
            *value = function(*value);
        }
        self
    }

    /// The elements, broadcast to a shape.
    pub fn broadcast_to(&self, shape: &[u64]) -> Vec<Interval> {
        if self.shape == shape {
            return self.values.clone();
        }
        let sources = broadcast_sources(&self.shape, shape);
        let values = sources.into_iter().map(|source| self.values[source]);
        values.collect()
    }
}

/// Where the elements of the exact result of an operation lie.
///
/// # Errors
/// If the operands do not fit the operation, or it is a matrix product, a composite or not
/// arithmetic.
pub fn enclose(
    call: &Call,
    arithmetic: Arithmetic,
    operands: &[Intervals],
) -> Result<Intervals, CallError> {
    let shape = call.infer()?;
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
        Class::Movement(map) => {
            let map = map(call);
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
    /// Where the value lies if the operands lie in intervals.
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
    /// The numbers among the attributes.
    fn parameters(self, attributes: &Attributes) -> Result<[f64; 2], CallError> {
        match self {
            Parametric::LeakyRelu => Ok([slope(attributes)?, 0.0]),
            Parametric::Clamp => limits(attributes),
        }
    }

    /// Where the value lies if the operand lies in an interval.
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
mod tests {
    use super::*;
    use crate::eval::eval;
    use crate::{table, AttributeValue, ElementType, TensorType};
    use proptest::prelude::*;

    fn attributes(name: &str) -> Attributes {
        let none = Attributes::none();
        match name {
            "leaky_relu" => none.with("parameter", AttributeValue::Float(-0.5)),
            "clamp_scalar" => none
                .with("min", AttributeValue::Float(-1.0))
                .with("max", AttributeValue::Float(0.5)),
            "permute" => none.with("permutation", AttributeValue::Ints(vec![1, 0])),
            "concat" => none.with("dim", AttributeValue::Int(0)),
            "reshape" => none.with("shape", AttributeValue::Ints(vec![3, -1])),
            "sum" | "mean" | "max" | "min" => none
                .with("keep_dim", AttributeValue::Bool(true))
                .with("dim_arg", AttributeValue::Ints(vec![1])),
            _ => none,
        }
    }

    /// Whatever the operands are within their intervals, the result is within its own.
    #[test]
    fn results_of_points_lie_in_the_enclosure() {
        let shapes: [&[u64]; 3] = [&[2, 3], &[3], &[2, 1]];
        let interval = || {
            (
                -3.0..3.0f64,
                prop_oneof![Just(0.0), 0.0..2.0f64],
                0.0..=1.0f64,
            )
        };
        let strategy = prop::collection::vec(interval(), 6 + 3 + 2);
        let config = ProptestConfig {
            cases: 512,
            failure_persistence: None,
            ..ProptestConfig::default()
        };
        proptest::test_runner::TestRunner::new(config)
            .run(&strategy, |elements| {
                for op in table::all() {
                    let is_enclosed = !matches!(op.class, Class::Contraction | Class::Composite(_));
                    if !op.is_arithmetic() || !is_enclosed || !op.domain.contains(Arithmetic::Float)
                    {
                        continue;
                    }
                    let attributes = attributes(op.name);
                    let count = op.operands.len();
                    let element = ElementType::F32;
                    let types = shapes[..count].iter().map(|shape| TensorType {
                        shape: shape.to_vec(),
                        element,
                    });
                    let types: Vec<_> = types.collect();
                    let mut rest = elements.iter();
                    let (mut points, mut intervals) = (vec![], vec![]);
                    for shape in &shapes[..count] {
                        let size = shape.iter().product::<u64>() as usize;
                        let own: Vec<_> = rest.by_ref().take(size).collect();
                        let point = |(low, width, at): &&(f64, f64, f64)| low + at * width;
                        let spans = own.iter().map(|(low, width, at)| {
                            let point = low + at * width;
                            Interval::new(low.min(point), (low + width).max(point))
                        });
                        intervals.push(Intervals {
                            shape: shape.to_vec(),
                            values: spans.collect(),
                        });
                        points.push(Array {
                            shape: shape.to_vec(),
                            values: own.iter().map(point).collect(),
                        });
                    }
                    let call = Call {
                        op,
                        operands: &types,
                        attributes: &attributes,
                    };
                    let exact = eval(&call, Arithmetic::Float, &points).unwrap();
                    let found = enclose(&call, Arithmetic::Float, &intervals).unwrap();
                    prop_assert_eq!(&found.shape, &exact.shape);
                    for (value, range) in exact.values.iter().zip(found.values) {
                        let slack = 1e-12 * value.abs();
                        let holds = range.is_undetermined()
                            || (value.is_nan() && range.is_not_a_number())
                            || Interval::new(range.low - slack, range.high + slack)
                                .contains(*value);
                        prop_assert!(holds, "{op}: {value} {range:?}");
                    }
                }
                Ok(())
            })
            .unwrap();
    }

    #[test]
    fn conditions_choose_what_they_may() {
        let of = |low, high| Interval::new(low, high);
        let (y, z) = (of(1.0, 2.0), of(4.0, 5.0));
        for (x, expect) in [
            (of(1.0, 3.0), y),
            (Interval::point(0.0), z),
            (of(-1.0, 1.0), of(1.0, 5.0)),
        ] {
            let found = Ternary::Where.enclose(Arithmetic::Float, [x, y, z]);
            assert_eq!(found, expect, "{x:?}");
        }
        let open = Interval::UNDETERMINED;
        let chosen = Ternary::Where.enclose(Arithmetic::Float, [of(1.0, 3.0), y, open]);
        assert_eq!(chosen, y, "what is not chosen does not matter");
    }
}
