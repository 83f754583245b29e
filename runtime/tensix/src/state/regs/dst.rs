//! Dst: 1024 rows of sixteen 16-bit datums, or the same storage as 512 rows of 32-bit datums.
//!
//! A 32-bit row index has 10 bits, too; rows 512 to 1023 alias rows 256 to 511 and 768 up, see
//! [`Row32`].
//!
//! ZEROACC does not clear rows but marks them. The Matrix Unit and the packers read a marked row as
//! zero (GMPOOL as less than any datum); the Vector Unit must not read it. Its datums stay, and are
//! read again if Blackhole's ZEROACC takes the mark back. A row that was written as a half of a
//! 32-bit row must not be read as a 16-bit row, nor vice versa.
//!
//! Blackhole supports other layouts ([`Layout`]). Rows are identified by number, whatever the
//! layout; only ZEROACC names places in the storage ([`Dst::mark_place`]). If the layout changes
//! while rows hold data, they appear under other numbers, as on the hardware.
//!
//! Source: ISA documentation, `Dst.md` of both chips, `ZEROACC.md`.

use std::ops::Range;

use multiversion::multiversion;

use crate::arith::fast::packer::Rows;
use crate::arith::fast::Halves;
use crate::arith::{Row, COLUMNS};
use crate::state::aligned::Aligned;
use crate::state::dst_layout::Layout;
use crate::state::row32::Row32;
use crate::trap::Fault;

/// Number of 16-bit rows.
const ROWS: usize = 1024;
/// Number of rows that the Vector Unit accesses at once.
const FOUR: usize = 4;

/// Four 16-bit rows, or halves of 32-bit ones.
pub type Four = [[u16; COLUMNS]; FOUR];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum State {
    /// Never written since power-on.
    Unknown,
    /// Written as a 16-bit row.
    Narrow,
    /// Written as a half of a 32-bit row.
    Wide,
    /// Unknown, and marked by ZEROACC.
    MarkedUnknown,
    /// Narrow, and marked by ZEROACC.
    MarkedNarrow,
    /// Wide, and marked by ZEROACC.
    MarkedWide,
}

impl State {
    fn is_marked(self) -> bool {
        self != self.unmarked()
    }

    fn marked(self) -> State {
        match self {
            State::Unknown | State::MarkedUnknown => State::MarkedUnknown,
            State::Narrow | State::MarkedNarrow => State::MarkedNarrow,
            State::Wide | State::MarkedWide => State::MarkedWide,
        }
    }

    fn unmarked(self) -> State {
        match self {
            State::Unknown | State::MarkedUnknown => State::Unknown,
            State::Narrow | State::MarkedNarrow => State::Narrow,
            State::Wide | State::MarkedWide => State::Wide,
        }
    }
}

/// The datums of all rows.
type Datums = [[u16; COLUMNS]; ROWS];

/// The accumulator register file.
#[derive(Clone, Debug)]
pub struct Dst {
    /// `None` while all are zero: most tiles of a chip never use Dst.
    datums: Option<Box<Aligned<Datums>>>,
    states: Box<[State; ROWS]>,
    layout: Layout,
}

impl Default for Dst {
    fn default() -> Self {
        Dst {
            datums: None,
            states: Box::new([State::Unknown; ROWS]),
            layout: Layout::default(),
        }
    }
}

impl PartialEq for Dst {
    fn eq(&self, other: &Self) -> bool {
        self.datums() == other.datums()
            && self.states == other.states
            && self.layout == other.layout
    }
}

impl Eq for Dst {}

impl Dst {
    /// Returns the datums.
    #[inline]
    fn datums(&self) -> &Datums {
        static ZEROS: Datums = [[0; COLUMNS]; ROWS];
        self.datums.as_ref().map_or(&ZEROS, |datums| datums)
    }

    /// Returns the datums for writing.
    #[inline(always)]
    fn datums_mut(&mut self) -> &mut Datums {
        match &mut self.datums {
            Some(datums) => datums,
            none => none.insert(zeros()),
        }
    }

    /// Returns the layout.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// Sets the layout; the storage is not changed.
    pub fn set_layout(&mut self, layout: Layout) {
        self.layout = layout;
    }

    /// Returns a 16-bit row; zeros if it is marked.
    pub fn row16(&self, row: usize) -> Result<[u16; COLUMNS], Fault> {
        let place = self.layout.place16(row);
        match self.states[place] {
            State::Narrow => Ok(self.datums()[place]),
            state if state.is_marked() => Ok([0; COLUMNS]),
            State::Unknown => Err(never_written(row)),
            _ => Err(Fault::unmodelled(format!(
                "reads 16-bit datums from Dst row {row} (of 1024), which was written as a half of \
                 a 32-bit row"
            ))),
        }
    }

    /// Returns a 32-bit row; zeros if it is marked.
    pub fn row32(&self, row: Row32) -> Result<Row, Fault> {
        let [high, low] = self.layout.places32(row);
        match (self.states[high], self.states[low]) {
            (State::Wide, State::Wide) => {
                let (high, low) = (&self.datums()[high], &self.datums()[low]);
                Ok(std::array::from_fn(|c| {
                    u32::from(high[c]) << 16 | u32::from(low[c])
                }))
            }
            (high, low) if high.is_marked() && low.is_marked() => Ok([0; COLUMNS]),
            (State::Unknown, _) | (_, State::Unknown) => Err(never_written(high)),
            (State::Narrow, _) | (_, State::Narrow) => Err(Fault::unmodelled(format!(
                "reads 32-bit datums from Dst rows {high} and {low} (of 1024), written as 16-bit \
                 rows",
            ))),
            _ => Err(Fault::undefined(format!(
                "reads 32-bit datums from Dst rows {high} and {low}, of which ZEROACC has marked \
                 only one; do not mix 16-bit and 32-bit use of a row",
            ))),
        }
    }

    /// Writes a 16-bit row.
    pub fn write_row16(&mut self, row: usize, datums: [u16; COLUMNS]) {
        self.write_place(self.layout.place16(row), datums, State::Narrow);
    }

    fn write_place(&mut self, place: usize, datums: [u16; COLUMNS], state: State) {
        self.datums_mut()[place] = datums;
        self.states[place] = state;
    }

    /// Writes a 32-bit row.
    pub fn write_row32(&mut self, row: Row32, datums: Row) {
        let [high, low] = self.layout.places32(row);
        self.write_place(high, datums.map(|x| (x >> 16) as u16), State::Wide);
        self.write_place(low, datums.map(|x| x as u16), State::Wide);
    }

    /// Writes consecutive rows, of 32 bits if `wide`, else of the low 16 bits.
    pub fn write_rows(&mut self, first: usize, rows: &[Row], wide: bool) {
        let mut halves = [[[0; COLUMNS]; 2]; 8];
        for (k, rows) in rows.chunks(halves.len()).enumerate() {
            halves_of(rows, &mut halves);
            let numbered = (first + k * halves.len()..).zip(&halves[..rows.len()]);
            for (row, [high, low]) in numbered {
                if wide {
                    let places = self.layout.places32(Row32::new(row));
                    self.write_place(places[0], *high, State::Wide);
                    self.write_place(places[1], *low, State::Wide);
                } else {
                    self.write_row16(row, *low);
                }
            }
        }
    }

    /// Returns whether [`Dst::block`] supports rows of this width, which must be contiguous.
    pub fn has_blocks(&self, wide: bool) -> bool {
        !(wide && self.layout.swizzle)
    }

    /// Returns an aligned block of 4 or 8 rows for writing: the high and the low halves of 32-bit
    /// rows, or 16-bit rows and nothing. With `reads`, the rows are also read, and marked ones hold
    /// zeros. [`Dst::has_blocks`] must hold.
    ///
    /// # Errors
    /// Those of [`Dst::row16`] and [`Dst::row32`], if `reads`.
    #[inline(always)] // A result in memory would be waited for.
    pub fn block(
        &mut self,
        first: usize,
        count: usize,
        wide: bool,
        reads: bool,
    ) -> Result<Halves<'_>, Fault> {
        debug_assert!(matches!(count, 4 | 8) && first % count == 0 && self.has_blocks(wide));
        let (start, state) = self.start(first, wide);
        let high = start..start + count;
        let held = match count {
            8 => self.are_held::<8>(start, state),
            _ => self.are_held::<FOUR>(start, state),
        };
        if !held {
            self.hold(first..first + count, wide, reads)?;
        }
        if !wide {
            return Ok((&mut self.datums_mut()[high], &mut []));
        }
        let (before, after) = self.datums_mut().split_at_mut(start + 8);
        Ok((&mut before[high], &mut after[..count]))
    }

    /// Returns 1 to 8 consecutive rows of an aligned group of eight, or of four unless
    /// [`Dst::has_blocks`]: the high and the low halves of 32-bit rows, or 16-bit rows and nothing.
    /// Returns `None` unless all hold datums of this width.
    #[inline]
    pub fn held_rows(&self, first: usize, count: usize, wide: bool) -> Option<Rows<'_>> {
        let (start, state) = self.start(first, wide);
        let is_held = match count {
            8 => self.are_held::<8>(start, state),
            FOUR => self.are_held::<FOUR>(start, state),
            _ => {
                let all = |start: usize| {
                    (self.states[start..start + count].iter()).all(|&held| held == state)
                };
                all(start) && (!wide || all(start + 8))
            }
        };
        if !is_held {
            return None;
        }
        let high = &self.datums()[start..start + count];
        Some(match wide {
            true => (high, &self.datums()[start + 8..start + 8 + count]),
            false => (high, &[]),
        })
    }

    /// Returns whether four aligned rows hold datums of a width.
    #[inline]
    pub fn holds_four(&self, first: usize, wide: bool) -> bool {
        let (start, state) = self.start(first, wide);
        self.are_held::<FOUR>(start, state)
    }

    /// Returns whether `N` rows have a state, 32-bit ones in both halves. With a constant length,
    /// the states are compared as one number.
    #[inline(always)]
    fn are_held<const N: usize>(&self, start: usize, state: State) -> bool {
        let held = |start: usize| are_all::<N>(&self.states[start..], state);
        held(start) && (state != State::Wide || held(start + 8))
    }

    /// Returns four aligned rows: the high and the low halves of 32-bit rows, or 16-bit rows. They
    /// are contiguous in every layout.
    #[inline(always)]
    pub fn four(&mut self, first: usize, wide: bool) -> (&mut Four, Option<&mut Four>) {
        const THERE: &str = "such a start is followed by as many rows";
        let (start, _) = self.start(first, wide);
        let (before, after) = self
            .datums_mut()
            .split_at_mut(start + 8 * usize::from(wide));
        let (rows, _) = match wide {
            true => before[start..].split_first_chunk_mut().expect(THERE),
            false => return (after.first_chunk_mut().expect(THERE), None),
        };
        (rows, after.first_chunk_mut())
    }

    /// Returns what [`Dst::four`] returns if the rows hold datums of this width.
    #[inline(always)]
    pub fn held_four(
        &mut self,
        first: usize,
        wide: bool,
    ) -> Option<(&mut Four, Option<&mut Four>)> {
        let (start, state) = self.start(first, wide);
        let group = start / FOUR;
        let states = self.states.as_chunks::<FOUR>().0;
        let is_held = |group: usize| {
            states
                .get(group)
                .is_some_and(|four| are_all::<FOUR>(four, state))
        };
        // The low halves are eight rows after the high ones.
        if !is_held(group) || wide && !is_held(group + 2) {
            return None;
        }
        let groups = self.datums.as_deref_mut()?.as_chunks_mut::<FOUR>().0;
        match wide {
            true => {
                let (before, after) = groups.split_at_mut_checked(group + 2)?;
                Some((
                    before.last_chunk_mut::<2>()?.first_mut()?,
                    Some(after.first_mut()?),
                ))
            }
            false => Some((groups.get_mut(group)?, None)),
        }
    }

    /// Returns the place of contiguous rows (16-bit rows or high halves) and their state if they
    /// hold datums.
    #[inline(always)]
    fn start(&self, first: usize, wide: bool) -> (usize, State) {
        match wide {
            true => (self.layout.places32(Row32::new(first))[0], State::Wide),
            false => (self.layout.place16(first), State::Narrow),
        }
    }

    /// Prepares rows to be written in a width; rows that are read first must hold such datums.
    #[cold]
    fn hold(&mut self, rows: Range<usize>, wide: bool, reads: bool) -> Result<(), Fault> {
        for row in rows {
            match (wide, reads) {
                (true, true) => self.write_row32(Row32::new(row), self.row32(Row32::new(row))?),
                (false, true) => self.write_row16(row, self.row16(row)?),
                (true, false) => self.write_row32(Row32::new(row), [0; COLUMNS]),
                (false, false) => self.write_row16(row, [0; COLUMNS]),
            }
        }
        Ok(())
    }

    /// Returns the place of a 16-bit row, or of a half of a 32-bit row if `wide`, numbered as by
    /// [`Row32::halves`].
    fn place(&self, row: usize, wide: bool) -> usize {
        match wide {
            true => self.layout.places32(Row32::with_half(row))[usize::from(row & 8 != 0)],
            false => self.layout.place16(row),
        }
    }

    /// Returns whether a whole row (of 1024) is written, as a half of a 32-bit row if `wide`. The
    /// Vector Unit requires this for partial accesses.
    pub fn holds(&self, row: usize, wide: bool) -> bool {
        let state = if wide { State::Wide } else { State::Narrow };
        self.states[self.place(row, wide)] == state
    }

    /// Returns whether a row of this width holds datums, so that it can be written in part.
    pub(crate) fn holds_row(&self, row: usize, wide: bool) -> bool {
        match wide {
            true => (Row32::new(row).halves().iter()).all(|&half| self.holds(half, true)),
            false => self.holds(row, false),
        }
    }

    /// Returns whether ZEROACC has marked a 16-bit row, or a half of a 32-bit row if `wide`.
    pub fn is_marked(&self, row: usize, wide: bool) -> bool {
        self.states[self.place(row, wide)].is_marked()
    }

    /// Marks a 16-bit row, as ZEROACC does.
    pub fn mark16(&mut self, row: usize) {
        self.mark_place(self.layout.place16(row));
    }

    /// Marks a 32-bit row.
    pub fn mark32(&mut self, row: Row32) {
        let places = self.layout.places32(row);
        places.into_iter().for_each(|place| self.mark_place(place));
    }

    /// Marks a place in the storage, whatever the layout.
    pub fn mark_place(&mut self, place: usize) {
        self.states[place] = self.states[place].marked();
    }

    /// Takes the mark of a place back. Its datums are then read as they were written before.
    pub fn unmark_place(&mut self, place: usize) {
        self.states[place] = self.states[place].unmarked();
    }
}

#[cold]
fn zeros() -> Box<Aligned<Datums>> {
    Box::new(Aligned([[0; COLUMNS]; ROWS]))
}

/// Splits rows into high and low halves.
#[multiversion(targets("x86_64+avx+avx2"))]
fn halves_of(rows: &[Row], halves: &mut [[[u16; COLUMNS]; 2]]) {
    for (row, [high, low]) in rows.iter().zip(halves) {
        *high = row.map(|x| (x >> 16) as u16);
        *low = row.map(|x| x as u16);
    }
}

/// Returns whether the first `N` rows are all in a state.
#[inline(always)]
fn are_all<const N: usize>(states: &[State], state: State) -> bool {
    let first: Option<&[State; N]> = states.first_chunk();
    first.is_some_and(|first| first.map(|held| held as u8) == [state as u8; N])
}

fn never_written(row: usize) -> Fault {
    Fault::undefined(format!(
        "reads Dst row {row} (of 1024), which nothing has written; ZEROACC the rows that are \
         accumulated onto, write those that are packed"
    ))
}

#[cfg(test)]
mod tests;
