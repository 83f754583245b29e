//! Permutations of elements.

use super::config::Config;
use super::mask::active;
use super::registers::Registers;
use super::shape::Fields;
use crate::table::Op;

/// Executes slides and gathers; `scalar` replaces vs1.
pub(super) fn permute(
    op: Op,
    registers: &mut Registers,
    fields: &Fields,
    config: &Config,
    scalar: u32,
) {
    let Config { sew, vl, .. } = *config;
    let room = config.room();
    for k in active(registers, fields, vl) {
        let element = |k: Option<u32>| match k {
            Some(k) if k < room => registers.get(fields.vs2, sew, k),
            _ => 0,
        };
        let value = match op {
            Op::Vslideup if k < scalar => continue,
            Op::Vslideup => element(Some(k - scalar)),
            Op::Vslidedown => element(k.checked_add(scalar)),
            Op::Vslide1up if k == 0 => scalar,
            Op::Vslide1up => element(Some(k - 1)),
            Op::Vslide1down if k + 1 == vl => scalar,
            Op::Vslide1down => element(Some(k + 1)),
            Op::Vrgatherei16 => element(Some(registers.get(fields.vs1, 16, k))),
            _ if fields.has_vs1 => element(Some(registers.get(fields.vs1, sew, k))),
            _ => element(Some(scalar)),
        };
        registers.set(fields.vd, sew, k, value);
    }
}
