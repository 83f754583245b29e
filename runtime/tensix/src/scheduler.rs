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

/// Running sums of weights, party by party; lanes behind the last party repeat its sum.
type Sums = [i16; LANES];
/// No machine has more parties.
const LANES: usize = 32;

/// Chooses among `N` parties.
#[derive(Clone, Debug)]
pub(crate) struct Scheduler<const N: usize> {
    random: SplitMix64,
    weight: [i16; N],
    /// What each party's weight adds to the sums.
    share: [Sums; N],
    /// The sums of all parties, and the last of them.
    all: (Sums, i16),
    /// Those of all but the parties left out, which mostly are those of the choice before and a few more. The next choice begins with the
    /// last sum, so that is at hand by itself.
    sums: (Sums, i16),
    left_out: u32,
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
        let weight: [i16; N] = std::array::from_fn(|_| 1 << (random.next() % 8));
        let share: [Sums; N] = std::array::from_fn(|party| {
            std::array::from_fn(|lane| if lane < party { 0 } else { weight[party] })
        });
        let sums: Sums = std::array::from_fn(|lane| share.iter().map(|share| share[lane]).sum());
        let all = (sums, sums[LANES - 1]);
        Scheduler {
            random,
            weight,
            share,
            all,
            sums: all,
            left_out: 0,
            asleep: 0,
            sleep: 0,
        }
    }

    /// Lets parties advance in the order of a seed until none can. If the one that `advance` is given can, it says which parties need not
    /// be asked, because they cannot, until another one has.
    pub(crate) fn run<E>(
        seed: u64,
        mut advance: impl FnMut(usize) -> Result<Option<u32>, E>,
    ) -> Result<(), E> {
        let mut scheduler = Self::new(seed);
        let (mut blocked, mut idle) = (0, 0);
        while let Some(party) = scheduler.choose(blocked) {
            blocked |= 1 << party;
            if idle >> party & 1 != 0 {
                continue;
            }
            if let Some(now) = advance(party)? {
                (blocked, idle) = (0, now);
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
        self.leave_out(blocked);
        let (sums, total) = &self.sums;
        if *total == 0 {
            return None;
        }
        let at = (self.random.next() % *total as u64) as i16;
        // -1 for each party that is wholly before it.
        let before = sums.iter().map(|&sum| (sum - 1 - at) >> 15);
        Some(-before.sum::<i16>() as usize)
    }

    /// Brings the sums to all but the parties of a mask.
    fn leave_out(&mut self, mask: u32) {
        if self.left_out & !mask != 0 {
            (self.sums, self.left_out) = (self.all, 0);
        }
        let mut more = mask & !self.left_out & (u32::MAX >> (LANES - N));
        self.left_out |= more;
        let (sums, total) = &mut self.sums;
        while more != 0 {
            let party = more.trailing_zeros() as usize;
            *total -= self.weight[party];
            let shares = sums.iter_mut().zip(&self.share[party]);
            shares.for_each(|(sum, share)| *sum -= share);
            more &= more - 1;
        }
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

    /// The choice is the one of a search through the weights, whoever was left out before.
    #[test]
    fn running_sums_find_what_a_search_finds() {
        for seed in 0..20 {
            let mut random = SplitMix64(seed);
            let weight: [u64; 17] = std::array::from_fn(|_| 1 << (random.next() % 8));
            let mut s = Scheduler::<17>::new(seed);
            let mut masks = SplitMix64(!seed);
            for _ in 0..1000 {
                let grows = masks.next() % 4 != 0;
                let mask = masks.next() as u32 & masks.next() as u32;
                let blocked = if grows { s.left_out | mask } else { mask };
                let free = || (0..17).filter(|k| blocked >> k & 1 == 0);
                let total: u64 = free().map(|k| weight[k]).sum();
                let expect = (total != 0).then(|| {
                    let mut at = s.random.clone().next() % total;
                    let mut sought = free().skip_while(|&k| {
                        let before = at >= weight[k];
                        at = at.wrapping_sub(weight[k]);
                        before
                    });
                    sought.next().unwrap()
                });
                assert_eq!(s.pick(blocked), expect, "seed {seed}, blocked {blocked:#x}");
            }
        }
    }

    /// Who need not be asked is not, and that changes nothing else.
    #[test]
    fn the_idle_are_not_asked() {
        let run = |says_idle: bool| {
            let (mut left, mut order, mut asked) = ([5, 0, 9, 0, 3], Vec::new(), 0);
            let done = Scheduler::<5>::run(4, |party| {
                asked += 1;
                if left[party] == 0 {
                    return Ok::<_, ()>(None);
                }
                left[party] -= 1;
                order.push(party);
                let idle = (0..5).filter(|&k| left[k] == 0).map(|k| 1 << k).sum();
                Ok(Some(if says_idle { idle } else { 0 }))
            });
            done.unwrap();
            (order, asked)
        };
        let ((order, asked), (expect, asked_all)) = (run(true), run(false));
        assert_eq!(order, expect);
        // Before anyone has advanced nobody is known to be idle.
        assert!(
            asked <= 17 + 2 && asked_all > asked,
            "{asked} of {asked_all}"
        );
    }

    #[test]
    fn everyone_gets_a_turn() {
        let mut s = Scheduler::<4>::new(9);
        let mut seen = [false; 4];
        (0..10_000).for_each(|_| seen[s.choose(0).unwrap()] = true);
        assert_eq!(seen, [true; 4]);
    }
}
