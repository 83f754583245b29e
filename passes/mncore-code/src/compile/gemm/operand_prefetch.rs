//! Operand prefetch: loads the next chunk of the column side to LM1 while one is multiplied.
//!
//! The vectors of all chunks form one stream. At the first iteration of a vector's time slot, the
//! MV instruction of a later vector is issued, and that of the vector itself is waited for. Its
//! parts are transferred to the L1BMs in this iteration and the following ones, and to LM1 in the
//! last.

use tessera_isa_mncore::memory::{Bank, Width};

use super::loop_levels::{LoopLevels, GROUP, PAIR};
use crate::compile::data::arguments::Arguments;
use crate::compile::data::distribution::Distribution;
use crate::compile::data::geometry::{L2BM_VECTOR, VECTOR_WORDS};
use crate::compile::data::outer_loops::{scaled, OuterLoops};
use crate::compile::data::streams::{
    advance_parts, Direction, PartRate, StreamBuffer, VectorIndex,
};
use crate::compile::data::tensor_use::{Role, TensorUse};
use crate::compile::data::vector_layout::VectorLayout;
use crate::compile::data::vectors::TensorVectors;
use crate::compile::error::CompileError;
use crate::compile::scratchpad::{COLUMN_STREAM, PREFETCHED_COLUMNS};
use crate::compile::stages::line;
use crate::raise::{BroadcastView, Expr, ExprKind};
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::item::{Guard, Place, Test};
use tessera_mncore_ir::kernel::Stage;

/// Slots of L2BM.
const SLOTS: u32 = COLUMN_STREAM.slots(L2BM_VECTOR);

/// Returns how many vectors ahead transfers are issued: the slots of L2BM less the column vectors
/// of a block, and at most `vectors`.
pub(crate) fn prefetch_distance(distribution: &Distribution, vectors: u32) -> u32 {
    (SLOTS - distribution.steps).min(vectors)
}

/// A prefetched column side.
pub(crate) struct ColumnPrefetch {
    pub tensor: usize,
    pub broadcast: BroadcastView,
    pub vectors: TensorVectors,
    buffer: StreamBuffer,
    /// How many vectors ahead transfers are issued.
    depth: u32,
    line: u32,
}

impl ColumnPrefetch {
    /// Places the only tensor of an expression, packing bf16 if `halves`.
    pub fn new(
        arguments: &mut Arguments,
        expr: &Expr,
        roles: [Role; 2],
        distribution: &Distribution,
        halves: bool,
    ) -> Result<Self, CompileError> {
        let mut leaf = (0, BroadcastView::default(), 0);
        expr.visit(&mut |part| {
            if let ExprKind::Tensor(tensor, broadcast) = part.kind {
                leaf = (tensor, broadcast, part.location);
            }
        });
        let (tensor, broadcast, location) = leaf;
        let r#use = TensorUse::new(arguments.tensor(tensor), roles, broadcast);
        let vectors = arguments.place(tensor, &r#use, VectorLayout::Replicated, halves)?;
        Ok(ColumnPrefetch {
            tensor,
            broadcast,
            depth: prefetch_distance(distribution, vectors.count),
            vectors,
            buffer: StreamBuffer::wide(COLUMN_STREAM),
            line: line(location),
        })
    }

    /// Returns the place in LM1 of a chunk's vectors.
    pub fn lm1_place(steps: &[u32]) -> Place {
        let address = Address::affine(PREFETCHED_COLUMNS.start, steps);
        Place::consecutive(Bank::Lm1, Width::Long, address)
    }

    /// Returns the stages that load the first chunk.
    pub fn load_first_chunk(&self, around: &OuterLoops, distribution: &Distribution) -> Vec<Stage> {
        let outer = around.counts(distribution);
        let mut fetch = Body::new(&outer, &[]);
        self.vectors.prefetch(&mut fetch, self.buffer, around, 0);
        let mut bring = Body::new(&outer, &[self.vectors.count]);
        let landed = ColumnPrefetch::lm1_place(&bring.innermost_steps(VECTOR_WORDS));
        let only = VectorIndex::ONLY;
        self.vectors
            .load_to(&mut bring, self.buffer, around, only, landed);
        let mut clear = Body::new(&outer, &[]);
        if self.vectors.has_empty_cycles() {
            self.buffer.clear(&mut clear);
        }
        let mut stages = vec![self.stage("fetch", fetch)];
        if !clear.items.is_empty() {
            stages.push(self.stage("clear", clear));
        }
        stages.push(self.stage("columns", bring));
        stages
    }

    /// Returns the stage that fetches the first vectors of the second chunk.
    pub fn fetch_second_chunk(&self, around: &OuterLoops, distribution: &Distribution) -> Stage {
        let mut next = Body::new(&around.counts(distribution), &[]);
        for vector in 0..self.depth {
            let number = self.vectors.count + vector;
            self.vectors
                .prefetch(&mut next, self.buffer, around, number);
        }
        self.stage("fetch", next)
    }

    fn stage(&self, name: &'static str, mut body: Body) -> Stage {
        for item in &mut body.items {
            item.line = self.line;
        }
        Stage::Loop(name, body)
    }

    /// Emits the items that load the next chunk during multiplication.
    pub fn load_next_chunk(&self, body: &mut Body, levels: &LoopLevels) {
        let first = body.items.len();
        let next = self.vectors.count;
        let [walk, land] = [
            levels.index_in_all_chunks(GROUP),
            levels.index_in_chunk(GROUP),
        ];
        // The number of a vector determines its place in DRAM.
        let around = OuterLoops {
            chunk: None,
            ..levels.outer
        };
        let begins = levels.begins(GROUP);
        for guards in levels.below(GROUP, levels.count(GROUP) - next - self.depth) {
            let ahead = next + self.depth;
            let op = self
                .vectors
                .transfer(self.buffer, &around, &walk, 0, Direction::In, ahead);
            body.push(op, Vec::new(), Vec::new()).when = [guards, begins.clone()].concat();
        }
        let begin = body.items.len();
        body.push(self.buffer.wait(0, &walk, next), Vec::new(), Vec::new())
            .when = begins;
        let at = |test| Guard {
            dimension: levels.dimension(PAIR),
            test,
        };
        let (inner, period) = (levels.trip[PAIR], levels.period);
        let parts = self.vectors.transfers();
        let at_once = parts.div_ceil(inner / period);
        let used = parts.div_ceil(at_once) * period;
        for number in 0..at_once {
            let part = self.buffer.down(&walk, next, number);
            let pace = PartRate {
                parts: at_once,
                of: period,
                from: 0,
            };
            let part = advance_parts(part, &[(levels.dimension(PAIR), 1)], pace);
            let item = body.push(part, Vec::new(), Vec::new());
            item.when = levels.batched(false);
            if used < inner {
                item.when.push(at(Test::Below(used)));
            }
        }
        let landed = ColumnPrefetch::lm1_place(&scaled(&land, VECTOR_WORDS));
        body.push(
            self.buffer.to_pes(&walk, next),
            Vec::new(),
            vec![landed.into()],
        )
        .when = vec![at(Test::Is(inner - 1))];
        // All chunks but the last: one range.
        for guards in levels.below(GROUP, levels.count(GROUP) - next) {
            body.items[begin..]
                .iter_mut()
                .for_each(|item| item.when.extend(&guards));
        }
        body.items[first..]
            .iter_mut()
            .for_each(|item| item.line = self.line);
    }
}
