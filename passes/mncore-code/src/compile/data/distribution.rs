//! Data distribution: the mapping of a result's indices to the chip.
//!
//! The rows of the result are the index `i`, the columns `j` (or the reverse if the sides are
//! flipped). By default:
//!
//! | part of the index | of `i` | of `j` |
//! |---|---|---|
//! | innermost | word and PE: 8 | MAB: 16, L1B: 8, cycle: 4 |
//! | then, in time | `tiles`, vectors | `steps`, vectors |
//! | then | L2B and group: 8 | |
//! | then, outer loops | `i_blocks` | `j_blocks` |
//!
//! Variants, by [`Mapping`] or field:
//!
//! - [`Mapping::RowsOverL1bPairs`]: the two L1Bs of a pair have their own rows, the four pairs
//!   their own columns. `i` gets the lowest bit of L1B, outside of time, `j` the two others. With
//!   few columns every cycle of a vector has some. Both L1Bs of a pair get the same column side;
//!   the first L1Bs of all pairs get the same row side, and so do the second. Pipelined products
//!   only ([`crate::compile::gemm::pipelined::product`]).
//! - [`Mapping::RowsOverL1bs`]: groups and L1Bs have their own rows; the two L2Bs of a group and
//!   MABs have their own columns. `i` gets L1B and group, outside of time; `j` gets MAB, L2B of a
//!   group and cycle. All L1Bs of an L2B get the same column side, both L2Bs of a group the same
//!   row side. A small product thereby reuses a tile for more vectors. Pipelined products only.
//! - [`Mapping::ColumnsOverGroups`]: L1Bs and the two L2Bs of a group have their own rows, inside
//!   of time; groups and MABs have their own columns. All L1Bs of a group get the same column side,
//!   all groups the same row side. Results have the layout of the next product's column side, and
//!   no data leave their group. One column vector per block; pipelined products only.
//! - [`Mapping::SharedColumnsOverGroups`]: the same tensors, each L1B of a group with all rows in
//!   time. For reductions along `i`, and for what is the same for all rows.
//! - [`Mapping::ColumnsOverL2bs`] (wide): `j` gets L2Bs and groups, between L1Bs and time. All L2Bs
//!   get the same rows, each its own columns. Results have the layout of the next product's column
//!   side.
//! - [`Mapping::MatricesOverL2bs`]: each L2B has its own matrices, as if it were a chip. `j` gets
//!   MAB, L1B and cycle, `i` only word, PE and time. Nothing is exchanged between L2Bs, and within
//!   one only the row side: results are the column side of the next product where they are. For
//!   kernels of several stages only ([`crate::compile::fused_stages`]).
//! - `rows_over_cycles` (tall): as the previous one, but with cycles in `i`, above word and PE. For
//!   reductions along `i` with too few columns to fill the cycles.
//!
//! With few columns some cycles of a vector are empty. They are computed, but not transferred.
//!
//! The depth `k` of a product runs through time in blocks of 8, those in word and PE. Some products
//! distribute it over MABs, too, or over the whole chip
//! ([`SplitK`](super::vector_layout::SplitK), [`crate::compile::gemm::k_over_mabs`]); columns then
//! have fewer places.

use super::geometry::{CYCLES, GROUPS, L1BS, L2BS, L2BS_OF_GROUP, MABS, PAIR, ROW, WIDE_STEP};
use super::vector_layout::VectorLayout;

/// The extents of a product. Element-wise operations have no depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Extents {
    pub matrices: u32,
    pub i: u32,
    pub j: u32,
    pub k: u32,
}

/// The data distribution of a result, with the blocking of its loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Distribution {
    pub matrices: u32,
    /// Which indices L2Bs, groups and L1Bs hold.
    pub mapping: Mapping,
    /// Whether cycles hold rows instead of columns; only with columns over L2Bs, and without a
    /// product.
    pub rows_over_cycles: bool,
    /// Row tiles per block, a power of two.
    pub tiles: u32,
    /// Column vectors per block, a power of two.
    pub steps: u32,
    /// Cycles of a vector that hold columns, or rows with `rows_over_cycles`.
    pub cycles: u32,
    /// Blocks of rows.
    pub i_blocks: u32,
    /// Blocks of columns.
    pub j_blocks: u32,
    /// Vectors of the depth, and of rows, that the matrix unit takes at once.
    pub span: u32,
    /// Blocks of 8 of the depth in a chunk, which LM0 holds: pairs of what the matrix unit takes.
    pub k_blocks: u32,
    /// Chunks of the depth.
    pub chunks: u32,
    /// Whether vectors of bf16 are packed, two in one, where pairs of them allow it. If not, a
    /// tensor has the same layout whatever the number of row tiles, and all kernels with columns
    /// over groups share it. The row side of a product is packed in any case.
    pub packs_vectors: bool,
}

impl Distribution {
    /// Returns whether block floats of the row side stay in L1BM: each L1B has its own rows and
    /// needs no others.
    pub fn keeps_rows_in_l1bm(&self) -> bool {
        match self.mapping {
            Mapping::RowsOverL1bs | Mapping::ColumnsOverGroups => true,
            Mapping::RowsOverL2bs
            | Mapping::RowsOverL1bPairs
            | Mapping::ColumnsOverL2bs
            | Mapping::SharedColumnsOverGroups
            | Mapping::MatricesOverL2bs => false,
        }
    }

    /// Returns the vectors per iteration of a loop over all of a block. `has_bf16` tells whether
    /// some tensors have bf16 elements, so that vectors may be packed.
    pub fn vectors_per_iteration(&self, has_bf16: bool) -> u32 {
        vectors_per_iteration(has_bf16 && self.packs_vectors, self.vectors())
    }

    /// Returns the distribution with vectors of bf16 in single words.
    pub fn unpacked(self) -> Distribution {
        Distribution {
            packs_vectors: false,
            ..self
        }
    }

    /// Returns whether all L1Bs of an L2B have the same rows.
    pub fn has_same_rows_in_l1bs(&self) -> bool {
        match self.mapping {
            Mapping::RowsOverL2bs
            | Mapping::ColumnsOverL2bs
            | Mapping::SharedColumnsOverGroups
            | Mapping::MatricesOverL2bs => true,
            Mapping::RowsOverL1bPairs | Mapping::RowsOverL1bs | Mapping::ColumnsOverGroups => false,
        }
    }

    /// Returns the layout of result vectors, except those of split-K products.
    pub fn results_layout(&self) -> VectorLayout {
        match self.mapping {
            Mapping::ColumnsOverL2bs if self.rows_over_cycles => VectorLayout::RowsOverCycles,
            Mapping::ColumnsOverL2bs => VectorLayout::ColumnsOverL2bs,
            Mapping::RowsOverL1bPairs => VectorLayout::RowsOverL1bPairs,
            Mapping::RowsOverL1bs => VectorLayout::RowsOverL1bs,
            Mapping::ColumnsOverGroups => VectorLayout::ColumnsOverGroups,
            Mapping::SharedColumnsOverGroups => VectorLayout::SharedColumnsOverGroups,
            Mapping::RowsOverL2bs => VectorLayout::RowsOverL2bs,
            Mapping::MatricesOverL2bs => VectorLayout::MatricesOverL2bs,
        }
    }

    /// Returns the rows of a vector in each L2B.
    pub fn row(&self) -> u32 {
        if self.rows_over_cycles {
            ROW * CYCLES
        } else {
            ROW
        }
    }

    /// Returns the distribution of a reduction's operand with this many rows.
    pub fn for_reduced_rows(&self, rows: u32) -> Distribution {
        let cycles = if self.rows_over_cycles {
            rows.div_ceil(ROW).min(CYCLES)
        } else {
            self.cycles
        };
        Distribution {
            tiles: rows.div_ceil(self.row()),
            cycles,
            ..*self
        }
    }

    /// Returns the layout of the column side's vectors, except those of products that distribute
    /// the depth over more than time.
    pub fn columns_layout(&self) -> VectorLayout {
        match self.mapping {
            Mapping::ColumnsOverL2bs => VectorLayout::ColumnSideOverL2bs,
            Mapping::RowsOverL1bPairs => VectorLayout::ReplicatedInPairs,
            Mapping::RowsOverL1bs => VectorLayout::ReplicatedOverL1bs,
            Mapping::ColumnsOverGroups | Mapping::SharedColumnsOverGroups => {
                VectorLayout::ReplicatedInGroups
            }
            Mapping::RowsOverL2bs => VectorLayout::Replicated,
            Mapping::MatricesOverL2bs => VectorLayout::ColumnSideOfMatrices,
        }
    }

    /// Returns the vectors of sums in GRF0, or of results without a product.
    pub fn vectors(&self) -> u32 {
        self.tiles * self.steps
    }

    /// Returns the number of blocks of results.
    pub fn blocks(&self) -> u32 {
        self.matrices * self.j_blocks * self.i_blocks
    }

    /// Returns the tiles per iteration: one for each side of the matrix registers, unless the
    /// product has only one.
    pub fn tiles_at_once(&self) -> u32 {
        let is_one = self.tiles == self.span && self.k_blocks == self.span;
        if is_one {
            1
        } else {
            2
        }
    }

    /// Returns the turns per chunk: tiles of the depth, two at a time with a single row tile.
    pub fn turns(&self) -> u32 {
        let alone = self.tiles == self.span;
        self.k_blocks / self.span / if alone { self.tiles_at_once() } else { 1 }
    }

    /// Returns the iterations per turn, each of two tiles.
    pub fn tile_pairs(&self) -> u32 {
        (self.tiles / self.span).div_ceil(2)
    }

    /// Returns the row tiles that an L2B receives: for all of its L1Bs, for those of a pair, or for
    /// each.
    pub fn row_tiles(&self) -> u32 {
        let own = match self.mapping {
            Mapping::RowsOverL1bPairs => PAIR,
            Mapping::RowsOverL1bs | Mapping::ColumnsOverGroups => L1BS,
            Mapping::RowsOverL2bs
            | Mapping::ColumnsOverL2bs
            | Mapping::SharedColumnsOverGroups
            | Mapping::MatricesOverL2bs => 1,
        };
        self.tiles * own
    }

    /// Returns the distribution with blocks of this many row tiles and column vectors.
    pub fn new(extents: &Extents, over: Mapping, tiles: u32, steps: u32) -> Distribution {
        let [rows, columns] = vector_extent(over);
        let cycles = extents.j.div_ceil(columns / CYCLES).min(CYCLES);
        Distribution {
            matrices: extents.matrices,
            mapping: over,
            tiles,
            steps,
            cycles: match over {
                // L1Bs and time lie outside of cycles in DRAM.
                Mapping::ColumnsOverGroups
                | Mapping::SharedColumnsOverGroups
                | Mapping::MatricesOverL2bs => cycles.next_power_of_two(),
                _ => cycles,
            },
            i_blocks: extents.i.div_ceil(rows * tiles),
            j_blocks: extents.j.div_ceil(columns * steps),
            ..Distribution::ONE
        }
    }

    /// Returns the distributions of element-wise operations: first the one with the fewest blocks,
    /// then those that match results of products.
    pub fn for_elementwise(extents: &Extents) -> Vec<Distribution> {
        const MAX_STEPS: u32 = 8;
        const MAX_TILES: u32 = 1024;
        let max_steps = |over| {
            let [_, columns] = vector_extent(over);
            let vectors = extents.j.div_ceil(columns);
            vectors.next_power_of_two().min(MAX_STEPS)
        };
        let distribute = |over, tiles, steps| Distribution::new(extents, over, tiles, steps);
        let tall = extents.i.div_ceil(ROW * L2BS).next_power_of_two();
        let tall = tall.min(MAX_TILES);
        let mut distributions = vec![distribute(
            Mapping::RowsOverL2bs,
            tall,
            max_steps(Mapping::RowsOverL2bs),
        )];
        for steps in [1, 2, 4, MAX_STEPS] {
            if steps <= max_steps(Mapping::ColumnsOverL2bs) {
                // As many rows as the depth of a product is rounded up to.
                let tiles = extents.i.div_ceil(ROW).next_multiple_of(4);
                distributions.push(distribute(
                    Mapping::ColumnsOverL2bs,
                    tiles.min(MAX_TILES),
                    steps,
                ));
            }
            if steps <= max_steps(Mapping::RowsOverL2bs) {
                let tiles = (0..=tall.ilog2())
                    .map(|bits| distribute(Mapping::RowsOverL2bs, 1 << bits, steps));
                distributions.extend(tiles);
            }
        }
        let [rows, _] = vector_extent(Mapping::ColumnsOverGroups);
        let tiles = extents.i.div_ceil(rows).min(MAX_TILES);
        distributions.push(distribute(Mapping::ColumnsOverGroups, tiles, 1).unpacked());
        if extents.i == 1 {
            distributions.push(Distribution::for_reduction_in_groups(extents));
        }
        distributions
    }

    /// Returns the distribution of a reduction along `i` whose groups have their own columns.
    pub fn for_reduction_in_groups(extents: &Extents) -> Distribution {
        let tiles = extents.i.div_ceil(ROW);
        Distribution::new(extents, Mapping::SharedColumnsOverGroups, tiles, 1).unpacked()
    }

    /// Returns the distribution of a reduction along `i`. Only words, PEs, time and possibly cycles
    /// hold `i`; L2Bs hold `j`. A block has at most `max_steps` vectors.
    pub fn for_reduction(extents: &Extents, max_steps: u32, tall: bool) -> Distribution {
        let step = if tall { L2BS * MABS } else { WIDE_STEP };
        let steps = extents.j.div_ceil(step).next_power_of_two();
        let steps = steps.min(max_steps);
        let distribution = Distribution {
            matrices: extents.matrices,
            mapping: Mapping::ColumnsOverL2bs,
            rows_over_cycles: tall,
            steps,
            cycles: cycles(extents.j.div_ceil(L2BS)),
            j_blocks: extents.j.div_ceil(step * steps),
            ..Distribution::ONE
        };
        distribution.for_reduced_rows(extents.i)
    }

    /// A single vector without a product.
    pub const ONE: Distribution = Distribution {
        matrices: 1,
        mapping: Mapping::RowsOverL2bs,
        rows_over_cycles: false,
        tiles: 1,
        steps: 1,
        cycles: CYCLES,
        i_blocks: 1,
        j_blocks: 1,
        span: 1,
        k_blocks: 0,
        chunks: 1,
        packs_vectors: true,
    };
}

/// Returns the number of vectors per iteration: two if some are packed and their number is even.
pub(crate) fn vectors_per_iteration(halves: bool, vectors: u32) -> u32 {
    if halves && vectors % 2 == 0 {
        2
    } else {
        1
    }
}

/// Returns the cycles of a vector that hold this many columns.
fn cycles(columns: u32) -> u32 {
    columns.div_ceil(MABS).min(CYCLES)
}

/// The indices that L2Bs, groups and L1Bs hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mapping {
    /// L2Bs hold rows.
    RowsOverL2bs,
    /// L2Bs and the L1Bs of a pair hold rows.
    RowsOverL1bPairs,
    /// Groups and L1Bs hold rows; the L2Bs of a group hold columns.
    RowsOverL1bs,
    /// L2Bs hold columns.
    ColumnsOverL2bs,
    /// Groups hold columns; L1Bs and the L2Bs of a group hold rows.
    ColumnsOverGroups,
    /// Groups hold columns; all L1Bs of a group have the same.
    SharedColumnsOverGroups,
    /// L2Bs hold matrices.
    MatricesOverL2bs,
}

/// Returns the rows and columns of a vector over all L2Bs.
pub(crate) fn vector_extent(over: Mapping) -> [u32; 2] {
    match over {
        Mapping::RowsOverL2bs => [ROW * L2BS, MABS * CYCLES],
        Mapping::RowsOverL1bPairs => [ROW * L2BS * PAIR, MABS / PAIR * CYCLES],
        Mapping::RowsOverL1bs => [ROW * GROUPS * L1BS, MABS / L1BS * L2BS_OF_GROUP * CYCLES],
        Mapping::ColumnsOverL2bs => [ROW, WIDE_STEP],
        Mapping::ColumnsOverGroups => [ROW * L1BS * L2BS_OF_GROUP, MABS / L1BS * GROUPS * CYCLES],
        Mapping::SharedColumnsOverGroups => [ROW, MABS / L1BS * GROUPS * CYCLES],
        Mapping::MatricesOverL2bs => [ROW, MABS * CYCLES],
    }
}
