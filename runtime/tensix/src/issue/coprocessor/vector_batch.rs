//! Batched issue of consecutive instructions of the vector unit, which are most of the instructions
//! of element-wise kernels.
//!
//! They access registers and Dst only: neither L1 nor the configuration of other units. What the
//! wait gate and the hazard checks need besides these is evaluated once, for the first instruction.
//! It cannot change before the batch ends: no other agent advances meanwhile, and the vector unit
//! always holds an instruction of this thread. Anything else is left to the regular path of
//! [`Coprocessor::issue`], which finds the same state as if it had executed the batch itself.

use tessera_isa_tensix::{Opcode, Unit};

use super::batch::Unrecorded;
use super::Coprocessor;
use crate::insn::vector::{self, VectorUnit};
use crate::issue::coprocessor::Advanced;
use crate::issue::flight::accesses_dst;
use crate::state::core_state::Slot;
use crate::state::units::VECTOR;
use crate::trap::Trap;

impl Coprocessor {
    /// Returns whether the instruction at a thread's gate can start a batch.
    #[inline]
    pub(super) fn can_start_vector_batch(&self, thread: usize) -> bool {
        let at = self.frontends[thread].gate();
        at.is_some_and(|at| at.unit == Unit::Vector) && self.allows_batch(thread, VECTOR)
    }

    /// Issues the vector instruction at a thread's gate and its successors, until `steps` steps are
    /// done. Returns the number of steps done, and whether words have moved towards the gate since
    /// the last one.
    pub(super) fn issue_vector_batch(
        &mut self,
        thread: usize,
        [mut done, steps]: [u32; 2],
    ) -> Result<(u32, Advanced), Trap> {
        if self.is_settled_sfpnop(thread) {
            done += self.skip_repeated(thread, steps - done);
        }
        self.issue_in_batch(thread, [done, steps], Some(VECTOR), |core, unrecorded| {
            core.issue_vector(thread, unrecorded)
        })
    }

    /// Returns whether the instruction at the gate is an SFPNOP that only takes its place among the
    /// others: nothing is scheduled, and the previous instruction has no pending effects.
    #[inline]
    fn is_settled_sfpnop(&self, thread: usize) -> bool {
        let at = self.frontends[thread].gate();
        at.is_some_and(|at| at.opcode == Opcode::Sfpnop)
            && self.previous[thread].vector_is_done()
            && vector::is_idle(&self.core.regs.vector)
    }

    /// Issues the instruction at the gate, if it is one of the vector unit; returns whether it is.
    #[inline]
    fn issue_vector(&mut self, thread: usize, unrecorded: &mut Unrecorded) -> Result<bool, Trap> {
        let frontend = &self.frontends[thread];
        let at = frontend.gate_with_entry();
        let Some((at, entry)) = at.filter(|(at, _)| at.unit == Unit::Vector) else {
            return Ok(false);
        };
        let (opcode, word, issued) = (at.opcode, at.word, frontend.issued);
        self.core.access.clear();
        self.core.slot = Slot { issued, entry };
        let executed = match opcode == Opcode::Sfpnop && vector::is_idle(&self.core.regs.vector) {
            true => {
                vector::execute_nop(&mut self.core.regs.vector);
                Ok(())
            }
            false => {
                let unit = VectorUnit::of(&mut self.core);
                vector::execute_decoded(&at.instruction, at.vector, thread, unit)
            }
        };
        let is_alone = at.vector.is_done_at_once && self.previous[thread].vector_is_done();
        match executed {
            Ok(()) if is_alone && !accesses_dst(&self.core.access) => unrecorded.note(opcode),
            Ok(()) => self.record_vector(thread, unrecorded)?,
            Err(fault) => return Err(self.trap_at(thread, fault)),
        }
        self.frontends[thread].pop_gate();
        self.stats.note(thread, opcode, word);
        Ok(true)
    }

    /// Checks the vector instruction at the gate, which has been executed, for hazards, and records
    /// it after those that are unrecorded.
    #[inline(never)]
    fn record_vector(&mut self, thread: usize, unrecorded: &mut Unrecorded) -> Result<(), Trap> {
        self.record(thread, unrecorded);
        let frontend = &self.frontends[thread];
        let Some(at) = frontend.gate() else {
            return Ok(());
        };
        let (previous, flights) = (&mut self.previous[thread], &mut self.flights);
        let checked = previous.check_vector_instruction(&self.core, at);
        let access = &self.core.access;
        checked
            .and_then(|()| flights.add_vector(thread, at.opcode, frontend.issued, access))
            .map_err(|fault| self.trap_at(thread, fault))
    }
}

#[cfg(test)]
pub(super) mod tests;
