//! Graphs of operations into which composites decompose.
//!
//! The entry of a composite builds a [`Graph`]. The compiler creates the operations of the graph,
//! and [`Graph::eval`] evaluates it.

use crate::attribute::{AttributeValue, Attributes};
use crate::element::{ElementType, TensorType};
use crate::eval::{eval, Array};
use crate::op::{Call, CallError, Class, OpInfo};
use crate::scalar::Arithmetic;
use crate::table;

/// A value in a graph: an operand of the composite, or the result of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// An operand of the composite.
    Operand(usize),
    /// The result of a node.
    Node(usize),
}

/// An operation of a graph.
#[derive(Clone, Debug)]
pub struct Node {
    /// The operation.
    pub op: &'static OpInfo,
    /// Its operands, defined before it.
    pub inputs: Vec<Value>,
    /// Its attributes.
    pub attributes: Attributes,
    /// The type of its result.
    pub result: TensorType,
}

impl Node {
    /// Returns the value of a creation.
    fn create(&self) -> Option<Array> {
        let Class::Creation(creation) = self.op.class else {
            return None;
        };
        let shape = self.result.shape.clone();
        let values = match self.attributes.bytes("value") {
            Some(bytes) => {
                let single = |bytes: &[u8]| Some(f32::from_le_bytes(bytes.try_into().ok()?).into());
                bytes.chunks(4).map(single).collect::<Option<_>>()?
            }
            None => table::created_values(creation, &self.attributes, &shape)?,
        };
        Some(Array { shape, values })
    }
}

/// Operations in topological order.
#[derive(Clone, Debug)]
pub struct Graph {
    operands: Vec<TensorType>,
    nodes: Vec<Node>,
}

impl Graph {
    /// Returns an empty graph for a composite with these operands.
    pub fn new(operands: &[TensorType]) -> Self {
        Graph {
            operands: operands.to_vec(),
            nodes: Vec::new(),
        }
    }

    /// Returns the operations.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Returns the type of a value.
    pub fn type_of(&self, value: Value) -> &TensorType {
        match value {
            Value::Operand(index) => &self.operands[index],
            Value::Node(index) => &self.nodes[index].result,
        }
    }

    /// Adds an operation, whose result has the element type of its last operand.
    ///
    /// # Errors
    /// If the operation is not defined for these operands.
    pub fn add(
        &mut self,
        name: &'static str,
        inputs: &[Value],
        attributes: Attributes,
    ) -> Result<Value, CallError> {
        let last = inputs.last();
        let last = last.ok_or_else(|| CallError::Shape(format!("'{name}' has no operand")))?;
        self.add_as(name, inputs, attributes, self.type_of(*last).element)
    }

    /// Adds an operation, whose result has this element type.
    fn add_as(
        &mut self,
        name: &'static str,
        inputs: &[Value],
        attributes: Attributes,
        element: ElementType,
    ) -> Result<Value, CallError> {
        let operands: Vec<_> = inputs
            .iter()
            .map(|&one| self.type_of(one).clone())
            .collect();
        let call = Call {
            op: info(name)?,
            operands: &operands,
            attributes: &attributes,
        };
        let shape = call.infer_shape()?;
        call.check_domain()?;
        Ok(self.push(
            call.op,
            inputs,
            attributes.clone(),
            TensorType { shape, element },
        ))
    }

    fn push(
        &mut self,
        op: &'static OpInfo,
        inputs: &[Value],
        attributes: Attributes,
        result: TensorType,
    ) -> Value {
        self.nodes.push(Node {
            op,
            inputs: inputs.to_vec(),
            attributes,
            result,
        });
        Value::Node(self.nodes.len() - 1)
    }

    /// Adds a constant that broadcasts to the shape of another value.
    ///
    /// # Errors
    /// As [`Graph::add`].
    pub fn number(&mut self, number: f64, like: Value) -> Result<Value, CallError> {
        let TensorType { shape, element } = self.type_of(like);
        let result = TensorType {
            shape: vec![1; shape.len()],
            element: *element,
        };
        let attributes = Attributes::none().with("fill_value", AttributeValue::Float(number));
        Ok(self.push(info("full")?, &[], attributes, result))
    }

    /// Adds a constant of f32 elements.
    ///
    /// # Errors
    /// As [`Graph::add`].
    pub fn constant_f32(&mut self, shape: &[u64], elements: &[f32]) -> Result<Value, CallError> {
        let bytes = elements.iter().flat_map(|element| element.to_le_bytes());
        let attributes = Attributes::none().with("value", AttributeValue::Bytes(bytes.collect()));
        let result = TensorType {
            shape: shape.to_vec(),
            element: ElementType::F32,
        };
        Ok(self.push(info("constant")?, &[], attributes, result))
    }

    /// Adds the indices along a dimension of a value, with extent 1 along the others.
    ///
    /// # Errors
    /// As [`Graph::add`].
    pub fn indices(&mut self, like: Value, dim: usize) -> Result<Value, CallError> {
        let TensorType { shape, element } = self.type_of(like).clone();
        let mut along = vec![1; shape.len()];
        along[dim] = shape[dim];
        self.range(&along, dim, element)
    }

    /// Adds a tensor of this shape that holds the indices along a dimension.
    ///
    /// # Errors
    /// As [`Graph::add`].
    pub fn range(
        &mut self,
        shape: &[u64],
        dim: usize,
        element: ElementType,
    ) -> Result<Value, CallError> {
        let int = |value: u64| AttributeValue::Int(i64::try_from(value).unwrap_or(i64::MAX));
        let attributes = Attributes::none()
            .with("start", int(0))
            .with("end", int(shape[dim]))
            .with("step", int(1))
            .with("arange_dimension", int(dim as u64));
        let result = TensorType {
            shape: shape.to_vec(),
            element,
        };
        Ok(self.push(info("arange")?, &[], attributes, result))
    }

    /// Adds a conversion to an element type, unless the value has it already.
    ///
    /// # Errors
    /// As [`Graph::add`].
    pub fn cast(&mut self, input: Value, element: ElementType) -> Result<Value, CallError> {
        match self.type_of(input).element == element {
            true => Ok(input),
            false => self.add_as("typecast", &[input], Attributes::none(), element),
        }
    }

    /// Adds a reshape, unless the value has the shape already.
    ///
    /// # Errors
    /// As [`Graph::add`].
    pub fn reshape(&mut self, input: Value, shape: &[u64]) -> Result<Value, CallError> {
        if self.type_of(input).shape == shape {
            return Ok(input);
        }
        self.add("reshape", &[input], reshape_attributes(shape))
    }

    /// Adds a permutation, unless it keeps the order of dimensions.
    ///
    /// # Errors
    /// As [`Graph::add`].
    pub fn permute(&mut self, input: Value, order: &[usize]) -> Result<Value, CallError> {
        if order.is_sorted() {
            return Ok(input);
        }
        let order = order.iter().map(|&dim| dim as i64).collect();
        let attributes = Attributes::none().with("permutation", AttributeValue::Ints(order));
        self.add("permute", &[input], attributes)
    }

    /// Adds the elements between two indices along a dimension, unless these are all.
    ///
    /// # Errors
    /// As [`Graph::add`].
    pub fn slice(
        &mut self,
        input: Value,
        dim: usize,
        [begin, end]: [u64; 2],
        step: u64,
    ) -> Result<Value, CallError> {
        let shape = self.type_of(input).shape.clone();
        if [begin, end, step] == [0, shape[dim], 1] {
            return Ok(input);
        }
        let bounds = |of_others: &dyn Fn(u64) -> u64, own: u64| {
            let mut bounds: Vec<_> = shape.iter().map(|&extent| of_others(extent)).collect();
            bounds[dim] = own;
            ints(&bounds)
        };
        let attributes = Attributes::none()
            .with("begins", bounds(&|_| 0, begin))
            .with("ends", bounds(&|extent| extent, end))
            .with("step", bounds(&|_| 1, step));
        self.add("slice_static", &[input], attributes)
    }

    /// Adds padding in front of a dimension and after it, unless there is none. Negative padding
    /// removes elements.
    ///
    /// # Errors
    /// As [`Graph::add`].
    pub fn pad(
        &mut self,
        input: Value,
        dim: usize,
        padding: [i64; 2],
        number: f64,
    ) -> Result<Value, CallError> {
        if padding == [0, 0] {
            return Ok(input);
        }
        let mut all = vec![0; 2 * self.type_of(input).shape.len()];
        all[2 * dim..][..2].copy_from_slice(&padding);
        let attributes = Attributes::none().with("padding", AttributeValue::Ints(all));
        let attributes = attributes.with("value", AttributeValue::Float(number));
        self.add("pad", &[input], attributes)
    }

    /// Makes a value the result, with this shape.
    ///
    /// # Errors
    /// As [`Graph::add`].
    pub fn finish(&mut self, value: Value, shape: &[u64]) -> Result<(), CallError> {
        let value = self.reshape(value, shape)?;
        // The last operation computes the result.
        if self.nodes.len().checked_sub(1).map(Value::Node) != Some(value) {
            self.add("reshape", &[value], reshape_attributes(shape))?;
        }
        Ok(())
    }

    /// Adds a reduction along dimensions, which keep extent 1.
    ///
    /// # Errors
    /// As [`Graph::add`].
    pub fn reduce(
        &mut self,
        name: &'static str,
        input: Value,
        dims: &[usize],
    ) -> Result<Value, CallError> {
        let dims = dims.iter().map(|&dim| dim as i64).collect();
        let keep = Attributes::none().with("keep_dim", AttributeValue::Bool(true));
        self.add(
            name,
            &[input],
            keep.with("dim_arg", AttributeValue::Ints(dims)),
        )
    }

    /// Returns the value of the last operation.
    ///
    /// # Errors
    /// If an operation is not defined for the arrays.
    pub fn eval(&self, arithmetic: Arithmetic, operands: &[Array]) -> Result<Array, CallError> {
        let mut values: Vec<Array> = Vec::new();
        for node in &self.nodes {
            if let Some(created) = node.create() {
                values.push(created);
                continue;
            }
            let inputs = node.inputs.iter().map(|input| match *input {
                Value::Operand(index) => operands[index].clone(),
                Value::Node(index) => values[index].clone(),
            });
            let inputs: Vec<Array> = inputs.collect();
            let types: Vec<_> = node
                .inputs
                .iter()
                .map(|&one| self.type_of(one).clone())
                .collect();
            let call = Call {
                op: node.op,
                operands: &types,
                attributes: &node.attributes,
            };
            values.push(eval(&call, arithmetic, &inputs)?);
        }
        let lacking = || CallError::Shape("a composite has no operations".into());
        values.pop().ok_or_else(lacking)
    }
}

/// Returns the entry of an operation.
fn info(name: &'static str) -> Result<&'static OpInfo, CallError> {
    let lacking = || CallError::Shape(format!("'{name}' is not in the operation table"));
    table::from_name(name).ok_or_else(lacking)
}

fn ints(values: &[u64]) -> AttributeValue {
    let values = values
        .iter()
        .map(|&value| i64::try_from(value).unwrap_or(i64::MAX));
    AttributeValue::Ints(values.collect())
}

fn reshape_attributes(shape: &[u64]) -> Attributes {
    Attributes::none().with("shape", ints(shape))
}
