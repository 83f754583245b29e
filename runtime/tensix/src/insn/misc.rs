//! Miscellaneous unit: address counters, and explicit bank handover.
//!
//! Source: ISA documentation, `ADCs.md` and the pages of the instructions below. All have a field
//! that selects another thread's counters. The latest pages call this unsupported and unreliable,
//! ttsim refuses it, and so does the model: for SETADC here, where the field is part of an operand,
//! for the others as reserved bits.

use tessera_isa_tensix::{cfg, Instruction};

use crate::state::adc::{Axis, Channel};
use crate::state::banks::Src;
use crate::state::core_state::CoreState;
use crate::trap::Fault;

pub(super) fn execute(
    instruction: &Instruction,
    thread: usize,
    core: &mut CoreState,
) -> Result<(), Fault> {
    use Axis::{W, X, Y, Z};
    let counters = &mut core.adcs[thread];
    match instruction {
        Instruction::Setadc(i) => {
            if i.value >> 16 != 0 {
                return Err(Fault::unmodelled(format!(
                    "SETADC of another thread's counters (the value is {:#x}, of which bits 17:16 \
                     name the thread); clear those bits",
                    i.value
                )));
            }
            let axis = Axis::ALL[i.dimension_index as usize];
            counters
                .selected(i.cnt_set_mask)
                .for_each(|c| c[i.channel_index as usize].set(axis, i.value));
        }
        Instruction::Setadcxx(i) => counters.selected(i.cnt_set_mask).for_each(|c| {
            c[0].set(X, i.x_start);
            c[1].set(X, i.x_end2);
        }),
        Instruction::Setadcxy(i) => counters.selected(i.cnt_set_mask).for_each(|c| {
            masked(
                c,
                i.bit_mask,
                [(X, i.ch0_x), (Y, i.ch0_y)],
                [(X, i.ch1_x), (Y, i.ch1_y)],
                Channel::set,
            )
        }),
        Instruction::Setadczw(i) => counters.selected(i.cnt_set_mask).for_each(|c| {
            masked(
                c,
                i.bit_mask,
                [(Z, i.ch0_z), (W, i.ch0_w)],
                [(Z, i.ch1_z), (W, i.ch1_w)],
                Channel::set,
            )
        }),
        Instruction::Incadcxy(i) => counters.selected(i.cnt_set_mask).for_each(|c| {
            masked(
                c,
                15,
                [(X, i.ch0_x), (Y, i.ch0_y)],
                [(X, i.ch1_x), (Y, i.ch1_y)],
                Channel::add,
            )
        }),
        Instruction::Incadczw(i) => counters.selected(i.cnt_set_mask).for_each(|c| {
            masked(
                c,
                15,
                [(Z, i.ch0_z), (W, i.ch0_w)],
                [(Z, i.ch1_z), (W, i.ch1_w)],
                Channel::add,
            )
        }),
        Instruction::Addrcrxy(i) => counters.selected(i.cnt_set_mask).for_each(|c| {
            masked(
                c,
                i.bit_mask,
                [(X, i.ch0_x), (Y, i.ch0_y)],
                [(X, i.ch1_x), (Y, i.ch1_y)],
                Channel::carriage_return,
            )
        }),
        Instruction::Addrcrzw(i) => counters.selected(i.cnt_set_mask).for_each(|c| {
            masked(
                c,
                i.bit_mask,
                [(Z, i.ch0_z), (W, i.ch0_w)],
                [(Z, i.ch1_z), (W, i.ch1_w)],
                Channel::carriage_return,
            )
        }),
        Instruction::Setdvalid(i) => return set_dvalid(i.setvalid, thread, core),
        _ => return Err(Fault::unmodelled_instruction(instruction)),
    }
    Ok(())
}

/// Applies `f` to the counters that `mask` selects: bits 0 and 1 in channel 0, bits 2 and 3 in
/// channel 1.
fn masked(
    channels: &mut [Channel; 2],
    mask: u32,
    channel0: [(Axis, u32); 2],
    channel1: [(Axis, u32); 2],
    f: impl Fn(&mut Channel, Axis, u32),
) {
    for (c, pairs) in [channel0, channel1].into_iter().enumerate() {
        for (k, (axis, value)) in pairs.into_iter().enumerate() {
            if mask >> (2 * c + k) & 1 != 0 {
                f(&mut channels[c], axis, value);
            }
        }
    }
}

fn set_dvalid(mask: u32, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    if mask & 1 != 0 {
        let base = core.config.thread(thread, cfg::SRCA_SET_Base) << 4;
        core.banks.hand_to_matrix(Src::A, thread, base)?;
    }
    if mask & 2 != 0 {
        let base = core.config.thread(thread, cfg::SRCB_SET_Base) << 4;
        core.banks.hand_to_matrix(Src::B, thread, base)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
