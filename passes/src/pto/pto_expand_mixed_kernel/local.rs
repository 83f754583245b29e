//! Local tensors of a mixed kernel: each goes to the side that accesses it.
//!
//! The slice of a side contains the local tensors of its accesses, like everything else that they
//! need. A tensor that both sides access would become two tensors, so it is refused here. Accesses
//! of one side are in the order of its kernel, and need no fences.

use std::collections::HashMap;

use tessera_dialects::mlir::{Op, Reported, Value, WalkOrder};
use tessera_dialects::pto::{self, AllocTensorOp, Side};

/// Returns whether a tensor is in the memory of a core.
pub fn is_local(tensor: Value) -> bool {
    tensor
        .defining_op()
        .is_some_and(|op| op.isa::<AllocTensorOp>())
}

/// Checks that each local tensor of a mixed kernel is accessed from one side.
///
/// # Errors
/// Reported at the first access from the other side.
pub fn check_sides(kernel: Op) -> Result<(), Reported> {
    let mut sides: HashMap<Value, Side> = HashMap::new();
    for op in kernel.walk(WalkOrder::Pre) {
        let (tensor, tile) = match op.name() {
            pto::TLoadOp::NAME => (op.operand(0), op.result(0)),
            pto::TStoreOp::NAME => (op.operand(1), op.operand(0)),
            _ => continue,
        };
        let tile = tile.and_then(|tile| pto::tile(tile.r#type()));
        let (Some(tensor), Some(tile)) = (tensor.filter(|it| is_local(*it)), tile) else {
            continue;
        };
        let side = tile.space.side();
        if *sides.entry(tensor).or_insert(side) != side {
            return Err(op.error(format!(
                "accesses {}, which is accessed from both sides, but lies in the memory of one \
                 core; move tiles between the sides with pto.tmove",
                tensor.r#type()
            )));
        }
    }
    Ok(())
}
