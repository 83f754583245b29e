//! Columns that moves between SrcA, SrcB and Dst skip: `LaneConfig.BLOCK_DEST_MOV`, written by
//! SFPCONFIG.
//!
//! Source: ISA documentation, the functional models of `MOVA2D.md`, `MOVB2D.md`, `MOVD2A.md`,
//! `MOVD2B.md` and `MOVB2A.md`. Skipped columns keep their old datums. No page says when an
//! SFPCONFIG takes effect for moves, so the vector unit has to be idle
//! ([`crate::issue::coprocessor`]).
//!
//! Not modelled: partial writes of a row of Dst that is unwritten or marked by ZEROACC.

use crate::arith::{Row, COLUMNS};
use crate::state::access::AccessLog;
use crate::state::dst_rows::DstRows;
use crate::state::regs::{Dst, SrcFile};
use crate::state::vector::Vector;
use crate::trap::Fault;

/// The columns that a move skips, one bit each.
#[derive(Clone, Copy)]
pub(super) struct SkippedColumns(u16);

impl SkippedColumns {
    /// Reads the skipped columns for a move that is being executed.
    pub(super) fn read(vector: &Vector, access: &mut AccessLog) -> SkippedColumns {
        let (columns, unsettled) = vector.skipped_columns();
        access.unsettled_columns = unsettled;
        SkippedColumns(columns)
    }

    /// Returns whether any column is skipped.
    pub(super) fn any(self) -> bool {
        self.0 != 0
    }

    /// Merges new datums of a row with the old ones in skipped columns.
    fn kept<T: Copy>(self, datums: [T; COLUMNS], before: [T; COLUMNS]) -> [T; COLUMNS] {
        std::array::from_fn(|column| match self.0 >> column & 1 {
            0 => datums[column],
            _ => before[column],
        })
    }

    /// Checks that a partly written row of Dst holds datums; returns whether any column is written.
    fn is_written(self, dst: &Dst, row: usize, wide: bool) -> Result<bool, Fault> {
        if self.any() && self.0 != u16::MAX && !dst.holds_row(row, wide) {
            return Err(Fault::unmodelled(format!(
                "a move to some columns of Dst row {row}, which does not hold {}-bit datums \
                 (LaneConfig.BLOCK_DEST_MOV leaves columns {:#06x} out); write the whole row first",
                if wide { 32 } else { 16 },
                self.0
            )));
        }
        Ok(self.0 != u16::MAX)
    }

    /// Writes a 16-bit row of Dst.
    pub(super) fn write_dst16(
        self,
        rows: &mut DstRows,
        row: usize,
        mut datums: [u16; COLUMNS],
    ) -> Result<(), Fault> {
        if self.is_written(rows.dst, row, false)? {
            if self.any() {
                datums = self.kept(datums, rows.read16(row)?);
            }
            rows.write16(row, datums);
        }
        Ok(())
    }

    /// Writes a 32-bit row of Dst.
    pub(super) fn write_dst32(
        self,
        rows: &mut DstRows,
        row: usize,
        mut datums: Row,
    ) -> Result<(), Fault> {
        if self.is_written(rows.dst, row, true)? {
            if self.any() {
                datums = self.kept(datums, rows.read32(row)?);
            }
            rows.write32(row, datums);
        }
        Ok(())
    }

    /// Writes a row of a bank of Src.
    pub(super) fn write_src(self, file: &mut SrcFile, (bank, row): (usize, usize), datums: Row) {
        if !self.any() {
            return file.write_row(bank, row, datums);
        }
        for column in (0..COLUMNS).filter(|column| self.0 >> column & 1 == 0) {
            file.write(bank, row, column, datums[column]);
        }
    }
}
