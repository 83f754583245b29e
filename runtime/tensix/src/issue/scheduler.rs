//! The scheduler: chooses which agent advances next, and for how many steps.
//!
//! An *agent* is a part of a machine that advances by itself: a RISC-V core or list, a front end,
//! an execution unit, a NoC interface. A *step* is its smallest observable progress, such as one
//! instruction through the wait gate. A *quantum* is a bounded number of consecutive steps of one
//! agent. It ends early if the agent blocks. A blocked agent gets no quantum until something that
//! it waits for has changed ([`crate::state::changes`]).
//!
//! A [`Schedule`] selects the policy: round robin, or random ([`random_policy`]).

mod random;
mod random_policy;

pub(crate) use random::{ChoiceSource, SplitMix64};
use random_policy::RandomPolicy;

use crate::state::access::set_bits;
use crate::state::changes::Changes;

/// The order in which agents advance. A seed also decides whatever else the hardware leaves open. A
/// correct program gives the same results under every schedule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Schedule {
    /// Round robin with long quanta; the fastest on the host.
    #[default]
    Greedy,
    /// Pseudo-random, determined by this seed.
    Seed(u64),
}

impl From<u64> for Schedule {
    fn from(seed: u64) -> Self {
        Schedule::Seed(seed)
    }
}

impl From<Option<u64>> for Schedule {
    fn from(seed: Option<u64>) -> Self {
        seed.map_or(Schedule::Greedy, Schedule::Seed)
    }
}

impl Schedule {
    /// Returns the schedule of machine `number` among several. Under a seed, each machine gets a
    /// seed of its own.
    pub(crate) fn for_machine(self, number: usize) -> Self {
        const STRIDE: u64 = 0x2545_f491_4f6c_dd1d;
        match self {
            Schedule::Greedy => Schedule::Greedy,
            Schedule::Seed(seed) => {
                Schedule::Seed(seed.wrapping_add((number as u64).wrapping_mul(STRIDE)))
            }
        }
    }

    /// Returns a source for choices other than scheduling. `seed` derives its seed from the
    /// schedule's.
    pub(crate) fn choice_source(self, seed: impl FnOnce(u64) -> u64) -> ChoiceSource {
        ChoiceSource(match self {
            Schedule::Greedy => None,
            Schedule::Seed(own) => Some(SplitMix64::new(seed(own))),
        })
    }
}

/// A bounded number of consecutive steps of one agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Quantum {
    pub(crate) agent: usize,
    /// The number of steps, at least one.
    pub(crate) steps: u32,
}

impl Quantum {
    /// Returns the quantum, shortened to at most `steps` steps.
    pub(crate) fn limited_to(self, steps: u64) -> Self {
        let steps = u64::from(self.steps).min(steps) as u32;
        Quantum { steps, ..self }
    }
}

/// Schedules `N` agents; no machine has more than 32.
#[derive(Clone, Debug)]
pub(crate) struct Scheduler<const N: usize> {
    policy: Policy<N>,
    /// Agents that cannot advance before something changes, one bit each.
    blocked: u32,
    /// For each kind of change, the agents that wait or last waited for it, one bit each; and for
    /// each agent, the kinds of change that it waits for.
    waiting: [u32; Changes::KINDS],
    waits_for: [Changes; N],
}

/// The policy that chooses among the agents that can advance.
#[derive(Clone, Debug)]
enum Policy<const N: usize> {
    /// Round robin; the field is the first candidate for the next quantum.
    RoundRobin(usize),
    Random(RandomPolicy<N>),
}

/// Steps of a round-robin quantum. A core may busy-wait in a way that the model does not recognise
/// as polling; its remaining steps are then wasted.
const GREEDY_STEPS: u32 = 512;

impl<const N: usize> Scheduler<N> {
    const ALL: u32 = u32::MAX >> (32 - N);

    /// Creates a scheduler in which no agent is blocked.
    pub(crate) fn new(schedule: Schedule) -> Self {
        Scheduler {
            policy: match schedule {
                Schedule::Greedy => Policy::RoundRobin(0),
                Schedule::Seed(seed) => Policy::Random(RandomPolicy::new(seed)),
            },
            blocked: 0,
            waiting: [0; Changes::KINDS],
            waits_for: [Changes::NOTHING; N],
        }
    }

    /// Returns the next quantum, or `None` if all agents are blocked.
    pub(crate) fn next_quantum(&mut self) -> Option<Quantum> {
        let free = !self.blocked & Self::ALL;
        if free == 0 {
            return None;
        }
        Some(match &mut self.policy {
            Policy::RoundRobin(first) => {
                let following = free & Self::ALL << *first;
                let among = if following == 0 { free } else { following };
                let agent = among.trailing_zeros() as usize;
                *first = (agent + 1) % N;
                Quantum {
                    agent,
                    steps: GREEDY_STEPS,
                }
            }
            Policy::Random(policy) => policy.next_quantum(free),
        })
    }

    /// Marks an agent as blocked until one of the changes in `waits_for` occurs.
    pub(crate) fn block(&mut self, agent: usize, waits_for: Changes) {
        self.blocked |= 1 << agent;
        // Most agents wait for the same changes as the last time.
        let before = std::mem::replace(&mut self.waits_for[agent], waits_for);
        for kind in set_bits((before.0 ^ waits_for.0).into()) {
            self.waiting[kind] ^= 1 << agent;
        }
    }

    /// Unblocks all agents that wait for any of these changes.
    pub(crate) fn wake(&mut self, changed: Changes) {
        for kind in set_bits(changed.0.into()) {
            self.blocked &= !self.waiting[kind];
        }
    }

    /// Sets which of the agents in `mask` are unblocked, whatever was noted before.
    pub(crate) fn set_unblocked(&mut self, mask: u32, free: u32) {
        self.blocked = self.blocked & !mask | mask & !free;
    }
}

#[cfg(test)]
mod tests;
