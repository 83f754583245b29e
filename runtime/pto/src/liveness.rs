//! Checks before execution whether a group terminates, by one launch without numbers. If it
//! deadlocks, finds ring sizes with which it terminates.
//!
//! Agents form a bounded Kahn process network, so one schedule tells the outcome of all, and more
//! slots never cause a deadlock (Parks, "Bounded scheduling of process networks", 1995). The least
//! number of slots can therefore be found by binary search. No number helps a group whose pushes
//! and pops do not match.

use thiserror::Error;

use crate::kernel::Group;
use crate::machine::{Machine, Outcome};
use crate::ring::Protocol;
use crate::schedule::Schedule;
use crate::semantics::Tokens;
use crate::trap::Trap;
use crate::validate::Invalid;

/// Why a group does not terminate.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Problem {
    /// The group is not well formed.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// An operation cannot be executed.
    #[error(transparent)]
    Trap(Trap),
    /// All agents are blocked.
    #[error("{trap}\n{}", advice(.sufficient_slots))]
    Deadlock {
        /// Who waits for what.
        trap: Trap,
        /// Slots of each pipe, by name, with which the group terminates; `None` if no number
        /// suffices.
        sufficient_slots: Option<Vec<(String, u32)>>,
    },
}

/// Returns a note on how to resolve a deadlock.
pub fn advice(sufficient_slots: &Option<Vec<(String, u32)>>) -> String {
    let Some(pipes) = sufficient_slots else {
        return "no number of slots helps: pushes, pops and frees of the two sides do not match"
            .to_owned();
    };
    let each = pipes
        .iter()
        .map(|(name, slots)| format!("{slots} slots in pipe {name}"));
    format!("{} would suffice", each.collect::<Vec<_>>().join(" and "))
}

/// Launches a group without numbers. Returns the statistics of the launch, or the problem.
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

/// The greatest number of slots that is tried.
pub const MAX_SLOTS: u32 = 1 << 16;

/// Slots of each pipe, by name, with which the group terminates; `None` if no number of slots
/// helps.
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
        // Invariant: the group terminates with `high` slots, and deadlocks with `low - 1`.
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
