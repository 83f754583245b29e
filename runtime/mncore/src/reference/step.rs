//! Execution of a PE instruction in one L1 block (manual, sections 3.6 and 3.6.6).

use tessera_isa_mncore::ast::{Expression, Forward, L1Operand, L1bm, Op, PeOperands, Source, Step};
use tessera_isa_mncore::table::Group;

use super::operands::{flags, mask_bits, Write};
use super::{alu, l1bm, matrix, mau, Nibbles, Words};
use crate::block::Block;
use crate::geometry::CYCLES;
use crate::step::RegisterUses;
use crate::trap::Reason;
use crate::undetermined::UndeterminedSet;

/// Returns whether the forwarding and turn-around registers keep their content.
fn keeps_registers(step: &Step) -> bool {
    step.find(Group::Nop).is_some() || step.find(Group::Noforward).is_some()
}

/// Returns the forwarding register that receives the result of an expression.
fn unit(op: &Op) -> Option<Forward> {
    match op {
        Op::Mau(_) => Some(Forward::Mau),
        Op::Alu(_) => Some(Forward::Alu),
        Op::Mread { .. } => Some(Forward::Mread),
        Op::L1bm(L1bm {
            pe: PeOperands::Down(_),
            ..
        }) => Some(Forward::L1bm),
        _ => None,
    }
}

/// Returns how a step uses forwarding and turn-around registers.
pub fn uses(step: &Step) -> RegisterUses {
    let mut uses = RegisterUses {
        keeps_registers: keeps_registers(step),
        ..RegisterUses::default()
    };
    for expression in &step.expressions {
        if let Some(unit) = unit(&expression.op) {
            uses.forwards_filled[unit as usize] = true;
        }
        for input in expression.op.inputs() {
            if let Source::Forward(unit) = input.source {
                uses.forwards_read[unit as usize] = true;
            }
        }
        if let Op::L1bm(l1bm) = &expression.op {
            let up = matches!(l1bm.pe, PeOperands::Up(_));
            uses.turnaround_filled |= up;
            uses.turnaround_read |= !up && l1bm.l1 == L1Operand::Turnaround;
        }
    }
    uses
}

/// The result of an expression, with its destinations.
struct Issued {
    unit: Forward,
    words: Words,
    nibbles: Nibbles,
    writes: Vec<Write>,
}

/// Returns the expressions in the order in which traps are reported: arithmetic, transfers from
/// L1BM, transfers to L1BM, writes to matrix registers.
fn trap_order(step: &Step) -> Vec<&Expression> {
    let mut expressions: Vec<&Expression> = step.expressions.iter().collect();
    expressions.sort_by_key(|expression| match &expression.op {
        Op::L1bm(l1bm) => match l1bm.pe {
            PeOperands::Down(_) => 1,
            PeOperands::Up(_) => 2,
        },
        Op::Mwrite { .. } => 3,
        _ => 0,
    });
    expressions
}

/// Executes the step in one block. The caller executes its effects outside the block.
pub fn run(
    step: &Step,
    block: &mut Block,
    undetermined: &mut UndeterminedSet,
) -> Result<(), Reason> {
    let mut results = Vec::new();
    let mut rows = None;
    let mut sent = None;
    for expression in trap_order(step) {
        let no_flags = || vec![[0; CYCLES]; block.lanes()];
        let (words, nibbles) = match &expression.op {
            Op::Mau(mau) => mau::run(mau, block, undetermined),
            Op::Alu(alu) => alu::run(alu, block, undetermined),
            Op::Mread {
                precision, matrix, ..
            } => (matrix::read(*precision, matrix, block), no_flags()),
            Op::L1bm(l1bm) => match &l1bm.pe {
                PeOperands::Down(_) => (l1bm::l1bm_to_pes(l1bm, block)?, no_flags()),
                PeOperands::Up(input) => {
                    sent = Some((
                        l1bm,
                        l1bm::pes_to_l1bm(&l1bm.op, input, block, undetermined)?,
                    ));
                    continue;
                }
            },
            Op::Mwrite {
                precision,
                input,
                matrix,
            } => {
                let words = mau::stored_input(input, *precision, matrix.wide, block, undetermined);
                rows = Some((*precision, matrix, words));
                continue;
            }
            _ => continue,
        };
        let Some(unit) = unit(&expression.op) else {
            continue;
        };
        let mut words = words;
        if let Some(mask) = expression.zero_flush {
            for (lane, cycles) in words.iter_mut().enumerate() {
                for (cycle, longs) in cycles.iter_mut().enumerate() {
                    let bits = mask_bits(flags(block, mask, lane, cycle), mask.wide);
                    *longs = [longs[0] & bits[0], longs[1] & bits[1]];
                }
            }
        }
        let outputs = expression.op.outputs().iter();
        results.push(Issued {
            unit,
            words,
            nibbles,
            writes: outputs
                .map(|output| Write::prepare(block, output))
                .collect(),
        });
    }
    for result in &results {
        for write in &result.writes {
            write.apply(block, &result.words, &result.nibbles);
        }
    }
    if let Some((precision, rows, words)) = rows {
        matrix::write(precision, rows, &words, block);
    }
    let keeps_registers = keeps_registers(step);
    if let Some((l1bm, rows)) = sent {
        if let L1Operand::Address(address) = l1bm.l1 {
            l1bm::store(&l1bm.op, address, &rows, block);
        }
        if !keeps_registers {
            *block.turnaround.rows = rows;
            block.turnaround.rate = l1bm::rate(&l1bm.op);
        }
    }
    if !keeps_registers {
        for result in &results {
            forward(block, result.unit, &result.words);
        }
    }
    Ok(())
}

/// Stores the result of a unit in its forwarding register.
fn forward(block: &mut Block, unit: Forward, words: &Words) {
    for cycle in 0..CYCLES {
        let (high, low) = block.forward[unit as usize].cycle_mut(cycle);
        for (lane, cycles) in words.iter().enumerate() {
            [high[lane], low[lane]] = cycles[cycle];
        }
    }
}
