//! `ttir-to-ttir-decomposition`: decomposes composite operations.
//!
//! The table entry of a composite builds a graph of simpler operations ([`tessera_ops::graph`]).
//! This pass replaces the composite by that graph, so that later passes do not have to support
//! composites, and its parts can be fused with other operations. Values between kernels are rounded
//! to the element type of their tensor.
//!
//! Invariant: after the pass, the module has no composite operations.

use tessera_dialects::builtin;
use tessera_dialects::mlir::{
    At, NewOp, Op, Pass, Reported, Rewriter, TensorType, Type, Value, WalkOrder,
};
use tessera_dialects::ttir::FilledTensorOp;
use tessera_dialects::verify::{call, TensorCall};
use tessera_ops::graph::{Node, Value as GraphValue};
use tessera_ops::{AttributeValue, Class, Creation};

use crate::driver::registry::PassInfo;
use crate::ttir::attributes;
use crate::verified::{self, expect_verified};

/// `ttir-to-ttir-decomposition`
pub const INFO: PassInfo = PassInfo {
    name: "ttir-to-ttir-decomposition",
    description: "Decomposes composite operations",
    anchor: Some(builtin::ModuleOp::NAME),
    options: &[],
    make: |_| Ok(Box::new(Decomposition)),
};

struct Decomposition;

impl Pass for Decomposition {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, module: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        for op in module.walk(WalkOrder::Pre) {
            decompose(op, rewriter)?;
        }
        Ok(())
    }
}

/// Decomposes an operation if it is a composite, and recursively its parts.
fn decompose<'a>(op: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
    let is_composite = matches!(call::class(op), Some(Class::Composite(_)));
    if !is_composite || !op.name().starts_with("ttir.") {
        return Ok(());
    }
    let call = TensorCall::new(op).map_err(|error| op.error(error))?;
    let graph = call.as_call().decompose();
    let graph = graph.map_err(|error| op.error(error.to_string()))?;
    let inputs = call::inputs(op);
    let mut made: Vec<Op> = Vec::new();
    for (number, node) in graph.nodes().iter().enumerate() {
        let operands = node.inputs.iter().map(|input| match *input {
            GraphValue::Operand(index) => expect_verified(op, inputs.get(index).copied()),
            GraphValue::Node(index) => verified::expect_result(made[index]),
        });
        let operands = operands.collect::<Result<Vec<_>, _>>()?;
        // The last node has the composite's result type, which may have a layout.
        let result = match number + 1 == graph.nodes().len() {
            true => verified::expect_result(op)?.r#type(),
            false => intermediate(op, node, &operands, rewriter)?,
        };
        let new = new_op(op, node, result, rewriter)?.operands(operands);
        made.push(rewriter.insert(At::Before(op), new.results([result])));
    }
    let last = expect_verified(op, made.last().copied())?;
    rewriter.replace(op, &last.results());
    made.into_iter().try_for_each(|op| decompose(op, rewriter))
}

/// Returns the type of an intermediate tensor of a decomposition.
fn intermediate<'a>(
    op: Op<'a>,
    node: &Node,
    operands: &[Value<'a>],
    rewriter: &Rewriter<'a>,
) -> Result<Type<'a>, Reported> {
    // Use the element type of an operand if possible: the table does not distinguish `i32` from
    // `si32`.
    let element = operands
        .last()
        .and_then(|value| value.r#type().element_type());
    let is_same = |element: &Type| call::element_type(*element) == Some(node.result.element);
    let element = match element.filter(is_same) {
        Some(element) => element,
        None => rewriter
            .context()
            .scalar(attributes::scalar(node.result.element)),
    };
    let r#type = rewriter.context().tensor(&node.result.shape, element, None);
    match r#type.static_shape() {
        Some(_) => Ok(r#type),
        None => Err(op.error("internal error: a part of it has no shape")),
    }
}

/// Creates the operation of a graph node with a result of this type, without operands and result.
///
/// # Errors
/// If an extent or a number of an attribute has more than 32 bits.
fn new_op<'a>(
    op: Op<'a>,
    node: &Node,
    result: Type<'a>,
    rewriter: &Rewriter<'a>,
) -> Result<NewOp<'a>, Reported> {
    let name = expect_verified(op, node.op.ttir)?;
    let too_large = || {
        op.error(format!(
            "decomposes into a 'ttir.{name}' with numbers that do not fit 32 bits; split the tensor"
        ))
    };
    let mut new = NewOp::new(&format!("ttir.{name}"), op.location());
    let has_shape = |creation| !matches!(creation, Creation::Constant | Creation::Range);
    if matches!(node.op.class, Class::Creation(creation) if has_shape(creation)) {
        let extents = node
            .result
            .shape
            .iter()
            .map(|&extent| i32::try_from(extent).ok());
        let shape = extents.collect::<Option<Vec<_>>>().ok_or_else(too_large)?;
        new = new.with(rewriter.context(), FilledTensorOp::SHAPE, &shape);
    }
    for (name, value) in node.attributes.iter() {
        let declared = expect_verified(op, node.op.attribute(name))?;
        let attribute = match value {
            AttributeValue::Bytes(bytes) => rewriter.context().dense_attribute(result, bytes),
            _ => attributes::to_mlir(declared, value, rewriter.context()),
        };
        new = new.attribute(name, attribute.ok_or_else(too_large)?);
    }
    Ok(new)
}
