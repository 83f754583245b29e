//! Coordinate translation by Blackhole's NIUs, and the tables that its firmware sets.
//!
//! Source: ISA documentation, `BlackholeA0/NoC/Coordinates.md`: the algorithm, and the coordinates
//! of each kind of tile. The order of the DRAM and Ethernet tiles is that of its diagrams and of
//! ttsim. Nothing is harvested except Ethernet tiles 12 and 13, which have no coordinates.

use tessera_isa_tensix::noc::{layout, on_noc, TRANSLATE_BIT};
use tessera_isa_tensix::Arch;

/// Word indices from NIU_CFG_0 of NOC_ID_TRANSLATE_COL_MASK and _ROW_MASK,
/// DDR_COORD_TRANSLATE_TABLE and _COL_SWAP.
const COLUMN_MASK: usize = 20;
const ROW_MASK: usize = 21;
const DRAM_TABLE: usize = 22;
const DRAM_SWAP: usize = 28;
/// The columns of DRAM that have a table of their own, with the bits in its last word that enable
/// it.
const DRAM_COLUMNS: [(u32, u32); 2] = [(10, 9), (11, 0)];

/// Returns entry `k` of a table of `bits`-bit entries, packed in words without straddling.
pub(super) fn entry(table: &[u32], bits: u32, k: u32) -> u32 {
    let each = 32 / bits;
    let k = k % 32;
    table[(k / each) as usize] >> (bits * (k % each)) & ((1 << bits) - 1)
}

/// Translates coordinates.
pub(super) fn translate(words: &[u32], (x, y): (u32, u32)) -> (u32, u32) {
    let [x_table, y_table] = layout(Arch::Blackhole).translate_tables;
    let look = |table: usize, k: u32| entry(&words[table..], 5, k);
    let (low_x, low_y) = (x & 31, y & 31);
    let has = |mask: usize, k: u32| words[mask] >> k & 1 != 0;
    let own = |column: u32| {
        let on = |bit: u32| words[DRAM_TABLE + 5] >> bit & 1 != 0;
        DRAM_COLUMNS.iter().any(|&(bit, c)| c == column && on(bit))
    };
    let new_x = match () {
        () if has(DRAM_SWAP, low_y) && own(low_x ^ 9) => low_x ^ 9,
        () if has(ROW_MASK, low_y) => x,
        () => look(x_table, low_x),
    };
    let new_y = match () {
        () if own(low_x) => look(DRAM_TABLE, low_y),
        () if has(COLUMN_MASK, low_x) => y,
        () => look(y_table, low_y),
    };
    (new_x, new_y)
}

/// The column on NoC 0 for each X from row 2 on: columns of a NoC, DRAM, PCI Express and Ethernet.
const X: [u32; 32] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 9, 0, 2, 1, 16, 2, 15, 3, 14, 4, 13,
    5, 12, 6, 11,
];
/// The row on NoC 0 for each Y: rows of a NoC, DRAM, PCI Express, Ethernet, processors; the last is
/// unused.
const Y: [u32; 32] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 1, 11, 2, 10, 3, 5, 7, 6, 9, 4, 8, 0, 1, 3, 9, 5, 7,
    2, 0,
];

/// Sets the tables of an NIU and enables translation.
pub(super) fn configure(words: &mut [u32], noc: usize) {
    let [x_table, y_table] = layout(Arch::Blackhole).translate_tables;
    for k in 0..32 {
        let (x, y) = on_noc(Arch::Blackhole, noc, (X[k], Y[k]));
        let (word, bit) = (k / 6, 5 * (k % 6));
        words[x_table + word] |= x << bit;
        words[y_table + word] |= y << bit;
    }
    // The first two rows keep their X.
    words[ROW_MASK] = 0b11;
    words[0] |= 1 << TRANSLATE_BIT;
}

#[cfg(test)]
mod tests;
