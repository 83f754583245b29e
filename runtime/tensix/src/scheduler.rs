//! The seeded scheduler: who advances next, and how far.
//!
//! A turn is one party's: it goes on for so many steps, or until it cannot. Each party has a pace: how often it is chosen, and the most
//! steps of its turns, from often to seldom and from one to many. Now and then one lets another one sleep for a while, and a third
//! gets another pace; so that over many turns and seeds every party is ahead of and behind every other, by little and by much. A
//! party that cannot go on has no turn until another one has advanced. Nobody sleeps while all others are blocked.
//!
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

/// What came of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The party could do nothing.
    Nothing,
    /// It did something, and then could not go on.
    Blocked,
    /// It did all its steps.
    Whole,
}

impl Outcome {
    /// Of so many steps of a turn that were done.
    pub(crate) fn of(turn: Turn, done: u32) -> Self {
        match done {
            0 => Outcome::Nothing,
            _ if done < turn.steps => Outcome::Blocked,
            _ => Outcome::Whole,
        }
    }
}

/// Chooses among `N` parties, of which no machine has more than 32.
#[derive(Clone, Debug)]
pub(crate) struct Scheduler<const N: usize> {
    random: SplitMix64,
    /// The most steps of each party's turns, less one: all ones in binary.
    longest: [u32; N],
    /// The parties that are among those to choose from in one choice of two to the power of a place at least.
    often: [u32; RARITIES],
    /// Parties that cannot advance before something changes, one bit each.
    blocked: u32,
    /// The party that sleeps, and for how many turns it still does.
    asleep: u32,
    sleep: u32,
}

/// One choice in two to this power sends a party to sleep.
const SLEEP_LOG2: u32 = 6;
/// A sleep lasts up to two to this power choices.
const LONGEST_SLEEP_LOG2: u64 = 12;
/// The longest turns have two to this power steps.
const LONGEST_TURN_LOG2: u64 = 7;
/// The party chosen least often is among those to choose from in one choice of two to the power of this, less one.
const RARITIES: usize = 8;

impl<const N: usize> Scheduler<N> {
    const ALL: u32 = u32::MAX >> (32 - N);

    /// The schedule of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        let mut scheduler = Scheduler {
            random: SplitMix64(seed),
            longest: [0; N],
            often: [0; RARITIES],
            blocked: 0,
            asleep: 0,
            sleep: 0,
        };
        (0..N).for_each(|party| scheduler.set_pace(party));
        scheduler
    }

    /// Gives a party another pace.
    fn set_pace(&mut self, party: usize) {
        let random = self.random.next();
        self.longest[party] = (1 << (random % (LONGEST_TURN_LOG2 + 1))) - 1;
        let rarity = (random >> 32) as usize % RARITIES;
        for (place, often) in self.often.iter_mut().enumerate() {
            *often = *often & !(1 << party) | u32::from(place >= rarity) << party;
        }
    }

    /// Who has the next turn, or `None` if all are blocked.
    pub(crate) fn choose(&mut self) -> Option<Turn> {
        let free = !self.blocked & Self::ALL;
        if free == 0 {
            return None;
        }
        let random = self.random.next();
        if self.sleep > 0 {
            self.sleep -= 1;
        } else if random >> (64 - SLEEP_LOG2) == 0 {
            self.send_to_sleep();
        }
        let awake = match self.sleep {
            0 => free,
            _ => free & !self.asleep,
        };
        let awake = if awake == 0 { free } else { awake };
        let most_rare = (random >> 40).trailing_zeros() as usize;
        let mut among = self.often.iter().skip(most_rare).map(|often| awake & often);
        let among = among.find(|&among| among != 0).unwrap_or(awake);
        // A whole number below the count, from the lower half.
        let place = ((random & 0xffff_ffff) * u64::from(among.count_ones())) >> 32;
        let party = (0..place)
            .fold(among, |left, _| left & (left - 1))
            .trailing_zeros() as usize;
        let steps = 1 + ((random >> 32) as u32 & self.longest[party]);
        Some(Turn { party, steps })
    }

    #[cold]
    fn send_to_sleep(&mut self) {
        let mut party = || (self.random.next() % N as u64) as usize;
        self.asleep = 1 << party();
        let other = party();
        self.sleep = 1 << (self.random.next() % (LONGEST_SLEEP_LOG2 + 1));
        self.set_pace(other);
    }

    /// Notes what came of a party's turn; `idle` are those that have nothing to do, which need no turn before one is over in which
    /// something was done.
    pub(crate) fn note(&mut self, party: usize, outcome: Outcome, idle: u32) {
        match outcome {
            Outcome::Nothing => self.blocked |= 1 << party,
            Outcome::Blocked => self.blocked = idle | 1 << party,
            Outcome::Whole => self.blocked = idle,
        }
    }

    /// Something has changed by itself: all may be able to advance again.
    pub(crate) fn changed(&mut self) {
        self.blocked = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parties of the first turns of a seed, of which each does nothing, all, or half of its steps.
    fn run<const N: usize>(
        seed: u64,
        turns: usize,
        outcome: impl Fn(Turn) -> Outcome,
    ) -> Vec<Turn> {
        let mut s = Scheduler::<N>::new(seed);
        let chosen = std::iter::from_fn(|| {
            let turn = s.choose()?;
            s.note(turn.party, outcome(turn), 0);
            Some(turn)
        });
        chosen.take(turns).collect()
    }

    #[test]
    fn seeds_repeat_and_differ() {
        let of = |seed| run::<5>(seed, 50, |_| Outcome::Whole);
        assert_eq!(of(1), of(1));
        assert_ne!(of(1), of(2));
    }

    /// Who can do nothing, or has nothing to do, is not asked again before another one has advanced.
    #[test]
    fn the_blocked_are_not_asked() {
        for seed in 0..20 {
            let mut asked = run::<17>(seed, 100, |_| Outcome::Nothing);
            asked.sort_by_key(|turn| turn.party);
            let parties: Vec<usize> = asked.iter().map(|turn| turn.party).collect();
            assert_eq!(parties, Vec::from_iter(0..17), "seed {seed}");

            let turns = run::<17>(seed, 1000, |_| Outcome::Blocked);
            assert!(turns.windows(2).all(|two| two[0].party != two[1].party));

            let mut s = Scheduler::<17>::new(seed);
            s.note(3, Outcome::Blocked, 0b1_1111_1111_0110_0111);
            let left: Vec<_> = std::iter::from_fn(|| {
                let party = s.choose()?.party;
                s.note(party, Outcome::Nothing, 0);
                Some(party)
            })
            .collect();
            assert!(left == [4, 7] || left == [7, 4], "seed {seed}: {left:?}");
            assert_eq!(s.choose(), None);
            s.changed();
            assert!(s.choose().is_some());
        }
    }

    /// Everybody has turns of any length, and at times others have many before the next one.
    #[test]
    fn everyone_is_fast_and_slow() {
        const LONGEST: u32 = 1 << LONGEST_TURN_LOG2;
        let turns = run::<4>(9, 200_000, |_| Outcome::Whole);
        for party in 0..4 {
            let steps = || {
                turns
                    .iter()
                    .filter(|turn| turn.party == party)
                    .map(|turn| turn.steps)
            };
            let range = (steps().min(), steps().max());
            assert_eq!(range, (Some(1), Some(LONGEST)), "party {party}");
            let sleep = turns
                .split(|turn| turn.party == party)
                .map(<[_]>::len)
                .max();
            assert!(sleep > Some(1000), "party {party} sleeps {sleep:?}");
        }
    }

    #[test]
    fn outcomes_are_those_of_steps() {
        let turn = Turn { party: 0, steps: 3 };
        let expect = [
            Outcome::Nothing,
            Outcome::Blocked,
            Outcome::Blocked,
            Outcome::Whole,
        ];
        assert_eq!([0, 1, 2, 3].map(|done| Outcome::of(turn, done)), expect);
    }
}
