//! Tiles that are broadcast within themselves.

use tessera_isa_tensix::Arch;
use tessera_tensix_code::broadcast::TileBroadcast;

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
        let instructions = broadcast.instructions(64);
        let on = |arch| crate::machine::run_on_tile(arch, &words, &instructions, 64);
        let [found, on_blackhole] = Arch::ALL.map(on);
        assert_eq!(found, on_blackhole, "{broadcast:?}");
        for (row, columns) in found.iter().enumerate() {
            for (column, found) in columns.iter().enumerate() {
                let expect = match broadcast {
                    TileBroadcast::Row => word(0, column),
                    TileBroadcast::Column => word(row, 0),
                    TileBroadcast::Scalar => word(0, 0),
                };
                assert_eq!(*found, expect, "{broadcast:?} {row} {column}");
            }
        }
    }
}
