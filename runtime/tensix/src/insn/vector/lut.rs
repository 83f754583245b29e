//! SFPLUT and SFPLUTFP32: piecewise linear functions `a·|x| + c` of LReg 3.
//!
//! The coefficients are in LRegs 0 to 2 and 4 to 6, in 8, 16 or 32 bits. The narrow formats are
//! special. An 8-bit coefficient has an exponent of at most 2^0, and a single pattern means zero. A
//! 16-bit coefficient is an FP16 without denormals and with zero in place of infinity.

use tessera_isa_tensix::table::{Sfplut, Sfplutfp32};

use super::arithmetic::{write_to, INDIRECT_DEST};
use super::lregs::{read, NAMED};
use super::operands::Operands;
use super::{mode_fault, SIGN};
use crate::arith::LANES;
use crate::state::vector::Vector;
use crate::trap::Fault;

/// The LReg of the argument.
const ARGUMENT: u32 = 3;
/// Mode bit of both instructions: the result gets the argument's sign.
const KEEP_SIGN: u32 = 4;

const HALF: u32 = 0x3F00_0000;
const ONE: u32 = 0x3F80_0000;
const ONE_AND_A_HALF: u32 = 0x3FC0_0000;
const TWO: u32 = 0x4000_0000;
const THREE: u32 = 0x4040_0000;
const FOUR: u32 = 0x4080_0000;

/// Decodes an 8-bit coefficient.
fn of_eight(x: u32) -> u32 {
    let (sign, exponent, mantissa) = (x >> 7 & 1, x >> 4 & 7, x & 0xF);
    match x & 0xFF {
        0xFF => 0,
        _ => sign << 31 | (127 - exponent) << 23 | mantissa << 19,
    }
}

/// Decodes a 16-bit coefficient.
fn of_sixteen(x: u32) -> u32 {
    let (sign, exponent, mantissa) = (x >> 15 & 1, x >> 10 & 0x1F, x & 0x3FF);
    let exponent = if exponent == 0x1F { 0 } else { exponent + 112 };
    sign << 31 | exponent << 23 | mantissa << 13
}

/// Returns the piece of a magnitude: below 1, below 2, or beyond, including NaN.
fn piece(magnitude: u32) -> usize {
    match magnitude {
        ..ONE => 0,
        ONE..TWO => 1,
        _ => 2,
    }
}

/// Returns which half of a register of [`piece`] applies, for six pieces.
fn half(magnitude: u32, last: u32) -> u32 {
    match magnitude {
        HALF..ONE | ONE_AND_A_HALF..TWO => 16,
        _ if magnitude >= last => 16,
        _ => 0,
    }
}

pub(super) fn lut(i: &Sfplut, at: Operands, unit: &mut Vector) -> Result<(), Fault> {
    if i.instr_mod0 & 3 != 0 {
        return Err(mode_fault(
            "SFPLUT",
            i.instr_mod0,
            "sums of 4 (keep the sign), 8 (destination in LReg 7)",
        ));
    }
    linear(at.d, i.instr_mod0, unit, |fetch, x| {
        let table = fetch(piece(x));
        (of_eight(table >> 8), of_eight(table))
    })
}

pub(super) fn lut_fp32(i: &Sfplutfp32, at: Operands, unit: &mut Vector) -> Result<(), Fault> {
    let mode = i.instr_mod1;
    let last = if mode & 3 == 3 { FOUR } else { THREE };
    linear(at.d, mode, unit, |fetch, x| {
        let piece = piece(x);
        match mode & 10 {
            0 | 8 => (fetch(piece), fetch(4 + piece)),
            10 => (of_sixteen(fetch(piece) >> 16), of_sixteen(fetch(piece))),
            _ => {
                let half = half(x, last);
                (
                    of_sixteen(fetch(piece) >> half),
                    of_sixteen(fetch(4 + piece) >> half),
                )
            }
        }
    })
}

/// Computes `a·|x| + c` in the enabled lanes, with coefficients derived from registers of the lane.
fn linear(
    dest: u32,
    mode: u32,
    unit: &mut Vector,
    coefficients: impl Fn(&mut dyn FnMut(usize) -> u32, u32) -> (u32, u32),
) -> Result<(), Fault> {
    let lanes = unit.enabled();
    let multiply_add = unit.chip().mad;
    let arguments = read(unit, ARGUMENT, lanes)?;
    let mut used = [0_u32; NAMED];
    let mut values = [0; LANES];
    for lane in (0..LANES).filter(|lane| lanes >> lane & 1 != 0) {
        let magnitude = arguments[lane] & !SIGN;
        let mut fetch = |index: usize| {
            used[index] |= 1 << lane;
            unit.lregs[index][lane]
        };
        let (a, c) = coefficients(&mut fetch, magnitude);
        values[lane] = multiply_add(a, magnitude, c);
        if mode & KEEP_SIGN != 0 {
            values[lane] = values[lane] & !SIGN | arguments[lane] & SIGN;
        }
    }
    // The registers that were used must have been written.
    for (index, lanes) in used
        .into_iter()
        .enumerate()
        .filter(|(_, lanes)| *lanes != 0)
    {
        read(unit, index as u32, lanes)?;
    }
    write_to(unit, dest, mode & INDIRECT_DEST != 0, lanes, values)
}
