//! Writing TTIR operations in place of another operation.

use tessera_dialects::mlir::{
    At, Attribute, ContextRef, DenseData, DenseElements, NamedOp, NewOp, Op, OpView, Reported,
    Rewriter, TensorType, Type, Value,
};
use tessera_dialects::ttir::ConstantOp;
use tessera_dialects::verify::call;
use tessera_ops::{table, AttributeValue, Attributes, Call};

use super::attributes;
use super::tensor::Tensor;
use crate::verified::{self, expect_verified};

/// Writes operations before the one that they replace, with its location.
pub struct Emitter<'a, 'r> {
    op: Op<'a>,
    rewriter: &'r Rewriter<'a>,
}

/// Returns attributes with one entry.
pub fn with(name: &'static str, value: AttributeValue) -> Attributes {
    Attributes::none().with(name, value)
}

/// Returns the value of an attribute that lists extents or dimensions.
pub fn ints<T: Copy + TryInto<i64>>(values: &[T]) -> AttributeValue {
    let values = values.iter().map(|&value| value.try_into());
    AttributeValue::Ints(values.map(|value| value.unwrap_or(i64::MAX)).collect())
}

/// Returns the number of elements of a constant.
fn element_count(data: &DenseData) -> Option<u64> {
    let shape = data.r#type.static_shape()?;
    Some(shape.iter().product())
}

impl<'a, 'r> Emitter<'a, 'r> {
    /// Returns the emitter for an operation.
    pub fn new(op: Op<'a>, rewriter: &'r Rewriter<'a>) -> Self {
        Emitter { op, rewriter }
    }

    /// Returns the operation that is replaced.
    pub fn op(&self) -> Op<'a> {
        self.op
    }

    /// Returns the context.
    pub fn context(&self) -> ContextRef<'a> {
        self.rewriter.context()
    }

    /// Emits an operation whose result has the element type of its last operand.
    ///
    /// # Errors
    /// If it is not defined for these operands.
    pub fn emit(
        &self,
        name: &str,
        operands: &[Value<'a>],
        attributes: Attributes,
    ) -> Result<Value<'a>, Reported> {
        let element = operands
            .last()
            .and_then(|value| value.r#type().element_type());
        let element = expect_verified(self.op, element)?;
        self.emit_as(name, operands, attributes, element)
    }

    /// Emits an operation whose result has this element type.
    ///
    /// # Errors
    /// If it is not defined for these operands.
    pub fn emit_as(
        &self,
        name: &str,
        operands: &[Value<'a>],
        attributes: Attributes,
        element: Type<'a>,
    ) -> Result<Value<'a>, Reported> {
        let info = expect_verified(self.op, table::from_ttir_name(name))?;
        let types = operands.iter().map(|value| call::tensor_type(*value));
        let types = types.collect::<Result<Vec<_>, _>>();
        let types = types.map_err(|error| self.op.error(error))?;
        let call = Call {
            op: info,
            operands: &types,
            attributes: &attributes,
        };
        let shape = call
            .infer_shape()
            .and_then(|shape| call.check_domain().map(|()| shape))
            .map_err(|error| self.op.error(error.to_string()))?;
        self.insert(
            name,
            operands,
            attributes,
            self.context().tensor(&shape, element, None),
        )
    }

    /// Emits an operation with a result of this type.
    ///
    /// # Errors
    /// If a number of an attribute or an extent of the result has more than 32 bits.
    pub fn insert(
        &self,
        name: &str,
        operands: &[Value<'a>],
        attributes: Attributes,
        result: Type<'a>,
    ) -> Result<Value<'a>, Reported> {
        let info = expect_verified(self.op, table::from_ttir_name(name))?;
        self.check_extents(result)?;
        let mut new = NewOp::new(&format!("ttir.{name}"), self.op.location());
        for (name, value) in attributes.iter() {
            let declared = expect_verified(self.op, info.attribute(name))?;
            let attribute = attributes::to_mlir(declared, value, self.context());
            let attribute = attribute.ok_or_else(|| {
                self.op.error(format!(
                    "needs numbers in '{name}' of 'ttir.{}' that do not fit 32 bits; split the \
                     tensor",
                    info.name
                ))
            })?;
            new = new.attribute(name, attribute);
        }
        self.insert_op(new.operands(operands.iter().copied()).results([result]))
    }

    /// Checks that the extents of a tensor have at most 32 bits.
    fn check_extents(&self, r#type: Type<'a>) -> Result<(), Reported> {
        let extents = r#type.static_shape().unwrap_or_default();
        match extents.iter().all(|extent| i32::try_from(*extent).is_ok()) {
            true => Ok(()),
            false => Err(self.op.error(format!(
                "needs '{}', of which an extent does not fit 32 bits; split the tensor",
                r#type
            ))),
        }
    }

    /// Inserts an operation with one result.
    ///
    /// # Errors
    /// If it has none.
    pub fn insert_op(&self, new: NewOp<'a>) -> Result<Value<'a>, Reported> {
        verified::expect_result(self.rewriter.insert(At::Before(self.op), new))
    }

    /// Inserts an operation and returns its results.
    pub fn insert_all(&self, new: NewOp<'a>) -> Vec<Value<'a>> {
        self.rewriter.insert(At::Before(self.op), new).results()
    }

    /// Emits a reshape, unless the value has the shape already.
    ///
    /// # Errors
    /// If the shape has another number of elements.
    pub fn reshape(&self, value: Value<'a>, shape: &[u64]) -> Result<Value<'a>, Reported> {
        if self.shape(value)? == shape {
            return Ok(value);
        }
        match self.repeated(value, shape)? {
            Some(constant) => Ok(constant),
            None => self.emit("reshape", &[value], with("shape", ints(shape))),
        }
    }

    /// Emits a constant of another shape if a value is one that repeats one element.
    fn repeated(&self, value: Value<'a>, shape: &[u64]) -> Result<Option<Value<'a>>, Reported> {
        let op = value.defining_op().filter(|op| op.is(ConstantOp::NAME));
        let constant = op.and_then(|op| ConstantOp::view(op).value());
        let data = constant.and_then(DenseElements::dense);
        let is_one = |data: &DenseData| data.splat || element_count(data) == Some(1);
        let Some(data) = data.filter(is_one) else {
            return Ok(None);
        };
        let element = value.r#type().element_type();
        let element = expect_verified(self.op, element)?;
        let r#type = self.context().tensor(shape, element, None);
        match self.context().dense_attribute(r#type, &data.bytes) {
            Some(constant) => self.constant(constant, r#type).map(Some),
            None => Ok(None),
        }
    }

    /// Emits a constant.
    fn constant(&self, value: Attribute<'a>, r#type: Type<'a>) -> Result<Value<'a>, Reported> {
        let new = ConstantOp::build(self.op.location())
            .attribute(ConstantOp::VALUE.name(), value)
            .results([r#type]);
        self.insert_op(new)
    }

    /// Emits a 32-bit integer, repeated to a shape.
    ///
    /// # Errors
    /// If it has more bits.
    pub fn integer(&self, number: u64, shape: &[u64]) -> Result<Value<'a>, Reported> {
        let number = self.position(number)?;
        let r#type = self
            .context()
            .tensor(shape, self.context().integer(32), None);
        let value = self
            .context()
            .dense_attribute(r#type, &number.to_le_bytes());
        self.constant(expect_verified(self.op, value)?, r#type)
    }

    /// Returns a number as an element of a tensor of positions.
    ///
    /// # Errors
    /// If it has more than 32 bits.
    pub fn position(&self, number: u64) -> Result<i32, Reported> {
        i32::try_from(number).map_err(|_| {
            self.op.error(format!(
                "needs the position {number}, which does not fit 32 bits; split the tensor"
            ))
        })
    }

    /// Emits a permutation, unless it is the identity.
    ///
    /// # Errors
    /// If it is not a permutation of the dimensions.
    pub fn permute(&self, value: Value<'a>, order: &[usize]) -> Result<Value<'a>, Reported> {
        match order.iter().copied().eq(0..order.len()) {
            true => Ok(value),
            false => self.emit("permute", &[value], with("permutation", ints(order))),
        }
    }

    /// Emits the inverse of a permutation, unless it is the identity.
    ///
    /// # Errors
    /// As [`permute`](Self::permute).
    pub fn permute_back(&self, value: Value<'a>, order: &[usize]) -> Result<Value<'a>, Reported> {
        let mut inverse: Vec<usize> = (0..order.len()).collect();
        inverse.sort_by_key(|&dim| order[dim]);
        self.permute(value, &inverse)
    }

    /// Emits a broadcast to a shape of the same rank, unless the value has it already.
    ///
    /// # Errors
    /// If an extent is neither that of the shape nor 1.
    pub fn broadcast(&self, value: Value<'a>, shape: &[u64]) -> Result<Value<'a>, Reported> {
        let from = self.shape(value)?;
        if from == shape {
            return Ok(value);
        }
        if let Some(constant) = self.repeated(value, shape)? {
            return Ok(constant);
        }
        let factors = from.iter().zip(shape);
        let factors = factors.map(|(from, to)| if from == to { 1 } else { *to });
        let factors: Vec<u64> = factors.collect();
        let attributes = with("broadcast_dimensions", ints(&factors));
        self.emit("broadcast", &[value], attributes)
    }

    /// Emits a slice with a step for each dimension, unless it is the whole tensor.
    ///
    /// # Errors
    /// If it is out of bounds.
    pub fn slice(
        &self,
        value: Value<'a>,
        begins: &[i64],
        ends: &[i64],
        steps: &[i64],
    ) -> Result<Value<'a>, Reported> {
        let shape = self.shape(value)?;
        let is_whole = shape.iter().map(|&extent| extent as i64).eq(ends
            .iter()
            .zip(begins)
            .map(|(end, begin)| if *begin == 0 { *end } else { -1 }));
        if is_whole && steps.iter().all(|step| *step == 1) {
            return Ok(value);
        }
        let attributes = with("begins", ints(begins))
            .with("ends", ints(ends))
            .with("step", ints(steps));
        self.emit("slice_static", &[value], attributes)
    }

    /// Emits a padding with low and high amounts for each dimension, unless there are none.
    /// Negative amounts remove elements.
    ///
    /// # Errors
    /// If more elements are removed than there are.
    pub fn pad(
        &self,
        value: Value<'a>,
        amounts: &[(i64, i64)],
        number: f64,
    ) -> Result<Value<'a>, Reported> {
        let shape = self.shape(value)?;
        let begins: Vec<i64> = amounts
            .iter()
            .map(|(low, _)| low.saturating_neg().max(0))
            .collect();
        let ends = shape.iter().zip(amounts);
        let ends: Vec<i64> = ends
            .map(|(&extent, (_, high))| (extent as i64).saturating_add((*high).min(0)))
            .collect();
        let value = self.slice(value, &begins, &ends, &vec![1; shape.len()])?;
        let padding = amounts
            .iter()
            .flat_map(|(low, high)| [*low.max(&0), *high.max(&0)]);
        let padding: Vec<i64> = padding.collect();
        if padding.iter().all(|amount| *amount == 0) {
            return Ok(value);
        }
        let attributes =
            with("padding", ints(&padding)).with("value", AttributeValue::Float(number));
        self.emit("pad", &[value], attributes)
    }

    /// Emits a tensor of one number, of this type.
    ///
    /// # Errors
    /// If an extent is 2^31 or more.
    pub fn full(&self, number: f64, r#type: Type<'a>) -> Result<Value<'a>, Reported> {
        self.check_extents(r#type)?;
        let new = attributes::full(number, r#type, self.context(), self.op.location());
        self.insert_op(expect_verified(self.op, new)?)
    }

    /// Returns a value with its shape and element type.
    ///
    /// # Errors
    /// If it is not a tensor of static shape.
    pub fn tensor(&self, value: Value<'a>) -> Result<Tensor<'a>, Reported> {
        let element = value.r#type().element_type();
        Ok(Tensor {
            value,
            shape: self.shape(value)?,
            element: expect_verified(self.op, element)?,
        })
    }

    /// Returns the shape of a value.
    ///
    /// # Errors
    /// If it has none.
    pub fn shape(&self, value: Value<'a>) -> Result<Vec<u64>, Reported> {
        let shape = value.r#type().static_shape();
        expect_verified(self.op, shape)
    }
}
