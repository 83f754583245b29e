//! Kernels as assembler statements: emits scheduled loops one after the other.
//!
//! Statements are streamed, so a kernel never has to fit in memory. Each passes the assembler's
//! rules (hazards and encoding) on the way. Construction replays the schedule log
//! ([`crate::check::log`]) over the whole kernel.
//!
//! | file | holds |
//! |---|---|
//! | `error.rs` | why a kernel cannot be emitted |
//! | `stream.rs` | the statements of prepared loops, checked one by one |
//! | `checked.rs` | a kernel whose schedule log has been checked; its forms: statements, text, words |
//!
//! Invariant: every kernel passes through [`CheckedProgram`]. None is emitted without a replay of
//! its schedule log.

mod checked;
mod error;
mod stream;

use tessera_isa_mncore::ast;
use tessera_isa_mncore::word::Mode;
use tessera_mncore_ir::program::Program;

pub use checked::{CheckedProgram, IssueOrder};
pub use error::ProgramError;
pub use stream::Sink;

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
