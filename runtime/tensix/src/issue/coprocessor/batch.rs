//! What the batches of [`super::vector_batch`], [`super::incrwc_batch`] and [`super::nop_batch`]
//! share: when one may start, and the issue of one instruction after the other.
//!
//! What an instruction without pending effects leaves in its unit and in the history matters only
//! to instructions that look there, and only if it is one of the last. So it is recorded late
//! ([`Unrecorded`]).

use tessera_isa_tensix::Opcode;

use super::{Advanced, Coprocessor};
use crate::issue::flight::CAPACITY;
use crate::state::units::{MATRIX, VECTOR};
use crate::trap::Trap;

/// The number of opcodes that are kept: the capacity of the vector unit. Other units get the same
/// instruction again and again.
const OPCODES: usize = CAPACITY[VECTOR];

/// The last instructions of a batch that have been issued, but are neither in their unit nor in the
/// history. They access no Dst and have no pending effects.
pub(super) struct Unrecorded {
    /// The unit that they occupy, if any.
    unit: Option<usize>,
    count: u32,
    /// The opcode of the instruction with number `k` is at `k % OPCODES`.
    opcodes: [Opcode; OPCODES],
}

impl Unrecorded {
    /// Creates a batch of `count` instructions with the same opcode.
    pub(super) fn repeated(unit: Option<usize>, opcode: Opcode, count: u32) -> Self {
        Unrecorded {
            unit,
            count,
            opcodes: [opcode; OPCODES],
        }
    }

    /// Adds an instruction, which has been issued.
    #[inline]
    pub(super) fn note(&mut self, opcode: Opcode) {
        self.opcodes[self.count as usize % OPCODES] = opcode;
        self.count += 1;
    }
}

impl Coprocessor {
    /// Returns whether a thread may issue instructions of a unit in a batch: nothing is latched or
    /// recorded, and the configuration that an instruction in flight may change is not that of the
    /// unit.
    #[inline]
    pub(super) fn allows_batch(&self, thread: usize, unit: usize) -> bool {
        self.frontends[thread].latch.is_none()
            && self.timeline.is_none()
            && !self.configuration_matters(thread, 1 << unit)
    }

    /// Issues the instructions at a thread's gate by `issue`, which returns whether it has issued
    /// one, until `steps` steps are done. `unit` is what those that `issue` does not record
    /// occupy. Returns the number of steps done, and whether words have moved towards the gate
    /// since the last one.
    #[inline]
    pub(super) fn issue_in_batch(
        &mut self,
        thread: usize,
        [mut done, steps]: [u32; 2],
        unit: Option<usize>,
        mut issue: impl FnMut(&mut Self, &mut Unrecorded) -> Result<bool, Trap>,
    ) -> Result<(u32, Advanced), Trap> {
        let mut unrecorded = Unrecorded::repeated(unit, Opcode::Nop, 0);
        let mut moved = false;
        let result = loop {
            match issue(self, &mut unrecorded) {
                Ok(true) => (done, moved) = (done + 1, false),
                Ok(false) => break Ok(()),
                Err(trap) => break Err(trap),
            }
            if done == steps {
                break Ok(());
            }
            match self.advance_to_gate(thread, steps - done) {
                Ok(advanced) => moved = advanced,
                Err(trap) => break Err(trap),
            }
        };
        self.record(thread, &mut unrecorded);
        result?;
        self.forget_satisfied_waits();
        Ok((done, moved))
    }

    /// Records instructions of a thread that are the last ones issued.
    pub(super) fn record(&mut self, thread: usize, unrecorded: &mut Unrecorded) {
        let count = std::mem::take(&mut unrecorded.count);
        self.previous[thread].note_others(count);
        let Some(unit) = unrecorded.unit else {
            return;
        };
        let next = self.frontends[thread].issued;
        for back in (1..=count.min(CAPACITY[unit] as u32)).rev() {
            let issued = next - u64::from(back);
            let opcode = unrecorded.opcodes[(count - back) as usize % OPCODES];
            match unit {
                MATRIX => self.flights.add_matrix_nop(thread, opcode, issued),
                _ => self.flights.add_vector_nop(thread, opcode, issued),
            }
        }
    }
}

#[cfg(test)]
mod tests;
