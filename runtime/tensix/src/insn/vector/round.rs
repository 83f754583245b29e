//! Rounding: SFPSTOCHRND between floats and integers, SFPCAST between integers and from integers to
//! floats. Integers of SFPSTOCHRND are in sign-magnitude.
//!
//! Rounding compares the discarded bits with a threshold: random bits, one half for rounding to
//! nearest, or on Blackhole all ones for rounding towards zero. The hardware rounds up if the
//! discarded bits are at least the threshold, rather than above it. Random bits thus sometimes
//! round up exact values, and rounding towards zero rounds away if all discarded bits are ones
//! (`SFPSTOCHRND_FloatFloat.md`, hardware bugs).

use tessera_isa_tensix::table::{Sfpcast, Sfpstochrnd};

use super::lregs::{check_known, map, read, write};
use super::operands::Operands;
use super::{mode_fault, random};
use crate::arith::fast;
use crate::arith::spec::sfpu::{self, Integer};
use crate::arith::{Lanes, LANES};
use crate::state::model::Model;
use crate::state::vector::Vector;
use crate::trap::Fault;

/// Mode bit of conversions between integers: shift by the immediate. It has no meaning for floats,
/// where LLK's exponential sets it, too.
const IMMEDIATE: u32 = 8;

/// Rounding modes.
const NEAREST: u32 = 0;
const STOCHASTIC: u32 = 1;
const TO_ZERO: u32 = 2;

/// Returns the threshold of each lane.
fn thresholds(mode: u32, lanes: u32, unit: &mut Vector) -> Result<Lanes, Fault> {
    let fixed = match mode {
        STOCHASTIC => {
            let bits = random::draw(unit, lanes)?;
            return Ok(bits.map(|bits| bits & sfpu::THRESHOLD_BITS));
        }
        NEAREST => sfpu::HALF,
        TO_ZERO if unit.chip().rounds_to_zero => sfpu::THRESHOLD_BITS,
        other => {
            return Err(mode_fault(
                "SFPSTOCHRND by rounding",
                other,
                "0 (to nearest), 1 (stochastically), on Blackhole 2 (to zero)",
            ))
        }
    };
    random::ignore(unit, lanes);
    Ok([fixed; LANES])
}

pub(super) fn round(
    i: &Sfpstochrnd,
    at: Operands,
    model: Model,
    unit: &mut Vector,
) -> Result<(), Fault> {
    let kind = i.instr_mod1 & 7;
    if !matches!(kind, 4 | 5) && i.imm8_math != 0 {
        return Err(Fault::undefined(
            "SFPSTOCHRND from a float with a shift amount; leave it 0",
        ));
    }
    let lanes = unit.enabled();
    if let 4 | 5 = kind {
        return round_integers(i, at, lanes, unit);
    }
    check_known(unit, at.c, lanes)?;
    let thresholds = thresholds(i.rnd_mode, lanes, unit)?;
    let values = &unit.lregs[at.c as usize];
    let rounded = match kind {
        0 => to_float(model, 13, values, &thresholds),
        1 => to_float(model, 16, values, &thresholds),
        2 => to_integer(model, Integer::U8, values, &thresholds),
        3 => to_integer(model, Integer::I8, values, &thresholds),
        6 => to_integer(model, Integer::U16, values, &thresholds),
        _ => to_integer(model, Integer::I16, values, &thresholds),
    };
    write(unit, at.d, lanes, rounded);
    Ok(())
}

fn to_float(model: Model, discarded: u32, values: &Lanes, thresholds: &Lanes) -> Lanes {
    match model {
        Model::Fast(level) => fast::round::to_float(level, discarded, values, thresholds),
        Model::Reference => std::array::from_fn(|lane| match discarded {
            13 => sfpu::round_tf32(values[lane], thresholds[lane]),
            _ => sfpu::round_bf16(values[lane], thresholds[lane]),
        }),
    }
}

fn to_integer(model: Model, to: Integer, values: &Lanes, thresholds: &Lanes) -> Lanes {
    match model {
        Model::Fast(level) => fast::round::to_integer(level, to, values, thresholds),
        Model::Reference => {
            std::array::from_fn(|lane| sfpu::integer_of_float(values[lane], to, thresholds[lane]))
        }
    }
}

/// Shifts integers right and rounds them.
fn round_integers(
    i: &Sfpstochrnd,
    at: Operands,
    lanes: u32,
    unit: &mut Vector,
) -> Result<(), Fault> {
    let values = read(unit, at.c, lanes)?;
    let amounts = match i.instr_mod1 & IMMEDIATE {
        0 => read(unit, at.b, lanes)?.map(|amount| amount & 31),
        _ => [i.imm8_math; LANES],
    };
    let thresholds = thresholds(i.rnd_mode, lanes, unit)?;
    let to = match i.instr_mod1 & 1 {
        0 => Integer::U8,
        _ => Integer::I8,
    };
    let shifted =
        |lane: usize| sfpu::integer_shifted(values[lane], amounts[lane], to, thresholds[lane]);
    let rounded = std::array::from_fn(shifted);
    write(unit, at.d, lanes, rounded);
    Ok(())
}

pub(super) fn cast(i: &Sfpcast, at: Operands, unit: &mut Vector) -> Result<(), Fault> {
    match i.instr_mod1 {
        0 => map(unit, at.c, at.d, sfpu::float_of_integer),
        1 => {
            let lanes = unit.enabled();
            let values = read(unit, at.c, lanes)?;
            let bits = random::draw(unit, lanes)?;
            let cast =
                std::array::from_fn(|l| sfpu::float_of_integer_stochastic(values[l], bits[l]));
            write(unit, at.d, lanes, cast);
            Ok(())
        }
        2 if unit.chip().casts_between_integers => {
            map(unit, at.c, at.d, |x| (x as i32).unsigned_abs())
        }
        3 if unit.chip().casts_between_integers => map(unit, at.c, at.d, sfpu::sign_magnitude),
        other => Err(mode_fault(
            "SFPCAST",
            other,
            "0 (to nearest), 1 (stochastically), on Blackhole 2 (absolute value), 3 (between \
             integers)",
        )),
    }
}
