//! Evaluation of operations on tensors.

use tessera_ops::eval::{self, Array, Operand};
use tessera_ops::shape::{Extents, MatmulShape};
use tessera_ops::table::{created_values, fill_value};
use tessera_ops::{
    Arithmetic, Call, CallError, Class, Creation, ElementType, IndexError, IndexMap, TensorType,
};
use tessera_program::{
    DataType, GlobalId, KernelOp, Op, Operation, Product, Program, TensorDesc, TensorOp,
};

use crate::{Tensor, TensorError};

/// The tensors of a running program, by id.
#[derive(Debug, Clone, Default)]
pub struct Values(Vec<Option<Tensor>>);

impl Values {
    /// Returns an empty set of tensors.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the tensor `id`, if it is defined.
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

    /// Removes tensor `id`.
    pub fn remove(&mut self, id: GlobalId) -> Option<Tensor> {
        self.0.get_mut(id as usize)?.take()
    }

    /// Returns the elements of tensor `id`.
    ///
    /// # Errors
    /// If it is not defined.
    pub fn elements(&self, id: GlobalId) -> Result<Array, EvalError> {
        Ok(self.read(id)?.to_array())
    }

    fn read(&self, id: GlobalId) -> Result<&Tensor, EvalError> {
        self.get(id).ok_or(EvalError::Undefined(id))
    }
}

/// Why an operation cannot be evaluated.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum EvalError {
    /// The program does not declare a tensor.
    #[error("tensor {0} is not declared")]
    Undeclared(GlobalId),
    /// An operand that is not defined.
    #[error("tensor {0} has no value")]
    Undefined(GlobalId),
    /// The operation does not fit its operands.
    #[error(transparent)]
    Call(#[from] CallError),
    /// The operation defines more or fewer tensors than it has results.
    #[error("'{op}' has {expected} results, but defines {found} tensors")]
    ResultCount {
        /// The operation.
        op: &'static str,
        /// Tensors that it defines.
        found: usize,
        /// Results that it has.
        expected: usize,
    },
    /// The result is not what the program declares.
    #[error("the result is {} of {found_type}, but the program declares {} of \
             {declared_type}", Extents(.found), Extents(.declared))]
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
    #[error(
        "the reference does not support matrix products of element type '{0}', whose sums f64 \
         cannot hold; cast to 'f32' first"
    )]
    IntegerMatmul(DataType),
    /// An index that a data movement looks up is out of range.
    #[error("{0}")]
    Index(#[from] IndexError),
    /// An operation that is not arithmetic.
    #[error("'{0}' is not arithmetic: it has no unrounded result")]
    NotArithmetic(&'static str),
    /// The result cannot be stored.
    #[error(transparent)]
    Tensor(#[from] TensorError),
}

/// Runs one operation of `program`: reads its operands from `values` and defines its results there.
///
/// The tensor of an `empty` is filled with bytes 0xff, NaN in the types that have it, so that a
/// program that relies on its elements does not look right. Of a kernel group the operations are
/// run; their intermediate tensors are dropped afterwards.
///
/// # Errors
/// If the operation has no result; `values` may then hold some of a group's tensors.
pub fn execute(
    program: &Program,
    operation: &Operation,
    values: &mut Values,
) -> Result<(), EvalError> {
    let op = match &operation.op {
        Op::Tensor(op) => op,
        Op::Kernel(group) => return execute_group(program, group, values),
    };
    match op.op.class {
        Class::GetDevice => Ok(()),
        Class::Deallocate => {
            let gone = |&id| values.remove(id).ok_or(EvalError::Undefined(id)).map(drop);
            op.inputs.iter().try_for_each(gone)
        }
        _ => {
            let id = result_of(op)?;
            let desc = program.tensor(id).ok_or(EvalError::Undeclared(id))?;
            let result = evaluate(op, desc, values)?;
            if !result.fits(desc) {
                return Err(EvalError::Result {
                    found: result.shape().to_vec(),
                    found_type: result.data_type(),
                    declared: desc.shape.clone(),
                    declared_type: desc.data_type,
                });
            }
            values.set(id, result);
            Ok(())
        }
    }
}

/// Returns the only tensor that an operation defines.
fn result_of(op: &TensorOp) -> Result<GlobalId, EvalError> {
    match op.outputs[..] {
        [id] => Ok(id),
        _ => Err(EvalError::ResultCount {
            op: op.op.name,
            found: op.outputs.len(),
            expected: op.op.result_count(),
        }),
    }
}

/// Returns the result of an operation, of the type of `desc`.
fn evaluate(op: &TensorOp, desc: &TensorDesc, values: &Values) -> Result<Tensor, EvalError> {
    match (op.op.class, &op.inputs[..]) {
        (Class::Creation(creation), _) => create(op, creation, desc),
        (Class::Placement(_), &[input]) => Ok(values.read(input)?.clone()),
        (Class::Movement(map) | Class::Lookup(map), _) => move_elements(op, map, desc, values),
        _ => {
            let Array { shape, values } = eval_unrounded(op, values)?;
            Ok(Tensor::from_f64s(shape, desc.data_type, &values)?)
        }
    }
}

/// Returns the result of a data movement. Elements are copied bit for bit, including NaN.
fn move_elements(
    op: &TensorOp,
    map: fn(&Call) -> IndexMap,
    desc: &TensorDesc,
    values: &Values,
) -> Result<Tensor, EvalError> {
    let operands = op.inputs.iter().map(|&id| values.read(id));
    let operands: Vec<&Tensor> = operands.collect::<Result<_, _>>()?;
    let types: Vec<_> = operands.iter().map(|one| one.tensor_type()).collect();
    let call = op.call(&types);
    call.check_attributes()?;
    let shape = call.infer_shape()?;
    call.check_elements(desc.data_type.into())?;
    let map = map(&call);
    let indices = |operand: usize| operands[operand].to_f64s().into_iter();
    let map = map.resolve(|operand| indices(operand).map(|index| index as i64))?;
    let like = TensorDesc {
        shape,
        ..desc.clone()
    };
    let mut data = full(&like, map.fill)?.data().to_vec();
    let size = desc.data_type.size();
    for copy in &map.copies {
        let source = operands[copy.operand].data();
        copy.for_each(|from, to| {
            data[to * size..][..size].copy_from_slice(&source[from * size..][..size]);
        });
    }
    Ok(Tensor::new(like.shape, desc.data_type, data)?)
}

/// Returns the tensor that a creation makes, of the shape and type of `desc`.
///
/// # Errors
/// If it lacks an attribute, the type does not have its value, or the tensor does not fit in
/// memory.
pub fn create(op: &TensorOp, creation: Creation, desc: &TensorDesc) -> Result<Tensor, EvalError> {
    let call = op.call(&[]);
    call.check_attributes()?;
    let tensor = match (creation, fill_value(creation, &op.attributes)) {
        (_, Some(value)) => full(desc, value)?,
        (Creation::Range, None) => {
            (op.op.verify)(&call, &desc.tensor_type()).map_err(CallError::Shape)?;
            Tensor::filled(desc, 0)?;
            let values = created_values(creation, &op.attributes, &desc.shape);
            Tensor::from_f64s(
                desc.shape.clone(),
                desc.data_type,
                &values.unwrap_or_default(),
            )?
        }
        (Creation::Constant, None) => {
            let data = op.attributes.bytes("value").unwrap_or_default().to_vec();
            Tensor::new(desc.shape.clone(), desc.data_type, data)?
        }
        (_, None) => Tensor::filled(desc, 0xff)?,
    };
    Ok(tensor)
}

/// Returns a tensor all of whose elements are `value`, rounded once.
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
    group: &KernelOp,
    values: &mut Values,
) -> Result<(), EvalError> {
    for operation in &group.operations {
        execute(program, operation, values)?;
    }
    let operations = group.operations.iter();
    for &id in operations.flat_map(|operation| operation.op.outputs()) {
        if !group.outputs.contains(&id) {
            values.remove(id);
        }
    }
    Ok(())
}

/// Returns the result of an arithmetic operation before it is rounded to its type.
///
/// # Errors
/// If it has none, or the operation is not arithmetic.
pub fn eval_unrounded(op: &TensorOp, values: &Values) -> Result<Array, EvalError> {
    if !op.op.is_arithmetic() {
        return Err(EvalError::NotArithmetic(op.op.name));
    }
    let operands = op.inputs.iter().map(|&id| values.read(id));
    let operands: Vec<&Tensor> = operands.collect::<Result<_, _>>()?;
    let types: Vec<_> = operands
        .iter()
        .map(|operand| operand.tensor_type())
        .collect();
    op.call(&types).check_count()?;
    op.call(&types).check_domain()?;
    if let (Class::Contraction, Some(factor)) = (op.op.class, operands.first()) {
        if !matches!(factor.data_type(), DataType::BF16 | DataType::F32) {
            return Err(EvalError::IntegerMatmul(factor.data_type()));
        }
    }
    let arithmetic = types
        .last()
        .map_or(Arithmetic::Float, |last| arithmetic(last.element));
    let arrays: Vec<_> = operands.iter().map(|operand| operand.to_array()).collect();
    Ok(eval::eval(&op.call(&types), arithmetic, &arrays)?)
}

/// Returns the arithmetic of operations whose last operand has this element type. Unsigned integers
/// are computed as floating-point numbers; no integer arithmetic of the table wraps them, so their
/// type must represent the results.
fn arithmetic(element: ElementType) -> Arithmetic {
    match element {
        ElementType::Uint(_) => Arithmetic::Float,
        _ => element.arithmetic(),
    }
}

/// A function that returns the elements of an operand.
pub type ReadElements<'r> = dyn Fn(GlobalId) -> Result<Array, EvalError> + 'r;

/// Evaluates an operation on operands that need not be rounded either. `arithmetic` selects the
/// arithmetic.
///
/// # Errors
/// As [`eval_unrounded`], and as `read`.
pub fn eval_unrounded_from(
    op: &TensorOp,
    arithmetic: Arithmetic,
    read: &ReadElements<'_>,
) -> Result<Array, EvalError> {
    if !op.op.is_arithmetic() {
        return Err(EvalError::NotArithmetic(op.op.name));
    }
    let operands = op.inputs.iter().map(|&id| read(id));
    let operands: Vec<Array> = operands.collect::<Result<_, _>>()?;
    let element = match arithmetic {
        Arithmetic::Float => ElementType::F32,
        Arithmetic::Integer => ElementType::Int(32),
    };
    let of_element = |operand: &Array| TensorType {
        shape: operand.shape.clone(),
        element,
    };
    let types: Vec<_> = operands.iter().map(of_element).collect();
    Ok(eval::eval(&op.call(&types), arithmetic, &operands)?)
}

/// Applies `function` to the factors of a matrix product.
///
/// # Errors
/// As `read`, and if the factors have no product.
pub fn with_factors(
    product: &Product,
    read: &ReadElements<'_>,
    function: impl FnOnce(&MatmulShape, Operand<'_>, Operand<'_>) -> Vec<f64>,
) -> Result<Array, EvalError> {
    let [a, b] = product.factors;
    let (a, b) = (read(a)?, read(b)?);
    let (shape, values) = eval::with_factors(&a, &b, product.transposed, function)?;
    Ok(Array {
        shape: shape.result,
        values,
    })
}
