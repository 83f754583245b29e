//! The numbers of 32-bit rows of Dst.

/// A 32-bit row. In the default layout its low halves are eight 16-bit rows after its high halves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row32 {
    pub(crate) row: usize,
}

impl Row32 {
    /// Returns 32-bit row `row` (10 bits).
    pub fn new(row: usize) -> Row32 {
        Row32 { row }
    }

    /// Returns the 16-bit rows of the high and of the low halves in the default layout.
    pub fn halves(self) -> [usize; 2] {
        let high = (self.row & 0x1F8) << 1 | (self.row & 0x207);
        [high, high + 8]
    }

    /// Returns the row that contains a 16-bit row as one of its halves.
    pub(crate) fn with_half(half: usize) -> Row32 {
        Row32::new(half >> 1 & 0x1F8 | half & 0x207)
    }
}
