//! The overhead of a product's loops beyond their lower bounds.

use tessera_isa_mncore::ast::{Op, Statement, StatementKind};
use tessera_mncore::geometry::CYCLES;
use tessera_mncore::timeline::{Timeline, Timing};
use tessera_mncore_code::program::{self, IssueOrder};
use tessera_mncore_ir::program::{Node, Program};
use tessera_mncore_ir::schedule::Report;

/// A loop that multiplies.
#[derive(Clone, Copy, Debug, Default)]
struct Loop {
    /// Iterations times the minimum initiation interval, summed over all executions.
    min_steps: u64,
    /// Its number in the reports.
    line: u32,
}

/// Returns, over all executions of all loops that multiply, the steps that the busiest unit or the
/// MV instructions need, divided by the steps between the first matrix operation and the last.
pub fn share(program: &Program, reports: &[(&'static str, Report)]) -> f64 {
    let mut program = program.clone();
    let mut loops = Vec::new();
    number(&mut program.nodes, reports, &mut 0, &mut loops);
    let mut clock = Timeline::default();
    let (mut needed, mut taken, mut issued) = (0, 0, 0);
    let mut now = Passage::default();
    let streamed = program::stream(&program, IssueOrder::Scheduled, &mut |statement, lines| {
        // What has no line belongs to none.
        let line = lines.first().copied().unwrap_or(now.line);
        if line != now.line {
            now.end(&loops, &mut needed, &mut taken);
            now = Passage {
                line,
                ..Passage::default()
            };
        }
        match clock.advance(statement, issued) {
            Timing::Step(interval, _) if multiplies(statement) => {
                now.step(interval.start, interval.end)
            }
            Timing::Transfer(_, pending) => {
                issued += 1;
                now.moved += pending.moves.end - pending.moves.start;
            }
            _ => {}
        }
        Ok(())
    });
    streamed.expect("schedules hold");
    now.end(&loops, &mut needed, &mut taken);
    needed as f64 / taken as f64
}

/// One execution of a loop.
#[derive(Clone, Copy, Debug, Default)]
struct Passage {
    line: u32,
    /// Cycles of its MV instructions.
    moved: u64,
    /// The beginning of its first matrix operation and the end of its last.
    first: Option<u64>,
    last: u64,
}

impl Passage {
    fn step(&mut self, start: u64, end: u64) {
        self.first.get_or_insert(start);
        self.last = end;
    }

    /// Adds the cycles that it needed and took.
    fn end(&self, loops: &[Loop], needed: &mut u64, taken: &mut u64) {
        let found = loops.iter().find(|one| one.line == self.line);
        if let (Some(of), Some(first)) = (found, self.first) {
            let time = self.last - first;
            // Some of what it needs is done before its first matrix operation.
            *needed += (of.min_steps * CYCLES as u64).max(self.moved).min(time);
            *taken += time;
        }
    }
}

/// Returns whether a statement is a step of the matrix unit.
pub fn multiplies(statement: &Statement) -> bool {
    let StatementKind::Step(step) = &statement.kind else {
        return false;
    };
    let matrix = |op: &Op| matches!(op, Op::Mau(mau) if mau.op.kind.is_matrix());
    step.expressions.iter().any(|one| matrix(&one.op))
}

/// Sets the line of each loop's items to the number of the loop.
fn number(
    nodes: &mut [Node],
    reports: &[(&'static str, Report)],
    next: &mut u32,
    loops: &mut Vec<Loop>,
) {
    for node in nodes {
        match node {
            Node::Repeat(_, nodes) => number(nodes, reports, next, loops),
            Node::Loop(part) => {
                let (_, report) = &reports[*next as usize];
                *next += 1;
                part.body
                    .items
                    .iter_mut()
                    .for_each(|item| item.line = *next);
                loops.push(Loop {
                    min_steps: part.body.iterations() * u64::from(report.mii),
                    line: *next,
                });
            }
        }
    }
}
