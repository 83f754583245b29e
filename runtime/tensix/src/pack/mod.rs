//! The packers: Dst to L1.
//!
//! Each datum goes through early conversion, edge mask, ReLU, exponent histogram, exponent
//! threshold, downsampling, late conversion (for block floats with the shared exponent of sixteen)
//! and, if so configured, is added to what L1 has. `datums` does this datum by datum, as the
//! documentation has it; `rows` does whole rows of the frequent pairs of formats at once.
//!
//! Traps, because the pages do not say what happens: compression, whose exact output "isn't
//! specified"; stochastic rounding; the automatic end of a tile, the output FIFO, the read mode and
//! the downsampling rate; single datums ([`crate::numerics::packer`]); block floats from L1, and
//! edge masks, ReLU and wrap-around where the model of the pages gives no answer.
//!
//! Source: ISA documentation, `PACR.md`, `PACR_SETREG.md`, `TDMA-RISC.md` and the pages of
//! `Packers/`.
//!
//! Compared with ttsim 1.10.0 on random accumulators, contents of L1, masks, thresholds, addresses
//! and counters, in the 25 pairs of formats that it has, with accumulation and without: 311,193
//! PACRs, and L1 and counters were equal after each output. Only here are refused what is not a
//! number in a ReLU of FP32. [`crate::numerics::packer`] has the points where ttsim decides. It has
//! no configuration words for the base addresses and for masks by face and refuses to write them;
//! that is its limit, not the hardware's, so they follow the pages. On Blackhole 176,444 outputs of
//! one to four PACRs were equal, in ttsim's 28 pairs of formats, in all layouts of Dst and with
//! `dst_access_mode`. 1,156 differed, all with edge masks behind a part of a row: ttsim counts the
//! datums of that row, the newest `PACR.md` its interface, and so does this. `dst_access_mode` up
//! to rows that Dst has not is refused only here.

mod addresses;
mod blackhole;
mod datapath;
mod datums;
mod edge;
mod histogram;
mod output;
mod pacr;
mod rows;
mod set_register;
#[cfg(test)]
mod tests;

use tessera_isa_tensix::cfg::ConfigField;
use tessera_isa_tensix::{Arch, Instruction};

use crate::core_state::CoreState;
use crate::trap::Fault;

pub(crate) use datapath::is_uncompressed;
pub use histogram::Histogram;
pub use set_register::SetRegister;

/// What one packer keeps between PACRs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Packer {
    /// What goes to L1; nothing after a PACR with `last` or `flush`: then the configured address is
    /// taken anew.
    output: Option<output::Output>,
    /// Position in the tile, for edge masks.
    position: edge::Position,
    /// The exponents of the datums that have come from Dst.
    pub histogram: Histogram,
    /// What TDMA-RISC adds to output addresses, in units of 16 bytes, where
    /// `Add_l1_dest_addr_offset` is set.
    pub address_offset: u16,
}

/// Executes one instruction of this unit for `thread`.
pub fn execute(
    instruction: &Instruction,
    thread: usize,
    core: &mut CoreState,
) -> Result<(), Fault> {
    match instruction {
        Instruction::Pacr(i) => match core.arch {
            Arch::WormholeB0 => pacr::pacr(i, thread, core),
            Arch::Blackhole => blackhole::pacr(i, thread, core),
        },
        Instruction::PacrSetreg(i) => set_register::pacr_setreg(i, thread, core),
        other => Err(Fault::unmodelled_instruction(other)),
    }
}

/// Returns the member for `packer` of a family with the dimensions THCON section and register pair.
pub(crate) fn of_packer(family: ConfigField, packer: u32) -> ConfigField {
    family.at(packer / 2).at(packer % 2)
}
