//! What a product takes, spread in some way: the estimate by which its shape is chosen.
//!
//! Steps and transfers of MV instructions go on beside one another. So the loops of a product are
//! gone through with two clocks, that of steps and that of transfers, which follow one another in
//! the order of their issue; a loop that waits for what it transfers ends when both have.

use super::ahead;
use super::arithmetic::Arithmetic;
use super::behind;
use super::flow;
use super::in_l1bs;
use super::prepare;
use super::rows::DOWN;
use super::shape::Shape;
use super::split::{self, Fill, Split};
use super::streams::TRANSFER;
use super::vectors::{L2BM_VECTOR, OWN_STEPS, SAME_STEPS};

/// Steps of a loop beyond its iterations: until it is in full course, and behind its last.
const SHORT: u64 = 3;
const LONG: u64 = 10;
/// Steps that make one vector of bf16 of two results.
const PACK: u64 = 11;

/// Steps of all its loops.
pub(super) fn cost(shape: &Shape, arithmetic: Arithmetic) -> u64 {
    if let Some(turns) = shape.flow {
        return flow(shape, turns, arithmetic);
    }
    if shape.in_l1bs {
        return in_l1bs(shape, arithmetic);
    }
    let of = Parts::of(shape, arithmetic);
    let mut clock = Clock::default();
    let once = !shape.ahead && shape.chunks == 1;
    let mut first = true;
    if of.prepare.is_some() {
        clock.rows(&of);
    }
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

impl Shape {
    /// Of a thousand steps in which tiles come to the matrix registers and are multiplied by, those
    /// in which there is something to multiply.
    pub fn busy(&self, arithmetic: Arithmetic) -> u64 {
        let square = u64::from(self.span * self.span);
        let of_tile = |steps: u32| {
            arithmetic.steps(
                square,
                steps.into(),
                self.prepared.is_some() || self.in_l1bs,
            )
        };
        // So many vectors that bringing the tile is hidden.
        const MANY: u32 = 64;
        1000 * of_tile(MANY) * u64::from(self.steps) / (of_tile(self.steps) * u64::from(MANY))
    }
}

/// Steps of a product into whose one loop both sides flow.
fn flow(shape: &Shape, turns: u32, arithmetic: Arithmetic) -> u64 {
    let of = Parts::of(shape, arithmetic);
    let flow = Flowing::of(shape, turns, arithmetic, true);
    let mut clock = Clock {
        step: CONSTANTS,
        ..Clock::default()
    };
    clock.transfer(flow.unit);
    clock.rows = clock.transfer;
    if shape.by_rows > 0 {
        clock.by_rows(shape, &of, &flow);
    } else if shape.stays {
        let later = Flowing::of(shape, turns, arithmetic, false);
        clock.flow_beside(&of, &flow);
        clock.put_down(&of);
        clock.again(shape.blocks() - 2, &mut |clock| {
            clock.flow_later(&of, &later);
            clock.put_down(&of);
        });
        clock.flow_later(&of, &later);
        clock.leave(&of);
    } else {
        clock.again(shape.blocks(), &mut |clock| clock.flow(&of, &flow));
    }
    clock.step.max(clock.transfer)
}

/// Steps of a product whose depth goes over the MABs of an L1B.
fn in_l1bs(shape: &Shape, arithmetic: Arithmetic) -> u64 {
    let blocks = u64::from(shape.j_blocks);
    let [own, leaving] = [in_l1bs::own(shape), in_l1bs::leaving(shape)].map(u64::from);
    let rows = u64::from(in_l1bs::row_vectors(shape)) * OWN_STEPS / 2;
    let columns = u64::from(in_l1bs::pace(shape));
    let results = leaving * 8 / 32;
    let tiles = u64::from(shape.tiles * shape.k_blocks);
    let multiply = arithmetic.steps(tiles, shape.steps.into(), true);
    let l2bm = own * u64::from(shape.transfers()) + leaving / 32 + u64::from(UP_AND_DOWN);
    let interval = multiply.max(l2bm).max(columns);
    let pack = if shape.halves.result { 2 * PACK } else { 0 };
    let last = rows + blocks * interval + l2bm + multiply + pack + LONG;
    (rows + blocks * (columns + results)).max(last + results)
}

/// Steps of such a loop.
struct Flowing {
    iterations: u64,
    interval: u64,
    /// Steps of the products of an iteration, and the interval of one that brings the column side
    /// of two.
    multiply: u64,
    twice_columns: u64,
    /// Iterations that are gone through twice, and the intervals the first and the second time;
    /// that of those before, which make two units.
    twice: u64,
    before: u64,
    halves: [u64; 2],
    /// Iterations in which a piece of the results of the block before leaves, if they leave in
    /// pieces.
    pieces: u64,
    /// Transfers of a unit of the row side, and of the column side of an iteration.
    unit: u64,
    columns: u64,
    /// Those that are issued before the loop, and the steps in which they are.
    first: u64,
    fetch: u64,
}

impl Flowing {
    /// Those of a block, with its column side or without it if it is there.
    fn of(shape: &Shape, turns: u32, arithmetic: Arithmetic, has_columns: bool) -> Self {
        let halves = shape.halves.rows;
        let (vectors, blocks) = arithmetic.unit(halves);
        let vector = shape.prepared.unwrap_or_default();
        let tiles = turns * shape.tiles / shape.span;
        let columns = match has_columns {
            true => turns * shape.span * shape.steps / shape.column_parts(),
            false => 0,
        };
        let of_vector = vector / TRANSFER.0;
        let own = shape.row_tiles() / shape.tiles;
        let kept = shape.keeps_blocks();
        let down = if kept {
            0
        } else {
            tiles * own * arithmetic.tile_words(true) / DOWN
        };
        let besides = columns * shape.transfers();
        let make = (vectors + if kept { 0 } else { blocks }) * of_vector;
        let l2bm = down + besides + make + UP_AND_DOWN;
        let tiles = u64::from(tiles);
        let (l1bm, transfers) = (tiles * arithmetic.transfers_of_tile(), columns + vectors);
        let l1bm = l1bm + u64::from(arithmetic.times_brought() * transfers + blocks);
        let multiply = tiles * u64::from(shape.steps.max(2));
        // While the matrix unit reads one of LM0 and LM1, the other one is free.
        let halves = if shape.halves.columns {
            let read = tiles * u64::from(shape.steps);
            read / 2 + arithmetic.steps_of_halves(columns, !shape.l1bs)
        } else {
            0
        };
        let iterations = u64::from(shape.k_blocks / shape.span / turns);
        // To both L2Bs of a group one after the other, or at once.
        let unit = u64::from(vectors * of_vector) * OWN_STEPS / if kept { 4 } else { 2 };
        let column = same_steps(shape);
        let slots = prepare::flow_slots(shape, vectors * vector);
        let depth = u64::from(flow::ahead(shape, columns, slots));
        let units = u64::from(slots).min(iterations);
        Flowing {
            iterations,
            interval: multiply.max(l2bm.into()).max(l1bm).max(halves),
            multiply,
            twice_columns: multiply.max((l2bm + besides).into()),
            twice: shape.twice.into(),
            before: multiply.max((l2bm + make).into()),
            halves: [down / 2 + besides, 0].map(|l2bm| (multiply / 2).max(l2bm.into())),
            pieces: behind::pieces(shape.results(), iterations as u32)
                .map_or(0, |size| u64::from(shape.results() * L2BM_VECTOR / size)),
            unit,
            columns: u64::from(columns) * column,
            first: depth * column + (units - 1) * unit,
            fetch: depth + 2 * units,
        }
    }
}

/// Steps of the MV instruction for a vector that all L2B get.
fn same_steps(shape: &Shape) -> u64 {
    let whole = u64::from(shape.cycles) * SAME_STEPS;
    match (shape.pairs, shape.l1bs) {
        (true, _) => whole / 2,
        (_, true) => whole / 4,
        _ => whole,
    }
}

/// Steps of each part of a block, or of a chunk of it.
struct Parts {
    /// To bring the column side of a chunk, and to convert it if it was brought before: transfers,
    /// and steps.
    columns: [u64; 2],
    convert: u64,
    /// A vector of it, and those of the next but one chunk that are issued while one is brought.
    column: u64,
    early: u64,
    /// Transfers of the row side of a chunk, and those before it is begun.
    rows: u64,
    first_rows: u64,
    /// Whether they come as vectors of which each is needed whole.
    is_split: bool,
    /// To make block floats of it, if they are made before.
    prepare: Option<u64>,
    multiply: u64,
    /// From the last of them to the last product.
    tail: u64,
    clear: u64,
    /// To make the first of the results, to put all down, and to take them away: transfers, and
    /// steps.
    first_put: u64,
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
        // Of a cycle of the column side, and of how many L2Bs a tile is.
        let (of_cycle, same) = if shape.columns_form().is_same() {
            (same_steps(shape) / cycles, 1)
        } else {
            (OWN_STEPS, 4)
        };
        // What takes two vectors of the column side apart, and makes one of two results.
        let unpack = if parts > 1 { vectors } else { 0 };
        let pack = if results < sums { PACK } else { 1 };
        let rows = blocks * tiles;
        let prepared = shape.prepared.is_some();
        let halves = prepared && shape.halves.rows;
        let beside = if shape.ahead { brought * 2 * cycles } else { 0 };
        let l2bm = arithmetic.row_transfers(rows, prepared) + beside;
        let rows = if halves { rows / 2 } else { rows }.div_ceil(same);
        let (first_rows, prepare) = match shape.prepared {
            None => (FIRST_ROWS.div_ceil(same).min(rows), None),
            Some(vector) => {
                let transfers = u64::from(vector / TRANSFER.0);
                let unit = transfers * OWN_STEPS / 2 * if halves { 1 } else { 2 };
                let each = transfers * if halves { 2 } else { 3 } + TURN_ROUND;
                let first = rows.min(2 * unit);
                (first, Some(rows / unit * each + LATENCY))
            }
        };
        let of = Parts {
            columns: [brought * cycles * of_cycle, brought * (2 * cycles).max(2)],
            convert: arithmetic.conversion_steps(vectors, parts) + unpack,
            column: cycles * of_cycle,
            early: if shape.ahead {
                cycles * of_cycle * u64::from(ahead::depth(shape, brought as u32))
            } else {
                0
            },
            rows,
            first_rows,
            is_split: false,
            prepare,
            multiply: arithmetic.steps(blocks * tiles, steps, prepared).max(l2bm),
            tail: 0,
            clear: sums.div_ceil(2),
            first_put: LONG + pack,
            put: results * pack + arithmetic.rounding_steps(sums),
            leave: [results * cycles * OWN_STEPS, results * 2 * cycles],
            chunks,
        };
        match shape.split {
            Some(split) => of.of_split(shape, split),
            None => of,
        }
    }

    /// The same, if the depth is split: the row side comes in vectors, two for each tile of 8x8, or
    /// one of bf16, and sums are joined before they leave.
    fn of_split(self, shape: &Shape, split: Split) -> Self {
        let vectors = 2 * u64::from(shape.k_blocks * shape.tiles);
        // The ALU takes two vectors of one, and makes block floats.
        let parts = u64::from(shape.row_parts());
        let alu = if parts > 1 { 2 * vectors } else { vectors };
        let vectors = vectors / parts;
        let words = u64::from(split::joined_words(shape, Fill::Least));
        let rows = vectors * VECTOR;
        let out = words / if split.has_l2bs() { 128 } else { 32 };
        Parts {
            rows,
            first_rows: rows.min(7 * VECTOR),
            is_split: true,
            multiply: self.multiply.max(vectors * DISTRIBUTED).max(alu),
            tail: DISTRIBUTED + LONG,
            first_put: LONG + u64::from(shape.vectors().div_ceil(2)) + words / 64 + JOINED,
            leave: [out, 0],
            ..self
        }
    }
}

/// Steps of the transfers of a vector to all L2Bs, and of one to the L1BMs.
const VECTOR: u64 = 4 * OWN_STEPS;
const DISTRIBUTED: u64 = 8;
/// Steps until sums are joined, beyond those of their transfers.
const JOINED: u64 = 8;

/// Steps of the transfers of the row side that are issued before it is needed.
const FIRST_ROWS: u64 = 96;

/// Those of the first of them.
const FIRST_TILES: u64 = 32;
/// Steps between the transfers of a unit of the row side to the PEs and those from there, beyond
/// these.
const TURN_ROUND: u64 = 6;
/// Steps of the transfers of results that still leave behind their loop.
const LEAVING: u64 = 4 * 4 * OWN_STEPS;
/// Steps to load constants; to make block floats of the first unit of the row side; between
/// transfers of an iteration to L1BM and those from there; and of the last iteration beyond the
/// interval, where both sides flow into one loop.
const CONSTANTS: u64 = 5;
const FIRST_UNIT: u64 = 15;
const UP_AND_DOWN: u32 = 5;
const BEHIND: u64 = 15;
/// Steps of making block floats of the row side beyond its iterations.
const LATENCY: u64 = 20;
/// Steps until the results of a tile of rows leave, behind its product.
const LEAVING_ROW: u64 = 70;
/// Steps of an interval in which the matrix unit does nothing there, as a chain of sums has no
/// slack: of a tile of rows; half as many before.
const STIFF: u64 = 4;

/// What was issued so far ends then; and so do the first transfers of the row side of the next
/// chunk, if it is to be prepared, and the last results.
#[derive(Clone, Copy, Debug, Default)]
struct Clock {
    step: u64,
    transfer: u64,
    rows: u64,
    results: u64,
}

impl Clock {
    /// Issues transfers.
    fn transfer(&mut self, transfers: u64) {
        self.transfer = self.transfer.max(self.step) + transfers;
    }

    /// A loop that waits for what it transfers, but for what it issues for later.
    fn beside(&mut self, steps: u64, transfers: u64, later: u64) {
        let begin = self.step;
        self.step += steps;
        if transfers > 0 {
            self.transfer = self.transfer.max(begin) + transfers;
            self.step = self.step.max(self.transfer.saturating_sub(later));
        }
    }

    /// Loads the column side of a chunk.
    fn columns(&mut self, of: &Parts) {
        let [transfers, steps] = of.columns;
        // The last vector is distributed when it is there.
        self.beside(steps, transfers, 0);
        self.step += SHORT + 2 * of.column / SAME_STEPS;
    }

    /// Issues the first transfers of the row side of a chunk that is to be prepared.
    fn rows(&mut self, of: &Parts) {
        self.transfer(of.first_rows);
        self.rows = self.transfer;
    }

    /// Makes block floats of the row side, and issues the first transfers of the next chunk.
    fn prepare(&mut self, of: &Parts, steps: u64) {
        self.step = self.step.max(self.rows) + steps;
        if of.rows > of.first_rows {
            self.transfer(of.rows - of.first_rows);
            self.step = self.step.max(self.transfer + LATENCY);
        }
        self.rows(of);
    }

    /// A block of a product into whose one loop both sides flow, up to its results.
    fn flow(&mut self, of: &Parts, flow: &Flowing) {
        self.flow_beside(of, flow);
        if flow.twice > 0 {
            return self.leave_twice(of, flow);
        }
        self.transfer(flow.unit);
        self.rows = self.transfer;
        self.leave(of);
    }

    /// Puts results down that leave beside the next block.
    fn put_down(&mut self, of: &Parts) {
        self.step += of.put + 2 * SHORT;
    }

    /// A later block of one whose column side stays, whose first units are there: in some of its
    /// iterations results of the block before leave.
    fn flow_later(&mut self, of: &Parts, flow: &Flowing) {
        self.step += FIRST_UNIT.max(of.clear);
        let leaving = flow.pieces.min(flow.iterations);
        for (iterations, others) in [(leaving, of.leave[0]), (flow.iterations - leaving, 0)] {
            self.beside(
                iterations * flow.interval,
                (iterations * flow.unit + others).max(1),
                flow.first,
            );
        }
        self.step += BEHIND;
    }

    /// The loop with what comes before it.
    fn flow_beside(&mut self, of: &Parts, flow: &Flowing) {
        self.transfer(flow.first);
        self.step += flow.fetch.max(FIRST_UNIT.max(of.clear));
        self.step = self.step.max(self.rows + FIRST_UNIT);
        // The first iteration waits for the unit of the next and for vector after vector.
        self.step = self.step.max(self.rows + flow.unit + flow.columns * 2 / 3);
        let all = flow.iterations * (flow.columns + flow.unit);
        let mut steps = flow.iterations * flow.interval + BEHIND;
        if flow.twice > 0 {
            let before = flow.twice - 1;
            steps -= (flow.twice + before) * flow.interval;
            steps += before * flow.before + flow.twice * flow.halves[0] + 2 * BEHIND;
        }
        self.beside(steps, all.saturating_sub(flow.first + flow.unit).max(1), 0);
        self.step = self.step.max(self.transfer + BEHIND + flow.interval / 2);
    }

    /// Three quarters of the iterations, with all of both sides, and one tile of rows after the
    /// other.
    fn by_rows(&mut self, shape: &Shape, of: &Parts, flow: &Flowing) {
        self.transfer(flow.first);
        self.step = self.rows.max(flow.fetch) + FIRST_UNIT;
        let by_rows = u64::from(shape.by_rows);
        let all = flow.iterations * (flow.columns + flow.unit);
        let transfers = all.saturating_sub(flow.first + flow.unit);
        let iterations = flow.iterations - by_rows;
        let interval = flow.twice_columns + STIFF / 2;
        self.beside(iterations * interval + 2 * BEHIND, transfers, 0);
        let tiles = u64::from(shape.tiles);
        let tile = flow.multiply * by_rows / tiles + STIFF;
        let first = self.step + tile + LEAVING_ROW;
        self.step += tiles * tile + LEAVING_ROW;
        self.transfer = self.transfer.max(first) + of.leave[0];
        self.transfer = self.transfer.max(self.step + of.leave[0] / tiles);
    }

    /// Takes one half of the results away, multiplies for the other, and takes that away.
    fn leave_twice(&mut self, of: &Parts, flow: &Flowing) {
        let half = Parts {
            leave: of.leave.map(|steps| steps / 2),
            ..*of
        };
        self.step += half.first_put;
        self.transfer(half.leave[0]);
        self.step += of.put / 2 + flow.twice * flow.halves[1] + BEHIND;
        self.leave(&half);
    }

    /// Issues the first transfers of tiles of a block, those of later blocks before the results of
    /// the block before, and waits until the product does not run out of them.
    fn tiles(&mut self, of: &Parts) {
        if self.rows == 0 {
            self.rows = self.transfer.max(self.step) + FIRST_TILES.min(of.first_rows);
        }
        self.transfer(of.first_rows);
        self.step = self.step.max(self.rows);
        if of.rows > of.first_rows || of.is_split {
            let lasts = of.multiply * of.first_rows / of.rows;
            self.step = self.step.max(self.transfer.saturating_sub(lasts));
        }
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
        if of.prepare.is_none() {
            self.tiles(of);
        }
        // Of a chunk that so many are to follow.
        let chunk = |clock: &mut Clock, follow: u32| {
            let is_last = follow == 0;
            let mut brought = leave;
            let mut later = leave.min(2 * OWN_STEPS);
            if of.prepare.is_none() {
                brought += of.rows - if is_last { of.first_rows } else { 0 };
                later += if follow > 1 { of.first_rows } else { 0 };
            }
            if shape.ahead {
                clock.step += of.convert + SHORT;
                brought += if is_last { 0 } else { of.columns[0] };
                later += if follow > 1 { of.early } else { 0 };
            } else if shape.chunks > 1 {
                clock.columns(of);
            }
            if let Some(steps) = of.prepare {
                clock.prepare(of, steps);
            }
            clock.beside(of.multiply + LONG, brought, later);
        };
        self.again(shape.chunks.saturating_sub(2), &mut |clock| chunk(clock, 2));
        if shape.chunks > 1 {
            chunk(self, 1);
        }
        chunk(self, 0);
        self.step += of.tail;
        if shape.behind {
            self.step += of.put + 2 * SHORT;
        } else {
            self.leave(of);
        }
    }

    /// Takes results away, those of the block before having left.
    fn leave(&mut self, of: &Parts) {
        let [transfers, steps] = of.leave;
        self.step = self.step.max(self.results) + of.first_put;
        self.beside(steps, transfers, LEAVING.min(of.leave[0]));
        self.results = self.transfer;
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
                let on = |now: &mut u64, before: u64| *now += more * now.saturating_sub(before);
                on(&mut self.transfer, before.transfer);
                on(&mut self.rows, before.rows);
                on(&mut self.results, before.results);
            }
        }
    }
}
