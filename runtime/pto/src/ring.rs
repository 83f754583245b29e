//! The ring of a pipe: its slots, their owners, and the flags by which the two ends synchronize.
//!
//! A slot is *free*, becomes *ready* when it is written, *held* when it is popped, and free again
//! when it is freed. Both ends use slots in order. Flags are separate from slots, as on a chip: a
//! producer writes when it has a credit, and a consumer pops when a flag says that a tile is ready.
//! Neither end looks at slots. A protocol whose flags permit an access to a slot that the agent
//! does not own is detected at the slot.
//!
//! A pipe with two vector kernels has two *channels*, each with slots and flags of its own. The
//! kernel at the other end uses both at once.

use std::collections::VecDeque;
use std::fmt;

use crate::race::VectorClock;
use crate::trap::Reason;

/// The protocol of the flags of a pipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Protocol {
    /// Number of slots that are freed before the producer receives their credits.
    pub batch: u32,
    /// Whether a consumer counts pops separately from frees. If not, it can hold only one tile.
    pub pops_are_counted: bool,
    /// Whether a producer waits at its end until all slots are free again. If not, a launch adds
    /// its initial credits to those that the previous launch left.
    pub drain: bool,
    /// Whether all pipes of a group share one pool of slots, as many as the first pipe has.
    pub shared_pool: bool,
    /// The greatest value of a flag.
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

/// The owner of a slot, with the number of the tile in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// The producer, once it has a credit.
    Free,
    /// The consumer, once it pops.
    Ready(u64),
    /// The consumer, until it frees the slot.
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

/// Slots and their ownership. A transition by an agent that does not own the slot returns the owner
/// as an error.
#[derive(Clone, Debug)]
pub struct Slots<T>(Vec<(Owner, Option<T>)>);

impl<T: Clone> Slots<T> {
    /// Creates `count` free slots.
    pub fn new(count: usize) -> Self {
        Slots(vec![(Owner::Free, None); count])
    }

    /// Returns the number of slots.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are no slots.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds free slots until there are `count`.
    pub fn grow(&mut self, count: usize) {
        self.0.resize(count.max(self.0.len()), (Owner::Free, None));
    }

    /// Returns the owner of a slot.
    pub fn owner(&self, slot: usize) -> Owner {
        self.0[slot].0
    }

    /// Returns the owner of each slot.
    pub fn owners(&self) -> impl Iterator<Item = Owner> + '_ {
        self.0.iter().map(|(owner, _)| *owner)
    }

    /// Writes a tile into a free slot, which becomes ready.
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

    /// Takes the ready tile with a number; its slot becomes held.
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

    /// Frees the slot of the held tile with a number.
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
    /// Credits of the producer: free slots, each with the vector clock of the consumer when it
    /// freed the slot.
    credits: VecDeque<VectorClock>,
    /// Freed slots whose credits the producer has not received yet.
    withheld: VecDeque<VectorClock>,
    /// Tiles that are ready, each with the vector clock of the producer.
    ready: VecDeque<VectorClock>,
    pushed: u64,
    popped: u64,
    freed: u64,
    /// The most slots that were not free at once.
    watermark: u64,
}

impl<T: Clone> Channel<T> {
    /// Creates a channel whose slots are free and whose producer has no credits yet.
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

    /// Checks that a flag can hold a count.
    fn check_saturation(&self, count: usize, protocol: &Protocol) -> Result<(), Reason> {
        if count as u64 > u64::from(protocol.most) {
            return Err(Reason::Saturated {
                most: protocol.most,
            });
        }
        Ok(())
    }

    /// Returns the number of slots in use, as the producer counts them.
    pub fn occupied_slots(&self) -> u64 {
        self.pushed - self.freed
    }

    /// Returns the greatest number of slots in use at once.
    pub fn watermark(&self) -> u64 {
        self.watermark
    }

    /// Returns the numbers of tiles pushed, popped and freed in this launch.
    pub fn counts(&self) -> [u64; 3] {
        [self.pushed, self.popped, self.freed]
    }

    /// Returns the owner of each slot.
    pub fn owners(&self) -> impl Iterator<Item = Owner> + '_ {
        self.slots.owners()
    }

    /// Returns whether the producer has a credit.
    pub fn can_push(&self) -> bool {
        !self.credits.is_empty()
    }

    /// Returns whether the consumer can pop a tile.
    pub fn can_pop(&self, protocol: &Protocol) -> bool {
        !self.ready.is_empty() && (protocol.pops_are_counted || self.popped == self.freed)
    }

    /// Returns whether the producer has the credits of all slots.
    pub fn is_drained(&self) -> bool {
        self.credits.len() == self.slots.len()
    }

    /// Returns whether the consumer holds the tile with a number.
    pub fn holds(&self, number: u64) -> bool {
        (self.freed..self.popped).contains(&number)
    }

    fn slot(&self, number: u64) -> usize {
        (number % self.slots.len() as u64) as usize
    }

    /// Writes the next slot and signals the consumer. The caller has checked that there is a
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

    /// Pops the next tile; returns its number and the tile. The caller has checked that a tile is
    /// ready.
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

    /// Frees the oldest held slot, which must be that of tile `number`.
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
