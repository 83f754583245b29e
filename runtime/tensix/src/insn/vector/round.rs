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
use crate::arith::fast::round::Target;
use crate::arith::fast::{self, Level};
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

/// Returns the threshold of all lanes in a mode, unless they have random ones.
#[inline(always)]
fn fixed_threshold(mode: u32, unit: &Vector) -> Result<Option<u32>, Fault> {
    match mode {
        STOCHASTIC => Ok(None),
        NEAREST => Ok(Some(sfpu::HALF)),
        TO_ZERO if unit.chip().rounds_to_zero => Ok(Some(sfpu::THRESHOLD_BITS)),
        other => Err(mode_fault(
            "SFPSTOCHRND by rounding",
            other,
            "0 (to nearest), 1 (stochastically), on Blackhole 2 (to zero)",
        )),
    }
}

/// Returns the threshold of each lane.
fn thresholds(fixed: Option<u32>, lanes: u32, unit: &mut Vector) -> Result<Lanes, Fault> {
    match fixed {
        Some(fixed) => {
            random::ignore(unit, lanes);
            Ok([fixed; LANES])
        }
        None => {
            let bits = random::draw(unit, lanes)?;
            Ok(bits.map(|bits| bits & sfpu::THRESHOLD_BITS))
        }
    }
}

/// Rounds in place, if all lanes have the same threshold. The kind is bits 0 to 2 of the mode.
#[inline(always)]
fn round_in_place(
    level: Level,
    (kind, threshold): (u32, u32),
    at: Operands,
    lanes: u32,
    unit: &mut Vector,
) {
    random::ignore(unit, lanes);
    let numbers = [at.c, at.d].map(|number| number as usize);
    fast::round::registers(
        level,
        (target(kind), threshold),
        &mut unit.lregs.0,
        numbers,
        lanes,
    );
    unit.note_written(at.d, lanes);
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
    let fixed = fixed_threshold(i.rnd_mode, unit)?;
    match (model, fixed) {
        (Model::Fast(level), Some(threshold)) if unit.writes_at_once(at.d) => {
            round_in_place(level, (kind, threshold), at, lanes, unit);
            Ok(())
        }
        _ => round_by_thresholds((kind, fixed), at, (model, lanes), unit),
    }
}

#[inline(never)] // Its lanes would make a large frame.
fn round_by_thresholds(
    (kind, fixed): (u32, Option<u32>),
    at: Operands,
    (model, lanes): (Model, u32),
    unit: &mut Vector,
) -> Result<(), Fault> {
    let thresholds = thresholds(fixed, lanes, unit)?;
    let values = &unit.lregs[at.c as usize];
    let rounded = match (target(kind), model) {
        (target, Model::Fast(level)) => fast::round::all(level, target, values, &thresholds),
        (Target::Float { discarded }, Model::Reference) => {
            std::array::from_fn(|lane| match discarded {
                13 => sfpu::round_tf32(values[lane], thresholds[lane]),
                _ => sfpu::round_bf16(values[lane], thresholds[lane]),
            })
        }
        (Target::Integer(to), Model::Reference) => {
            std::array::from_fn(|lane| sfpu::integer_of_float(values[lane], to, thresholds[lane]))
        }
    };
    write(unit, at.d, lanes, rounded);
    Ok(())
}

/// Returns the target of a kind of SFPSTOCHRND: bits 0 to 2 of its mode, but 4 and 5.
#[inline(always)]
fn target(kind: u32) -> Target {
    match kind {
        0 => Target::Float { discarded: 13 },
        1 => Target::Float { discarded: 16 },
        2 => Target::Integer(Integer::U8),
        3 => Target::Integer(Integer::I8),
        6 => Target::Integer(Integer::U16),
        _ => Target::Integer(Integer::I16),
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
    let thresholds = thresholds(fixed_threshold(i.rnd_mode, unit)?, lanes, unit)?;
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
