//! `ttir-drop-outputs`: removes the output operands of the older spelling of TTIR.
//!
//! Until November 2025 a TTIR operation took, behind its inputs, the tensor it writes; today it has
//! a result only. Both spellings parse; [`ttir::output`] says which operand is an output. After
//! this pass there are none, and no `ttir.empty` or `tensor.empty` that stood for one.

use crate::driver::registry::PassInfo;
use tessera_dialects::mlir::{Op, Pass, Reported, Rewriter, WalkOrder};
use tessera_dialects::ttir;

/// `ttir-drop-outputs`
pub const INFO: PassInfo = PassInfo {
    name: "ttir-drop-outputs",
    description: "Removes the output operands of the older spelling of TTIR",
    anchor: None,
    options: &[],
    make: |_| Ok(Box::new(DropOutputs)),
};

struct DropOutputs;

impl Pass for DropOutputs {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, op: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        for op in op.walk(WalkOrder::Pre) {
            if !op.name().starts_with("ttir.") {
                continue;
            }
            let Some(output) = ttir::output(op) else {
                continue;
            };
            rewriter.set_operands(op, &ttir::inputs(op));
            if let Some(empty) = output.defining_op().filter(|_| !output.has_uses()) {
                rewriter.erase(empty);
            }
        }
        Ok(())
    }
}
