//! The steps of a kernel by loop.

use tessera_mncore::geometry::CYCLES;
use tessera_mncore::timeline::{Timeline, Timing};
use tessera_mncore_code::compile::Kernel;
use tessera_mncore_code::program::{self, IssueOrder};
use tessera_mncore_ir::program::{Node, Program};

/// What the executions of a loop take, summed.
#[derive(Clone, Copy, Debug, Default)]
struct Phase {
    /// Executions.
    executions: u64,
    /// Cycles from the end of the previous loop to its own end.
    cycles: u64,
    /// Those in which a `wait` stalls.
    stalls: u64,
    /// Cycles of the MV instructions that it issues.
    moves: u64,
}

/// Prints a line for each loop of a scheduled kernel: its steps, those in which it waits, those of
/// its MV instructions, and its initiation interval.
pub fn print(kernel: &Kernel) {
    let (mut program, reports) = kernel.program().expect("it is scheduled");
    number(&mut program.nodes, &mut 0);
    let phases = phases(&program, reports.len());
    let steps = |cycles: u64| cycles.div_ceil(CYCLES as u64);
    for (phase, (name, report)) in phases.iter().zip(&reports) {
        println!(
            "{name:>28} {:>6} x {:>7} steps, waits {:>7}, MV {:>7}, II {} of {}, {} steps, by {}",
            phase.executions,
            steps(phase.cycles),
            steps(phase.stalls),
            steps(phase.moves),
            report.ii,
            report.mii,
            report.length,
            report.bound_by,
        );
    }
}

/// Returns what each loop takes, in the order of the reports.
fn phases(program: &Program, count: usize) -> Vec<Phase> {
    let mut phases = vec![Phase::default(); count];
    let mut clock = Timeline::default();
    let (mut issued, mut current, mut before) = (0, usize::MAX, 0);
    let streamed = program::stream(program, IssueOrder::Scheduled, &mut |statement, lines| {
        // What has no line belongs to the loop before.
        let own = lines.first().map_or(current, |line| *line as usize - 1);
        let start = clock.now();
        let timing = clock.advance(statement, issued);
        let Some(phase) = phases.get_mut(own) else {
            return Ok(());
        };
        phase.executions += u64::from(own != current);
        current = own;
        match timing {
            Timing::Step(interval, _) => phase.stalls += interval.start - start,
            Timing::Transfer(_, pending) => {
                issued += 1;
                phase.moves += pending.moves.end - pending.moves.start;
            }
            Timing::Nothing => {}
        }
        phase.cycles += clock.now() - before;
        before = clock.now();
        Ok(())
    });
    streamed.expect("schedules hold");
    phases
}

/// Sets the line of each loop's items to the number of the loop, from 1.
fn number(nodes: &mut [Node], next: &mut u32) {
    for node in nodes {
        match node {
            Node::Repeat(_, nodes) => number(nodes, next),
            Node::Loop(part) => {
                *next += 1;
                let items = &mut part.body.items;
                items.iter_mut().for_each(|item| item.line = *next);
            }
        }
    }
}
