//! Rounding: SFPSTOCHRND to nearest between floats and integers, SFPCAST from integers to floats.
//!
//! Integers here have a sign and a magnitude. What decides stochastically takes it from generators whose state after a reset no document
//! tells: it traps.

use tessera_isa_tensix::table::{Sfpcast, Sfpstochrnd};

use super::{map, mode_fault, read, write, LANES};
use crate::core_state::CoreState;
use crate::numerics::sfpu::{self, Integer};
use crate::trap::Fault;

/// Mode bit of conversions between integers: the amount is the immediate.
const IMMEDIATE: u32 = 8;

fn stochastic() -> Fault {
    Fault::unmodelled("stochastic rounding in the vector unit: the state of its generators is not documented; round to nearest")
}

pub(super) fn round(i: &Sfpstochrnd, core: &mut CoreState) -> Result<(), Fault> {
    if i.rnd_mode != 0 {
        return Err(stochastic());
    }
    let kind = i.instr_mod1 & 7;
    let shifts = matches!(kind, 4 | 5);
    if !shifts && (i.imm8_math | i.lreg_src_b | i.instr_mod1 & IMMEDIATE) != 0 {
        return Err(Fault::undefined(
            "SFPSTOCHRND from a float with a shift amount; leave it 0",
        ));
    }
    let (source, dest) = (i.lreg_src_c, i.lreg_dest);
    let integer = |to: Integer| move |c| sfpu::integer_of_float(c, to);
    match kind {
        0 => map(core, source, dest, sfpu::round_tf32),
        1 => map(core, source, dest, sfpu::round_bf16),
        2 => map(core, source, dest, integer(Integer::U8)),
        3 => map(core, source, dest, integer(Integer::I8)),
        4 => shifted(i, Integer::U8, core),
        5 => shifted(i, Integer::I8, core),
        6 => map(core, source, dest, integer(Integer::U16)),
        _ => map(core, source, dest, integer(Integer::I16)),
    }
}

/// An integer shifted right by VB or the immediate, rounded and clamped.
fn shifted(i: &Sfpstochrnd, to: Integer, core: &mut CoreState) -> Result<(), Fault> {
    let lanes = core.regs.vector.enabled();
    let amounts = match i.instr_mod1 & IMMEDIATE {
        0 => read(core, i.lreg_src_b, lanes)?.map(|amount| amount & 31),
        _ => [i.imm8_math; LANES],
    };
    let values = read(core, i.lreg_src_c, lanes)?;
    let rounded = std::array::from_fn(|l| sfpu::integer_shifted(values[l], amounts[l], to));
    write(core, i.lreg_dest, lanes, rounded)
}

pub(super) fn cast(i: &Sfpcast, core: &mut CoreState) -> Result<(), Fault> {
    match i.instr_mod1 {
        0 => map(core, i.lreg_src_c, i.lreg_dest, sfpu::float_of_integer),
        1 => Err(stochastic()),
        other => Err(mode_fault("SFPCAST", other, "0 (to nearest)")),
    }
}
