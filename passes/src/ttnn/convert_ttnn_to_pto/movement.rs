//! Movements: operations that only rearrange elements of their operands, by an index map.
//!
//! A movement becomes a kernel of kind `movement` with a single `pto.rearrange` that holds the map.
//! Targets lower maps, independent of the operation. The exception is a transposition of the last
//! two dimensions, which is computed on tiles
//! ([`Compute::Transpose`](crate::ttnn::fusion::compute::Compute)).
//!
//! A movement whose result only movements read joins their kernels if the maps compose
//! ([`IndexMap::compose`]). Splitting the heads of attention thus takes one kernel, which often
//! copies whole tiles, instead of a reshape and a permutation that copy single elements.

use std::collections::HashMap;

use tessera_dialects::mlir::{At, NamedOp, Op, Reported, Rewriter, TensorType, Value};
use tessera_dialects::pto::{self, rearrange, FuncOp, Kind};
use tessera_ops::rounding::{bf16_to_f64, f64_to_bf16};
use tessera_ops::{IndexMap, Lookup, StridedCopy};

use crate::ttnn::fusion::compute::{index_map, Compute};
use crate::ttnn::fusion::extent::Extent;
use crate::ttnn::fusion::tensor::Element;
use crate::ttnn::fusion::Abilities;
use crate::verified::expect_verified;

/// Returns whether an operation is a movement with a kernel of its own.
pub fn is_movement(op: Op, abilities: Abilities) -> bool {
    index_map(op).is_some() && Compute::from_op(op, abilities).is_none()
}

/// A movement: its operations, its inputs and its index map.
#[derive(Clone)]
pub struct Movement<'a> {
    /// The operations in order; the last one makes the result.
    ops: Vec<Op<'a>>,
    /// The distinct input tensors.
    pub inputs: Vec<Value<'a>>,
    map: IndexMap,
}

impl<'a> Movement<'a> {
    /// Creates the movement of operations that [`join`] joined.
    ///
    /// # Errors
    /// Reported if an operation is not a movement, or if their maps do not compose.
    pub fn new(ops: &[Op<'a>]) -> Result<Self, Reported> {
        let mut movements: Vec<Movement> = Vec::new();
        for &op in ops {
            let mut movement = Movement::from_op(op)?;
            for inner in &movements {
                let is_read = movement.inputs.iter().any(|input| inner.makes(*input));
                if is_read {
                    movement = expect_verified(op, movement.after(inner))?;
                }
            }
            movements.push(movement);
        }
        let last = movements.pop();
        Ok(last.expect("a movement has operations"))
    }

    /// Creates the movement of a single operation.
    fn from_op(op: Op<'a>) -> Result<Self, Reported> {
        let map = expect_verified(op, index_map(op))?;
        let element = expect_verified(op, op.result(0).and_then(Element::from_value))?;
        let mut inputs: Vec<Value> = Vec::new();
        let operands: Vec<usize> = op
            .operands()
            .into_iter()
            .map(|value| {
                let known = inputs.iter().position(|input| *input == value);
                known.unwrap_or_else(|| {
                    inputs.push(value);
                    inputs.len() - 1
                })
            })
            .collect();
        let copies = map.simplified().copies.into_iter();
        let copies = copies.map(|copy| StridedCopy {
            operand: operands[copy.operand],
            ..copy
        });
        let lookup = map.lookup.map(|lookup| Lookup {
            indices: operands[lookup.indices],
            ..lookup
        });
        let map = IndexMap {
            copies: copies.collect(),
            fill: rounded(map.fill, element),
            lookup,
        };
        Ok(Movement {
            ops: vec![op],
            inputs,
            map,
        })
    }

    /// Returns the movement that also does what `inner` does, which computes an input and has no
    /// other reader. Returns `None` if their maps do not compose.
    fn after(&self, inner: &Movement<'a>) -> Option<Movement<'a>> {
        let operand = self.inputs.iter().position(|input| inner.makes(*input))?;
        let mut inputs = self.inputs.clone();
        for input in &inner.inputs {
            if !inputs.contains(input) {
                inputs.push(*input);
            }
        }
        // The replaced input is removed; those after it move up.
        let moved_up = |number: usize| number - usize::from(number > operand);
        let number = |value: &Value<'a>| inputs.iter().position(|input| input == value);
        let numbers: Vec<usize> = inner.inputs.iter().filter_map(number).collect();
        let mut map = self.map.compose(operand, &inner.map, |one| numbers[one])?;
        for copy in &mut map.copies {
            copy.operand = moved_up(copy.operand);
        }
        inputs.remove(operand);
        let own = self.ops.iter().filter(|op| !inner.ops.contains(op));
        Some(Movement {
            ops: inner.ops.iter().chain(own).copied().collect(),
            inputs,
            map,
        })
    }

    /// Returns whether a value is the result.
    fn makes(&self, value: Value<'a>) -> bool {
        self.last().result(0) == Some(value)
    }

    /// Returns the operation that makes the result.
    fn last(&self) -> Op<'a> {
        self.ops[self.ops.len() - 1]
    }

    /// Returns everything that the kernel depends on, as text.
    pub fn content(&self) -> String {
        let tensors = self.tensors().map(|value| value.r#type().to_string());
        let tensors: Vec<String> = tensors.collect();
        format!("{tensors:?} {:?}", self.map)
    }

    /// Iterates over the inputs and the result.
    fn tensors(&self) -> impl Iterator<Item = Value<'a>> + '_ {
        let result = self.last().results();
        self.inputs.iter().copied().chain(result)
    }

    /// Builds the kernel, named `name`, beside a function.
    pub fn build(&self, name: &str, func: Op<'a>, rewriter: &Rewriter<'a>) {
        let context = rewriter.context();
        let location = self.last().location();
        let memory = self.tensors().map(|value| {
            let shape = value.r#type().static_shape().unwrap_or_default();
            let element = Element::from_value(value).unwrap_or_default();
            let text = format!("memref<{}x{element}>", Extent::from_shape(&shape));
            context.parse_type(&text).expect("a type of ours parses")
        });
        let memory: Vec<_> = memory.collect();
        let kernel = FuncOp::build(location)
            .with(context, FuncOp::SYM_NAME, name)
            .with(
                context,
                FuncOp::FUNCTION_TYPE,
                context.function(&memory, &[]),
            )
            .with(context, FuncOp::KIND, Kind::Movement)
            .region(memory.iter().map(|memory| (*memory, location)));
        let kernel = rewriter.insert(At::Before(func), kernel);
        let body = kernel.body().expect("the region was made with a block");
        let moves = pto::RearrangeOp::build(location)
            .operands(body.arguments())
            .attributes(rearrange::attributes(&self.map, context));
        rewriter.insert(At::End(body), moves);
        rewriter.insert(At::End(body), pto::ReturnOp::build(location));
    }
}

/// Arranges movements, which are in program order, to kernels, and returns the operations of each.
/// A movement that only movements read joins the kernels of all of them, if its map composes with
/// each of theirs. `readers` returns the operations that use the result of an operation.
///
/// # Errors
/// Reported if an operation is not a movement.
pub fn join<'a>(
    ops: &[Op<'a>],
    readers: impl Fn(Op<'a>) -> Vec<Op<'a>>,
) -> Result<Vec<Vec<Op<'a>>>, Reported> {
    let single: Result<HashMap<Op, Movement>, Reported> = ops
        .iter()
        .map(|op| Ok((*op, Movement::from_op(*op)?)))
        .collect();
    let single = single?;
    // The movements that join those of their readers, by their results.
    let mut joining: HashMap<Value, Movement> = HashMap::new();
    let mut kernels = Vec::new();
    for op in ops {
        let mut movement = single[op].clone();
        for input in &single[op].inputs {
            if let Some(inner) = joining.get(input) {
                movement = expect_verified(*op, movement.after(inner))?;
            }
        }
        let readers = readers(*op);
        let composes = |reader: &Op<'a>| {
            let reader = single.get(reader);
            reader.is_some_and(|reader| reader.after(&movement).is_some())
        };
        match op.result(0) {
            Some(result) if !readers.is_empty() && readers.iter().all(composes) => {
                joining.insert(result, movement);
            }
            _ => kernels.push(movement.ops),
        }
    }
    Ok(kernels)
}

/// Rounds a number to an element type, to nearest with ties to even.
fn rounded(number: f64, element: Element) -> f64 {
    match element {
        Element::Bf16 => bf16_to_f64(f64_to_bf16(number)),
        Element::F32 => f64::from(number as f32),
        Element::I32 => f64::from(number as i32),
    }
}
