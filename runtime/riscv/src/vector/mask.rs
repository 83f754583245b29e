//! Mask operations: counts, and numbering of elements.

use super::registers::Registers;
use super::shape::Fields;

/// Returns the active elements: those below `vl` that the mask enables.
pub(super) fn active(registers: &Registers, fields: &Fields, vl: u32) -> impl Iterator<Item = u32> {
    let v0 = registers.register(0).unwrap_or_default();
    let masked = fields.masked;
    (0..vl).filter(move |&k| !masked || v0[k as usize / 8] >> (k % 8) & 1 != 0)
}

/// Returns the index of the first set bit, or all ones if there is none.
pub(super) fn first(registers: &Registers, fields: &Fields, vl: u32) -> u32 {
    let set = active(registers, fields, vl).find(|&k| registers.bit(fields.vs2, k));
    set.unwrap_or(u32::MAX)
}

pub(super) fn count(registers: &Registers, fields: &Fields, vl: u32) -> u32 {
    let set = active(registers, fields, vl).filter(|&k| registers.bit(fields.vs2, k));
    set.count() as u32
}

/// Sets the bits for whose index and that of the first set bit `is_set` holds.
pub(super) fn up_to_first(
    is_set: fn(u32, u32) -> bool,
    registers: &mut Registers,
    fields: &Fields,
    vl: u32,
) {
    let first = first(registers, fields, vl);
    for k in active(registers, fields, vl) {
        registers.set_bit(fields.vd, k, is_set(k, first));
    }
}

/// Computes for each element its own index.
pub(super) fn index(registers: &mut Registers, fields: &Fields, sew: u32, vl: u32) {
    for k in active(registers, fields, vl) {
        registers.set(fields.vd, sew, k, k);
    }
}

/// Computes for each element the number of set bits before it.
pub(super) fn count_before(registers: &mut Registers, fields: &Fields, sew: u32, vl: u32) {
    let mut before = 0;
    for k in active(registers, fields, vl) {
        registers.set(fields.vd, sew, k, before);
        before += u32::from(registers.bit(fields.vs2, k));
    }
}

/// Packs the elements that a mask selects.
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
