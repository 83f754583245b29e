//! Operations that the runtime executes because the target's kernels cannot.

use tessera_dialects::mlir::Op;
use tessera_dialects::ttnn;

use crate::ttnn::fusion::compute::index_map;
use crate::ttnn::fusion::number::filling_number;
use crate::ttnn::fusion::Abilities;

/// Returns whether the runtime executes an operation, see [`Abilities`].
pub fn is_left_to_runtime(op: Op, abilities: Abilities) -> bool {
    let looks_up = || index_map(op).is_some_and(|map| map.lookup.is_some());
    !abilities.lookups && looks_up() || !abilities.nan && selects_nan(op)
}

/// Returns whether an operation selects between elements of which some are a constant NaN.
fn selects_nan(op: Op) -> bool {
    let mut choices = op.operands().into_iter().skip(1);
    op.isa::<ttnn::WhereOp>() && choices.any(|value| filling_number(value).is_some_and(f64::is_nan))
}
