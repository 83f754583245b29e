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

use super::arithmetic::Arithmetic;
use super::vectors::{OWN_STEPS, SAME_STEPS};

/// Elements of `i` or `k` in the words and PEs of a MAB.
pub(super) const ROW: u32 = 8;
/// L2B of the chip.
pub(super) const L2BS: u32 = 8;
/// MABs of an L2B.
pub(super) const MABS: u32 = 128;
/// Columns of a vector whose L2Bs have their own.
pub(super) const WIDE_STEP: u32 = L2BS * MABS * CYCLES;
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
    /// How many vectors of the depth, and of rows, the matrix unit takes at once.
    pub span: u32,
    /// Blocks of 8 of the depth in a chunk that LM0 holds: pairs of what the matrix unit takes.
    pub k_blocks: u32,
    /// Chunks of the depth.
    pub chunks: u32,
    /// Whether the column side of the next chunk is brought while one is multiplied.
    pub ahead: bool,
}

impl Shape {
    /// Vectors of sums in GRF0, or of results without a product.
    pub fn vectors(&self) -> u32 {
        self.tiles * self.steps
    }

    /// The cheapest shape of a product whose sums take at most one of so many shares of GRF0; `ahead`, if its column side can be brought ahead.
    pub fn of_product(
        extents: &Extents,
        ahead: bool,
        arithmetic: Arithmetic,
        shares: u32,
    ) -> (Shape, u64) {
        let mut shapes = Vec::new();
        let most_sums = arithmetic.most_sums() / shares;
        let with = |steps, parts| Shape::with_steps(extents, steps, parts, (arithmetic, most_sums));
        for steps in [1, 2, 4, 8] {
            if most_sums / steps < arithmetic.span() {
                continue;
            }
            shapes.push(with(steps, 1));
            if ahead {
                let split = [2, 4, 8].map(|parts| with(steps, parts));
                shapes.extend(split.iter().filter_map(Shape::going_ahead));
            }
        }
        let costs = shapes
            .into_iter()
            .map(|shape| (shape, shape.cost(arithmetic)));
        let best = costs.min_by_key(|(_, cost)| *cost);
        best.expect("there is one of one vector")
    }

    /// The shape whose sums are `steps` vectors wide, and whose depth has at least so many chunks.
    fn with_steps(
        extents: &Extents,
        steps: u32,
        parts: u32,
        (arithmetic, most_sums): (Arithmetic, u32),
    ) -> Shape {
        let span = arithmetic.span();
        let most_tiles = most_sums / steps;
        let tiles = extents.i.div_ceil(ROW * L2BS).next_power_of_two();
        let tiles = tiles.max(span).min(most_tiles);
        let pair = 2 * span;
        let depth = extents.k.div_ceil(ROW).next_multiple_of(pair);
        let most_blocks = arithmetic.most_columns() / steps;
        let chunks = depth.div_ceil(most_blocks).max(parts.min(depth / pair));
        Shape {
            matrices: extents.matrices,
            tiles,
            steps,
            cycles: cycles(extents.j),
            i_blocks: extents.i.div_ceil(ROW * L2BS * tiles),
            j_blocks: extents.j.div_ceil(MABS * CYCLES * steps),
            span,
            k_blocks: depth.div_ceil(chunks).next_multiple_of(pair),
            chunks,
            ahead: false,
        }
    }

    /// The same, with the next chunk brought while one is multiplied, if there is time and room in LM1 for that: a vector takes the time of a pair of
    /// tiles.
    fn going_ahead(&self) -> Option<Shape> {
        let has_time = self.tiles >= 2 * self.span * self.span * self.steps;
        let landed = self.k_blocks * self.steps * VECTOR_WORDS;
        let has_room = landed <= u32::from(Bank::Lm1.words());
        let possible = self.chunks > 1 && has_time && has_room;
        possible.then_some(Shape {
            ahead: true,
            ..*self
        })
    }

    /// Steps: what the column side takes to be loaded, the product, and the result, one after the other but for what is brought ahead.
    fn cost(&self, arithmetic: Arithmetic) -> u64 {
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
        let cycles = u64::from(self.cycles);
        let columns = k * r * (cycles * SAME_STEPS).max(2 * cycles);
        let product = arithmetic.steps(k * t, r);
        let result = t * r * cycles * OWN_STEPS + arithmetic.rounding_steps(t * r);
        let rows = k * t;
        let block = match (self.ahead, c) {
            (true, _) => columns + (c - 1) * product.max(columns + rows) + product + c * k * r,
            (false, 1) => columns.div_ceil(i) + product,
            (false, _) => c * (columns + product),
        };
        x * j * i * (block + result)
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
            span: 1,
            k_blocks: 0,
            chunks: 1,
            ahead: false,
        }
    }

    /// A shape of what is reduced along `i`, which only words, PEs and time have; `j` has the L2Bs, and at most so many vectors of a block.
    pub fn of_reduction(extents: &Extents, most_steps: u32) -> Shape {
        let step = WIDE_STEP;
        let steps = extents.j.div_ceil(step).next_power_of_two();
        let steps = steps.min(most_steps);
        Shape {
            matrices: extents.matrices,
            tiles: extents.i.div_ceil(ROW),
            steps,
            cycles: cycles(extents.j.div_ceil(L2BS)),
            i_blocks: 1,
            j_blocks: extents.j.div_ceil(step * steps),
            span: 1,
            k_blocks: 0,
            chunks: 1,
            ahead: false,
        }
    }
}

/// Cycles of a vector that hold so many columns.
fn cycles(columns: u32) -> u32 {
    columns.div_ceil(MABS).min(CYCLES)
}
