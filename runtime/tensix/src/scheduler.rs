//! The seeded scheduler: who advances next.
//!
//! Each seed gives every party its own speed, from equal to very different, and now and then lets one sleep for a while,
//! so that over many seeds every party is ahead of and behind every other. Nobody sleeps while all others are blocked.
//! The sequence depends on the seed alone: SplitMix64 is written out here because results must never change with a
//! library's version.

/// SplitMix64 (Steele, Lea, Flood 2014).
#[derive(Clone, Debug)]
pub(crate) struct SplitMix64(u64);

impl SplitMix64 {
    pub(crate) fn new(seed: u64) -> Self {
        SplitMix64(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
}

/// Chooses among `N` parties.
#[derive(Clone, Debug)]
pub(crate) struct Scheduler<const N: usize> {
    random: SplitMix64,
    weight: [u32; N],
    asleep: usize,
    /// Choices until nobody sleeps any more.
    sleep: u32,
}

/// One choice in so many sends a party to sleep.
const SLEEP_ONE_IN: u64 = 64;
/// A sleep lasts up to two to this power choices.
const LONGEST_SLEEP_LOG2: u64 = 12;

impl<const N: usize> Scheduler<N> {
    /// The schedule of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        let mut random = SplitMix64(seed);
        let weight = std::array::from_fn(|_| 1 << (random.next() % 8));
        Scheduler {
            random,
            weight,
            asleep: 0,
            sleep: 0,
        }
    }

    /// Lets parties advance in the order of a seed until none can; `advance` says whether one did.
    pub(crate) fn run<E>(
        seed: u64,
        mut advance: impl FnMut(usize) -> Result<bool, E>,
    ) -> Result<(), E> {
        let mut scheduler = Self::new(seed);
        let mut blocked = 0;
        while let Some(party) = scheduler.choose(blocked) {
            if advance(party)? {
                blocked = 0;
            } else {
                blocked |= 1 << party;
            }
        }
        Ok(())
    }

    /// One of the parties whose bit is not set in `blocked`, or `None` if all are.
    pub(crate) fn choose(&mut self, blocked: u32) -> Option<usize> {
        if self.sleep > 0 {
            self.sleep -= 1;
            let without_sleeper = self.pick(blocked | 1 << self.asleep);
            return without_sleeper.or_else(|| self.pick(blocked));
        }
        if self.random.next() % SLEEP_ONE_IN == 0 {
            self.asleep = (self.random.next() % N as u64) as usize;
            self.sleep = 1 << (self.random.next() % (LONGEST_SLEEP_LOG2 + 1));
        }
        self.pick(blocked)
    }

    fn pick(&mut self, blocked: u32) -> Option<usize> {
        let free = |k: &usize| blocked >> k & 1 == 0;
        let total: u32 = (0..N).filter(free).map(|k| self.weight[k]).sum();
        if total == 0 {
            return None;
        }
        let mut at = (self.random.next() % u64::from(total)) as u32;
        (0..N).filter(free).find(|&k| {
            let hit = at < self.weight[k];
            at = at.wrapping_sub(self.weight[k]);
            hit
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_repeat_and_differ() {
        let run = |seed| {
            let mut s = Scheduler::<5>::new(seed);
            (0..50)
                .map(|_| s.choose(0b00100).unwrap())
                .collect::<Vec<_>>()
        };
        assert_eq!(run(1), run(1));
        assert_ne!(run(1), run(2));
        assert!(!run(1).contains(&2));
        assert_eq!(Scheduler::<5>::new(0).choose(0b11111), None);
    }

    #[test]
    fn everyone_gets_a_turn() {
        let mut s = Scheduler::<4>::new(9);
        let mut seen = [false; 4];
        (0..10_000).for_each(|_| seen[s.choose(0).unwrap()] = true);
        assert_eq!(seen, [true; 4]);
    }
}
