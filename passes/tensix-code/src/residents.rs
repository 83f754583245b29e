//! Constants that stay in LRegs during a loop.
//!
//! LRegs 8 to 10 hold constants of the hardware. SFPCONFIG can fill LRegs 11 to 14, which no other
//! instruction writes. Further constants take LRegs away from the allocator.

use std::collections::HashMap;

use crate::builder::SfpuBuilder;
use crate::virtual_inst::{Op, Operand, Reg, VirtualInst};

/// Number of allocatable LRegs.
const LREGS: u32 = 8;
/// LRegs with constant content (`LReg.md`).
const FIXED: [(u32, u32); 3] = [(8, 0x3F56_594B), (9, 0), (10, 0x3F80_0000)];
/// The LRegs that SFPCONFIG fills.
const CONFIGURABLE: std::ops::Range<u32> = 11..15;
/// The number of candidates among which those in configurable LRegs are chosen.
const MAX_CONSIDERED: usize = 7;
/// The least number of LRegs that the allocator keeps.
const MIN_FREE: u32 = 3;

/// LRegs with their constants, besides those of the hardware.
#[derive(Clone, Debug, Default)]
pub(crate) struct Residents {
    /// LRegs 11 to 14.
    pub configured: Vec<(u32, u32)>,
    /// Allocatable LRegs, the last ones.
    pub loaded: Vec<(u32, u32)>,
}

impl Residents {
    /// Returns the LReg that holds a constant.
    pub fn lreg(&self, number: u32) -> Option<u32> {
        let mut all = FIXED.iter().chain(&self.configured).chain(&self.loaded);
        all.find(|(_, resident)| *resident == number)
            .map(|(lreg, _)| *lreg)
    }

    /// Returns the LRegs left to the allocator.
    pub fn free(&self) -> impl DoubleEndedIterator<Item = u32> {
        0..LREGS - self.loaded.len() as u32
    }

    /// Returns the registers that only ever hold a resident constant. A store needs an LReg of its
    /// own.
    pub fn replaced_registers(&self, items: &[VirtualInst]) -> HashMap<Reg, u32> {
        let mut replaced = read_only(items);
        replaced.retain(|_, number| self.lreg(*number).is_some());
        replaced
    }
}

/// Returns the registers that only ever hold a constant, and are not stored.
fn read_only(items: &[VirtualInst]) -> HashMap<Reg, u32> {
    let mut found = HashMap::new();
    let mut written = HashMap::new();
    for item in items {
        for output in item.outputs() {
            *written.entry(output).or_insert(0) += 1;
        }
        if let (Op::Store(_), Some(Operand::Reg(reg))) = (item.op, item.reads.first()) {
            *written.entry(*reg).or_insert(0) += 1;
        }
        if let (Op::Constant(number), Some(dest), false) = (item.op, item.dest, item.reads_dest) {
            found.insert(dest, number);
        }
    }
    found.retain(|reg, _| written.get(reg) == Some(&1));
    found
}

/// Returns how many instructions load a constant.
pub(crate) fn load_length(number: u32) -> usize {
    crate::emit::immediates(number).len()
}

/// A constant of a program.
struct Candidate {
    number: u32,
    /// Instructions that a resident constant saves.
    saved: usize,
    /// Whether an instruction would overwrite it, unless it is in a configurable LReg.
    overwritten: bool,
}

fn candidates(code: &SfpuBuilder) -> Vec<Candidate> {
    let read_only = read_only(&code.items);
    let mut found: Vec<Candidate> = Vec::new();
    let mut add = |number: u32, saved: usize, overwritten: bool| {
        if Residents::default().lreg(number).is_some() {
            return;
        }
        match found.iter_mut().find(|one| one.number == number) {
            Some(one) => {
                one.saved += saved;
                one.overwritten |= overwritten;
            }
            None => found.push(Candidate {
                number,
                saved,
                overwritten,
            }),
        }
    };
    for item in &code.items {
        if let (Op::Constant(number), Some(dest)) = (item.op, item.dest) {
            // Others become copies.
            let copies = usize::from(!read_only.contains_key(&dest));
            add(number, load_length(number) - copies, false);
        }
        for read in &item.reads {
            if let Operand::Constant(number) = *read {
                let overwritten = matches!(item.op, Op::Min | Op::Max);
                add(number, load_length(number), overwritten);
            }
        }
    }
    found.retain(|one| one.saved > 0);
    found.sort_by_key(|one| std::cmp::Reverse(one.saved));
    found
}

/// Returns choices of resident constants, those that save the most instructions first. Any four of
/// the best candidates may be in configurable LRegs, and any number of others in further LRegs. A
/// choice that saves less may be needed because of where a program needs many LRegs.
pub(crate) fn choices(code: &SfpuBuilder) -> Vec<Residents> {
    let candidates = candidates(code);
    let best = candidates.len().min(MAX_CONSIDERED) as u32;
    let mut choices = Vec::new();
    for chosen in 0..1u32 << best {
        let is_configured = |index: usize| index < MAX_CONSIDERED && chosen >> index & 1 != 0;
        if chosen.count_ones() != best.min(CONFIGURABLE.len() as u32) {
            continue;
        }
        let numbered = || candidates.iter().enumerate();
        let configured = numbered().filter(|(index, _)| is_configured(*index));
        let rest = numbered().filter(|(index, one)| !is_configured(*index) && !one.overwritten);
        let configured: Vec<&Candidate> = configured.map(|(_, one)| one).collect();
        let rest: Vec<&Candidate> = rest.map(|(_, one)| one).collect();
        for count in 0..=rest.len().min((LREGS - MIN_FREE) as usize) {
            let loaded = &rest[..count];
            let saved: usize = configured.iter().chain(loaded).map(|one| one.saved).sum();
            let numbers =
                |of: &[&Candidate]| -> Vec<u32> { of.iter().map(|one| one.number).collect() };
            let residents = Residents {
                configured: CONFIGURABLE.zip(numbers(&configured)).collect(),
                loaded: (0..LREGS).rev().zip(numbers(loaded)).collect(),
            };
            choices.push((saved, residents));
        }
    }
    choices.sort_by_key(|(saved, _)| std::cmp::Reverse(*saved));
    let choices = choices.into_iter().map(|(_, residents)| residents);
    choices.chain([Residents::default()]).collect()
}
