//! Operands of vector instructions, and their text.

use std::fmt;

use super::{Bank, Instruction};
use crate::table::{Format, Op};
use crate::vector::Vtype;

/// Bits of the immediate.
const UNMASKED: i32 = 1;
const SCALAR: i32 = 2;

/// Returns whether an instruction has the funct3 of floating-point arithmetic.
fn is_floating_point(op: Op) -> bool {
    op.row().bits & 0x307f == 0x1057
}

/// Returns the register files of rd, rs1 and rs2.
pub(super) fn banks(i: &Instruction) -> [Bank; 3] {
    let vector = Bank::Vector;
    let scalar = match is_floating_point(i.op) {
        true => Bank::Float,
        false => Bank::Integer,
    };
    let row = i.op.row();
    match row.format {
        Format::R | Format::Vsetvli | Format::Vsetivli => [Bank::Integer; 3],
        Format::Vunit | Format::Vwhole | Format::Vindexed => [vector, Bank::Integer, vector],
        Format::Vstrided => [vector, Bank::Integer, Bank::Integer],
        Format::Vx | Format::VxA | Format::VxM | Format::VsplatX => [vector, scalar, vector],
        Format::Vvx | Format::VvxA | Format::VvxM | Format::VvxU | Format::Vsplat
            if i.imm & SCALAR != 0 =>
        {
            [vector, scalar, vector]
        }
        _ => match i.op {
            Op::VmvXS | Op::Vcpop | Op::Vfirst => [Bank::Integer, vector, vector],
            Op::VfmvFS => [Bank::Float, vector, vector],
            _ => [vector; 3],
        },
    }
}

/// Returns the mnemonic of the form with a scalar, or with the number of fields.
fn name(i: &Instruction) -> String {
    let row = i.op.row();
    let mut name = row.mnemonic.to_owned();
    let fields = (i.imm >> 7 & 7) + 1;
    match row.format {
        Format::Vvx | Format::VvxA | Format::VvxM | Format::VvxU | Format::Vsplat
            if i.imm & SCALAR != 0 =>
        {
            // The letter of vs1 is the last one, unless a mask follows.
            let at = name.len() - if row.format == Format::VvxM { 2 } else { 1 };
            let letter = if is_floating_point(i.op) { "f" } else { "x" };
            name.replace_range(at..=at, letter);
        }
        Format::Vunit | Format::Vstrided | Format::Vindexed if fields > 1 => {
            let at = name.rfind('e').unwrap_or(name.len());
            name.insert_str(at, &format!("seg{fields}"));
        }
        _ => {}
    }
    name
}

pub(super) fn write(
    f: &mut fmt::Formatter<'_>,
    i: &Instruction,
    [rd, rs1, rs2]: [&str; 3],
) -> fmt::Result {
    let row = i.op.row();
    let short = i.imm >> 2 & 31;
    let signed = short << 27 >> 27;
    write!(f, "{} ", name(i))?;
    match row.format {
        Format::Vsetvli => return write!(f, "{rd}, {rs1}, {}", Vtype(i.imm as u32)),
        Format::Vsetivli => {
            return write!(f, "{rd}, {}, {}", i.imm >> 10, Vtype(i.imm as u32 & 0x3ff));
        }
        Format::Vunit | Format::Vwhole => write!(f, "{rd}, ({rs1})")?,
        Format::Vstrided | Format::Vindexed => write!(f, "{rd}, ({rs1}), {rs2}")?,
        Format::VvxA | Format::VxA => write!(f, "{rd}, {rs1}, {rs2}")?,
        Format::Vi | Format::ViM | Format::ViU => write!(f, "{rd}, {rs2}, {signed}")?,
        Format::Vu => write!(f, "{rd}, {rs2}, {short}")?,
        Format::Vunary | Format::VunaryU => write!(f, "{rd}, {rs2}")?,
        Format::Vsplat | Format::VsplatX => write!(f, "{rd}, {rs1}")?,
        Format::VsplatI => write!(f, "{rd}, {signed}")?,
        Format::Vid => write!(f, "{rd}")?,
        _ => write!(f, "{rd}, {rs2}, {rs1}")?,
    }
    match row.format {
        Format::VvxM | Format::VxM | Format::ViM => f.write_str(", v0"),
        _ if super::parts(row.format)[0] != 0 && i.imm & UNMASKED == 0 => f.write_str(", v0.t"),
        _ => Ok(()),
    }
}
