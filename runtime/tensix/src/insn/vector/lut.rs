//! SFPLUT and SFPLUTFP32: piecewise linear functions `a·|x| + c` of LReg 3.
//!
//! The coefficients are in LRegs 0 to 2 and 4 to 6 ([`crate::arith::spec::sfpu::lut`]).

use tessera_isa_tensix::table::{Sfplut, Sfplutfp32};

use super::arithmetic::{write_to, INDIRECT_DEST};
use super::lregs::{check_known, lanes_of, read, NAMED, STAGING};
use super::operands::Operands;
use super::{mode_fault, SIGN};
use crate::arith::fast::{self, Level, Linear, PIECES};
use crate::arith::spec::sfpu::lut::{piece, Table, FOUR, THREE};
use crate::arith::{Lanes, LANES};
use crate::state::model::Model;
use crate::state::vector::Vector;
use crate::trap::Fault;

/// The LReg of the argument.
const ARGUMENT: u32 = 3;
/// Mode bit of both instructions: the result gets the argument's sign.
const KEEP_SIGN: u32 = 4;

pub(super) fn lut(i: &Sfplut, at: Operands, model: Model, unit: &mut Vector) -> Result<(), Fault> {
    if i.instr_mod0 & 3 != 0 {
        return Err(mode_fault(
            "SFPLUT",
            i.instr_mod0,
            "sums of 4 (keep the sign), 8 (destination in LReg 7)",
        ));
    }
    linear(at.d, (i.instr_mod0, Table::Bytes), model, unit)
}

pub(super) fn lut_fp32(
    i: &Sfplutfp32,
    at: Operands,
    model: Model,
    unit: &mut Vector,
) -> Result<(), Fault> {
    let mode = i.instr_mod1;
    let table = match mode & 10 {
        0 | 8 => Table::Words,
        10 => Table::Halves,
        _ => Table::SixPieces {
            last: if mode & 3 == 3 { FOUR } else { THREE },
        },
    };
    linear(at.d, (mode, table), model, unit)
}

/// The second register of a piece follows its first one by this.
const SECOND: usize = 4;

/// Computes `a·|x| + c` in the enabled lanes, with coefficients from registers of the lane.
fn linear(
    dest: u32,
    (mode, table): (u32, Table),
    model: Model,
    unit: &mut Vector,
) -> Result<(), Fault> {
    let lanes = unit.enabled();
    check_known(unit, ARGUMENT, lanes)?;
    if let (Model::Fast(level), u32::MAX) = (model, lanes) {
        let how = Linear {
            table,
            keeps_sign: mode & KEEP_SIGN != 0,
            argument: ARGUMENT as usize,
            second: SECOND,
            dest: dest as usize,
        };
        let is_direct = mode & INDIRECT_DEST == 0 && unit.writes_at_once(dest);
        if is_direct && is_written(unit, table, [true; PIECES]) {
            let arithmetic = unit.chip().arithmetic;
            let used = fast::linear(level, arithmetic, how, &mut unit.lregs.0);
            note_read(unit, table, used);
            unit.note_written(dest, lanes);
            return Ok(());
        }
        if let Some(values) = of_copy(level, how, unit) {
            return write_to(unit, dest, mode & INDIRECT_DEST != 0, lanes, values);
        }
    }
    // Some lanes may not use the piece whose register has unwritten lanes.
    let mut values = of_lanes(lanes, table, unit)?;
    if mode & KEEP_SIGN != 0 {
        for (value, argument) in values.iter_mut().zip(unit.lregs[ARGUMENT as usize]) {
            *value = *value & !SIGN | argument & SIGN;
        }
    }
    write_to(unit, dest, mode & INDIRECT_DEST != 0, lanes, values)
}

/// Returns whether all lanes of the registers of these pieces are written.
#[inline(always)]
fn is_written(unit: &Vector, table: Table, pieces: [bool; PIECES]) -> bool {
    let is_known = |index: usize| unit.known[index] == u32::MAX;
    let both = |piece| is_known(piece) && (is_known(SECOND + piece) || !table.has_second());
    (0..PIECES).all(|piece| !pieces[piece] || both(piece))
}

/// Records reads of the registers of these pieces.
#[inline(always)]
fn note_read(unit: &mut Vector, table: Table, pieces: [bool; PIECES]) {
    for (piece, is_read) in pieces.into_iter().enumerate() {
        let first = u32::from(is_read) << piece;
        let second = if table.has_second() {
            first << SECOND
        } else {
            0
        };
        unit.access.read |= first | second;
    }
}

/// Returns the results of all lanes, unless one uses a register with unwritten lanes.
#[inline(never)] // Its registers would make a large frame.
fn of_copy(level: Level, how: Linear, unit: &mut Vector) -> Option<Lanes> {
    let mut registers = unit.lregs.0;
    let dest = STAGING as usize;
    let how = Linear { dest, ..how };
    let used = fast::linear(level, unit.chip().arithmetic, how, &mut registers);
    is_written(unit, how.table, used).then(|| {
        note_read(unit, how.table, used);
        registers[dest]
    })
}

/// Computes some lanes, one by one.
#[inline(never)] // Its lanes would make a large frame.
fn of_lanes(lanes: u32, table: Table, unit: &mut Vector) -> Result<Lanes, Fault> {
    let arguments = unit.lregs[ARGUMENT as usize];
    let multiply_add = unit.chip().mad;
    let mut used = [0_u32; NAMED];
    let mut values = [0; LANES];
    for lane in lanes_of(lanes) {
        let magnitude = arguments[lane] & !SIGN;
        let first = piece(magnitude);
        let second = SECOND + first;
        used[first] |= 1 << lane;
        used[second] |= u32::from(table.has_second()) << lane;
        let (a, c) =
            table.coefficients(magnitude, unit.lregs[first][lane], unit.lregs[second][lane]);
        values[lane] = multiply_add(a, magnitude, c);
    }
    // The registers that were used must have been written.
    let used = used.into_iter().enumerate();
    for (index, lanes) in used.filter(|(_, lanes)| *lanes != 0) {
        read(unit, index as u32, lanes)?;
    }
    Ok(values)
}
