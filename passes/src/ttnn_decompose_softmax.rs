//! `ttnn-decompose-softmax`: makes of `ttnn.softmax` the operations that it is: the largest element along the dimension is subtracted,
//! then exponentials are divided by their sum.
//!
//! So no kernel knows it, and what it is made of shares kernels as other operations do. What leaves a kernel is rounded to the element
//! type of the tensor. What was freed behind the softmax still is; its own tensors are freed in its place.

use crate::layout::Layout;
use crate::registry::PassInfo;
use tessera_dialects::mlir::{
    At, AttributeValue, ContextRef, NewOp, Op, Pass, Reported, Rewriter, TensorType, Type, Value,
};
use tessera_dialects::verify::function::dimension;

/// `ttnn-decompose-softmax`
pub const INFO: PassInfo = PassInfo {
    name: "ttnn-decompose-softmax",
    description: "Makes of ttnn.softmax exponentials that are divided by their sum",
    anchor: Some("builtin.module"),
    options: &[],
    make: |_| Ok(Box::new(DecomposeSoftmax)),
};

struct DecomposeSoftmax;

impl Pass for DecomposeSoftmax {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, op: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        for op in op.find_all("ttnn.softmax") {
            decompose(op, rewriter)?;
        }
        Ok(())
    }
}

fn decompose<'a>(op: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
    let (Some(input), Some(result)) = (op.operand(0), op.result(0)) else {
        return Ok(());
    };
    let context = rewriter.context();
    let full = result.r#type();
    let shape = full.static_shape().unwrap_or_default();
    let named = op.attribute("dimension").and_then(AttributeValue::integer);
    let dim = named.and_then(|named| dimension(named, shape.len()));
    let dim = dim.ok_or_else(|| op.error("internal error: names no dimension"))?;
    let kept = reduced(context, full, dim).ok_or_else(|| {
        op.error("has a result without an interleaved layout; run ttnn-layout first")
    })?;
    let index = context.integer_attribute(context.integer(32), dim as i64);
    let dims = context.array_attribute(&[index]);
    let make = |name: &str, operands: &[Value<'a>], r#type: Type<'a>| {
        let mut new = NewOp::new(name, op.location())
            .operands(operands.iter().copied())
            .results([r#type]);
        if matches!(name, "ttnn.max" | "ttnn.sum") {
            new = new
                .attribute("dim_arg", dims)
                .attribute("keep_dim", context.bool_attribute(true));
        }
        rewriter.insert(At::Before(op), new).results()[0]
    };
    let largest = make("ttnn.max", &[input], kept);
    let below = make("ttnn.subtract", &[input, largest], full);
    let exponentials = make("ttnn.exp", &[below], full);
    let sums = make("ttnn.sum", &[exponentials], kept);
    let shares = make("ttnn.divide", &[exponentials, sums], full);
    for tensor in [largest, below, exponentials, sums] {
        let free = NewOp::new("ttnn.deallocate", op.location())
            .operands([tensor])
            .attribute("force", context.bool_attribute(false));
        rewriter.insert(At::Before(op), free);
    }
    rewriter.replace(op, &[shares]);
    Ok(())
}

/// The type of what a reduction along a dimension keeps; nothing if the layout is none that other shapes have.
fn reduced<'a>(context: ContextRef<'a>, full: Type<'a>, dim: usize) -> Option<Type<'a>> {
    let mut shape = full.static_shape()?;
    shape[dim] = 1;
    let plain = context.tensor(&shape, full.element_type()?, None);
    match full.encoding() {
        None => Some(plain),
        Some(_) => Layout::of(context, full)?.of_tensor(context, plain),
    }
}
