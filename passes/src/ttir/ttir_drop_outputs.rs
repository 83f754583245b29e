//! `ttir-drop-outputs`: removes the output operands of the older form of TTIR.
//!
//! Until November 2025, the last operand of a TTIR operation was the tensor that it writes; today
//! it has only a result. Both forms parse, and [`ttir::output`] identifies output operands. This
//! pass removes them, and every `ttir.empty` or `tensor.empty` that is unused afterwards.

use crate::driver::registry::PassInfo;
use tessera_dialects::mlir::{Op, Pass, Reported, Rewriter, WalkOrder};
use tessera_dialects::ttir;

/// `ttir-drop-outputs`
pub const INFO: PassInfo = PassInfo {
    name: "ttir-drop-outputs",
    description: "Removes the output operands of the older form of TTIR",
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
