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
    pub fn statement(&mut self, statement: &Statement, issued: usize) -> Tick {
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
mod tests {
    use super::*;

    /// Statements separated by ` | `: when each begins and ends, and when all is complete.
    #[track_caller]
    fn check(source: &str, expect: &[(u64, u64)], end: u64) {
        let program = tessera_isa_mncore::parse(&source.replace(" | ", "\n")).expect(source);
        let (mut clock, mut issued) = (Clock::default(), 0);
        let mut found = Vec::new();
        for statement in &program.statements {
            match clock.statement(statement, issued) {
                Tick::Step(Interval { start, end }, _) => found.push((start, end)),
                Tick::Transfer(at, pending) => {
                    assert!(at <= pending.moves.start);
                    issued += 1;
                    found.push((pending.moves.start, pending.moves.end));
                }
                Tick::Nothing => {}
            }
        }
        assert_eq!((found.as_slice(), clock.end()), (expect, end), "{source}");
    }

    #[test]
    fn steps_transfers_and_waits() {
        check("nop/2 | d getd $lc0 1", &[(0, 4), (4, 8)], 8);
        // 16 long words a cycle within a group, 8 across.
        check(
            "nop | mvp/n64 $p0@0 $d0@0 | nop",
            &[(0, 4), (4, 8), (4, 8)],
            8,
        );
        check("mvp/n64 $p0@0 $d0@1", &[(0, 8)], 8);
        // One after the other, and a wait for both: the first has no tag.
        check(
            "mvp/n1600 $p0@0 $d0@0 | mvp/n128 $p0@0 $d0@0 | nop",
            &[(0, 100), (100, 108), (0, 4)],
            108,
        );
        check(
            "mvp/n640 $p0@0 $d0@0 | mvp/n64i02 $p0@0 $d0@0 | nop | nop; wait i02 | nop",
            &[(0, 40), (40, 44), (0, 4), (44, 48), (48, 52)],
            52,
        );
        // A wait covers no transfer with another tag, and none that came later.
        check(
            "mvp/n64i01 $p0@0 $d0@0 | mvp/n640i02 $p0@0 $d0@0 | nop; wait i01",
            &[(0, 4), (4, 44), (4, 8)],
            44,
        );
        // The host completed it.
        check("nop; wait i09", &[(0, 4)], 4);
        check("mvnop", &[], 0);
    }

    #[test]
    fn what_a_trap_leaves_out() {
        let program = tessera_isa_mncore::parse("nop/3\nlinc $lr0 $lr0\nmvnop\n").expect("fine");
        let trap = |line: usize, reason| Trap {
            span: program.statements[line].span,
            reason,
        };
        for (trap, count) in [
            (None, 5),
            (Some(trap(3, Reason::NoReduction)), 3),
            (Some(trap(0, Reason::StepLimit(2))), 2),
            (Some(trap(3, Reason::StepLimit(3))), 3),
        ] {
            assert_eq!(executed(&program, trap.as_ref()).len(), count, "{trap:?}");
        }
    }
}
