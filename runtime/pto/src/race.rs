//! Who touched which tile of global memory before whom: vector clocks.
//!
//! An access happens before another if its agent did it before pushing, or freeing, what the other's agent had popped, or been
//! given as a free slot, by then; through any number of agents. Two accesses of a tile of which at least one writes
//! race if neither happens before the other. Kernels of one launch begin together, and after all of the launch before.

use std::collections::HashMap;

/// What an agent knows of the time of all agents.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Clock(Vec<u64>);

impl Clock {
    fn of(&self, agent: usize) -> u64 {
        self.0.get(agent).copied().unwrap_or(0)
    }

    /// Learns what another clock knows.
    pub fn merge(&mut self, other: &Clock) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            *own = (*own).max(*other);
        }
    }

    /// The agent's own time goes on.
    pub fn tick(&mut self, agent: usize) {
        if self.0.len() <= agent {
            self.0.resize(agent + 1, 0);
        }
        self.0[agent] += 1;
    }
}

/// A tile of a tensor: which tensor, row and column in tiles.
pub type Place = (usize, u64, u64);

/// One access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Who.
    pub agent: usize,
    /// When, by the agent's own time.
    time: u64,
    /// Where in the source, a number of [`crate::kernel::Group::locations`].
    pub location: usize,
    /// Whether it writes.
    pub writes: bool,
}

/// The last accesses of every tile.
#[derive(Clone, Debug, Default)]
pub struct Accesses(HashMap<Place, Vec<Access>>);

impl Accesses {
    /// Notes an access; returns one that it races with.
    pub fn note(
        &mut self,
        place: Place,
        agent: usize,
        clock: &Clock,
        (location, writes): (usize, bool),
    ) -> Option<Access> {
        let time = clock.of(agent);
        let access = Access {
            agent,
            time,
            location,
            writes,
        };
        let known = self.0.entry(place).or_default();
        let before = |one: &Access| one.agent == agent || one.time <= clock.of(one.agent);
        let races = known
            .iter()
            .find(|one| (one.writes || writes) && !before(one))
            .copied();
        // What happened before this one, and is no more than it, need not be kept: who comes after this comes after that.
        known.retain(|one| !(before(one) && (writes || !one.writes)));
        known.push(access);
        races
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accesses_race_unless_one_is_known() {
        const AT: Place = (0, 1, 2);
        let mut accesses = Accesses::default();
        let (mut one, mut other) = (Clock::default(), Clock::default());
        one.tick(0);
        other.tick(1);
        assert_eq!(accesses.note(AT, 0, &one, (7, true)), None);
        assert_eq!(accesses.note((0, 0, 2), 1, &other, (8, true)), None);
        let race = accesses.note(AT, 1, &other, (9, false)).expect("a race");
        assert_eq!((race.agent, race.location, race.writes), (0, 7, true));
        // Now that it knows, it may write; and the first one, which does not know, may not even read.
        other.merge(&one);
        other.tick(1);
        assert_eq!(accesses.note(AT, 1, &other, (10, true)), None);
        one.tick(0);
        assert!(accesses.note(AT, 0, &one, (11, false)).is_some());
        // Reads do not race.
        let mut third = Clock::default();
        third.merge(&other);
        third.tick(2);
        let place = (1, 0, 0);
        assert_eq!(accesses.note(place, 0, &one, (0, false)), None);
        assert_eq!(accesses.note(place, 2, &third, (0, false)), None);
        assert!(accesses.note(place, 1, &other, (0, true)).is_some());
    }
}
