//! The layouts of vectors over L2Bs, L1Bs and MABs.

use super::geometry::{
    CYCLES, L1BS_CYCLE, L2BM_CYCLE, L2BS, MABS, PAIRS_CYCLE, TO_L1BS, TO_PAIRS, TRANSFER,
};

/// The places over which the depth is distributed, besides time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SplitK {
    /// MABs and L1Bs.
    Mabs,
    /// All: MABs, L1Bs and L2Bs.
    L2bs,
}

impl SplitK {
    /// Returns whether L2Bs have their own parts of the depth, too.
    pub fn has_l2bs(self) -> bool {
        self == SplitK::L2bs
    }

    /// Returns the number of parts.
    pub fn parts(self) -> u32 {
        MABS * if self.has_l2bs() { L2BS } else { 1 }
    }
}

/// How many long words the reduced sums of a block occupy; the remainder repeats them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SumPadding {
    /// The minimum that one step reduces.
    Minimal,
    /// Whole cycles of a vector.
    WholeCycles,
}

/// The layout of a vector over L2Bs, L1Bs and MABs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VectorLayout {
    /// Of results: each L2B has its own rows.
    RowsOverL2bs,
    /// Of results: each L2B, and in it each L1B of a pair, has its own rows.
    RowsOverL1bPairs,
    /// Of results: each L1B of each group has its own rows, each L2B of a group its own columns.
    RowsOverL1bs,
    /// Of results, or of operands of a reduction along rows: each L2B has its own columns.
    ColumnsOverL2bs,
    /// As the previous one, with rows in cycles.
    RowsOverCycles,
    /// Of results: each L1B and each L2B of a group has its own rows, each group its own columns.
    ColumnsOverGroups,
    /// The same tensors for reductions along rows: all L1Bs of a group have all rows. What has one
    /// row is the same in all words and PEs.
    SharedColumnsOverGroups,
    /// Of results: each L2B has its own matrices.
    MatricesOverL2bs,
    /// As the previous one, of tensors that all matrices share.
    SharedByMatrices,
    /// Of a product's column side: all L2Bs have the same.
    Replicated,
    /// As the previous one, for results over L1B pairs: both L1Bs of a pair have the same.
    ReplicatedInPairs,
    /// As the previous one, for results over L1Bs: all L1Bs of an L2B, and all groups, have the
    /// same.
    ReplicatedOverL1bs,
    /// As the previous one, for results with columns over groups: all L1Bs of a group have the
    /// same.
    ReplicatedInGroups,
    /// Of the column side of a product whose results have columns over L2Bs.
    ColumnSideOverL2bs,
    /// Of the column side of a product whose L2Bs have their own matrices.
    ColumnSideOfMatrices,
    /// Of the column side of a split-K product.
    SplitK(SplitK),
    /// Of the column side of a product with the depth over the MABs of an L1B.
    KOverMabs,
    /// Of the reduced sums of a split-K product.
    ReducedSums(SplitK, SumPadding),
}

impl VectorLayout {
    /// Returns whether this is the layout of a column side, whose vectors follow one another along
    /// the depth.
    pub fn is_column_side(self) -> bool {
        matches!(
            self,
            VectorLayout::Replicated
                | VectorLayout::ReplicatedInPairs
                | VectorLayout::ReplicatedOverL1bs
                | VectorLayout::ReplicatedInGroups
                | VectorLayout::ColumnSideOverL2bs
                | VectorLayout::ColumnSideOfMatrices
                | VectorLayout::SplitK(_)
                | VectorLayout::KOverMabs
        )
    }

    /// Returns whether all groups have the same data, so that one broadcasting MV instruction loads
    /// it.
    pub fn is_same(self) -> bool {
        match self {
            VectorLayout::Replicated
            | VectorLayout::ReplicatedInPairs
            | VectorLayout::ReplicatedOverL1bs
            | VectorLayout::SharedByMatrices
            | VectorLayout::KOverMabs => true,
            VectorLayout::RowsOverL2bs
            | VectorLayout::RowsOverL1bPairs
            | VectorLayout::RowsOverL1bs => false,
            VectorLayout::ColumnsOverL2bs
            | VectorLayout::RowsOverCycles
            | VectorLayout::ColumnsOverGroups
            | VectorLayout::SharedColumnsOverGroups
            | VectorLayout::ReplicatedInGroups
            | VectorLayout::ColumnSideOverL2bs
            | VectorLayout::MatricesOverL2bs
            | VectorLayout::ColumnSideOfMatrices => false,
            VectorLayout::SplitK(split) => !split.has_l2bs(),
            VectorLayout::ReducedSums(split, _) => split.has_l2bs(),
        }
    }

    /// Returns whether one MV instruction loads both L2Bs of each group.
    pub fn is_same_in_groups(self) -> bool {
        self.is_same()
            || matches!(
                self,
                VectorLayout::ReplicatedInGroups | VectorLayout::SharedColumnsOverGroups
            )
    }

    /// Returns whether vectors are stored without their empty cycles. Those with columns over
    /// groups also have both L2Bs of a group side by side, so that results are the column side of
    /// the next product.
    fn is_compact(self) -> bool {
        matches!(
            self,
            VectorLayout::ColumnsOverGroups
                | VectorLayout::SharedColumnsOverGroups
                | VectorLayout::ReplicatedInGroups
                | VectorLayout::MatricesOverL2bs
                | VectorLayout::SharedByMatrices
                | VectorLayout::ColumnSideOfMatrices
        )
    }

    /// Returns the layout of what all matrices share.
    pub fn shared_by_matrices(self) -> Self {
        match self {
            VectorLayout::MatricesOverL2bs => VectorLayout::SharedByMatrices,
            own => own,
        }
    }

    /// Returns the long words of an L2BM per long word of a group's DRAM: data that groups share is
    /// divided among them.
    pub fn shares(self) -> u32 {
        match self {
            VectorLayout::ReplicatedOverL1bs => 2,
            _ if self.is_same() => 4,
            _ => 1,
        }
    }

    /// Returns the long words of a cycle in an L2BM.
    pub fn cycle(self) -> u32 {
        match self {
            VectorLayout::ReplicatedInPairs => PAIRS_CYCLE,
            VectorLayout::ReplicatedOverL1bs
            | VectorLayout::ReplicatedInGroups
            | VectorLayout::SharedColumnsOverGroups => L1BS_CYCLE,
            _ => L2BM_CYCLE,
        }
    }

    /// Returns the distance in long words between vectors in a group's DRAM.
    pub fn stored_words(self, cycles: u32) -> u64 {
        let cycles = if self.is_compact() { cycles } else { CYCLES };
        let of_l2bm = u64::from(cycles * self.cycle() / self.shares());
        match self {
            VectorLayout::ColumnsOverGroups => 2 * of_l2bm,
            _ => of_l2bm,
        }
    }

    /// Returns the transfers between L2BM and L1BM for a vector with this many cycles.
    pub fn transfers(self, cycles: u32) -> u32 {
        cycles * self.cycle() / self.transfer().0
    }

    /// Returns the long words that each of them moves: of L2BM, and of L1BM.
    pub fn transfer(self) -> (u32, u32) {
        match self {
            VectorLayout::ReplicatedInPairs => TO_PAIRS,
            VectorLayout::ReplicatedOverL1bs
            | VectorLayout::ReplicatedInGroups
            | VectorLayout::SharedColumnsOverGroups
            | VectorLayout::ColumnsOverGroups => TO_L1BS,
            _ => TRANSFER,
        }
    }
}
