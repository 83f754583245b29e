//! An estimated timeline of a program, for statistics and traces.
//!
//! | event | duration | source |
//! |---|---|---|
//! | a step | four cycles | 1.2 |
//! | an MV instruction | its long words at the throughput of its mode | 3.5.8 |
//! | a `wait` | until the transfers it covers are complete | 3.6.13 |
//!
//! The manual does not give the latency of transfers, refresh and turn-around of DRAM, and the
//! contention of concurrent transfers (3.5.9). They are assumed to take no time. Transfers run one
//! after the other in issue order. Control statements take no time.

use tessera_isa_mncore::ast::{Op, Program, Statement, StatementKind, Transfer};

use crate::geometry::CYCLES;
use crate::trap::{Reason, Trap};

/// A half-open range of cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The first cycle.
    pub start: u64,
    /// The cycle after the last.
    pub end: u64,
}

/// The current time and the transfers in flight.
#[derive(Clone, Debug, Default)]
pub struct Timeline {
    now: u64,
    /// The cycle in which the last issued transfer completes.
    transfers: u64,
    /// The transfers that no `wait` covered yet, in issue order.
    pending: Vec<Pending>,
}

/// An issued transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pending {
    /// The tag; 0 means none.
    pub tag: u8,
    /// The number in issue order, from 0.
    pub number: usize,
    /// The cycles in which it moves its long words.
    pub moves: Interval,
}

/// The timing of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Timing {
    /// A step, with the transfers that its `wait` covers.
    Step(Interval, Vec<Pending>),
    /// An MV instruction, issued in this cycle.
    Transfer(u64, Pending),
    /// A statement that takes no time.
    Nothing,
}

impl Timeline {
    /// Returns the cycle in which the next statement is issued.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// Returns the cycle in which everything so far is complete.
    pub fn end(&self) -> u64 {
        self.now.max(self.transfers)
    }

    /// Returns the transfers that no `wait` covered.
    pub fn pending(&self) -> &[Pending] {
        &self.pending
    }

    /// Advances over a statement and returns its timing. `issued` is the number of transfers before
    /// it.
    pub fn advance(&mut self, statement: &Statement, issued: usize) -> Timing {
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
                Timing::Step(step, covered)
            }
            StatementKind::Mv(mv) => {
                let Some(transfer) = &mv.transfer else {
                    return Timing::Nothing;
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
                Timing::Transfer(self.now, pending)
            }
            _ => Timing::Nothing,
        }
    }

    fn end_of_transfers(&self) -> u64 {
        self.now.max(self.transfers)
    }

    /// Removes and returns the transfers that a `wait` covers: the one with the tag, and earlier
    /// ones without a tag, as in [`crate::race`].
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

/// Returns the cycles in which a transfer moves its long words if it runs alone (3.5.8).
pub fn cycles(transfer: &Transfer) -> u64 {
    let (near, far) = transfer.mode.row().rate;
    let across = matches!(
        (transfer.source.group, transfer.target.group),
        (Some(one), Some(other)) if one != other
    );
    let rate = if across { far } else { near };
    u64::from(transfer.words).div_ceil(rate.into())
}

/// Returns the executed statements of a program that stopped with this trap. If a `nop` with a
/// count traps, none of its steps is included.
pub fn executed<'a>(program: &'a Program, trap: Option<&Trap>) -> &'a [Statement] {
    let statements = &program.statements;
    let is_step = |one: &&Statement| matches!(one.kind, StatementKind::Step(_));
    let count = match trap {
        None => statements.len(),
        // For a step, the exact statement is known.
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
