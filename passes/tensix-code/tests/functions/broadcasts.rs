//! Tiles that are broadcast within themselves.

use tessera_isa_tensix::Arch;
use tessera_tensix_code::broadcast::TileBroadcast;
use tessera_tensix_code::TilePart;

use crate::machine::Tile;

#[test]
fn tiles_are_broadcast() {
    // Denormals, NaN, either sign: all bits are kept.
    let word = |row: usize, column: usize| {
        (row as u32).wrapping_mul(0x9e37_79b9) ^ (column as u32).wrapping_mul(0x85eb_ca6b)
    };
    let words: Tile = std::array::from_fn(|row| std::array::from_fn(|column| word(row, column)));
    for broadcast in [
        TileBroadcast::Row,
        TileBroadcast::Column,
        TileBroadcast::Scalar,
    ] {
        for (part, rows) in [(TilePart::Whole, 32), (TilePart::UpperHalf, 16)] {
            let instructions = broadcast.instructions_for(64, part);
            let on = |arch| crate::machine::run_on_tile(arch, &words, &instructions, 64);
            let [found, on_blackhole] = Arch::ALL.map(on);
            assert_eq!(found, on_blackhole, "{broadcast:?}");
            for (row, columns) in found.iter().enumerate() {
                for (column, found) in columns.iter().enumerate() {
                    let expect = match broadcast {
                        _ if row >= rows => word(row, column),
                        TileBroadcast::Row => word(0, column),
                        TileBroadcast::Column => word(row, 0),
                        TileBroadcast::Scalar => word(0, 0),
                    };
                    assert_eq!(*found, expect, "{broadcast:?} {part:?} {row} {column}");
                }
            }
        }
    }
}
