//! The traits of all instructions, by opcode.
//!
//! The table is built at compile time from those of the units. A row of the instruction table
//! without traits, with traits in two units or in another unit than its own is a compile error.

use tessera_isa_tensix::{rows, Opcode};

use super::traits::Traits;
use super::{config, frontend, matrix, misc, mover, pack, scalar, sync, unpack, vector};

/// The tables of the units.
const UNITS: [&[Traits]; 11] = [
    frontend::TRAITS,
    frontend::EXPANDED,
    sync::TRAITS,
    misc::TRAITS,
    config::TRAITS,
    scalar::TRAITS,
    unpack::TRAITS,
    matrix::TRAITS,
    pack::TRAITS,
    vector::TRAITS,
    mover::TRAITS,
];

static TABLE: [Option<&Traits>; 256] = {
    let mut table: [Option<&Traits>; 256] = [None; 256];
    let mut unit = 0;
    while unit < UNITS.len() {
        let mut k = 0;
        while k < UNITS[unit].len() {
            let traits = &UNITS[unit][k];
            let place = &mut table[traits.opcode as usize];
            assert!(place.is_none(), "an instruction has two rows of traits");
            *place = Some(traits);
            k += 1;
        }
        unit += 1;
    }
    let mut k = 0;
    while k < rows().len() {
        let row = &rows()[k];
        match table[row.opcode as usize] {
            Some(traits) => assert!(
                traits.unit as u8 == row.unit as u8,
                "the traits of an instruction are in another unit's table"
            ),
            None => panic!("an instruction has no row of traits"),
        }
        k += 1;
    }
    table
};

/// Returns the traits of an instruction.
#[inline]
pub(crate) fn traits(opcode: Opcode) -> &'static Traits {
    match TABLE[opcode as usize] {
        Some(traits) => traits,
        None => panic!("checked at compile time"),
    }
}
