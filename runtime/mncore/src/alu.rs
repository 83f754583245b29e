//! ALU instructions on the lanes of a block.
//!
//! Manual, section 3.6.12. [`crate::numerics::alu`] contains the arithmetic. This module narrows
//! inputs, collects the words of a MAB for operations that span PEs, and fills the second long word
//! of the result.

use bytemuck::{cast_slice, cast_slice_mut};
use tessera_isa_mncore::ast::{Alu, Convert, Input};
use tessera_isa_mncore::memory::Precision;
use tessera_isa_mncore::table::{AluKind, AluOp};

use crate::block::Block;
use crate::bus::{Bus, Flags, Words};
use crate::geometry::{CYCLES, PES};
use crate::numerics::alu::{self, float, integer, Operation};
use crate::numerics::batch::{self, lanewise::BatchEvaluation};
use crate::numerics::block::{Conversion, HalfLength};
use crate::numerics::convert;
use crate::reduction;
use crate::undetermined::UndeterminedSet;

/// Executes an ALU instruction. Writes the results to `result` and, if requested, the mask flags to
/// `flags`.
pub fn run(
    alu: &Alu,
    block: &Block,
    inputs: &mut [Bus; 3],
    result: &mut Bus,
    mut flags: Option<&mut Flags>,
    undetermined: &mut UndeterminedSet,
) {
    let bits = alu.op.precision.map_or(64, Precision::bits);
    let mut operands = [Words::zeros(block.lanes()); 3];
    for ((input, bus), words) in alu.inputs.iter().zip(inputs).zip(&mut operands) {
        *words = operand(input, bits, block, bus, undetermined);
    }
    let [x, y, _] = operands;
    for cycle in 0..CYCLES {
        let flags = flags.as_deref_mut().map(|flags| flags.cycle_mut(cycle));
        let (x_high, x_low) = x.cycle(cycle);
        let y = y.cycle(cycle).0;
        if x.low_is_zero() && passes_low(alu.op) {
            let high = result.high_mut(cycle);
            execute_high(alu, (x_high, x.is_same()), y, high, flags, undetermined);
        } else {
            let (high, low) = result.cycle_mut(cycle);
            execute_high(alu, (x_high, x.is_same()), y, high, flags, undetermined);
            execute_low(alu, (x_low, x.is_same()), low, undetermined);
        }
        if x.is_same() && matches!(alu.op.kind, AluKind::Bfe | AluKind::Bfn) {
            result.mark_same(cycle);
        }
    }
}

/// Returns whether the second long word of the result is that of x.
fn passes_low(op: AluOp) -> bool {
    match op.kind {
        AluKind::Zero | AluKind::Imm | AluKind::Immu => false,
        AluKind::Bfe | AluKind::Bfn => !conversion(op).is_half(),
        _ => true,
    }
}

/// Returns the value of an operand. With `r`, it has four halves, converted from singles, in the
/// first long word.
fn operand<'a>(
    input: &Input,
    bits: u32,
    block: &'a Block,
    bus: &'a mut Bus,
    undetermined: &mut UndeterminedSet,
) -> Words<'a> {
    if input.convert != Convert::Narrow {
        return block.read(&input.source, bits, bus);
    }
    block.copy(&input.source, bits, bus);
    for cycle in 0..CYCLES {
        let (high, low) = bus.cycle_mut(cycle);
        for (high, low) in high.iter_mut().zip(low) {
            *high = convert::narrow_singles([*high, *low], undetermined);
        }
        bus.high_mut(cycle);
    }
    bus.words()
}

/// Computes the first long word of the result of one cycle, from those of x and y. `is_same` tells
/// whether all MABs are known to have the same x.
fn execute_high(
    alu: &Alu,
    (x, is_same): (&[u64], bool),
    y: &[u64],
    high: &mut [u64],
    flags: Option<&mut [u8]>,
    undetermined: &mut UndeterminedSet,
) {
    if let Some(operation) = Operation::from_kind(alu.op.kind, alu.op.precision) {
        let many = BatchEvaluation {
            x,
            y,
            results: high,
            flags,
            undetermined,
        };
        return lanewise(operation, alu.op, many);
    }
    clear(flags);
    match alu.op.kind {
        AluKind::Msl => for_mabs(x, high, alu::rotate_left),
        AluKind::Msr => for_mabs(x, high, alu::rotate_right),
        AluKind::Bfe | AluKind::Bfn => {
            let (from, to) = (cast_slice(x), cast_slice_mut(high));
            batch::block::convert_all(conversion(alu.op), (from, is_same), to, undetermined);
        }
        // Opcodes without operands.
        _ => high.fill(constant(alu)[0]),
    }
}

/// Computes the second long word of the result of one cycle. Unless the operation defines it, it is
/// that of x.
fn execute_low(
    alu: &Alu,
    (x, is_same): (&[u64], bool),
    low: &mut [u64],
    undetermined: &mut UndeterminedSet,
) {
    match alu.op.kind {
        AluKind::Zero | AluKind::Imm | AluKind::Immu => low.fill(constant(alu)[1]),
        AluKind::Bfe | AluKind::Bfn if conversion(alu.op).is_half() => {
            let (from, to) = (cast_slice(x), cast_slice_mut(low));
            batch::block::convert_all(conversion(alu.op), (from, is_same), to, undetermined);
        }
        _ => low.copy_from_slice(x),
    }
}

/// Returns the two long words of an operation without operands.
fn constant(alu: &Alu) -> [u64; 2] {
    match alu.op.kind {
        AluKind::Imm => alu::immediate(alu.immediate, false),
        AluKind::Immu => alu::immediate(alu.immediate, true),
        _ => [0; 2],
    }
}

fn clear(flags: Option<&mut [u8]>) {
    if let Some(flags) = flags {
        flags.fill(0);
    }
}

/// Applies `operation` to the long words of the four PEs of each MAB.
fn for_mabs(from: &[u64], to: &mut [u64], mut operation: impl FnMut([u64; PES]) -> [u64; PES]) {
    for (from, to) in from.chunks_exact(PES).zip(to.chunks_exact_mut(PES)) {
        to.copy_from_slice(&operation([from[0], from[1], from[2], from[3]]));
    }
}

/// Returns the block float conversion of an opcode. The table admits only mantissas of 6 to 9 bits.
fn conversion(op: AluOp) -> Conversion {
    let length =
        || HalfLength::new(u32::from(op.mantissa)).expect("the table has mantissas of 6 to 9 bits");
    match (op.kind, op.precision) {
        (AluKind::Bfe, _) => Conversion::HalfExtended(length()),
        (_, Some(Precision::Half)) => Conversion::Half(length()),
        (_, Some(Precision::Single)) => Conversion::Single,
        (_, Some(Precision::Pseudo)) => Conversion::PseudoSingle,
        _ => Conversion::Double,
    }
}

/// Executes an element-wise operation.
fn lanewise(operation: Operation, op: AluOp, many: BatchEvaluation) {
    let width = reduction::width(op.precision.unwrap_or(Precision::Long));
    match operation {
        Operation::Float(operation) => float::select(operation, width, op.unsigned, many),
        Operation::Integer(operation) => integer::select(operation, width, op.unsigned, many),
    }
}
