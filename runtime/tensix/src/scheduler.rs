//! The scheduler: who advances next, and how far.
//!
//! A turn is one party's: it goes on for so many steps, or until it cannot. A party that cannot go
//! on has no turn until another one has advanced. A [`Schedule`] says who is next of those that
//! can: one after the other, or at random ([`paces`]).

mod paces;
mod random;

use paces::Paces;
pub(crate) use random::{Chance, SplitMix64};

use crate::access::ones;
use crate::changes::Changes;

/// In which order the parties of a machine advance, and whatever else the hardware leaves open. A
/// correct program gives the same for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Schedule {
    /// One party after the other, each as far as it can: the one that takes the host least time.
    #[default]
    Greedy,
    /// At random, as this seed decides.
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
    /// That of one of several machines; none is that of another one if there is a seed.
    pub(crate) fn of_number(self, number: usize) -> Self {
        const APART: u64 = 0x2545_f491_4f6c_dd1d;
        match self {
            Schedule::Greedy => Schedule::Greedy,
            Schedule::Seed(seed) => {
                Schedule::Seed(seed.wrapping_add((number as u64).wrapping_mul(APART)))
            }
        }
    }

    /// What decides on something besides who is next; `seed` makes another seed of the schedule's.
    pub(crate) fn chance(self, seed: impl FnOnce(u64) -> u64) -> Chance {
        Chance(match self {
            Schedule::Greedy => None,
            Schedule::Seed(own) => Some(SplitMix64::new(seed(own))),
        })
    }
}

/// A party's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    pub(crate) party: usize,
    /// How many steps it has, at least one.
    pub(crate) steps: u32,
}

impl Turn {
    /// The turn, with at most so many steps.
    pub(crate) fn of_at_most(self, steps: u64) -> Self {
        let steps = u64::from(self.steps).min(steps) as u32;
        Turn { steps, ..self }
    }
}

/// Chooses among `N` parties, of which no machine has more than 32.
#[derive(Clone, Debug)]
pub(crate) struct Scheduler<const N: usize> {
    order: Order<N>,
    /// Parties that cannot advance before something changes, one bit each.
    blocked: u32,
    /// Which parties wait, or last waited, for each kind of change, and for which kinds each party
    /// does.
    waiting: [u32; Changes::KINDS],
    waits_for: [Changes; N],
}

/// Who is next of those that can advance.
#[derive(Clone, Debug)]
enum Order<const N: usize> {
    /// The first from this one on.
    From(usize),
    Random(Paces<N>),
}

/// Steps after which somebody else has a turn even if the one that has it can go on: a core may
/// wait for others in a way that does not show, and then they are in vain.
const GREEDY_STEPS: u32 = 512;

impl<const N: usize> Scheduler<N> {
    const ALL: u32 = u32::MAX >> (32 - N);

    /// A scheduler of parties that all may be able to advance.
    pub(crate) fn new(schedule: Schedule) -> Self {
        Scheduler {
            order: match schedule {
                Schedule::Greedy => Order::From(0),
                Schedule::Seed(seed) => Order::Random(Paces::new(seed)),
            },
            blocked: 0,
            waiting: [0; Changes::KINDS],
            waits_for: [Changes::NOTHING; N],
        }
    }

    /// Who has the next turn, or `None` if all are blocked.
    pub(crate) fn choose(&mut self) -> Option<Turn> {
        let free = !self.blocked & Self::ALL;
        if free == 0 {
            return None;
        }
        Some(match &mut self.order {
            Order::From(first) => {
                let behind = free & Self::ALL << *first;
                let among = if behind == 0 { free } else { behind };
                let party = among.trailing_zeros() as usize;
                *first = (party + 1) % N;
                Turn {
                    party,
                    steps: GREEDY_STEPS,
                }
            }
            Order::Random(paces) => paces.choose(free),
        })
    }

    /// Notes that a party cannot go on before something has changed of what it waits for.
    pub(crate) fn block(&mut self, party: usize, waits_for: Changes) {
        self.blocked |= 1 << party;
        // Mostly it is what the party has waited for before.
        let before = std::mem::replace(&mut self.waits_for[party], waits_for);
        for kind in ones((before.0 ^ waits_for.0).into()) {
            self.waiting[kind] ^= 1 << party;
        }
    }

    /// Lets all go on that wait for what has changed.
    pub(crate) fn wake(&mut self, changed: Changes) {
        for kind in ones(changed.0.into()) {
            self.blocked &= !self.waiting[kind];
        }
    }

    /// Notes who of the parties of a mask can go on, whatever was said of them before.
    pub(crate) fn set_free(&mut self, mask: u32, free: u32) {
        self.blocked = self.blocked & !mask | mask & !free;
    }
}

#[cfg(test)]
mod tests;
