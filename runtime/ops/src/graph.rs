//! Graphs of operations into which composites decompose.
//!
//! The entry of a composite builds a [`Graph`]. The compiler creates the operations of the graph,
//! and [`Graph::eval`] evaluates it.

use crate::attribute::{AttributeValue, Attributes};
use crate::element::TensorType;
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
    /// Returns the value of an operation that fills a tensor with a number.
    fn fill(&self) -> Option<Array> {
        let Class::Creation(creation) = self.op.class else {
            return None;
        };
        let number = table::fill_value(creation, &self.attributes)?;
        let shape = self.result.shape.clone();
        let elements = shape.iter().product::<u64>() as usize;
        Some(Array {
            shape,
            values: vec![number; elements],
        })
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
        let op = table::from_name(name)
            .ok_or_else(|| CallError::Shape(format!("'{name}' is not in the operation table")))?;
        let operands: Vec<_> = inputs
            .iter()
            .map(|&one| self.type_of(one).clone())
            .collect();
        let call = Call {
            op,
            operands: &operands,
            attributes: &attributes,
        };
        let shape = call.infer_shape()?;
        call.check_domain()?;
        let last = operands.last();
        let element = last
            .ok_or_else(|| CallError::Shape(format!("'{name}' has no operand")))?
            .element;
        self.nodes.push(Node {
            op,
            inputs: inputs.to_vec(),
            attributes,
            result: TensorType { shape, element },
        });
        Ok(Value::Node(self.nodes.len() - 1))
    }

    /// Adds a constant that broadcasts to the shape of another value.
    ///
    /// # Errors
    /// As [`Graph::add`].
    pub fn number(&mut self, number: f64, like: Value) -> Result<Value, CallError> {
        let op = table::from_name("full")
            .ok_or_else(|| CallError::Shape("'full' is not in the operation table".into()))?;
        let TensorType { shape, element } = self.type_of(like);
        let result = TensorType {
            shape: vec![1; shape.len()],
            element: *element,
        };
        self.nodes.push(Node {
            op,
            inputs: Vec::new(),
            attributes: Attributes::none().with("fill_value", AttributeValue::Float(number)),
            result,
        });
        Ok(Value::Node(self.nodes.len() - 1))
    }

    /// Adds a reshape.
    ///
    /// # Errors
    /// As [`Graph::add`].
    pub fn reshape(&mut self, input: Value, shape: &[u64]) -> Result<Value, CallError> {
        let extents = shape
            .iter()
            .map(|&extent| i64::try_from(extent).unwrap_or(i64::MAX));
        let shape = AttributeValue::Ints(extents.collect());
        self.add("reshape", &[input], Attributes::none().with("shape", shape))
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
            if let Some(filled) = node.fill() {
                values.push(filled);
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
        let lacking = || CallError::Shape("a composite is made of no operations".into());
        values.pop().ok_or_else(lacking)
    }
}
