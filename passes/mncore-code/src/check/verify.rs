//! Translation validation: checks that a schedule preserves the sequential meaning of its body.
//!
//! It is independent of the scheduler except for dependence analysis
//! ([`crate::analysis::dependence`]) and the list of writers and readers of values
//! (`analysis/def_use.rs`). Checked are the dependence edges and the words that values and
//! constants occupy. The contents of registers are simulated step by step: each reader must find
//! the value of its own iteration.
//!
//! Latencies, ports and the encoding of words are not checked here, but for every emitted statement
//! ([`crate::program`]).
//!
//! Iterations differ in their guards only. The simulation therefore covers enough of them to fill
//! the pipeline and to wrap every ring; items whose guards fail count as executed.

use tessera_isa_mncore::memory::{Bank, CYCLES};
use tessera_mncore_ir::words::addressed_words;
use thiserror::Error;

use crate::analysis::def_use::{self, DefUse};
use crate::analysis::dependence::{self, DependenceError};
use tessera_mncore_ir::address::gcd;
use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::{Source, Value};
use tessera_mncore_ir::schedule::{Register, Schedule};

/// A violation that [`verify`] reports.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum VerifyError {
    /// The schedule belongs to another body.
    #[error(
        "a schedule of {items} items and {values} values, of a body of {of_items} and {of_values}"
    )]
    Foreign {
        /// Items in the schedule.
        items: usize,
        /// Values in the schedule.
        values: usize,
        /// Items of the body.
        of_items: usize,
        /// Values of the body.
        of_values: usize,
    },
    /// Dependence analysis failed.
    #[error(transparent)]
    Dependence(#[from] DependenceError),
    /// An item issues too early after another.
    #[error("item {to} issues {found} steps after item {from} of {distance} iterations before, which is less than {wanted}")]
    Order {
        /// The item that must come first.
        from: usize,
        /// The item that must come later.
        to: usize,
        /// Iterations between the two.
        distance: u32,
        /// Steps between the two.
        found: i64,
        /// Least number of steps between the two.
        wanted: i64,
    },
    /// A value is not where an item reads it.
    #[error(
        "item {item} reads value {value} in step {step} of iteration {iteration}, where {place}"
    )]
    Lost {
        /// The reader, or the item that overwrites a part of the value.
        item: usize,
        /// The value's number; the word of a constant without a register.
        value: u32,
        /// The step from the beginning of the iteration.
        step: u32,
        /// The iteration.
        iteration: u64,
        /// The violation.
        place: &'static str,
    },
    /// A constant is overwritten.
    #[error("constant {word:#010x} in {memory} {address} is overwritten in step {step}")]
    Constant {
        /// The constant.
        word: u32,
        /// The memory.
        memory: &'static str,
        /// Its address.
        address: u16,
        /// The step of the loop.
        step: u64,
    },
    /// A register is outside the words that the schedule may use.
    #[error("{memory} {address}, which the body names or which is reserved, is given to {what}")]
    Taken {
        /// The memory.
        memory: &'static str,
        /// The word.
        address: u16,
        /// The value or constant that was given the word.
        what: String,
    },
}

/// Checks that a schedule preserves the meaning of its body.
///
/// # Errors
/// The first thing that is wrong: see [`VerifyError`].
pub fn verify(schedule: &Schedule, body: &Body) -> Result<(), VerifyError> {
    if (schedule.at.len(), schedule.places.len()) != (body.items.len(), body.values.len()) {
        return Err(VerifyError::Foreign {
            items: schedule.at.len(),
            values: schedule.places.len(),
            of_items: body.items.len(),
            of_values: body.values.len(),
        });
    }
    verify_order(schedule, body)?;
    verify_words(schedule, body)?;
    Registers::new(schedule, body).run()
}

fn verify_order(schedule: &Schedule, body: &Body) -> Result<(), VerifyError> {
    let apart = |from: usize, to: usize, distance: u32| {
        i64::from(schedule.at[to]) - i64::from(schedule.at[from])
            + i64::from(distance) * i64::from(schedule.ii)
    };
    for edge in dependence::dependences(body)? {
        let found = apart(edge.from, edge.to, edge.distance);
        if found < i64::from(edge.steps) {
            return Err(VerifyError::Order {
                from: edge.from,
                to: edge.to,
                distance: edge.distance,
                found,
                wanted: edge.steps.into(),
            });
        }
    }
    Ok(())
}

/// Checks that registers avoid the words that the body addresses and those that are reserved.
fn verify_words(schedule: &Schedule, body: &Body) -> Result<(), VerifyError> {
    let mut taken = addressed_words(body);
    for (bank, range) in &schedule.reserved {
        let range = usize::from(range.start)..usize::from(range.end.min(bank.words()));
        taken[*bank as usize][range].fill(true);
    }
    let free = |bank: Bank, first: u16, count: u16, what: &dyn Fn() -> String| {
        let words = first..first.saturating_add(count);
        let bad = words.into_iter().find(|&word| {
            taken[bank as usize]
                .get(usize::from(word))
                .is_none_or(|taken| *taken)
        });
        bad.map_or(Ok(()), |address| {
            Err(VerifyError::Taken {
                memory: bank.name(),
                address,
                what: what(),
            })
        })
    };
    for (value, place) in schedule.places.iter().enumerate() {
        if let Some(Register::Words { bank, first, slots }) = *place {
            let words = body.values[value].width.words() * CYCLES as u16 * slots;
            free(bank, first, words, &|| format!("value {value}"))?;
        }
    }
    for constant in &schedule.constants {
        let what = || format!("constant {:#010x}", constant.word);
        free(constant.bank, constant.address, 2, &what)?;
    }
    Ok(())
}

/// The content of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    Nothing,
    /// A value of an iteration, after this number of its writers.
    Value(u32, u64, usize),
    /// The number of a constant.
    Constant(usize),
}

/// The simulated contents of all registers.
struct Registers<'a> {
    schedule: &'a Schedule,
    body: &'a Body,
    uses: Vec<DefUse>,
    words: [Vec<Content>; 4],
    t: Content,
    flags: [Content; 16],
}

impl<'a> Registers<'a> {
    fn new(schedule: &'a Schedule, body: &'a Body) -> Self {
        let mut words = Bank::ALL.map(|bank| vec![Content::Nothing; bank.words().into()]);
        for (number, constant) in schedule.constants.iter().enumerate() {
            let first = usize::from(constant.address);
            words[constant.bank as usize][first..first + 2].fill(Content::Constant(number));
        }
        Registers {
            schedule,
            body,
            uses: def_use::def_uses(body),
            words,
            t: Content::Nothing,
            flags: [Content::Nothing; 16],
        }
    }

    /// Returns the number of iterations to simulate: all rings wrap, and the pipeline fills and
    /// drains.
    fn iterations(&self) -> u64 {
        let slots = self.schedule.places.iter().map(|place| match place {
            Some(Register::Words { slots, .. }) => u64::from(*slots).max(1),
            Some(Register::Flags { slots, .. }) => u64::from(*slots).max(1),
            _ => 1,
        });
        let round = slots.fold(1, |round, slots| {
            (round / gcd(round, slots)).saturating_mul(slots)
        });
        let stages = u64::from(self.schedule.length() / self.schedule.ii.max(1)) + 1;
        self.body
            .iterations()
            .min(round.saturating_mul(2).saturating_add(2 * stages))
    }

    fn run(&mut self) -> Result<(), VerifyError> {
        let ii = u64::from(self.schedule.ii.max(1));
        let iterations = self.iterations();
        let mut order: Vec<usize> = (0..self.body.items.len()).collect();
        order.sort_by_key(|&item| self.schedule.at[item]);
        let length = u64::from(self.schedule.length());
        for step in 0..(iterations.saturating_sub(1)) * ii + length {
            // A step reads everything before it writes anything.
            for write in [false, true] {
                for &item in &order {
                    let at = u64::from(self.schedule.at[item]);
                    let Some(since) = step.checked_sub(at).filter(|since| since % ii == 0) else {
                        continue;
                    };
                    let iteration = since / ii;
                    if iteration >= iterations {
                        continue;
                    }
                    if write {
                        self.write(item, iteration, step)?;
                    } else {
                        self.read(item, iteration)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn read(&self, item: usize, iteration: u64) -> Result<(), VerifyError> {
        for value in self.body.items[item].reads() {
            if self.is_forwarded(value, item) {
                continue;
            }
            let lost = |place| {
                Err(VerifyError::Lost {
                    item,
                    value: value.0,
                    step: self.schedule.at[item],
                    iteration,
                    place,
                })
            };
            let written = self.written_before(value, item);
            let wanted = Content::Value(value.0, iteration, written);
            let Some(register) = self.schedule.place(value) else {
                return lost("it has no register and is not forwarded");
            };
            if self
                .contents(value, register, iteration)
                .any(|content| content != wanted)
            {
                return lost("its register holds something else");
            }
        }
        for input in &self.body.items[item].inputs {
            if let Source::Constant(word) = input.source {
                let mut constants = self.schedule.constants.iter();
                if !constants.any(|constant| constant.word == word) {
                    return Err(VerifyError::Lost {
                        item,
                        value: word,
                        step: self.schedule.at[item],
                        iteration,
                        place: "there is no such constant",
                    });
                }
            }
        }
        Ok(())
    }

    /// Returns whether an item reads a value from a forwarding register: its only writer issues in
    /// the step before.
    fn is_forwarded(&self, value: Value, item: usize) -> bool {
        let uses = &self.uses[value.0 as usize];
        let next = uses
            .writers
            .first()
            .map(|&writer| self.schedule.at[writer] + 1);
        let flags = self.body.kind(value).home == Home::Flags;
        !flags && uses.writers.len() == 1 && next == Some(self.schedule.at[item])
    }

    /// Returns how many writers of a value precede an item in the body.
    fn written_before(&self, value: Value, item: usize) -> usize {
        let writers = self.uses[value.0 as usize].writers.iter();
        writers.filter(|&&writer| writer < item).count()
    }

    fn contents(
        &self,
        value: Value,
        register: Register,
        iteration: u64,
    ) -> impl Iterator<Item = Content> + '_ {
        let width = self.body.kind(value).width;
        let first = usize::from(register.address(width, iteration));
        let words = match register {
            Register::Words { bank, .. } => {
                &self.words[bank as usize][first..first + usize::from(width.words()) * CYCLES]
            }
            Register::T => std::slice::from_ref(&self.t),
            Register::Flags { .. } => std::slice::from_ref(&self.flags[first & 15]),
        };
        words.iter().copied()
    }

    fn write(&mut self, item: usize, iteration: u64, step: u64) -> Result<(), VerifyError> {
        let body = self.body;
        for value in body.items[item].writes() {
            let Some(register) = self.schedule.place(value) else {
                continue;
            };
            let before = self.written_before(value, item);
            let partly = Content::Value(value.0, iteration, before);
            if before > 0
                && self
                    .contents(value, register, iteration)
                    .any(|c| c != partly)
            {
                return Err(VerifyError::Lost {
                    item,
                    value: value.0,
                    step: self.schedule.at[item],
                    iteration,
                    place: "its register does not hold what is written in part",
                });
            }
            let width = body.kind(value).width;
            let first = usize::from(register.address(width, iteration));
            let words = match register {
                Register::Words { bank, .. } => {
                    let end = first + usize::from(width.words()) * CYCLES;
                    &mut self.words[bank as usize][first..end]
                }
                Register::T => std::slice::from_mut(&mut self.t),
                Register::Flags { .. } => std::slice::from_mut(&mut self.flags[first & 15]),
            };
            for word in words {
                if let Content::Constant(number) = *word {
                    let constant = &self.schedule.constants[number];
                    return Err(VerifyError::Constant {
                        word: constant.word,
                        memory: constant.bank.name(),
                        address: constant.address,
                        step,
                    });
                }
                *word = Content::Value(value.0, iteration, before + 1);
            }
        }
        Ok(())
    }
}
