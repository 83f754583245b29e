//! RV32IM, as the small RISC-V cores of a Tensix tile run it.
//!
//! * [`table`]: every instruction once; [`Instruction`] decodes, encodes and prints from it.
//! * [`Image`]: a program decoded once. Images do not modify themselves.
//! * [`Core`]: registers, program counter and execution, over any [`Bus`].
//!
//! Sources: the RISC-V unprivileged specification (RV32I 2.1, M 2.0); for `ttinsn`, which all words that end in other
//! bits than 11 stand for, and for memory ordering the Tensix ISA documentation (`BabyRISCV/README.md`,
//! `PushTensixInstruction.md`, `MemoryOrdering.md`).
//!
//! Checked, where the chip goes on with something else: illegal words, misaligned accesses and jumps, `ecall` and
//! `ebreak`, fetches outside the image, stores into it, whatever the bus refuses. Each is a [`Trap`] with the
//! program counter and the instruction. Not modelled: cycles, caches, the debug interface, control registers (the
//! chip has none).

mod alu;
mod bus;
mod core;
mod image;
mod instruction;
mod order;
pub mod table;
mod trap;

pub use crate::bus::{Bus, Refusal, Width};
pub use crate::core::{Core, Step};
pub use crate::image::{Image, ImageError};
pub use crate::instruction::{EncodeError, IllegalInstruction, Instruction};
pub use crate::order::STORE_QUEUE;
pub use crate::table::Op;
pub use crate::trap::{Reason, Trap};
