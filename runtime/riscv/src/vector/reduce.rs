//! Reductions of a vector and a scalar.

use super::config::{Config, VectorError};
use super::mask::active;
use super::registers::Registers;
use super::semantics::Combine;
use super::shape::Fields;

/// Reduces element 0 of vs1 and the active elements of vs2, in order; nothing is written if `vl` is
/// 0.
pub(super) fn integers(
    (wide, combine): (bool, Combine),
    registers: &mut Registers,
    fields: &Fields,
    config: &Config,
) {
    let Config { sew, vl, .. } = *config;
    let bits = if wide { 2 * sew } else { sew };
    if vl == 0 {
        return;
    }
    let first = registers.get(fields.vs1, bits, 0);
    let elements = active(registers, fields, vl).map(|k| registers.get(fields.vs2, sew, k));
    let result = elements.fold(first, |sum, a| combine(sew, sum, a));
    registers.set(fields.vd, bits, 0, result);
}

/// Does the same for floats, combined by `combine`.
pub(super) fn floats(
    registers: &mut Registers,
    fields: &Fields,
    vl: u32,
    mut combine: impl FnMut(u32, u32) -> Result<u32, VectorError>,
) -> Result<(), VectorError> {
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
