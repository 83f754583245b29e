//! The Matrix Unit (FPU).
//!
//! | module | instructions |
//! |---|---|
//! | `multiply` | MVMUL, GAPOOL |
//! | `pool` | GMPOOL |
//! | `elementwise` | ELWADD, ELWSUB, ELWMUL |
//! | `moves` | MOVA2D, MOVB2D, MOVD2A, MOVD2B |
//! | `sources` | MOVB2A, TRNSPSRCB, SHIFTXA, SHIFTXB |
//! | `clear` | ZEROACC, ZEROSRC |
//! | `handover` | SETRWC, INCRWC, CLEARDVALID |
//!
//! Bit-exact for BF16, TF32 and FP16 sources, see [`crate::arith::spec::fpu`], and for integers.
//! Traps: stochastic rounding, FP16A_FORCE_Enable and the override of SrcB's format, denormal
//! floats, row addresses whose low bits the hardware ignores.
//!
//! On Blackhole, banks imply the format of their data (`setup`), rows of Dst may have another
//! layout, ZEROACC has other operands (`clear`), and −1 is renormalised correctly. SHIFTXB and
//! CLREXPHIST exist on Wormhole only, according to LLK's instruction table of Blackhole; for the
//! latter also to `SoftReset.md`. SHIFTXA traps on Blackhole, because it is not documented whether
//! the bug that selects its rows was fixed: `MatrixUnit.md`, valid for both chips, lists its rate,
//! `SHIFTXA.md` is Wormhole's, ttsim has it on neither chip, and LLK does not use it.
//!
//! Source: ISA documentation, the page of each instruction and `MatrixUnit.md`.
//!
//! Validation: compared with ttsim 1.10.0 on random register files, counters and operands, floats
//! and integers. The whole state was equal after each of 50,872 instructions; these exclude
//! SHIFTXA, SHIFTXB, broadcast rows, indices and pooled integers, which ttsim refuses. ttsim also
//! refuses row addresses that wrap; this model also refuses moves of 16-bit rows in a 32-bit Dst
//! and denormal sources. On Blackhole 70,147 instructions were equal (excluding ZEROACC with 32-bit
//! sums beyond a group, where ttsim differs from the silicon).

mod clear;
mod columns;
mod dst;
mod elementwise;
mod handover;
mod moves;
mod multiply;
mod pool;
mod setup;
mod sources;
#[cfg(test)]
mod tests;

pub(crate) use multiply::MvmulBatch;
use tessera_isa_tensix::Instruction;

use crate::state::core_state::CoreState;
use crate::state::histogram::Histogram;
use crate::state::rwc::AddrMod;
use crate::trap::Fault;

/// Executes one instruction of this unit for `thread`.
pub fn execute(
    instruction: &Instruction,
    thread: usize,
    core: &mut CoreState,
) -> Result<(), Fault> {
    match instruction {
        Instruction::Mvmul(i) => multiply::mvmul(i, thread, core),
        Instruction::Elwadd(i) => elementwise::elwadd(i, thread, core),
        Instruction::Elwsub(i) => elementwise::elwsub(i, thread, core),
        Instruction::Elwmul(i) => elementwise::elwmul(i, thread, core),
        Instruction::Mova2d(i) => moves::mova2d(i, thread, core),
        Instruction::Movb2d(i) => moves::movb2d(i, thread, core),
        Instruction::Movd2a(i) => moves::movd2a(i, thread, core),
        Instruction::Movd2b(i) => moves::movd2b(i, thread, core),
        Instruction::Gapool(i) => multiply::gapool(i, thread, core),
        Instruction::Gmpool(i) => pool::gmpool(i, thread, core),
        Instruction::Movb2a(i) => sources::movb2a(i, thread, core),
        Instruction::Trnspsrcb(_) => sources::transpose(core),
        Instruction::Shiftxb(i) => sources::shiftxb(i, thread, core),
        Instruction::Shiftxa(i) => sources::shiftxa(i, core),
        // It invalidates a cache that the model does not have.
        Instruction::Gatesrcrst(_) => Ok(()),
        Instruction::Clrexphist(_) => {
            for packer in &mut core.regs.packers {
                packer.histogram = Histogram::default();
            }
            Ok(())
        }
        Instruction::Zeroacc(i) => clear::zeroacc(i, thread, core),
        Instruction::Zerosrc(i) => clear::zerosrc(i, core),
        Instruction::Setrwc(i) => handover::setrwc(i, thread, core),
        Instruction::Incrwc(i) => {
            core.regs.rwcs[thread].increment(i);
            Ok(())
        }
        Instruction::Cleardvalid(i) => handover::cleardvalid(i, core),
        other => Err(Fault::unmodelled_instruction(other)),
    }
}

/// Advances the row counters as the instruction's `addr_mode` bits say; `fidelity` as in
/// [`crate::state::rwc::Rwc::apply`].
///
/// # Errors
/// Those of [`AddrMod::select`].
pub(crate) fn apply_addr_mod(
    core: &mut CoreState,
    thread: usize,
    addr_mode: u32,
    fidelity: bool,
) -> Result<(), Fault> {
    let rwc = &mut core.regs.rwcs[thread];
    let mode = AddrMod::select(&core.config, thread, rwc, addr_mode)?;
    rwc.apply(mode, fidelity);
    Ok(())
}
