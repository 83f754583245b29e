//! Batched issue of consecutive INCRWCs, with which kernels move the row counters between blocks.
//!
//! An INCRWC changes a row counter of its thread and takes its place in the matrix unit. It
//! accesses neither Dst nor L1 nor the configuration, so it meets no hazard. What the wait gate
//! needs is evaluated once: no other agent advances during the batch, and instructions of the
//! matrix unit, which the new ones displace, never have a request to the tile. Anything else is
//! left to the regular path of [`Coprocessor::issue`], which finds the same state as if it had
//! executed the batch itself.

use tessera_isa_tensix::{Instruction, Opcode};

use super::batch::Unrecorded;
use super::Coprocessor;
use crate::issue::coprocessor::Advanced;
use crate::state::core_state::Slot;
use crate::state::units::MATRIX;
use crate::trap::Trap;

impl Coprocessor {
    /// Returns whether the instruction at a thread's gate can start a batch.
    #[inline]
    pub(super) fn can_start_incrwc_batch(&self, thread: usize) -> bool {
        let at = self.frontends[thread].gate();
        at.is_some_and(|at| at.opcode == Opcode::Incrwc) && self.allows_batch(thread, MATRIX)
    }

    /// Issues the INCRWC at a thread's gate and its successors, until `steps` steps are done.
    /// Returns the number of steps done, and whether words have moved towards the gate since the
    /// last one.
    pub(super) fn issue_incrwc_batch(
        &mut self,
        thread: usize,
        steps: [u32; 2],
    ) -> Result<(u32, Advanced), Trap> {
        self.core.access.clear();
        self.issue_in_batch(thread, steps, Some(MATRIX), |core, unrecorded| {
            Ok(core.issue_incrwc(thread, unrecorded))
        })
    }

    /// Issues the instruction at the gate, if it is an INCRWC; returns whether it is.
    #[inline]
    fn issue_incrwc(&mut self, thread: usize, unrecorded: &mut Unrecorded) -> bool {
        let frontend = &mut self.frontends[thread];
        let Some((at, entry)) = frontend.gate_with_entry() else {
            return false;
        };
        let Instruction::Incrwc(i) = &at.instruction else {
            return false;
        };
        let (word, issued) = (at.word, frontend.issued);
        self.core.slot = Slot { issued, entry };
        self.core.regs.rwcs[thread].increment(i);
        unrecorded.note(Opcode::Incrwc);
        frontend.pop_gate();
        self.stats.note(thread, Opcode::Incrwc, word);
        true
    }
}

#[cfg(test)]
mod tests;
