//! What a region decides that compares two elements, or combines them with their indices.
//!
//! A region of comparisons of its arguments, boolean operations and selections has results that
//! depend only on how the two elements and the two indices compare. Running it on one sample for
//! each combination therefore tells exactly what it computes. Elements that are NaN do not count:
//! TTIR leaves the index of the largest of them open.

use std::collections::HashMap;

use tessera_dialects::mlir::{Block, Op, Value};

use super::source::comparison_direction;

/// Returns the direction by which a region compares its first argument with its second one, or
/// `None` if it does something else.
pub fn comparison(body: Block) -> Option<String> {
    let [compare, end] = body.ops()[..] else {
        return None;
    };
    let is_comparison = compare.is("stablehlo.compare") && compare.operands() == body.arguments();
    let is_returned = end.is("stablehlo.return") && end.operands() == compare.results();
    match is_comparison && is_returned {
        true => comparison_direction(compare),
        false => None,
    }
}

/// The element that a region selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extremum {
    /// The largest.
    Max,
    /// The smallest.
    Min,
}

/// Returns the extremum that a region of four arguments selects, `(element, index)` twice, with
/// the lower index if both elements are equal. Returns `None` if it selects something else.
pub fn extremum(body: Block) -> Option<Extremum> {
    [Extremum::Max, Extremum::Min]
        .into_iter()
        .find(|&extremum| {
            samples().all(|sample| run(body, sample) == Some(extremum.select(sample)))
        })
}

impl Extremum {
    fn select(self, [first, index, second, other]: [f64; 4]) -> [f64; 2] {
        let is_better = match self {
            Extremum::Max => first > second,
            Extremum::Min => first < second,
        };
        match () {
            () if first == second => [first, index.min(other)],
            () if is_better => [first, index],
            () => [second, other],
        }
    }
}

/// Returns arguments for each combination of the orders of elements and indices.
fn samples() -> impl Iterator<Item = [f64; 4]> {
    const PAIRS: [[f64; 2]; 3] = [[1.0, 2.0], [2.0, 1.0], [1.0, 1.0]];
    PAIRS.into_iter().flat_map(|[first, second]| {
        PAIRS.map(|[index, other]| [first, index + 4.0, second, other + 4.0])
    })
}

/// Returns the two results of a region for these arguments, or `None` if it has operations that do
/// more than decide.
fn run(body: Block, sample: [f64; 4]) -> Option<[f64; 2]> {
    let arguments = body.arguments();
    if arguments.len() != sample.len() {
        return None;
    }
    let mut values: HashMap<Value, f64> = arguments.into_iter().zip(sample).collect();
    for op in body.ops() {
        let operands = op.operands().into_iter();
        let operands: Vec<f64> = operands
            .map(|operand| values.get(&operand).copied())
            .collect::<Option<_>>()?;
        if op.is("stablehlo.return") {
            return operands.try_into().ok();
        }
        values.insert(op.result(0)?, eval(op, &operands)?);
    }
    None
}

/// Returns the value of an operation that compares or selects.
fn eval(op: Op, operands: &[f64]) -> Option<f64> {
    let truth = |value: bool| Some(f64::from(u8::from(value)));
    match (op.name(), operands) {
        ("stablehlo.compare", &[a, b]) => match comparison_direction(op)?.as_str() {
            "EQ" => truth(a == b),
            "NE" => truth(a != b),
            "GE" => truth(a >= b),
            "GT" => truth(a > b),
            "LE" => truth(a <= b),
            "LT" => truth(a < b),
            _ => None,
        },
        ("stablehlo.and", &[a, b]) => truth(a != 0.0 && b != 0.0),
        ("stablehlo.or", &[a, b]) => truth(a != 0.0 || b != 0.0),
        ("stablehlo.not", &[a]) => truth(a == 0.0),
        ("stablehlo.select", &[condition, a, b]) => Some(if condition != 0.0 { a } else { b }),
        ("stablehlo.maximum", &[a, b]) => Some(a.max(b)),
        ("stablehlo.minimum", &[a, b]) => Some(a.min(b)),
        _ => None,
    }
}
