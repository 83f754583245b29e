//! The data of SrcA or SrcB: two banks of 64 rows of sixteen 19-bit datums. [`crate::state::banks`]
//! tracks their owners.
//!
//! Source: ISA documentation, `SrcASrcB.md`; layout of a datum in [`crate::arith::spec::bits`].

use crate::arith::{Row, COLUMNS};
use crate::state::aligned::Aligned;
use crate::state::banks::Src;
use crate::trap::Fault;

/// Number of rows of a bank.
pub(crate) const ROWS: usize = 64;

/// The datums of all rows of a bank.
type Datums = [Row; ROWS];

#[derive(Clone, Debug)]
struct Bank {
    /// `None` while all are zero: most tiles of a chip never use the banks.
    datums: Option<Box<Aligned<Datums>>>,
    /// The completely written rows, one bit each; rows of unknown contents do not count.
    written: u64,
    /// For each other row, the written columns, one bit each.
    parts: [u16; ROWS],
    /// Number of changes.
    version: u64,
}

impl Bank {
    /// Returns the datums.
    #[inline(always)]
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
}

#[cold]
fn zeros() -> Box<Aligned<Datums>> {
    Box::new(Aligned([[0; COLUMNS]; ROWS]))
}

/// Both banks of a register.
#[derive(Clone, Debug)]
pub struct SrcFile {
    which: Src,
    banks: [Bank; 2],
}

impl SrcFile {
    /// Creates the banks in their power-on state.
    pub fn new(which: Src) -> SrcFile {
        let bank = Bank {
            datums: None,
            written: 0,
            parts: [0; ROWS],
            version: 0,
        };
        SrcFile {
            which,
            banks: [bank.clone(), bank],
        }
    }

    /// Returns `count` rows (1 to 64) from `first` on.
    ///
    /// # Errors
    /// Undefined if a row is unwritten.
    #[inline]
    pub fn rows(&self, bank: usize, first: usize, count: usize) -> Result<&[Row], Fault> {
        let wanted = (u64::MAX >> (ROWS - count)) << first;
        let missing = wanted & !self.banks[bank].written;
        if missing != 0 {
            return Err(self.unwritten(bank, missing.trailing_zeros()));
        }
        Ok(&self.banks[bank].datums()[first..first + count])
    }

    /// Returns four rows from an aligned one on, if they are written.
    #[inline(always)]
    pub fn four(&self, bank: usize, first: usize) -> Option<&[Row; 4]> {
        let bank = &self.banks[bank];
        let is_written = bank.written >> first & 0xF == 0xF;
        is_written.then(|| &bank.datums().as_chunks().0[first / 4])
    }

    #[cold]
    fn unwritten(&self, bank: usize, row: u32) -> Fault {
        Fault::undefined(format!(
            "reads Src{:?} bank {bank} row {row}, which nothing has written; unpack or clear every \
             row that is read",
            self.which
        ))
    }

    /// Returns one row, like [`SrcFile::rows`].
    pub fn row(&self, bank: usize, row: usize) -> Result<&Row, Fault> {
        self.rows(bank, row, 1).map(|rows| &rows[0])
    }

    /// Writes one datum. The row counts as written once all of its datums are.
    pub fn write(&mut self, bank: usize, row: usize, column: usize, datum: u32) {
        let bank = self.changed(bank);
        bank.datums_mut()[row][column] = datum;
        if bank.written >> row & 1 == 0 {
            bank.parts[row] |= 1 << column;
            bank.written |= u64::from(bank.parts[row] == u16::MAX) << row;
        }
    }

    /// Returns `count` rows (1 to 64) from `first` on, all of which the caller writes.
    #[inline]
    pub fn rows_mut(&mut self, bank: usize, first: usize, count: usize) -> &mut [Row] {
        let bank = self.changed(bank);
        bank.written |= (u64::MAX >> (ROWS - count)) << first;
        &mut bank.datums_mut()[first..first + count]
    }

    /// Returns four rows from an aligned one on. The caller writes all of them and then calls
    /// [`SrcFile::note_four`], or it writes none.
    #[inline(always)]
    pub fn four_mut(&mut self, bank: usize, first: usize) -> &mut [Row; 4] {
        &mut self.banks[bank].datums_mut().as_chunks_mut().0[first / 4]
    }

    /// Notes that four rows from an aligned one on have been written.
    #[inline(always)]
    pub fn note_four(&mut self, bank: usize, first: usize) {
        self.changed(bank).written |= 0xF << first;
    }

    /// Makes the contents of a row unknown.
    pub fn forget(&mut self, bank: usize, row: usize) {
        let bank = self.changed(bank);
        bank.written &= !(1 << row);
        bank.parts[row] = 0;
    }

    /// Makes the contents of a bank unknown.
    pub fn forget_bank(&mut self, bank: usize) {
        let bank = self.changed(bank);
        bank.written = 0;
        bank.parts = [0; ROWS];
    }

    /// Writes one row.
    pub fn write_row(&mut self, bank: usize, row: usize, datums: Row) {
        let bank = self.changed(bank);
        bank.datums_mut()[row] = datums;
        bank.written |= 1 << row;
    }

    /// Sets every datum of a bank.
    pub fn fill(&mut self, bank: usize, datum: u32) {
        let bank = self.changed(bank);
        *bank.datums_mut() = [[datum; COLUMNS]; ROWS];
        bank.written = u64::MAX;
    }

    /// Returns a version that increases with every change of a bank.
    pub fn version(&self, bank: usize) -> u64 {
        self.banks[bank].version
    }

    #[inline(always)]
    fn changed(&mut self, bank: usize) -> &mut Bank {
        let bank = &mut self.banks[bank];
        bank.version += 1;
        bank
    }
}

#[cfg(test)]
mod tests;
