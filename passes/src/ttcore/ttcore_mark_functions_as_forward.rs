//! `ttcore-mark-functions-as-forward`: says which functions a caller outside can run.
//!
//! Public functions get `tt.function_type = "forward_device"`; private ones are inlined later. A
//! function that has a type already keeps it. The attribute's prefix is upstream's, from before its
//! dialect was renamed.

use crate::driver::registry::PassInfo;
use crate::functions::is_private;
use tessera_dialects::mlir::attribute_key::Text;
use tessera_dialects::mlir::{AttributeKey, Op, Pass, Reported, Rewriter};
use tessera_dialects::{builtin, func};

/// The attribute that holds the type of a function.
pub const FUNCTION_TYPE: AttributeKey<Text> = AttributeKey::new("tt.function_type");
/// The type of a function that runs on the device and can be called from outside.
pub const FORWARD: &str = "forward_device";
/// The type of a function that `ttcore.load_cached` calls; see
/// [`const_eval_hoist_transform`](super::const_eval_hoist_transform).
pub const CONST_EVAL: &str = "const_eval";

/// `ttcore-mark-functions-as-forward`
pub const INFO: PassInfo = PassInfo {
    name: "ttcore-mark-functions-as-forward",
    description: "Marks public functions as entry points",
    anchor: Some(builtin::ModuleOp::NAME),
    options: &[],
    make: |_| Ok(Box::new(MarkFunctionsAsForward)),
};

struct MarkFunctionsAsForward;

impl Pass for MarkFunctionsAsForward {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, op: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        for function in op.find_all::<func::FuncOp>() {
            if !is_private(function) && !FUNCTION_TYPE.is_in(*function) {
                rewriter.set(*function, FUNCTION_TYPE, FORWARD);
            }
        }
        Ok(())
    }
}
