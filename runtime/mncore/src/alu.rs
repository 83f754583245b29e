//! ALU instructions on the lanes of a block.
//!
//! Manual, section 3.6.12. The arithmetic is in [`crate::numerics::alu`]; here inputs are narrowed, operations that span
//! the PEs of a MAB get their words together, and the second long word of the result is filled.

use tessera_isa_mncore::ast::{Alu, Convert};
use tessera_isa_mncore::memory::Precision;
use tessera_isa_mncore::table::{AluKind, AluOp};

use crate::block::Block;
use crate::bus::{Bus, Flags};
use crate::geometry::{CYCLES, PES};
use crate::numerics::alu::{self, float, integer, Lanewise};
use crate::numerics::batch;
use crate::numerics::block::{Conversion, HalfLength};
use crate::numerics::convert;
use crate::reduction;
use crate::undetermined::Doubts;

/// What an opcode does, as the arithmetic has it.
enum Unit {
    /// The same two long words everywhere, no flags.
    Constant([u64; 2]),
    /// A permutation of the long words of four PEs, no flags.
    Rotation(fn([u64; 4]) -> [u64; 4]),
    /// A conversion of blocks across four PEs; of both long words in half precision. No flags.
    Blocks(Conversion),
    /// A copy of both long words; flags from the first.
    Copy(Lanewise),
    /// The first long words of the operands to the first long word of the result.
    Lanes(Lanewise),
}

/// Carries an ALU instruction out: result and flags go to `result` and `flags`.
pub fn run(
    alu: &Alu,
    block: &Block,
    inputs: &mut [Bus; 3],
    result: &mut Bus,
    flags: &mut Flags,
    doubts: &mut Doubts,
) {
    let unit = select(alu);
    let bits = alu.op.precision.map_or(64, Precision::bits);
    for (input, bus) in alu.inputs.iter().zip(inputs.iter_mut()) {
        block.read(&input.source, bits, bus);
        if input.convert == Convert::Narrow {
            narrow(bus, doubts);
        }
    }
    let [x, y, _] = inputs;
    for cycle in 0..CYCLES {
        let (x_high, x_low) = x.cycle(cycle);
        let (y_high, _) = y.cycle(cycle);
        let (high, low) = result.cycle_mut(cycle);
        let flags = flags.cycle_mut(cycle);
        match &unit {
            Unit::Constant(words) => {
                high.fill(words[0]);
                low.fill(words[1]);
                flags.fill(0);
            }
            Unit::Rotation(rotate) => {
                for_mabs(x_high, high, rotate);
                low.copy_from_slice(x_low);
                flags.fill(0);
            }
            Unit::Blocks(conversion) => {
                for_mabs(x_high, high, |words| {
                    batch::block::convert(*conversion, words, doubts)
                });
                if matches!(
                    conversion,
                    Conversion::Half(_) | Conversion::HalfExtended(_)
                ) {
                    for_mabs(x_low, low, |words| {
                        batch::block::convert(*conversion, words, doubts)
                    });
                } else {
                    low.copy_from_slice(x_low);
                }
                flags.fill(0);
            }
            Unit::Copy(pass) => {
                high.copy_from_slice(x_high);
                low.copy_from_slice(x_low);
                for (lane, flags) in flags.iter_mut().enumerate() {
                    *flags = pass(x_high[lane], 0, doubts).1;
                }
            }
            Unit::Lanes(operation) => {
                for lane in 0..high.len() {
                    (high[lane], flags[lane]) = operation(x_high[lane], y_high[lane], doubts);
                }
                low.copy_from_slice(x_low);
            }
        }
    }
}

/// Reads four singles as four halves, in the first long word.
fn narrow(bus: &mut Bus, doubts: &mut Doubts) {
    for cycle in 0..CYCLES {
        let (high, low) = bus.cycle_mut(cycle);
        for (high, low) in high.iter_mut().zip(low) {
            [*high, *low] = [convert::narrow_singles([*high, *low], doubts), 0];
        }
    }
}

/// Applies `operation` to the long words of the four PEs of each MAB.
fn for_mabs(from: &[u64], to: &mut [u64], mut operation: impl FnMut([u64; PES]) -> [u64; PES]) {
    for (from, to) in from.chunks_exact(PES).zip(to.chunks_exact_mut(PES)) {
        to.copy_from_slice(&operation([from[0], from[1], from[2], from[3]]));
    }
}

fn select(alu: &Alu) -> Unit {
    let op = alu.op;
    match op.kind {
        AluKind::Zero => Unit::Constant([0; 2]),
        AluKind::Imm => Unit::Constant(alu::immediate(alu.immediate, false)),
        AluKind::Immu => Unit::Constant(alu::immediate(alu.immediate, true)),
        AluKind::Msl => Unit::Rotation(alu::rotate_left),
        AluKind::Msr => Unit::Rotation(alu::rotate_right),
        AluKind::Bfe | AluKind::Bfn => Unit::Blocks(conversion(op)),
        AluKind::Passa => Unit::Copy(lanewise(op)),
        _ => Unit::Lanes(lanewise(op)),
    }
}

/// The block float conversion of an opcode; the table admits mantissas of 6 to 9 bits only.
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

/// The operation of an opcode that works element by element.
fn lanewise(op: AluOp) -> Lanewise {
    use {float::Operation as Float, integer::Operation as Integer};
    let precision = op.precision.unwrap_or(Precision::Long);
    let width = reduction::width(precision);
    let float = |operation| float::select(operation, width, op.unsigned);
    let integer = |operation| integer::select(operation, width, op.unsigned);
    match op.kind {
        AluKind::Rsqrt => float(Float::ReciprocalRoot),
        AluKind::Floor => float(Float::Floor),
        AluKind::Ftoi => float(Float::ToInteger),
        AluKind::Max if precision.is_float() => float(Float::Max),
        AluKind::Min if precision.is_float() => float(Float::Min),
        AluKind::Relu => float(Float::Relu),
        AluKind::Relu1 => float(Float::Relu1),
        AluKind::Relu2 => float(Float::Relu2),
        AluKind::Relu3 => float(Float::Relu3),
        AluKind::Lrelud => float(Float::LeakyHalf),
        AluKind::Lreluo => float(Float::LeakyEighth),
        AluKind::Ilrelud => float(Float::InverseLeaky),
        AluKind::Inc => integer(Integer::Increment),
        AluKind::Dec => integer(Integer::Decrement),
        AluKind::Not => integer(Integer::Not),
        AluKind::Lnot => integer(Integer::LogicalNot),
        AluKind::Max => integer(Integer::Max),
        AluKind::Min => integer(Integer::Min),
        AluKind::Packbit => integer(Integer::PackBit),
        AluKind::And => integer(Integer::And),
        AluKind::Or => integer(Integer::Or),
        AluKind::Xor => integer(Integer::Xor),
        AluKind::Add => integer(Integer::Add),
        AluKind::Sub => integer(Integer::Subtract),
        AluKind::Lsl => integer(Integer::ShiftLeft),
        AluKind::Lsr => integer(Integer::ShiftRight),
        AluKind::Bsl => integer(Integer::RotateLeft),
        AluKind::Bsr => integer(Integer::RotateRight),
        // The rest does not work element by element, and is selected before this.
        AluKind::Zero
        | AluKind::Imm
        | AluKind::Immu
        | AluKind::Msl
        | AluKind::Msr
        | AluKind::Bfe
        | AluKind::Bfn
        | AluKind::Passa => integer(Integer::Pass),
    }
}
