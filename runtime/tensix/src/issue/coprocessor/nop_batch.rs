//! Batched issue of consecutive NOPs, which wait for nothing but a STALLWAIT of all instructions,
//! and change nothing but what the hazard checks know about the instructions before.
//!
//! If nothing but the same NOP or SFPNOP is in a front end, its words need not be moved one by one:
//! all but the last one are removed at once ([`Coprocessor::skip_repeated`]).

use tessera_isa_tensix::{Opcode, Unit};

use super::batch::Unrecorded;
use super::Coprocessor;
use crate::issue::coprocessor::Advanced;
use crate::issue::decoded_words::Decoded;
use crate::state::core_state::Slot;
use crate::state::units::VECTOR;
use crate::trap::Trap;

impl Coprocessor {
    /// Returns whether the instruction at a thread's gate can start a batch.
    #[inline]
    pub(super) fn can_start_nop_batch(&self, thread: usize) -> bool {
        let frontend = &self.frontends[thread];
        frontend.gate().is_some_and(|at| {
            at.unit == Unit::Nop
                && self.timeline.is_none()
                && !frontend.latch.is_some_and(|latch| latch.blocks(at.traits))
        })
    }

    /// Issues the NOP at a thread's gate and its successors, until `steps` steps are done. Returns
    /// the number of steps done, and whether words have moved towards the gate since the last one.
    pub(super) fn issue_nop_batch(
        &mut self,
        thread: usize,
        [mut done, steps]: [u32; 2],
    ) -> Result<(u32, Advanced), Trap> {
        done += self.skip_repeated(thread, steps - done);
        self.core.access.clear();
        self.issue_in_batch(thread, [done, steps], None, |core, unrecorded| {
            Ok(core.issue_nop(thread, unrecorded))
        })
    }

    /// Issues the instruction at the gate, if it is a NOP; returns whether it is.
    #[inline]
    fn issue_nop(&mut self, thread: usize, unrecorded: &mut Unrecorded) -> bool {
        let frontend = &mut self.frontends[thread];
        let at = frontend.gate_with_entry();
        let Some((&Decoded { opcode, word, .. }, entry)) =
            at.filter(|(at, _)| at.unit == Unit::Nop)
        else {
            return false;
        };
        let issued = frontend.issued;
        self.core.slot = Slot { issued, entry };
        unrecorded.note(opcode);
        frontend.pop_gate();
        self.stats.note(thread, opcode, word);
        true
    }

    /// Issues all words of a thread but the last one, if they all are the NOP at the gate, or the
    /// SFPNOP there that only takes its place in the vector unit, and at most `most` are left.
    /// Returns their number.
    pub(super) fn skip_repeated(&mut self, thread: usize, most: u32) -> u32 {
        let frontend = &mut self.frontends[thread];
        let Some(count) = frontend.repeated_words() else {
            return 0;
        };
        let at = frontend.gate().map(|at| (at.opcode, at.word));
        let (Some((opcode, word)), 2.., true) = (at, count, count <= most as usize) else {
            return 0;
        };
        frontend.pass_all_but_last(count);
        let skipped = count as u32 - 1;
        self.stats.note_repeated(thread, opcode, word, skipped);
        let unit = (opcode == Opcode::Sfpnop).then_some(VECTOR);
        self.record(thread, &mut Unrecorded::repeated(unit, opcode, skipped));
        skipped
    }
}
