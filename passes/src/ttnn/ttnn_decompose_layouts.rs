//! `ttnn-decompose-layouts`: decomposes `ttnn.to_tensor_spec` into conversions that each change one
//! property.
//!
//! A conversion changes the memory (`to_device`, `from_device`, `to_memory_config`), the element
//! order (`to_layout`) or the element type (`typecast`). [`plan`] computes the sequence,
//! independent of MLIR:
//!
//! - Order and element type are changed on the device, in the source memory if that is on the
//!   device. When it tilizes, a `to_layout` may change a floating-point type as well.
//! - If both change, the order changes while the element type is one that the device can reorder.
//!   Only if neither type is, the tensor goes to the host for it.
//!
//! The order of the steps is upstream's (`TTNNDecomposeLayouts`), without the sharded cases.

mod plan;

use crate::driver::registry::PassInfo;
use crate::functions::device_at;
use crate::ttnn::layout::{Layout, Memory};
use crate::verified;
use plan::{plan, State};
use tessera_dialects::mlir::{
    At, NewOp, Op, Pass, Reported, Rewriter, ScalarType, TensorType, Type, Value,
};
use tessera_dialects::{builtin, ttnn};

/// `ttnn-decompose-layouts`
pub const INFO: PassInfo = PassInfo {
    name: "ttnn-decompose-layouts",
    description: "Decomposes ttnn.to_tensor_spec into conversions that each change one property",
    anchor: Some(builtin::ModuleOp::NAME),
    options: &[],
    make: |_| Ok(Box::new(DecomposeLayouts)),
};

struct DecomposeLayouts;

impl Pass for DecomposeLayouts {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, op: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        for op in op.find_all::<ttnn::ToTensorSpecOp>() {
            let (Some(input), Some(result)) = (op.input(), op.result()) else {
                continue;
            };
            let from = state(*op, input.r#type(), rewriter)?;
            let to = state(*op, result.r#type(), rewriter)?;
            let mut value = input;
            let mut at = from;
            for next in plan(from, to) {
                value = step(*op, value, at, next, rewriter)?;
                at = next;
            }
            rewriter.replace(*op, &[value]);
        }
        Ok(())
    }
}

fn state<'a>(op: Op<'a>, tensor: Type<'a>, rewriter: &Rewriter<'a>) -> Result<State, Reported> {
    let layout = Layout::from_type(rewriter.context(), tensor);
    let element = tensor.element_type().and_then(ScalarType::scalar);
    match (layout, element) {
        (Some(layout), Some(element)) => Ok(State { layout, element }),
        _ => Err(op.error(format!(
            "cannot convert to or from '{tensor}'; supported are interleaved DRAM and L1 and system memory"
        ))),
    }
}

/// Builds the operation that takes a tensor from one state to the next.
fn step<'a>(
    op: Op<'a>,
    value: Value<'a>,
    from: State,
    to: State,
    rewriter: &Rewriter<'a>,
) -> Result<Value<'a>, Reported> {
    let context = rewriter.context();
    let shape = value.r#type().static_shape().unwrap_or_default();
    let tensor = context.tensor(&shape, context.scalar(to.element), None);
    let tensor = to
        .layout
        .of_tensor(context, tensor)
        .ok_or_else(|| op.error(format!("internal error: no layout for {tensor}")))?;
    let mut operands = vec![value];
    let name = match (from.layout.memory, to.layout.memory) {
        (Memory::System, Memory::Dram | Memory::L1) => {
            operands.push(device_at(op, rewriter)?);
            ttnn::ToDeviceOp::NAME
        }
        (Memory::Dram | Memory::L1, Memory::System) => ttnn::FromDeviceOp::NAME,
        (from, to) if from != to => ttnn::ToMemoryConfigOp::NAME,
        _ if from.layout.order != to.layout.order => ttnn::ToLayoutOp::NAME,
        _ => ttnn::TypecastOp::NAME,
    };
    let new = NewOp::new(name, op.location())
        .operands(operands)
        .results([tensor]);
    verified::expect_result(rewriter.insert(At::Before(op), new))
}
