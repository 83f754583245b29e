//! The seeded scheduler: who advances next, and how far.
//!
//! A turn is one party's: it goes on for so many steps, or until it cannot. Each party has a pace: how often it is chosen, and the most
//! steps of its turns, from often to seldom and from one to many; half of the paces are those of long turns, of which fewer are needed. Now and then one lets another one sleep for a while, and a third
//! gets another pace; so that over many turns and seeds every party is ahead of and behind every other, by little and by much. A
//! party that cannot go on has no turn until another one has advanced. Nobody sleeps while all others are blocked.
//!
//! The sequence depends on the seed alone: SplitMix64 is written out here because results must never change with a
//! library's version.

use crate::access::ones;
use crate::changes::Changes;

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
    /// Which parties wait, or last waited, for each kind of change, and for which kinds each party does.
    waiting: [u32; Changes::KINDS],
    waits_for: [Changes; N],
    /// The party that sleeps, and for how many steps of others it still does.
    asleep: u32,
    sleep: u32,
}

/// One choice in two to this power sends a party to sleep.
const SLEEP_LOG2: u32 = 6;
/// A sleep lasts up to two to this power steps of turns, so that a core that never waits cannot do too much meanwhile.
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
            waiting: [0; Changes::KINDS],
            waits_for: [Changes::NOTHING; N],
            asleep: 0,
            sleep: 0,
        };
        (0..N).for_each(|party| scheduler.set_pace(party));
        scheduler
    }

    /// Gives a party another pace.
    fn set_pace(&mut self, party: usize) {
        let random = self.random.next();
        let some = random % (LONGEST_TURN_LOG2 + 1);
        let log2 = if random >> 63 == 0 {
            some
        } else {
            LONGEST_TURN_LOG2
        };
        self.longest[party] = (1 << log2) - 1;
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
        if self.sleep == 0 && random >> (64 - SLEEP_LOG2) == 0 {
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
        self.sleep = self.sleep.saturating_sub(steps);
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
mod tests {
    use super::*;

    fn turns<const N: usize>(seed: u64, count: usize) -> Vec<Turn> {
        let mut s = Scheduler::<N>::new(seed);
        (0..count).map(|_| s.choose().unwrap()).collect()
    }

    #[test]
    fn seeds_repeat_and_differ() {
        let of = |seed| turns::<5>(seed, 50);
        assert_eq!(of(1), of(1));
        assert_ne!(of(1), of(2));
    }

    /// Who waits is not asked before something of that kind has changed.
    #[test]
    fn the_blocked_are_not_asked() {
        for seed in 0..20 {
            let mut s = Scheduler::<17>::new(seed);
            let block_all = |s: &mut Scheduler<17>| {
                let mut asked: Vec<usize> = std::iter::from_fn(|| {
                    let party = s.choose()?.party;
                    let kind = [Changes::L1, Changes::SYNC, Changes::L1.or(Changes::BANKS)];
                    s.block(party, kind[party % 3]);
                    Some(party)
                })
                .collect();
                asked.sort_unstable();
                asked
            };
            let of = |kinds: &[usize]| Vec::from_iter((0..17).filter(|k| kinds.contains(&(k % 3))));
            assert_eq!(block_all(&mut s), of(&[0, 1, 2]), "seed {seed}");
            for (changed, expect) in [
                (Changes::SYNC, &[1][..]),
                (Changes::BANKS, &[2]),
                (Changes::L1, &[0, 2]),
                (Changes::SYNC.or(Changes::BANKS), &[1, 2]),
                (Changes::OTHER, &[]),
                (Changes::NOTHING, &[]),
            ] {
                s.wake(changed);
                assert_eq!(block_all(&mut s), of(expect), "seed {seed}, {changed:?}");
            }
            s.set_free(0b1100, 0b0110);
            assert_eq!(block_all(&mut s), [2]);
        }
    }

    /// Everybody has turns of any length, and at times others have many before the next one.
    #[test]
    fn everyone_is_fast_and_slow() {
        const LONGEST: u32 = 1 << LONGEST_TURN_LOG2;
        let turns = turns::<4>(9, 200_000);
        for party in 0..4 {
            let steps = || {
                let own = turns.iter().filter(|turn| turn.party == party);
                own.map(|turn| turn.steps)
            };
            let range = (steps().min(), steps().max());
            assert_eq!(range, (Some(1), Some(LONGEST)), "party {party}");
            let others = turns.split(|turn| turn.party == party);
            let sleep = others.map(|turns| turns.iter().map(|turn| turn.steps).sum::<u32>());
            let sleep = sleep.max();
            assert!(sleep > Some(1000), "party {party} sleeps {sleep:?}");
        }
    }
}
