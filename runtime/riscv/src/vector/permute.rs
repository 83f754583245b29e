//! Permutations of elements.

use super::config::Config;
use super::mask::active;
use super::registers::Registers;
use super::shape::Fields;

/// The source of each element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Permutation {
    /// A slide to higher positions.
    Up,
    /// A slide to lower positions.
    Down,
    /// A slide by one, with a scalar as first element.
    UpByOne,
    /// A slide by one, with a scalar as last element.
    DownByOne,
    /// The positions in vs1, or one for all.
    Gather,
    /// The positions of 16 bits in vs1.
    GatherByHalves,
}

/// Executes slides and gathers; `scalar` replaces vs1.
pub(super) fn permute(
    permutation: Permutation,
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
        let value = match permutation {
            Permutation::Up if k < scalar => continue,
            Permutation::Up => element(Some(k - scalar)),
            Permutation::Down => element(k.checked_add(scalar)),
            Permutation::UpByOne if k == 0 => scalar,
            Permutation::UpByOne => element(Some(k - 1)),
            Permutation::DownByOne if k + 1 == vl => scalar,
            Permutation::DownByOne => element(Some(k + 1)),
            Permutation::Gather if fields.has_vs1 => {
                element(Some(registers.get(fields.vs1, sew, k)))
            }
            Permutation::Gather => element(Some(scalar)),
            Permutation::GatherByHalves => element(Some(registers.get(fields.vs1, 16, k))),
        };
        registers.set(fields.vd, sew, k, value);
    }
}
