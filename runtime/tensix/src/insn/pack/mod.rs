//! The packers: Dst to L1.
//!
//! Each datum passes through early conversion, edge mask, ReLU, exponent histogram, exponent
//! threshold, downsampling and late conversion (for block floats with the shared exponent of
//! sixteen). If so configured, it is added to the datum in L1. `datums` does this datum by datum,
//! as documented; `rows` converts whole rows for common pairs of formats.
//!
//! Traps, because the documentation is silent: compression, whose exact output "isn't specified";
//! stochastic rounding; the automatic end of a tile, the output FIFO, the read mode and the
//! downsampling rate; some datums ([`crate::arith::spec::packer`]); block floats from L1; edge
//! masks, ReLU and wrap-around where the functional model gives no answer.
//!
//! Source: ISA documentation, `PACR.md`, `PACR_SETREG.md`, `TDMA-RISC.md` and the pages of
//! `Packers/`.
//!
//! Validation: compared with ttsim 1.10.0 on random accumulators, L1 contents, masks, thresholds,
//! addresses and counters, in the 25 pairs of formats that it has, with and without accumulation.
//! L1 and counters were equal after each output of 311,193 PACRs. Only this model refuses NaN in a
//! ReLU of FP32. [`crate::arith::spec::packer`] lists where ttsim decides. ttsim refuses
//! configuration words for base addresses and for masks by face, which are its own limits; the
//! model follows the documentation.
//!
//! On Blackhole 176,444 outputs of one to four PACRs were equal, in ttsim's 28 pairs of formats, in
//! all layouts of Dst and with `dst_access_mode`. 1,156 outputs differed, all with edge masks after
//! a partial row: ttsim counts the datums of that row, while the latest `PACR.md` and this model
//! count its interface. Only this model refuses `dst_access_mode` beyond the rows of Dst.
//! Sampled instructions of such a comparison are in `tests/vectors/pacr.tsv`.

mod addresses;
mod blackhole;
mod datapath;
mod datums;
mod edge;
mod output;
mod pacr;
mod part;
mod rows;
mod set_register;
mod settings;
#[cfg(test)]
mod tests;
mod traits;
mod unit;

use tessera_isa_tensix::cfg::ConfigField;

pub(crate) use datapath::is_uncompressed;
pub use traits::execute;
pub(super) use traits::TRAITS;
pub use unit::Packers;

/// Returns the member for `packer` of a field family with dimensions THCON section and register
/// pair.
pub(crate) fn of_packer(family: ConfigField, packer: u32) -> ConfigField {
    family.nth(packer / 2).nth(packer % 2)
}
