//! Kernels whose schedule log has been checked, and the forms in which they are emitted.

use std::borrow::Cow;
use std::fmt::Write;

use tessera_isa_mncore::ast;
use tessera_isa_mncore::unit::Packer;
use tessera_isa_mncore::word::Mode;
use tessera_mncore_ir::program::{Node, Program, ScheduledLoop};
use tessera_mncore_ir::schedule::Schedule;

use super::error::ProgramError;
use super::stream::{Sink, Stream};
use crate::check::log::{self, Replayed};
use crate::ir::prepared::Prepared;
use crate::sched;

/// The order in which the items of a loop issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IssueOrder {
    /// Software-pipelined, as scheduled.
    Scheduled,
    /// One item after the other without overlap; the results must be the same.
    Sequential,
}

/// A kernel whose schedule log has been checked ([`crate::check::log`]).
pub struct CheckedProgram<'p> {
    nodes: Vec<Prepared<'p>>,
    replayed: Replayed,
}

impl<'p> CheckedProgram<'p> {
    /// Replays the schedule log of a kernel: reads and overwrites of all memory, across all loops.
    /// One replay suffices for everything made of the result.
    ///
    /// # Errors
    /// A loop has no sequential schedule; the first violation in the log.
    pub fn new(program: &'p Program, order: IssueOrder) -> Result<Self, ProgramError> {
        let nodes = prepare(&program.nodes, order)?;
        let replayed = log::replay(&nodes)?;
        Ok(CheckedProgram { nodes, replayed })
    }

    /// Returns the statistics of the replay.
    pub fn replayed(&self) -> Replayed {
        self.replayed
    }

    /// Passes the statements of the kernel to `sink`, each with its source lines. Between loops it
    /// inserts `nop`s until the results of one have arrived for the next.
    ///
    /// # Errors
    /// See [`ProgramError`]. A violation within a loop is an error of its schedule; no `nop` is
    /// inserted there.
    pub fn stream(&self, sink: &mut Sink) -> Result<(), ProgramError> {
        Stream::new(sink).stream_nodes(&self.nodes, &mut Vec::new())
    }

    /// Returns the statements of the kernel.
    ///
    /// # Errors
    /// See [`CheckedProgram::stream`].
    pub fn statements(&self) -> Result<ast::Program, ProgramError> {
        let mut out = ast::Program::default();
        self.stream(&mut |statement, _| {
            out.statements.push(statement.clone());
            Ok(())
        })?;
        Ok(out)
    }

    /// Returns the kernel as packed instruction units for a device.
    ///
    /// # Errors
    /// See [`CheckedProgram::stream`]; also operands that the mode cannot encode.
    pub fn pack(&self, mode: Mode) -> Result<Vec<u8>, ProgramError> {
        let mut packer = Packer::new(mode);
        self.stream(&mut |statement, _| packer.push(statement).map(|_| ()))?;
        Ok(packer.finish())
    }

    /// Writes the kernel as assembler text, line by line. A comment gives what `name` returns for
    /// the source lines of each step.
    ///
    /// # Errors
    /// See [`CheckedProgram::stream`].
    pub fn text(
        &self,
        name: &dyn Fn(u32) -> String,
        sink: &mut dyn FnMut(&str),
    ) -> Result<(), ProgramError> {
        let mut line = String::new();
        self.stream(&mut |statement, lines| {
            line.clear();
            // Writing to a string cannot fail.
            let _ = write!(line, "{statement}");
            for (index, &number) in lines.iter().enumerate() {
                let before = if index == 0 { "  # " } else { ", " };
                let _ = write!(line, "{before}{}", name(number));
            }
            line.push('\n');
            sink(&line);
            Ok(())
        })
    }
}

/// Attaches schedules to nodes.
fn prepare(nodes: &[Node], order: IssueOrder) -> Result<Vec<Prepared<'_>>, ProgramError> {
    let mut prepared = Vec::with_capacity(nodes.len());
    for node in nodes {
        prepared.push(match node {
            Node::Repeat(count, nodes) => Prepared::Repeat(*count, prepare(nodes, order)?),
            Node::Loop(part) => {
                let schedule = match order {
                    IssueOrder::Scheduled => Cow::Borrowed(&part.schedule),
                    IssueOrder::Sequential => Cow::Owned(sequential(part)?),
                };
                Prepared::Loop(part, schedule)
            }
        });
    }
    Ok(prepared)
}

/// Returns the sequential schedule of a loop.
fn sequential(part: &ScheduledLoop) -> Result<Schedule, ProgramError> {
    let made = sched::sequential(&part.body, &part.schedule.reserved);
    made.map_err(|error| ProgramError::Schedule {
        part: part.name.to_string(),
        error: Box::new(error),
    })
}
