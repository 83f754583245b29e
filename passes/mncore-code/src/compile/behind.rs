//! Results that leave beside the product of the next block.
//!
//! Behind its product a block's results go to L1BM, all of them if the depth has one chunk; else
//! they are put down in LM1, and some of them go to L1BM before each chunk of the next block. In
//! that chunk's product each has a slot: iterations in which its parts go to L2BM, and with the
//! last of them to DRAM. Those of the last block leave behind all loops.
//!
//! Transfers to L2BM keep those to L1BM away for some steps, and the other way round. So both are
//! gathered: those of a [`period`] of iterations are issued in its first.
//!
//! Where both sides flow into the loop, there are few iterations, and long ones: results leave in
//! pieces, one in each of as many iterations.
//!
//! In the first block there is nothing to take away: what lies there goes up to L2BM, and no
//! further.

use tessera_isa_mncore::memory::{Bank, Width};

use super::apply::copy;
use super::shape::{Shape, VECTOR_WORDS};
use super::streams::{moving, Direction, Lane, Pace, Turn, TRANSFER};
use super::times::{self, least_divisor, Guards, Times, BATCH, GROUP, PAIR, SLOT, TURN};
use super::vectors::{scaled, Outer, Vectors, L2BM_VECTOR};
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::item::{Guard, Op, Operand, Place, Test};
use tessera_mncore_ir::kernel::Stage;

/// The lane of these results: none of those that other loops use meanwhile.
const LANE: Lane = Lane::apart();

/// Steps without a transfer where one to L1BM follows one from there and one from there follows one
/// to it (3.6.7).
const TURN_ROUND: u32 = 5;

/// Results that leave later.
pub(super) struct Behind {
    vectors: Vectors,
    /// Where they lie in LM1, if they do.
    put_down: Option<u32>,
    /// How many leave in a chunk of the next block.
    of_chunk: u32,
    /// In how many chunks.
    chunks: u32,
    line: u32,
}

/// The block before: when there is one, whose innermost loop that goes on is this, and how far its
/// results lie.
struct Before {
    when: Guards,
    /// Long words, around the tensor.
    distance: u64,
}

/// How many results leave in a chunk.
pub(super) fn of_chunk(results: u32, chunks: u32) -> u32 {
    least_divisor(results, results.div_ceil(chunks))
}

/// Of how many pairs transfers are gathered, so that those of results find steps, if an iteration
/// takes so many and has so many that bring its tiles; none if they never do.
pub(super) fn period(shape: &Shape, length: u32, rows: u32) -> Option<u32> {
    let leaving = of_chunk(shape.results(), shape.chunks);
    if leaving > LANE.l1bm_slots() || leaving > shape.turns() {
        return None;
    }
    let transfers = shape.transfers();
    let slot = shape.turns() / least_divisor(shape.turns(), leaving) * shape.pairs();
    let brought = if shape.ahead {
        (transfers * shape.groups()).div_ceil(shape.pairs())
    } else {
        0
    };
    let fits = |period: &u32| {
        let up = up_at_once(transfers, slot, *period);
        let down = period * (rows + brought);
        shape.pairs() / shape.groups() % period == 0
            && up.is_some_and(|up| down + up + TURN_ROUND <= period * length)
    };
    [1, 2, 4, 8].into_iter().find(fits)
}

/// How many of a result's transfers are issued at once, every so many of its iterations.
fn up_at_once(transfers: u32, iterations: u32, period: u32) -> Option<u32> {
    let fits = |&count: &u32| transfers % count == 0 && transfers / count * period <= iterations;
    (1..=transfers).find(fits)
}

/// In pieces of how many long words of an L2BM so many results leave, if none is less than a
/// transfer, and of so many iterations each has one at most, with some left in which the last are
/// waited for; and if L1BM has places for all.
pub(super) fn pieces(results: u32, iterations: u32) -> Option<u32> {
    let sizes = (0..).map(|bits| TRANSFER.0 << bits);
    let mut sizes = sizes.take_while(|size| *size <= L2BM_VECTOR);
    let needed = |size| results * L2BM_VECTOR / size + LANE.of_pieces(size).slots();
    let size = sizes.find(|size| needed(*size) <= iterations);
    size.filter(|_| results <= LANE.l1bm_slots())
}

impl Behind {
    pub fn new(vectors: Vectors, shape: &Shape, line: u32) -> Self {
        let of_chunk = of_chunk(vectors.count, shape.chunks);
        let put_down = shape.brought_vectors() * VECTOR_WORDS;
        Behind {
            put_down: (shape.chunks > 1).then_some(put_down),
            of_chunk,
            chunks: vectors.count / of_chunk,
            vectors,
            line,
        }
    }

    /// How many leave in a chunk.
    pub fn of_chunk(&self) -> u32 {
        self.of_chunk
    }

    /// Up to which word they lie in LM1.
    pub fn words(&self) -> u32 {
        let words = |first| first + self.vectors.count * VECTOR_WORDS;
        self.put_down.map_or(0, words)
    }

    /// Where a result of an iteration lies in LM1, if it does.
    fn place(&self, body: &Body, turn: Turn) -> Option<Place> {
        let first = self.put_down? + turn.number * VECTOR_WORDS;
        let address = Address::moving(first, &body.along(turn.of * VECTOR_WORDS));
        Some(Place::consecutive(Bank::Lm1, Width::Long, address))
    }

    /// The items that take the PEs' vectors of an iteration from where they are made.
    pub fn put(&self, body: &mut Body, values: Vec<Operand>) {
        for (turn, value) in self.vectors.packed(body, values) {
            match self.place(body, turn) {
                Some(place) => body.push(copy(), vec![value], vec![place.into()]),
                None => {
                    let op = LANE.collect(&body.along(turn.of), turn.number);
                    body.push(op, vec![value], Vec::new())
                }
            };
        }
    }

    /// Brings the results that leave in a chunk from LM1 to L1BM.
    pub fn raise(&self, outer: &Outer, shape: &Shape) -> Option<Stage> {
        let (first, chunk) = (self.put_down?, outer.chunk?);
        let mut body = Body::new(&outer.counts(shape), &[self.of_chunk]);
        let mut walk = body.along(1);
        walk[chunk] = self.of_chunk;
        let address = Address::moving(first, &scaled(&walk, VECTOR_WORDS));
        // Behind the last chunk in which some leave, it goes around: to what nobody reads.
        let address = address.around(0, Bank::Lm1.words().into());
        let place = Place::consecutive(Bank::Lm1, Width::Long, address);
        let item = body.push(LANE.collect(&walk, 0), vec![place.into()], Vec::new());
        item.when.push(at(chunk, Test::Below(self.chunks)));
        item.line = self.line;
        Some(Stage::Loop("raise", body))
    }

    /// The items that take the results of the block before away.
    pub fn leave(&self, body: &mut Body, times: &Times, shape: &Shape) {
        let begin = body.items.len();
        let slot = times.dimension(SLOT);
        let mut walk = vec![0; body.dimensions()];
        walk[slot] = 1;
        let mut used = vec![at(slot, Test::Below(self.of_chunk))];
        let mut results = vec![(slot, self.of_chunk)];
        if let Some(chunk) = times.outer.chunk {
            walk[chunk] = self.of_chunk;
            used.push(at(chunk, Test::Below(self.chunks)));
            results.insert(0, (chunk, self.chunks));
        }
        let befores = self.before(&times.outer, shape);
        // What lay in its place in L2BM has left.
        let mut begins = times.begins(SLOT);
        begins.retain(|guard| guard.dimension != times.dimension(PAIR));
        begins.push(at(times.dimension(PAIR), Test::Is(times.half_period())));
        for later in times::from(&results, LANE.slots()) {
            for before in &befores {
                let when = [&used[..], &begins, &before.when, &later].concat();
                for &side in self.vectors.sides() {
                    body.push(LANE.wait(side, &walk, 0), Vec::new(), Vec::new())
                        .when
                        .clone_from(&when);
                }
            }
        }
        let last = self.transfers(body, times, &walk, &used);
        for before in &befores {
            for &side in self.vectors.sides() {
                let outer = &times.outer;
                let mut op = self
                    .vectors
                    .r#move(LANE, outer, &walk, side, Direction::Out, 0);
                if let Op::Mv(transfer) = &mut op {
                    let address = std::mem::take(&mut transfer.target.address);
                    transfer.target.address = self.vectors.further(address, before.distance);
                }
                body.push(op, Vec::new(), Vec::new()).when =
                    [&used[..], &last, &before.when].concat();
            }
        }
        for item in &mut body.items[begin..] {
            item.line = self.line;
        }
    }

    /// The transfers of a result to L2BM, over iterations of its slot; that an iteration is the
    /// last of these.
    fn transfers(&self, body: &mut Body, times: &Times, walk: &[u32], used: &Guards) -> Guards {
        let (parts, period) = (self.vectors.transfers(), times.period);
        let at_once = up_at_once(parts, times.within(PAIR, SLOT), period).unwrap_or(parts);
        let levels = [BATCH, TURN, GROUP, PAIR];
        let moved = levels.map(|level| (times.dimension(level), times.within(PAIR, level)));
        let counts = levels.map(|level| (times.dimension(level), times.trip[level]));
        let pace = Pace {
            parts: at_once,
            of: period,
            from: times.half_period(),
        };
        for number in 0..at_once {
            let op = LANE.up(walk, 0, number);
            let op = moving(op, &moved, pace);
            for guards in times::below(&counts, parts / at_once * period) {
                let when = [&used[..], &guards, &times.gathers(true)].concat();
                body.push(op.clone(), Vec::new(), Vec::new()).when = when;
            }
        }
        let last = times::digits(&counts, (parts / at_once - 1) * period + pace.from);
        let is = |((dimension, _), digit)| at(dimension, Test::Is(digit));
        counts.into_iter().zip(last).map(is).collect()
    }

    /// The items that take the results of the block before away, beside iterations into which both
    /// sides flow.
    pub fn leave_in_pieces(&self, body: &mut Body, outer: &Outer, shape: &Shape) {
        let begin = body.items.len();
        let time = body.dimensions() - 1;
        let size = pieces(self.vectors.count, body.trip[0]).unwrap_or(L2BM_VECTOR);
        let (lane, count) = (
            LANE.of_pieces(size),
            self.vectors.count * L2BM_VECTOR / size,
        );
        let walk = body.along(1);
        for before in self.before(outer, shape) {
            let when = [&before.when[..], &[at(time, Test::Below(count))]].concat();
            // What lay in its place in L2BM has left, and the last have at the end.
            let waits = [Test::From(lane.slots()), Test::Below(count + lane.slots())];
            let waits = waits.map(|test| at(time, test));
            let waits = [&before.when[..], &waits].concat();
            for &side in self.vectors.sides() {
                let wait = lane.wait(side, &walk, 0);
                body.push(wait, Vec::new(), Vec::new())
                    .when
                    .clone_from(&waits);
            }
            for number in 0..size / TRANSFER.0 {
                let up = lane.up(&walk, 0, number);
                body.push(up, Vec::new(), Vec::new()).when.clone_from(&when);
            }
            for &side in self.vectors.sides() {
                let mut op = self
                    .vectors
                    .r#move(lane, outer, &walk, side, Direction::Out, 0);
                if let Op::Mv(transfer) = &mut op {
                    let still = vec![0; body.dimensions()];
                    let mut address = self.vectors.dram(outer, &still, 0, side);
                    address.steps[time] += size;
                    transfer.words = size;
                    transfer.target.address = self.vectors.further(address, before.distance);
                }
                body.push(op, Vec::new(), Vec::new()).when.clone_from(&when);
            }
        }
        for item in &mut body.items[begin..] {
            item.line = self.line;
        }
    }

    /// The cases in which there is a block before.
    fn before(&self, outer: &Outer, shape: &Shape) -> Vec<Before> {
        let loops = outer.blocks(shape);
        let strides = self.vectors.block_strides();
        let span = self.vectors.span();
        let mut found = Vec::new();
        let (mut when, mut last) = (Vec::new(), 0);
        // From the innermost loop out: it goes one back, those in it stand at their first index and
        // go to their last.
        for ((dimension, count), stride) in loops.into_iter().zip(strides).rev() {
            let Some(dimension) = dimension else { continue };
            let stride = u64::from(stride);
            found.push(Before {
                when: [&when[..], &[at(dimension, Test::From(1))]].concat(),
                distance: (last + span - stride) % span,
            });
            when.push(at(dimension, Test::Is(0)));
            last += u64::from(count - 1) * stride;
        }
        found
    }

    /// What waits for the last results of the block before, behind the product.
    pub fn wait(&self, around: &Outer, shape: &Shape) -> Stage {
        let mut body = Body::new(&around.counts(shape), &[]);
        for before in self.before(around, shape) {
            let begin = body.items.len();
            self.vectors.wait_last(&mut body, LANE);
            for item in &mut body.items[begin..] {
                item.when.clone_from(&before.when);
            }
        }
        Stage::Loop("wait", body)
    }

    /// Takes the results of the last block away, behind all loops.
    pub fn last(&self, shape: &Shape) -> Vec<Stage> {
        let vectors = self.vectors.of_last_block(shape);
        let mut body = Body::new(&[], &[vectors.count]);
        if let Some(place) = self.place(&body, Turn::ONLY) {
            let op = LANE.collect(&body.along(1), 0);
            body.push(op, vec![place.into()], Vec::new());
        }
        vectors.take_up(&mut body, LANE, &Outer::default(), Turn::ONLY);
        let mut wait = Body::new(&[], &[]);
        vectors.wait_last(&mut wait, LANE);
        for item in body.items.iter_mut().chain(&mut wait.items) {
            item.line = self.line;
        }
        vec![Stage::Loop("leave", body), Stage::Loop("wait", wait)]
    }
}

fn at(dimension: usize, test: Test) -> Guard {
    Guard { dimension, test }
}
