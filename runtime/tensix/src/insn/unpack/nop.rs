//! UNPACR_NOP: operations of an unpacker in order with its UNPACRs.
//!
//! The low three bits select an operation; bits that it does not use must be clear.
//!
//! | bits | job | |
//! |---|---|---|
//! | 001, 101 | clear the unpacker's bank, of SrcA to negative infinity if bit 2 is set; bit 3: the other bank, too; bit 4: wait as UNPACR does | modelled |
//! | 010 | nothing | modelled |
//! | 111 | hand the bank over | modelled |
//! | 000, 011 | clear a message of a NoC stream | refused: streams that transmit to software are not modelled |
//! | 100 | store to a register | refused: how the base of its address, `Unpackers.SetRegBase`, is set is not documented |
//! | 110 | | refused: not documented |
//!
//! This is Wormhole's encoding. Blackhole has an operand for each part: one instruction can clear
//! and hand over, and SrcB can also be cleared to negative infinity. Clearing to one or to an
//! immediate is refused there, because the bit patterns are not documented.
//!
//! Bit 2 has no effect on SrcB. The latest documentation calls clearing both banks, messages and
//! stores unsupported; ttsim has none of them. Clearing a bank that the matrix unit owns is a
//! hazard.
//!
//! Source: ISA documentation, `UNPACR_NOP_*.md`.

use tessera_isa_tensix::table::UnpacrNop;
use tessera_isa_tensix::{cfg, Arch};

use super::unit::Unpackers;
use crate::arith::spec::bits::SRC_MASK;
use crate::arith::spec::format::Format;
use crate::state::banks::{Banks, Client, Src};
use crate::state::config::Config;
use crate::trap::Fault;

/// Bits of `no_op` that the clearing form has.
const NEGATIVE_INFINITY: u32 = 1 << 2;
const BOTH_BANKS: u32 = 1 << 3;
const WAIT_LIKE_UNPACR: u32 = 1 << 4;

pub(super) fn unpacr_nop(
    i: &UnpacrNop,
    thread: usize,
    unit: &mut Unpackers<'_>,
) -> Result<(), Fault> {
    match unit.arch {
        Arch::WormholeB0 => wormhole(i, thread, unit),
        Arch::Blackhole => blackhole(i, thread, unit),
    }
}

/// Returns the bank that the instruction waits for. It waits only if it clears Src (low bits 001;
/// `unpack_pop` on Blackhole), and a bit selects the owner to wait for. Operands that the chip does
/// not have are 0.
pub(super) fn missing_bank(i: &UnpacrNop, banks: &Banks) -> Option<Src> {
    const CLEAR_SRC: u32 = 1;
    if i.no_op & 3 != CLEAR_SRC && i.unpack_pop != CLEAR_SRC {
        return None;
    }
    let src = Src::for_unpacker(i.unpack_block_selection as usize);
    let bank = if i.no_op & WAIT_LIKE_UNPACR != 0 || i.stall_clr_cntrl != 0 {
        banks.unpacker_bank(src)
    } else {
        banks.matrix_bank(src)
    };
    (banks.owner(src, bank) != Client::Unpackers).then_some(src)
}

fn wormhole(i: &UnpacrNop, thread: usize, unit: &mut Unpackers<'_>) -> Result<(), Fault> {
    let src = Src::for_unpacker(i.unpack_block_selection as usize);
    let (selector, rest) = (i.no_op & 7, i.no_op & !7);
    match selector {
        1 | 5 if rest & !(BOTH_BANKS | WAIT_LIKE_UNPACR) == 0 => {
            let datum = match src {
                Src::A if i.no_op & NEGATIVE_INFINITY != 0 => SRC_MASK,
                _ => 0,
            };
            clear(unit, src, datum, i.no_op & BOTH_BANKS != 0)
        }
        2 if rest == 0 => Ok(()),
        7 if rest == 0 => hand_over_as_configured(src, thread, (unit.config, unit.banks)),
        0 | 3 => Err(Fault::unmodelled(format!(
            "UNPACR_NOP {:#x}, which clears a message of a NoC stream",
            i.no_op
        ))),
        4 => Err(Fault::undefined(format!(
            "UNPACR_NOP {:#x}, which stores to a register whose address it is not documented how \
             to set",
            i.no_op
        ))),
        _ => Err(Fault::undefined(format!(
            "UNPACR_NOP {:#x}; 1 clears the bank, 5 sets SrcA to negative infinity, either with 8 \
             both banks, with 0x10 with UNPACR's wait, 7 hands the bank over, 2 does nothing",
            i.no_op
        ))),
    }
}

fn blackhole(i: &UnpacrNop, thread: usize, unit: &mut Unpackers<'_>) -> Result<(), Fault> {
    let src = Src::for_unpacker(i.unpack_block_selection as usize);
    let clears = i.unpack_pop == 1;
    let rest = [
        i.clr_to1_fmt_ctrl,
        i.msg_clr_cnt,
        i.stream_id,
        if clears {
            0
        } else {
            i.src_clrval_ctrl | i.bank_clr_ctrl | i.stall_clr_cntrl | i.set_dvalid
        },
    ];
    if matches!(i.unpack_pop, 0 | 3) {
        return Err(Fault::unmodelled(format!(
            "UNPACR_NOP with unpack_pop = {}, which clears messages of a NoC stream",
            i.unpack_pop
        )));
    }
    if rest != [0; 4] {
        return Err(Fault::unmodelled(
            "UNPACR_NOP with operands that no source describes: unpack_pop = 1 clears the bank, by \
             src_clrval_ctrl to 0 or negative infinity, and hands it over if set_dvalid is 1, \
             unpack_pop = 2 alone does nothing",
        ));
    }
    if !clears {
        return Ok(());
    }
    let datum = match i.src_clrval_ctrl {
        0 => 0,
        1 => SRC_MASK,
        other => {
            return Err(Fault::unmodelled(format!(
                "UNPACR_NOP with src_clrval_ctrl = {other}; 0 clears to 0, 1 to negative infinity"
            )))
        }
    };
    clear(unit, src, datum, i.bank_clr_ctrl != 0)?;
    match i.set_dvalid {
        0 => Ok(()),
        _ => hand_over_as_configured(src, thread, (unit.config, unit.banks)),
    }
}

fn clear(unit: &mut Unpackers<'_>, src: Src, datum: u32, both: bool) -> Result<(), Fault> {
    let bank = unit.banks.unpacker_bank(src);
    for bank in [bank, bank ^ 1].into_iter().take(1 + usize::from(both)) {
        if unit.banks.owner(src, bank) != Client::Unpackers {
            return Err(Fault::hazard(format!(
                "clears bank {bank} of Src{src:?}, which the matrix unit still has; wait for it \
                 (0x10), or clear one bank only"
            )));
        }
        unit.src[src as usize].fill(bank, datum);
    }
    Ok(())
}

/// Hands the unpacker's bank to the matrix unit as data of `format`; the unpacker's row counter
/// restarts.
pub(super) fn hand_over(
    src: Src,
    thread: usize,
    format: Format,
    (config, banks): (&Config, &mut Banks),
) -> Result<(), Fault> {
    let base = row_base(config, src, thread);
    banks.hand_filled(src, thread, base, format)
}

/// Like [`hand_over`], as data of the unpacker's output format.
fn hand_over_as_configured(
    src: Src,
    thread: usize,
    (config, banks): (&Config, &mut Banks),
) -> Result<(), Fault> {
    let field = cfg::THCON_REG2_Out_data_format.nth(src as u32);
    // Banks of Wormhole do not imply a format, and its instruction does not read one.
    let format = match config.arch() {
        Arch::WormholeB0 => {
            return banks.hand_to_matrix(src, thread, row_base(config, src, thread))
        }
        Arch::Blackhole => Format::read(config, thread, field),
    };
    hand_over(src, thread, format, (config, banks))
}

/// Returns the initial value of the unpacker's row counter.
pub(super) fn row_base(config: &Config, src: Src, thread: usize) -> u32 {
    let field = match src {
        Src::A => cfg::SRCA_SET_Base,
        Src::B => cfg::SRCB_SET_Base,
    };
    config.thread(thread, field) << 4
}
