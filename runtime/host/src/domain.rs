//! Chooses random inputs with which operations stay inside their domains.
//!
//! Interval arithmetic, with one interval for each tensor of a program (Moore, Kearfott and Cloud,
//! "Introduction to Interval Analysis", 2009), finds operations that may meet a pole or leave their
//! domain. The inputs of such an operation get another distribution if that avoids the problem. For
//! example, a divisor is then bounded away from zero, and the factors of a product under a square
//! root are positive.

use std::collections::HashMap;

use tessera_ops::graph::Value;
use tessera_ops::scalar::Sensitivity;
use tessera_ops::table::fill_value;
use tessera_ops::{
    Arithmetic, Attributes, Binary, Call, CallError, Class, Creation, ElementType, IndexMap,
    Interval, OpInfo, Reduce, Reduction, TensorType,
};
use tessera_program::{GlobalId, Operation, Program, TensorOp};
use tessera_reference::Tensor;

use crate::golden::judged_operations;

/// The distribution of the elements of a random input.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Distribution {
    /// Normally, around 0 with deviation 1, within ±6.
    Normal,
    /// Uniformly, between two numbers.
    Uniform(f64, f64),
    /// Integers from 0 to below this number.
    Below(u64),
}

/// Candidate distributions, the preferred one first.
const DISTRIBUTIONS: [Distribution; 3] = [
    Distribution::Normal,
    Distribution::Uniform(-1.0, 1.0),
    Distribution::Uniform(0.5, 1.5),
];

/// Number of inputs of an operation up to which each is tried on its own before all of them
/// together.
const MOST_ALONE: usize = 16;

/// The range of random integers.
const INTEGERS: Interval = Interval::new(0.0, 99.0);

impl Distribution {
    fn range(self) -> Interval {
        match self {
            Distribution::Normal => Interval::new(-6.0, 6.0),
            Distribution::Uniform(low, high) => Interval::new(low, high),
            Distribution::Below(end) => Interval::new(0.0, end.saturating_sub(1) as f64),
        }
    }
}

/// Returns a distribution for each input of a program, chosen so that few operations may leave
/// their domains.
///
/// The search is greedy: it changes the inputs of the first operation that is undetermined, as long
/// as no other operation becomes undetermined.
pub fn distributions(program: &Program) -> Vec<Distribution> {
    let operations = flatten_groups(&program.operations);
    let origins = origins(program, &operations);
    let mut chosen = vec![DISTRIBUTIONS[0]; program.inputs.len()];
    for (input, rows) in looked_up(program, &operations, &origins) {
        chosen[input] = match chosen[input] {
            Distribution::Below(others) => Distribution::Below(rows.min(others)),
            _ => Distribution::Below(rows),
        };
    }
    let mut given_up = Vec::new();
    loop {
        let open = undetermined(program, &operations, &chosen);
        let Some(&op) = open.iter().find(|op| !given_up.contains(*op)) else {
            return chosen;
        };
        let improves = |other: &Vec<Distribution>| {
            let others = undetermined(program, &operations, other);
            !others.contains(&op) && others.iter().all(|one| open.contains(one))
        };
        let inputs = reachable_inputs(&operations[op].inputs, &origins);
        let better = alternatives(&chosen, &inputs).find(improves);
        match better {
            Some(better) => chosen = better,
            None => given_up.push(op),
        }
    }
}

/// Returns other choices of distributions: for each distribution, first for single inputs, then for
/// all of them.
fn alternatives<'a>(
    chosen: &'a [Distribution],
    inputs: &'a [usize],
) -> impl Iterator<Item = Vec<Distribution>> + 'a {
    let with = |of: &[usize], distribution| {
        let mut other = chosen.to_vec();
        of.iter().for_each(|input| other[*input] = distribution);
        other
    };
    let alone = match inputs.len() <= MOST_ALONE {
        true => inputs,
        false => &[],
    };
    DISTRIBUTIONS[1..].iter().flat_map(move |&distribution| {
        let alone = alone.iter().map(move |input| with(&[*input], distribution));
        alone.chain(std::iter::once_with(move || with(inputs, distribution)))
    })
}

/// Returns the operations of the table, with groups replaced by their operations.
fn flatten_groups(operations: &[Operation]) -> Vec<&TensorOp> {
    let operations = operations.iter().flat_map(judged_operations);
    let ops = operations.filter_map(|operation| operation.op.as_tensor());
    ops.collect()
}

/// Returns, for each tensor, the inputs of the program from which it is computed.
fn origins(program: &Program, operations: &[&TensorOp]) -> HashMap<GlobalId, Vec<usize>> {
    let inputs = program.inputs.iter().enumerate();
    let mut origins = inputs.map(|(number, id)| (*id, vec![number])).collect();
    for op in operations {
        let reached = reachable_inputs(&op.inputs, &origins);
        for id in &op.outputs {
            origins.insert(*id, reached.clone());
        }
    }
    origins
}

/// Returns the inputs of the program on which these tensors depend, ascending.
fn reachable_inputs(ids: &[GlobalId], origins: &HashMap<GlobalId, Vec<usize>>) -> Vec<usize> {
    let inputs = ids.iter().filter_map(|id| origins.get(id));
    let mut reached: Vec<usize> = inputs.flatten().copied().collect();
    reached.sort_unstable();
    reached.dedup();
    reached
}

/// Returns inputs of integers from which positions of lookups are computed, and the number of
/// positions.
fn looked_up(
    program: &Program,
    operations: &[&TensorOp],
    origins: &HashMap<GlobalId, Vec<usize>>,
) -> Vec<(usize, u64)> {
    let is_integer = |input: &usize| {
        let r#type = program.tensor_type(program.inputs[*input]);
        r#type.is_ok_and(|tensor| tensor.element.is_integer())
    };
    let mut found = Vec::new();
    for op in operations {
        let (Class::Lookup(map), Ok(types)) = (op.op.class, op.operand_types(program)) else {
            continue;
        };
        let Some(lookup) = map(&op.call(&types)).lookup else {
            continue;
        };
        let inputs = reachable_inputs(&op.inputs[lookup.indices..=lookup.indices], origins);
        let integers = inputs.into_iter().filter(is_integer);
        found.extend(integers.map(|input| (input, lookup.rows)));
    }
    found
}

/// Returns the operations that may meet a pole or leave their domain with these inputs.
fn undetermined(
    program: &Program,
    operations: &[&TensorOp],
    chosen: &[Distribution],
) -> Vec<usize> {
    let mut ranges: HashMap<GlobalId, Interval> = HashMap::new();
    for (id, distribution) in program.inputs.iter().zip(chosen) {
        let element = program.tensor_type(*id).map(|tensor| tensor.element);
        let is_integer = element.is_ok_and(ElementType::is_integer);
        ranges.insert(
            *id,
            match distribution {
                Distribution::Below(_) => distribution.range(),
                _ if is_integer => INTEGERS,
                _ => distribution.range(),
            },
        );
    }
    let mut open = Vec::new();
    for (number, op) in operations.iter().enumerate() {
        let range = |id: &GlobalId| ranges.get(id).copied().unwrap_or(ANYTHING);
        let operands: Vec<Interval> = op.inputs.iter().map(range).collect();
        let is_square = matches!(op.inputs[..], [x, y] if x == y);
        let Ok(types) = op.operand_types(program) else {
            continue;
        };
        let created = creation_range(program, op);
        let (result, is_open) = match created {
            Some(created) => (created, false),
            None => evaluate(&op.call(&types), &operands, is_square),
        };
        if is_open {
            open.push(number);
        }
        for id in &op.outputs {
            ranges.insert(*id, result);
        }
    }
    open
}

/// The interval of all numbers.
const ANYTHING: Interval = Interval::new(f64::NEG_INFINITY, f64::INFINITY);

/// Returns the interval of the elements of a tensor that an operation creates, or `None` if the
/// operation has operands.
fn creation_range(program: &Program, op: &TensorOp) -> Option<Interval> {
    let Class::Creation(creation) = op.op.class else {
        return None;
    };
    if let Some(value) = fill_value(creation, &op.attributes) {
        return Some(Interval::point(value));
    }
    let constant = || {
        let desc = program.tensor(*op.outputs.first()?)?;
        let data = op.attributes.bytes("value")?.to_vec();
        let tensor = Tensor::new(desc.shape.clone(), desc.data_type, data).ok()?;
        let values = tensor.to_f64s().into_iter().map(Interval::point);
        values.reduce(Interval::hull)
    };
    match creation {
        Creation::Constant => constant().or(Some(ANYTHING)),
        Creation::Range => {
            let end = |name| Some(op.attributes.int(name)? as f64);
            let ends = end("start").zip(end("end"));
            ends.map(|(start, end)| Interval::new(start.min(end), start.max(end)))
        }
        _ => Some(ANYTHING),
    }
}

/// Returns the interval of a result, and whether the operation may meet a pole or leave its domain.
fn evaluate(call: &Call<'_>, operands: &[Interval], is_square: bool) -> (Interval, bool) {
    let found = enclose(call, operands, is_square);
    let is_open = found.is_err();
    let known = found.ok().filter(|range| range.is_enclosed());
    (known.unwrap_or(ANYTHING), is_open)
}

/// Returns the interval of the elements that a movement copies and fills.
fn moved(
    call: &Call<'_>,
    map: fn(&Call) -> IndexMap,
    operands: &[Interval],
) -> Result<Interval, MayBeUndetermined> {
    let map = map(call);
    let is_filled = !map.covers(call.infer_shape()?.iter().product());
    let fill = is_filled.then(|| Interval::point(map.fill));
    let copied = map.copies.iter().map(|copy| operands[copy.operand]);
    let all = copied.chain(fill).reduce(Interval::hull);
    Ok(all.unwrap_or(ANYTHING))
}

/// Error of an enclosure that may be undetermined.
struct MayBeUndetermined;

impl From<CallError> for MayBeUndetermined {
    fn from(_: CallError) -> Self {
        MayBeUndetermined
    }
}

fn enclose(
    call: &Call<'_>,
    operands: &[Interval],
    is_square: bool,
) -> Result<Interval, MayBeUndetermined> {
    const FLOAT: Arithmetic = Arithmetic::Float;
    let closed = |range: Interval| match range.is_enclosed() {
        true => Ok(range),
        false => Err(MayBeUndetermined),
    };
    Ok(match (call.op.class, operands) {
        (Class::Unary(function), &[x]) => closed(function.enclose(FLOAT, x))?,
        (Class::Binary(Binary::Divide), &[x, y]) => match y.contains(0.0) {
            true => return Err(MayBeUndetermined),
            false => Binary::Divide.enclose(FLOAT, x, y),
        },
        (Class::Binary(Binary::Multiply), &[x, _]) if is_square => {
            let [least, most] = [x.least_magnitude(), x.magnitude()];
            Interval::new(least * least, most * most)
        }
        (Class::Binary(function), &[x, y]) => {
            let range = function.enclose(FLOAT, x, y);
            match function.info().sensitivity {
                // Such a function is defined for some operands only.
                Sensitivity::Custom(_) => closed(range)?,
                _ => range,
            }
        }
        (Class::Ternary(function), &[x, y, z]) => function.enclose(FLOAT, [x, y, z]),
        (Class::Parametric(function), &[x]) => function.enclose(FLOAT, x, call.attributes)?,
        (Class::Reduction(Reduction::Fold(Reduce::Sum)), &[x]) => {
            let elements = |shape: &[u64]| shape.iter().product::<u64>() as f64;
            let count = elements(call.operand_shape(0)) / elements(&call.infer_shape()?);
            x.map(|end| count * end)
        }
        (Class::Contraction, &[a, b, ref bias @ ..]) => {
            let shape = call.operand_shape(0);
            let is_swapped = shape.len() > 1 && call.attributes.flag("transpose_a");
            let k = shape.iter().rev().nth(usize::from(is_swapped));
            let term = Binary::Multiply.enclose(FLOAT, a, b);
            let sum = term.map(|end| k.copied().unwrap_or(1) as f64 * end);
            let bias = bias.iter();
            bias.fold(sum, |sum, bias| Binary::Add.enclose(FLOAT, sum, *bias))
        }
        (Class::Composite(_), _) => composite(call, operands)?,
        (Class::Movement(map) | Class::Lookup(map), operands) => moved(call, map, operands)?,
        // Casts keep the elements.
        (_, &[x, ..]) => x,
        (_, []) => ANYTHING,
    })
}

fn composite(call: &Call<'_>, operands: &[Interval]) -> Result<Interval, MayBeUndetermined> {
    let graph = call.decompose()?;
    let mut results: Vec<Interval> = Vec::new();
    for node in graph.nodes() {
        let types: Vec<TensorType> = node
            .inputs
            .iter()
            .map(|input| graph.type_of(*input).clone())
            .collect();
        let range = |input: &Value| match *input {
            Value::Operand(index) => operands[index],
            Value::Node(index) => results[index],
        };
        let operands: Vec<_> = node.inputs.iter().map(range).collect();
        let (op, attributes): (&'static OpInfo, &Attributes) = (node.op, &node.attributes);
        let call = Call {
            op,
            operands: &types,
            attributes,
        };
        results.push(enclose(&call, &operands, false)?);
    }
    results.pop().ok_or(MayBeUndetermined)
}

#[cfg(test)]
mod tests;
