//! `convert-ttir-to-ttnn`: every TTIR operation becomes its TTNN counterpart.
//!
//! | ttir | ttnn |
//! |---|---|
//! | `div` | `divide` |
//! | `transpose` | `permute` |
//! | functions, reductions and products of all other names | the same name, operands and attributes |
//! | `typecast` | `typecast`, without what it says about folding |
//! | `zeros ones full constant` | the same name, with the device if the tensor lies on it |
//! | `empty` | `empty`; `zeros` for a tensor in system memory |
//!
//! Needs layouts (`ttnn-layout`). An operation of a dialect that is neither TTIR nor of the levels around it is an error.

use crate::functions::device_at;
use crate::layout::{Layout, Memory};
use crate::registry::PassInfo;
use tessera_dialects::mlir::{
    At, AttributeValue, NewOp, Op, Pass, Reported, Rewriter, TensorType, WalkOrder,
};
use tessera_dialects::verify::function::dimension;

/// `convert-ttir-to-ttnn`
pub const INFO: PassInfo = PassInfo {
    name: "convert-ttir-to-ttnn",
    description: "Replaces every TTIR operation by its TTNN counterpart",
    anchor: Some("builtin.module"),
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
            let (dialect, name) = op.name().split_once('.').unwrap_or_default();
            match dialect {
                "ttir" => {}
                "builtin" | "func" | "ttcore" | "ttnn" => continue,
                _ => return Err(op.error("has no TTNN counterpart; express it in TTIR")),
            }
            require_layouts(op, rewriter)?;
            let new = match name {
                "empty" | "zeros" | "ones" | "full" | "constant" => creation(op, name, rewriter)?,
                "typecast" => NewOp::new("ttnn.typecast", op.location()).operands(op.operands()),
                "transpose" => permute(op, rewriter)?,
                _ => {
                    let name = if name == "div" { "divide" } else { name };
                    NewOp::new(&format!("ttnn.{name}"), op.location())
                        .operands(op.operands())
                        .attributes(op.attributes())
                }
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
    match values.find(|value| Layout::of(context, value.r#type()).is_none()) {
        None => Ok(()),
        Some(value) => Err(op.error(format!(
            "'{}' has no layout that TTNN operations work on; run ttnn-layout first",
            value.r#type()
        ))),
    }
}

/// The permutation that a transposition is.
fn permute<'a>(op: Op<'a>, rewriter: &Rewriter<'a>) -> Result<NewOp<'a>, Reported> {
    let rank = op
        .operand(0)
        .and_then(|input| input.r#type().shape())
        .map_or(0, |shape| shape.len());
    let dim = |name: &str| {
        let named = op.attribute(name).and_then(AttributeValue::integer)?;
        dimension(named, rank)
    };
    let (Some(one), Some(other)) = (dim("dim0"), dim("dim1")) else {
        return Err(op.error("internal error: names no two dimensions of its input"));
    };
    let mut permutation: Vec<i64> = (0..rank as i64).collect();
    permutation.swap(one, other);
    let permutation = rewriter.context().i64_array_attribute(&permutation);
    Ok(NewOp::new("ttnn.permute", op.location())
        .operands(op.operands())
        .attribute("permutation", permutation))
}

/// The counterpart of an operation without inputs.
fn creation<'a>(op: Op<'a>, name: &str, rewriter: &Rewriter<'a>) -> Result<NewOp<'a>, Reported> {
    let context = rewriter.context();
    let tensor = op.result(0).map(|value| value.r#type());
    let layout = tensor.and_then(|tensor| Layout::of(context, tensor));
    let on_device = layout.is_some_and(|layout| layout.memory != Memory::System);
    let name = match name {
        "empty" if !on_device => "zeros",
        name => name,
    };
    let mut new = NewOp::new(&format!("ttnn.{name}"), op.location());
    if on_device {
        new = new.operands([device_at(op, rewriter)?]);
    }
    if name == "constant" {
        return Ok(new.attributes(op.attributes()));
    }
    let shape = tensor
        .and_then(TensorType::static_shape)
        .unwrap_or_default();
    let extents: Vec<_> = shape.iter().map(u64::to_string).collect();
    let shape = format!("#ttnn.shape<{}>", extents.join("x"));
    let shape = context
        .parse_attribute(&shape)
        .ok_or_else(|| op.error("internal error: its shape is no #ttnn.shape"))?;
    new = new.attribute("shape", shape);
    Ok(match op.attribute("fill_value") {
        Some(value) if name == "full" => new.attribute("fill_value", value),
        _ => new,
    })
}
