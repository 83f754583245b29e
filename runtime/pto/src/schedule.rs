//! The order in which agents run. A seed gives the same order on every machine.

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
/// Implemented here because results must not change with the version of a library.
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// Returns the next 64-bit number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// Returns a number below `end`, which must not be 0.
    pub fn below(&mut self, end: u64) -> u64 {
        self.number() % end
    }
}

/// A scheduling policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// Each agent in turn, until it blocks.
    Greedy,
    /// Pseudorandom: agents have different speeds, and sometimes one runs until it blocks.
    Seed(u64),
}

/// Selects the agent that runs next.
#[derive(Clone, Debug)]
pub struct Scheduler {
    random: Option<Random>,
    /// The relative speed of each agent.
    weights: Vec<u64>,
    current: usize,
    /// Number of operations that the current agent executes before the next selection.
    burst: u64,
}

impl Scheduler {
    /// Creates a scheduler of `agents` agents.
    pub fn new(schedule: Schedule, agents: usize) -> Self {
        let mut random = match schedule {
            Schedule::Greedy => None,
            Schedule::Seed(seed) => Some(Random(seed)),
        };
        let weights = match &mut random {
            None => vec![1; agents],
            Some(random) => (0..agents).map(|_| 1 << random.below(7)).collect(),
        };
        Scheduler {
            random,
            weights,
            current: 0,
            burst: 0,
        }
    }

    /// Selects one of the agents that can run; there must be one.
    pub fn choose(&mut self, can_run: &[bool]) -> usize {
        let Some(random) = &mut self.random else {
            let agents = can_run.len();
            let turns = (0..agents).map(|turn| (self.current + turn) % agents);
            self.current = turns.into_iter().find(|agent| can_run[*agent]).unwrap_or(0);
            return self.current;
        };
        if self.burst > 0 && can_run[self.current] {
            self.burst -= 1;
            return self.current;
        }
        let chances = |agent: usize| {
            if can_run[agent] {
                self.weights[agent]
            } else {
                0
            }
        };
        let all: u64 = (0..can_run.len()).map(chances).sum();
        let mut left = random.below(all.max(1));
        for agent in 0..can_run.len() {
            if left < chances(agent) {
                self.current = agent;
                break;
            }
            left -= chances(agent);
        }
        // One selection in sixteen is for a long burst.
        self.burst = if random.below(16) == 0 {
            1 << random.below(12)
        } else {
            random.below(4)
        };
        self.current
    }
}
