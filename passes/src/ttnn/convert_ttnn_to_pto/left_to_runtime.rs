//! Operations that the runtime executes because the target's kernels cannot.

use tessera_dialects::mlir::{AttributeValue, Op, Value};
use tessera_dialects::ttnn;

use crate::ttnn::fusion::compute::index_map;
use crate::ttnn::fusion::Abilities;

/// Returns whether the runtime executes an operation, see [`Abilities`].
pub fn is_left_to_runtime(op: Op, abilities: Abilities) -> bool {
    let looks_up = || index_map(op).is_some_and(|map| map.lookup.is_some());
    !abilities.lookups && looks_up() || !abilities.nan && selects_nan(op)
}

/// Returns whether an operation selects between elements of which some are a constant NaN.
fn selects_nan(op: Op) -> bool {
    op.isa::<ttnn::WhereOp>() && op.operands().into_iter().skip(1).any(is_nan)
}

/// Returns whether all elements of a value are a constant NaN.
fn is_nan(value: Value) -> bool {
    let Some(op) = value.defining_op() else {
        return false;
    };
    if let Some(full) = op.dyn_cast::<ttnn::FullOp>() {
        let fill = full.fill_value().and_then(|fill| fill.float());
        return fill.is_some_and(f64::is_nan);
    }
    let keeps_elements =
        op.isa::<ttnn::ReshapeOp>() || op.isa::<ttnn::RepeatOp>() || op.isa::<ttnn::TypecastOp>();
    keeps_elements && op.operand(0).is_some_and(is_nan)
}
