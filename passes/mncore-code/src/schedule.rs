//! When each item issues, and where each value lies.

use std::ops::Range;

use tessera_isa_mncore::memory::{Bank, Width};
use thiserror::Error;

use crate::allocate::{self, Full};
use crate::body::{Body, BodyError};
use crate::bounds;
use crate::dependence::{self, DependenceError};
use crate::emit::EmitError;
use crate::guards::Guards;
use crate::item::Value;
use crate::modulo;
use crate::plan::{Chains, Plan};
use crate::values::{self, Uses};

pub use crate::bounds::Bound;

/// A schedule of a body: iteration `n` begins `n · ii` steps after the first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// The initiation interval, in steps.
    pub ii: u32,
    /// The step of each item, from the beginning of its iteration.
    pub at: Vec<u32>,
    /// Where each value lies, if anywhere but in a forwarding register.
    pub places: Vec<Option<Register>>,
    /// Where constants lie.
    pub constants: Vec<Constant>,
    /// Words that both were kept out of.
    pub reserved: Vec<(Bank, Range<u16>)>,
}

/// Where a value lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Register {
    /// In a memory of a PE, in as many slots as iterations need it at once, one after the other.
    Words {
        /// The memory.
        bank: Bank,
        /// The first single word of the first slot.
        first: u16,
        /// How many slots.
        slots: u16,
    },
    /// In the T register.
    T,
    /// In mask registers, one after the other.
    Flags {
        /// The first, from 1 on.
        first: u8,
        /// How many.
        slots: u8,
    },
}

/// Where a constant lies: a long word that is read in all cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constant {
    /// Its word.
    pub word: u32,
    /// The memory.
    pub bank: Bank,
    /// The single word where it begins.
    pub address: u16,
}

impl Register {
    /// The address of a value of four words of a width in an iteration.
    pub fn address(self, width: Width, iteration: u64) -> u16 {
        match self {
            Register::Words { first, slots, .. } => {
                first + (iteration % u64::from(slots)) as u16 * width.words() * 4
            }
            Register::Flags { first, slots } => {
                u16::from(first) + (iteration % u64::from(slots)) as u16
            }
            Register::T => 0,
        }
    }
}

impl Schedule {
    /// Where a value lies.
    pub fn place(&self, value: Value) -> Option<Register> {
        self.places.get(value.0 as usize).copied().flatten()
    }

    /// Where a constant of so many words a cycle lies, in a memory that one does not mind.
    pub fn constant(&self, word: u32) -> Option<&Constant> {
        self.constants.iter().find(|constant| constant.word == word)
    }

    /// Steps from the first item of an iteration to its last, and one.
    pub fn length(&self) -> u32 {
        self.at.iter().max().map_or(0, |last| last + 1)
    }

    /// Steps of the whole loop.
    pub fn steps(&self, body: &Body) -> u64 {
        match body.iterations() {
            0 => 0,
            count => (count - 1) * u64::from(self.ii) + u64::from(self.length()),
        }
    }
}

/// What a scheduler is told.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Words that values and constants must not lie in, besides those that the body names.
    pub reserved: Vec<(Bank, Range<u16>)>,
}

/// What became of a schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The initiation interval.
    pub ii: u32,
    /// A lower bound for it.
    pub mii: u32,
    /// What the lower bound comes from.
    pub bound_by: Bound,
    /// Steps of an iteration, from its first item to its last.
    pub length: u32,
}

/// Why a body has no schedule.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ScheduleError {
    /// The body is none.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// The order of its items cannot be told.
    #[error(transparent)]
    Dependence(#[from] DependenceError),
    /// An item cannot be emitted.
    #[error(transparent)]
    Emit(#[from] EmitError),
    /// A value is read in an iteration in which it is not written.
    #[error("item {item} reads value {value} in iteration {iteration}, in which item {writer} does not write it; give both the same conditions")]
    Unissued {
        /// Who reads.
        item: usize,
        /// The value's number.
        value: u32,
        /// Who writes it.
        writer: usize,
        /// The first such iteration.
        iteration: u64,
    },
    /// A value, or a constant, has no place.
    #[error("{what} needs {words} of the words of {memory}, of which {size} are free, and a longer interval does not help; split the loop, or let the value lie elsewhere")]
    Full {
        /// The value, or that it is a constant.
        what: String,
        /// Where.
        memory: &'static str,
        /// Words it needs.
        words: u32,
        /// Words that are free.
        size: u32,
    },
    /// Items cannot be put in an order whatever the interval.
    #[error("{items} items have no order up to an interval of {ii} steps: items that are tied by forwarding are in one another's way; let a value lie in a register")]
    NoOrder {
        /// How many items.
        items: usize,
        /// The longest interval tried.
        ii: u32,
    },
}

/// Schedules a body: the shortest interval that is found, the first step that is found for each item.
///
/// # Errors
/// See [`ScheduleError`].
pub fn schedule(body: &Body, options: &Options) -> Result<(Schedule, Report), ScheduleError> {
    body.check()?;
    let uses = values::uses(body);
    let guards = Guards::new(body);
    check_guards(body, &uses, &guards)?;
    let edges = dependence::dependences(body)?;
    let plans = [Chains::All, Chains::None]
        .into_iter()
        .map(|chains| Plan::new(body, &uses, &guards, &edges, chains))
        .collect::<Result<Vec<_>, _>>()?;
    let (mii, bound_by) = bounds::least(&plans[1]);
    let most = bounds::most(&plans[1]).max(mii);
    let first = if body.iterations() > 1 { mii } else { most };
    let mut full = None;
    for ii in first..=most {
        for plan in &plans {
            let Some(at) = modulo::place(plan, ii) else {
                continue;
            };
            match allocate::allocate(plan, at, ii, &options.reserved) {
                Ok(schedule) => {
                    let length = schedule.length();
                    let report = Report {
                        ii,
                        mii,
                        bound_by,
                        length,
                    };
                    return Ok((schedule, report));
                }
                Err(error) => full = Some(error),
            }
        }
    }
    Err(match full {
        Some(full) => no_room(full),
        None => ScheduleError::NoOrder {
            items: body.items.len(),
            ii: most,
        },
    })
}

/// Steps that keep an item from seeing the one before it under way.
const APART: u32 = 3;

/// Schedules a body one item after the other, each with nothing else under way; what a forwarding register carries follows at once.
///
/// # Errors
/// See [`ScheduleError`].
pub fn sequential(body: &Body, reserved: &[(Bank, Range<u16>)]) -> Result<Schedule, ScheduleError> {
    body.check()?;
    let uses = values::uses(body);
    let guards = Guards::new(body);
    check_guards(body, &uses, &guards)?;
    let plan = Plan::new(body, &uses, &guards, &[], Chains::Adjacent)?;
    let mut groups: Vec<_> = plan.rigid.iter().collect();
    groups.sort_by_key(|group| group.members.iter().map(|member| member.0).min());
    let mut at = vec![0; body.items.len()];
    let mut next = APART;
    for group in groups {
        let last = group.members.iter().map(|&(_, step)| step as u32).max();
        for &(item, step) in &group.members {
            at[item] = next + step as u32;
        }
        next += last.unwrap_or(0) + 1 + APART;
    }
    allocate::allocate(&plan, at, next, reserved).map_err(no_room)
}

/// That values are written where they are read.
fn check_guards(body: &Body, uses: &[Uses], guards: &Guards) -> Result<(), ScheduleError> {
    for item in 0..body.items.len() {
        for value in body.items[item].reads() {
            let writer = uses[value.0 as usize].writers[0];
            if let Some(iteration) = guards.first_without(item, writer) {
                return Err(ScheduleError::Unissued {
                    item,
                    value: value.0,
                    writer,
                    iteration,
                });
            }
        }
    }
    Ok(())
}

fn no_room(full: Full) -> ScheduleError {
    let what = match full.value {
        usize::MAX => "a constant".to_owned(),
        value => format!("value {value}"),
    };
    ScheduleError::Full {
        what,
        memory: full.memory,
        words: full.words,
        size: full.size,
    }
}
