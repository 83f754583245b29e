//! Moves between lanes and registers: SFPSWAP, SFPTRANSP, SFPSHFT2. Lanes form eight columns of
//! four rows.
//!
//! SFPTRANSP and the shuffles and rotations of SFPSHFT2 also move unwritten values, which stay
//! unwritten at their destination.
//!
//! SFPSWAP may be scheduled by an SFPLOADMACRO whose register is VC. It then compares that with the
//! VD of the template, and both results go to the loaded register, so that the one for VC remains.
//! No page says so; LLK's exponential (`ckernel_sfpu_exp.h`, sequence 1) clamps this way.

use tessera_isa_tensix::table::{Sfpshft2, Sfpswap};

use super::config::{INDEX, INVERT_SWAP};
use super::integer::{shift, sign_extend};
use super::lregs::{check_known, lanes_of, read, write, write_content};
use super::mode_fault;
use super::operands::Operands;
use crate::arith::spec::sfpu;
use crate::arith::LANES;
use crate::state::vector::{Content, Vector, COLUMNS};
use crate::trap::Fault;

/// For each mode of SFPSWAP, the lanes in which VD gets the minimum. In other lanes, and in all
/// lanes for further modes, VD gets the maximum.
const VD_MINIMUM: [u32; 9] = [
    0,
    0xFFFF_FFFF,
    0x0000_FFFF,
    0x00FF_00FF,
    0xFF00_00FF,
    0x0000_00FF,
    0x0000_FF00,
    0x00FF_0000,
    0xFF00_0000,
];

pub(super) fn swap(i: &Sfpswap, at: Operands, unit: &mut Vector) -> Result<(), Fault> {
    let lanes = unit.enabled();
    let (c, b) = (read(unit, at.c, lanes)?, read(unit, at.b, lanes)?);
    let swapped = match i.instr_mod1 {
        0 => u32::MAX,
        mode => {
            let minimum = VD_MINIMUM.get(mode as usize).copied().unwrap_or(0);
            let smaller = (0..LANES).fold(0, |smaller, lane| {
                smaller | u32::from(sfpu::is_smaller(c[lane], b[lane])) << lane
            });
            let inverted = unit.config.lanes_with(INVERT_SWAP);
            !(smaller ^ minimum) ^ inverted
        }
    };
    let swapped = swapped & lanes;
    let indexed = unit.config.lanes_with(INDEX);
    write(unit, at.d, swapped & !indexed, c);
    write(unit, at.c, swapped & !indexed, b);
    match swapped & indexed {
        0 => Ok(()),
        lanes => swap_indices(at, [c, b], lanes, unit),
    }
}

/// Swaps the indices in LRegs 4 to 7 along with the values in LRegs 0 to 3.
fn swap_indices(
    at: Operands,
    [c, b]: [[u32; LANES]; 2],
    lanes: u32,
    unit: &mut Vector,
) -> Result<(), Fault> {
    if at.b != at.d {
        return Err(Fault::undefined(
            "SFPSWAP scheduled with registers of its own while LaneConfig.ENABLE_DEST_INDEX is \
             set; no document says what it swaps",
        ));
    }
    for (index, values) in [(at.d, c), (at.c, b)] {
        if index < 4 {
            write(unit, index, lanes, values);
        }
    }
    let [of_c, of_d] = [at.c, at.d].map(|index| 4 + (index & 3));
    let (c, d) = (read(unit, of_c, lanes)?, read(unit, of_d, lanes)?);
    write(unit, of_d, lanes, c);
    write(unit, of_c, lanes, d);
    Ok(())
}

fn content(unit: &mut Vector, index: u32) -> Result<Content, Fault> {
    check_known(unit, index, 0)?;
    Ok(unit.content(index))
}

/// Fills the enabled lanes of a register from the lanes that `from` returns, or with zero.
fn fill<'a>(unit: &mut Vector, index: u32, from: impl Fn(usize) -> Option<(&'a Content, usize)>) {
    let lanes = unit.enabled();
    let mut content = Content {
        values: [0; LANES],
        known: 0,
    };
    for lane in lanes_of(lanes) {
        let (value, known) = match from(lane) {
            Some((of, at)) => (of.values[at], of.known >> at & 1),
            None => (0, 1),
        };
        content.values[lane] = value;
        content.known |= known << lane;
    }
    write_content(unit, index, lanes, content);
}

/// SFPTRANSP: in each column, transposes LRegs 0 to 3 with the rows, and LRegs 4 to 7.
pub(super) fn transpose(unit: &mut Vector) -> Result<(), Fault> {
    for base in [0, 4] {
        let before = four(unit, base)?;
        for register in 0..4 {
            fill(unit, base + register, |lane| {
                let (row, column) = (lane / COLUMNS, lane % COLUMNS);
                Some((&before[row], register as usize * COLUMNS + column))
            });
        }
    }
    Ok(())
}

/// Returns four consecutive registers.
fn four(unit: &mut Vector, base: u32) -> Result<[Content; 4], Fault> {
    Ok([
        content(unit, base)?,
        content(unit, base + 1)?,
        content(unit, base + 2)?,
        content(unit, base + 3)?,
    ])
}

/// Returns whether an SFPSHFT2 moves data along rows of lanes, which takes two cycles.
pub(super) fn rotates(i: &Sfpshft2) -> bool {
    matches!(i.instr_mod1, 2..=4)
}

/// SFPSHFT2: shuffles LRegs 0 to 3, rotates and shifts along rows, shifts bits.
pub(super) fn shift_across(i: &Sfpshft2, at: Operands, unit: &mut Vector) -> Result<(), Fault> {
    match i.instr_mod1 {
        0 => shuffle(unit, None, |_| None),
        1 => shuffle(unit, None, |lane| {
            (lane + COLUMNS < LANES).then_some(lane + COLUMNS)
        }),
        2 => {
            let c = rotated(unit, at.c)?;
            shuffle(unit, Some(c), |lane| Some(right_of(lane)))
        }
        3 => {
            let c = rotated(unit, at.c)?;
            fill(unit, at.d, |lane| Some((&c, right_of(lane))));
            Ok(())
        }
        4 => shift_row(at, unit),
        5 => shift_bits(None, at, unit),
        6 => shift_bits(Some(sign_extend(i.imm12_math)), at, unit),
        other => Err(mode_fault(
            "SFPSHFT2",
            other,
            "0 to 2 (shuffles), 3 (rotation), 4 (shift of rows), 5 (shift by VC), 6 (shift by the \
             immediate)",
        )),
    }
}

/// Returns the source lane of a rotation to the right.
fn right_of(lane: usize) -> usize {
    match lane % COLUMNS {
        0 => lane + COLUMNS - 1,
        _ => lane - 1,
    }
}

/// Returns a register that is rotated, and keeps it for the next shift of rows on Wormhole.
fn rotated(unit: &mut Vector, index: u32) -> Result<Content, Fault> {
    let content = content(unit, index)?;
    match &mut unit.rotated {
        Some(rotated) => **rotated = content,
        none => *none = Some(Box::new(content)),
    }
    Ok(content)
}

/// Shifts rows to the right. Zero is shifted in; on Wormhole, because of a hardware bug, the values
/// of the last rotation instead (`SFPSHFT2.md`, HardwareBug).
fn shift_row(at: Operands, unit: &mut Vector) -> Result<(), Fault> {
    let c = content(unit, at.c)?;
    if unit.chip().shifts_zero_in {
        fill(unit, at.d, |lane| {
            (lane % COLUMNS != 0).then(|| (&c, right_of(lane)))
        });
        return Ok(());
    }
    let Some(last) = unit.rotated.as_deref().copied() else {
        return Err(Fault::undefined(
            "SFPSHFT2 in mode 4 before any rotation, from which the hardware fills the first \
             column; rotate LReg 9 into itself (mode 3) to bring zeros",
        ));
    };
    fill(unit, at.d, |lane| {
        let from = if lane % COLUMNS == 0 { &last } else { &c };
        Some((from, right_of(lane)))
    });
    Ok(())
}

/// Moves LRegs 1 to 3 to LRegs 0 to 2. Each lane of LReg 3 becomes a lane of the given register, or
/// of the old LReg 0 if there is none, or zero.
fn shuffle(
    unit: &mut Vector,
    last: Option<Content>,
    from: impl Fn(usize) -> Option<usize>,
) -> Result<(), Fault> {
    let before = four(unit, 0)?;
    for index in 0..3 {
        fill(unit, index, |lane| {
            Some((&before[index as usize + 1], lane))
        });
    }
    let last = last.as_ref().unwrap_or(&before[0]);
    fill(unit, 3, |lane| Some((last, from(lane)?)));
    Ok(())
}

/// Shifts VB by VC or by a constant.
fn shift_bits(amount: Option<i32>, at: Operands, unit: &mut Vector) -> Result<(), Fault> {
    let lanes = unit.enabled();
    let values = read(unit, at.b, lanes)?;
    let amounts = match amount {
        Some(amount) => [amount; LANES],
        None => read(unit, at.c, lanes)?.map(|amount| amount as i32),
    };
    let shifted = std::array::from_fn(|l| shift(values[l], amounts[l]));
    write(unit, at.d, lanes, shifted);
    Ok(())
}
