//! What moves between lanes and registers: SFPSWAP, SFPTRANSP, SFPSHFT2. Lanes are eight columns of four rows.
//!
//! SFPTRANSP and the shuffles of SFPSHFT2 move what nobody has written, too: it stays unwritten where it goes.

use tessera_isa_tensix::table::{Sfpshft2, Sfpswap, Sfptransp};

use super::integer::{shift, sign_extend};
use super::{mode_fault, read, write, Lanes, LANES};
use crate::core_state::CoreState;
use crate::numerics::sfpu;
use crate::trap::Fault;

/// Lanes of a row.
const COLUMNS: usize = 8;

pub(super) fn swap(i: &Sfpswap, core: &mut CoreState) -> Result<(), Fault> {
    // Lanes in which VD gets the smaller value, by mode; in the others it gets the larger one.
    const VD_MINIMUM: [u32; 10] = [
        0,
        0xFFFF_FFFF,
        0x0000_FFFF,
        0x00FF_00FF,
        0xFF00_00FF,
        0x0000_00FF,
        0x0000_FF00,
        0x00FF_0000,
        0xFF00_0000,
        0,
    ];
    let Some(&minimum) = VD_MINIMUM.get(i.instr_mod1 as usize) else {
        return Err(mode_fault(
            "SFPSWAP",
            i.instr_mod1,
            "0 (swap), 1 to 9 (minimum and maximum)",
        ));
    };
    let lanes = core.regs.vector.enabled();
    let (c, d) = (
        read(core, i.lreg_src_c, lanes)?,
        read(core, i.lreg_dest, lanes)?,
    );
    let mut swapped = 0;
    for lane in 0..LANES {
        let exchange = match i.instr_mod1 {
            0 => true,
            _ if minimum >> lane & 1 != 0 => sfpu::is_smaller(c[lane], d[lane]),
            _ => !sfpu::is_smaller(c[lane], d[lane]),
        };
        swapped |= u32::from(exchange) << lane;
    }
    write(core, i.lreg_src_c, lanes & swapped, d)?;
    write(core, i.lreg_dest, lanes & swapped, c)
}

/// An instruction that would be stored for SFPLOADMACRO, not executed.
fn template(mnemonic: &str, dest: u32) -> Fault {
    Fault::unmodelled(format!(
        "{mnemonic} as a template (destination {dest}); use one below 12"
    ))
}

/// A register whose lanes hold values or not.
type Content = (Lanes, u32);

fn content(core: &mut CoreState, index: usize) -> Content {
    core.access.lreg_read |= 1 << index;
    let vector = &core.regs.vector;
    (vector.lregs[index], vector.known[index])
}

/// Gives the enabled lanes of a register the content that `from` says: a lane of another, or zero.
fn fill(core: &mut CoreState, index: usize, from: impl Fn(usize) -> Option<(Content, usize)>) {
    core.access.lreg_write |= 1 << index;
    let vector = &mut core.regs.vector;
    let lanes = vector.enabled();
    for lane in (0..LANES).filter(|lane| lanes >> lane & 1 != 0) {
        let (value, known) = match from(lane) {
            Some(((values, known), at)) => (values[at], known >> at & 1),
            None => (0, 1),
        };
        vector.lregs[index][lane] = value;
        vector.known[index] = vector.known[index] & !(1 << lane) | known << lane;
    }
}

/// SFPTRANSP: in each column, rows of LRegs 0 to 3 for registers, and of 4 to 7.
pub(super) fn transpose(i: &Sfptransp, core: &mut CoreState) -> Result<(), Fault> {
    if i.lreg_dest >= 12 {
        return Err(template("SFPTRANSP", i.lreg_dest));
    }
    for base in [0, 4] {
        let before: [Content; 4] = std::array::from_fn(|row| content(core, base + row));
        for register in 0..4 {
            fill(core, base + register, |lane| {
                let (row, column) = (lane / COLUMNS, lane % COLUMNS);
                Some((before[row], register * COLUMNS + column))
            });
        }
    }
    Ok(())
}

/// SFPSHFT2: shuffles of LRegs 0 to 3, rotations along rows, shifts of bits.
pub(super) fn shift_across(i: &Sfpshft2, core: &mut CoreState) -> Result<(), Fault> {
    if i.lreg_dest >= 12 {
        return Err(template("SFPSHFT2", i.lreg_dest));
    }
    match i.instr_mod1 {
        0 => shuffle(core, |_, _| None),
        1 => shuffle(core, |first, lane| {
            (lane + COLUMNS < LANES).then_some((first, lane + COLUMNS))
        }),
        2 => {
            let c = content(core, i.lreg_src_c as usize);
            shuffle(core, |_, lane| Some((c, rotated(lane))));
        }
        3 => {
            let c = read(core, i.lreg_src_c, u32::MAX)?;
            let lanes = core.regs.vector.enabled();
            let values = std::array::from_fn(|lane| c[rotated(lane)]);
            return write(core, i.lreg_dest, lanes, values);
        }
        5 => return shift_bits(i.imm12_math & 15, None, i, core),
        6 => return shift_bits(i.imm12_math & 15, Some(sign_extend(i.imm12_math)), i, core),
        other => {
            return Err(mode_fault(
                "SFPSHFT2",
                other,
                "0 to 2 (shuffles), 3 (rotation), 5 (shift by VC), 6 (shift by the immediate); what 4 leaves in the first column is a fault \
                 of the hardware",
            ))
        }
    }
    Ok(())
}

/// The lane whose value a rotation to the right brings.
fn rotated(lane: usize) -> usize {
    match lane % COLUMNS {
        0 => lane + COLUMNS - 1,
        _ => lane - 1,
    }
}

/// LRegs 0 to 2 become those behind them; what LReg 3 becomes is said of each lane, for which LReg 0 is as it was.
fn shuffle(core: &mut CoreState, last: impl Fn(Content, usize) -> Option<(Content, usize)>) {
    let before: [Content; 4] = std::array::from_fn(|index| content(core, index));
    for index in 0..3 {
        fill(core, index, |lane| Some((before[index + 1], lane)));
    }
    fill(core, 3, |lane| last(before[0], lane));
}

/// VB shifted by VC or by a number.
fn shift_bits(
    source: u32,
    amount: Option<i32>,
    i: &Sfpshft2,
    core: &mut CoreState,
) -> Result<(), Fault> {
    let lanes = core.regs.vector.enabled();
    let values = read(core, source, lanes)?;
    let amounts = match amount {
        Some(amount) => [amount; LANES],
        None => read(core, i.lreg_src_c, lanes)?.map(|amount| amount as i32),
    };
    let shifted = std::array::from_fn(|l| shift(values[l], amounts[l]));
    write(core, i.lreg_dest, lanes, shifted)
}
