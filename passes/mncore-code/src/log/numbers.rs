//! The numbers of writes, and of the write that each read must find: what the sequential meaning of
//! a program says.

use std::rc::Rc;

use super::areas::Areas;
use super::reaches::{Followed, Reach};
use super::{At, Content};

/// No number.
pub(super) const NONE: u64 = u64::MAX;

/// An access to a slot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Visit {
    pub slot: u32,
    pub write: bool,
    /// The number of the write.
    pub number: u64,
}

/// A loop in an iteration of those around it.
#[derive(Clone, Debug)]
struct Instance {
    part: Rc<str>,
    number: usize,
    outer: Vec<u32>,
}

/// Who wrote: from which number on, an item of an instance in an iteration.
#[derive(Clone, Copy, Debug)]
struct Writer {
    first: u64,
    instance: usize,
    item: usize,
    iteration: u64,
}

/// The item of what loads a constant, and of what was there before.
const LOAD: usize = usize::MAX;
const BEFORE: usize = usize::MAX - 1;

/// All writes so far, in sequential order.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers {
    /// Of each slot the write that it has now, values and constants apart.
    now: Vec<u64>,
    /// How often each write is read in a slot; a write has a number for each.
    pub reads: Vec<u32>,
    writers: Vec<Writer>,
    instances: Vec<Instance>,
}

/// The accesses of an instance.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbered {
    /// The loads of constants, then the items of each iteration, in order.
    pub visits: Vec<Visit>,
    /// Where the visits of each item of each iteration begin; one more than there are.
    pub starts: Vec<usize>,
    /// Slots that are read before anything is written there, and the numbers that they begin with.
    pub before: Vec<(u32, u64)>,
}

impl Numbers {
    /// Numbers what a loop does in an iteration of those around it.
    pub fn instance(&mut self, areas: &mut Areas, part: &Followed, outer: &[u32]) -> Numbered {
        let Followed { body, reaches, .. } = part;
        self.instances.push(Instance {
            part: part.name.clone(),
            number: part.number,
            outer: outer.to_vec(),
        });
        let mut numbered = Numbered::default();
        let mut owners = vec![NONE; reaches.owners];
        let mut index = outer.to_vec();
        index.resize(body.dimensions(), 0);
        for load in &reaches.constants {
            self.reach(areas, load, &index, (LOAD, 0), &mut owners, &mut numbered);
        }
        for iteration in 0..body.iterations() {
            body.index_into(iteration, &mut index);
            for (number, item) in body.items.iter().enumerate() {
                numbered.starts.push(numbered.visits.len());
                if item.issues(&index) {
                    for reach in &reaches.items[number] {
                        self.reach(
                            areas,
                            reach,
                            &index,
                            (number, iteration),
                            &mut owners,
                            &mut numbered,
                        );
                    }
                }
            }
        }
        numbered.starts.push(numbered.visits.len());
        numbered
    }

    /// Numbers an access of an item in an iteration.
    fn reach(
        &mut self,
        areas: &mut Areas,
        reach: &Reach,
        index: &[u32],
        (item, iteration): (usize, u64),
        owners: &mut [u64],
        numbered: &mut Numbered,
    ) {
        let first = self.reads.len() as u64;
        let mut owned = reach.owner.map(|owner| owners[owner]);
        if reach.write {
            self.writer(item, iteration);
            if let Some(owner) = reach.owner {
                owners[owner] = first;
            }
        }
        areas.slots(reach, index, iteration, &mut |slot| {
            let number = match &mut owned {
                _ if reach.write => self.write(slot, reach.owner.is_none()),
                Some(next) => {
                    let number = *next;
                    // The slots of a value are as many and in the same order wherever it is
                    // accessed.
                    *next = next.saturating_add(1);
                    number
                }
                None => self.there(slot, numbered),
            };
            if let Some(reads) = self.reads.get_mut(number as usize) {
                *reads += u32::from(!reach.write);
            }
            numbered.visits.push(Visit {
                slot: slot as u32,
                write: reach.write,
                number,
            });
        });
    }

    fn writer(&mut self, item: usize, iteration: u64) {
        self.writers.push(Writer {
            first: self.reads.len() as u64,
            instance: self.instances.len() - 1,
            item,
            iteration,
        });
    }

    /// A new number for a write to a slot, which from now on has it if it is named.
    fn write(&mut self, slot: usize, named: bool) -> u64 {
        let number = self.reads.len() as u64;
        self.reads.push(0);
        if named {
            *self.slot(slot) = number;
        }
        number
    }

    /// The number of what a slot has; a new one for what was there before the kernel.
    fn there(&mut self, slot: usize, numbered: &mut Numbered) -> u64 {
        if *self.slot(slot) == NONE {
            self.writer(BEFORE, 0);
            let number = self.write(slot, true);
            numbered.before.push((slot as u32, number));
        }
        *self.slot(slot)
    }

    fn slot(&mut self, slot: usize) -> &mut u64 {
        if self.now.len() <= slot {
            self.now.resize(slot + 1, NONE);
        }
        &mut self.now[slot]
    }

    /// What a write wrote.
    pub fn content(&self, number: u64) -> Content {
        let behind = self
            .writers
            .partition_point(|writer| writer.first <= number);
        match behind.checked_sub(1).map(|at| self.writers[at]) {
            Some(writer) if writer.item != BEFORE && number != NONE => Content::Of(At {
                item: (writer.item != LOAD).then_some(writer.item),
                ..self.at(writer.instance, 0, writer.iteration)
            }),
            _ => Content::Initial,
        }
    }

    /// An item of an instance.
    pub fn at(&self, instance: usize, item: usize, iteration: u64) -> At {
        let Instance {
            part,
            number,
            outer,
        } = &self.instances[instance];
        At {
            part: part.to_string(),
            number: *number,
            outer: outer.clone(),
            item: Some(item),
            iteration,
        }
    }

    /// The number of the last instance.
    pub fn last(&self) -> usize {
        self.instances.len() - 1
    }
}
