//! The MN-Core 2 instruction set, declared once.
//!
//! [`table`] holds one row per operation, a file per family. Parser, checker, printer and codec
//! derive from it.
//!
//! | module | holds | manual |
//! |---|---|---|
//! | [`memory`] | memories, widths, precisions | 1.3, 1.5, 3.6.1 |
//! | [`table`] | the rows, and the opcodes made from them | 3.5.5, 3.5.8, 3.6.5 to 3.6.13 |
//! | [`ast`] | a program as typed statements | 3.1, 3.4 to 3.6 |
//! | [`mod@parse`] | from text to statements | 3.2, 3.4, 3.5, 3.6 |
//! | [`fields`] | the fields of an instruction word, and who takes them | 3.6.4 |
//! | [`layout`] | where tensors lie, and what instructions do to that | 1.5, 3.5.8, 3.6.7, 3.6.8, 3.6.10, 3.6.11 |
//! | [`mod@check`] | rules about operands, steps and what follows what | 3.6.3, 3.6.4 |
//! | [`explain`] | the page of an opcode | |
//! | [`mod@print`] | from statements to text | |
//! | [`word`] | from steps and MV instructions to bits, and back | 1.2 |
//! | [`mod@unit`] | the packed instruction stream | 1.2 |
//! | [`text_form`] | the assembled text form | 2.3 |
//! | [`diagnostic`] | what is wrong with a text, and where | |
//!
//! The table from the sections of the manual's chapters 2 to 4 to files and tests is
//! `docs/reference/mncore/sections.md`.
//!
//! Not known of the vendor's encoding, and ours: all of [`word`] but sizes and tags. Not in the
//! manual, and accepted as public programs use it: `#` comments behind a statement, an MV operand
//! `$lc<addr>` where `mvp` reads, MAU inputs of any width. The manual gives no alignment for
//! `l2bmdars`; it reads 64 long words a cycle, and as of everything else that does, its addresses
//! are multiples of 64. Limits of ours: `nop/n` up to 65,536, `nd` up to 1,023, increments in
//! auto-stride words up to 511 accesses of a local memory and 255 of a register file.
//!
//! Source: the Software Developer Manual of MN-Core 2 (Japanese edition), whose section numbers are
//! given everywhere; the host statements `r c e f` are not in it and follow public programs.

pub mod ast;
pub mod check;
pub mod diagnostic;
pub mod explain;
pub mod fields;
pub mod layout;
pub mod memory;
pub mod parse;
pub mod print;
pub mod table;
pub mod text_form;
pub mod unit;
pub mod word;

pub use ast::{Program, Statement, StatementKind, Step};
pub use check::{check, hazards};
pub use diagnostic::{Diagnostic, Span};
pub use parse::parse;
