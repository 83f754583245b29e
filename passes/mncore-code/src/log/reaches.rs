//! What the items of a scheduled loop touch: places they name, registers of values, constants, what
//! MV instructions move.

use std::ops::Range;
use std::rc::Rc;

use tessera_isa_mncore::memory::{Width, CYCLES};

use super::areas::{outside, FLAGS, T};
use crate::dependence::touches::{touches_of, Touch};
use crate::dependence::DependenceError;
use crate::emit::{Emitter, Reads};
use crate::probe;
use crate::regions;
use tessera_mncore_ir::address::{common_divisor, Address};
use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::item::{Item, Source, Target, Value};
use tessera_mncore_ir::schedule::{Constant, Register, Schedule};

/// An access to a memory.
#[derive(Clone, Debug)]
pub(super) struct Reach {
    pub space: usize,
    pub place: Place,
    /// Words from there.
    pub runs: Vec<Range<u32>>,
    pub write: bool,
    /// Whose content it is: of a value or a constant, see [`Reaches`]; else of the place.
    pub owner: Option<usize>,
    /// The instances of the memory.
    pub set: u8,
}

/// Where an access is.
#[derive(Clone, Debug)]
pub(super) enum Place {
    At(Address),
    Slot(Register, Width),
}

impl Reach {
    /// A number of words that addresses and sizes are multiples of.
    pub fn grain(&self) -> u32 {
        let runs = self.runs.iter().flat_map(|run| [run.start, run.end]);
        let (own, steps): (_, &[u32]) = match &self.place {
            Place::At(address) => {
                let ring = address.ring.unwrap_or(0);
                ([address.offset, address.base, ring], &address.steps)
            }
            Place::Slot(register, width) => {
                let first = register.address(*width, 0).into();
                let second = register.address(*width, 1).into();
                ([first, second, 0], &[])
            }
        };
        let all = runs.chain(own).chain(steps.iter().copied());
        all.fold(0, common_divisor)
    }

    fn by(touch: Touch, owner: Option<usize>) -> Vec<Reach> {
        let mut words: Vec<u32> = touch.parts.iter().map(|part| part.offset).collect();
        words.sort_unstable();
        words.dedup();
        let mut runs: Vec<Range<u32>> = Vec::new();
        for word in words {
            match runs.last_mut() {
                Some(run) if run.end == word => run.end += 1,
                _ => runs.push(word..word + 1),
            }
        }
        let reach = |write| Reach {
            space: touch.space,
            place: Place::At(touch.address.clone()),
            runs: runs.clone(),
            write,
            owner,
            set: touch.set,
        };
        // What is written in part keeps the rest.
        match (touch.write, touch.whole) {
            (true, false) => vec![reach(false), reach(true)],
            (write, _) => vec![reach(write)],
        }
    }
}

/// A loop, with what it touches.
pub(super) struct Followed<'a> {
    pub name: Rc<str>,
    /// Which of the program it is.
    pub number: usize,
    pub body: &'a Body,
    pub schedule: &'a Schedule,
    pub reaches: Reaches,
}

/// What a loop touches.
#[derive(Clone, Debug)]
pub(super) struct Reaches {
    /// Of each item, reads first.
    pub items: Vec<Vec<Reach>>,
    /// The loads of constants, which are numbered behind the values.
    pub constants: Vec<Reach>,
    /// Values and constants.
    pub owners: usize,
}

impl Reaches {
    pub fn of(body: &Body, schedule: &Schedule) -> Result<Self, DependenceError> {
        let bare = probe::bare(body);
        let emitter = Emitter::reading(body, &bare, Reads::Forwards);
        let scheduled = Emitter::reading(body, schedule, Reads::AsScheduled);
        let values = Values {
            body,
            schedule,
            emitter: &scheduled,
        };
        let item = |(number, item): (usize, &Item)| -> Result<_, DependenceError> {
            let touches = touches_of(item, &emitter, number)?;
            let mut reaches: Vec<Reach> = touches
                .into_iter()
                .flat_map(|touch| Reach::by(touch, None))
                .collect();
            values.add(number, item, &mut reaches);
            around(item, &mut reaches);
            reaches.sort_by_key(|reach| reach.write);
            Ok(reaches)
        };
        let constants = schedule.constants.iter().enumerate();
        Ok(Reaches {
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

/// Where the values of a loop are.
struct Values<'a> {
    body: &'a Body,
    schedule: &'a Schedule,
    emitter: &'a Emitter<'a>,
}

impl Values<'_> {
    fn add(&self, number: usize, item: &Item, reaches: &mut Vec<Reach>) {
        for value in item.reads() {
            if !self.emitter.is_forwarded(value, number) {
                reaches.extend(self.value(value, false));
            }
        }
        for input in &item.inputs {
            let Source::Constant(word) = input.source else {
                continue;
            };
            let mut known = self.schedule.constants.iter().enumerate();
            let found = known.find(|(_, constant)| constant.word == word);
            reaches.extend(found.map(|(at, constant)| self.constant(at, constant, false)));
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
                reaches.extend(self.value(value, false));
            }
            reaches.extend(self.value(value, true));
        }
    }

    fn value(&self, value: Value, write: bool) -> Option<Reach> {
        let register = self.schedule.place(value)?;
        let width = self.body.kind(value).width;
        let (space, words) = match register {
            Register::Words { bank, .. } => {
                (bank as usize, u32::from(width.words()) * CYCLES as u32)
            }
            Register::T => (T, 1),
            Register::Flags { .. } => (FLAGS, 1),
        };
        Some(Reach {
            space,
            place: Place::Slot(register, width),
            runs: whole(words),
            write,
            owner: Some(value.0 as usize),
            set: 0xff,
        })
    }

    fn constant(&self, number: usize, constant: &Constant, write: bool) -> Reach {
        Reach {
            space: constant.bank as usize,
            place: Place::At(Address::fixed(constant.address.into())),
            runs: whole(Width::Long.words().into()),
            write,
            owner: Some(self.body.values.len() + number),
            set: 0xff,
        }
    }
}

/// What an item touches outside of the L1 blocks.
fn around(item: &Item, reaches: &mut Vec<Reach>) {
    for (region, address, write) in regions::of_item(item) {
        reaches.push(Reach {
            space: outside(region.memory),
            place: Place::At(address.clone()),
            runs: whole((region.words.end - region.words.start) as u32),
            write,
            owner: None,
            set: region.set,
        });
    }
}

/// All words from an address on.
fn whole(words: u32) -> Vec<Range<u32>> {
    std::iter::once(0..words).collect()
}
