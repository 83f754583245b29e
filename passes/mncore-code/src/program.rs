//! The statements of a kernel: loops one after the other.
//!
//! Statements go by one at a time: the assembler's rules look at each, and nothing holds them all
//! unless one asks for that.

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
use tessera_mncore_ir::program::{Node, Part, Program};
use thiserror::Error;

use crate::emit::{self, EmitError, Issue};
use crate::log::{self, LogError, Replayed};
use crate::schedule::{self, ScheduleError};
use tessera_mncore_ir::schedule::{Constant, Schedule};

/// Which form is emitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As scheduled.
    Scheduled,
    /// One item after the other, with nothing else under way: what is computed must be the same.
    Sequential,
}

/// Why a program cannot be emitted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ProgramError {
    /// A loop cannot be.
    #[error("{part}: {error}")]
    Emit {
        /// The name of the loop.
        part: String,
        /// Why.
        error: EmitError,
    },
    /// A loop has no sequential form.
    #[error("{part}: {error}")]
    Schedule {
        /// The name of the loop.
        part: String,
        /// Why.
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
        /// What is wrong.
        diagnostic: Box<Diagnostic>,
    },
    /// The schedule log of the program is wrong.
    #[error(transparent)]
    Log(#[from] Box<LogError>),
}

/// See [`Checked::stream`].
///
/// # Errors
/// See [`ProgramError`].
pub fn stream(program: &Program, form: Form, sink: &mut Sink) -> Result<(), ProgramError> {
    Checked::new(program, form)?.stream(sink)
}

/// See [`Checked::statements`].
///
/// # Errors
/// See [`ProgramError`].
pub fn statements(program: &Program, form: Form) -> Result<ast::Program, ProgramError> {
    Checked::new(program, form)?.statements()
}

/// The kernel as scheduled; see [`Checked::pack`].
///
/// # Errors
/// See [`ProgramError`].
pub fn pack(program: &Program, mode: Mode) -> Result<Vec<u8>, ProgramError> {
    Checked::new(program, Form::Scheduled)?.pack(mode)
}

/// See [`Checked::text`].
///
/// # Errors
/// See [`ProgramError`].
pub fn text(
    program: &Program,
    form: Form,
    name: &dyn Fn(u32) -> String,
    sink: &mut dyn FnMut(&str),
) -> Result<(), ProgramError> {
    Checked::new(program, form)?.text(name, sink)
}

/// Who is told statements, each with the lines it stands for.
pub type Sink<'s> = dyn FnMut(&Statement, &[u32]) -> Result<(), Diagnostic> + 's;

/// A kernel in a form, whose schedule log is right ([`crate::log`]).
pub struct Checked<'p> {
    nodes: Vec<Prepared<'p>>,
    replayed: Replayed,
}

impl<'p> Checked<'p> {
    /// The kernel in a form, with its schedule log replayed: who reads and who overwrites what,
    /// over all loops. Whatever is made of the result needs no other replay.
    ///
    /// # Errors
    /// A loop without a sequential form; the first thing that is wrong with the log.
    pub fn new(program: &'p Program, form: Form) -> Result<Self, ProgramError> {
        let nodes = prepare(&program.nodes, form)?;
        let replayed = log::replay(&nodes)?;
        Ok(Checked { nodes, replayed })
    }

    /// What the schedule log has.
    pub fn replayed(&self) -> Replayed {
        self.replayed
    }

    /// Tells `sink` the statements of the kernel one after the other, each with the lines it stands
    /// for. `nop`s are put between loops where what one wrote is not there yet for the next.
    ///
    /// # Errors
    /// See [`ProgramError`]. A loop whose schedule the assembler's rules refuse is an error, not
    /// slowed down.
    pub fn stream(&self, sink: &mut Sink) -> Result<(), ProgramError> {
        let mut stream = Stream {
            window: Window::default(),
            checker: Checker::default(),
            sink,
        };
        stream.all(&self.nodes, &mut Vec::new())
    }

    /// The statements of the kernel.
    ///
    /// # Errors
    /// See [`Checked::stream`].
    pub fn statements(&self) -> Result<ast::Program, ProgramError> {
        let mut out = ast::Program::default();
        self.stream(&mut |statement, _| {
            out.statements.push(statement.clone());
            Ok(())
        })?;
        Ok(out)
    }

    /// The kernel in units, as a device takes it.
    ///
    /// # Errors
    /// See [`Checked::stream`]; and operands that the mode cannot express.
    pub fn pack(&self, mode: Mode) -> Result<Vec<u8>, ProgramError> {
        let mut packer = Packer::new(mode);
        self.stream(&mut |statement, _| packer.statement(statement).map(|_| ()))?;
        Ok(packer.finish())
    }

    /// The kernel as text for the assembler: `sink` gets it line by line, with a comment of what
    /// `name` calls the lines that a step stands for.
    ///
    /// # Errors
    /// See [`Checked::stream`].
    pub fn text(
        &self,
        name: &dyn Fn(u32) -> String,
        sink: &mut dyn FnMut(&str),
    ) -> Result<(), ProgramError> {
        let mut line = String::new();
        self.stream(&mut |statement, lines| {
            line.clear();
            // A string takes everything that is written to it.
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

/// A node with the schedules of a form.
pub(crate) enum Prepared<'a> {
    Part(&'a Part, Cow<'a, Schedule>),
    Repeat(u32, Vec<Prepared<'a>>),
}

/// Nodes with the schedules of a form.
fn prepare(nodes: &[Node], form: Form) -> Result<Vec<Prepared<'_>>, ProgramError> {
    let mut prepared = Vec::with_capacity(nodes.len());
    for node in nodes {
        prepared.push(match node {
            Node::Repeat(count, nodes) => Prepared::Repeat(*count, prepare(nodes, form)?),
            Node::Part(part) => {
                let schedule = match form {
                    Form::Scheduled => Cow::Borrowed(&part.schedule),
                    Form::Sequential => Cow::Owned(sequential(part)?),
                };
                Prepared::Part(part, schedule)
            }
        });
    }
    Ok(prepared)
}

/// A part's schedule in sequential form.
fn sequential(part: &Part) -> Result<Schedule, ProgramError> {
    let made = schedule::sequential(&part.body, &part.schedule.reserved);
    made.map_err(|error| ProgramError::Schedule {
        part: part.name.to_string(),
        error: Box::new(error),
    })
}

/// Statements on their way, looked at by the assembler's rules.
struct Stream<'a, 's> {
    window: Window,
    checker: Checker,
    sink: &'a mut Sink<'s>,
}

/// Where a statement of a loop stands.
struct Place<'a> {
    part: &'a str,
    /// The step with which the loop began.
    begin: u64,
    /// Statements of the loop so far.
    line: u32,
}

impl Stream<'_, '_> {
    fn all(&mut self, nodes: &[Prepared], outer: &mut Vec<u32>) -> Result<(), ProgramError> {
        for node in nodes {
            match node {
                Prepared::Part(part, schedule) => self.part(part, schedule, outer)?,
                Prepared::Repeat(count, nodes) => {
                    for index in 0..*count {
                        outer.push(index);
                        self.all(nodes, outer)?;
                        outer.pop();
                    }
                }
            }
        }
        Ok(())
    }

    /// A loop, in an iteration of those around it: nothing, if it has nothing to do in this one.
    fn part(
        &mut self,
        part: &Part,
        schedule: &Schedule,
        outer: &[u32],
    ) -> Result<(), ProgramError> {
        if !part.body.issues(outer) {
            return Ok(());
        }
        let mut place = Place {
            part: &part.name,
            begin: 0,
            line: 0,
        };
        for constant in &schedule.constants {
            place.begin = self.window.now();
            self.issue(load(constant), &mut place)?;
        }
        place.begin = self.window.now();
        place.line = 0;
        let mut refused = None;
        let emitted = emit::emit(&part.body, schedule, outer, &mut |issue| {
            if refused.is_none() {
                refused = self.issue(issue, &mut place).err();
            }
        });
        emitted.map_err(|error| ProgramError::Emit {
            part: part.name.to_string(),
            error,
        })?;
        refused.map_or(Ok(()), Err)
    }

    /// What issues at once.
    fn issue(&mut self, issue: Issue, place: &mut Place) -> Result<(), ProgramError> {
        let span = Span::default();
        for mv in issue.moves {
            let kind = StatementKind::Mv(mv);
            self.statement(&Statement { span, kind }, &issue.lines, place)?;
        }
        let mut step = Step {
            expressions: issue.expressions,
        };
        if step.expressions.iter().all(|e| matches!(e.op, Op::Wait(_))) {
            step.expressions.append(&mut Step::nop().expressions);
        }
        let kind = StatementKind::Step(step);
        self.statement(&Statement { span, kind }, &issue.lines, place)
    }

    fn statement(
        &mut self,
        statement: &Statement,
        lines: &[u32],
        place: &mut Place,
    ) -> Result<(), ProgramError> {
        place.line += 1;
        let effects = Window::effects(&statement.kind).unwrap_or_default();
        let own = || self.window.worst(&effects, place.begin..u64::MAX);
        let bad = self.checker.statement(statement);
        if let Some(bad) = bad.or_else(|| own().map(|(_, hazard)| hazard)) {
            return Err(place.refused(statement, bad));
        }
        let before = self.window.worst(&effects, 0..place.begin);
        let mut told = Ok(());
        if let Some((nops, _)) = before {
            for _ in 0..nops {
                told = told.and_then(|()| (self.sink)(&Statement::nop(), &[]));
            }
            self.window.skip(nops);
        }
        told = told.and_then(|()| (self.sink)(statement, lines));
        if let StatementKind::Step(_) = statement.kind {
            self.window.step(effects);
        }
        told.map_err(|bad| place.refused(statement, bad))
    }
}

impl Place<'_> {
    fn refused(&self, statement: &Statement, diagnostic: Diagnostic) -> ProgramError {
        ProgramError::Refused {
            part: self.part.to_owned(),
            line: self.line,
            statement: statement.to_string(),
            diagnostic: Box::new(diagnostic),
        }
    }
}

/// The step that puts a constant where it lies.
fn load(constant: &Constant) -> Issue {
    let op = AluOp::plain(AluKind::Imm, None);
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
