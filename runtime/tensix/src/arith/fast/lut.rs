//! The piecewise linear functions of [`crate::arith::spec::sfpu::lut`] for all lanes of a vector.

use super::mad::{mad, Chip};
use super::vectors::Vector;
use crate::arith::spec::sfpu::lut::{piece, Table};
use crate::arith::{Lanes, LANES};

const SIGN: u32 = 1 << 31;
/// The number of pieces that have registers of their own.
pub const PIECES: usize = 3;

/// The registers of a table: the first and the second of each piece.
pub type Registers<'a> = [[&'a Lanes; PIECES]; 2];

/// Returns `a·|x| + c` of each lane, and whether some lane uses each piece.
#[inline(always)]
pub(super) fn linear<C: Chip, V: Vector>(
    table: Table,
    arguments: &Lanes,
    registers: Registers<'_>,
) -> (Lanes, [bool; PIECES]) {
    match table {
        Table::Bytes => with_table::<C, V>(Table::Bytes, arguments, registers),
        Table::Halves => with_table::<C, V>(Table::Halves, arguments, registers),
        Table::Words => with_table::<C, V>(Table::Words, arguments, registers),
        Table::SixPieces { last } => {
            with_table::<C, V>(Table::SixPieces { last }, arguments, registers)
        }
    }
}

/// Does what [`linear`] does; `table` is a constant, but for the bound of the last piece.
#[inline(always)]
fn with_table<C: Chip, V: Vector>(
    table: Table,
    arguments: &Lanes,
    [first, second]: Registers<'_>,
) -> (Lanes, [bool; PIECES]) {
    let mut magnitudes = [0; LANES];
    let mut used = [0; PIECES];
    for l in 0..LANES {
        magnitudes[l] = arguments[l] & !SIGN;
        let piece = piece(magnitudes[l]);
        (0..PIECES).for_each(|k| used[k] |= u32::from(piece == k));
    }
    // Loops of one choice each become vector instructions.
    let first = of_pieces(&magnitudes, first);
    let second = match table.has_second() {
        true => of_pieces(&magnitudes, second),
        false => [0; LANES],
    };
    let [mut factors, mut addends] = [[0; LANES]; 2];
    for l in 0..LANES {
        (factors[l], addends[l]) = table.coefficients(magnitudes[l], first[l], second[l]);
    }
    let values = mad::<C, V>(&factors, &magnitudes, &addends);
    (values, used.map(|used| used != 0))
}

/// Returns in each lane the register of the piece of its magnitude.
#[inline(always)]
fn of_pieces(magnitudes: &Lanes, registers: [&Lanes; PIECES]) -> Lanes {
    let mut chosen = [0; LANES];
    for l in 0..LANES {
        let of = registers.map(|register| register[l]);
        chosen[l] = match piece(magnitudes[l]) {
            0 => of[0],
            1 => of[1],
            _ => of[2],
        };
    }
    chosen
}
