//! Every schedule of a group, for groups so small that there are few: an oracle for what one
//! schedule tells.

use std::collections::HashSet;

use crate::agent::Step;
use crate::kernel::Group;
use crate::machine::Machine;
use crate::ring::Protocol;
use crate::semantics::Tokens;
use crate::trap::Trap;
use crate::validate::Invalid;

/// What all schedules of a launch come to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Whether there is one that comes to its end, with nothing left in a pipe.
    pub completes: bool,
    /// Whether there is one after which something is left in a pipe.
    pub leaves: bool,
    /// Whether there is one in which nobody can go on.
    pub deadlocks: bool,
    /// Whether there is one in which something is done that must not be.
    pub traps: bool,
    /// States that were seen.
    pub states: usize,
}

/// Goes through all schedules of a launch; `None` if there are more states than `most`.
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
