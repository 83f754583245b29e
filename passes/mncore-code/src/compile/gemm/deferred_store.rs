//! Deferred write-back: stores results while the product of the next block is computed.
//!
//! After its product, a block's results are moved to L1BM. If the depth has several chunks, they
//! are parked in LM1 instead, and some are moved to L1BM before each chunk of the next block.
//! During that chunk's product each result has a time slot: iterations in which its parts are
//! transferred to L2BM, the last of which also issues the MV instruction to DRAM. The results of
//! the last block are stored after all loops.
//!
//! Transfers to L2BM and to L1BM exclude one another for some steps after a change of direction.
//! Both are therefore batched: those of a period of iterations are issued in its
//! first.
//!
//! A pipelined product has few, long iterations. There results are stored in pieces, at most one
//! per iteration.
//!
//! The first block has no previous results: meaningless data is transferred up to L2BM, but not to
//! DRAM.

use tessera_isa_mncore::memory::{Bank, Width};

use super::loop_levels::{min_divisor_from, LoopLevels, BATCH, GROUP, PAIR, SLOT, TURN};
use crate::compile::data::distribution::Distribution;
use crate::compile::data::geometry::{L2BM_VECTOR, TRANSFER, VECTOR_WORDS};
use crate::compile::data::guards::{guards_below, guards_from, mixed_radix_digits, Guards};
use crate::compile::data::outer_loops::{scaled, OuterLoops};
use crate::compile::data::streams::{
    advance_parts, Direction, PartRate, StreamBuffer, VectorIndex,
};
use crate::compile::data::vectors::TensorVectors;
use crate::compile::elementwise::apply::copy;
use crate::compile::scratchpad::PREFETCHED_COLUMNS;
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::item::{Guard, Op, Operand, Place, Test};
use tessera_mncore_ir::kernel::Stage;

/// The stream buffer of these results, disjoint from those of concurrent loops.
pub(crate) const BUFFER: StreamBuffer = StreamBuffer::separate();

/// Idle steps between transfers to L1BM and from it (MN-Core 2 Software Developer Manual, section
/// 3.6.7).
pub(crate) const TURNAROUND: u32 = 5;

/// Results that are stored during the next block.
pub(crate) struct DeferredStore {
    vectors: TensorVectors,
    /// Their first word in LM1, if they are parked there.
    parked_at: Option<u32>,
    /// Results stored per chunk of the next block.
    of_chunk: u32,
    /// Chunks that store results.
    chunks: u32,
    line: u32,
}

/// A case in which a previous block exists: its guards, and the distance to its results.
struct PreviousBlock {
    when: Guards,
    /// Distance in long words, modulo the tensor.
    distance: u64,
}

/// Returns how many results are stored per chunk: a divisor of their number, so the last chunks may
/// store none.
pub(crate) fn results_per_chunk(results: u32, chunks: u32) -> u32 {
    min_divisor_from(results, results.div_ceil(chunks))
}

/// Returns how many transfers of a result are issued at once, every `period` iterations.
pub(crate) fn up_at_once(transfers: u32, iterations: u32, period: u32) -> Option<u32> {
    let fits = |&count: &u32| transfers % count == 0 && transfers / count * period <= iterations;
    (1..=transfers).find(fits)
}

/// Returns the smallest size of pieces, in long words of an L2BM, such that each iteration stores
/// at most one, the last are waited for within the loop, and L1BM holds all results.
pub(crate) fn pieces(results: u32, iterations: u32) -> Option<u32> {
    let sizes = (0..).map(|bits| TRANSFER.0 << bits);
    let mut sizes = sizes.take_while(|size| *size <= L2BM_VECTOR);
    let needed = |size| results * L2BM_VECTOR / size + BUFFER.with_piece_slots(size).slots();
    let size = sizes.find(|size| needed(*size) <= iterations);
    size.filter(|_| results <= BUFFER.l1bm_slots())
}

impl DeferredStore {
    /// Creates the store of result vectors in a product with this many chunks. `lm1_vectors` of LM1
    /// are taken by the column side.
    pub fn new(vectors: TensorVectors, (chunks, lm1_vectors): (u32, u32), line: u32) -> Self {
        let of_chunk = results_per_chunk(vectors.count, chunks);
        DeferredStore {
            parked_at: (chunks > 1)
                .then_some(PREFETCHED_COLUMNS.start + lm1_vectors * VECTOR_WORDS),
            of_chunk,
            chunks: vectors.count / of_chunk,
            vectors,
            line,
        }
    }

    /// Returns how many results are stored per chunk.
    pub fn results_per_chunk(&self) -> u32 {
        self.of_chunk
    }

    /// Returns the end of the parked results in LM1, in words.
    pub fn parked_end(&self) -> u32 {
        let words = |first| first + self.vectors.count * VECTOR_WORDS;
        self.parked_at.map_or(0, words)
    }

    /// Returns the place in LM1 of a result of an iteration, if it is parked.
    fn place(&self, body: &Body, turn: VectorIndex) -> Option<Place> {
        let first = self.parked_at? + turn.number * VECTOR_WORDS;
        let address = Address::affine(first, &body.innermost_steps(turn.count * VECTOR_WORDS));
        Some(Place::consecutive(Bank::Lm1, Width::Long, address))
    }

    /// Emits the items that take the result vectors of an iteration from their producers.
    pub fn store(&self, body: &mut Body, values: Vec<Operand>) {
        for (turn, value) in self.vectors.pack(body, values) {
            match self.place(body, turn) {
                Some(place) => body.push(copy(), vec![value], vec![place.into()]),
                None => {
                    let op = BUFFER.collect(&body.innermost_steps(turn.count), turn.number);
                    body.push(op, vec![value], Vec::new())
                }
            };
        }
    }

    /// Returns the stage that moves a chunk's results from LM1 to L1BM.
    pub fn move_to_l1bm(&self, outer: &OuterLoops, distribution: &Distribution) -> Option<Stage> {
        let (first, chunk) = (self.parked_at?, outer.chunk?);
        let mut body = Body::new(&outer.counts(distribution), &[self.of_chunk]);
        let mut walk = body.innermost_steps(1);
        walk[chunk] = self.of_chunk;
        let address = Address::affine(first, &scaled(&walk, VECTOR_WORDS));
        // After the last chunk that stores results the address wraps around to data that is not
        // read.
        let address = address.with_ring(0, Bank::Lm1.words().into());
        let place = Place::consecutive(Bank::Lm1, Width::Long, address);
        let item = body.push(BUFFER.collect(&walk, 0), vec![place.into()], Vec::new());
        item.when.push(guard(chunk, Test::Below(self.chunks)));
        item.line = self.line;
        Some(Stage::Loop("move_to_l1bm", body))
    }

    /// Emits the items that store the results of the previous block.
    pub fn store_during_product(
        &self,
        body: &mut Body,
        levels: &LoopLevels,
        distribution: &Distribution,
    ) {
        let begin = body.items.len();
        let slot = levels.dimension(SLOT);
        let mut walk = vec![0; body.dimensions()];
        walk[slot] = 1;
        let mut used = vec![guard(slot, Test::Below(self.of_chunk))];
        let mut results = vec![(slot, self.of_chunk)];
        if let Some(chunk) = levels.outer.chunk {
            walk[chunk] = self.of_chunk;
            used.push(guard(chunk, Test::Below(self.chunks)));
            results.insert(0, (chunk, self.chunks));
        }
        let befores = self.previous_block_cases(&levels.outer, distribution);
        // The previous result in its L2BM slot has been stored.
        let mut begins = levels.begins(SLOT);
        begins.retain(|guard| guard.dimension != levels.dimension(PAIR));
        begins.push(guard(
            levels.dimension(PAIR),
            Test::Is(levels.half_period()),
        ));
        for later in guards_from(&results, BUFFER.slots()) {
            for before in &befores {
                let when = [&used[..], &begins, &before.when, &later].concat();
                for &side in self.vectors.sides() {
                    body.push(BUFFER.wait(side, &walk, 0), Vec::new(), Vec::new())
                        .when
                        .clone_from(&when);
                }
            }
        }
        let last = self.transfers(body, levels, &walk, &used);
        for before in &befores {
            for &side in self.vectors.sides() {
                let outer = &levels.outer;
                let mut op = self
                    .vectors
                    .transfer(BUFFER, outer, &walk, side, Direction::Out, 0);
                if let Op::Mv(transfer) = &mut op {
                    let address = std::mem::take(&mut transfer.target.address);
                    transfer.target.address =
                        self.vectors.advance_address(address, before.distance);
                }
                body.push(op, Vec::new(), Vec::new()).when =
                    [&used[..], &last, &before.when].concat();
            }
        }
        for item in &mut body.items[begin..] {
            item.line = self.line;
        }
    }

    /// Emits the transfers of a result to L2BM over the iterations of its time slot. Returns the
    /// guards of the last of these.
    fn transfers(
        &self,
        body: &mut Body,
        levels: &LoopLevels,
        walk: &[u32],
        used: &Guards,
    ) -> Guards {
        let (parts, period) = (self.vectors.transfers(), levels.period);
        let at_once = up_at_once(parts, levels.count_within(PAIR, SLOT), period).unwrap_or(parts);
        let inner_levels = [BATCH, TURN, GROUP, PAIR];
        let moved =
            inner_levels.map(|level| (levels.dimension(level), levels.count_within(PAIR, level)));
        let counts = inner_levels.map(|level| (levels.dimension(level), levels.trip[level]));
        let pace = PartRate {
            parts: at_once,
            of: period,
            from: levels.half_period(),
        };
        for number in 0..at_once {
            let op = BUFFER.up(walk, 0, number);
            let op = advance_parts(op, &moved, pace);
            for guards in guards_below(&counts, parts / at_once * period) {
                let when = [&used[..], &guards, &levels.batched(true)].concat();
                body.push(op.clone(), Vec::new(), Vec::new()).when = when;
            }
        }
        let last = mixed_radix_digits(&counts, (parts / at_once - 1) * period + pace.from);
        let is = |((dimension, _), digit)| guard(dimension, Test::Is(digit));
        counts.into_iter().zip(last).map(is).collect()
    }

    /// Emits the items that store the previous block's results in pieces, in a pipelined loop.
    pub fn store_in_pieces(
        &self,
        body: &mut Body,
        outer: &OuterLoops,
        distribution: &Distribution,
    ) {
        let begin = body.items.len();
        let time = body.dimensions() - 1;
        let size = pieces(self.vectors.count, body.trip[0]).unwrap_or(L2BM_VECTOR);
        let (buffer, count) = (
            BUFFER.with_piece_slots(size),
            self.vectors.count * L2BM_VECTOR / size,
        );
        let walk = body.innermost_steps(1);
        for before in self.previous_block_cases(outer, distribution) {
            let when = [&before.when[..], &[guard(time, Test::Below(count))]].concat();
            // The previous content of its L2BM slot has been stored; the last pieces are waited for
            // within the loop.
            let waits = [
                Test::From(buffer.slots()),
                Test::Below(count + buffer.slots()),
            ];
            let waits = waits.map(|test| guard(time, test));
            let waits = [&before.when[..], &waits].concat();
            for &side in self.vectors.sides() {
                let wait = buffer.wait(side, &walk, 0);
                body.push(wait, Vec::new(), Vec::new())
                    .when
                    .clone_from(&waits);
            }
            for number in 0..size / TRANSFER.0 {
                let up = buffer.up(&walk, 0, number);
                body.push(up, Vec::new(), Vec::new()).when.clone_from(&when);
            }
            for &side in self.vectors.sides() {
                let mut op = self
                    .vectors
                    .transfer(buffer, outer, &walk, side, Direction::Out, 0);
                if let Op::Mv(transfer) = &mut op {
                    let still = vec![0; body.dimensions()];
                    let mut address = self.vectors.dram(outer, &still, 0, side);
                    address.steps[time] += size;
                    transfer.words = size;
                    transfer.target.address =
                        self.vectors.advance_address(address, before.distance);
                }
                body.push(op, Vec::new(), Vec::new()).when.clone_from(&when);
            }
        }
        for item in &mut body.items[begin..] {
            item.line = self.line;
        }
    }

    /// Returns the cases in which a previous block exists.
    fn previous_block_cases(
        &self,
        outer: &OuterLoops,
        distribution: &Distribution,
    ) -> Vec<PreviousBlock> {
        let loops = outer.blocks(distribution);
        let strides = self.vectors.block_strides();
        let span = self.vectors.span();
        let mut found = Vec::new();
        let (mut when, mut last) = (Vec::new(), 0);
        // From the innermost loop outwards: this loop was one iteration behind, those inside of it
        // at their last.
        for ((dimension, count), stride) in loops.into_iter().zip(strides).rev() {
            let Some(dimension) = dimension else { continue };
            let stride = u64::from(stride);
            found.push(PreviousBlock {
                when: [&when[..], &[guard(dimension, Test::From(1))]].concat(),
                distance: (last + span - stride) % span,
            });
            when.push(guard(dimension, Test::Is(0)));
            last += u64::from(count - 1) * stride;
        }
        found
    }

    /// Returns the stage that waits for the last results of the previous block, after the product.
    pub fn wait(&self, around: &OuterLoops, distribution: &Distribution) -> Stage {
        let mut body = Body::new(&around.counts(distribution), &[]);
        for before in self.previous_block_cases(around, distribution) {
            let begin = body.items.len();
            self.vectors.wait_for_last(&mut body, BUFFER);
            for item in &mut body.items[begin..] {
                item.when.clone_from(&before.when);
            }
        }
        Stage::Loop("wait", body)
    }

    /// Returns the stages that store the results of the last block, after all loops.
    pub fn store_last_block(&self, distribution: &Distribution) -> Vec<Stage> {
        let vectors = self.vectors.last_block(distribution);
        let mut body = Body::new(&[], &[vectors.count]);
        if let Some(place) = self.place(&body, VectorIndex::ONLY) {
            let op = BUFFER.collect(&body.innermost_steps(1), 0);
            body.push(op, vec![place.into()], Vec::new());
        }
        vectors.store_from_l1bm(&mut body, BUFFER, &OuterLoops::default(), VectorIndex::ONLY);
        let mut wait = Body::new(&[], &[]);
        vectors.wait_for_last(&mut wait, BUFFER);
        for item in body.items.iter_mut().chain(&mut wait.items) {
            item.line = self.line;
        }
        vec![
            Stage::Loop("store_last_block", body),
            Stage::Loop("wait", wait),
        ]
    }
}

fn guard(dimension: usize, test: Test) -> Guard {
    Guard { dimension, test }
}
