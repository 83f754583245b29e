//! The packers: Dst to L1.
//!
//! Modelled: BF16 in L1 from a 32-bit or a BF16 Dst, rounded or raw, with ReLU in all its forms; FP32 in L1 from a
//! 32-bit Dst, bit by bit and without ReLU; all four packers; edge masks to zero. Everything else traps: other formats, packing from L1, accumulation in L1, compression, thresholds, histograms,
//! downsampling, stochastic rounding, output that is not whole 16-byte units, wrap-around FIFOs in L1.
//!
//! Source: ISA documentation, `PACR.md` and the pages of `Packers/`.
//!
//! Compared with ttsim 1.10.0 for BF16 on random accumulators, masks, thresholds, addresses and counters: 52,737 PACR, after each of
//! which L1 and counters were equal.

mod edge;
mod input;
mod output;
mod pacr;
#[cfg(test)]
mod tests;

use tessera_isa_tensix::Instruction;

use crate::core_state::CoreState;
use crate::trap::Fault;

/// Progress of one packer between PACRs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Packer {
    /// Where the next datums go; nothing after a PACR with `last` or `flush`: then the configured address is taken anew.
    next: Option<u32>,
    /// Position in the tile, for edge masks.
    position: edge::Position,
}

/// Executes one instruction of this unit for `thread`.
pub fn execute(
    instruction: &Instruction,
    thread: usize,
    core: &mut CoreState,
) -> Result<(), Fault> {
    match instruction {
        Instruction::Pacr(i) => pacr::pacr(i, thread, core),
        other => Err(Fault::unmodelled_instruction(other)),
    }
}
