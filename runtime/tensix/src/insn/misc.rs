//! Miscellaneous unit: address counters, and explicit bank handover.
//!
//! Source: ISA documentation, `ADCs.md` and the pages of the instructions below. All have a field
//! that selects another thread's counters. The latest pages call this unsupported and unreliable,
//! ttsim refuses it, and so does the model: for SETADC here, where the field is part of an operand,
//! for the others as reserved bits.

use tessera_isa_tensix::table::{
    Addrcrxy, Addrcrzw, Incadcxy, Incadczw, Setadc, Setadcxx, Setadcxy, Setadczw, Setdvalid,
};
use tessera_isa_tensix::{cfg, Unit};

use crate::insn::traits::{on_both, unit, Traits};
use crate::state::adc::{
    Axis::{self, W, X, Y, Z},
    Channel, ThreadAdcs,
};
use crate::state::banks::{Banks, Src};
use crate::state::config::Config;
use crate::trap::Fault;

fn setadc(i: &Setadc, counters: &mut ThreadAdcs) -> Result<(), Fault> {
    if i.value >> 16 != 0 {
        return Err(Fault::unmodelled(format!(
            "SETADC of another thread's counters (the value is {:#x}, of which bits 17:16 name the \
             thread); clear those bits",
            i.value
        )));
    }
    let axis = Axis::ALL[i.dimension_index as usize];
    counters
        .selected(i.cnt_set_mask)
        .for_each(|c| c[i.channel_index as usize].set(axis, i.value));
    Ok(())
}

fn setadcxx(i: &Setadcxx, counters: &mut ThreadAdcs) -> Result<(), Fault> {
    counters.selected(i.cnt_set_mask).for_each(|c| {
        c[0].set(X, i.x_start);
        c[1].set(X, i.x_end2);
    });
    Ok(())
}

/// Defines an instruction that changes two axes of the selected counters.
macro_rules! of_two_axes {
    ($name:ident, $Type:ident, |$i:ident| $mask:expr, $change:expr,
     [$first:ident: $c0:ident $c1:ident, $second:ident: $d0:ident $d1:ident]) => {
        fn $name($i: &$Type, counters: &mut ThreadAdcs) -> Result<(), Fault> {
            let channels = [
                [($first, $i.$c0), ($second, $i.$d0)],
                [($first, $i.$c1), ($second, $i.$d1)],
            ];
            counters
                .selected($i.cnt_set_mask)
                .for_each(|c| masked(c, $mask, channels, $change));
            Ok(())
        }
    };
}

of_two_axes!(setadcxy, Setadcxy, |i| i.bit_mask, Channel::set, [X: ch0_x ch1_x, Y: ch0_y ch1_y]);
of_two_axes!(setadczw, Setadczw, |i| i.bit_mask, Channel::set, [Z: ch0_z ch1_z, W: ch0_w ch1_w]);
of_two_axes!(incadcxy, Incadcxy, |i| 15, Channel::add, [X: ch0_x ch1_x, Y: ch0_y ch1_y]);
of_two_axes!(incadczw, Incadczw, |i| 15, Channel::add, [Z: ch0_z ch1_z, W: ch0_w ch1_w]);
of_two_axes!(
    addrcrxy, Addrcrxy, |i| i.bit_mask, Channel::carriage_return,
    [X: ch0_x ch1_x, Y: ch0_y ch1_y]
);
of_two_axes!(
    addrcrzw, Addrcrzw, |i| i.bit_mask, Channel::carriage_return,
    [Z: ch0_z ch1_z, W: ch0_w ch1_w]
);

/// Applies `f` to the counters that `mask` selects: bits 0 and 1 in channel 0, bits 2 and 3 in
/// channel 1.
fn masked(
    channels: &mut [Channel; 2],
    mask: u32,
    values: [[(Axis, u32); 2]; 2],
    f: impl Fn(&mut Channel, Axis, u32),
) {
    for (c, pairs) in values.into_iter().enumerate() {
        for (k, (axis, value)) in pairs.into_iter().enumerate() {
            if mask >> (2 * c + k) & 1 != 0 {
                f(&mut channels[c], axis, value);
            }
        }
    }
}

fn setdvalid(
    i: &Setdvalid,
    thread: usize,
    (config, banks): (&Config, &mut Banks),
) -> Result<(), Fault> {
    if i.setvalid & 1 != 0 {
        let base = config.thread(thread, cfg::SRCA_SET_Base) << 4;
        banks.hand_to_matrix(Src::A, thread, base)?;
    }
    if i.setvalid & 2 != 0 {
        let base = config.thread(thread, cfg::SRCB_SET_Base) << 4;
        banks.hand_to_matrix(Src::B, thread, base)?;
    }
    Ok(())
}

const MISC: Traits = Traits::of(Unit::Misc);

unit! {
    fn execute(i, thread: usize, adcs: &mut [ThreadAdcs; 3], banks: (&Config, &mut Banks));

    Setadc => setadc(i, &mut adcs[thread]), Traits {
        traps: on_both("counters of another thread"),
        ..MISC
    };
    Setadcxx => setadcxx(i, &mut adcs[thread]), MISC;
    Setadcxy => setadcxy(i, &mut adcs[thread]), MISC;
    Setadczw => setadczw(i, &mut adcs[thread]), MISC;
    Incadcxy => incadcxy(i, &mut adcs[thread]), MISC;
    Incadczw => incadczw(i, &mut adcs[thread]), MISC;
    Addrcrxy => addrcrxy(i, &mut adcs[thread]), MISC;
    Addrcrzw => addrcrzw(i, &mut adcs[thread]), MISC;
    Setdvalid => setdvalid(i, thread, banks), Traits {
        traps: [None, Some("use of the format that the handed-over data imply")],
        ..MISC
    };
}

#[cfg(test)]
mod tests;
