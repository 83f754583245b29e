//! Write numbering: the sequential meaning of a program. Each write to a slot gets a number, and
//! each read gets the number of the write that it must find.

use std::rc::Rc;

use super::accesses::{Access, LoopAccesses};
use super::slot_map::SlotMap;
use super::{Content, ItemInstance};

/// The number of no write.
pub(super) const NONE: u64 = u64::MAX;

/// An access to one slot.
#[derive(Clone, Copy, Debug)]
pub(super) struct SlotAccess {
    pub slot: u32,
    pub write: bool,
    /// The number of the write that it makes, or that it must find.
    pub number: u64,
}

/// A loop in one iteration of the loops around it.
#[derive(Clone, Debug)]
struct Instance {
    part: Rc<str>,
    number: usize,
    outer: Vec<u32>,
}

/// The writer of all numbers from `first` up to the next writer's.
#[derive(Clone, Copy, Debug)]
struct Writer {
    first: u64,
    instance: usize,
    item: usize,
    iteration: u64,
}

/// Item numbers for the load of a constant, and for contents from before the kernel.
const LOAD: usize = usize::MAX;
const BEFORE: usize = usize::MAX - 1;

/// All writes so far, in sequential order.
#[derive(Clone, Debug, Default)]
pub(super) struct WriteNumbering {
    /// The number of the current write of each slot, for accesses by address. Values and constants
    /// are tracked by owner instead.
    now: Vec<u64>,
    /// The number of reads of each write.
    pub reads: Vec<u32>,
    writers: Vec<Writer>,
    instances: Vec<Instance>,
}

/// The numbered accesses of a loop instance.
#[derive(Clone, Debug, Default)]
pub(super) struct NumberedInstance {
    /// The accesses: loads of constants, then the items of each iteration in order.
    pub slot_accesses: Vec<SlotAccess>,
    /// Index in `slot_accesses` of the first access of each item of each iteration, with one more
    /// for the end.
    pub starts: Vec<usize>,
    /// Slots that are read before anything is written there, with their initial numbers.
    pub before: Vec<(u32, u64)>,
}

impl WriteNumbering {
    /// Numbers the accesses of a loop in one iteration of the loops around it.
    pub fn instance(
        &mut self,
        slot_map: &mut SlotMap,
        part: &LoopAccesses,
        outer: &[u32],
    ) -> NumberedInstance {
        let LoopAccesses { body, accesses, .. } = part;
        self.instances.push(Instance {
            part: part.name.clone(),
            number: part.number,
            outer: outer.to_vec(),
        });
        let mut numbered = NumberedInstance::default();
        let mut owners = vec![NONE; accesses.owners];
        let mut index = outer.to_vec();
        index.resize(body.dimensions(), 0);
        for load in &accesses.constants {
            self.access(
                slot_map,
                load,
                &index,
                (LOAD, 0),
                &mut owners,
                &mut numbered,
            );
        }
        for iteration in 0..body.iterations() {
            body.index_into(iteration, &mut index);
            for (number, item) in body.items.iter().enumerate() {
                numbered.starts.push(numbered.slot_accesses.len());
                if item.issues(&index) {
                    for access in &accesses.items[number] {
                        self.access(
                            slot_map,
                            access,
                            &index,
                            (number, iteration),
                            &mut owners,
                            &mut numbered,
                        );
                    }
                }
            }
        }
        numbered.starts.push(numbered.slot_accesses.len());
        numbered
    }

    /// Numbers an access of an item in an iteration.
    fn access(
        &mut self,
        slot_map: &mut SlotMap,
        access: &Access,
        index: &[u32],
        (item, iteration): (usize, u64),
        owners: &mut [u64],
        numbered: &mut NumberedInstance,
    ) {
        let first = self.reads.len() as u64;
        let mut owned = access.owner.map(|owner| owners[owner]);
        if access.write {
            self.writer(item, iteration);
            if let Some(owner) = access.owner {
                owners[owner] = first;
            }
        }
        slot_map.slots(access, index, iteration, &mut |slot| {
            let number = match &mut owned {
                _ if access.write => self.write(slot, access.owner.is_none()),
                Some(next) => {
                    let number = *next;
                    // A value has the same number of slots, in the same order, at each access.
                    *next = next.saturating_add(1);
                    number
                }
                None => self.current_number(slot, numbered),
            };
            if let Some(reads) = self.reads.get_mut(number as usize) {
                *reads += u32::from(!access.write);
            }
            numbered.slot_accesses.push(SlotAccess {
                slot: slot as u32,
                write: access.write,
                number,
            });
        });
    }

    /// Records the writer of the next numbers.
    fn writer(&mut self, item: usize, iteration: u64) {
        self.writers.push(Writer {
            first: self.reads.len() as u64,
            instance: self.instances.len() - 1,
            item,
            iteration,
        });
    }

    /// Returns a new number for a write to a slot. If `by_address`, the slot now holds it.
    fn write(&mut self, slot: usize, by_address: bool) -> u64 {
        let number = self.reads.len() as u64;
        self.reads.push(0);
        if by_address {
            *self.slot(slot) = number;
        }
        number
    }

    /// Returns the number that a slot holds; a new one if it was not written since the kernel
    /// began.
    fn current_number(&mut self, slot: usize, numbered: &mut NumberedInstance) -> u64 {
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

    /// Returns the content that a write left.
    pub fn content(&self, number: u64) -> Content {
        let behind = self
            .writers
            .partition_point(|writer| writer.first <= number);
        match behind.checked_sub(1).map(|at| self.writers[at]) {
            Some(writer) if writer.item != BEFORE && number != NONE => {
                Content::WrittenBy(ItemInstance {
                    item: (writer.item != LOAD).then_some(writer.item),
                    ..self.item_instance(writer.instance, 0, writer.iteration)
                })
            }
            _ => Content::Initial,
        }
    }

    /// Returns an item of a loop instance.
    pub fn item_instance(&self, instance: usize, item: usize, iteration: u64) -> ItemInstance {
        let Instance {
            part,
            number,
            outer,
        } = &self.instances[instance];
        ItemInstance {
            part: part.to_string(),
            number: *number,
            outer: outer.clone(),
            item: Some(item),
            iteration,
        }
    }

    /// Returns the index of the latest loop instance.
    pub fn last(&self) -> usize {
        self.instances.len() - 1
    }
}
