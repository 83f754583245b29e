//! The piecewise linear functions of [`crate::arith::spec::sfpu::lut`] for all lanes of a vector.

use super::mad::{of_vectors, Chip};
use super::vectors::Vector;
use crate::arith::spec::sfpu::lut::{Table, HALF, ONE, ONE_AND_A_HALF, TWO};
use crate::arith::{Lanes, COLUMNS, LANES};

/// The number of pieces that have registers of their own.
pub const PIECES: usize = 3;

/// How a function is computed. The first registers of the pieces are the lowest ones.
#[derive(Clone, Copy, Debug)]
pub struct Linear {
    /// The layout of the table.
    pub table: Table,
    /// Whether the result gets the argument's sign.
    pub keeps_sign: bool,
    /// The number of the argument's register.
    pub argument: usize,
    /// The number of the second register of the first piece.
    pub second: usize,
    /// The number of the result's register.
    pub dest: usize,
}

/// Writes `a·|x| + c` of each lane to a register. Returns whether some lane uses each piece.
#[inline(always)]
pub(super) fn linear<C: Chip, V: Vector>(how: Linear, registers: &mut [Lanes]) -> [bool; PIECES] {
    match how.table {
        Table::Bytes => with_table::<C, V>(Table::Bytes, how, registers),
        Table::Halves => with_table::<C, V>(Table::Halves, how, registers),
        Table::Words => with_table::<C, V>(Table::Words, how, registers),
        Table::SixPieces { last } => with_table::<C, V>(Table::SixPieces { last }, how, registers),
    }
}

/// Does what [`linear`] does; `table` is a constant, but for the bound of the last piece.
#[inline(always)]
fn with_table<C: Chip, V: Vector>(
    table: Table,
    how: Linear,
    registers: &mut [Lanes],
) -> [bool; PIECES] {
    let mut used = [false; PIECES];
    for first in (0..LANES).step_by(V::LANES) {
        let argument = lanes::<V>(registers, how.argument, first);
        let magnitude = V::and(argument, V::int(i32::MAX));
        let pieces = Pieces::<V>::of(magnitude);
        pieces.note_used(&mut used);
        let [factor, addend] = pieces.coefficients(table, how.second, registers, first);
        let mut value = of_vectors::<C, V>([factor, magnitude, addend]);
        if how.keeps_sign {
            value = V::or(
                V::and(value, V::int(i32::MAX)),
                V::and(argument, V::int(i32::MIN)),
            );
        }
        let (half, lane) = (first / COLUMNS, first % COLUMNS);
        let dest: &mut [[i32; COLUMNS]; LANES / COLUMNS] =
            bytemuck::cast_mut(&mut registers[how.dest]);
        V::store(value, &mut dest[half], lane);
    }
    used
}

/// Loads the lanes of a register from `first` on.
#[inline(always)]
fn lanes<V: Vector>(registers: &[Lanes], number: usize, first: usize) -> V::Ints {
    let halves: &[[i32; COLUMNS]; LANES / COLUMNS] = bytemuck::cast_ref(&registers[number]);
    V::ints(&halves[first / COLUMNS], first % COLUMNS)
}

/// The pieces of magnitudes, as [`crate::arith::spec::sfpu::lut::piece`] returns them.
struct Pieces<V: Vector> {
    magnitude: V::Ints,
    /// The lanes beyond the first piece, and beyond the second one.
    beyond: [V::Mask; 2],
}

impl<V: Vector> Pieces<V> {
    #[inline(always)]
    fn of(magnitude: V::Ints) -> Self {
        let from = |bound: u32| V::int(bound as i32 - 1);
        Pieces {
            magnitude,
            beyond: [
                V::larger(magnitude, from(ONE)),
                V::larger(magnitude, from(TWO)),
            ],
        }
    }

    /// Notes the pieces that some lane uses.
    #[inline(always)]
    fn note_used(&self, used: &mut [bool; PIECES]) {
        let is_below = |bound: u32| V::larger(V::int(bound as i32), self.magnitude);
        used[0] |= V::any(is_below(ONE));
        used[1] |= V::any(V::both(self.beyond[0], is_below(TWO)));
        used[2] |= V::any(self.beyond[1]);
    }

    /// Returns in each lane what belongs to its piece.
    #[inline(always)]
    fn choose(&self, [of_0, of_1, of_2]: [V::Ints; PIECES]) -> V::Ints {
        V::choose(self.beyond[1], of_2, V::choose(self.beyond[0], of_1, of_0))
    }

    /// Returns the lanes from `first` on of the registers of their pieces, of which that of the
    /// first piece has this number.
    #[inline(always)]
    fn registers(&self, number: usize, registers: &[Lanes], first: usize) -> V::Ints {
        self.choose([
            lanes::<V>(registers, number, first),
            lanes::<V>(registers, number + 1, first),
            lanes::<V>(registers, number + 2, first),
        ])
    }

    /// Returns what [`Table::coefficients`] returns for the lanes from `first` on.
    #[inline(always)]
    fn coefficients(
        &self,
        table: Table,
        second: usize,
        registers: &[Lanes],
        first: usize,
    ) -> [V::Ints; 2] {
        let own = self.registers(0, registers, first);
        match table {
            Table::Bytes => [of_eight::<V>(V::right(own, 8)), of_eight::<V>(own)],
            Table::Halves => [of_sixteen::<V>(V::right(own, 16)), of_sixteen::<V>(own)],
            Table::Words => [own, self.registers(second, registers, first)],
            Table::SixPieces { last } => {
                let bounds = [HALF, ONE_AND_A_HALF, last].map(|bound| V::int(bound as i32 - 1));
                let is_upper = V::larger(self.magnitude, self.choose(bounds));
                let half = |x: V::Ints| V::choose(is_upper, V::right(x, 16), x);
                let second = self.registers(second, registers, first);
                [of_sixteen::<V>(half(own)), of_sixteen::<V>(half(second))]
            }
        }
    }
}

/// Decodes 8-bit coefficients.
#[inline(always)]
fn of_eight<V: Vector>(x: V::Ints) -> V::Ints {
    let sign = V::and(V::left(x, 24), V::int(i32::MIN));
    let exponent = V::and(V::left(x, 19), V::int(7 << 23));
    let mantissa = V::and(V::left(x, 19), V::int(0xF << 19));
    let magnitude = V::or(V::sub(V::int(127 << 23), exponent), mantissa);
    // All ones mean zero.
    let is_there = V::different(V::and(x, V::int(0xFF)), V::int(0xFF));
    V::only(is_there, V::or(sign, magnitude))
}

/// Decodes 16-bit coefficients.
#[inline(always)]
fn of_sixteen<V: Vector>(x: V::Ints) -> V::Ints {
    const LARGEST: i32 = 0x1F << 10;
    let sign = V::and(V::left(x, 16), V::int(i32::MIN));
    let magnitude = V::left(V::and(x, V::int(0x7FFF)), 13);
    let finite = V::add(magnitude, V::int(112 << 23));
    let mantissa = V::and(magnitude, V::int(0x3FF << 13));
    let is_finite = V::different(V::and(x, V::int(LARGEST)), V::int(LARGEST));
    V::or(sign, V::choose(is_finite, finite, mantissa))
}
