//! The random scheduling policy: a seed decides which agent advances next, and for how long.
//!
//! Each agent has a pace: how often it may be chosen, and the maximum length of its quanta. Both
//! are drawn at random, on a logarithmic scale. Half of the agents get the maximum length, because
//! fewer long quanta are needed. From time to time one agent is suspended for a while, and another
//! one gets a new pace. Over many quanta and seeds, every agent thus runs ahead of and falls behind
//! every other one, by short and by long distances. A suspension does not count while all other
//! agents are blocked.

use super::random::SplitMix64;
use super::Quantum;

/// Chooses among `N` agents at random.
#[derive(Clone, Debug)]
pub(super) struct RandomPolicy<const N: usize> {
    random: SplitMix64,
    /// The maximum quantum of each agent in steps, less one. All its set bits are contiguous from
    /// bit 0.
    max_steps_less_one: [u32; N],
    /// Entry k: the agents that may be chosen in a draw of rarity k or above, one bit each. A draw
    /// has rarity k or above with probability 2^-k.
    candidates: [u32; RARITIES],
    /// The suspended agent as a bit mask, and the steps of other agents that its suspension still
    /// lasts.
    suspended: u32,
    suspension: u32,
}

/// The probability that a draw suspends an agent is 2 to the power of minus this.
const SUSPENSION_RARITY_LOG2: u32 = 6;
/// The maximum length of a suspension, as a power of two in steps. It bounds the work of a core
/// that never waits.
const MAX_SUSPENSION_LOG2: u64 = 12;
/// The maximum quantum, as a power of two in steps.
const MAX_QUANTUM_LOG2: u64 = 7;
/// The number of rarities; the rarest agents are candidates in one of 2^(RARITIES - 1) draws.
const RARITIES: usize = 8;

impl<const N: usize> RandomPolicy<N> {
    /// Creates the policy determined by a seed.
    pub(super) fn new(seed: u64) -> Self {
        let mut policy = RandomPolicy {
            random: SplitMix64::new(seed),
            max_steps_less_one: [0; N],
            candidates: [0; RARITIES],
            suspended: 0,
            suspension: 0,
        };
        (0..N).for_each(|agent| policy.draw_pace(agent));
        policy
    }

    /// Draws a new pace for an agent.
    fn draw_pace(&mut self, agent: usize) {
        let random = self.random.next();
        let some = random % (MAX_QUANTUM_LOG2 + 1);
        let log2 = if random >> 63 == 0 {
            some
        } else {
            MAX_QUANTUM_LOG2
        };
        self.max_steps_less_one[agent] = (1 << log2) - 1;
        let rarity = (random >> 32) as usize % RARITIES;
        for (place, candidates) in self.candidates.iter_mut().enumerate() {
            *candidates = *candidates & !(1 << agent) | u32::from(place >= rarity) << agent;
        }
    }

    /// Chooses one of the agents in `free`, which is not zero, and the length of its quantum.
    pub(super) fn next_quantum(&mut self, free: u32) -> Quantum {
        let random = self.random.next();
        if self.suspension == 0 && random >> (64 - SUSPENSION_RARITY_LOG2) == 0 {
            self.suspend_one();
        }
        let awake = match self.suspension {
            0 => free,
            _ => free & !self.suspended,
        };
        let awake = if awake == 0 { free } else { awake };
        let drawn_rarity = (random >> 40).trailing_zeros() as usize;
        let mut eligible = self
            .candidates
            .iter()
            .skip(drawn_rarity)
            .map(|candidates| awake & candidates);
        let eligible = eligible.find(|&eligible| eligible != 0).unwrap_or(awake);
        // Maps the lower 32 bits to an index below the number of candidates.
        let place = ((random & 0xffff_ffff) * u64::from(eligible.count_ones())) >> 32;
        let agent = (0..place)
            .fold(eligible, |left, _| left & (left - 1))
            .trailing_zeros() as usize;
        let steps = 1 + ((random >> 32) as u32 & self.max_steps_less_one[agent]);
        self.suspension = self.suspension.saturating_sub(steps);
        Quantum { agent, steps }
    }

    #[cold]
    fn suspend_one(&mut self) {
        let mut agent = || (self.random.next() % N as u64) as usize;
        self.suspended = 1 << agent();
        let other = agent();
        self.suspension = 1 << (self.random.next() % (MAX_SUSPENSION_LOG2 + 1));
        self.draw_pace(other);
    }
}

#[cfg(test)]
mod tests;
