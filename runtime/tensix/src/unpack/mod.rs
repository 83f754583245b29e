//! The unpackers: L1 to SrcA or Dst (unpacker 0) and to SrcB (unpacker 1).
//!
//! Modelled: tiles without compression in the formats of `conversion`, contexts and their ping-pong, transposition of 16x16
//! faces, whole rows; UNPACR_NOP in its forms that clear a bank, hand it over, or do nothing. Everything else traps: other
//! formats, compression, row search, tilizing input, upsampling, column shift, wrap-around FIFOs in L1.
//!
//! Whoever unpacks to Dst must know that nobody else uses those rows: what is in flight conflicts as with every other unit
//! (`flight.rs`), and that the rows are free and when they are filled the threads tell each other by semaphores. Even
//! then UNPACR waits for a bank of SrcA, and after the last of a kernel one to SrcA must follow. `tests/unpack_to_dst.rs` has
//! a program that does all of this.
//!
//! The waits for the bank's owner are the machine's. Source: ISA documentation, `UNPACR_Regular.md`, `UNPACR_NOP_*.md`.
//!
//! Compared with ttsim 1.10.0 on random tiles, descriptors and counters: 58,500 UNPACR of BF16, 57,876 to Dst and 3,650 of
//! FP32 to Src, and 15,260 UNPACR_NOP, after each of which banks, Dst and counters were equal.

mod address;
mod conversion;
#[cfg(test)]
mod dst_tests;
mod nop;
mod regular;
#[cfg(test)]
mod tests;

use tessera_isa_tensix::Instruction;

use crate::core_state::CoreState;
use crate::trap::Fault;

/// Executes one instruction of this unit for `thread`.
pub fn execute(
    instruction: &Instruction,
    thread: usize,
    core: &mut CoreState,
) -> Result<(), Fault> {
    match instruction {
        Instruction::Unpacr(i) => regular::unpacr(i, thread, core),
        Instruction::UnpacrNop(i) => nop::unpacr_nop(i, thread, core),
        other => Err(Fault::unmodelled_instruction(other)),
    }
}
