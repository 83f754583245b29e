//! Scalar unit (ThCon): arithmetic on GPRs, moves to configuration and address counters, results of
//! packers.
//!
//! Source: ISA documentation, `ScalarUnit.md` and the pages of the instructions below. The thread
//! waits for each instruction, so none is in flight when the next one issues. Memory instructions
//! are in [`super::scalar_memory`]. FLUSHDMA waits in [`crate::issue::coprocessor`] and has no
//! effect here.
//!
//! REG2FLOP writes 32 bits to configuration whatever size its operand names, except for 128 bits
//! (`REG2FLOP_Configuration.md`; ttsim 1.10.0 does the same).
//!
//! Blackhole has no pages of its own for this unit. LLK's `assembly.yaml` describes the
//! instructions of both chips identically, except for the packers' results; the latest
//! `REG2FLOP_*.md` (at f6a77780) call REG2FLOP unsupported there.
//!
//! Validation: compared with ttsim 1.10.0, together with the configuration, sync and miscellaneous
//! instructions that it has. GPRs, configuration, semaphores and address counters were equal after
//! each of 151,446 random instructions, and 224,412 on Blackhole (there the low 8 bits of Z and W:
//! [`crate::state::adc`]).

use tessera_isa_tensix::cfg;
use tessera_isa_tensix::table::{Reg2flop, Setdmareg};
use tessera_isa_tensix::Instruction;

use super::config::write_words;
use super::{packer_results, scalar_memory};
use crate::state::adc::Axis;
use crate::state::core_state::CoreState;
use crate::trap::Fault;

pub(super) fn execute(
    instruction: &Instruction,
    thread: usize,
    core: &mut CoreState,
) -> Result<(), Fault> {
    let gprs = &mut core.gprs[thread];
    let right = |constant: u32, b: u32| if constant != 0 { Ok(b) } else { gprs.get(b) };
    let (result, value) = match instruction {
        Instruction::Dmanop(_) | Instruction::Flushdma(_) => return Ok(()),
        Instruction::Setdmareg(i) => return setdmareg(i, thread, core),
        Instruction::Reg2flop(i) => return reg2flop(i, thread, core),
        Instruction::Adddmareg(i) => {
            let b = right(i.op_b_is_const, i.op_b_reg_index)?;
            (
                i.result_reg_index,
                gprs.get(i.op_a_reg_index)?.wrapping_add(b),
            )
        }
        Instruction::Subdmareg(i) => {
            let b = right(i.op_b_is_const, i.op_b_reg_index)?;
            (
                i.result_reg_index,
                gprs.get(i.op_a_reg_index)?.wrapping_sub(b),
            )
        }
        Instruction::Muldmareg(i) => {
            let b = right(i.op_b_is_const, i.op_b_reg_index)?;
            (
                i.result_reg_index,
                (gprs.get(i.op_a_reg_index)? & 0xffff) * (b & 0xffff),
            )
        }
        Instruction::Bitwopdmareg(i) => {
            let b = right(i.op_b_is_const, i.op_b_reg_index)?;
            (
                i.result_reg_index,
                bitwise(i.op_sel, gprs.get(i.op_a_reg_index)?, b)?,
            )
        }
        Instruction::Shiftdmareg(i) => {
            let b = right(i.op_b_is_const, i.op_b_reg_index)? & 31;
            (
                i.result_reg_index,
                shift(i.op_sel, gprs.get(i.op_a_reg_index)?, b)?,
            )
        }
        Instruction::Cmpdmareg(i) => {
            let b = right(i.op_b_is_const, i.op_b_reg_index)?;
            (
                i.result_reg_index,
                compare(i.op_sel, gprs.get(i.op_a_reg_index)?, b)?,
            )
        }
        _ => return scalar_memory::execute(instruction, thread, core),
    };
    gprs.check_loaded(result)?;
    gprs.set(result, value);
    Ok(())
}

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

fn setdmareg(i: &Setdmareg, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    if i.set_signals_mode != 0 {
        return packer_results::setdmareg(i, thread, core);
    }
    let value = i.payload_sig_sel_size << 14 | i.payload_sig_sel;
    core.gprs[thread].check_loaded(i.reg_index_16b / 2)?;
    core.gprs[thread].set_half(i.reg_index_16b, value as u16);
    Ok(())
}

fn reg2flop(i: &Reg2flop, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    match i.target_sel {
        0 => reg2flop_config(i, thread, core),
        2 | 3 => reg2flop_adc(i, thread, core),
        other => Err(Fault::undefined(format!(
            "target_sel {other} names no target"
        ))),
    }
}

fn reg2flop_config(i: &Reg2flop, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    if i.byte_offset != 0 || i.context_id_2 != 0 {
        return Err(Fault::undefined(
            "REG2FLOP to configuration with byte_offset or context_id_2",
        ));
    }
    let (first, end) = (
        cfg::thcon_words_from(core.arch),
        cfg::global_words_from(core.arch),
    );
    let word = first + i.flop_index;
    if word >= end {
        return Err(Fault::undefined(format!(
            "REG2FLOP reaches configuration words {first} to {}, not {word}",
            end - 1
        )));
    }
    write_words(thread, core, word, i.reg_index, i.size_sel == 0)
}

/// The flop index is channel(1) counter set(2) carriage-return(1) axis(2).
fn reg2flop_adc(i: &Reg2flop, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    let gpr = core.gprs[thread].get(i.reg_index)?;
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
    let Some(adcs) = core.adcs.get_mut(target) else {
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

#[cfg(test)]
mod tests;
