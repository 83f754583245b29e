//! The ring of a pipe: its slots, who owns each, and the flags that tell one side about the other.
//!
//! A slot is *free*, then *ready* when it was written, then *held* when it was popped, then free
//! again; both sides take slots in turn. Flags are separate from that, as on a chip: the producer
//! writes when it has a credit, the consumer pops when something is ready, and neither looks at
//! slots. A protocol whose flags let someone touch a slot that is not his is caught by the slot.
//!
//! A pipe with two vector kernels has two *strands*, each with slots and flags of its own. Who is
//! alone on the other side works on both at once.

use std::collections::VecDeque;
use std::fmt;

use crate::race::VectorClock;
use crate::trap::Reason;

/// How the flags of a pipe work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Protocol {
    /// How many slots are freed before the producer hears of them.
    pub batch: u32,
    /// Whether a consumer knows how many it popped apart from how many it freed. If not, it cannot
    /// hold two.
    pub pops_are_counted: bool,
    /// Whether a producer waits at its end until all slots are free again. If not, the credits that
    /// a launch begins with are added to those that the last one left.
    pub drain: bool,
    /// Whether the pipes of a group have one pool of slots, as many as the first has, instead of
    /// their own.
    pub shared_pool: bool,
    /// The most that a flag can count.
    pub most: u32,
}

impl Default for Protocol {
    /// Returns the one that works: nothing in batches, two counters, drained, slots of their own,
    /// 32-bit counters.
    fn default() -> Self {
        Protocol {
            batch: 1,
            pops_are_counted: true,
            drain: true,
            shared_pool: false,
            most: u32::MAX,
        }
    }
}

/// Who owns a slot, and the number of the tile in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// The producer, once it has a credit.
    Free,
    /// The consumer, once it looks.
    Ready(u64),
    /// The consumer.
    Held(u64),
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Owner::Free => f.write_str("it is free"),
            Owner::Ready(number) => write!(f, "it has tile {number}, which was not popped"),
            Owner::Held(number) => write!(f, "it has tile {number}, which the consumer holds"),
        }
    }
}

/// Slots that change hands: free, ready, held, free again. Whoever does what is not his to do gets
/// the owner instead.
#[derive(Clone, Debug)]
pub struct Slots<T>(Vec<(Owner, Option<T>)>);

impl<T: Clone> Slots<T> {
    /// So many, all free.
    pub fn new(count: usize) -> Self {
        Slots(vec![(Owner::Free, None); count])
    }

    /// Returns how many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// More of them, free, up to so many.
    pub fn grow(&mut self, count: usize) {
        self.0.resize(count.max(self.0.len()), (Owner::Free, None));
    }

    /// Who owns a slot.
    pub fn owner(&self, slot: usize) -> Owner {
        self.0[slot].0
    }

    /// Who owns each.
    pub fn owners(&self) -> impl Iterator<Item = Owner> + '_ {
        self.0.iter().map(|(owner, _)| *owner)
    }

    /// Returns the producer puts a tile, of this number, into a slot that is free.
    ///
    /// # Errors
    /// The owner of a slot that is not.
    pub fn write(&mut self, slot: usize, number: u64, tile: T) -> Result<(), Owner> {
        match self.owner(slot) {
            Owner::Free => {}
            owner => return Err(owner),
        }
        self.0[slot] = (Owner::Ready(number), Some(tile));
        Ok(())
    }

    /// Returns the consumer takes the tile of this number, which is ready.
    ///
    /// # Errors
    /// The owner of a slot that does not have it.
    pub fn claim(&mut self, slot: usize, number: u64) -> Result<T, Owner> {
        match &mut self.0[slot] {
            (owner @ Owner::Ready(_), Some(tile)) if *owner == Owner::Ready(number) => {
                *owner = Owner::Held(number);
                Ok(tile.clone())
            }
            (owner, _) => Err(*owner),
        }
    }

    /// The consumer gives back the slot of the tile of this number, which it holds.
    ///
    /// # Errors
    /// The owner of a slot that it does not hold.
    pub fn release(&mut self, slot: usize, number: u64) -> Result<(), Owner> {
        match self.owner(slot) {
            Owner::Held(held) if held == number => {}
            owner => return Err(owner),
        }
        self.0[slot] = (Owner::Free, None);
        Ok(())
    }
}

/// Slots and flags between one producer and one consumer.
#[derive(Clone, Debug)]
pub struct Channel<T> {
    slots: Slots<T>,
    /// Free slots the producer was told of, with what the consumer knew when it freed them.
    credits: VecDeque<VectorClock>,
    /// Freed slots the producer was not told of yet.
    withheld: VecDeque<VectorClock>,
    /// Tiles the consumer was told of, with what the producer knew.
    ready: VecDeque<VectorClock>,
    pushed: u64,
    popped: u64,
    freed: u64,
    /// The most slots that were not free at once.
    watermark: u64,
}

impl<T: Clone> Channel<T> {
    /// Returns all slots free, and nobody told.
    pub fn new(slots: u32) -> Self {
        Channel {
            slots: Slots::new(slots as usize),
            credits: VecDeque::new(),
            withheld: VecDeque::new(),
            ready: VecDeque::new(),
            pushed: 0,
            popped: 0,
            freed: 0,
            watermark: 0,
        }
    }

    /// Begins a launch: counters at zero, a credit for each slot.
    pub fn launch(&mut self, protocol: &Protocol) -> Result<(), Reason> {
        if protocol.drain {
            self.credits.clear();
        }
        (self.pushed, self.popped, self.freed) = (0, 0, 0);
        self.withheld.clear();
        for _ in 0..self.slots.len() {
            self.credits.push_back(VectorClock::default());
        }
        self.check_saturation(self.credits.len(), protocol)
    }

    fn check_saturation(&self, count: usize, protocol: &Protocol) -> Result<(), Reason> {
        if count as u64 > u64::from(protocol.most) {
            return Err(Reason::Saturated {
                most: protocol.most,
            });
        }
        Ok(())
    }

    /// Slots that are not free, as the producer counts.
    pub fn occupied_slots(&self) -> u64 {
        self.pushed - self.freed
    }

    /// Returns the most slots that were not free at once.
    pub fn watermark(&self) -> u64 {
        self.watermark
    }

    /// Tiles pushed, popped and freed in this launch.
    pub fn counts(&self) -> [u64; 3] {
        [self.pushed, self.popped, self.freed]
    }

    /// Who owns each slot.
    pub fn owners(&self) -> impl Iterator<Item = Owner> + '_ {
        self.slots.owners()
    }

    /// Returns whether the producer has a credit.
    pub fn can_push(&self) -> bool {
        !self.credits.is_empty()
    }

    /// Returns whether the consumer has something to pop.
    pub fn can_pop(&self, protocol: &Protocol) -> bool {
        !self.ready.is_empty() && (protocol.pops_are_counted || self.popped == self.freed)
    }

    /// Returns whether all slots were reported free.
    pub fn is_drained(&self) -> bool {
        self.credits.len() == self.slots.len()
    }

    /// Returns whether the tile of a number is still in the consumer's hands.
    pub fn holds(&self, number: u64) -> bool {
        (self.freed..self.popped).contains(&number)
    }

    fn slot(&self, number: u64) -> usize {
        (number % self.slots.len() as u64) as usize
    }

    /// Writes the next slot and tells the consumer. The caller has looked whether there is a
    /// credit.
    pub fn push(
        &mut self,
        tile: T,
        clock: &mut VectorClock,
        protocol: &Protocol,
    ) -> Result<(), Reason> {
        if let Some(freed) = self.credits.pop_front() {
            clock.merge(&freed);
        }
        let slot = self.slot(self.pushed);
        let put = self.slots.write(slot, self.pushed, tile);
        put.map_err(|owner| Reason::Overwrite { slot, owner })?;
        self.ready.push_back(clock.clone());
        self.pushed += 1;
        self.watermark = self.watermark.max(self.occupied_slots());
        self.check_saturation(self.ready.len(), protocol)
    }

    /// Takes the next slot: the number of its tile, and the tile. The caller has looked whether
    /// something is ready.
    pub fn pop(&mut self, clock: &mut VectorClock) -> Result<(u64, T), Reason> {
        if let Some(pushed) = self.ready.pop_front() {
            clock.merge(&pushed);
        }
        let (number, slot) = (self.popped, self.slot(self.popped));
        let taken = self.slots.claim(slot, number);
        let tile = taken.map_err(|owner| Reason::SlotMismatch { slot, owner })?;
        self.popped += 1;
        Ok((number, tile))
    }

    /// Gives the oldest held slot back, which must be that of tile `number`.
    pub fn free(
        &mut self,
        number: u64,
        clock: &VectorClock,
        protocol: &Protocol,
    ) -> Result<(), Reason> {
        if !self.holds(number) {
            return Err(Reason::FreedTwice { number });
        }
        if number != self.freed {
            return Err(Reason::FreeOrder {
                number,
                oldest: self.freed,
            });
        }
        let slot = self.slot(number);
        let given = self.slots.release(slot, number);
        given.map_err(|owner| Reason::SlotMismatch { slot, owner })?;
        self.freed += 1;
        self.withheld.push_back(clock.clone());
        if self.withheld.len() as u64 >= u64::from(protocol.batch) {
            self.credits.append(&mut self.withheld);
        }
        self.check_saturation(self.credits.len(), protocol)
    }
}

#[cfg(test)]
mod tests;
