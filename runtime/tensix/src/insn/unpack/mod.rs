//! The unpackers: L1 to SrcA or Dst (unpacker 0) and to SrcB (unpacker 1).
//!
//! An UNPACR is resolved once into source, conversion (`conversion`) and destination. The part that
//! depends on the configuration (`settings`, `configured`) is cached until the configuration
//! changes; counters and the instruction's own fields are added each time (`address`). Whole rows
//! are then converted at once (`rows`). Other transfers go datum by datum (`datums`), as
//! documented. Tests compare the two paths with each other and with ttsim.
//!
//! Modelled: all formats and conversions, all contexts, compressed tiles and row searches
//! (`compressed`), rows apart in L1 (tilizing), transposition, upsampling, column shift, circular
//! buffers, unpacking to Dst; UNPACR_NOP as described in `nop`. The latest documentation calls
//! compression, row searches, upsampling, column shift and output addresses within a row
//! unsupported and its description unreliable, and ttsim refuses them. The model follows the
//! description without further validation. For upsampling, `Unpackers/README.md` gives 1, 2 or 4
//! places after a datum and refers to `UNPACR_Regular.md`, which gives 1, 3 or 7; the model uses
//! the latter.
//!
//! On Blackhole, rows of 32 datums are contiguous while tilizing, rows of SrcA wrap, FP8 may have a
//! 4-bit exponent, banks are handed over with their format (`nop` has the encoding of UNPACR_NOP),
//! and the faster mode is the default. Undocumented settings trap: `srcb_bcast`, numbers of
//! contexts that are not powers of two, a tile offset, and another buffer's end.
//!
//! Section 001 of `docs/reference/tensix/errata.md` lists errata of design documents about the
//! unpackers, with the tests that decide them.
//!
//! Unpacking to Dst: no other instruction may use those rows meanwhile, as for every other unit
//! (`flight.rs`). Threads use semaphores to tell each other when rows are free and when they are
//! filled. UNPACR also waits for a bank of SrcA, which it clobbers. The latest `UNPACR_Regular.md`
//! (at d0ade265) does not say which rows, so none can be read before the next write. After the last
//! UNPACR to Dst of a kernel, one to SrcA must follow. `tests/unpack_to_dst.rs` has a complete
//! program.
//!
//! The wait gate handles waits for bank owners.
//!
//! Source: ISA documentation, `UNPACR_Regular.md`, `UNPACR_NOP_*.md`.
//!
//! Validation: compared with ttsim 1.10.0 on random tiles, descriptors and counters. Banks, Dst and
//! counters were equal after each of 1,267,630 UNPACRs, including tilizing and transposing, in the
//! formats that ttsim has (all but BFP8a, BFP4a, BFP2a; only 32 bits to Dst), and 15,260
//! UNPACR_NOPs. On Blackhole 135,163 instructions of both kinds were equal. Sampled instructions of
//! such a comparison are in `tests/vectors/unpacr.tsv`.

mod address;
mod compressed;
mod configured;
mod conversion;
mod datums;
mod input;
mod nop;
mod regular;
mod rows;
mod settings;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
mod traits;
mod unit;

pub use traits::execute;
pub(super) use traits::TRAITS;
pub use unit::Unpackers;
