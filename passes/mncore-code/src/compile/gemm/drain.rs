//! How the results of a pipelined product leave the chip.

/// When results are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Drain {
    /// After the last iteration of a block.
    AtEnd,
    /// In a split epilogue: these last iterations are executed in two passes, with half of the row
    /// tiles each, and the first half is stored during the second pass.
    SplitEpilogue {
        /// Iterations of the epilogue.
        iterations: u32,
    },
    /// In row order: these last iterations are executed row tile by row tile
    /// ([`crate::compile::gemm::pipelined::row_ordered_drain`]).
    RowOrdered {
        /// Iterations of the epilogue.
        iterations: u32,
    },
    /// While the next block is multiplied. The column side stays in LM0 and LM1 for all blocks of
    /// rows.
    DuringNextBlock,
}

impl Drain {
    /// Returns whether the column side stays for all blocks of rows.
    pub fn keeps_columns(self) -> bool {
        self == Drain::DuringNextBlock
    }
}
