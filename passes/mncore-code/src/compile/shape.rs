//! How a result is spread over the chip.
//!
//! The rows of the result (or its columns, if the sides change places) are the index `i`, the others `j`:
//!
//! | part of the index | of `i` | of `j` |
//! |---|---|---|
//! | least | word and PE: 8 | MAB: 16, L1B: 8, cycle: 4 |
//! | then, in time | `tiles`, vectors | `steps`, vectors |
//! | then | L2B and group: 8 | |
//! | then, outer loops | `i_blocks` | `j_blocks` |
//!
//! Of few columns, some cycles of vectors have nothing: they are worked on, but not moved.
//!
//! The depth `k` of a product goes through time in blocks of 8, those in word and PE.

use tessera_isa_mncore::memory::Bank;

use super::streams::{OWN_STEPS, SAME_STEPS};

/// Elements of `i` or `k` in the words and PEs of a MAB.
pub(super) const ROW: u32 = 8;
/// L2B of the chip.
const L2BS: u32 = 8;
/// MABs of an L2B.
const MABS: u32 = 128;
/// Columns of a step: its cycles.
pub(super) const CYCLES: u32 = 4;
/// Single words of a vector in each PE.
pub(super) const VECTOR_WORDS: u32 = 8;

/// The extents of a product, or of element-wise work, which has no depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extents {
    pub matrices: u32,
    pub i: u32,
    pub j: u32,
    pub k: u32,
}

/// How a result is spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub matrices: u32,
    /// Row tiles of a block, a power of two.
    pub tiles: u32,
    /// Vectors of columns of a block, a power of two.
    pub steps: u32,
    /// Cycles of a vector that have columns.
    pub cycles: u32,
    pub i_blocks: u32,
    pub j_blocks: u32,
    /// Blocks of 8 of the depth in a chunk that LM0 holds; even.
    pub k_blocks: u32,
    /// Chunks of the depth.
    pub chunks: u32,
}

impl Shape {
    /// Vectors of sums in GRF0, or of results without a product.
    pub fn vectors(&self) -> u32 {
        self.tiles * self.steps
    }

    /// The cheapest shape of a product.
    pub fn of_product(extents: &Extents) -> (Shape, u64) {
        let shapes = [1, 2, 4, 8].map(|steps| Shape::with_steps(extents, steps));
        let costs = shapes.map(|shape| (shape, shape.cost()));
        costs
            .into_iter()
            .min_by_key(|(_, cost)| *cost)
            .expect("there are four")
    }

    fn with_steps(extents: &Extents, steps: u32) -> Shape {
        let most_tiles = u32::from(Bank::Grf0.words()) / VECTOR_WORDS / steps;
        let tiles = extents
            .i
            .div_ceil(ROW * L2BS)
            .next_power_of_two()
            .min(most_tiles);
        let depth = extents.k.div_ceil(ROW).next_multiple_of(2);
        let most_blocks = u32::from(Bank::Lm0.words()) / VECTOR_WORDS / steps;
        let chunks = depth.div_ceil(most_blocks);
        Shape {
            matrices: extents.matrices,
            tiles,
            steps,
            cycles: cycles(extents.j),
            i_blocks: extents.i.div_ceil(ROW * L2BS * tiles),
            j_blocks: extents.j.div_ceil(MABS * CYCLES * steps),
            k_blocks: depth.div_ceil(chunks).next_multiple_of(2),
            chunks,
        }
    }

    /// Steps: what the column side takes to be loaded, the product, and the result, one after the other.
    fn cost(&self) -> u64 {
        let [x, i, j, c, k, t, r] = [
            self.matrices,
            self.i_blocks,
            self.j_blocks,
            self.chunks,
            self.k_blocks,
            self.tiles,
            self.steps,
        ]
        .map(u64::from);
        let loads = if self.chunks == 1 { 1 } else { i };
        let column_side = k * r * u64::from(self.cycles) * SAME_STEPS * loads;
        let product = k * t * r.max(2) * i;
        let result = t * r * u64::from(self.cycles) * OWN_STEPS * i;
        x * j * (c * (column_side + product) + result)
    }

    /// A shape of element-wise work: as few vectors at a time as there are.
    pub fn of_elements(extents: &Extents) -> Shape {
        let wide = extents.j.div_ceil(MABS * CYCLES).next_power_of_two().min(8);
        let tall = extents.i.div_ceil(ROW * L2BS).next_power_of_two().min(1024);
        Shape {
            matrices: extents.matrices,
            tiles: tall,
            steps: wide,
            cycles: cycles(extents.j),
            i_blocks: extents.i.div_ceil(ROW * L2BS * tall),
            j_blocks: extents.j.div_ceil(MABS * CYCLES * wide),
            k_blocks: 0,
            chunks: 1,
        }
    }
}

/// Cycles of a vector that hold so many columns.
fn cycles(columns: u32) -> u32 {
    columns.div_ceil(MABS).min(CYCLES)
}
