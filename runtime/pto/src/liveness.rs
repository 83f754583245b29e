//! Whether a group comes to its end, before it runs with numbers: one launch on tokens, and if
//! nobody can go on, how many slots would do.
//!
//! Agents are a bounded Kahn network, so one schedule tells what all of them come to, and a ring
//! with more slots never makes it worse. So each number of slots can be looked for by halving. A
//! group whose pushes and pops do not match is not helped by any.

use thiserror::Error;

use crate::kernel::Group;
use crate::machine::{Machine, Outcome};
use crate::ring::Protocol;
use crate::schedule::Schedule;
use crate::semantics::Tokens;
use crate::trap::Trap;
use crate::validate::Invalid;

/// What keeps a group from its end.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Problem {
    /// It is not well formed.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// Something is done that must not be.
    #[error(transparent)]
    Trap(Trap),
    /// Nobody can go on.
    #[error("{trap}\n{}", advice(.sufficient_slots))]
    Deadlock {
        /// Who waits for what.
        trap: Trap,
        /// Slots of each pipe, by name, with which it comes to its end; none if no number does.
        sufficient_slots: Option<Vec<(String, u32)>>,
    },
}

/// What would help against a deadlock: enough slots, if there is such a number.
pub fn advice(sufficient_slots: &Option<Vec<(String, u32)>>) -> String {
    let Some(pipes) = sufficient_slots else {
        return "no number of slots helps: pushes, pops and frees of the two sides do not match"
            .to_owned();
    };
    let each = pipes
        .iter()
        .map(|(name, slots)| format!("{slots} slots in pipe {name}"));
    format!("{} would do", each.collect::<Vec<_>>().join(" and "))
}

/// Launches a group on tokens; what its rings need at the most, or what is wrong.
pub fn check(group: &Group, limit: u64) -> Result<Outcome, Problem> {
    match launch(group, limit)? {
        Ok(outcome) => Ok(outcome),
        Err(trap @ Trap::Deadlock(_)) => Err(Problem::Deadlock {
            sufficient_slots: sufficient_slots(group, limit)?,
            trap,
        }),
        Err(trap) => Err(Problem::Trap(trap)),
    }
}

fn launch(group: &Group, limit: u64) -> Result<Result<Outcome, Trap>, Invalid> {
    let mut machine = Machine::<Tokens>::new(group, Protocol::default())?;
    Ok(machine.launch(Schedule::Greedy, limit))
}

/// The most slots that are tried: more tiles than this at once are no ring any more.
pub const MAX_SLOTS: u32 = 1 << 16;

/// Returns the slots of all pipes that change, so that each has as few as it can if those after it
/// have as many as they want.
fn sufficient_slots(group: &Group, limit: u64) -> Result<Option<Vec<(String, u32)>>, Invalid> {
    let mut large = group.clone();
    large
        .pipes
        .iter_mut()
        .for_each(|pipe| pipe.slots = MAX_SLOTS);
    if launch(&large, limit)?.is_err() {
        return Ok(None);
    }
    let mut changed = Vec::new();
    for number in 0..large.pipes.len() {
        // It comes to its end with `high` slots, and not with one less than `low`.
        let (mut low, mut high) = (group.pipes[number].slots, MAX_SLOTS);
        while low < high {
            let middle = low + (high - low) / 2;
            large.pipes[number].slots = middle;
            if launch(&large, limit)?.is_ok() {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        large.pipes[number].slots = high;
        if high != group.pipes[number].slots {
            changed.push((large.pipes[number].name.clone(), high));
        }
    }
    Ok(Some(changed))
}
