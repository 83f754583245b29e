//! What the batches of [`super::vector_batch`] and [`super::incrwc_batch`] share: when one may
//! start, and the issue of one instruction after the other.

use super::{Advanced, Coprocessor};
use crate::trap::Trap;

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
    /// one, until `steps` steps are done. Returns the number of steps done, and whether words have
    /// moved towards the gate since the last one.
    #[inline]
    pub(super) fn issue_in_batch(
        &mut self,
        thread: usize,
        [mut done, steps]: [u32; 2],
        mut issue: impl FnMut(&mut Self) -> Result<bool, Trap>,
    ) -> Result<(u32, Advanced), Trap> {
        let mut moved = false;
        while issue(self)? {
            done += 1;
            moved = false;
            if done == steps {
                break;
            }
            moved = self.advance_to_gate(thread, steps - done)?;
        }
        self.forget_satisfied_waits();
        Ok((done, moved))
    }
}

#[cfg(test)]
mod tests;
