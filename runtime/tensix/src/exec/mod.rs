//! Dispatches an instruction to its unit; also contains the small units.

mod config;
mod misc;
mod packer_results;
mod scalar;
mod scalar_memory;
mod sync;

pub(crate) use scalar_memory::is_ready;

use tessera_isa_tensix::{Instruction, Unit};

use crate::core_state::CoreState;
use crate::sync::Sync;
use crate::trap::Fault;
use crate::{matrix, mover, pack, sfpu, support, unpack};

/// Executes an instruction that has passed its thread's wait gate. STALLWAIT, SEMWAIT and
/// STREAMWAIT have no effect here: they act on the gate.
pub(crate) fn execute(
    (instruction, unit): (&Instruction, Unit),
    thread: usize,
    core: &mut CoreState,
    sync: &mut Sync,
) -> Result<(), Fault> {
    support::check(core.arch, instruction)?;
    match unit {
        Unit::Nop => Ok(()),
        Unit::Sync => sync::execute(instruction, thread, core, sync),
        Unit::Misc => misc::execute(instruction, thread, core),
        Unit::Config => config::execute(instruction, thread, core),
        Unit::Scalar => scalar::execute(instruction, thread, core),
        Unit::Unpacker => unpack::execute(instruction, thread, core),
        Unit::Matrix => matrix::execute(instruction, thread, core),
        Unit::Packer => pack::execute(instruction, thread, core),
        Unit::Vector => sfpu::execute(instruction, thread, core),
        Unit::Mover => mover::execute(instruction, thread, core),
        Unit::MopExpander | Unit::ReplayExpander | Unit::AutoSync => Err(Fault::undefined(
            format!("{} comes out of the expanders", instruction.row().mnemonic),
        )),
    }
}

#[cfg(test)]
mod tests;
