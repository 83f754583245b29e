//! SFPLUT and SFPLUTFP32: piecewise linear functions `a·|x| + c` of LReg 3.
//!
//! The coefficients are in LRegs 0 to 2 and 4 to 6 ([`crate::arith::spec::sfpu::lut`]).

use tessera_isa_tensix::table::{Sfplut, Sfplutfp32};

use super::arithmetic::{write_to, INDIRECT_DEST};
use super::lregs::{lanes_of, read, NAMED};
use super::operands::Operands;
use super::{mode_fault, SIGN};
use crate::arith::fast::{self, Level, PIECES};
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
    let arguments = read(unit, ARGUMENT, lanes)?;
    let mut values = match model {
        Model::Fast(level) if lanes == u32::MAX => of_all_lanes(level, table, &arguments, unit)?,
        _ => of_lanes(lanes, table, &arguments, unit)?,
    };
    if mode & KEEP_SIGN != 0 {
        for (value, argument) in values.iter_mut().zip(arguments) {
            *value = *value & !SIGN | argument & SIGN;
        }
    }
    write_to(unit, dest, mode & INDIRECT_DEST != 0, lanes, values)
}

/// Computes all lanes. The registers of the pieces that are used must have been written.
fn of_all_lanes(
    level: Level,
    table: Table,
    arguments: &Lanes,
    unit: &mut Vector,
) -> Result<Lanes, Fault> {
    let pieces: [usize; PIECES] = std::array::from_fn(|piece| piece);
    let registers = [0, SECOND].map(|at| pieces.map(|piece| &unit.lregs[at + piece]));
    let how = (unit.chip().arithmetic, table);
    let (values, used) = fast::linear(level, how, arguments, registers);
    let is_known = |index: usize| unit.known[index] == u32::MAX;
    let is_written =
        |piece: usize| is_known(piece) && (is_known(SECOND + piece) || !table.has_second());
    if !(0..PIECES).all(|piece| !used[piece] || is_written(piece)) {
        // Some lanes may not use the piece whose register has unwritten lanes.
        return of_lanes(u32::MAX, table, arguments, unit);
    }
    for piece in (0..PIECES).filter(|&piece| used[piece]) {
        unit.access.read |= 1 << piece;
        unit.access.read |= u32::from(table.has_second()) << (SECOND + piece);
    }
    Ok(values)
}

/// Computes some lanes, one by one.
fn of_lanes(
    lanes: u32,
    table: Table,
    arguments: &Lanes,
    unit: &mut Vector,
) -> Result<Lanes, Fault> {
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
