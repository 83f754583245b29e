//! What must not follow too closely (manual, section 3.6.3): nine rules, exact to the cycle and the
//! word.
//!
//! Time is the number of PE statements; an MV instruction is issued right before the PE statement
//! that follows it in the text. Nothing else takes time: `wait` may hold issue, but need not. No
//! rule looks back further than three steps.
//!
//! A fixed mask leaves out the words it does not write: a mask for one long word lets the lower one
//! pass in every cycle (3.6.2). Of a mask register every cycle is taken as written. The rule for
//! local memories is about whole steps, whatever the mask, unless it keeps back everything.
//!
//! Choices where the manual is silent: a base address register is read by every access to its
//! memory, whatever the mask, and has the latency of the other PE memories (seven cycles). A read
//! of the turn-around register is no read of L1BM.

mod effects;
mod rules;

use std::collections::VecDeque;
use std::ops::Range;

use crate::ast::{Program, Statement, StatementKind};
use crate::diagnostic::Diagnostic;
pub use effects::{writable_words, Effects, L1Access, L1Kind};

/// Two statements too close to each other.
#[derive(Clone, Debug)]
pub struct Hazard {
    /// The later one's position in the program.
    pub statement: usize,
    /// How many `nop` before it suffice.
    pub nops: u32,
    /// For people.
    pub diagnostic: Diagnostic,
}

/// Steps that a later one can still be too close to.
const WINDOW: usize = 3;

/// All hazards of a program, in order; for each statement only that which needs most `nop`.
pub fn hazards(program: &Program) -> Vec<Hazard> {
    let mut found = Vec::new();
    walk(program, |hazard| {
        found.push(hazard);
        0
    });
    found
}

/// How many `nop` to put before which statements, so that there are no hazards: the fewest there
/// can be.
pub fn fixes(program: &Program) -> Vec<(usize, u32)> {
    let mut found = Vec::new();
    walk(program, |hazard| {
        found.push((hazard.statement, hazard.nops));
        hazard.nops
    });
    found
}

/// Puts the `nop`s of [`fixes`] into a program; tells how many.
pub fn fix(program: &mut Program) -> u32 {
    let fixes = fixes(program);
    let mut old = std::mem::take(&mut program.statements).into_iter();
    let mut taken = 0;
    for &(before, nops) in &fixes {
        program.statements.extend(old.by_ref().take(before - taken));
        taken = before;
        let nops = vec![Statement::nop(); nops as usize];
        program.statements.extend(nops);
    }
    program.statements.extend(old);
    fixes.iter().map(|(_, nops)| nops).sum()
}

/// The last steps of a stream of statements: what the next one can be too close to.
#[derive(Debug, Default)]
pub struct Window {
    past: VecDeque<(u64, Effects)>,
    now: u64,
}

impl Window {
    /// The steps so far.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// What the next statement does; nothing of a control statement.
    pub fn effects(statement: &StatementKind) -> Option<Effects> {
        match statement {
            StatementKind::Step(step) => Some(Effects::from_step(step)),
            StatementKind::Mv(mv) => mv.transfer.as_ref().map(Effects::from_mv),
            _ => None,
        }
    }

    /// The hazard of the next statement that needs most `nop`, with steps of this time: how many,
    /// and why.
    pub fn worst(&self, effects: &Effects, time: Range<u64>) -> Option<(u32, Diagnostic)> {
        let past = self.past.iter().filter(|(then, _)| time.contains(then));
        past.filter_map(|(then, earlier)| effects.after(earlier, self.now - then))
            .max_by_key(|(nops, _)| *nops)
    }

    /// That many `nop`.
    pub fn skip(&mut self, nops: u32) {
        self.now += u64::from(nops);
        self.forget();
    }

    /// A step.
    pub fn step(&mut self, effects: Effects) {
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

/// Goes through a program; `on_hazard` answers how many steps are put before the statement.
fn walk(program: &Program, mut on_hazard: impl FnMut(Hazard) -> u32) {
    let mut window = Window::default();
    for (statement, item) in program.statements.iter().enumerate() {
        let Some(effects) = Window::effects(&item.kind) else {
            continue;
        };
        if let Some((nops, diagnostic)) = window.worst(&effects, 0..u64::MAX) {
            window.skip(on_hazard(Hazard {
                statement,
                nops,
                diagnostic,
            }));
        }
        if matches!(item.kind, StatementKind::Step(_)) {
            window.step(effects);
        }
    }
}

#[cfg(test)]
mod tests;
