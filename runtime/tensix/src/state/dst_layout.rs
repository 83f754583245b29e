//! The order of the rows of Dst in its storage.

use crate::state::row32::Row32;

/// The order of rows in the storage (`DEST_ACCESS_CFG`, Blackhole only). Groups of four rows stay
/// contiguous; without the swizzle, groups of eight do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Whether, of every 64 rows, groups of eight are interleaved by four.
    pub remap: bool,
    /// Whether, of every 32 32-bit rows, groups of four are permuted.
    pub swizzle: bool,
}

impl Layout {
    /// Returns the place of a 16-bit row.
    #[inline(always)]
    pub(crate) fn place16(self, row: usize) -> usize {
        match self.remap {
            true => row & 0x3C7 ^ (row & 0x30) >> 1 ^ (row & 8) << 2,
            false => row,
        }
    }

    /// Returns the places of the halves of a 32-bit row.
    #[inline(always)]
    pub(crate) fn places32(self, row: Row32) -> [usize; 2] {
        let remapped = self.place16(row.row);
        let swizzled = match self.swizzle {
            true => remapped & 0x3F3 ^ (remapped & 0x18) >> 1 ^ (remapped & 4) << 1,
            false => remapped,
        };
        Row32::new(swizzled).halves()
    }
}
