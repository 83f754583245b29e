//! Dst: 1024 rows of 16 16-bit datums, or the same storage as 512 rows of 32-bit datums.
//!
//! A 32-bit row index has 10 bits too; rows 512 to 1023 are further names of rows 256 to 511 and 768 up, see [`Row32`].
//!
//! ZEROACC does not clear rows, it marks them: the Matrix Unit and the packers read a marked row as zero (GMPOOL as less than anything), the
//! Vector Unit must not read it. A row that was written as a half of a 32-bit row must not be read as a 16-bit row, nor the other way
//! round.
//!
//! Source: ISA documentation, `Dst.md`, `ZEROACC.md`.

use std::ops::Range;

use super::{Row, COLUMNS};
use crate::numerics::fast::Halves;
use crate::trap::Fault;

/// 16-bit rows.
const ROWS: usize = 1024;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum State {
    /// Never written since power-on.
    Unknown,
    /// Marked by ZEROACC.
    Marked,
    /// Written as a 16-bit row.
    Narrow,
    /// Written as a half of a 32-bit row.
    Wide,
}

/// Where a 32-bit row lies: high halves in one 16-bit row, low halves eight rows further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row32 {
    high: usize,
}

impl Row32 {
    /// The place of 32-bit row `row` (10 bits).
    pub fn new(row: usize) -> Row32 {
        Row32 {
            high: (row & 0x1F8) << 1 | (row & 0x207),
        }
    }

    /// The 16-bit rows of the high and of the low halves.
    pub fn halves(self) -> [usize; 2] {
        [self.high, self.low()]
    }

    fn low(self) -> usize {
        self.high + 8
    }
}

/// The accumulator register file.
#[derive(Clone, Debug)]
pub struct Dst {
    datums: Box<[[u16; COLUMNS]; ROWS]>,
    states: Box<[State; ROWS]>,
}

impl Default for Dst {
    fn default() -> Self {
        Dst {
            datums: Box::new([[0; COLUMNS]; ROWS]),
            states: Box::new([State::Unknown; ROWS]),
        }
    }
}

impl Dst {
    /// A 16-bit row; zeros if it is marked.
    pub fn row16(&self, row: usize) -> Result<[u16; COLUMNS], Fault> {
        match self.states[row] {
            State::Narrow => Ok(self.datums[row]),
            State::Marked => Ok([0; COLUMNS]),
            State::Unknown => Err(never_written(row)),
            State::Wide => Err(Fault::unmodelled(format!(
                "reads 16-bit datums from Dst row {row} (of 1024), which was written as a half of a 32-bit row"
            ))),
        }
    }

    /// A 32-bit row; zeros if it is marked.
    pub fn row32(&self, row: Row32) -> Result<Row, Fault> {
        match (self.states[row.high], self.states[row.low()]) {
            (State::Wide, State::Wide) => {
                let (high, low) = (&self.datums[row.high], &self.datums[row.low()]);
                Ok(std::array::from_fn(|c| u32::from(high[c]) << 16 | u32::from(low[c])))
            }
            (State::Marked, State::Marked) => Ok([0; COLUMNS]),
            (State::Unknown, _) | (_, State::Unknown) => Err(never_written(row.high)),
            (State::Narrow, _) | (_, State::Narrow) => Err(Fault::unmodelled(format!(
                "reads 32-bit datums from Dst rows {} and {} (of 1024), written as 16-bit rows",
                row.high,
                row.low()
            ))),
            _ => Err(Fault::undefined(format!(
                "reads 32-bit datums from Dst rows {} and {}, of which ZEROACC has marked only one; do not mix 16-bit and 32-bit use of a row",
                row.high,
                row.low()
            ))),
        }
    }

    /// Writes a 16-bit row.
    pub fn write_row16(&mut self, row: usize, datums: [u16; COLUMNS]) {
        self.put(row, datums, State::Narrow);
    }

    fn put(&mut self, row: usize, datums: [u16; COLUMNS], state: State) {
        self.datums[row] = datums;
        self.states[row] = state;
    }

    /// Writes a 32-bit row.
    pub fn write_row32(&mut self, row: Row32, datums: Row) {
        self.put(row.high, datums.map(|x| (x >> 16) as u16), State::Wide);
        self.put(row.low(), datums.map(|x| x as u16), State::Wide);
    }

    /// A block of 4 or 8 rows, the first of which is a multiple of that: the high and the low halves of 32-bit rows, or 16-bit rows and
    /// nothing. All are to be written; if they are to be read before, marked ones hold zeros.
    ///
    /// # Errors
    /// As those of [`Dst::row16`] and [`Dst::row32`], if `reads`.
    pub fn block(
        &mut self,
        first: usize,
        count: usize,
        wide: bool,
        reads: bool,
    ) -> Result<Halves<'_>, Fault> {
        debug_assert!(matches!(count, 4 | 8) && first % count == 0);
        let (start, state) = match wide {
            true => (Row32::new(first).high, State::Wide),
            false => (first, State::Narrow),
        };
        let (high, low) = (start..start + count, start + 8..start + 8 + count);
        // Without a way out early, which would make it slower.
        let holds = |rows: Range<usize>| {
            let states = self.states[rows].iter();
            states.fold(true, |all, &held| all & (held == state))
        };
        if !(holds(high.clone()) && (!wide || holds(low.clone()))) {
            for row in first..first + count {
                match (wide, reads) {
                    (true, true) => self.write_row32(Row32::new(row), self.row32(Row32::new(row))?),
                    (false, true) => self.write_row16(row, self.row16(row)?),
                    (true, false) => self.write_row32(Row32::new(row), [0; COLUMNS]),
                    (false, false) => self.write_row16(row, [0; COLUMNS]),
                }
            }
        }
        if !wide {
            return Ok((&mut self.datums[high], &mut []));
        }
        let (before, after) = self.datums.split_at_mut(start + 8);
        Ok((&mut before[high], &mut after[..count]))
    }

    /// Whether the whole row (of 1024) has been written, as a half of a 32-bit row if `wide`: what the Vector Unit needs to
    /// touch a part of it.
    pub fn holds(&self, row: usize, wide: bool) -> bool {
        self.states[row] == if wide { State::Wide } else { State::Narrow }
    }

    /// Whether ZEROACC has marked a 16-bit row.
    pub fn is_marked(&self, row: usize) -> bool {
        self.states[row] == State::Marked
    }

    /// Marks a 16-bit row, as ZEROACC does.
    pub fn mark16(&mut self, row: usize) {
        self.states[row] = State::Marked;
    }

    /// Marks a 32-bit row.
    pub fn mark32(&mut self, row: Row32) {
        self.mark16(row.high);
        self.mark16(row.low());
    }
}

fn never_written(row: usize) -> Fault {
    Fault::undefined(format!(
        "reads Dst row {row} (of 1024), which nothing has written; ZEROACC the rows that are accumulated onto, write those that are packed"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows and places from the formula of `Dst.md`.
    #[test]
    fn places_of_32_bit_rows() {
        for (row, high) in [
            (0, 0),
            (7, 7),
            (8, 16),
            (15, 23),
            (16, 32),
            (255, 0x1F7),
            (256, 0x200),
            (511, 0x3F7),
            (0x200, 0x200),
            (0x2FF, 0x3F7),
        ] {
            assert_eq!(Row32::new(row), Row32 { high }, "row {row}");
        }
    }

    #[test]
    fn rows_begin_unknown_and_marked_rows_read_zero() {
        let mut dst = Dst::default();
        let row = Row32::new(12);
        assert!(dst.row32(row).is_err() && dst.row16(3).is_err());
        dst.mark32(row);
        assert_eq!(dst.row32(row), Ok([0; 16]));
        assert!(!dst.holds(20, true) && !dst.holds(28, true));
        dst.write_row32(row, [0x1234_5678; 16]);
        assert_eq!(dst.row32(row), Ok([0x1234_5678; 16]));
        assert!(dst.holds(20, true) && dst.holds(28, true) && !dst.holds(20, false));
        assert_eq!(dst.datums[20], [0x1234; 16]);
        assert_eq!(dst.datums[28], [0x5678; 16]);
    }

    #[test]
    fn rows_of_one_width_are_not_read_as_the_other() {
        let mut dst = Dst::default();
        let row = Row32::new(12);
        let text = |fault: Fault| fault.to_string();
        dst.write_row32(row, [0x1234_5678; 16]);
        assert_eq!(
            dst.row16(28).map_err(text),
            Err("not modelled: reads 16-bit datums from Dst row 28 (of 1024), which was written as a half of a 32-bit row".to_owned())
        );
        dst.mark16(28);
        assert_eq!(
            dst.row32(row).map_err(text),
            Err("undefined behaviour: reads 32-bit datums from Dst rows 20 and 28, of which ZEROACC has marked only one; \
                 do not mix 16-bit and 32-bit use of a row".to_owned())
        );
        dst.write_row16(20, [7; 16]);
        assert_eq!(
            dst.row32(row).map_err(text),
            Err("not modelled: reads 32-bit datums from Dst rows 20 and 28 (of 1024), written as 16-bit rows".to_owned())
        );
        assert_eq!(dst.row16(20), Ok([7; 16]));
    }
}
