//! `ttir-check-initialized`: rejects reads of uninitialized tensors.
//!
//! `ttir.empty` and `tensor.empty` denote memory that an operation writes. Upstream compiles reads
//! of them, and returns whatever the memory holds. Devices would differ in that, so it is an error
//! here.
//!
//! The pass runs after `ttir-drop-outputs`, which removes empty tensors that are output operands,
//! and after the inliner. Every remaining use of an empty tensor is therefore a read.

use crate::driver::registry::PassInfo;
use tessera_dialects::mlir::{Op, Pass, Reported, Rewriter, WalkOrder};
use tessera_dialects::{func, tensor, ttir};

/// `ttir-check-initialized`
pub const INFO: PassInfo = PassInfo {
    name: "ttir-check-initialized",
    description: "Rejects reads of uninitialized tensors",
    anchor: None,
    options: &[],
    make: |_| Ok(Box::new(CheckInitialized)),
};

struct CheckInitialized;

impl Pass for CheckInitialized {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, op: Op<'a>, _: &Rewriter<'a>) -> Result<(), Reported> {
        let mut checked = Ok(());
        for op in op.walk(WalkOrder::Pre) {
            if matches!(op.name(), ttir::EmptyOp::NAME | tensor::EmptyOp::NAME) {
                checked = checked.and(check(op));
            }
        }
        checked
    }
}

/// Checks that nothing reads an empty tensor.
fn check(empty: Op<'_>) -> Result<(), Reported> {
    let uses = empty.results().into_iter().flat_map(|value| value.uses());
    // MLIR lists uses in reverse order.
    let Some(reader) = uses.last().map(|reader| reader.op) else {
        return Ok(());
    };
    let how = match reader.name() {
        func::ReturnOp::NAME => "returned",
        _ => "read",
    };
    let note = format!("{how} here, by '{}'", reader.name());
    Err(empty.error_with_notes(
        format!(
            "its tensor is {how}, but nothing writes it; use 'ttir.zeros' or 'ttir.full' for a tensor with \
             values, and the result of an operation rather than its output operand"
        ),
        &[(reader, note)],
    ))
}
