//! Arithmetic on GPRs, SETDMAREG, and moves of GPRs to configuration and address counters.
//!
//! REG2FLOP writes 32 bits to configuration whatever size its operand names, except for 128 bits
//! (`REG2FLOP_Configuration.md`; ttsim 1.10.0 does the same).

use tessera_isa_tensix::cfg;
use tessera_isa_tensix::table::{
    Adddmareg, Bitwopdmareg, Cmpdmareg, Muldmareg, Reg2flop, Setdmareg, Shiftdmareg, Subdmareg,
};

use super::packer_results;
use super::unit::ScalarUnit;
use crate::insn::config::write_words;
use crate::state::adc::Axis;
use crate::state::gpr::Gprs;
use crate::trap::Fault;

/// Sets a GPR to a function of another one and of a second operand: a GPR or a constant.
fn compute(
    (result, a): (u32, u32),
    (is_constant, b): (u32, u32),
    gprs: &mut Gprs,
    f: impl FnOnce(u32, u32) -> Result<u32, Fault>,
) -> Result<(), Fault> {
    let b = match is_constant {
        0 => gprs.get(b)?,
        _ => b,
    };
    let value = f(gprs.get(a)?, b)?;
    gprs.check_loaded(result)?;
    gprs.set(result, value);
    Ok(())
}

/// Defines the instruction with these operands as a function of two numbers.
macro_rules! arithmetic {
    ($name:ident, $Type:ident, |$i:ident, $a:ident, $b:ident| $value:expr) => {
        pub(super) fn $name($i: &$Type, gprs: &mut Gprs) -> Result<(), Fault> {
            let operands = (
                ($i.result_reg_index, $i.op_a_reg_index),
                ($i.op_b_is_const, $i.op_b_reg_index),
            );
            compute(operands.0, operands.1, gprs, |$a, $b| $value)
        }
    };
}

arithmetic!(adddmareg, Adddmareg, |i, a, b| Ok(a.wrapping_add(b)));
arithmetic!(subdmareg, Subdmareg, |i, a, b| Ok(a.wrapping_sub(b)));
arithmetic!(muldmareg, Muldmareg, |i, a, b| Ok(
    (a & 0xffff) * (b & 0xffff)
));
arithmetic!(bitwopdmareg, Bitwopdmareg, |i, a, b| bitwise(
    i.op_sel, a, b
));
arithmetic!(shiftdmareg, Shiftdmareg, |i, a, b| shift(
    i.op_sel,
    a,
    b & 31
));
arithmetic!(cmpdmareg, Cmpdmareg, |i, a, b| compare(i.op_sel, a, b));

fn no_mode(mode: u32) -> Fault {
    Fault::undefined(format!("op_sel {mode} selects no operation"))
}

fn bitwise(mode: u32, a: u32, b: u32) -> Result<u32, Fault> {
    match mode {
        0 => Ok(a & b),
        1 => Ok(a | b),
        2 => Ok(a ^ b),
        _ => Err(no_mode(mode)),
    }
}

fn shift(mode: u32, a: u32, b: u32) -> Result<u32, Fault> {
    match mode {
        0 => Ok(a << b),
        1 => Ok(a >> b),
        _ => Err(no_mode(mode)),
    }
}

fn compare(mode: u32, a: u32, b: u32) -> Result<u32, Fault> {
    match mode {
        0 => Ok((a > b).into()),
        1 => Ok((a < b).into()),
        2 => Ok((a == b).into()),
        _ => Err(no_mode(mode)),
    }
}

pub(super) fn setdmareg(
    i: &Setdmareg,
    thread: usize,
    unit: &mut ScalarUnit<'_>,
) -> Result<(), Fault> {
    if i.set_signals_mode != 0 {
        return packer_results::setdmareg(i, thread, unit);
    }
    let value = i.payload_sig_sel_size << 14 | i.payload_sig_sel;
    unit.gprs[thread].check_loaded(i.reg_index_16b / 2)?;
    unit.gprs[thread].set_half(i.reg_index_16b, value as u16);
    Ok(())
}

pub(super) fn reg2flop(
    i: &Reg2flop,
    thread: usize,
    unit: &mut ScalarUnit<'_>,
) -> Result<(), Fault> {
    match i.target_sel {
        0 => reg2flop_config(i, thread, unit),
        2 | 3 => reg2flop_adc(i, thread, unit),
        other => Err(Fault::undefined(format!(
            "target_sel {other} names no target"
        ))),
    }
}

fn reg2flop_config(i: &Reg2flop, thread: usize, unit: &mut ScalarUnit<'_>) -> Result<(), Fault> {
    if i.byte_offset != 0 || i.context_id_2 != 0 {
        return Err(Fault::undefined(
            "REG2FLOP to configuration with byte_offset or context_id_2",
        ));
    }
    let (first, end) = (
        cfg::thcon_words_from(unit.arch),
        cfg::global_words_from(unit.arch),
    );
    let word = first + i.flop_index;
    if word >= end {
        return Err(Fault::undefined(format!(
            "REG2FLOP reaches configuration words {first} to {}, not {word}",
            end - 1
        )));
    }
    write_words(
        (word, i.reg_index, i.size_sel == 0),
        (thread, &unit.gprs[thread]),
        (unit.config, unit.config_write),
    )
}

/// The flop index is channel(1) counter set(2) carriage-return(1) axis(2).
fn reg2flop_adc(i: &Reg2flop, thread: usize, unit: &mut ScalarUnit<'_>) -> Result<(), Fault> {
    let gpr = unit.gprs[thread].get(i.reg_index)?;
    let value = match (i.size_sel, i.byte_offset) {
        (1, 0) => gpr,
        (2, 0) => gpr & 0xffff,
        (2, 2) => gpr >> 16,
        (3, n) => gpr >> (8 * n) & 0xff,
        _ => 0,
    };
    let target = if i.target_sel == 3 {
        i.context_id_2 as usize
    } else {
        thread
    };
    let Some(adcs) = unit.adcs.get_mut(target) else {
        return Ok(());
    };
    let channel = (i.flop_index >> 5 & 1) as usize;
    let counter = match i.flop_index >> 3 & 3 {
        u @ (0 | 1) => &mut adcs.unpacker[u as usize][channel],
        2 => &mut adcs.packers[channel],
        _ => return Ok(()),
    };
    let axis = Axis::ALL[(i.flop_index & 3) as usize];
    match i.flop_index >> 2 & 1 {
        0 => counter.set_value(axis, value),
        _ => counter.set_cr(axis, value),
    }
    Ok(())
}

/// DMANOP and FLUSHDMA: nothing happens once they no longer wait.
pub(super) fn no_effect() -> Result<(), Fault> {
    Ok(())
}

#[cfg(test)]
mod tests;
