//! Packers.

use tessera_isa_tensix::Instruction;

use crate::core_state::CoreState;
use crate::trap::Fault;

/// Executes one instruction of this unit for `thread`.
pub fn execute(
    instruction: &Instruction,
    _thread: usize,
    _core: &mut CoreState,
) -> Result<(), Fault> {
    Err(Fault::unmodelled(instruction.row().mnemonic))
}
