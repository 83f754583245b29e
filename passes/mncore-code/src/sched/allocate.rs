//! Register allocation by modulo variable expansion.
//!
//! A value whose live range exceeds the initiation interval is live in several iterations at once.
//! It therefore gets a ring of registers, one for each overlapping iteration, which the iterations
//! use in turn (M. Lam, "Software pipelining", PLDI 1988). Rings of the same shape share registers
//! if their live ranges never overlap. Rings are allocated first-fit, those with most slots first.
//!
//! A step reads before it writes. A live range therefore ends at its last read, and another may
//! begin with a write in that step.

use std::ops::Range;

use tessera_isa_mncore::memory::{Bank, Width};
use tessera_mncore_ir::words::addressed_words;

use super::plan::Plan;
use crate::ir::plan_options::StorageClass;
use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::schedule::{Constant, Register, Schedule};

/// A value or constant for which no register is free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OutOfRegisters {
    /// The value's number; `usize::MAX` for a constant.
    pub value: usize,
    /// The memory's name.
    pub memory: &'static str,
    /// The words that it needs; of the T register and mask registers, their number.
    pub words: u32,
    /// The words that are still free when it is allocated; the total number of T or mask registers.
    pub size: u32,
}

/// Assigns registers to the values and constants of a placed loop.
///
/// Constants come first. If the memory assigned to a constant is full, a register file takes it.
pub(crate) fn allocate(
    plan: &Plan,
    at: Vec<u32>,
    ii: u32,
    reserved: &[(Bank, Range<u16>)],
) -> Result<Schedule, OutOfRegisters> {
    let mut free = FreeWords::new(plan.body, reserved);
    let mut constants = Vec::new();
    for &(word, bank) in &plan.constants {
        let words = u32::from(Width::Long.words());
        let found = free
            .allocate(bank, words)
            .or_else(|| free.allocate(other_file(bank), words));
        let (bank, address) = found.ok_or(OutOfRegisters {
            value: usize::MAX,
            memory: bank.name(),
            words,
            size: free.count(bank),
        })?;
        constants.push(Constant {
            word,
            bank,
            address,
        });
    }
    let mut ranges = live_ranges(plan, &at, ii);
    // The rings with most slots first, then in the order of time.
    ranges.sort_by_key(|range| (std::cmp::Reverse(range.slots), range.from, range.value));
    let mut places = vec![None; plan.body.values.len()];
    let mut rings: Vec<MveRing> = Vec::new();
    for range in &ranges {
        let place = match plan.storage[range.value] {
            StorageClass::Forwarded => None,
            StorageClass::Bank(bank) => {
                Some(free.allocate_ring(bank, range, &mut rings, plan, ii)?)
            }
            StorageClass::T => Some(allocate_t_register(range, &mut rings, plan, ii)?),
            StorageClass::Flags => Some(allocate_mask_registers(range, &mut rings, plan, ii)?),
        };
        places[range.value] = place;
    }
    Ok(Schedule {
        ii,
        at,
        places,
        constants,
        reserved: reserved.to_vec(),
    })
}

/// The free words below which a register file is not a candidate for values.
const MIN_FREE_WORDS: u32 = 64;

/// Returns whether GRF0 and GRF1 have enough free words to hold values. If neither has, both count
/// as usable, so that allocation fails with the number of missing words.
pub(crate) fn usable_register_files(body: &Body, reserved: &[(Bank, Range<u16>)]) -> [bool; 2] {
    let free = FreeWords::new(body, reserved);
    let files = [Bank::Grf0, Bank::Grf1].map(|bank| free.count(bank) >= MIN_FREE_WORDS);
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

/// The live range of a value, in steps of its iteration, and the iterations in which it is live at
/// once.
#[derive(Clone, Copy, Debug)]
struct LiveRange {
    value: usize,
    from: u32,
    to: u32,
    slots: u32,
}

/// A ring of registers for modulo variable expansion, shared by values with disjoint live ranges.
#[derive(Debug)]
struct MveRing {
    storage: StorageClass,
    first: u16,
    words: u32,
    slots: u32,
    ranges: Vec<LiveRange>,
}

/// Returns the live ranges of all values that some item reads from a register. A range extends at
/// least to the step after the last write.
fn live_ranges(plan: &Plan, at: &[u32], ii: u32) -> Vec<LiveRange> {
    let values = plan.uses.iter().enumerate();
    let range_of = |(value, uses): (usize, &crate::analysis::def_use::DefUse)| {
        if plan.storage[value] == StorageClass::Forwarded {
            return None;
        }
        let from = at[*uses.writers.first()?];
        let late = |&&reader: &&usize| !uses.can_forward || at[reader] != from + 1;
        let last = uses
            .readers
            .iter()
            .filter(late)
            .map(|&reader| at[reader])
            .max()?;
        let last = uses.writers.iter().map(|&w| at[w] + 1).max()?.max(last);
        Some(LiveRange {
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
    values.filter_map(range_of).collect()
}

impl LiveRange {
    /// Returns whether two live ranges in rings of the same size never overlap. `single` means that
    /// the loop has one iteration.
    fn is_disjoint(&self, other: &LiveRange, ii: u32, single: bool) -> bool {
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

/// Adds a live range to an existing ring of the same shape whose others are disjoint from it;
/// returns the ring's first word.
fn join_ring(
    range: &LiveRange,
    storage: StorageClass,
    words: u32,
    rings: &mut [MveRing],
    plan: &Plan,
    ii: u32,
) -> Option<u16> {
    let single = plan.body.iterations() <= 1;
    let ring = rings.iter_mut().find(|ring| {
        ring.storage == storage
            && ring.words == words
            && ring.slots == range.slots
            && ring
                .ranges
                .iter()
                .all(|other| other.is_disjoint(range, ii, single))
    })?;
    ring.ranges.push(*range);
    Some(ring.first)
}

/// Assigns the T register, a ring of one slot.
fn allocate_t_register(
    range: &LiveRange,
    rings: &mut Vec<MveRing>,
    plan: &Plan,
    ii: u32,
) -> Result<Register, OutOfRegisters> {
    let full = OutOfRegisters {
        value: range.value,
        memory: "the T register",
        words: range.slots,
        size: 1,
    };
    if range.slots > 1 {
        return Err(full);
    }
    if join_ring(range, StorageClass::T, 1, rings, plan, ii).is_some() {
        return Ok(Register::T);
    }
    if rings.iter().any(|ring| ring.storage == StorageClass::T) {
        return Err(full);
    }
    rings.push(MveRing {
        storage: StorageClass::T,
        first: 0,
        words: 1,
        slots: 1,
        ranges: vec![*range],
    });
    Ok(Register::T)
}

/// Assigns mask registers, of which there are 15.
fn allocate_mask_registers(
    range: &LiveRange,
    rings: &mut Vec<MveRing>,
    plan: &Plan,
    ii: u32,
) -> Result<Register, OutOfRegisters> {
    const REGISTERS: u32 = 15;
    let found = join_ring(range, StorageClass::Flags, 1, rings, plan, ii);
    let first = match found {
        Some(first) => first,
        None => {
            let taken: u32 = rings
                .iter()
                .filter(|r| r.storage == StorageClass::Flags)
                .map(|r| r.slots)
                .sum();
            if taken + range.slots > REGISTERS {
                return Err(OutOfRegisters {
                    value: range.value,
                    memory: "the mask registers",
                    words: range.slots,
                    size: REGISTERS,
                });
            }
            rings.push(MveRing {
                storage: StorageClass::Flags,
                first: taken as u16 + 1,
                words: 1,
                slots: range.slots,
                ranges: vec![*range],
            });
            taken as u16 + 1
        }
    };
    Ok(Register::Flags {
        first: first as u8,
        slots: range.slots as u8,
    })
}

/// The words of the PE memories that are still free.
struct FreeWords {
    taken: [Vec<bool>; 4],
}

impl FreeWords {
    fn new(body: &Body, reserved: &[(Bank, Range<u16>)]) -> Self {
        let mut free = FreeWords {
            taken: addressed_words(body),
        };
        for (bank, range) in reserved {
            let end = range.end.min(bank.words());
            free.taken[*bank as usize][range.start.min(end).into()..end.into()].fill(true);
        }
        free
    }

    fn count(&self, bank: Bank) -> u32 {
        self.taken[bank as usize]
            .iter()
            .filter(|taken| !**taken)
            .count() as u32
    }

    /// Allocates consecutive words, aligned to four words or to their number if that is smaller.
    fn allocate(&mut self, bank: Bank, words: u32) -> Option<(Bank, u16)> {
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

    /// Allocates a ring for a value, or joins one.
    fn allocate_ring(
        &mut self,
        bank: Bank,
        range: &LiveRange,
        rings: &mut Vec<MveRing>,
        plan: &Plan,
        ii: u32,
    ) -> Result<Register, OutOfRegisters> {
        let words = u32::from(plan.body.values[range.value].width.words()) * 4;
        let storage = StorageClass::Bank(bank);
        let first = match join_ring(range, storage, words, rings, plan, ii) {
            Some(first) => first,
            None => {
                let (_, first) =
                    self.allocate(bank, words * range.slots)
                        .ok_or(OutOfRegisters {
                            value: range.value,
                            memory: bank.name(),
                            words: words * range.slots,
                            size: self.count(bank),
                        })?;
                rings.push(MveRing {
                    storage,
                    first,
                    words,
                    slots: range.slots,
                    ranges: vec![*range],
                });
                first
            }
        };
        Ok(Register::Words {
            bank,
            first,
            slots: range.slots as u16,
        })
    }
}
