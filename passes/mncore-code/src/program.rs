//! Loops one after the other: a kernel.

use tessera_isa_mncore::ast::{
    self, Alu, Expression, MemoryOperand, Modify, Op, Output, Pattern, Statement, StatementKind,
    Step, Target,
};
use tessera_isa_mncore::check;
use tessera_isa_mncore::diagnostic::{Diagnostic, Span};
use tessera_isa_mncore::memory::Width;
use tessera_isa_mncore::table::{AluKind, AluOp};
use thiserror::Error;

use crate::body::Body;
use crate::emit::{self, EmitError, Issue};
use crate::schedule::{self, Constant, Schedule, ScheduleError};

/// A kernel.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// In order; each is complete before the next begins.
    pub nodes: Vec<Node>,
}

/// A part of a kernel.
#[derive(Clone, Debug)]
pub enum Node {
    /// A scheduled loop.
    Part(Part),
    /// Parts one after the other, again and again: a dimension around the bodies in it.
    Repeat(u32, Vec<Node>),
}

/// A scheduled loop.
#[derive(Clone, Debug)]
pub struct Part {
    /// What it is for, in a word.
    pub name: String,
    /// The loop.
    pub body: Body,
    /// Its schedule.
    pub schedule: Schedule,
}

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
}

impl Program {
    /// The statements of the kernel, `nop`s put between loops where what one wrote is not there yet for the next.
    ///
    /// # Errors
    /// See [`ProgramError`]. A loop whose schedule the assembler's rules refuse is an error, not slowed down.
    pub fn statements(&self, form: Form) -> Result<ast::Program, ProgramError> {
        let mut out = ast::Program::default();
        for node in &self.nodes {
            node.statements(form, &mut Vec::new(), &mut out)?;
        }
        check::hazard::fix(&mut out);
        Ok(out)
    }
}

impl Node {
    fn statements(
        &self,
        form: Form,
        outer: &mut Vec<u32>,
        out: &mut ast::Program,
    ) -> Result<(), ProgramError> {
        let part = match self {
            Node::Part(part) => part,
            Node::Repeat(count, nodes) => {
                for index in 0..*count {
                    outer.push(index);
                    for node in nodes {
                        node.statements(form, outer, out)?;
                    }
                    outer.pop();
                }
                return Ok(());
            }
        };
        let mut own = ast::Program::default();
        let mut sink = |issue: Issue| push(&mut own, issue);
        let sequential;
        let schedule = match form {
            Form::Scheduled => &part.schedule,
            Form::Sequential => {
                let made = schedule::sequential(&part.body, &part.schedule.reserved);
                sequential = made.map_err(|error| ProgramError::Schedule {
                    part: part.name.clone(),
                    error: Box::new(error),
                })?;
                &sequential
            }
        };
        emit::emit(&part.body, schedule, outer, &mut sink).map_err(|error| ProgramError::Emit {
            part: part.name.clone(),
            error,
        })?;
        verify(&part.name, &own)?;
        let constants = schedule.constants.iter();
        constants.for_each(|constant| push(out, load(constant)));
        out.statements.append(&mut own.statements);
        Ok(())
    }
}

/// Asks the assembler's rules about the statements of a loop.
fn verify(part: &str, program: &ast::Program) -> Result<(), ProgramError> {
    let refused = |program: &ast::Program| {
        let hazards = || check::hazards(program).into_iter().next();
        let rules = check::check(program).into_iter().next();
        rules.or_else(|| hazards().map(|hazard| hazard.diagnostic))
    };
    let Some(diagnostic) = refused(program) else {
        return Ok(());
    };
    // Statements made here have no places; those read from their text do.
    let text = program.to_string();
    let read = tessera_isa_mncore::parse(&text).ok();
    let diagnostic = read.as_ref().and_then(refused).unwrap_or(diagnostic);
    let line = diagnostic.span.line;
    let statement = text.lines().nth(line.saturating_sub(1) as usize);
    Err(ProgramError::Refused {
        part: part.to_owned(),
        line,
        statement: statement.unwrap_or_default().to_owned(),
        diagnostic: Box::new(diagnostic),
    })
}

/// The step that puts a constant where it lies.
fn load(constant: &Constant) -> Issue {
    let op = AluOp {
        kind: AluKind::Imm,
        precision: None,
        unsigned: false,
        mantissa: 0,
    };
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

/// Appends what issues at once.
fn push(out: &mut ast::Program, issue: Issue) {
    let span = Span::default();
    let moves = issue.moves.into_iter().map(StatementKind::Mv);
    out.statements
        .extend(moves.map(|kind| Statement { span, kind }));
    let mut expressions = issue.expressions;
    if expressions.iter().all(|e| matches!(e.op, Op::Wait(_))) {
        expressions.push(Expression {
            span,
            op: Op::Nop,
            zero_flush: None,
        });
    }
    let kind = StatementKind::Step(Step { expressions });
    out.statements.push(Statement { span, kind });
}
