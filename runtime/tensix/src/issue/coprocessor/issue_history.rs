//! Hazards between an instruction and those that its thread has issued before.
//!
//! Checked:
//!
//! * A configuration word is not used by the instruction right after the WRCFG or CFGSHIFTMASK that
//!   changes it.
//! * An LReg is not read by the vector instruction right after the multiply-add that writes it.
//! * Nothing overtakes a STREAMWRCFG.
//! * The vector unit does not read Dst rows that the matrix unit writes for one of the thread's
//!   last three instructions, unless a wait for that unit has ended since.
//! * Columns are not moved while the vector unit may be changing their selection.
//! * Unpackers and packers do not use a configuration word that a RISC-V core has stored without a
//!   wait.

use tessera_isa_tensix::{Arch, Instruction, Opcode, Unit};

use super::Coprocessor;
use crate::insn::vector;
use crate::issue::decoded_words::Decoded;
use crate::state::access::{RowSet, WordSet};
use crate::state::core_state::CoreState;
use crate::state::units::{CONFIG_USERS, MATRIX, MOVER, VECTOR};
use crate::trap::Fault;

/// Effects of previous instructions that the next one must not use.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct IssueHistory {
    pub(super) config: WordSet,
    /// The instruction that has changed the configuration words, if any.
    configurer: Option<Opcode>,
    vector: PreviousVectorOp,
    /// Dst rows that the matrix unit writes for each of the last three instructions.
    pub(super) matrix: [RowSet; 3],
    /// The index of the oldest of them.
    oldest: usize,
}

/// Pending effects of the previous instruction, if it is a vector instruction.
#[derive(Clone, Copy, Debug, Default)]
struct PreviousVectorOp {
    /// LRegs that it is still writing.
    lregs: u32,
    /// Those of them for which the hardware never stalls.
    unnoticed: u32,
    /// Whether it was an SFPSHFT2 that rotates rows.
    rotates: bool,
}

impl IssueHistory {
    /// Returns the rows of Dst that the matrix unit writes for each of the last three instructions,
    /// the newest first.
    pub(super) fn written(&self) -> impl Iterator<Item = &RowSet> {
        (1..4).map(|k| &self.matrix[(self.oldest + 3 - k) % 3])
    }

    /// Records a matrix instruction that writes these rows and has no other pending effects.
    pub(super) fn note_matrix(&mut self, rows: &RowSet) {
        self.matrix[self.oldest].copy_from_set(rows);
        self.note_order();
    }

    /// Returns whether the previous instruction has no pending effects in the vector unit.
    pub(super) fn vector_is_done(&self) -> bool {
        let PreviousVectorOp {
            lregs,
            unnoticed,
            rotates,
        } = self.vector;
        lregs | unnoticed == 0 && !rotates
    }

    /// Records another instruction, without pending effects.
    pub(super) fn note_other(&mut self) {
        self.matrix[self.oldest].clear();
        self.note_order();
    }

    /// Records so many of them.
    pub(super) fn note_others(&mut self, count: u32) {
        match count {
            0..3 => (0..count).for_each(|_| self.note_other()),
            _ => {
                self.matrix.iter_mut().for_each(RowSet::clear);
                self.oldest = (self.oldest + count as usize - 1) % 3;
                self.note_order();
            }
        }
    }

    /// Checks the hazards of a vector instruction with the previous one, and records it. It uses
    /// no configuration word that the previous instruction changes.
    #[inline]
    pub(super) fn check_vector_instruction(
        &mut self,
        core: &CoreState,
        at: &Decoded,
    ) -> Result<(), Fault> {
        self.check_vector_history(core, at)?;
        self.note_other();
        self.vector = PreviousVectorOp::from_instruction(core, at);
        Ok(())
    }

    /// Checks the hazards of a vector instruction with the previous instruction.
    fn check_vector_history(&self, core: &CoreState, at: &Decoded) -> Result<(), Fault> {
        let (access, before) = (&core.access, &self.vector);
        let read = core.regs.vector.access.read;
        let late = match before.lregs {
            0 => 0,
            lregs => lregs & vector::unprotected(&core.config, &at.instruction, read),
        };
        let lregs = late | before.unnoticed & read;
        if lregs != 0 {
            return Err(Fault::hazard(format!(
                "reads LReg {}, which the instruction right before it is still computing; put an \
                 SFPNOP between them",
                lregs.trailing_zeros()
            )));
        }
        let collides = || vector::collides_with_rotation(core.arch, at.opcode);
        if before.rotates && !at.vector.rotates && collides() {
            return Err(Fault::hazard(format!(
                "{} right after a rotation by SFPSHFT2, which is still writing; put an SFPNOP \
                 between them",
                at.opcode.row().mnemonic
            )));
        }
        if access.dst_read.is_empty() {
            return Ok(());
        }
        let written = self
            .written()
            .find_map(|rows| rows.first_common(&access.dst_read));
        match written {
            None => Ok(()),
            Some(row) => Err(Fault::hazard(format!(
                "reads Dst row {row} (of 1024), which the matrix unit may still be writing for one \
                 of the three instructions before; put a STALLWAIT for the matrix unit or three \
                 instructions between them"
            ))),
        }
    }

    fn note_order(&mut self) {
        self.oldest = if self.oldest == 2 { 0 } else { self.oldest + 1 };
        self.config.clear();
        self.configurer = None;
        self.vector = PreviousVectorOp::default();
    }
}

impl PreviousVectorOp {
    /// Returns the pending effects of an instruction that was just executed.
    fn from_instruction(core: &CoreState, at: &Decoded) -> Self {
        let written = core.regs.vector.access.written;
        if written == 0 {
            return PreviousVectorOp {
                rotates: at.vector.rotates,
                ..PreviousVectorOp::default()
            };
        }
        PreviousVectorOp {
            lregs: match at.vector.is_late {
                true => written,
                false => 0,
            },
            unnoticed: vector::written_unnoticed(&core.config, &at.instruction, written),
            rotates: at.vector.rotates,
        }
    }
}

impl Coprocessor {
    /// Checks the hazards of an instruction with the previous one, and records it.
    pub(super) fn check_issue_history(
        &mut self,
        thread: usize,
        at: &Decoded,
        config: &WordSet,
    ) -> Result<(), Fault> {
        let previous = &mut self.previous[thread];
        // On Blackhole the configuration unit keeps its own instructions in order
        // (`ConfigurationUnit.md`).
        let apart = at.unit == Unit::Config && self.core.arch == Arch::Blackhole;
        if let Some(word) = previous.config.first_common(config).filter(|_| !apart) {
            let configurer = previous.configurer.map_or("", |by| by.row().mnemonic);
            return Err(Fault::hazard(format!(
                "uses configuration word {word}, which the {configurer} right before it changes; \
                 put a NOP between them"
            )));
        }
        if at.unit == Unit::Vector {
            return self.previous[thread].check_vector_instruction(&self.core, at);
        }
        if self.core.access.unsettled_columns {
            self.check_columns()?;
        }
        let access = &self.core.access;
        let previous = &mut self.previous[thread];
        match at.units == 1 << MATRIX {
            true => previous.note_matrix(&access.dst_write),
            false => previous.note_other(),
        }
        if at.traits.configures_late {
            previous.configurer = Some(at.opcode);
            previous.config.copy_from_set(&access.config_write);
        }
        Ok(())
    }

    /// Checks that no columns are moved while the vector unit may be changing their selection.
    #[cold]
    fn check_columns(&mut self) -> Result<(), Fault> {
        if self.flights.is_any_busy(1 << VECTOR) {
            return Err(Fault::hazard(
                "moves columns while the vector unit may still execute the SFPCONFIG that changes \
                 LaneConfig.BLOCK_DEST_MOV; put a STALLWAIT for the vector unit between them",
            ));
        }
        self.core.regs.vector.settle_skipped_columns();
        Ok(())
    }

    /// Checks that an unpacker, packer or the mover does not use words that a RISC-V core may still
    /// be storing.
    pub(super) fn check_guarded(
        &self,
        thread: usize,
        units: u32,
        config: &WordSet,
    ) -> Result<(), Fault> {
        if units & (CONFIG_USERS | 1 << MOVER) == 0 {
            return Ok(());
        }
        match self.unguarded[thread].first_common(config) {
            Some(word) => Err(Fault::hazard(format!(
                "uses configuration word {word}, which the RISC-V core stores without a wait; \
                 put a STALLWAIT with C13 between them, or read the word back"
            ))),
            None => Ok(()),
        }
    }

    /// Checks that an instruction that does not wait for its bank does not read what an unpacker
    /// may still be writing.
    pub(super) fn check_unowned_bank(&self, at: &Decoded) -> Result<(), Fault> {
        let Some(src) = at.traits.reads_unowned else {
            return Ok(());
        };
        let unpacker = src as usize;
        match self.flights.is_any_busy(1 << unpacker) {
            false => Ok(()),
            true => Err(Fault::hazard(format!(
                "{} reads a bank of Src{src:?} that unpacker {unpacker} may still be writing; put \
                 a STALLWAIT for the unpacker between them",
                at.opcode.row().mnemonic
            ))),
        }
    }

    /// Checks that nothing overtakes a STREAMWRCFG, or uses what it writes, before its thread has
    /// waited for the configuration unit (`STREAMWRCFG.md`, Instruction scheduling).
    pub(super) fn check_streamed(
        &mut self,
        thread: usize,
        at: &Decoded,
        config: &WordSet,
    ) -> Result<(), Fault> {
        if self.streaming == 0 && at.opcode != Opcode::Streamwrcfg {
            return Ok(());
        }
        if let Instruction::Streamwrcfg(i) = &at.instruction {
            let storage_state = self
                .core
                .config
                .storage_state(self.core.config.state_used_by(thread), i.cfg_reg);
            self.streamed[thread].insert(storage_state, i.cfg_reg);
            self.streaming |= 1 << thread;
            return Ok(());
        }
        if at.unit == Unit::Config && self.streaming >> thread & 1 != 0 {
            return Err(Fault::hazard(format!(
                "{} after a STREAMWRCFG, which it may overtake; put a STALLWAIT for the \
                 configuration unit (C12) between them",
                at.instruction.row().mnemonic
            )));
        }
        match self
            .streamed
            .iter()
            .find_map(|words| words.first_common(config))
        {
            None => Ok(()),
            Some(word) => Err(Fault::hazard(format!(
                "uses configuration word {word}, which a STREAMWRCFG may not have written yet; put \
                 a STALLWAIT for the configuration unit (C12) between them"
            ))),
        }
    }
}
