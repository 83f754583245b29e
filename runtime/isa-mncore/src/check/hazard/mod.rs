//! Hazard detection: minimum distances between dependent statements (manual, section 3.6.3).
//! Implements nine rules, exact to the cycle and the word.
//!
//! Time is the number of PE statements. An MV instruction is issued immediately before the next PE
//! statement in the text. Nothing else takes time; a `wait` may delay issue but is assumed not to.
//! No rule reaches back more than three steps, so checking is a sliding window with constant work
//! per step.
//!
//! A fixed mask excludes the words it does not write; a mask for one long word writes the lower
//! long word in every cycle (3.6.2). A mask register is assumed to write in every cycle. The port
//! rule of local memories applies to whole steps whatever the mask, unless a fixed mask suppresses
//! all cycles.
//!
//! Choices where the manual is silent: every access to a local memory reads its base address
//! register, whatever the mask, and that register has the latency of the other PE memories (seven
//! cycles). A read of the turn-around register is not a read of L1BM.

mod effects;
mod rules;

use std::collections::VecDeque;
use std::ops::Range;

use crate::ast::{Program, Statement, StatementKind};
use crate::diagnostic::Diagnostic;
pub use effects::{writable_words, Effects, L1Access, L1Kind};

/// A pair of statements that are too close to each other.
#[derive(Clone, Debug)]
pub struct Hazard {
    /// The index of the later statement in the program.
    pub statement: usize,
    /// The number of `nop`s to insert before it.
    pub nops: u32,
    /// The message for the user.
    pub diagnostic: Diagnostic,
}

/// The number of earlier steps with which a step can conflict.
const WINDOW: usize = 3;

/// Returns all hazards in program order; for each statement only the one that needs the most
/// `nop`s.
pub fn hazards(program: &Program) -> Vec<Hazard> {
    let mut found = Vec::new();
    walk(program, |hazard| {
        found.push(hazard);
        0
    });
    found
}

/// Returns the statements before which `nop`s are required, with their counts. The total is
/// minimal.
pub fn required_nops(program: &Program) -> Vec<(usize, u32)> {
    let mut found = Vec::new();
    walk(program, |hazard| {
        found.push((hazard.statement, hazard.nops));
        hazard.nops
    });
    found
}

/// Inserts the `nop`s of [`required_nops`] into a program and returns how many were inserted.
pub fn insert_nops(program: &mut Program) -> u32 {
    let missing = required_nops(program);
    let mut old = std::mem::take(&mut program.statements).into_iter();
    let mut taken = 0;
    for &(before, nops) in &missing {
        program.statements.extend(old.by_ref().take(before - taken));
        taken = before;
        let nops = vec![Statement::nop(); nops as usize];
        program.statements.extend(nops);
    }
    program.statements.extend(old);
    missing.iter().map(|(_, nops)| nops).sum()
}

/// A sliding window over a statement stream: the last steps with which the next one can conflict.
#[derive(Debug, Default)]
pub struct Window {
    past: VecDeque<(u64, Effects)>,
    now: u64,
}

impl Window {
    /// Returns the number of steps so far.
    pub fn step_count(&self) -> u64 {
        self.now
    }

    /// Returns the memory accesses of a statement; `None` for a control statement.
    pub fn statement_effects(statement: &StatementKind) -> Option<Effects> {
        match statement {
            StatementKind::Step(step) => Some(Effects::from_step(step)),
            StatementKind::Mv(mv) => mv.transfer.as_ref().map(Effects::from_mv),
            _ => None,
        }
    }

    /// Returns the hazard of the next statement that needs the most `nop`s, with that number. Only
    /// earlier steps whose time is in `time` are considered.
    pub fn worst_hazard(&self, effects: &Effects, time: Range<u64>) -> Option<(u32, Diagnostic)> {
        let past = self.past.iter().filter(|(then, _)| time.contains(then));
        past.filter_map(|(then, earlier)| effects.hazard_after(earlier, self.now - then))
            .max_by_key(|(nops, _)| *nops)
    }

    /// Advances time by `nops` steps that access nothing.
    pub fn push_nops(&mut self, nops: u32) {
        self.now += u64::from(nops);
        self.forget();
    }

    /// Adds a step to the window.
    pub fn push_step(&mut self, effects: Effects) {
        self.past.push_back((self.now, effects));
        self.now += 1;
        self.forget();
    }

    fn forget(&mut self) {
        let old = |then: u64| self.now - then > WINDOW as u64;
        while self.past.front().is_some_and(|(then, _)| old(*then)) {
            self.past.pop_front();
        }
    }
}

/// Walks through a program; `on_hazard` returns how many steps are inserted before the statement.
fn walk(program: &Program, mut on_hazard: impl FnMut(Hazard) -> u32) {
    let mut window = Window::default();
    for (statement, item) in program.statements.iter().enumerate() {
        let Some(effects) = Window::statement_effects(&item.kind) else {
            continue;
        };
        if let Some((nops, diagnostic)) = window.worst_hazard(&effects, 0..u64::MAX) {
            window.push_nops(on_hazard(Hazard {
                statement,
                nops,
                diagnostic,
            }));
        }
        if matches!(item.kind, StatementKind::Step(_)) {
            window.push_step(effects);
        }
    }
}

#[cfg(test)]
mod tests;
