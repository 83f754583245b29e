//! Batched issue of consecutive MVMULs, which are most of the instructions of a matrix product.
//!
//! Within a batch, instructions differ only in the rows that they address. The wait gate and the
//! hazard checks are evaluated once, for the first instruction. Their outcome cannot change before
//! the batch ends: no other agent advances meanwhile, no MVMUL of a batch releases a bank, and the
//! matrix unit always holds an instruction of this thread. Anything else is left to the regular
//! path of [`Coprocessor::issue`], which finds the same state as if it had executed the batch
//! itself.

use tessera_isa_tensix::{Instruction, Opcode};

use super::Coprocessor;
use crate::insn::matrix::{MatrixUnit, MvmulBatch};
use crate::issue::coprocessor::Advanced;
use crate::issue::flight::CAPACITY;
use crate::issue::gate::HoldReason;
use crate::state::access::RowSet;
use crate::state::units::MATRIX;
use crate::trap::Trap;

/// The number of most recent instructions whose effects later checks need: the capacity of the
/// unit, which exceeds the three that vector instructions look back to.
const TRACKED: usize = CAPACITY[MATRIX];

/// The instructions of a batch that have been issued.
struct Issued {
    count: usize,
    /// The first Dst row of the last `TRACKED` instructions, as a ring buffer indexed by their
    /// number.
    rows: [usize; TRACKED],
}

impl Coprocessor {
    /// Returns whether the instruction at a thread's gate can start a batch.
    pub(super) fn can_start_mvmul_batch(&self, thread: usize) -> bool {
        let Some(at) = self.frontends[thread].gate() else {
            return false;
        };
        at.opcode == Opcode::Mvmul
            && self.timeline.is_none()
            && !self.configuration_matters(thread, at.units)
            && !self.flights.dst_is_in_flight_beside(MATRIX)
            && matches!(self.held(thread, at), None | Some(HoldReason::Unit))
    }

    /// Issues the MVMUL at a thread's gate and its successors, until `steps` steps are done.
    /// Returns the number of steps done, and whether words have moved towards the gate since the
    /// last one.
    pub(super) fn issue_mvmul_batch(
        &mut self,
        thread: usize,
        [mut done, steps]: [u32; 2],
        mut moved: Advanced,
    ) -> Result<(u32, Advanced), Trap> {
        let Some(mut batch) = MvmulBatch::new(&mut MatrixUnit::of(&mut self.core), thread) else {
            return Ok((done, moved));
        };
        let mut issued = Issued {
            count: 0,
            rows: [0; TRACKED],
        };
        let result = loop {
            let at = self.frontends[thread].gate();
            let Some((Instruction::Mvmul(i), word)) = at.map(|at| (at.instruction, at.word)) else {
                break Ok((done, moved));
            };
            let unit = &mut MatrixUnit::of(&mut self.core);
            let Some(first) = batch.execute_next(&i, thread, unit) else {
                break Ok((done, moved));
            };
            issued.rows[issued.count % TRACKED] = first;
            issued.count += 1;
            self.frontends[thread].pop_gate();
            self.stats.note(thread, Opcode::Mvmul, word);
            done += 1;
            if done == steps {
                break Ok((done, false));
            }
            match self.advance_to_gate(thread, steps - done) {
                Ok(moves) => moved = moves,
                Err(trap) => break Err(trap),
            }
        };
        if issued.count > 0 {
            self.note_mvmul_batch(thread, &batch, &issued);
        }
        result
    }

    /// Records what later checks need to know about the instructions of a batch.
    fn note_mvmul_batch(&mut self, thread: usize, batch: &MvmulBatch, issued: &Issued) {
        let last = self.frontends[thread].issued;
        self.flights
            .retire_overflow(MATRIX, issued.count.saturating_sub(TRACKED));
        let mut rows = RowSet::default();
        for back in (0..issued.count.min(TRACKED)).rev() {
            rows.clear();
            batch.note_rows(issued.rows[(issued.count - 1 - back) % TRACKED], &mut rows);
            self.flights
                .add_mvmul(thread, Opcode::Mvmul, last - 1 - back as u64, &rows);
            self.previous[thread].note_matrix(&rows);
        }
        self.forget_satisfied_waits();
    }
}

#[cfg(test)]
mod tests;
