//! Masks: what is done to all bits of one, counts, and what is numbered by them.

use super::registers::Registers;
use super::shape::Fields;
use crate::table::Op;

/// Returns the elements that are worked on: the lowest `vl`, of those the ones that the mask has.
pub(super) fn active(registers: &Registers, fields: &Fields, vl: u32) -> impl Iterator<Item = u32> {
    let v0 = registers.register(0).unwrap_or_default();
    let masked = fields.masked;
    (0..vl).filter(move |&k| !masked || v0[k as usize / 8] >> (k % 8) & 1 != 0)
}

/// Applies a logical operation to two bits.
pub(super) fn logical(op: Op, a: bool, b: bool) -> bool {
    match op {
        Op::Vmand => a && b,
        Op::Vmnand => !(a && b),
        Op::Vmandn => a && !b,
        Op::Vmor => a || b,
        Op::Vmnor => !(a || b),
        Op::Vmorn => a || !b,
        Op::Vmxor => a != b,
        _ => a == b,
    }
}

/// Returns the number of the first bit that is set, or all ones; how many are.
pub(super) fn first(registers: &Registers, fields: &Fields, vl: u32) -> u32 {
    let set = active(registers, fields, vl).find(|&k| registers.bit(fields.vs2, k));
    set.unwrap_or(u32::MAX)
}

pub(super) fn count(registers: &Registers, fields: &Fields, vl: u32) -> u32 {
    let set = active(registers, fields, vl).filter(|&k| registers.bit(fields.vs2, k));
    set.count() as u32
}

/// Sets the bits before the first one that is set, that one, or both.
pub(super) fn up_to_first(op: Op, registers: &mut Registers, fields: &Fields, vl: u32) {
    let first = first(registers, fields, vl);
    for k in active(registers, fields, vl) {
        let is_set = match op {
            Op::Vmsbf => k < first,
            Op::Vmsif => k <= first,
            _ => k == first,
        };
        registers.set_bit(fields.vd, k, is_set);
    }
}

/// For each element the number of bits that are set before it, or its own number.
pub(super) fn number(op: Op, registers: &mut Registers, fields: &Fields, sew: u32, vl: u32) {
    let mut before = 0;
    for k in active(registers, fields, vl) {
        let value = if op == Op::Vid { k } else { before };
        registers.set(fields.vd, sew, k, value);
        before += u32::from(op == Op::Viota && registers.bit(fields.vs2, k));
    }
}

/// Packs the elements that a mask has.
pub(super) fn compress(registers: &mut Registers, fields: &Fields, sew: u32, vl: u32) {
    let mut to = 0;
    for k in 0..vl {
        if registers.bit(fields.vs1, k) {
            let value = registers.get(fields.vs2, sew, k);
            registers.set(fields.vd, sew, to, value);
            to += 1;
        }
    }
}
