//! Intervals of the results of several operations in one kernel.
//!
//! Between the operations of a group, a device rounds nothing except factors of products that are
//! bf16, and casts; [`Numerics`] says if it rounds every result. A group of several products or
//! reductions, such as attention, is computed in stages. So is one whose results grow again after a
//! reduction, such as a normalisation. What a stage leaves to the next one is rounded to its type.
//! Which results these are is not recorded, so every bf16 result may be rounded or not, and every
//! operation may read inputs of a stage. Each value has an interval in which the device's value
//! lies (interval arithmetic: Moore, Kearfott and Cloud, "Introduction to Interval Analysis",
//! 2009). The operation table encloses the exact results for operands in intervals; [`Numerics`]
//! adds the errors of the device. A result is undetermined if the interval of an operand contains a
//! pole, or leaves the domain of the operation.

use std::collections::HashMap;

use tessera_ops::enclose::enclose;
use tessera_ops::eval::{self, Array};
use tessera_ops::graph::Value;
use tessera_ops::{
    Arithmetic, Attributes, Binary, Call, Class, ElementType, Interval, MathFidelity, OpInfo,
    Reduce, Reduction, TensorType,
};
use tessera_program::{DataType, GlobalId, Op, Operation, Product, TensorOp};
use tessera_pto::target::Precision;
use tessera_reference::{EvalError, Values};

use super::elementwise::{add_error, OperandTypes};
use super::enclosed::Enclosed;
use super::matmul::ProductCall;
use super::numerics::{MatmulModel, Numerics};
use super::{fidelity, GoldenError};

/// A function that returns the type of a tensor of the program.
pub type Types<'t> = dyn Fn(GlobalId) -> Option<DataType> + 't;

/// Returns the values that the operations of a group define, each with the interval of the device's
/// value.
pub fn enclose_group(
    numerics: &Numerics,
    operations: &[Operation],
    operands: &Values,
    types: &Types<'_>,
) -> Result<HashMap<GlobalId, Enclosed>, GoldenError> {
    let heads = operations.iter().filter(|one| begins_stage(one)).count();
    let group = |has_stages| {
        let group = Group {
            numerics,
            operands,
            types,
            has_stages,
            defined: HashMap::new(),
        };
        group.enclose(operations)
    };
    let defined = group(heads > 1)?;
    match heads == 1 && expands(operations, &defined) {
        true => group(true),
        false => Ok(defined),
    }
}

/// Returns whether results grow again after a reduction, which only happens in another stage.
fn expands(operations: &[Operation], defined: &HashMap<GlobalId, Enclosed>) -> bool {
    let elements = |operation: &Operation| {
        let results = operation.op.as_tensor().map(|op| &op.outputs[..]);
        let result = results.and_then(|results| defined.get(results.first()?));
        result.map_or(0, |result| result.ranges.len())
    };
    let mut after = operations.iter().skip_while(|one| !begins_stage(one));
    let head: Option<usize> = after.next().map(elements);
    head.is_some_and(|head| after.any(|operation| elements(operation) > head))
}

/// Returns whether an operation begins a stage: an element of its result depends on several
/// elements of an operand.
fn begins_stage(operation: &Operation) -> bool {
    let class = operation.op.as_tensor().map(|op| op.op.class);
    matches!(class, Some(Class::Contraction | Class::Reduction(_)))
}

/// A group of operations during evaluation.
struct Group<'g> {
    numerics: &'g Numerics,
    /// The inputs of the group.
    operands: &'g Values,
    types: &'g Types<'g>,
    /// Whether the group is computed in stages.
    has_stages: bool,
    /// The results of the operations so far.
    defined: HashMap<GlobalId, Enclosed>,
}

/// An operation with its operands.
struct OperationInstance<'a> {
    op: &'static OpInfo,
    attributes: &'a Attributes,
    operands: Vec<Enclosed>,
    /// The arithmetic of the operation.
    arithmetic: Arithmetic,
    /// The types of the operation's tensors.
    types: OperandTypes,
    /// Whether all operands are inputs of the group, or may be inputs of one of its stages.
    are_inputs: bool,
}

impl Group<'_> {
    /// Returns the results of the operations.
    fn enclose(
        mut self,
        operations: &[Operation],
    ) -> Result<HashMap<GlobalId, Enclosed>, GoldenError> {
        for operation in operations {
            let Op::Tensor(op) = &operation.op else {
                return Err(EvalError::NotArithmetic(operation.op.name()).into());
            };
            let &[out] = &op.outputs[..] else {
                return Err(EvalError::NotArithmetic(op.op.name).into());
            };
            let enclosed = self.enclose_operation(op)?;
            self.defined.insert(out, enclosed);
        }
        Ok(self.defined)
    }

    /// Returns the result of an operation of the group.
    fn enclose_operation(&self, op: &TensorOp) -> Result<Enclosed, GoldenError> {
        let numerics = self.numerics;
        let mut result = match op.product() {
            Some(product) => self.enclose_product(&product)?,
            None => {
                let types: Vec<_> = op.inputs.iter().map(|id| (self.types)(*id)).collect();
                let operands = op.inputs.iter().map(|id| self.operand(*id));
                OperationInstance {
                    op: op.op,
                    attributes: &op.attributes,
                    operands: operands.collect::<Result<_, _>>()?,
                    arithmetic: match types.last() {
                        Some(Some(DataType::SI32)) => Arithmetic::Integer,
                        _ => Arithmetic::Float,
                    },
                    types: OperandTypes {
                        precision: match op.outputs.first().and_then(|id| (self.types)(*id)) {
                            Some(DataType::BF16) => Precision::Bf16,
                            _ => Precision::F32,
                        },
                        is_narrow: types.iter().any(|found| *found != Some(DataType::F32)),
                    },
                    are_inputs: self.has_stages
                        || !op.inputs.iter().any(|id| self.defined.contains_key(id)),
                }
                .enclose(numerics)?
            }
        };
        let to = op.outputs.first().and_then(|id| (self.types)(*id));
        if let (Class::Cast, &[input]) = (op.op.class, &op.inputs[..]) {
            if let (Some(from), Some(to)) = ((self.types)(input), to) {
                result = result.cast(numerics, from, to)?;
            }
        }
        Ok(result)
    }

    /// Returns an input of the group, or a result that it has defined, as the next operation reads
    /// it.
    fn operand(&self, id: GlobalId) -> Result<Enclosed, EvalError> {
        let Some(defined) = self.defined.get(&id).cloned() else {
            let tensor = self.operands.get(id).ok_or(EvalError::Undefined(id))?;
            return Ok(Enclosed::from_tensor(self.numerics, tensor));
        };
        match (self.types)(id) {
            Some(to) if self.numerics.rounds_results => defined.round_to(to),
            Some(DataType::BF16) if self.has_stages => Ok(defined.or_rounded_to_bf16()),
            _ => Ok(defined),
        }
    }

    /// Returns the result of a matrix product.
    fn enclose_product(&self, product: &Product) -> Result<Enclosed, GoldenError> {
        let products = &self.numerics.products;
        let are_intermediate = product
            .factors
            .iter()
            .any(|id| self.defined.contains_key(id));
        let fidelity = product.math_fidelity();
        let has_phases = matches!(products, MatmulModel::Aligned(_));
        if has_phases && are_intermediate && fidelity != MathFidelity::HiFi4 {
            return Err(GoldenError::Fidelity(fidelity));
        }
        let are_both_f32 = fidelity::are_both_f32(product, self.types);
        let factor = |which: usize| -> Result<Enclosed, EvalError> {
            let id = product.factors[which];
            let factor = self.operand(id)?;
            let is_single = (self.types)(id) == Some(DataType::F32);
            Ok(match (are_intermediate, self.defined.contains_key(&id)) {
                (_, true) if !is_single => factor.round_to_bf16_factor(),
                (true, _) if are_both_f32 => {
                    factor.map_ranges(|range| products.enclose_truncated_factor(which, range))
                }
                _ => factor,
            })
        };
        let (a, b) = (factor(0)?, factor(1)?);
        let sums = products.enclose(&ProductCall {
            product,
            factors: [&a, &b],
            are_both_f32,
            are_intermediate,
        })?;
        let sums = match product.bias {
            None => sums,
            Some(bias) => {
                let [transpose_a, transpose_b] = product.transposed;
                let (a, b) = (&a.value.shape, &b.value.shape);
                let shape = tessera_ops::shape::matmul(a, b, transpose_a, transpose_b);
                let shape = shape.map_err(tessera_ops::CallError::Shape);
                let k = shape.map_err(EvalError::from)?.k;
                self.add_bias(sums, self.operand(bias)?, k)?
            }
        };
        Ok(sums.map_ranges(|range| self.numerics.enclose_rounded(range)))
    }

    /// Adds a bias to the sums of a product over `k` terms. The bias may broadcast the sums.
    fn add_bias(&self, sums: Enclosed, bias: Enclosed, k: u64) -> Result<Enclosed, EvalError> {
        let lacks = || EvalError::NotArithmetic("linear");
        let shape = tessera_ops::shape::broadcast(&sums.value.shape, &bias.value.shape);
        let shape = shape.ok_or_else(lacks)?;
        let (mut sums, bias) = (sums.broadcast_to(&shape), bias.broadcast_to(&shape));
        for (sum, bias) in sums.value.values.iter_mut().zip(&bias.value.values) {
            *sum += bias;
        }
        for (sum, bias) in sums.ranges.iter_mut().zip(bias.ranges) {
            let error = self.numerics.products.bias(k, bias);
            *sum = add_error(Binary::Add.enclose(Arithmetic::Float, *sum, bias), error);
        }
        Ok(sums)
    }
}

impl OperationInstance<'_> {
    /// Returns the reference value and the intervals of the result.
    fn enclose(self, numerics: &Numerics) -> Result<Enclosed, EvalError> {
        let element = match self.arithmetic {
            Arithmetic::Float => ElementType::F32,
            Arithmetic::Integer => ElementType::Int(32),
        };
        let types = self.operands.iter().map(|operand| TensorType {
            shape: operand.value.shape.clone(),
            element,
        });
        let types: Vec<_> = types.collect();
        let call = Call {
            op: self.op,
            operands: &types,
            attributes: self.attributes,
        };
        if !self.op.is_arithmetic() {
            return Err(EvalError::NotArithmetic(self.op.name));
        }
        if let Class::Composite(_) = self.op.class {
            return self.enclose_composite(&call, numerics);
        }
        let arrays: Vec<_> = self.operands.iter().map(|one| one.value.clone()).collect();
        let intervals: Vec<_> = self.operands.iter().map(Enclosed::intervals).collect();
        let value = eval::eval(&call, self.arithmetic, &arrays)?;
        let exact = enclose(&call, self.arithmetic, &intervals)?.values;
        let ranges = match self.arithmetic {
            Arithmetic::Integer => exact,
            Arithmetic::Float => self.round_result(numerics, &value, exact),
        };
        Ok(Enclosed { value, ranges })
    }

    /// Widens the intervals of exact results by the errors of the device.
    fn round_result(
        &self,
        numerics: &Numerics,
        value: &Array,
        exact: Vec<Interval>,
    ) -> Vec<Interval> {
        let ranges = |operand: usize| {
            let operand = self.operands[operand].intervals();
            operand.broadcast_to(&value.shape).into_iter()
        };
        let exact = exact.into_iter();
        match self.op.class {
            Class::Cast | Class::Movement(_) | Class::Lookup(_) => exact.collect(),
            Class::Unary(function) => {
                let pairs = exact.zip(ranges(0));
                let rounded = pairs.map(|(exact, x)| {
                    numerics.enclose_unary(function, self.types.precision, exact, x)
                });
                rounded.collect()
            }
            Class::Binary(function) => {
                // A matrix unit may add inputs of the group; it aligns them first.
                let is_sum = matches!(function, Binary::Add | Binary::Subtract);
                let is_aligned = is_sum && self.are_inputs && self.types.is_narrow;
                let triples = exact.zip(ranges(0)).zip(ranges(1));
                let rounded = triples.map(|((exact, x), y)| {
                    let aligned = match is_aligned {
                        true => add_error(exact, numerics.alignment_loss(x, y)),
                        false => exact,
                    };
                    numerics.enclose_binary(function, self.types, aligned, [x, y])
                });
                rounded.collect()
            }
            Class::Reduction(reduction) => self.round_reduction(numerics, reduction, value, exact),
            _ => exact.map(|exact| numerics.enclose_rounded(exact)).collect(),
        }
    }

    /// Widens the intervals of reductions. A sum is rounded once for each of its elements, each
    /// time relative to a partial sum.
    fn round_reduction(
        &self,
        numerics: &Numerics,
        reduction: Reduction,
        value: &Array,
        exact: impl Iterator<Item = Interval>,
    ) -> Vec<Interval> {
        let rounded = exact.map(|exact| numerics.enclose_rounded(exact));
        let operand = &self.operands[0];
        let count = operand.value.values.len() as f64 / value.values.len().max(1) as f64;
        if reduction.fold() != Reduce::Sum {
            return rounded.collect();
        }
        let element = ElementType::F32;
        let types = [TensorType {
            shape: operand.value.shape.clone(),
            element,
        }];
        let call = Call {
            op: self.op,
            operands: &types,
            attributes: self.attributes,
        };
        let most = eval::eval(&call, Arithmetic::Float, &[operand.magnitudes()]);
        let most = most.map_or_else(|_| vec![f64::NAN; value.values.len()], |most| most.values);
        let pairs = rounded.zip(most);
        pairs
            .map(|(sum, most)| add_error(sum, count * numerics.rounding * most))
            .collect()
    }

    /// Evaluates the operations into which a composite decomposes.
    fn enclose_composite(
        &self,
        call: &Call<'_>,
        numerics: &Numerics,
    ) -> Result<Enclosed, EvalError> {
        let graph = call.decompose()?;
        let mut results: Vec<Enclosed> = Vec::new();
        for node in graph.nodes() {
            let operand = |input: &Value| match *input {
                Value::Operand(index) => self.operands[index].clone(),
                Value::Node(index) => results[index].clone(),
            };
            let is_given = |input: &Value| matches!(input, Value::Operand(_));
            let node = OperationInstance {
                op: node.op,
                attributes: &node.attributes,
                operands: node.inputs.iter().map(operand).collect(),
                arithmetic: self.arithmetic,
                types: self.types,
                are_inputs: self.are_inputs && node.inputs.iter().all(is_given),
            };
            results.push(node.enclose(numerics)?);
        }
        results.pop().ok_or(EvalError::NotArithmetic(self.op.name))
    }
}

#[cfg(test)]
mod tests;
