//! Operands of MV instructions.

use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::item::{MoveMemory, MovePlace};

/// Returns an operand of an MV instruction.
pub(crate) fn place(memory: MoveMemory, address: Address, side: Option<u32>) -> MovePlace {
    MovePlace {
        memory,
        address,
        group: None,
        l2b: side.map(|side| side as u8),
    }
}
