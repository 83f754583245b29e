//! Runs of MVMULs: most of a matrix product's instructions, each of which differs from the one
//! before by its rows alone.
//!
//! What would hold the first one of a run at the gate, or make it a hazard, is looked at once. It
//! cannot change before the run ends: nobody else has a turn meanwhile, no MVMUL of a run hands a
//! bank back, and the unit always holds one of the thread's. Whatever needs a closer look is left
//! to [`Coprocessor::issue`]'s ordinary way, which then finds everything as if that had executed
//! the run, too.

use tessera_isa_tensix::{Instruction, Opcode};

use super::Coprocessor;
use crate::access::RowSet;
use crate::coprocessor::Advanced;
use crate::flight::{CAPACITY, MATRIX};
use crate::gate::Held;
use crate::matrix::Products;
use crate::tile::Care;
use crate::trap::Trap;

/// How many of the last ones others ask about: as many as the unit holds, and three behind a vector
/// instruction.
const LAST: usize = CAPACITY[MATRIX];

/// What has been issued of a run.
struct Issued {
    count: usize,
    /// The first row of Dst of each of the last ones, each number's in its own place.
    rows: [usize; LAST],
}

impl Coprocessor {
    /// Whether the instruction at a thread's gate can be the first one of a run.
    pub(super) fn starts_products(&self, thread: usize) -> bool {
        let Some(at) = self.frontends[thread].gate() else {
            return false;
        };
        at.opcode == Opcode::Mvmul
            && self.timeline.is_none()
            && self.core.care == Care::All
            && !self.configuration_matters(thread, at.units)
            && !self.flights.dst_is_in_flight_beside(MATRIX)
            && matches!(self.held(thread, at), None | Some(Held::Unit))
    }

    /// Issues the MVMUL at a thread's gate and those that follow it, until so many steps are done;
    /// gives how many are, and whether words have moved towards the gate since the last one.
    pub(super) fn issue_products(
        &mut self,
        thread: usize,
        [mut done, steps]: [u32; 2],
        mut moved: Advanced,
    ) -> Result<(u32, Advanced), Trap> {
        let Some(mut products) = Products::of(&mut self.core, thread) else {
            return Ok((done, moved));
        };
        let mut issued = Issued {
            count: 0,
            rows: [0; LAST],
        };
        let result = loop {
            let at = self.frontends[thread].gate();
            let Some((Instruction::Mvmul(i), word)) = at.map(|at| (at.instruction, at.word)) else {
                break Ok((done, moved));
            };
            let Some(first) = products.follow(&i, thread, &mut self.core) else {
                break Ok((done, moved));
            };
            issued.rows[issued.count % LAST] = first;
            issued.count += 1;
            self.frontends[thread].passed();
            self.stats.note(thread, Opcode::Mvmul, word);
            done += 1;
            if done == steps {
                break Ok((done, false));
            }
            match self.fill_gate(thread) {
                Ok(moves) => moved = moves,
                Err(trap) => break Err(trap),
            }
        };
        if issued.count > 0 {
            self.note_products(thread, &products, &issued);
        }
        result
    }

    /// Notes what a run leaves behind that others ask about.
    fn note_products(&mut self, thread: usize, products: &Products, issued: &Issued) {
        let last = self.frontends[thread].issued;
        self.flights
            .leave(MATRIX, issued.count.saturating_sub(LAST));
        let mut rows = RowSet::default();
        for back in (0..issued.count.min(LAST)).rev() {
            rows.clear();
            products.note(issued.rows[(issued.count - 1 - back) % LAST], &mut rows);
            self.flights
                .follow(thread, Opcode::Mvmul, last - 1 - back as u64, &rows);
            self.previous[thread].note_matrix(&rows);
        }
        self.forget_satisfied_waits();
    }
}

#[cfg(test)]
mod tests;
