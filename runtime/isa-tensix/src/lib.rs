//! The Tensix instruction set, declared once.
//!
//! [`table`] holds one row per instruction. The opcode enum, the typed instructions, the decoder,
//! the encoder, the text form, the reference table ([`doc::markdown`]) and the reflection the
//! compiler's dialect is generated from ([`rows`]) all derive from it, so they cannot disagree.
//!
//! | module | holds |
//! |---|---|
//! | [`arch`] | the two chips as data |
//! | [`table`] | the rows, and everything the row macro generates |
//! | [`codec`] | words ↔ operands, with range and reserved-bit checks |
//! | [`text`] | one instruction as text |
//! | [`asm`] | streams of them |
//! | [`explain`] | the page of an instruction |
//! | [`list`] | a kernel as four lists, and their text form |
//! | [`expand`] | the MOP and REPLAY expanders as pure state machines |
//! | [`mod@cfg`] | the backend configuration fields by name |
//! | [`tile`] | where things are for the RISC-V cores of a tile, and the calling convention |
//! | [`noc`] | the registers that move data |
//! | [`doc`] | the instruction table as Markdown |
//!
//! Sources: Tenstorrent's ISA documentation for meaning, the argument order of LLK's `TT_OP_*`
//! macros for the operands, ttsim's machine-readable tables for the bit ranges in use.
//!
//! Invariants checked: every bit of a word belongs to its opcode, to one field, or is reserved and
//! zero; every operand fits its field. Not checked: whether a combination of operands means
//! anything to the unit that executes it (the model traps there).

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

pub use arch::Arch;
pub use codec::{DecodeError, EncodeError, Operands};
pub use table::{rows, Field, Instruction, Opcode, Row, Unit};
