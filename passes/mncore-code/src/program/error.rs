//! Why a kernel cannot be emitted.

use tessera_isa_mncore::diagnostic::Diagnostic;
use thiserror::Error;

use crate::check::log::LogError;
use crate::emit::EmitError;
use crate::sched::ScheduleError;

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
