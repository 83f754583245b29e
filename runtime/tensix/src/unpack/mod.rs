//! The unpackers: L1 to SrcA or Dst (unpacker 0) and to SrcB (unpacker 1).
//!
//! An UNPACR is resolved once (`settings`, `address`): where it reads, what becomes of a datum (`conversion`), where it writes.
//! Then whole rows are converted at once (`rows`); what does not consist of those goes datum by datum (`datums`), as the
//! documentation has it. The two are compared in tests, and both with ttsim.
//!
//! Modelled: all formats and conversions, all contexts, compressed tiles and row searches (`compressed`), rows that lie apart in L1
//! (tilizing), transposition, upsampling, column shift, buffers that wrap, unpacking to Dst; UNPACR_NOP as `nop` says. The newest documentation calls compression, row searches, upsampling, column shift and output
//! addresses within a row unsupported, with little confidence in what it says of them, and ttsim refuses them: here they
//! are as documented and checked by nothing else. Of upsampling the documentation gives two accounts: `Unpackers/README.md`
//! has 1, 2 or 4 places behind a datum, and refers to `UNPACR_Regular.md`, which has 1, 3 or 7; that holds.
//!
//! Errata of the project's notes on the unpack data path, and where they are settled:
//!
//! | what a reader may expect | what holds | test |
//! |---|---|---|
//! | tiles begin with a header of 16 bytes | base addresses are in units of 16, minus 1 | `whole_tiles_go_to_both_banks` |
//! | `NoBFPExpSection` forces an exponent | `Force_shared_exp` does; without it BFP4 and BFP2 need the section | `refused_configurations` |
//! | row starts are byte offsets | they count datums | `rows_are_expanded` |
//! | `SetOvrdWithAddr` is for Dst | for SrcA; with Dst it is undefined | `refusals` of Dst |
//! | rows of SrcA wrap at 64 | undefined; if the first is not in the bank, see `address` | `rows_beyond_src_a`, `refused_addresses` |
//! | counters of two threads that are the same advance twice | once | `counters_advance_once` |
//! | output addresses are in bytes for INT8 only | for all formats of 8 bits or less | `rows_do_what_datums_do`, ttsim |
//! | INT8 is format 13 | 14 | `int8_is_format_14` |
//! | a block float of magnitude 0 is infinite or zero with a sign | minus infinity or +0 | `from_blocks` |
//! | a block exponent that is too small is negative | it wraps; for BFP8a and so on it is undefined | `from_blocks`, `a_row_is_refused_for_one_datum` |
//! | ADDRCR* brings the counter back | it adds to the carriage-return value first | `counters` of `exec` |
//! | UNPACR_NOP clears SrcB to negative infinity, or stream messages, or stores | to zero; the others are refused | `unpacr_nop_clears_and_hands_over`, `refused_modes` |
//! | the context's Dst address is in bytes | in datums | `whole_tiles_arrive_bit_for_bit` |
//! | upsampling by 1, 2, 4 | 1, 3, 7 | `upsampling` |
//! | unpacker 1 skips four rows, too | only unpacker 0 counts from four | `refused_addresses`, `the_unpackers_own_row_counter` |
//!
//! Whoever unpacks to Dst must know that nobody else uses those rows: what is in flight conflicts as with every other unit
//! (`flight.rs`), and that the rows are free and when they are filled the threads tell each other by semaphores. Even
//! then UNPACR waits for a bank of SrcA, and after the last of a kernel one to SrcA must follow. `tests/unpack_to_dst.rs` has
//! a program that does all of this.
//!
//! The waits for the bank's owner are the machine's. Source: ISA documentation, `UNPACR_Regular.md`, `UNPACR_NOP_*.md`.
//!
//! Compared with ttsim 1.10.0 on random tiles, descriptors and counters, after each of which banks, Dst and counters were equal:
//! 1,267,630 UNPACR in the formats that ttsim has (all but BFP8a, BFP4a, BFP2a; only 32 bits to Dst), tilizing and transposing among
//! them, and 15,260 UNPACR_NOP.

mod address;
mod compressed;
#[cfg(test)]
mod compressed_tests;
mod conversion;
#[cfg(test)]
mod conversion_tests;
mod datums;
#[cfg(test)]
mod dst_tests;
#[cfg(test)]
mod mode_tests;
mod nop;
#[cfg(test)]
mod random_tests;
mod regular;
mod rows;
mod settings;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

use tessera_isa_tensix::Instruction;

pub use compressed::RowStarts;

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
