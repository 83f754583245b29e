//! The iterations of the loop that multiplies, as dimensions, and guards for ranges of them.
//!
//! | level | an index for each |
//! |---|---|
//! | [`SLOT`] | vector of results of the block before that leaves meanwhile |
//! | [`BATCH`] | part of the row side that an MV instruction brings |
//! | [`TURN`] | block of the depth; two, with one row tile |
//! | [`GROUP`] | vector of the column side that is brought meanwhile |
//! | [`PAIR`] | two tiles of the row side |
//!
//! Chunks of the depth are a loop around. What goes on beside the product is numbered through all
//! chunks: the number of a batch, of a vector, of a pair is a sum of multiples of indices, and that
//! it is less than a bound is a disjunction of guards.

use super::shape::Shape;
use super::vectors::Outer;
use tessera_mncore_ir::item::{Guard, Test};

/// Levels of the dimensions.
pub(super) const SLOT: usize = 0;
pub(super) const BATCH: usize = 1;
pub(super) const TURN: usize = 2;
pub(super) const GROUP: usize = 3;
pub(super) const PAIR: usize = 4;

/// Tiles of 8x8 of the row side that an MV instruction brings at most.
const MOST_TILES: u32 = 32;

/// Conditions of which all must hold; of several such, one.
pub(super) type Guards = Vec<Guard>;

/// The iterations of a product.
#[derive(Clone, Debug)]
pub(super) struct Times {
    /// The loops around.
    pub outer: Outer,
    /// How often each of them is gone through.
    pub around: Vec<u32>,
    /// How often each level is.
    pub trip: [u32; 5],
    /// Of how many pairs transfers to L1BM are gathered: in the first of them.
    pub period: u32,
    chunks: u32,
}

impl Times {
    /// Those of a shape, inside loops, with slots for so many results in a chunk.
    pub fn new(shape: &Shape, outer: &Outer, leaving: u32) -> Self {
        let (turns, pairs) = (shape.turns(), shape.pairs());
        let slots = least_divisor(turns, leaving);
        let of_slot = turns / slots;
        let most = MOST_TILES / (2 * pairs * shape.span * shape.span);
        let divides = |count: &u32| of_slot % count == 0;
        let at_once = (1..=most.min(of_slot)).rev().find(divides).unwrap_or(1);
        let groups = shape.groups();
        Times {
            outer: *outer,
            around: outer.counts(shape),
            trip: [slots, of_slot / at_once, at_once, groups, pairs / groups],
            period: shape.period,
            chunks: shape.chunks,
        }
    }

    /// The dimension of a level.
    pub fn dimension(&self, level: usize) -> usize {
        self.around.len() + level
    }

    /// How many of a level there are in one of the level above.
    pub fn within(&self, level: usize, above: usize) -> u32 {
        self.trip[above + 1..=level].iter().product()
    }

    /// How many of a level there are in a chunk.
    pub fn of_chunk(&self, level: usize) -> u32 {
        self.trip[..=level].iter().product()
    }

    /// How many there are in all chunks.
    pub fn count(&self, level: usize) -> u32 {
        self.of_chunk(level) * self.chunks
    }

    /// By how much each dimension changes the number of a level in its chunk.
    pub fn in_chunk(&self, level: usize) -> Vec<u32> {
        let mut steps = vec![0; self.dimension(self.trip.len())];
        for above in 0..=level {
            steps[self.dimension(above)] = self.within(level, above);
        }
        steps
    }

    /// By how much each dimension changes the number of a level in its turn.
    pub fn in_turn(&self, level: usize) -> Vec<u32> {
        let mut steps = self.in_chunk(level);
        steps[..self.dimension(TURN + 1)].fill(0);
        steps
    }

    /// By how much each dimension changes the number of a level.
    pub fn number(&self, level: usize) -> Vec<u32> {
        let mut steps = self.in_chunk(level);
        if let Some(chunk) = self.outer.chunk {
            steps[chunk] = self.of_chunk(level);
        }
        steps
    }

    /// That an iteration is the first of one of a level.
    pub fn begins(&self, level: usize) -> Guards {
        let below = level + 1..self.trip.len();
        let counted = below.filter(|&below| self.trip[below] > 1);
        let guard = |below| Guard {
            dimension: self.dimension(below),
            test: Test::Is(0),
        };
        counted.map(guard).collect()
    }

    /// That transfers are issued in an iteration: those to L1BM, or those from there half a period
    /// later.
    pub fn gathers(&self, up: bool) -> Guards {
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

    /// The iteration of a period in which transfers from L1BM are issued.
    pub fn half_period(&self) -> u32 {
        self.period / 2
    }

    /// That the number of a level is below a bound.
    pub fn below(&self, level: usize, bound: u32) -> Vec<Guards> {
        let chunk = self.outer.chunk.map(|chunk| (chunk, self.chunks));
        let own = (0..=level).map(|level| (self.dimension(level), self.trip[level]));
        let dimensions: Vec<_> = chunk.into_iter().chain(own).collect();
        below(&dimensions, bound)
    }
}

/// The least divisor of a number that is not below a bound; the number, if none is.
pub(super) fn least_divisor(number: u32, bound: u32) -> u32 {
    let mut divisors = (bound.max(1)..number).filter(|count| number % count == 0);
    divisors.next().unwrap_or(number)
}

/// Digits of a number, one for each of the counts.
pub(super) fn digits(dimensions: &[(usize, u32)], mut number: u32) -> Vec<u32> {
    let mut digits = vec![0; dimensions.len()];
    for (digit, &(_, count)) in digits.iter_mut().zip(dimensions).rev() {
        *digit = number % count;
        number /= count;
    }
    digits
}

/// That the number whose digits the dimensions are, the last one the least, is below a bound: of
/// the guards that are found one holds at most.
pub(super) fn below(dimensions: &[(usize, u32)], bound: u32) -> Vec<Guards> {
    let count: u32 = dimensions.iter().map(|(_, count)| count).product();
    if bound >= count {
        return vec![Vec::new()];
    }
    let (mut found, mut same) = (Vec::new(), Vec::new());
    for (&(dimension, count), digit) in dimensions.iter().zip(digits(dimensions, bound)) {
        let guard = |test| Guard { dimension, test };
        if digit > 0 {
            found.push([&same[..], &[guard(Test::Below(digit))]].concat());
        }
        if count > 1 {
            same.push(guard(Test::Is(digit)));
        }
    }
    found
}

/// The same, not below a bound.
pub(super) fn from(dimensions: &[(usize, u32)], bound: u32) -> Vec<Guards> {
    let count: u32 = dimensions.iter().map(|(_, count)| count).product();
    if bound >= count {
        return Vec::new();
    }
    let (mut found, mut same) = (Vec::new(), Vec::new());
    for (&(dimension, count), digit) in dimensions.iter().zip(digits(dimensions, bound)) {
        let guard = |test| Guard { dimension, test };
        if digit + 1 < count {
            found.push([&same[..], &[guard(Test::From(digit + 1))]].concat());
        }
        if count > 1 {
            same.push(guard(Test::Is(digit)));
        }
    }
    found.push(same);
    found
}

#[cfg(test)]
mod tests;
