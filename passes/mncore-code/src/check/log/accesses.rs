//! The accesses of a scheduled loop: operands in memory, registers of values, constants, regions of
//! MV instructions.

use std::ops::Range;
use std::rc::Rc;

use tessera_isa_mncore::memory::{Width, CYCLES};

use super::slot_map::{region_space, FLAGS, T};
use crate::analysis::dependence::accesses::{item_accesses, MemoryAccess};
use crate::analysis::dependence::DependenceError;
use crate::analysis::probe;
use crate::emit::{Emitter, ReadSource};
use crate::ir::regions;
use tessera_mncore_ir::address::{gcd, Address};
use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::item::{Item, Source, Target, Value};
use tessera_mncore_ir::schedule::{Constant, Register, Schedule};

/// An access to a memory.
#[derive(Clone, Debug)]
pub(super) struct Access {
    pub space: usize,
    pub place: AccessAddress,
    /// Ranges of words, relative to the address.
    pub runs: Vec<Range<u32>>,
    pub write: bool,
    /// The value or constant that it accesses (numbered as in [`AccessTable`]); `None` for an
    /// access by address.
    pub owner: Option<usize>,
    /// The instances of the memory, as a bit mask.
    pub set: u8,
}

/// The address of an access.
#[derive(Clone, Debug)]
pub(super) enum AccessAddress {
    At(Address),
    Slot(Register, Width),
}

impl Access {
    /// Returns the greatest common divisor of all addresses and sizes, in words.
    pub fn grain(&self) -> u32 {
        let runs = self.runs.iter().flat_map(|run| [run.start, run.end]);
        let (own, steps): (_, &[u32]) = match &self.place {
            AccessAddress::At(address) => {
                let ring = address.ring.unwrap_or(0);
                ([address.offset, address.base, ring], &address.steps)
            }
            AccessAddress::Slot(register, width) => {
                let first = register.address(*width, 0).into();
                let second = register.address(*width, 1).into();
                ([first, second, 0], &[])
            }
        };
        let all = runs.chain(own).chain(steps.iter().copied());
        all.fold(0, gcd)
    }

    /// Converts an access. A partial write becomes a read and a write.
    fn from_memory_access(touch: MemoryAccess, owner: Option<usize>) -> Vec<Access> {
        let mut words: Vec<u32> = touch.cells.iter().map(|cell| cell.offset).collect();
        words.sort_unstable();
        words.dedup();
        let mut runs: Vec<Range<u32>> = Vec::new();
        for word in words {
            match runs.last_mut() {
                Some(run) if run.end == word => run.end += 1,
                _ => runs.push(word..word + 1),
            }
        }
        let access = |write| Access {
            space: touch.space,
            place: AccessAddress::At(touch.address.clone()),
            runs: runs.clone(),
            write,
            owner,
            set: touch.set,
        };
        // A partial write preserves the remaining content, so it also reads it.
        match (touch.write, touch.whole) {
            (true, false) => vec![access(false), access(true)],
            (write, _) => vec![access(write)],
        }
    }
}

/// A loop with its accesses.
pub(super) struct LoopAccesses<'a> {
    pub name: Rc<str>,
    /// Index of the loop in the program.
    pub number: usize,
    pub body: &'a Body,
    pub schedule: &'a Schedule,
    pub accesses: AccessTable,
}

/// The accesses of a loop.
#[derive(Clone, Debug)]
pub(super) struct AccessTable {
    /// Those of each item, reads first.
    pub items: Vec<Vec<Access>>,
    /// The loads of constants. Constants are numbered after the values.
    pub constants: Vec<Access>,
    /// The number of values and constants.
    pub owners: usize,
}

impl AccessTable {
    pub fn new(body: &Body, schedule: &Schedule) -> Result<Self, DependenceError> {
        let bare = probe::forwarding_schedule(body);
        let emitter = Emitter::with_source(body, &bare, ReadSource::ForwardingRegisters);
        let scheduled = Emitter::with_source(body, schedule, ReadSource::AsScheduled);
        let values = Values {
            body,
            schedule,
            emitter: &scheduled,
        };
        let item = |(number, item): (usize, &Item)| -> Result<_, DependenceError> {
            let touches = item_accesses(item, &emitter, number)?;
            let mut accesses: Vec<Access> = touches
                .into_iter()
                .flat_map(|touch| Access::from_memory_access(touch, None))
                .collect();
            values.add(number, item, &mut accesses);
            add_regions(item, &mut accesses);
            accesses.sort_by_key(|access| access.write);
            Ok(accesses)
        };
        let constants = schedule.constants.iter().enumerate();
        Ok(AccessTable {
            items: body
                .items
                .iter()
                .enumerate()
                .map(item)
                .collect::<Result<_, _>>()?,
            constants: constants
                .map(|(number, one)| values.constant(number, one, true))
                .collect(),
            owners: body.values.len() + schedule.constants.len(),
        })
    }
}

/// Locates the values of a loop.
struct Values<'a> {
    body: &'a Body,
    schedule: &'a Schedule,
    emitter: &'a Emitter<'a>,
}

impl Values<'_> {
    fn add(&self, number: usize, item: &Item, accesses: &mut Vec<Access>) {
        for value in item.reads() {
            if !self.emitter.is_forwarded(value, number) {
                accesses.extend(self.value(value, false));
            }
        }
        for input in &item.inputs {
            let Source::Constant(word) = input.source else {
                continue;
            };
            let mut known = self.schedule.constants.iter().enumerate();
            let found = known.find(|(_, constant)| constant.word == word);
            accesses.extend(found.map(|(at, constant)| self.constant(at, constant, false)));
        }
        for output in &item.outputs {
            let Target::Value(value) = output.target else {
                continue;
            };
            let earlier = &self.body.items[..number];
            let again = earlier
                .iter()
                .any(|item| item.writes().any(|other| other == value));
            if output.mask.is_some() && again {
                accesses.extend(self.value(value, false));
            }
            accesses.extend(self.value(value, true));
        }
    }

    fn value(&self, value: Value, write: bool) -> Option<Access> {
        let register = self.schedule.place(value)?;
        let width = self.body.kind(value).width;
        let (space, words) = match register {
            Register::Words { bank, .. } => {
                (bank as usize, u32::from(width.words()) * CYCLES as u32)
            }
            Register::T => (T, 1),
            Register::Flags { .. } => (FLAGS, 1),
        };
        Some(Access {
            space,
            place: AccessAddress::Slot(register, width),
            runs: whole(words),
            write,
            owner: Some(value.0 as usize),
            set: 0xff,
        })
    }

    fn constant(&self, number: usize, constant: &Constant, write: bool) -> Access {
        Access {
            space: constant.bank as usize,
            place: AccessAddress::At(Address::fixed(constant.address.into())),
            runs: whole(Width::Long.words().into()),
            write,
            owner: Some(self.body.values.len() + number),
            set: 0xff,
        }
    }
}

/// Adds the accesses of an item to memories outside of the L1 blocks.
fn add_regions(item: &Item, accesses: &mut Vec<Access>) {
    for (region, address, write) in regions::item_regions(item) {
        accesses.push(Access {
            space: region_space(region.memory),
            place: AccessAddress::At(address.clone()),
            runs: whole((region.words.end - region.words.start) as u32),
            write,
            owner: None,
            set: region.set,
        });
    }
}

/// Returns the range of this many words from an address on.
fn whole(words: u32) -> Vec<Range<u32>> {
    std::iter::once(0..words).collect()
}
