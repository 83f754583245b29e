//! Reductions of a vector and a scalar.

use super::config::{Config, VectorError};
use super::integer::{signed, unsigned};
use super::mask::active;
use super::registers::Registers;
use super::shape::Fields;
use crate::table::Op;

/// Returns the width of the result.
fn result_bits(op: Op, sew: u32) -> u32 {
    match op {
        Op::Vwredsumu | Op::Vwredsum => 2 * sew,
        _ => sew,
    }
}

fn both(op: Op, bits: u32, sum: u32, a: u32) -> u32 {
    let is_less = signed(a, bits) < signed(sum, bits);
    match op {
        Op::Vredand => sum & a,
        Op::Vredor => sum | a,
        Op::Vredxor => sum ^ a,
        Op::Vredminu => sum.min(a),
        Op::Vredmaxu => sum.max(a),
        Op::Vredmin if is_less => a,
        Op::Vredmin => sum,
        Op::Vredmax if is_less => sum,
        Op::Vredmax => a,
        Op::Vwredsum => sum.wrapping_add(signed(a, bits) as u32),
        Op::Vwredsumu => sum.wrapping_add(unsigned(a, bits) as u32),
        _ => sum.wrapping_add(a),
    }
}

/// Reduces element 0 of vs1 and the active elements of vs2, in order; nothing is written if `vl` is
/// 0.
pub(super) fn integers(op: Op, registers: &mut Registers, fields: &Fields, config: &Config) {
    let Config { sew, vl, .. } = *config;
    let bits = result_bits(op, sew);
    if vl == 0 {
        return;
    }
    let first = registers.get(fields.vs1, bits, 0);
    let elements = active(registers, fields, vl).map(|k| registers.get(fields.vs2, sew, k));
    let result = elements.fold(first, |sum, a| both(op, sew, sum, a));
    registers.set(fields.vd, bits, 0, result);
}

/// Does the same for floats, combined by `combine`.
pub(super) fn floats(
    op: Op,
    registers: &mut Registers,
    fields: &Fields,
    vl: u32,
    mut combine: impl FnMut(u32, u32) -> Result<u32, VectorError>,
) -> Result<(), VectorError> {
    if op == Op::Vfredusum {
        return Err(VectorError::NotModelled(
            "the order in which vfredusum adds is not documented; use vfredosum",
        ));
    }
    if vl == 0 {
        return Ok(());
    }
    let mut result = registers.get(fields.vs1, 32, 0);
    for k in active(registers, fields, vl) {
        result = combine(registers.get(fields.vs2, 32, k), result)?;
    }
    registers.set(fields.vd, 32, 0, result);
    Ok(())
}
