//! The matrix registers: their rows, writes and transposed reads (manual, sections 3.6.1.14, 3.6.10
//! and 3.6.11).

use tessera_isa_mncore::ast::MatrixRows;
use tessera_isa_mncore::memory::{Precision, Side};

use super::Words;
use crate::block::Block;
use crate::geometry::CYCLES;

/// Returns the number of rows and columns of a matrix, and the distance of its rows in physical
/// rows.
const fn shape(precision: Precision) -> (usize, usize) {
    match precision {
        Precision::Double => (4, 4),
        Precision::Half => (16, 1),
        _ => (8, 2),
    }
}

fn index(side: Side) -> usize {
    match side {
        Side::X => 0,
        Side::Y => 1,
    }
}

/// Returns the four long words of a matrix row in a MAB.
pub fn row(block: &Block, side: Side, mab: usize, precision: Precision, row: usize) -> [u64; 4] {
    let physical = row * shape(precision).1;
    let plane = block.matrix[index(side)].row(physical);
    std::array::from_fn(|pe| plane[4 * mab + pe])
}

/// Returns element `column` of a row: `refer_matreg(side, …)[…][column]`.
fn element(longs: &[u64; 4], precision: Precision, column: usize) -> u64 {
    match precision {
        Precision::Double => longs[column],
        Precision::Half => longs[column / 4] >> (48 - 16 * (column % 4)) & 0xffff,
        _ => longs[column / 2] >> (32 - 32 * (column % 2)) & 0xffff_ffff,
    }
}

/// Executes `dmwrite`, `fmwrite`, `gmwrite` or `hmwrite`.
pub fn write(precision: Precision, rows: &MatrixRows, words: &Words, block: &mut Block) {
    let (count, stride) = shape(precision);
    for cycle in 0..CYCLES {
        let per_cycle = if rows.wide { 2 } else { 1 };
        let first = (usize::from(rows.first) + cycle * per_cycle) % count;
        for (lane, cycles) in words.iter().enumerate() {
            let matrix = &mut block.matrix[index(rows.side)];
            matrix.row_mut(first * stride)[lane] = cycles[cycle][0];
            if rows.wide {
                matrix.row_mut(first + 1)[lane] = cycles[cycle][1];
            }
        }
    }
}

/// Executes `dmread`, `fmread`, `gmread` or `hmread`.
pub fn read(precision: Precision, columns: &MatrixRows, block: &Block) -> Words {
    let (count, _) = shape(precision);
    let mut words = vec![[[0; 2]; CYCLES]; block.lanes()];
    for mab in 0..block.lanes() / 4 {
        let rows: Vec<_> = (0..count)
            .map(|number| row(block, columns.side, mab, precision, number))
            .collect();
        for cycle in 0..CYCLES {
            let first = usize::from(columns.first);
            for pe in 0..4 {
                let longs = &mut words[4 * mab + pe][cycle];
                *longs = match precision {
                    Precision::Double => [rows[pe][(first + cycle) % 4], 0],
                    Precision::Half => {
                        let column = (first + cycle * 2) % 16;
                        [column, column + 1].map(|column| {
                            (0..4).fold(0, |long, i| {
                                long << 16 | element(&rows[4 * pe + i], precision, column)
                            })
                        })
                    }
                    _ => {
                        let column = (first + cycle) % 8;
                        let [upper, lower] =
                            [0, 1].map(|i| element(&rows[2 * pe + i], precision, column));
                        [upper << 32 | lower, 0]
                    }
                };
            }
        }
    }
    words
}
