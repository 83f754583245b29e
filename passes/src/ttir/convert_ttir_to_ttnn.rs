//! `convert-ttir-to-ttnn`: replaces every TTIR operation by its TTNN counterpart.
//!
//! The operation table gives both names and the attributes of the TTNN operation. Creation
//! operations get a device operand if their tensor is on the device. An empty tensor in system
//! memory becomes `ttnn.zeros`.
//!
//! Requires tensors with layouts (`ttnn-layout`). Besides TTIR, only operations of `builtin`,
//! `func`, `ttcore` and `ttnn` are accepted.

use crate::driver::registry::PassInfo;
use crate::functions::device_at;
use crate::ttnn::layout::{Layout, Memory};
use crate::verified::{self, expect_verified};
use tessera_dialects::builtin;
use tessera_dialects::mlir::{At, NewOp, Op, Pass, Reported, Rewriter, TensorType, WalkOrder};
use tessera_dialects::ttnn::ShapedOp;
use tessera_dialects::verify::call;
use tessera_ops::{Class, Creation, Dialects, OpInfo};

/// `convert-ttir-to-ttnn`
pub const INFO: PassInfo = PassInfo {
    name: "convert-ttir-to-ttnn",
    description: "Replaces every TTIR operation by its TTNN counterpart",
    anchor: Some(builtin::ModuleOp::NAME),
    options: &[],
    make: |_| Ok(Box::new(ConvertTtirToTtnn)),
};

struct ConvertTtirToTtnn;

impl Pass for ConvertTtirToTtnn {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, op: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        for op in op.walk(WalkOrder::Pre) {
            match op.name().split('.').next() {
                Some("ttir") => {}
                Some("builtin" | "func" | "ttcore" | "ttnn") => continue,
                _ => return Err(op.error("has no TTNN counterpart; express it in TTIR")),
            }
            require_layouts(op, rewriter)?;
            let info = expect_verified(op, call::info(op))?;
            let new =
                match info.class {
                    Class::Creation(made) => convert_creation(op, made, rewriter)?,
                    _ if info.in_ttnn => convert_computation(op, info),
                    _ => return Err(op.error(
                        "has no TTNN counterpart of its own; run ttir-to-ttir-decomposition first",
                    )),
                };
            let types = op.results().into_iter().map(|value| value.r#type());
            let new = rewriter.insert(At::Before(op), new.results(types));
            rewriter.replace(op, &new.results());
        }
        Ok(())
    }
}

fn require_layouts<'a>(op: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
    let context = rewriter.context();
    let mut values = op.operands().into_iter().chain(op.results());
    match values.find(|value| Layout::from_type(context, value.r#type()).is_none()) {
        None => Ok(()),
        Some(value) => Err(op.error(format!(
            "'{}' has no layout that TTNN operations work on; run ttnn-layout first",
            value.r#type()
        ))),
    }
}

/// Returns the counterpart of an operation that computes tensors. Attributes that are not in the
/// table are copied.
fn convert_computation<'a>(op: Op<'a>, info: &'static OpInfo) -> NewOp<'a> {
    let is_for_ttir = |name: &str| {
        let declared = info.attribute(name);
        declared.is_some_and(|declared| declared.dialects == Dialects::Ttir)
    };
    let attributes = op.attributes().into_iter();
    NewOp::new(&format!("ttnn.{info}"), op.location())
        .operands(op.operands())
        .attributes(attributes.filter(|(name, _)| !is_for_ttir(name)))
}

/// Returns the counterpart of a creation operation.
fn convert_creation<'a>(
    op: Op<'a>,
    made: Creation,
    rewriter: &Rewriter<'a>,
) -> Result<NewOp<'a>, Reported> {
    let tensor = verified::expect_result(op)?.r#type();
    let layout = Layout::from_type(rewriter.context(), tensor);
    let on_device = layout.is_some_and(|layout| layout.memory != Memory::System);
    let name = match made {
        Creation::Empty if !on_device => "zeros",
        _ => expect_verified(op, call::info(op))?.name,
    };
    let mut new = NewOp::new(&format!("ttnn.{name}"), op.location());
    if on_device {
        new = new.operands([device_at(op, rewriter)?]);
    }
    // The shape is an attribute of another kind in each dialect; a constant and a range have none.
    let others = op.attributes().into_iter();
    new = new.attributes(others.filter(|(name, _)| *name != ShapedOp::SHAPE.name()));
    Ok(match made {
        Creation::Constant | Creation::Range => new,
        _ => {
            let shape = tensor.static_shape().unwrap_or_default();
            new.with(rewriter.context(), ShapedOp::SHAPE, &shape)
        }
    })
}
