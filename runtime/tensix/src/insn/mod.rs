//! The semantics of instructions, unit by unit, and their dispatch.
//!
//! | unit | module | for example |
//! |---|---|---|
//! | Matrix Unit | [`matrix`] | MVMUL in `matrix/multiply.rs`, ELWADD in `matrix/elementwise.rs` |
//! | Vector Unit | [`vector`] | SFPMAD in `vector/arithmetic.rs`, SFPLOAD in `vector/memory.rs` |
//! | packers | [`pack`] | PACR in `pack/pacr.rs`, on Blackhole in `pack/blackhole.rs` |
//! | unpackers | [`unpack`] | UNPACR in `unpack/regular.rs` |
//! | scalar unit | `scalar` | ADDDMAREG in `scalar/arithmetic.rs`, LOADIND in `scalar/memory.rs` |
//! | configuration unit | `config` | WRCFG, SETC16 |
//! | sync unit | `sync` | SEMPOST, ATGETM |
//! | mover | [`mover`] | XMOV |
//! | others | `misc` | address counters |
//! | front end | `frontend` | NOP; MOP and REPLAY are expanded before |
//!
//! A unit receives the parts of the core's state that it uses, most units in a struct of references
//! whose constructor is the only code of the unit that sees the whole.
//!
//! A unit has a table with a row per instruction, in its `traits.rs` or at the end of its file: the
//! function that executes it, and all that other parts of the model know about it (`traits`).
//! `table` checks that there is a row for each. [`support`] tells which forms trap.

mod config;
mod frontend;
pub mod matrix;
mod misc;
pub mod mover;
pub mod pack;
mod scalar;
pub mod support;
mod sync;
pub(crate) mod table;
pub(crate) mod traits;
pub mod unpack;
pub mod vector;

use tessera_isa_tensix::{Instruction, Unit};

use self::config::ConfigUnit;
use self::matrix::MatrixUnit;
use self::mover::Mover;
use self::pack::Packers;
use self::scalar::ScalarUnit;
use self::unpack::Unpackers;
use self::vector::VectorUnit;
use crate::state::core_state::CoreState;
use crate::state::sync::Sync;
use crate::trap::Fault;

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
        Unit::Nop => frontend::execute(instruction),
        Unit::Sync => sync::execute(instruction, thread, &core.config, sync),
        Unit::Misc => {
            let banks = (&core.config, &mut core.banks);
            misc::execute(instruction, thread, &mut core.adcs, banks)
        }
        Unit::Config => config::execute(instruction, thread, &mut ConfigUnit::of(core)),
        Unit::Scalar => scalar::execute(instruction, thread, &mut ScalarUnit::of(core)),
        Unit::Unpacker => unpack::execute(instruction, thread, &mut Unpackers::of(core)),
        Unit::Matrix => matrix::execute(instruction, thread, || MatrixUnit::of(core)),
        Unit::Packer => pack::execute(instruction, thread, &mut Packers::of(core)),
        Unit::Vector => vector::execute(instruction, thread, VectorUnit::of(core)),
        Unit::Mover => mover::execute(instruction, thread, &mut Mover::of(core)),
        Unit::MopExpander | Unit::ReplayExpander | Unit::AutoSync => Err(Fault::undefined(
            format!("{} comes out of the expanders", instruction.row().mnemonic),
        )),
    }
}

#[cfg(test)]
mod tests;
