//! Accesses of the Matrix Unit and the packers to whole rows of Dst, with recording.
//!
//! Rows are recorded by number. In every layout, rows with different numbers have different places.

use tessera_isa_tensix::{cfg, Arch};

use crate::arith::{Row, COLUMNS};
use crate::state::access::AccessLog;
use crate::state::config::Config;
use crate::state::dst_layout::Layout;
use crate::state::regs::Dst;
use crate::state::row32::Row32;
use crate::trap::Fault;

/// Applies the layout of Dst that a thread has configured (Blackhole). Every instruction calls this
/// before it accesses Dst.
pub(crate) fn arrange_dst(dst: &mut Dst, config: &Config, thread: usize) {
    if config.arch() == Arch::Blackhole {
        dst.set_layout(configured_layout(config, thread));
    }
}

/// Returns the layout of Dst that a thread has configured.
pub(crate) fn configured_layout(config: &Config, thread: usize) -> Layout {
    Layout {
        remap: config.get(thread, cfg::DEST_ACCESS_CFG_remap_addrs) != 0,
        swizzle: config.get(thread, cfg::DEST_ACCESS_CFG_swizzle_32b) != 0,
    }
}

/// Dst, and the log of accesses to it.
pub(crate) struct DstRows<'a> {
    pub(crate) dst: &'a mut Dst,
    pub(crate) access: &'a mut AccessLog,
}

impl DstRows<'_> {
    /// Returns a 16-bit row in Dst's bit order; zeros if ZEROACC has marked it.
    pub(crate) fn read16(&mut self, row: usize) -> Result<[u16; COLUMNS], Fault> {
        self.access.dst_read.insert(row);
        self.dst.row16(row)
    }

    /// Returns a 32-bit row in Dst's bit order; zeros if ZEROACC has marked it.
    pub(crate) fn read32(&mut self, row: usize) -> Result<Row, Fault> {
        let place = Row32::new(row);
        self.access.dst_read.extend(place.halves());
        self.dst.row32(place)
    }

    /// Records that a block of 4 or 8 rows is written, and read if `reads`.
    #[inline]
    pub(crate) fn note_block(&mut self, first: usize, count: usize, wide: bool, reads: bool) {
        self.access.dst_write.insert_dst_block(first, count, wide);
        if reads {
            self.access.dst_read.insert_dst_block(first, count, wide);
        }
    }

    /// Writes a 16-bit row.
    pub(crate) fn write16(&mut self, row: usize, datums: [u16; COLUMNS]) {
        self.access.dst_write.insert(row);
        self.dst.write_row16(row, datums);
    }

    /// Writes a 32-bit row.
    pub(crate) fn write32(&mut self, row: usize, datums: Row) {
        let place = Row32::new(row);
        self.access.dst_write.extend(place.halves());
        self.dst.write_row32(place, datums);
    }

    /// Writes consecutive rows, of 32 bits if `wide`, else of the low 16 bits.
    pub(crate) fn write(&mut self, first: usize, rows: &[Row], wide: bool) {
        const GROUP: usize = 8;
        let (mut row, end) = (first, first + rows.len());
        while row < end {
            let count = (end - row).min(GROUP - row % GROUP);
            self.access.dst_write.insert_dst_block(row, count, wide);
            row += count;
        }
        self.dst.write_rows(first, rows, wide);
    }
}
