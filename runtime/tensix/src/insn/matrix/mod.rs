//! The Matrix Unit (FPU).
//!
//! | module | holds |
//! |---|---|
//! | `unit` | the state that the instructions use |
//! | `traits` | a row for each instruction, with the function that executes it |
//! | `multiply` | matrix products: MVMUL, and GAPOOL |
//! | `pool` | maxima of rows: GMPOOL |
//! | `elementwise` | sums and products of elements: ELWADD and its kind |
//! | `moves` | moves between Src and Dst: MOVA2D and its kind |
//! | `sources` | moves within the sources: MOVB2A and its kind |
//! | `clear` | clearing of Dst, Src and histograms: ZEROACC and its kind |
//! | `handover` | counters, and banks that go back to the unpackers: SETRWC and its kind |
//!
//! Bit-exact for BF16, TF32 and FP16 sources, see [`crate::arith::spec::fpu`], and for integers.
//! Traps: stochastic rounding, FP16A_FORCE_Enable and the override of SrcB's format, denormal
//! floats, row addresses whose low bits the hardware ignores.
//!
//! On Blackhole, banks imply the format of their data (`setup`), rows of Dst may have another
//! layout, ZEROACC has other operands (`clear`), and −1 is renormalised correctly. SHIFTXB and
//! CLREXPHIST exist on Wormhole only, according to LLK's instruction table of Blackhole; for the
//! latter also to `SoftReset.md`. SHIFTXA traps on Blackhole, because it is not documented whether
//! the bug that selects its rows was fixed: `MatrixUnit.md`, valid for both chips, lists its rate,
//! `SHIFTXA.md` is Wormhole's, ttsim has it on neither chip, and LLK does not use it.
//!
//! Source: ISA documentation, the page of each instruction and `MatrixUnit.md`.
//!
//! Validation: compared with ttsim 1.10.0 on random register files, counters and operands, floats
//! and integers. The whole state was equal after each of 50,872 instructions; these exclude
//! SHIFTXA, SHIFTXB, broadcast rows, indices and pooled integers, which ttsim refuses. ttsim also
//! refuses row addresses that wrap; this model also refuses moves of 16-bit rows in a 32-bit Dst
//! and denormal sources. On Blackhole 70,147 instructions were equal (excluding ZEROACC with 32-bit
//! sums beyond a group, where ttsim differs from the silicon). `tests/vectors/fpu.tsv` and
//! `fpu_blackhole.tsv` have sampled elements of products and sums.

mod clear;
mod columns;
mod dst;
mod elementwise;
mod handover;
mod moves;
mod multiply;
mod pool;
mod row_moves;
mod setup;
mod sources;
#[cfg(test)]
mod tests;
mod traits;
mod unit;

pub(crate) use multiply::MvmulBatch;
pub use traits::execute;
pub(super) use traits::TRAITS;
pub use unit::MatrixUnit;
