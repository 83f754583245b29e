//! `ttir-implicit-broadcast-fold`: lets element-wise operations read what `ttir.broadcast` repeats.
//!
//! Element-wise operations broadcast their operands, which may have fewer dimensions than the
//! result. A broadcast in front of one, or a reshape that only adds leading dimensions of extent 1,
//! is therefore redundant, as long as the other operands give the result its shape. Programs from
//! StableHLO have both for every scalar and every bias.

use tessera_dialects::mlir::{Op, Pass, Reported, Rewriter, TensorType, Value, WalkOrder};
use tessera_dialects::verify::{call, TensorCall};
use tessera_dialects::{builtin, ttir};
use tessera_ops::Class;

use crate::driver::registry::PassInfo;

/// `ttir-implicit-broadcast-fold`
pub const INFO: PassInfo = PassInfo {
    name: "ttir-implicit-broadcast-fold",
    description: "Removes broadcasts in front of operations that broadcast their operands",
    anchor: Some(builtin::ModuleOp::NAME),
    options: &[],
    make: |_| Ok(Box::new(ImplicitBroadcastFold)),
};

struct ImplicitBroadcastFold;

impl Pass for ImplicitBroadcastFold {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, module: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        let mut broadcasts = Vec::new();
        for op in module.walk(WalkOrder::Pre) {
            if op.isa::<ttir::BroadcastOp>() || op.isa::<ttir::ReshapeOp>() {
                broadcasts.push(op);
            } else if matches!(call::class(op), Some(Class::Binary(_) | Class::Ternary(_))) {
                fold(op, rewriter)?;
            }
        }
        // A later broadcast may read an earlier one.
        for op in broadcasts.into_iter().rev() {
            if !op.results().into_iter().any(Value::has_uses) {
                rewriter.erase(op);
            }
        }
        Ok(())
    }
}

/// Replaces operands of an element-wise operation that are broadcast before.
fn fold<'a>(op: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
    if !op.name().starts_with("ttir.") {
        return Ok(());
    }
    let mut operands = op.operands();
    let mut call = TensorCall::new(op).map_err(|error| op.error(error))?;
    let mut changes = false;
    for number in 0..call.operands.len() {
        while let Some(source) = broadcast_source(operands[number]) {
            let Ok(narrow) = call::tensor_type(source) else {
                break;
            };
            let shape = call.as_call().infer_shape();
            let wide = std::mem::replace(&mut call.operands[number], narrow);
            if call.as_call().infer_shape() != shape {
                call.operands[number] = wide;
                break;
            }
            operands[number] = source;
            changes = true;
        }
    }
    if changes {
        rewriter.set_operands(op, &operands);
    }
    Ok(())
}

/// Returns the operand of the `ttir.broadcast` that defines a value, or of a `ttir.reshape` that
/// adds leading dimensions of extent 1.
fn broadcast_source(value: Value) -> Option<Value> {
    let op = value.defining_op()?;
    let source = op.operand(0)?;
    if op.isa::<ttir::BroadcastOp>() {
        return Some(source);
    }
    let [narrow, wide] = [source, value].map(|value| value.r#type().static_shape());
    let (narrow, wide) = (narrow?, wide?);
    let (leading, rest) = wide.split_at(wide.len().checked_sub(narrow.len())?);
    let adds_units = rest == narrow && leading.iter().all(|extent| *extent == 1);
    (op.isa::<ttir::ReshapeOp>() && adds_units).then_some(source)
}
