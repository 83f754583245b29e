//! The datums of Dst that an SFPLOAD or SFPSTORE accesses.

use super::config::{LOAD_ODD, STORE_ODD};
use super::lregs::lanes_of;
use crate::arith::spec::sfpu::transfer::{Datum, Direction};
use crate::arith::Lanes;
use crate::state::access::RowSet;
use crate::state::regs::{Dst, Four};
use crate::state::row32::Row32;
use crate::state::vector::{Address, Configuration};
use crate::trap::Fault;

/// Rows of Dst per vector, and columns of each.
const ROWS: usize = 4;
pub(super) const COLUMNS: usize = 8;

/// The block of Dst that an SFPLOAD or SFPSTORE accesses: four rows, and every other column.
#[derive(Clone, Copy)]
pub(super) struct DstBlock {
    pub(super) row: usize,
    /// The lanes whose configuration selects the odd column.
    odd: u32,
    pub(super) wide: bool,
}

impl DstBlock {
    #[inline(always)] // Most fields are used at once.
    pub(super) fn new(
        address: Address,
        datum: Datum,
        direction: Direction,
        config: &Configuration,
    ) -> DstBlock {
        let by_lanes = match direction {
            Direction::Load => config.lanes_with(LOAD_ODD),
            Direction::Store => config.lanes_with(STORE_ODD),
        };
        DstBlock {
            row: address.0 & !3,
            odd: by_lanes | if address.0 & 2 != 0 { u32::MAX } else { 0 },
            wide: datum.is_wide(direction),
        }
    }

    /// Returns the first of each four 16-bit rows that are accessed.
    fn fours(&self) -> impl Iterator<Item = usize> + use<> {
        match self.wide {
            true => Row32::new(self.row).halves().into_iter().take(2),
            false => [self.row; 2].into_iter().take(1),
        }
    }

    /// Records that these rows are read or written.
    #[inline]
    pub(super) fn note(&self, rows: &mut RowSet) {
        rows.insert_dst_block(self.row, ROWS, self.wide);
    }

    pub(super) fn column(&self, lane: usize) -> usize {
        2 * (lane % COLUMNS) + self.parity(lane)
    }

    /// Returns 1 for a lane that accesses an odd column.
    fn parity(&self, lane: usize) -> usize {
        (self.odd >> lane & 1) as usize
    }

    #[inline(always)]
    pub(super) fn check_written(&self, dst: &Dst) -> Result<(), Fault> {
        match dst.holds_four(self.row, self.wide) {
            true => Ok(()),
            false => Err({ *self }.not_written(dst)),
        }
    }

    #[cold]
    fn not_written(&self, dst: &Dst) -> Fault {
        let mut rows = self.fours().flat_map(|first| first..first + ROWS);
        let row = rows.find(|&row| !dst.holds(row, self.wide));
        Fault::undefined(format!(
            "the vector unit touches Dst row {} (of 1024), which is cleared, was never written or \
             holds datums of another width; move data there first",
            row.unwrap_or(self.row)
        ))
    }

    /// Returns which columns all lanes access, if they access the same ones.
    #[inline(always)]
    pub(super) fn common_columns(&self) -> Option<bool> {
        match self.odd {
            0 => Some(false),
            u32::MAX => Some(true),
            _ => None,
        }
    }

    /// Gathers the datums of the lanes; two adjacent columns belong to one lane.
    pub(super) fn gather(&self, rows: &Four) -> Lanes {
        let pairs = rows.as_flattened().as_chunks::<2>().0;
        std::array::from_fn(|lane| pairs[lane][self.parity(lane)].into())
    }

    /// Scatters the low halves of the values of some lanes to rows.
    pub(super) fn scatter(&self, lanes: u32, values: &Lanes, rows: &mut Four) {
        let pairs = rows.as_flattened_mut().as_chunks_mut::<2>().0;
        for lane in lanes_of(lanes) {
            pairs[lane][self.parity(lane)] = values[lane] as u16;
        }
    }
}
