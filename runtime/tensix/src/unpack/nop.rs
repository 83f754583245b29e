//! UNPACR_NOP: jobs of an unpacker in order with its UNPACRs.

use tessera_isa_tensix::cfg;
use tessera_isa_tensix::table::UnpacrNop;

use crate::banks::Src;
use crate::core_state::CoreState;
use crate::numerics::bits::SRC_MASK;
use crate::trap::Fault;

/// Bits of `no_op` above the low three that the clearing form knows: wait as UNPACR does.
const WAIT_LIKE_UNPACR: u32 = 1 << 4;

pub(super) fn unpacr_nop(i: &UnpacrNop, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    let src = Src::of_unpacker(i.unpack_block_selection as usize);
    match i.no_op & !WAIT_LIKE_UNPACR {
        1 => fill(core, src, 0),
        5 if src == Src::A => fill(core, src, SRC_MASK),
        5 => return Err(Fault::unmodelled("clearing SrcB to negative infinity, which does nothing; clear it to zero (1)")),
        2 if i.no_op == 2 => {}
        7 if i.no_op == 7 => hand_over(core, src, thread)?,
        _ => {
            return Err(Fault::unmodelled(format!(
                "UNPACR_NOP {:#x}; 1 and 0x11 clear the bank, 5 and 0x15 set SrcA to negative infinity, 7 hands the bank over, 2 waits",
                i.no_op
            )))
        }
    }
    Ok(())
}

fn fill(core: &mut CoreState, src: Src, datum: u32) {
    let bank = core.banks.unpacker_bank(src);
    core.regs.src_mut(src).fill(bank, datum);
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
