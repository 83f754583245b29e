//! The RISC-V cores of a Tensix tile: RV32IM, and the extensions of Blackhole.
//!
//! * [`table`]: all instructions; [`Isa`]: the instructions of a core; [`Instruction`] decodes,
//!   encodes and prints from the table.
//! * [`Core`]: registers, program counter and execution over any [`Bus`], with a cache of decoded
//!   code.
//!
//! Sources: the RISC-V unprivileged specification (RV32I 2.1, M 2.0, Zicsr 2.0, Zaamo, F 2.2, Zfh
//! 1.0, V 1.0, Zba and Zbb 1.0; draft 0.94 of bit manipulation). For `ttinsn` (all words whose low
//! two bits are not 11), control registers and memory ordering: the Tensix ISA documentation
//! (`BabyRISCV/README.md`, `InstructionSet.md`, `CSRs.md`, `PushTensixInstruction.md`,
//! `MemoryOrdering.md`).
//!
//! Checked, although the chip would continue: illegal words, misaligned accesses and jumps, `ecall`
//! and `ebreak`, refusals of the bus. Each is a [`Trap`] with the program counter and the
//! instruction. Not modelled: cycles, caches, the debug interface.

mod alu;
mod bus;
mod code_library;
mod core;
mod csr;
mod decode_cache;
mod decoded;
mod float;
mod instruction;
mod isa;
mod micro_op;
mod page_code;
mod spin_detector;
pub mod table;
mod trap;
mod vector;
mod weak_memory;

pub use crate::bus::{Bus, Refusal, Width, CODE_PAGE};
pub use crate::code_library::CodeLibrary;
pub use crate::core::{Core, Step};
pub use crate::csr::CsrError;
pub use crate::decode_cache::SharedCode;
pub use crate::instruction::{EncodeError, IllegalInstruction, Instruction};
pub use crate::isa::{Extension, Isa};
pub use crate::table::Op;
pub use crate::trap::{Reason, Trap};
pub use crate::vector::VectorError;
pub use crate::weak_memory::STORE_QUEUE;
