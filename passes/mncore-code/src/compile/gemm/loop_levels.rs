//! The dimensions of the loop that multiplies, and guards for ranges of their indices.
//!
//! | level | one iteration for each |
//! |---|---|
//! | [`SLOT`] | result vector of the previous block that is stored meanwhile |
//! | [`BATCH`] | part of the row side that one MV instruction loads |
//! | [`TURN`] | block of the depth; two blocks with a single row tile |
//! | [`GROUP`] | column vector that is loaded meanwhile |
//! | [`PAIR`] | pair of row tiles |
//!
//! Chunks of the depth form an outer loop. Concurrent streams are numbered through all chunks. The
//! number of a batch, vector or pair is a mixed-radix number whose digits are loop indices. That it
//! is below a bound is a disjunction of guards.

use crate::compile::data::distribution::Distribution;
use crate::compile::data::guards::{guards_below, Guards};
use crate::compile::data::outer_loops::OuterLoops;
use tessera_mncore_ir::item::{Guard, Test};

/// The levels, outermost first.
pub(crate) const SLOT: usize = 0;
pub(crate) const BATCH: usize = 1;
pub(crate) const TURN: usize = 2;
pub(crate) const GROUP: usize = 3;
pub(crate) const PAIR: usize = 4;

/// Maximum number of 8x8 row tiles that one MV instruction loads.
const MAX_TILES: u32 = 32;

/// What is transferred while a product is computed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConcurrentStreams {
    /// Results of the previous block that are stored per chunk.
    pub results: u32,
    /// Groups of row tiles in a turn: one for each column vector that is loaded.
    pub columns: u32,
    /// Pairs whose transfers to L1BM are batched in the first of them.
    pub period: u32,
}

impl ConcurrentStreams {
    /// No concurrent streams.
    pub const NONE: ConcurrentStreams = ConcurrentStreams {
        results: 0,
        columns: 1,
        period: 1,
    };
}

/// The loop nest of a product.
#[derive(Clone, Debug)]
pub(crate) struct LoopLevels {
    /// The outer loops.
    pub outer: OuterLoops,
    /// Trip counts of the outer loops.
    pub around: Vec<u32>,
    /// Trip count of each level.
    pub trip: [u32; 5],
    /// Pairs whose transfers to L1BM are batched in the first of them.
    pub period: u32,
    chunks: u32,
}

impl LoopLevels {
    /// Creates the levels of a distribution inside outer loops, with slots for concurrent streams.
    pub fn new(distribution: &Distribution, outer: &OuterLoops, beside: ConcurrentStreams) -> Self {
        let (turns, pairs) = (distribution.turns(), distribution.tile_pairs());
        let slots = min_divisor_from(turns, beside.results);
        let of_slot = turns / slots;
        let most = MAX_TILES / (2 * pairs * distribution.span * distribution.span);
        let divides = |count: &u32| of_slot % count == 0;
        let at_once = (1..=most.min(of_slot)).rev().find(divides).unwrap_or(1);
        let groups = beside.columns;
        LoopLevels {
            outer: *outer,
            around: outer.counts(distribution),
            trip: [slots, of_slot / at_once, at_once, groups, pairs / groups],
            period: beside.period,
            chunks: distribution.chunks,
        }
    }

    /// Returns the dimension of a level.
    pub fn dimension(&self, level: usize) -> usize {
        self.around.len() + level
    }

    /// Returns the number of iterations of a level within one of the level above.
    pub fn count_within(&self, level: usize, above: usize) -> u32 {
        self.trip[above + 1..=level].iter().product()
    }

    /// Returns the number of iterations of a level in a chunk.
    pub fn count_in_chunk(&self, level: usize) -> u32 {
        self.trip[..=level].iter().product()
    }

    /// Returns the number of iterations of a level in all chunks.
    pub fn count(&self, level: usize) -> u32 {
        self.count_in_chunk(level) * self.chunks
    }

    /// Returns the increment of a level's number within its chunk, per dimension.
    pub fn index_in_chunk(&self, level: usize) -> Vec<u32> {
        let mut steps = vec![0; self.dimension(self.trip.len())];
        for above in 0..=level {
            steps[self.dimension(above)] = self.count_within(level, above);
        }
        steps
    }

    /// Returns the increment of a level's number within its turn, per dimension.
    pub fn index_in_turn(&self, level: usize) -> Vec<u32> {
        let mut steps = self.index_in_chunk(level);
        steps[..self.dimension(TURN + 1)].fill(0);
        steps
    }

    /// Returns the increment of a level's number, per dimension.
    pub fn index_in_all_chunks(&self, level: usize) -> Vec<u32> {
        let mut steps = self.index_in_chunk(level);
        if let Some(chunk) = self.outer.chunk {
            steps[chunk] = self.count_in_chunk(level);
        }
        steps
    }

    /// Returns the guards for the first inner iteration of a level.
    pub fn begins(&self, level: usize) -> Guards {
        let below = level + 1..self.trip.len();
        let counted = below.filter(|&below| self.trip[below] > 1);
        let guard = |below| Guard {
            dimension: self.dimension(below),
            test: Test::Is(0),
        };
        counted.map(guard).collect()
    }

    /// Returns the guards for iterations that issue batched transfers: those to L1BM, or if `up`
    /// those from it, half a period later.
    pub fn batched(&self, up: bool) -> Guards {
        let guard = Guard {
            dimension: self.dimension(PAIR),
            test: Test::Every(self.period, if up { self.half_period() } else { 0 }),
        };
        if self.period > 1 {
            vec![guard]
        } else {
            Vec::new()
        }
    }

    /// Returns the iteration of a period that issues transfers from L1BM.
    pub fn half_period(&self) -> u32 {
        self.period / 2
    }

    /// Returns the guards, in disjunction, for a level's number below a bound.
    pub fn below(&self, level: usize, bound: u32) -> Vec<Guards> {
        let chunk = self.outer.chunk.map(|chunk| (chunk, self.chunks));
        let own = (0..=level).map(|level| (self.dimension(level), self.trip[level]));
        let dimensions: Vec<_> = chunk.into_iter().chain(own).collect();
        guards_below(&dimensions, bound)
    }
}

/// Returns the least divisor of a number that is at least `bound`, or the number itself.
pub(crate) fn min_divisor_from(number: u32, bound: u32) -> u32 {
    let mut divisors = (bound.max(1)..number).filter(|count| number % count == 0);
    divisors.next().unwrap_or(number)
}
