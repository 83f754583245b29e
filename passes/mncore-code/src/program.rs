//! Kernels as assembler statements: emits scheduled loops one after the other.
//!
//! Statements are streamed, so a kernel never has to fit in memory. Each passes the assembler's
//! rules (hazards and encoding) on the way. Construction replays the schedule log
//! ([`crate::check::log`]) over the whole kernel.

use std::borrow::Cow;
use std::fmt::Write;

use tessera_isa_mncore::ast::{
    self, Alu, Expression, MemoryOperand, Modify, Op, Output, Pattern, Statement, StatementKind,
    Step, Target,
};
use tessera_isa_mncore::check::hazard::Window;
use tessera_isa_mncore::check::Checker;
use tessera_isa_mncore::diagnostic::{Diagnostic, Span};
use tessera_isa_mncore::memory::Width;
use tessera_isa_mncore::table::{AluKind, AluOp};
use tessera_isa_mncore::unit::Packer;
use tessera_isa_mncore::word::Mode;
use tessera_mncore_ir::program::{Node, Program, ScheduledLoop};
use thiserror::Error;

use crate::check::log::{self, LogError, Replayed};
use crate::emit::{self, EmitError, Issue};
use crate::ir::prepared::Prepared;
use crate::sched::{self, ScheduleError};
use tessera_mncore_ir::schedule::{Constant, Schedule};

/// The order in which the items of a loop issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IssueOrder {
    /// Software-pipelined, as scheduled.
    Scheduled,
    /// One item after the other without overlap; the results must be the same.
    Sequential,
}

/// Why a program cannot be emitted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ProgramError {
    /// A loop cannot be emitted.
    #[error("{part}: {error}")]
    Emit {
        /// The name of the loop.
        part: String,
        /// The reason.
        error: EmitError,
    },
    /// A loop has no sequential schedule.
    #[error("{part}: {error}")]
    Schedule {
        /// The name of the loop.
        part: String,
        /// The reason.
        error: Box<ScheduleError>,
    },
    /// The assembler's rules refuse a statement of a loop.
    #[error("{part}, statement {line}, `{statement}`: {}", diagnostic.message)]
    Refused {
        /// The name of the loop.
        part: String,
        /// The statement's number in the loop, from 1 on.
        line: u32,
        /// Its text.
        statement: String,
        /// The violated rule.
        diagnostic: Box<Diagnostic>,
    },
    /// The schedule log has a violation.
    #[error(transparent)]
    Log(#[from] Box<LogError>),
}

/// See [`CheckedProgram::stream`].
///
/// # Errors
/// See [`ProgramError`].
pub fn stream(program: &Program, order: IssueOrder, sink: &mut Sink) -> Result<(), ProgramError> {
    CheckedProgram::new(program, order)?.stream(sink)
}

/// See [`CheckedProgram::statements`].
///
/// # Errors
/// See [`ProgramError`].
pub fn statements(program: &Program, order: IssueOrder) -> Result<ast::Program, ProgramError> {
    CheckedProgram::new(program, order)?.statements()
}

/// Packs a scheduled kernel; see [`CheckedProgram::pack`].
///
/// # Errors
/// See [`ProgramError`].
pub fn pack(program: &Program, mode: Mode) -> Result<Vec<u8>, ProgramError> {
    CheckedProgram::new(program, IssueOrder::Scheduled)?.pack(mode)
}

/// See [`CheckedProgram::text`].
///
/// # Errors
/// See [`ProgramError`].
pub fn text(
    program: &Program,
    order: IssueOrder,
    name: &dyn Fn(u32) -> String,
    sink: &mut dyn FnMut(&str),
) -> Result<(), ProgramError> {
    CheckedProgram::new(program, order)?.text(name, sink)
}

/// A consumer of statements, each with the source lines it stands for.
pub type Sink<'s> = dyn FnMut(&Statement, &[u32]) -> Result<(), Diagnostic> + 's;

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
        let mut stream = Stream {
            window: Window::default(),
            checker: Checker::default(),
            sink,
        };
        stream.stream_nodes(&self.nodes, &mut Vec::new())
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

/// The statement stream, with the state of the assembler's rules.
struct Stream<'a, 's> {
    window: Window,
    checker: Checker,
    sink: &'a mut Sink<'s>,
}

/// The position of a statement in its loop.
struct StatementPosition<'a> {
    part: &'a str,
    /// The step at which the loop began.
    begin: u64,
    /// Statements of the loop so far.
    line: u32,
}

impl Stream<'_, '_> {
    /// Streams nodes within an iteration of the loops around them.
    fn stream_nodes(
        &mut self,
        nodes: &[Prepared],
        outer: &mut Vec<u32>,
    ) -> Result<(), ProgramError> {
        for node in nodes {
            match node {
                Prepared::Loop(part, schedule) => self.stream_loop(part, schedule, outer)?,
                Prepared::Repeat(count, nodes) => {
                    for index in 0..*count {
                        outer.push(index);
                        self.stream_nodes(nodes, outer)?;
                        outer.pop();
                    }
                }
            }
        }
        Ok(())
    }

    /// Streams a loop in one iteration of the loops around it, unless no item issues in it.
    fn stream_loop(
        &mut self,
        part: &ScheduledLoop,
        schedule: &Schedule,
        outer: &[u32],
    ) -> Result<(), ProgramError> {
        if !part.body.issues(outer) {
            return Ok(());
        }
        let mut place = StatementPosition {
            part: &part.name,
            begin: 0,
            line: 0,
        };
        for constant in &schedule.constants {
            place.begin = self.window.step_count();
            self.stream_packet(load_constant(constant), &mut place)?;
        }
        place.begin = self.window.step_count();
        place.line = 0;
        let mut refused = None;
        let emitted = emit::emit(&part.body, schedule, outer, &mut |issue| {
            if refused.is_none() {
                refused = self.stream_packet(issue, &mut place).err();
            }
        });
        emitted.map_err(|error| ProgramError::Emit {
            part: part.name.to_string(),
            error,
        })?;
        refused.map_or(Ok(()), Err)
    }

    /// Streams an issue packet.
    fn stream_packet(
        &mut self,
        issue: Issue,
        place: &mut StatementPosition,
    ) -> Result<(), ProgramError> {
        let span = Span::default();
        for mv in issue.moves {
            let kind = StatementKind::Mv(mv);
            self.stream_statement(&Statement { span, kind }, &issue.lines, place)?;
        }
        let mut step = Step {
            expressions: issue.expressions,
        };
        if step.expressions.iter().all(|e| matches!(e.op, Op::Wait(_))) {
            step.expressions.append(&mut Step::nop().expressions);
        }
        let kind = StatementKind::Step(step);
        self.stream_statement(&Statement { span, kind }, &issue.lines, place)
    }

    /// Checks a statement, inserts `nop`s that it needs, and passes it on.
    fn stream_statement(
        &mut self,
        statement: &Statement,
        lines: &[u32],
        place: &mut StatementPosition,
    ) -> Result<(), ProgramError> {
        place.line += 1;
        let effects = Window::statement_effects(&statement.kind).unwrap_or_default();
        let own = || self.window.worst_hazard(&effects, place.begin..u64::MAX);
        let bad = self.checker.check_statement(statement);
        if let Some(bad) = bad.or_else(|| own().map(|(_, hazard)| hazard)) {
            return Err(place.refused(statement, bad));
        }
        let before = self.window.worst_hazard(&effects, 0..place.begin);
        let mut told = Ok(());
        if let Some((nops, _)) = before {
            for _ in 0..nops {
                told = told.and_then(|()| (self.sink)(&Statement::nop(), &[]));
            }
            self.window.push_nops(nops);
        }
        told = told.and_then(|()| (self.sink)(statement, lines));
        if let StatementKind::Step(_) = statement.kind {
            self.window.push_step(effects);
        }
        told.map_err(|bad| place.refused(statement, bad))
    }
}

impl StatementPosition<'_> {
    fn refused(&self, statement: &Statement, diagnostic: Diagnostic) -> ProgramError {
        ProgramError::Refused {
            part: self.part.to_owned(),
            line: self.line,
            statement: statement.to_string(),
            diagnostic: Box::new(diagnostic),
        }
    }
}

/// Returns the packet that loads a constant into its register.
fn load_constant(constant: &Constant) -> Issue {
    let op = AluOp::new(AluKind::Imm, None);
    let memory = MemoryOperand {
        bank: constant.bank,
        width: Width::Long,
        pattern: Pattern::Stride {
            base: constant.address,
            stride: 0,
        },
        modify: Modify::None,
    };
    let output = Output {
        span: Span::default(),
        target: Target::Memory(memory),
        mask: None,
    };
    let alu = Alu {
        op,
        immediate: constant.word,
        inputs: Vec::new(),
        outputs: vec![output],
    };
    Issue {
        expressions: vec![Expression {
            span: Span::default(),
            op: Op::Alu(alu),
            zero_flush: None,
        }],
        ..Issue::default()
    }
}
