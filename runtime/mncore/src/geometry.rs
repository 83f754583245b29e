//! The geometry of the machine: the number of groups, blocks and processing elements, and their
//! numbering.
//!
//! Manual, sections 1.1 and 1.5. A board has four groups of two L2B, each of eight L1B, each of
//! sixteen MAB, each of four PE. Blocks are independent, so tests use smaller machines. Memory
//! sizes never change.

use std::ops::Range;

/// Processing elements of a MAB. The number is fixed, since matrix products span exactly these.
pub const PES: usize = 4;

/// Cycles of a step.
pub const CYCLES: usize = 4;

/// The number of units at each level of the hierarchy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Geometry {
    /// Groups of the board, each with a PDM and a DRAM: 1 to 4.
    pub groups: usize,
    /// L2 blocks of a group: 1 or 2.
    pub l2bs: usize,
    /// L1 blocks of an L2B: 1 to 8.
    pub l1bs: usize,
    /// Matrix arithmetic blocks of an L1B: 1 to 16.
    pub mabs: usize,
}

impl Geometry {
    /// The full board: 4,096 processing elements.
    pub const BOARD: Geometry = Geometry {
        groups: 4,
        l2bs: 2,
        l1bs: 8,
        mabs: 16,
    };

    /// The maximum number of processing elements in an L1 block.
    pub const MAX_LANES: usize = Self::BOARD.mabs * PES;

    /// A machine of two L1B with four MAB each, for tests.
    pub const SMALL: Geometry = Geometry {
        groups: 1,
        l2bs: 2,
        l1bs: 2,
        mabs: 4,
    };

    /// Returns whether every number is between one and that of the board.
    pub fn is_valid(&self) -> bool {
        let within = |count: usize, most: usize| (1..=most).contains(&count);
        within(self.groups, Self::BOARD.groups)
            && within(self.l2bs, Self::BOARD.l2bs)
            && within(self.l1bs, Self::BOARD.l1bs)
            && within(self.mabs, Self::BOARD.mabs)
    }

    /// Returns the number of L2 blocks on the board.
    pub fn l2_count(&self) -> usize {
        self.groups * self.l2bs
    }

    /// Returns the number of L1 blocks on the board.
    pub fn block_count(&self) -> usize {
        self.l2_count() * self.l1bs
    }

    /// Returns the number of processing elements in an L1 block.
    pub fn lanes(&self) -> usize {
        self.mabs * PES
    }

    /// Returns the index of an L2 block on the board.
    pub fn l2_index(&self, group: usize, l2b: usize) -> usize {
        group * self.l2bs + l2b
    }

    /// Returns the indices of the L1 blocks of an L2 block.
    pub fn blocks_of(&self, l2: usize) -> Range<usize> {
        l2 * self.l1bs..(l2 + 1) * self.l1bs
    }

    /// Returns the position of the L1 block with this index.
    pub fn block_id(&self, index: usize) -> BlockId {
        let l2 = index / self.l1bs;
        BlockId {
            group: l2 / self.l2bs,
            l2b: l2 % self.l2bs,
            l1b: index % self.l1bs,
        }
    }
}

impl Default for Geometry {
    fn default() -> Self {
        Self::BOARD
    }
}

/// The position of an L1 block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BlockId {
    /// The group.
    pub group: usize,
    /// The L2B within the group.
    pub l2b: usize,
    /// The L1B within the L2B.
    pub l1b: usize,
}

impl std::fmt::Display for BlockId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "n{}c{}b{}", self.group, self.l2b, self.l1b)
    }
}

#[cfg(test)]
mod tests;
