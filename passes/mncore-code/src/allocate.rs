//! Registers for the values of a scheduled loop.
//!
//! A value lies in a ring of slots, one iteration after the other (modulo variable expansion): as
//! many slots as iterations need it at once. Values with rings of the same shape share words if
//! they are never needed together. What is read in a step may be written in that step.

use std::ops::Range;

use tessera_isa_mncore::memory::{Bank, Width};
use tessera_mncore_ir::words::named_words;

use crate::plan::{Lies, Plan};
use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::schedule::{Constant, Register, Schedule};

/// A value that found no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full {
    /// The value.
    pub value: usize,
    /// Where.
    pub memory: &'static str,
    /// Words it needs.
    pub words: u32,
    /// Words in all, without those the body names and those that are reserved.
    pub size: u32,
}

/// Registers for steps.
pub(crate) fn allocate(
    plan: &Plan,
    at: Vec<u32>,
    ii: u32,
    reserved: &[(Bank, Range<u16>)],
) -> Result<Schedule, Full> {
    let mut memories = Memories::new(plan.body, reserved);
    let mut constants = Vec::new();
    for &(word, bank) in &plan.constants {
        let words = u32::from(Width::Long.words());
        let found = memories
            .take(bank, words)
            .or_else(|| memories.take(other_file(bank), words));
        let (bank, address) = found.ok_or(Full {
            value: usize::MAX,
            memory: bank.name(),
            words,
            size: memories.size(bank),
        })?;
        constants.push(Constant {
            word,
            bank,
            address,
        });
    }
    let mut lives = lives(plan, &at, ii);
    // The longest rings first, then in the order of time.
    lives.sort_by_key(|life| (std::cmp::Reverse(life.slots), life.from, life.value));
    let mut places = vec![None; plan.body.values.len()];
    let mut rings: Vec<Ring> = Vec::new();
    for life in &lives {
        let place = match plan.lies[life.value] {
            Lies::Forwarded => None,
            Lies::In(bank) => Some(memories.ring(bank, life, &mut rings, plan, ii)?),
            Lies::T => Some(one_ring(life, &mut rings, plan, ii)?),
            Lies::Flags => Some(flags(life, &mut rings, plan, ii)?),
        };
        places[life.value] = place;
    }
    Ok(Schedule {
        ii,
        at,
        places,
        constants,
        reserved: reserved.to_vec(),
    })
}

/// Words that a register file must have free to be a choice for values.
const ROOM: u32 = 64;

/// Whether GRF0 and GRF1 have room for values, besides what a body names and what is reserved. If
/// neither has, both are a choice: then a value that finds no place says how much is missing.
pub(crate) fn files(body: &Body, reserved: &[(Bank, Range<u16>)]) -> [bool; 2] {
    let memories = Memories::new(body, reserved);
    let files = [Bank::Grf0, Bank::Grf1].map(|bank| memories.size(bank) >= ROOM);
    if files == [false; 2] {
        [true; 2]
    } else {
        files
    }
}

fn other_file(bank: Bank) -> Bank {
    match bank {
        Bank::Grf0 => Bank::Grf1,
        _ => Bank::Grf0,
    }
}

/// From when to when a value is needed, in how many iterations at once.
#[derive(Clone, Copy, Debug)]
struct Life {
    value: usize,
    from: u32,
    to: u32,
    slots: u32,
}

/// Words that values take turns in.
#[derive(Debug)]
struct Ring {
    lies: Lies,
    first: u16,
    words: u32,
    slots: u32,
    lives: Vec<Life>,
}

/// The lives of values that are read from a register.
fn lives(plan: &Plan, at: &[u32], ii: u32) -> Vec<Life> {
    let values = plan.uses.iter().enumerate();
    let life = |(value, uses): (usize, &crate::values::Uses)| {
        if plan.lies[value] == Lies::Forwarded {
            return None;
        }
        let from = at[*uses.writers.first()?];
        let late = |&&reader: &&usize| !uses.forwards || at[reader] != from + 1;
        let last = uses
            .readers
            .iter()
            .filter(late)
            .map(|&reader| at[reader])
            .max()?;
        let last = uses.writers.iter().map(|&w| at[w] + 1).max()?.max(last);
        Some(Life {
            value,
            from,
            to: last,
            slots: if plan.body.iterations() <= 1 {
                1
            } else {
                (last - from).div_ceil(ii).max(1)
            },
        })
    };
    values.filter_map(life).collect()
}

impl Life {
    /// Whether two values of rings of the same size are never needed at once.
    fn misses(&self, other: &Life, ii: u32, single: bool) -> bool {
        if single {
            return self.to <= other.from || other.to <= self.from;
        }
        let period = i64::from(ii) * i64::from(self.slots);
        let apart = (i64::from(other.from) - i64::from(self.from)).rem_euclid(period);
        let (mine, theirs) = (
            i64::from(self.to - self.from),
            i64::from(other.to - other.from),
        );
        mine <= apart && apart + theirs <= period
    }
}

/// Joins a ring of the same shape, if there is one with room.
fn join(
    life: &Life,
    lies: Lies,
    words: u32,
    rings: &mut [Ring],
    plan: &Plan,
    ii: u32,
) -> Option<u16> {
    let single = plan.body.iterations() <= 1;
    let ring = rings.iter_mut().find(|ring| {
        ring.lies == lies
            && ring.words == words
            && ring.slots == life.slots
            && ring
                .lives
                .iter()
                .all(|other| other.misses(life, ii, single))
    })?;
    ring.lives.push(*life);
    Some(ring.first)
}

/// The T register: one slot.
fn one_ring(life: &Life, rings: &mut Vec<Ring>, plan: &Plan, ii: u32) -> Result<Register, Full> {
    let full = Full {
        value: life.value,
        memory: "the T register",
        words: life.slots,
        size: 1,
    };
    if life.slots > 1 {
        return Err(full);
    }
    if join(life, Lies::T, 1, rings, plan, ii).is_some() {
        return Ok(Register::T);
    }
    if rings.iter().any(|ring| ring.lies == Lies::T) {
        return Err(full);
    }
    rings.push(Ring {
        lies: Lies::T,
        first: 0,
        words: 1,
        slots: 1,
        lives: vec![*life],
    });
    Ok(Register::T)
}

/// Mask registers, of which there are 15.
fn flags(life: &Life, rings: &mut Vec<Ring>, plan: &Plan, ii: u32) -> Result<Register, Full> {
    const REGISTERS: u32 = 15;
    let found = join(life, Lies::Flags, 1, rings, plan, ii);
    let first = match found {
        Some(first) => first,
        None => {
            let taken: u32 = rings
                .iter()
                .filter(|r| r.lies == Lies::Flags)
                .map(|r| r.slots)
                .sum();
            if taken + life.slots > REGISTERS {
                return Err(Full {
                    value: life.value,
                    memory: "the mask registers",
                    words: life.slots,
                    size: REGISTERS,
                });
            }
            rings.push(Ring {
                lies: Lies::Flags,
                first: taken as u16 + 1,
                words: 1,
                slots: life.slots,
                lives: vec![*life],
            });
            taken as u16 + 1
        }
    };
    Ok(Register::Flags {
        first: first as u8,
        slots: life.slots as u8,
    })
}

/// Which words of PE memories are free.
struct Memories {
    taken: [Vec<bool>; 4],
}

impl Memories {
    fn new(body: &Body, reserved: &[(Bank, Range<u16>)]) -> Self {
        let mut memories = Memories {
            taken: named_words(body),
        };
        for (bank, range) in reserved {
            let end = range.end.min(bank.words());
            memories.taken[*bank as usize][range.start.min(end).into()..end.into()].fill(true);
        }
        memories
    }

    fn size(&self, bank: Bank) -> u32 {
        self.taken[bank as usize]
            .iter()
            .filter(|taken| !**taken)
            .count() as u32
    }

    /// Takes consecutive words; their address is a multiple of four if there are that many.
    fn take(&mut self, bank: Bank, words: u32) -> Option<(Bank, u16)> {
        let taken = &mut self.taken[bank as usize];
        let count = words as usize;
        let step = if count >= 4 { 4 } else { count };
        let fits = |&first: &usize| taken[first..first + count].iter().all(|taken| !taken);
        let first = (0..=taken.len().checked_sub(count)?)
            .step_by(step)
            .find(fits)?;
        taken[first..first + count].fill(true);
        Some((bank, first as u16))
    }

    /// A place for a value.
    fn ring(
        &mut self,
        bank: Bank,
        life: &Life,
        rings: &mut Vec<Ring>,
        plan: &Plan,
        ii: u32,
    ) -> Result<Register, Full> {
        let words = u32::from(plan.body.values[life.value].width.words()) * 4;
        let lies = Lies::In(bank);
        let first = match join(life, lies, words, rings, plan, ii) {
            Some(first) => first,
            None => {
                let (_, first) = self.take(bank, words * life.slots).ok_or(Full {
                    value: life.value,
                    memory: bank.name(),
                    words: words * life.slots,
                    size: self.size(bank),
                })?;
                rings.push(Ring {
                    lies,
                    first,
                    words,
                    slots: life.slots,
                    lives: vec![*life],
                });
                first
            }
        };
        Ok(Register::Words {
            bank,
            first,
            slots: life.slots as u16,
        })
    }
}
