//! Tiles that are spread over themselves.

use tessera_isa_tensix::Arch;
use tessera_tensix_code::spread::Spread;

use crate::machine::Tile;

#[test]
fn tiles_are_spread() {
    // Denormals, NaN, either sign: all bits are kept.
    let word = |row: usize, column: usize| {
        (row as u32).wrapping_mul(0x9e37_79b9) ^ (column as u32).wrapping_mul(0x85eb_ca6b)
    };
    let words: Tile = std::array::from_fn(|row| std::array::from_fn(|column| word(row, column)));
    for spread in [Spread::Row, Spread::Column, Spread::Scalar] {
        let instructions = spread.instructions(64);
        let on = |arch| crate::machine::run_on_tile(arch, &words, &instructions, 64);
        let [found, on_blackhole] = Arch::ALL.map(on);
        assert_eq!(found, on_blackhole, "{spread:?}");
        for (row, columns) in found.iter().enumerate() {
            for (column, found) in columns.iter().enumerate() {
                let expect = match spread {
                    Spread::Row => word(0, column),
                    Spread::Column => word(row, 0),
                    Spread::Scalar => word(0, 0),
                };
                assert_eq!(*found, expect, "{spread:?} {row} {column}");
            }
        }
    }
}
