//! Traps: the reasons for which the machine stops.

use std::ops::ControlFlow;
use std::ops::Range;

use tessera_isa_mncore::diagnostic::{Diagnostic, Span};
use thiserror::Error;

use crate::footprint::Memory;
use crate::undetermined::Undetermined;
use crate::violation::LatencyViolation;

/// The statement at which the machine stopped, and the reason.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("line {}: {reason}", span.line)]
pub struct Trap {
    /// The location of the statement.
    pub span: Span,
    /// The reason.
    pub reason: Reason,
}

impl Trap {
    /// Formats the trap for a terminal: file, line, the marked statement, the reason.
    pub fn render(&self, file: &str, source: &str) -> String {
        Diagnostic::new(self.span, self.reason.to_string()).render(file, source)
    }
}

/// Checks that a number is below `count`, the number of units that the machine has.
pub(crate) fn check_exists(
    what: &'static str,
    number: usize,
    count: usize,
) -> Result<usize, Reason> {
    if number < count {
        return Ok(number);
    }
    Err(Reason::NoSuchPlace {
        what,
        number,
        count,
    })
}

/// The reason why a statement cannot be executed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Reason {
    /// An access to a region while an MV instruction is in flight.
    #[error(
        "race: this statement {what}: long words {words:#x?} of {memory}, in flight since line \
         {line}; put a wait for its tag before this statement, or run with --races=warn or off"
    )]
    Race {
        /// The kind of conflict.
        what: &'static str,
        /// The memory.
        memory: Memory,
        /// The long words that this statement accesses.
        words: Range<u64>,
        /// The line of the MV instruction.
        line: u32,
    },
    /// A tag was reused before a `wait` for it.
    #[error("tag i{tag:02x} is in use since line {line}; wait for it first, or take another")]
    TagInUse {
        /// The tag.
        tag: u8,
        /// The line of the MV instruction that uses the tag.
        line: u32,
    },
    /// A wait for a tag that is never completed.
    #[error(
        "no MV instruction carries tag i{tag:02x}, so this wait would never end; \
         if the host completes it, name it with --armed-tags=i{tag:02x}"
    )]
    TagUnknown {
        /// The tag.
        tag: u8,
    },
    /// A read of DRAM that was never written.
    #[error(
        "long word {address:#x} of the DRAM of group {group} was never written, and what power-on \
         leaves there is not documented ({}); write it first, or run with \
         --offchip-memory-init=zero",
        Undetermined::PowerOn
    )]
    NeverWritten {
        /// The group.
        group: usize,
        /// The long word address in the group's DRAM.
        address: u64,
    },
    /// A read of data that have not arrived yet, in the timed model.
    #[error("{0}")]
    LatencyViolation(LatencyViolation),
    /// A read of a forwarding register whose unit produced no result in the step before.
    #[error(
        "{operand} is read, but its unit had no instruction in the step before, and what it holds \
         then is not documented ({}); write the value to a memory, or keep it with noforward",
        Undetermined::ForwardIdle
    )]
    StaleForward {
        /// The operand.
        operand: &'static str,
    },
    /// A read of `$lbi` after a step that only read it.
    #[error(
        "$lbi was read already and not filled again, and what it holds then is not documented \
         ({}); read it once, or keep it with noforward in the step that reads it first",
        Undetermined::TurnaroundSpent
    )]
    SpentTurnaround,
    /// A read of `$lbi` by an instruction of another kind than the one that wrote it.
    #[error(
        "$lbi holds {wrote} long words a cycle, and {reads} are read; turn-around works between \
         instructions of one kind (3.6.8.2)"
    )]
    TurnaroundKind {
        /// Long words per cycle that were sent; 0 if nothing was sent yet.
        wrote: u16,
        /// Long words per cycle that the instruction reads.
        reads: u16,
    },
    /// An instruction that spans more units than this machine has.
    #[error("{what} needs {needs}, and this machine has {has}; run it on a larger geometry")]
    Geometry {
        /// The instruction.
        what: &'static str,
        /// The required units.
        needs: String,
        /// The available units.
        has: String,
    },
    /// A reduction without an operation.
    #[error("a reduction needs an operation, such as dfadd (3.5.5)")]
    NoReduction,
    /// `d get` of a matrix register without a format.
    #[error(
        "a matrix register has rows of one length for each precision: write d getd, getf or geth \
         (3.4.3)"
    )]
    NoFormat,
    /// A row of a matrix register that is not a block float.
    #[error("row {row} is not a block float: its elements have different exponents (3.4.3, 4.4)")]
    NoBlock {
        /// The row.
        row: usize,
    },
    /// `d set` of a memory that it cannot write.
    #[error("d set cannot write PDM, DRAM, matrix registers or mask registers (3.4.4)")]
    NotSettable,
    /// A result that the manual does not determine.
    #[error(
        "not determined by the manual ({}, section {}): {}; '--undetermined mark' continues with \
         the result that docs/reference/mncore/undetermined.md documents",
        .0, .0.point().section, .0.point().question
    )]
    Undetermined(Undetermined),
    /// The event handler stopped the execution.
    #[error("stopped on request")]
    Stopped,
    /// The step limit was reached.
    #[error("the program has more than {0} steps; --limit-steps allows more")]
    StepLimit(u64),
    /// Two L2BM that must be equal differ.
    #[error(
        "the L2BM operand names no L2B, and the two L2BM of group {group} differ from long word \
         {address:#x} on ({}); say which with @.0 or @.1",
        Undetermined::WhichL2b
    )]
    WhichL2b {
        /// The group.
        group: usize,
        /// The first address at which they differ.
        address: u64,
    },
    /// `d get` or `d set` exceeds a memory.
    #[error("{0}")]
    DebugRange(String),
    /// An operand names a unit that this machine does not have.
    #[error("there is no {what} {number} on this machine, which has {count}")]
    NoSuchPlace {
        /// The kind of unit.
        what: &'static str,
        /// The number in the operand.
        number: usize,
        /// The number of such units.
        count: usize,
    },
}

/// Converts the answer of an event handler: `Break` stops the execution.
pub(crate) fn check_continue(flow: ControlFlow<()>) -> Result<(), Reason> {
    match flow {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Reason::Stopped),
    }
}
