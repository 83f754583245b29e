//! The column side of a product, a chunk ahead: while one is multiplied, the next one comes to LM1.
//!
//! Vectors of all chunks are one stream. In an iteration of the product that begins a vector's
//! time, the transfer of a vector some way behind it is issued, and that of the vector itself is
//! waited for; its parts come to the L1BMs in this and the next iterations, and to LM1 in the last
//! of them.

use tessera_isa_mncore::memory::{Bank, Width};

use super::arguments::Arguments;
use super::product::line;
use super::shape::{Shape, VECTOR_WORDS};
use super::streams::{moving, Direction, Lane, Pace, Turn};
use super::times::{Times, GROUP, PAIR};
use super::vectors::{scaled, Form, Outer, Role, Use, Vectors};
use super::CompileError;
use crate::whole::{Expr, ExprKind, Spread};
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::item::{Guard, Place, Test};
use tessera_mncore_ir::kernel::Stage;

/// How many vectors L2BM has places for.
const SLOTS: u32 = 8;

/// How many vectors ahead transfers are issued, if a chunk has so many.
pub(super) fn depth(shape: &Shape, vectors: u32) -> u32 {
    (SLOTS - shape.steps).min(vectors)
}

/// A column side that is brought ahead.
pub(super) struct Ahead {
    pub tensor: usize,
    pub spread: Spread,
    pub vectors: Vectors,
    lane: Lane,
    /// How many vectors ahead transfers are issued.
    depth: u32,
    line: u32,
}

impl Ahead {
    /// The one tensor of an expression, placed.
    pub fn new(
        arguments: &mut Arguments,
        expr: &Expr,
        roles: [Role; 2],
        shape: &Shape,
    ) -> Result<Self, CompileError> {
        let mut leaf = (0, Spread::default(), 0);
        expr.visit(&mut |part| {
            if let ExprKind::Tensor(tensor, spread) = part.kind {
                leaf = (tensor, spread, part.location);
            }
        });
        let (tensor, spread, location) = leaf;
        let r#use = Use::of(arguments.tensor(tensor), roles, spread);
        let halves = shape.column_parts() == 2;
        let vectors = arguments.place(tensor, &r#use, Form::Same, halves)?;
        Ok(Ahead {
            tensor,
            spread,
            depth: depth(shape, vectors.count),
            vectors,
            lane: Lane::wide(SLOTS),
            line: line(location),
        })
    }

    /// Where the vectors of a chunk land.
    pub fn landed(steps: &[u32]) -> Place {
        let address = Address::moving(0, steps);
        Place::consecutive(Bank::Lm1, Width::Long, address)
    }

    /// Brings the first chunk.
    pub fn first(&self, around: &Outer, shape: &Shape) -> Vec<Stage> {
        let outer = around.counts(shape);
        let mut fetch = Body::new(&outer, &[]);
        self.vectors.fetch(&mut fetch, self.lane, around, 0);
        let mut bring = Body::new(&outer, &[self.vectors.count]);
        let landed = Ahead::landed(&bring.along(VECTOR_WORDS));
        let only = Turn::ONLY;
        self.vectors
            .bring_to(&mut bring, self.lane, around, only, landed);
        let mut clear = Body::new(&outer, &[]);
        if self.vectors.leaves_cycles() {
            self.lane.clear(&mut clear);
        }
        let mut stages = vec![self.stage("fetch", fetch)];
        if !clear.items.is_empty() {
            stages.push(self.stage("clear", clear));
        }
        stages.push(self.stage("columns", bring));
        stages
    }

    /// Fetches the first vectors of the second.
    pub fn second(&self, around: &Outer, shape: &Shape) -> Stage {
        let mut next = Body::new(&around.counts(shape), &[]);
        for vector in 0..self.depth {
            let number = self.vectors.count + vector;
            self.vectors.fetch(&mut next, self.lane, around, number);
        }
        self.stage("fetch", next)
    }

    fn stage(&self, name: &'static str, mut body: Body) -> Stage {
        for item in &mut body.items {
            item.line = self.line;
        }
        Stage::Loop(name, body)
    }

    /// The items that bring the next chunk while one is multiplied.
    pub fn bring(&self, body: &mut Body, times: &Times) {
        let first = body.items.len();
        let next = self.vectors.count;
        let [walk, land] = [times.number(GROUP), times.in_chunk(GROUP)];
        // Where vectors lie in DRAM, their number says.
        let around = Outer {
            chunk: None,
            ..times.outer
        };
        let begins = times.begins(GROUP);
        for guards in times.below(GROUP, times.count(GROUP) - next - self.depth) {
            let ahead = next + self.depth;
            let op = self
                .vectors
                .r#move(self.lane, &around, &walk, 0, Direction::In, ahead);
            body.push(op, Vec::new(), Vec::new()).when = [guards, begins.clone()].concat();
        }
        let begin = body.items.len();
        body.push(self.lane.wait(0, &walk, next), Vec::new(), Vec::new())
            .when = begins;
        let at = |test| Guard {
            dimension: times.dimension(PAIR),
            test,
        };
        let (inner, period) = (times.trip[PAIR], times.period);
        let parts = self.vectors.transfers();
        let at_once = parts.div_ceil(inner / period);
        let used = parts.div_ceil(at_once) * period;
        for number in 0..at_once {
            let part = self.lane.down(&walk, next, number);
            let pace = Pace {
                parts: at_once,
                of: period,
                from: 0,
            };
            let part = moving(part, &[(times.dimension(PAIR), 1)], pace);
            let item = body.push(part, Vec::new(), Vec::new());
            item.when = times.gathers(false);
            if used < inner {
                item.when.push(at(Test::Below(used)));
            }
        }
        let landed = Ahead::landed(&scaled(&land, VECTOR_WORDS));
        body.push(
            self.lane.to_pes(&walk, next),
            Vec::new(),
            vec![landed.into()],
        )
        .when = vec![at(Test::Is(inner - 1))];
        // All but the last chunk: one range.
        for guards in times.below(GROUP, times.count(GROUP) - next) {
            body.items[begin..]
                .iter_mut()
                .for_each(|item| item.when.extend(&guards));
        }
        body.items[first..]
            .iter_mut()
            .for_each(|item| item.line = self.line);
    }
}
