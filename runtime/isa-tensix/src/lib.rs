//! The Tensix instruction set, declared once.
//!
//! [`table`] has one row per instruction. The opcode enum, the typed instructions, the decoder, the
//! encoder, the text form, the reference table ([`doc::markdown`]) and the rows from which the
//! compiler's dialect is generated ([`rows`]) all derive from it.
//!
//! | module | contents |
//! |---|---|
//! | [`arch`] | the two chips |
//! | [`table`] | the rows, and the code that the row macro generates |
//! | [`codec`] | encoding and decoding, with range and reserved-bit checks |
//! | [`text`] | the text form of an instruction |
//! | [`asm`] | assembler and disassembler |
//! | [`explain`] | the reference page of an instruction |
//! | [`list`] | a kernel as four lists, and their text form |
//! | [`expand`] | the MOP and REPLAY expanders as pure state machines |
//! | [`mod@cfg`] | the backend configuration fields by name |
//! | [`tile`] | the address map of a tile's RISC-V cores, and the calling convention |
//! | [`noc`] | the registers of the NoC interfaces |
//! | [`doc`] | the instruction table as Markdown |
//!
//! Sources: Tenstorrent's ISA documentation for the meaning, the argument order of LLK's `TT_OP_*`
//! macros for the operands, ttsim's machine-readable tables for the bit ranges in use.
//!
//! Checked: every bit of a word belongs to its opcode, to one field, or is reserved and zero; every
//! operand fits its field. Not checked: whether a combination of operands is meaningful to its unit
//! (the model traps otherwise).

pub mod arch;
pub mod asm;
pub mod cfg;
pub mod codec;
pub mod doc;
pub mod expand;
pub mod explain;
pub mod list;
pub mod noc;
pub mod table;
pub mod text;
pub mod tile;
pub mod worker_grid;

pub use arch::Arch;
pub use codec::{DecodeError, EncodeError, Operands};
pub use table::{rows, Field, Instruction, Opcode, Row, Unit};
