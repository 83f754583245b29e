//! UNPACR_NOP: jobs of an unpacker in order with its UNPACRs.
//!
//! Its low three bits select one; bits that a job does not have must be clear.
//!
//! | bits | job | |
//! |---|---|---|
//! | 001, 101 | clear the unpacker's bank, of SrcA to negative infinity if bit 2 is set; bit 3: the other bank, too; bit 4: wait as UNPACR does | modelled |
//! | 010 | nothing | modelled |
//! | 111 | hand the bank over | modelled |
//! | 000, 011 | clear a message of a NoC stream | refused: streams that transmit to software are not modelled |
//! | 100 | store to a register | refused: no page says how the base of its address, `Unpackers.SetRegBase`, is set |
//! | 110 | | refused: not documented |
//!
//! Bit 2 has no effect on SrcB. The newest documentation calls clearing both banks, messages and stores unsupported; ttsim has none.
//! A bank that the matrix unit has must not be cleared beneath it: that is a hazard.
//!
//! Source: ISA documentation, `UNPACR_NOP_*.md`.

use tessera_isa_tensix::cfg;
use tessera_isa_tensix::table::UnpacrNop;

use crate::banks::{Client, Src};
use crate::core_state::CoreState;
use crate::numerics::bits::SRC_MASK;
use crate::trap::Fault;

/// Bits of `no_op` that the clearing form has.
const NEGATIVE_INFINITY: u32 = 1 << 2;
const BOTH_BANKS: u32 = 1 << 3;
const WAIT_LIKE_UNPACR: u32 = 1 << 4;

pub(super) fn unpacr_nop(i: &UnpacrNop, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    let src = Src::of_unpacker(i.unpack_block_selection as usize);
    let (selector, rest) = (i.no_op & 7, i.no_op & !7);
    match selector {
        1 | 5 if rest & !(BOTH_BANKS | WAIT_LIKE_UNPACR) == 0 => clear(core, src, i.no_op),
        2 if rest == 0 => Ok(()),
        7 if rest == 0 => hand_over(core, src, thread),
        0 | 3 => Err(Fault::unmodelled(format!(
            "UNPACR_NOP {:#x}, which clears a message of a NoC stream",
            i.no_op
        ))),
        4 => Err(Fault::undefined(format!(
            "UNPACR_NOP {:#x}, which stores to a register whose address it is not documented how to set",
            i.no_op
        ))),
        _ => Err(Fault::undefined(format!(
            "UNPACR_NOP {:#x}; 1 clears the bank, 5 sets SrcA to negative infinity, either with 8 both banks, with 0x10 with UNPACR's wait, \
             7 hands the bank over, 2 does nothing",
            i.no_op
        ))),
    }
}

fn clear(core: &mut CoreState, src: Src, no_op: u32) -> Result<(), Fault> {
    let bank = core.banks.unpacker_bank(src);
    let datum = match src {
        Src::A if no_op & NEGATIVE_INFINITY != 0 => SRC_MASK,
        _ => 0,
    };
    let both = no_op & BOTH_BANKS != 0;
    for bank in [bank, bank ^ 1].into_iter().take(1 + usize::from(both)) {
        if core.banks.owner(src, bank) != Client::Unpackers {
            return Err(Fault::hazard(format!(
                "clears bank {bank} of Src{src:?}, which the matrix unit still has; wait for it (0x10), or clear one bank only"
            )));
        }
        core.regs.src_mut(src).fill(bank, datum);
    }
    Ok(())
}

/// The unpacker's bank goes to the matrix unit; the unpacker's row counter starts again.
pub(super) fn hand_over(core: &mut CoreState, src: Src, thread: usize) -> Result<(), Fault> {
    let base = row_base(core, src, thread);
    core.banks.hand_to_matrix(src, thread, base)
}

/// Row that the unpacker's counter starts from.
pub(super) fn row_base(core: &CoreState, src: Src, thread: usize) -> u32 {
    let field = match src {
        Src::A => cfg::SRCA_SET_Base,
        Src::B => cfg::SRCB_SET_Base,
    };
    core.config.thread(thread, field) << 4
}
