//! The MN-Core 2 instruction set: table, assembler, disassembler, checks and tensor layouts.
//!
//! [`table`] declares every operation once, one row per operation and one file per family. The
//! parser, checker, printer and codec all derive from these rows.
//!
//! | module | holds | manual |
//! |---|---|---|
//! | [`memory`] | memories, access widths, precisions | 1.3, 1.5, 3.6.1 |
//! | [`table`] | the rows, and the opcodes derived from them | 3.5.5, 3.5.8, 3.6.5 to 3.6.13 |
//! | [`ast`] | a program as typed statements | 3.1, 3.4 to 3.6 |
//! | [`mod@parse`] | the parser: text to statements | 3.2, 3.4, 3.5, 3.6 |
//! | [`fields`] | the fields of an instruction word, and the values operands assign to them | 3.6.4 |
//! | [`layout`] | tensor layouts, and how transfer instructions transform them | 1.5, 3.5.8, 3.6.7, 3.6.8, 3.6.10, 3.6.11 |
//! | [`mod@check`] | rules for operands, for one step, and for successive steps | 3.6.3, 3.6.4 |
//! | [`explain`] | the help page of an opcode | |
//! | [`mod@print`] | the printer: statements to text | |
//! | [`word`] | encoding and decoding of steps and MV instructions | 1.2 |
//! | [`mod@unit`] | the packed instruction stream | 1.2 |
//! | [`text_form`] | the assembled text form | 2.3 |
//! | [`diagnostic`] | errors in a source text, with their location | |
//!
//! `docs/reference/mncore/sections.md` lists for each section of chapters 2 to 4 of the manual
//! where it is implemented and tested.
//!
//! The vendor does not publish the encoding. Everything in [`word`] except sizes and tag positions
//! is defined by this crate.
//!
//! Three extensions are not in the manual but occur in public programs, so they are accepted: `#`
//! comments after a statement, an MV operand `$lc<addr>` as the source of `mvp`, and MAU inputs of
//! any width. The manual gives no alignment for the address of `l2bmdars`. It reads 64 long words a
//! cycle, so the address must be a multiple of 64, as for every other such transfer.
//!
//! Implementation limits: `nop/n` up to 65,536, `nd` up to 1,023, and increments in auto-stride
//! words up to 511 accesses of a local memory or 255 of a register file.
//!
//! Source: the MN-Core 2 Software Developer Manual (Japanese edition). Section numbers in this
//! crate refer to it. The host statements `r c e f` are not in the manual; they follow public
//! programs.

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
