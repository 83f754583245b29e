//! What a product takes, spread in some way: the estimate by which its shape is chosen.
//!
//! Steps and transfers of MV instructions go on beside one another. So the loops of a product are gone through with two clocks, that of steps and
//! that of transfers, which follow one another in the order of their issue; a loop that waits for what it transfers ends when both have.

use super::arithmetic::Arithmetic;
use super::shape::Shape;
use super::vectors::{OWN_STEPS, SAME_STEPS};

/// Steps of a loop beyond its iterations: until it is in full course, and behind its last.
const SHORT: u64 = 3;
const LONG: u64 = 10;
/// Steps that make one vector of bf16 of two results.
const PACK: u64 = 11;

/// Steps of all its loops.
pub(super) fn cost(shape: &Shape, arithmetic: Arithmetic) -> u64 {
    let of = Parts::of(shape, arithmetic);
    let mut clock = Clock::default();
    let once = !shape.ahead && shape.chunks == 1;
    let mut first = true;
    clock.again(shape.matrices * shape.j_blocks, &mut |clock| {
        if once {
            clock.columns(&of);
        }
        clock.again(shape.i_blocks, &mut |clock| {
            let beside = shape.behind && !std::mem::take(&mut first);
            clock.block(shape, &of, beside);
        });
    });
    if shape.behind {
        clock.leave(&of);
    }
    clock.step.max(clock.transfer)
}

/// Steps of each part of a block, or of a chunk of it.
struct Parts {
    /// To bring the column side of a chunk, and to convert it if it was brought before: transfers, and steps.
    columns: [u64; 2],
    convert: u64,
    /// A vector of it.
    column: u64,
    /// Transfers of the row side of a chunk, and those before it is begun.
    rows: u64,
    first_rows: u64,
    multiply: u64,
    clear: u64,
    /// To put results down, and to take them away: transfers, and steps.
    put: u64,
    leave: [u64; 2],
    chunks: u64,
}

impl Parts {
    fn of(shape: &Shape, arithmetic: Arithmetic) -> Self {
        let [blocks, tiles, steps, cycles, chunks] = [
            shape.k_blocks,
            shape.tiles,
            shape.steps,
            shape.cycles,
            shape.chunks,
        ]
        .map(u64::from);
        let (vectors, sums) = (blocks * steps, tiles * steps);
        let [parts, results] = [shape.column_parts(), shape.results()].map(u64::from);
        let brought = vectors / parts;
        // What takes two vectors of the column side apart, and makes one of two results.
        // Of a cycle of the column side, and of how many L2Bs a tile is.
        let (of_cycle, same) = if shape.wide {
            (OWN_STEPS, 4)
        } else {
            (SAME_STEPS, 1)
        };
        let row_tiles = (blocks * tiles).div_ceil(same);
        let unpack = if parts > 1 { vectors } else { 0 };
        let pack = if results < sums { PACK } else { 1 };
        Parts {
            columns: [brought * cycles * of_cycle, brought * (2 * cycles).max(2)],
            convert: vectors + unpack,
            column: cycles * of_cycle,
            rows: row_tiles,
            first_rows: FIRST_ROWS.div_ceil(same).min(row_tiles),
            multiply: arithmetic.steps(blocks * tiles, steps),
            clear: sums.div_ceil(2),
            put: results * pack + arithmetic.rounding_steps(sums),
            leave: [results * cycles * OWN_STEPS, results * 2 * cycles],
            chunks,
        }
    }
}

/// Steps of the transfers of the row side that are issued before it is needed.
const FIRST_ROWS: u64 = 96;

/// What was issued so far ends then.
#[derive(Clone, Copy, Debug, Default)]
struct Clock {
    step: u64,
    transfer: u64,
}

impl Clock {
    /// Issues transfers.
    fn transfer(&mut self, transfers: u64) {
        self.transfer = self.transfer.max(self.step) + transfers;
    }

    /// A loop that waits for what it transfers, but for what it issues for later.
    fn beside(&mut self, steps: u64, transfers: u64, later: u64) {
        let begin = self.step;
        self.transfer(transfers);
        self.step = (begin + steps).max(self.transfer.saturating_sub(later));
    }

    /// Loads the column side of a chunk.
    fn columns(&mut self, of: &Parts) {
        let [transfers, steps] = of.columns;
        // The last vector is distributed when it is there.
        self.beside(steps, transfers, 0);
        self.step += SHORT + 2 * of.column / SAME_STEPS;
    }

    /// A block, up to its results.
    fn block(&mut self, shape: &Shape, of: &Parts, beside: bool) {
        self.step += of.clear;
        let leave = if beside {
            of.leave[0].div_ceil(of.chunks)
        } else {
            0
        };
        if shape.ahead {
            self.columns(of);
        }
        self.transfer(of.first_rows);
        // Of a chunk that so many are to follow.
        let chunk = |clock: &mut Clock, follow: u32| {
            let is_last = follow == 0;
            let mut brought = of.rows + leave;
            let mut later = leave.min(2 * OWN_STEPS);
            if is_last {
                brought -= of.first_rows;
            } else if follow > 1 {
                later += of.first_rows.min(of.rows);
            }
            if shape.ahead {
                clock.step += of.convert + SHORT;
                brought += if is_last { 0 } else { of.columns[0] };
            } else if shape.chunks > 1 {
                clock.columns(of);
            }
            clock.beside(of.multiply + LONG, brought, later);
        };
        self.again(shape.chunks.saturating_sub(2), &mut |clock| chunk(clock, 2));
        if shape.chunks > 1 {
            chunk(self, 1);
        }
        chunk(self, 0);
        if shape.behind {
            self.step += of.put + 2 * SHORT;
        } else {
            self.leave(of);
        }
    }

    /// Takes results away.
    fn leave(&mut self, of: &Parts) {
        let [transfers, steps] = of.leave;
        self.step += LONG;
        self.beside(steps, transfers, 0);
        self.step += SHORT;
    }

    /// Something so many times: the last times like one in the middle.
    fn again(&mut self, count: u32, once: &mut dyn FnMut(&mut Clock)) {
        const EACH: u32 = 3;
        for number in 0..count.min(EACH) {
            let before = *self;
            once(self);
            if number + 1 == EACH {
                let more = u64::from(count - EACH);
                self.step += more * (self.step - before.step);
                self.transfer += more * (self.transfer - before.transfer.min(self.transfer));
            }
        }
    }
}
