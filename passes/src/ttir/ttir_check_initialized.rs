//! `ttir-check-initialized`: refuses programs that read tensors without values.
//!
//! `ttir.empty` and `tensor.empty` stand for memory that an operation writes. Upstream compiles
//! their reads and returns whatever the memory holds; devices here would differ in that, so it is
//! an error. The pass comes behind `ttir-drop-outputs`, which removes those that stood for outputs,
//! and behind the inliner: what uses them then reads them.

use crate::driver::registry::PassInfo;
use tessera_dialects::mlir::{Op, Pass, Reported, Rewriter, WalkOrder};
use tessera_dialects::{func, tensor, ttir};

/// `ttir-check-initialized`
pub const INFO: PassInfo = PassInfo {
    name: "ttir-check-initialized",
    description: "Refuses reads of tensors that nothing writes",
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
    // The list of uses begins with the last one.
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
