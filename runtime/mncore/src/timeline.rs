//! When the statements of a program run, as far as the manual tells: an estimate, for statistics
//! and traces.
//!
//! | what | how long | source |
//! |---|---|---|
//! | a step | four cycles | 1.2 |
//! | an MV instruction | its long words at the throughput of its mode | 3.5.8 |
//! | a `wait` | until the transfers it covers are complete | 3.6.13 |
//!
//! Not in the manual, and taken as nothing: the latency of transfers, refresh and turn-around of
//! DRAM, and what concurrent transfers do to one another (3.5.9). Transfers run one after the other
//! here, in the order of issue. Control statements take no time.

use tessera_isa_mncore::ast::{Op, Program, Statement, StatementKind, Transfer};

use crate::geometry::CYCLES;
use crate::trap::{Reason, Trap};

/// Cycles from the first to the one after the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The first.
    pub start: u64,
    /// The one after the last.
    pub end: u64,
}

/// The time, and the transfers under way.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    now: u64,
    /// When the last transfer issued is complete.
    transfers: u64,
    /// The transfers nobody waited for yet, in the order of issue.
    pending: Vec<Pending>,
}

/// A transfer that was issued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pending {
    /// Its tag; 0 is none.
    pub tag: u8,
    /// Its number in the order of issue, from 0.
    pub number: usize,
    /// When it moves its long words.
    pub moves: Interval,
}

/// What a statement does with time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tick {
    /// A step, and the transfers that its `wait` covers.
    Step(Interval, Vec<Pending>),
    /// An MV instruction, issued in this cycle.
    Transfer(u64, Pending),
    /// A statement that takes no time.
    Nothing,
}

impl Clock {
    /// The cycle in which the next statement is issued.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// The cycle in which everything so far is complete.
    pub fn end(&self) -> u64 {
        self.now.max(self.transfers)
    }

    /// The transfers that no `wait` covered.
    pub fn pending(&self) -> &[Pending] {
        &self.pending
    }

    /// Goes through a statement. `issued` counts the transfers before it.
    pub fn advance(&mut self, statement: &Statement, issued: usize) -> Tick {
        match &statement.kind {
            StatementKind::Step(step) => {
                let waits = step.expressions.iter().find_map(|one| match one.op {
                    Op::Wait(tag) => Some(tag),
                    _ => None,
                });
                let covered = waits.map_or_else(Vec::new, |tag| self.cover(tag));
                let complete = covered.iter().map(|pending| pending.moves.end).max();
                let start = self.now.max(complete.unwrap_or(0));
                self.now = start + CYCLES as u64;
                let step = Interval {
                    start,
                    end: self.now,
                };
                Tick::Step(step, covered)
            }
            StatementKind::Mv(mv) => {
                let Some(transfer) = &mv.transfer else {
                    return Tick::Nothing;
                };
                let start = self.end_of_transfers();
                let end = start + cycles(transfer);
                self.transfers = end;
                let pending = Pending {
                    tag: transfer.tag.unwrap_or(0),
                    number: issued,
                    moves: Interval { start, end },
                };
                self.pending.push(pending);
                Tick::Transfer(self.now, pending)
            }
            _ => Tick::Nothing,
        }
    }

    fn end_of_transfers(&self) -> u64 {
        self.now.max(self.transfers)
    }

    /// The transfer with a tag and those without one before it, which a `wait` for it covers as in
    /// [`crate::race`].
    fn cover(&mut self, tag: u8) -> Vec<Pending> {
        let Some(last) = self.pending.iter().position(|pending| pending.tag == tag) else {
            return Vec::new();
        };
        let last = self.pending[last].number;
        let covers =
            |pending: &Pending| pending.number == last || pending.number < last && pending.tag == 0;
        let (covered, rest) = self.pending.iter().partition(|pending| covers(pending));
        self.pending = rest;
        covered
    }
}

/// How long a transfer moves its long words, alone (3.5.8).
pub fn cycles(transfer: &Transfer) -> u64 {
    let (near, far) = transfer.mode.row().rate;
    let across = matches!(
        (transfer.source.group, transfer.target.group),
        (Some(one), Some(other)) if one != other
    );
    let rate = if across { far } else { near };
    u64::from(transfer.words).div_ceil(rate.into())
}

/// The statements of a program that were executed, if it stopped with this trap. Of a `nop` with a
/// count that traps, none counts.
pub fn executed<'a>(program: &'a Program, trap: Option<&Trap>) -> &'a [Statement] {
    let statements = &program.statements;
    let is_step = |one: &&Statement| matches!(one.kind, StatementKind::Step(_));
    let count = match trap {
        None => statements.len(),
        // Here every single one is known.
        Some(Trap {
            reason: Reason::StepLimit(limit),
            ..
        }) => {
            let beyond = statements
                .iter()
                .enumerate()
                .filter(|(_, one)| is_step(one));
            let mut beyond = beyond.skip(*limit as usize);
            beyond.next().map_or(statements.len(), |(index, _)| index)
        }
        Some(trap) => {
            let here = statements.iter().position(|one| one.span == trap.span);
            here.unwrap_or(statements.len())
        }
    };
    &statements[..count]
}

#[cfg(test)]
mod tests;
