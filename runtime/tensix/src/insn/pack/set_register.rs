//! PACR_SETREG: a store to a register, in order after the packers.
//!
//! The page does not say whether its flush also ends an output, so outputs must have ended before.
//! The instruction issues once the packers are idle, and its store stays in flight until it leaves
//! them.
//!
//! On Blackhole it traps. According to LLK's `assembly.yaml`, one form sets the value that the
//! other one stores to one of four addresses. No source says which registers of TDMA-RISC set
//! these.
//!
//! Source: ISA documentation, `PACR_SETREG.md`, `TDMA-RISC.md`.

use tessera_isa_tensix::cfg;
use tessera_isa_tensix::table::PacrSetreg;

use super::of_packer;
use super::unit::Packers;
use crate::state::request::{register, Request};
use crate::trap::Fault;

pub(super) fn pacr_setreg(
    i: &PacrSetreg,
    thread: usize,
    unit: &mut Packers<'_>,
) -> Result<(), Fault> {
    if (i.push, i.pack_sel, i.flush, i.last) != (1, 15, 1, 0) {
        return Err(Fault::undefined(
            "PACR_SETREG with operands other than push 1, pack_sel 15, flush 1, last 0",
        ));
    }
    if let Some(packer) = unit
        .packers
        .iter()
        .position(|packer| packer.output.is_some())
    {
        return Err(Fault::undefined(format!(
            "PACR_SETREG while packer {packer} has an output that has not ended; end it first \
             (last)"
        )));
    }
    let format = unit
        .config
        .get(thread, of_packer(cfg::THCON_PACK_Out_data_format, 0));
    let set = unit.set_register;
    let (Some(bases), Some(scaler)) = (set.bases, set.scalers[format as usize & 3]) else {
        return Err(Fault::undefined(
            "PACR_SETREG before TDMA-RISC has been told its base addresses and scalers",
        ));
    };
    // The operand `stream_id` provides the middle bits of the address.
    let address = register(bases[i.addr_sel as usize] + (i.stream_id << 12))?;
    let high = i.wr_data * scaler;
    let value = i.wr_data + ((high & 0x1_FFFF) << 12);
    if address < 0xFFB8_0000 {
        *unit.request = Some(Request::Store { address, value });
    }
    Ok(())
}

#[cfg(test)]
mod tests;
