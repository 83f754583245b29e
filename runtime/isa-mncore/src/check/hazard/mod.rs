//! What must not follow too closely (manual, section 3.6.3): nine rules, exact to the cycle and the word.
//!
//! Time is the number of PE statements; an MV instruction is issued right before the PE statement that follows it in the
//! text. Nothing else takes time: `wait` may hold issue, but need not. No rule looks back further than three steps.
//!
//! A fixed mask leaves out the words it does not write: a mask for one long word lets the lower one pass in every cycle (3.6.2). Of a
//! mask register every cycle is taken as written. The rule for local memories is about whole steps, whatever the mask, unless
//! it keeps back everything.
//!
//! Choices where the manual is silent: a base address register is read by every access to its memory, whatever the mask, and has the
//! latency of the other PE memories (seven cycles). A read of the turn-around register is no read of L1BM.

mod effects;
mod rules;

use std::collections::VecDeque;

use crate::ast::{Expression, Op, Program, Statement, StatementKind, Step};
use crate::diagnostic::{Diagnostic, Span};
pub use effects::{may_write, Effects, L1Access, L1Kind};

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

/// How many `nop` to put before which statements, so that there are no hazards: the fewest there can be.
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
    let nop = Step {
        expressions: vec![Expression {
            span: Span::default(),
            op: Op::Nop,
            zero_flush: None,
        }],
    };
    let mut old = std::mem::take(&mut program.statements).into_iter();
    let mut taken = 0;
    for &(before, nops) in &fixes {
        program.statements.extend(old.by_ref().take(before - taken));
        taken = before;
        let nop = Statement {
            span: Span::default(),
            kind: StatementKind::Step(nop.clone()),
        };
        program.statements.extend(vec![nop; nops as usize]);
    }
    program.statements.extend(old);
    fixes.iter().map(|(_, nops)| nops).sum()
}

/// Goes through a program; `on_hazard` answers how many steps are put before the statement.
fn walk(program: &Program, mut on_hazard: impl FnMut(Hazard) -> u32) {
    let mut past: VecDeque<(u64, Effects)> = VecDeque::new();
    let mut now = 0u64;
    for (statement, item) in program.statements.iter().enumerate() {
        let effects = match &item.kind {
            StatementKind::Step(step) => Effects::of_step(step),
            StatementKind::Mv(mv) => match &mv.transfer {
                Some(transfer) => Effects::of_mv(transfer),
                None => continue,
            },
            _ => continue,
        };
        let worst = past
            .iter()
            .filter_map(|(then, earlier)| {
                let steps = now - then;
                effects.after(earlier, steps)
            })
            .max_by_key(|(nops, _)| *nops);
        if let Some((nops, diagnostic)) = worst {
            now += u64::from(on_hazard(Hazard {
                statement,
                nops,
                diagnostic,
            }));
        }
        if matches!(item.kind, StatementKind::Step(_)) {
            past.push_back((now, effects));
            now += 1;
        }
        while past
            .front()
            .is_some_and(|(then, _)| now - then > WINDOW as u64)
        {
            past.pop_front();
        }
    }
}

#[cfg(test)]
mod tests;
