//! Why the machine stopped.

use std::ops::Range;

use tessera_isa_mncore::diagnostic::{Diagnostic, Span};
use thiserror::Error;

use crate::race::Memory;
use crate::timed::LatencyViolation;
use crate::undetermined::Undetermined;

/// Where and why the machine stopped.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("line {}: {reason}", span.line)]
pub struct Trap {
    /// The statement.
    pub span: Span,
    /// Why.
    pub reason: Reason,
}

impl Trap {
    /// The trap for people: file, line, the statement marked, the reason.
    pub fn render(&self, file: &str, source: &str) -> String {
        Diagnostic::new(self.span, self.reason.to_string()).render(file, source)
    }
}

/// The number of a place, which must be one that the machine has: that is, below `count`.
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

/// Why a statement cannot be executed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Reason {
    /// A region is touched while an MV instruction is under way.
    #[error(
        "race: this {what}: long words {words:#x?} of {memory}, under way since line {line}; put a wait for its tag \
         before this statement, or run with --races=warn or off"
    )]
    Race {
        /// Reads or writes what.
        what: &'static str,
        /// Where.
        memory: Memory,
        /// Which long words this statement touches.
        words: Range<u64>,
        /// The line of the MV instruction.
        line: u32,
    },
    /// The tag of an MV instruction belongs to one that was not waited for.
    #[error("tag i{tag:02x} is in use since line {line}; wait for it first, or take another")]
    TagInUse {
        /// The tag.
        tag: u8,
        /// The line of the MV instruction that has it.
        line: u32,
    },
    /// A wait for a tag that would never end.
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
        "long word {address:#x} of the DRAM of group {group} was never written, and what power-on leaves there is not \
         documented ({}); write it first, or run with --offchip-memory-init=zero",
        Undetermined::PowerOn
    )]
    NeverWritten {
        /// The group.
        group: usize,
        /// The address in the group's DRAM.
        address: u64,
    },
    /// A read of what has not arrived yet, in the timed model.
    #[error("{0}")]
    LatencyViolation(LatencyViolation),
    /// A forwarded value of a unit that did nothing in the step before.
    #[error(
        "{operand} is read, but its unit had no instruction in the step before, and what it holds then is not \
         documented ({}); write the value to a memory, or keep it with noforward",
        Undetermined::ForwardIdle
    )]
    StaleForward {
        /// The operand.
        operand: &'static str,
    },
    /// `$lbi` read after a step that only read it.
    #[error(
        "$lbi was read already and not filled again, and what it holds then is not documented ({}); read it once, or \
         keep it with noforward in the step that reads it first",
        Undetermined::TurnaroundSpent
    )]
    SpentTurnaround,
    /// `$lbi` read by an instruction of another kind than the one that wrote it.
    #[error(
        "$lbi holds {wrote} long words a cycle, and {reads} are read; turn-around works between instructions of one \
         kind (3.6.8.2)"
    )]
    TurnaroundKind {
        /// Long words a cycle of what was sent; 0 if nothing ever was.
        wrote: u16,
        /// Long words a cycle of the instruction that reads it.
        reads: u16,
    },
    /// An instruction that spans levels this machine does not have.
    #[error("{what} needs {needs}, and this machine has {has}; run it on a larger geometry")]
    Geometry {
        /// The instruction.
        what: &'static str,
        /// What it needs.
        needs: String,
        /// What there is.
        has: String,
    },
    /// A reduction without an operation.
    #[error("a reduction needs an operation, such as dfadd (3.5.5)")]
    NoReduction,
    /// A matrix register printed without a format.
    #[error("a matrix register has rows of one length for each precision: write d getd, getf or geth (3.4.3)")]
    NoFormat,
    /// A row of a matrix register that is no block float.
    #[error("row {row} is no block float: its elements have different exponents (3.4.3, 4.4)")]
    NoBlock {
        /// The row.
        row: usize,
    },
    /// `d set` of a memory it cannot write.
    #[error("d set cannot write PDM, DRAM, matrix registers or mask registers (3.4.4)")]
    NotSettable,
    /// A result the manual does not determine.
    #[error(
        "not determined by the manual ({}, section {}): {}; '--undetermined mark' continues with the result that \
         docs/reference/mncore/undetermined.md documents", .0, .0.point().section, .0.point().question
    )]
    Undetermined(Undetermined),
    /// Whoever was told does not want to hear more.
    #[error("stopped on request")]
    Stopped,
    /// More steps than allowed.
    #[error("the program has more than {0} steps; --limit-steps allows more")]
    StepLimit(u64),
    /// Two L2BM that were expected to be equal.
    #[error(
        "the L2BM operand names no L2B, and the two L2BM of group {group} differ from long word {address:#x} on ({}); \
         say which with @.0 or @.1", Undetermined::WhichL2b
    )]
    WhichL2b {
        /// The group.
        group: usize,
        /// The first address.
        address: u64,
    },
    /// `d get` or `d set` goes beyond the end of a memory.
    #[error("{0}")]
    DebugRange(String),
    /// An operand names a place this machine does not have.
    #[error("there is no {what} {number} on this machine, which has {count}")]
    NoSuchPlace {
        /// The level.
        what: &'static str,
        /// The number asked for.
        number: usize,
        /// How many there are.
        count: usize,
    },
}
