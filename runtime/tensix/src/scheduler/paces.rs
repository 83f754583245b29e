//! The random schedule: who advances next, and how far, as a seed decides.
//!
//! Each party has a pace: how often it is chosen, and the most steps of its turns, from often to
//! seldom and from one to many; half of the paces are those of long turns, of which fewer are
//! needed. Now and then one lets another one sleep for a while, and a third gets another pace; so
//! that over many turns and seeds every party is ahead of and behind every other, by little and by
//! much. Nobody sleeps while all others are blocked.

use super::random::SplitMix64;
use super::Turn;

/// Chooses among `N` parties.
#[derive(Clone, Debug)]
pub(super) struct Paces<const N: usize> {
    random: SplitMix64,
    /// The most steps of each party's turns, less one: all ones in binary.
    longest: [u32; N],
    /// The parties that are among those to choose from in one choice of two to the power of a place
    /// at least.
    often: [u32; RARITIES],
    /// The party that sleeps, and for how many steps of others it still does.
    asleep: u32,
    sleep: u32,
}

/// One choice in two to this power sends a party to sleep.
const SLEEP_LOG2: u32 = 6;
/// A sleep lasts up to two to this power steps of turns, so that a core that never waits cannot do
/// too much meanwhile.
const LONGEST_SLEEP_LOG2: u64 = 12;
/// The longest turns have two to this power steps.
const LONGEST_TURN_LOG2: u64 = 7;
/// The party chosen least often is among those to choose from in one choice of two to the power of
/// this, less one.
const RARITIES: usize = 8;

impl<const N: usize> Paces<N> {
    /// Those of a seed.
    pub(super) fn new(seed: u64) -> Self {
        let mut paces = Paces {
            random: SplitMix64::new(seed),
            longest: [0; N],
            often: [0; RARITIES],
            asleep: 0,
            sleep: 0,
        };
        (0..N).for_each(|party| paces.set_pace(party));
        paces
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

    /// Who of those that are free has the next turn; one at least is.
    pub(super) fn choose(&mut self, free: u32) -> Turn {
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
        Turn { party, steps }
    }

    #[cold]
    fn send_to_sleep(&mut self) {
        let mut party = || (self.random.next() % N as u64) as usize;
        self.asleep = 1 << party();
        let other = party();
        self.sleep = 1 << (self.random.next() % (LONGEST_SLEEP_LOG2 + 1));
        self.set_pace(other);
    }
}

#[cfg(test)]
mod tests;
