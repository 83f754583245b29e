//! Operations on tensors.

use tessera_ops::Domain;
use tessera_program::shape::{self, Extents, MatmulShape, MatmulShapeError};
use tessera_program::{
    DataType, FunctionError, GlobalId, Matmul, Op, Operation, Program, TensorDesc,
};
use tessera_pto::kernel::Element;

use crate::broadcast::broadcast_sources;
use crate::function::function;
use crate::matmul::{self, Operand};
use crate::{Tensor, TensorError};

/// The tensors of a running program, by id.
#[derive(Debug, Clone, Default)]
pub struct Values(Vec<Option<Tensor>>);

impl Values {
    /// No tensors.
    pub fn new() -> Self {
        Self::default()
    }

    /// The tensor `id`, if it is defined.
    pub fn get(&self, id: GlobalId) -> Option<&Tensor> {
        self.0.get(id as usize)?.as_ref()
    }

    /// Defines tensor `id`.
    pub fn set(&mut self, id: GlobalId, tensor: Tensor) {
        let index = id as usize;
        if index >= self.0.len() {
            self.0.resize(index + 1, None);
        }
        self.0[index] = Some(tensor);
    }

    /// Ends the life of tensor `id`.
    pub fn remove(&mut self, id: GlobalId) -> Option<Tensor> {
        self.0.get_mut(id as usize)?.take()
    }

    /// The elements of tensor `id`.
    ///
    /// # Errors
    /// If it is not defined.
    pub fn elements(&self, id: GlobalId) -> Result<Unrounded, EvalError> {
        self.read(id).map(Unrounded::of)
    }

    fn read(&self, id: GlobalId) -> Result<&Tensor, EvalError> {
        self.get(id).ok_or(EvalError::Undefined(id))
    }
}

/// Why an operation has no result.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum EvalError {
    /// The program does not declare a tensor.
    #[error("tensor {0} is not declared")]
    Undeclared(GlobalId),
    /// An operand has no value.
    #[error("tensor {0} has no value")]
    Undefined(GlobalId),
    /// Shapes do not fit.
    #[error(transparent)]
    Matmul(#[from] MatmulShapeError),
    /// Shapes do not fit.
    #[error("shapes {} and {} cannot be broadcast", Extents(.0), Extents(.1))]
    Broadcast(Vec<u64>, Vec<u64>),
    /// The result is not what the program declares.
    #[error("the result is {} of {found_type}, but the program declares {} of {declared_type}", Extents(.found), Extents(.declared))]
    Result {
        /// Shape of the result.
        found: Vec<u64>,
        /// Its type.
        found_type: DataType,
        /// Shape in the program.
        declared: Vec<u64>,
        /// Type in the program.
        declared_type: DataType,
    },
    /// A matrix product of integers.
    #[error("the reference has no matrix product of {0}, whose sums f64 cannot hold: put a typecast to f32 before")]
    IntegerMatmul(DataType),
    /// A function of elements that it does not take.
    #[error("{0} is not computed of {1}: put a typecast before")]
    Domain(&'static str, DataType),
    /// A function of other shapes than it is given.
    #[error(transparent)]
    Function(FunctionError),
    /// An operation without a rounding.
    #[error("{0} is not arithmetic: it has no unrounded result")]
    NotArithmetic(String),
    /// The result cannot be stored.
    #[error(transparent)]
    Tensor(#[from] TensorError),
}

/// Runs one operation of `program`: reads its operands from `values` and defines its results there.
///
/// The tensor of an `empty` is filled with bytes 0xff, NaN in the types that have it, so that a program that
/// relies on its elements does not look right. Of a kernel group the operations are run; what they define besides
/// the group's results is gone afterwards.
///
/// # Errors
/// If the operation has no result; `values` may then hold some of a group's tensors.
pub fn execute(
    program: &Program,
    operation: &Operation,
    values: &mut Values,
) -> Result<(), EvalError> {
    let declared = |id| program.tensor(id).ok_or(EvalError::Undeclared(id));
    let (out, result) = match &operation.op {
        Op::GetDevice => return Ok(()),
        Op::Deallocate { input } => {
            return values
                .remove(*input)
                .map(|_| ())
                .ok_or(EvalError::Undefined(*input));
        }
        Op::Kernel {
            operations,
            outputs,
            ..
        } => {
            return execute_group(program, operations, outputs, values);
        }
        Op::Empty { out } => (*out, Tensor::filled(declared(*out)?, 0xff)?),
        Op::Full { value, out } => (*out, full(declared(*out)?, *value)?),
        Op::Constant { data, out } => {
            let desc = declared(*out)?;
            (
                *out,
                Tensor::new(desc.shape.clone(), desc.data_type, data.clone())?,
            )
        }
        Op::Move { input, out, .. } => (*out, values.read(*input)?.clone()),
        Op::Matmul(Matmul { out, .. })
        | Op::Linear {
            matmul: Matmul { out, .. },
            ..
        }
        | Op::EltwiseBinary { out, .. }
        | Op::EltwiseUnary { out, .. }
        | Op::Function { out, .. }
        | Op::Typecast { out, .. } => {
            let desc = declared(*out)?;
            let Unrounded { shape, values } = unrounded(&operation.op, values)?;
            (*out, Tensor::from_f64s(shape, desc.data_type, &values)?)
        }
    };
    let desc = declared(out)?;
    if !result.fits(desc) {
        return Err(EvalError::Result {
            found: result.shape().to_vec(),
            found_type: result.data_type(),
            declared: desc.shape.clone(),
            declared_type: desc.data_type,
        });
    }
    values.set(out, result);
    Ok(())
}

/// A tensor all of whose elements are `value`, rounded once.
///
/// # Errors
/// If the type does not have the value, or the tensor does not fit in memory.
pub fn full(desc: &TensorDesc, value: f64) -> Result<Tensor, TensorError> {
    let one = Tensor::from_f64s(vec![], desc.data_type, &[value])?;
    let elements = Tensor::filled(desc, 0)?.elements();
    let data = one.data().repeat(elements);
    Tensor::new(desc.shape.clone(), desc.data_type, data)
}

fn execute_group(
    program: &Program,
    operations: &[Operation],
    outputs: &[GlobalId],
    values: &mut Values,
) -> Result<(), EvalError> {
    for operation in operations {
        execute(program, operation, values)?;
    }
    for id in operations
        .iter()
        .flat_map(|operation| operation.op.outputs())
    {
        if !outputs.contains(&id) {
            values.remove(id);
        }
    }
    Ok(())
}

/// A result before rounding: row-major elements.
#[derive(Debug, Clone, PartialEq)]
pub struct Unrounded {
    /// Extents.
    pub shape: Vec<u64>,
    /// Elements.
    pub values: Vec<f64>,
}

/// The result of an arithmetic operation before it is rounded to its type.
///
/// # Errors
/// If it has none, or the operation is not arithmetic.
pub fn unrounded(op: &Op, values: &Values) -> Result<Unrounded, EvalError> {
    let inputs = op.inputs();
    inputs
        .iter()
        .try_for_each(|id| values.read(*id).map(drop))?;
    let element = match inputs.last() {
        Some(last) => element(op, values.read(*last)?.data_type())?,
        None => Element::F32,
    };
    unrounded_of(op, element, &|id| Unrounded::of_float(op, values.read(id)?))
}

/// What an operation computes with whose last operand has elements of a type.
fn element(op: &Op, data_type: DataType) -> Result<Element, EvalError> {
    let element = match data_type {
        DataType::SI32 => Element::I32,
        _ => Element::F32,
    };
    let (name, domain) = match op {
        Op::EltwiseBinary { kind, .. } => (kind.name(), kind.domain()),
        Op::EltwiseUnary { kind, .. } => (kind.name(), kind.domain()),
        _ => return Ok(element),
    };
    let is_unsigned = matches!(data_type, DataType::UI32 | DataType::UI16 | DataType::UI8);
    if !domain.contains(element) || (is_unsigned && domain != Domain::Any) {
        return Err(EvalError::Domain(name, data_type));
    }
    Ok(element)
}

/// The same of operands that need not have been rounded either; of integers of 32 bits, if `element` is that.
///
/// # Errors
/// As [`unrounded`], and as `read`.
pub fn unrounded_of(op: &Op, element: Element, read: &Read<'_>) -> Result<Unrounded, EvalError> {
    match op {
        Op::Matmul(op) => with_operands(op, read, matmul::matmul),
        Op::Linear { matmul, bias } => {
            let product = with_operands(matmul, read, matmul::matmul)?;
            match bias {
                None => Ok(product),
                Some(bias) => product.zip(&read(*bias)?, |sum, bias| sum + bias),
            }
        }
        Op::EltwiseBinary { kind, lhs, rhs, .. } => {
            read(*lhs)?.zip(&read(*rhs)?, |lhs, rhs| kind.eval(element, lhs, rhs))
        }
        Op::EltwiseUnary { kind, input, .. } => {
            let mut result = read(*input)?;
            result
                .values
                .iter_mut()
                .for_each(|value| *value = kind.eval(element, *value));
            Ok(result)
        }
        Op::Function {
            function: of,
            inputs,
            ..
        } => {
            let operands = inputs.iter().map(|id| read(*id));
            let operands = operands.collect::<Result<Vec<_>, _>>()?;
            Ok(function(of, element, &operands)?)
        }
        Op::Typecast { input, .. } => read(*input),
        _ => Err(EvalError::NotArithmetic(op.name())),
    }
}

/// What gives the elements of an operand.
pub type Read<'r> = dyn Fn(GlobalId) -> Result<Unrounded, EvalError> + 'r;

/// For every element of the result of a matrix product: the sum over groups of `group` terms along K of the greatest
/// magnitude of a term in the group. Hardware that aligns the terms of a group to the greatest loses a fraction of this.
///
/// # Errors
/// As the product itself.
pub fn group_maxima(op: &Matmul, group: usize, read: &Read<'_>) -> Result<Unrounded, EvalError> {
    with_operands(op, read, |shape, a, b| {
        matmul::group_maxima(shape, a, b, group)
    })
}

/// For every element of the result of a matrix product: the sum over blocks of `block` terms along K of
/// `max|a| * Σ|b| + max|b| * Σ|a|`, over the factors of a block. Hardware that keeps the factors of a block with the exponent of the
/// greatest loses a fraction of this.
///
/// # Errors
/// As the product itself.
pub fn block_magnitudes(
    op: &Matmul,
    block: usize,
    read: &Read<'_>,
) -> Result<Unrounded, EvalError> {
    with_operands(op, read, |shape, a, b| {
        matmul::block_magnitudes(shape, a, b, block)
    })
}

/// For every element of the result of a matrix product: the greatest magnitude of a sum over the first blocks of `block` terms along
/// K. Hardware that rounds after each block loses a fraction of this each time.
///
/// # Errors
/// As the product itself.
pub fn greatest_partials(
    op: &Matmul,
    block: usize,
    read: &Read<'_>,
) -> Result<Unrounded, EvalError> {
    with_operands(op, read, |shape, a, b| {
        matmul::greatest_partials(shape, a, b, block)
    })
}

/// What `function` makes of the operands of a matrix product.
fn with_operands(
    op: &Matmul,
    read: &Read<'_>,
    function: impl FnOnce(&MatmulShape, Operand<'_>, Operand<'_>) -> Vec<f64>,
) -> Result<Unrounded, EvalError> {
    let (a, b) = (read(op.a)?, read(op.b)?);
    let shape = shape::matmul(&a.shape, &b.shape, op.transpose_a, op.transpose_b)?;
    let result = function(&shape, a.operand(op.transpose_a), b.operand(op.transpose_b));
    Ok(Unrounded {
        shape: shape.result,
        values: result,
    })
}

impl Unrounded {
    /// The elements of an operand; of a matrix product only if they are no integers.
    fn of_float(op: &Op, tensor: &Tensor) -> Result<Self, EvalError> {
        let product = matches!(op, Op::Matmul(_) | Op::Linear { .. });
        if product && !matches!(tensor.data_type(), DataType::BF16 | DataType::F32) {
            return Err(EvalError::IntegerMatmul(tensor.data_type()));
        }
        Ok(Self::of(tensor))
    }

    fn of(tensor: &Tensor) -> Self {
        Self {
            shape: tensor.shape().to_vec(),
            values: tensor.to_f64s(),
        }
    }

    fn operand(&self, flag: bool) -> Operand<'_> {
        // The flags have no effect on vectors.
        Operand {
            values: &self.values,
            transposed: flag && self.shape.len() > 1,
        }
    }

    /// `function` of the elements of two arrays that are broadcast to each other.
    fn zip(&self, other: &Self, function: impl Fn(f64, f64) -> f64) -> Result<Self, EvalError> {
        let shape = shape::broadcast(&self.shape, &other.shape)
            .ok_or_else(|| EvalError::Broadcast(self.shape.clone(), other.shape.clone()))?;
        let values = broadcast_sources(&self.shape, &shape)
            .into_iter()
            .zip(broadcast_sources(&other.shape, &shape))
            .map(|(own, others)| function(self.values[own], other.values[others]))
            .collect();
        Ok(Self { shape, values })
    }
}
