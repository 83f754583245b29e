//! Columns that moves between SrcA, SrcB and Dst leave out: `LaneConfig.BLOCK_DEST_MOV`, which
//! SFPCONFIG writes.
//!
//! Source: ISA documentation, the functional models of `MOVA2D.md`, `MOVB2D.md`, `MOVD2A.md`,
//! `MOVD2B.md` and `MOVB2A.md`. What is left out keeps what it held. How long an SFPCONFIG takes
//! until moves go by it no page says, so the vector unit has to be idle ([`crate::coprocessor`]).
//!
//! Not modelled: a part of a row of Dst that nothing has written, or that ZEROACC has marked.

use crate::banks::Src;
use crate::core_state::CoreState;
use crate::regs::{Row, COLUMNS};
use crate::trap::Fault;

/// The columns that a move leaves out, one bit each.
#[derive(Clone, Copy)]
pub(super) struct SkippedColumns(u16);

impl SkippedColumns {
    /// Those of a move that is being executed.
    pub(super) fn read(core: &mut CoreState) -> SkippedColumns {
        let (columns, unsettled) = core.regs.vector.skipped_columns();
        core.access.unsettled_columns = unsettled;
        SkippedColumns(columns)
    }

    /// Returns whether there are some.
    pub(super) fn any(self) -> bool {
        self.0 != 0
    }

    /// Returns datums of a row with those that it keeps.
    fn kept<T: Copy>(self, datums: [T; COLUMNS], before: [T; COLUMNS]) -> [T; COLUMNS] {
        std::array::from_fn(|column| match self.0 >> column & 1 {
            0 => datums[column],
            _ => before[column],
        })
    }

    /// Checks that a row of Dst holds what it is to keep; returns whether it is written at all.
    fn is_written(self, core: &CoreState, row: usize, wide: bool) -> Result<bool, Fault> {
        if self.any() && self.0 != u16::MAX && !core.dst_holds(row, wide) {
            return Err(Fault::unmodelled(format!(
                "a move to some columns of Dst row {row}, which does not hold {}-bit datums (LaneConfig.BLOCK_DEST_MOV leaves columns {:#06x} out); \
                 write the whole row first",
                if wide { 32 } else { 16 },
                self.0
            )));
        }
        Ok(self.0 != u16::MAX)
    }

    /// Writes a 16-bit row of Dst.
    pub(super) fn write_dst16(
        self,
        core: &mut CoreState,
        row: usize,
        mut datums: [u16; COLUMNS],
    ) -> Result<(), Fault> {
        if self.is_written(core, row, false)? {
            if self.any() {
                datums = self.kept(datums, core.read_dst16(row)?);
            }
            core.write_dst16(row, datums);
        }
        Ok(())
    }

    /// Writes a 32-bit row of Dst.
    pub(super) fn write_dst32(
        self,
        core: &mut CoreState,
        row: usize,
        mut datums: Row,
    ) -> Result<(), Fault> {
        if self.is_written(core, row, true)? {
            if self.any() {
                datums = self.kept(datums, core.read_dst32(row)?);
            }
            core.write_dst32(row, datums);
        }
        Ok(())
    }

    /// Writes a row of a bank of Src.
    pub(super) fn write_src(
        self,
        core: &mut CoreState,
        which: Src,
        (bank, row): (usize, usize),
        datums: Row,
    ) {
        let target = core.regs.src_mut(which);
        if !self.any() {
            return target.write_row(bank, row, datums);
        }
        for column in (0..COLUMNS).filter(|column| self.0 >> column & 1 == 0) {
            target.write(bank, row, column, datums[column]);
        }
    }
}
