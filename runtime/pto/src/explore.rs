//! Exhaustive exploration of the schedules of a small group: an oracle for the claim that one
//! schedule tells the outcome of all.

use std::collections::HashSet;

use crate::agent::Step;
use crate::kernel::Group;
use crate::machine::Machine;
use crate::ring::Protocol;
use crate::semantics::Tokens;
use crate::trap::Trap;
use crate::validate::Invalid;

/// The outcomes of all schedules of a launch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Whether a schedule terminates with empty pipes.
    pub completes: bool,
    /// Whether a schedule terminates with tiles left in a pipe.
    pub leaves: bool,
    /// Whether a schedule deadlocks.
    pub deadlocks: bool,
    /// Whether an operation fails in a schedule.
    pub traps: bool,
    /// Number of distinct states.
    pub states: usize,
}

/// Explores all schedules of a launch. Returns `None` if there are more than `most` states.
pub fn explore(group: &Group, protocol: Protocol, most: usize) -> Result<Option<Verdict>, Invalid> {
    let mut verdict = Verdict::default();
    let mut machine = Machine::<Tokens>::new(group, protocol)?;
    if machine.begin().is_err() {
        verdict.traps = true;
        return Ok(Some(verdict));
    }
    let mut seen = HashSet::from([machine.key()]);
    let mut open = vec![machine];
    while let Some(machine) = open.pop() {
        if seen.len() > most {
            return Ok(None);
        }
        let (mut ended, mut moved) = (0, false);
        for number in 0..group.kernels.len() {
            let mut next = machine.clone();
            match next.step(number) {
                Ok(Step::Ran) => {
                    moved = true;
                    if seen.insert(next.key()) {
                        open.push(next);
                    }
                }
                Ok(Step::Ended) => ended += 1,
                Ok(Step::Waits(..)) => {}
                Err(_) => (verdict.traps, moved) = (true, true),
            }
        }
        if ended == group.kernels.len() {
            match machine.end() {
                Ok(()) => verdict.completes = true,
                Err(Trap::Leftover { .. }) => verdict.leaves = true,
                Err(_) => verdict.traps = true,
            }
        } else if !moved {
            verdict.deadlocks = true;
        }
    }
    verdict.states = seen.len();
    Ok(Some(verdict))
}
