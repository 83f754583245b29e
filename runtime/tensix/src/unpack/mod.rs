//! The unpackers: L1 to SrcA or Dst (unpacker 0) and to SrcB (unpacker 1).
//!
//! An UNPACR is resolved once: where it reads, what becomes of a datum (`conversion`), where it
//! writes. What its configuration says of that (`settings`, `configured`) is kept as long as it
//! stays; counters and the instruction's own fields come to it every time (`address`). Then whole
//! rows are converted at once (`rows`); what does not consist of those goes datum by datum
//! (`datums`), as the documentation has it. The two are compared in tests, and both with ttsim.
//!
//! Modelled: all formats and conversions, all contexts, compressed tiles and row searches
//! (`compressed`), rows that lie apart in L1 (tilizing), transposition, upsampling, column shift,
//! buffers that wrap, unpacking to Dst; UNPACR_NOP as `nop` says. The newest documentation calls
//! compression, row searches, upsampling, column shift and output addresses within a row
//! unsupported, with little confidence in what it says of them, and ttsim refuses them: here they
//! are as documented and checked by nothing else. Of upsampling the documentation gives two
//! accounts: `Unpackers/README.md` has 1, 2 or 4 places behind a datum, and refers to
//! `UNPACR_Regular.md`, which has 1, 3 or 7; that holds.
//!
//! On Blackhole, rows of 32 datums lie together while tilizing, rows of SrcA wrap, FP8 may have a
//! 4-bit exponent, banks are handed over with their format (`nop` has the encoding of UNPACR_NOP),
//! and faster is the default. Trapped, for no source describes them: `srcb_bcast`, numbers of
//! contexts that are no powers of two, a tile offset, and another buffer's end.
//!
//! Errata of the project's notes on the unpack data path, and the tests that settle them, are
//! points 001 of `docs/reference/tensix/errata.md`.
//!
//! Whoever unpacks to Dst must know that nobody else uses those rows: what is in flight conflicts
//! as with every other unit (`flight.rs`), and that the rows are free and when they are filled the
//! threads tell each other by semaphores. Even then UNPACR waits for a bank of SrcA, which it
//! clobbers (the newest `UNPACR_Regular.md`, at d0ade265, does not say which rows: none can be read
//! before it is written again), and after the last of a kernel one to SrcA must follow.
//! `tests/unpack_to_dst.rs` has a program that does all of this.
//!
//! The waits for the bank's owner are the machine's. Source: ISA documentation,
//! `UNPACR_Regular.md`, `UNPACR_NOP_*.md`.
//!
//! Compared with ttsim 1.10.0 on random tiles, descriptors and counters, after each of which banks,
//! Dst and counters were equal: 1,267,630 UNPACR in the formats that ttsim has (all but BFP8a,
//! BFP4a, BFP2a; only 32 bits to Dst), tilizing and transposing among them, and 15,260 UNPACR_NOP.
//! On Blackhole 135,163 instructions of both kinds, likewise.

mod address;
mod compressed;
mod configured;
mod conversion;
mod datums;
mod nop;
mod regular;
mod rows;
mod settings;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;

use tessera_isa_tensix::Instruction;

pub use compressed::RowStarts;
pub(crate) use configured::Configured;
pub(crate) use settings::Key;

use crate::core_state::CoreState;
use crate::trap::Fault;

/// Executes one instruction of this unit for `thread`.
pub fn execute(
    instruction: &Instruction,
    thread: usize,
    core: &mut CoreState,
) -> Result<(), Fault> {
    match instruction {
        Instruction::Unpacr(i) if i.cfg_context_cnt_inc != 0 => {
            regular::next_context(i, thread, core)
        }
        Instruction::Unpacr(i) if i.search_cache_flush != 0 => regular::flush(i, thread, core),
        Instruction::Unpacr(i) => regular::unpacr(i, thread, core),
        Instruction::UnpacrNop(i) => nop::unpacr_nop(i, thread, core),
        other => Err(Fault::unmodelled_instruction(other)),
    }
}
