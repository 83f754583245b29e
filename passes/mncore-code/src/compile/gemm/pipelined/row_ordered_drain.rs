//! Row-ordered drain: the last quarter of a product's depth, one row tile after the other.
//!
//! With a single block of results all of them become complete in the last iteration, and would be
//! stored when nothing is left to multiply. For a square of 1024 in pseudo-single precision with
//! elements of bf16, or in single precision with those of f32, multiplication and MV transfers take
//! the same time, and this would add a fifth. Instead, three quarters of the depth
//! are computed with all row tiles, and the last quarter row tile by row tile
//! ([`PipelinedProduct::build_row_loop`]). The results of a row tile are stored while the next ones
//! are computed. Storing takes as long as a quarter of a row tile's depth, so only the last row
//! tile is exposed.
//!
//! By then both sides must be present as block floats, the column side in LM0 and LM1, the row side
//! in L2BM. Three iterations of the first loop ([`PipelinedProduct::build_gathering_loop`])
//! therefore load the column sides of four units and convert four row-side units. This balances MV
//! transfers and the matrix unit.
//!
//! During accumulation all register file ports are busy. Complete sums go from the MAU to LM0,
//! while it reads LM1. Singles go to L1BM from there. Packing two into one bf16 vector uses only
//! LM0 and forwarding, while the matrix unit reads LM1 for the next row tile. Sums from the matrix
//! unit are never infinities with a mantissa, so rounding cannot carry out of one.
//!
//! The depth is summed in another order than elsewhere: in the last quarter, what lies in LM0 comes
//! first.

use tessera_isa_mncore::memory::{Bank, Precision, Width};
use tessera_isa_mncore::table::l2bm::L2bmKind;
use tessera_isa_mncore::table::{AluKind, AluOp, L2bmOp};

use super::plan::PARTS;
use super::product::PipelinedProduct;
use crate::compile::data::geometry::{DOWN, VECTOR_WORDS};
use crate::compile::data::guards::Guards;
use crate::compile::data::outer_loops::OuterLoops;
use crate::compile::data::streams::{StreamBuffer, VectorIndex};
use crate::compile::data::vectors::TensorVectors;
use crate::compile::elementwise::apply::copy;
use crate::compile::gemm::block_float_rows::{Unit, UnitIndex};
use crate::compile::gemm::constants::{ConstantTable, MASK, ODD, ROUND, SHIFT};
use crate::compile::gemm::tile::Tile;
use crate::compile::gemm::tile::TileForm;
use crate::compile::scratchpad::{BY_ROWS_SUMS, TILES};
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::{Dest, Guard, Op, Operand, Place, Target, Test};

/// Iterations per round of the first loop.
const LOOP: u32 = PARTS - 1;
/// Slots for pairs of tiles in L1BM.
const PAIRS: u32 = TILES.slots(DOWN);

/// The dimensions of the first loop.
const OUTER: usize = 0;
const INNER: usize = 1;

fn guard(dimension: usize, test: Test) -> Guard {
    Guard { dimension, test }
}

/// Returns mutually exclusive guards for indices of the first loop below a bound.
fn below(body: &Body, numbers: &UnitIndex, bound: u32) -> Vec<Guards> {
    let (count, each) = (body.trip[OUTER], numbers.walk[OUTER]);
    let left = |inner: u32| {
        let first = numbers.first + inner * numbers.walk[INNER];
        bound.saturating_sub(first).div_ceil(each).min(count)
    };
    let outer = |left: u32| (left < count).then(|| guard(OUTER, Test::Below(left)));
    if (1..LOOP).all(|inner| left(inner) == left(0)) {
        let is_any = left(0) > 0;
        return is_any
            .then(|| outer(left(0)).into_iter().collect())
            .into_iter()
            .collect();
    }
    let of_inner = |inner: u32| -> Guards {
        let is = guard(INNER, Test::Is(inner));
        outer(left(inner)).into_iter().chain([is]).collect()
    };
    (0..LOOP)
        .filter(|&inner| left(inner) > 0)
        .map(of_inner)
        .collect()
}

impl PipelinedProduct {
    /// Builds the first loop: three quarters of the depth.
    pub fn build_gathering_loop(&self) -> Body {
        let units = self.iterations();
        let mut body = Body::new(&[], &[units / PARTS, LOOP]);
        let around = OuterLoops::default();
        let numbers = |first, walk: [u32; 2]| UnitIndex {
            first,
            walk: walk.to_vec(),
        };
        let (each, more) = ([PARTS, 1], [PARTS, 0]);
        // The first row-side unit is converted in the prologue.
        let last = vec![
            guard(INNER, Test::Is(LOOP - 1)),
            guard(OUTER, Test::Below(units / PARTS - 1)),
        ];
        for (own, when) in [(numbers(1, each), Vec::new()), (numbers(PARTS, more), last)] {
            let slots = self.rows.prefetched_units();
            let next = UnitIndex {
                first: own.first + slots,
                walk: own.walk.clone(),
            };
            let unit = Unit {
                next: below(&body, &next, units),
                numbers: own,
                when,
            };
            self.rows
                .convert_unit(&mut body, &around, self.arithmetic, &unit);
        }
        let phase = self.single_phase();
        // Distributes the column vectors of four units evenly over three iterations.
        let own = self.vectors();
        for vector in 0..PARTS * own {
            let begin = body.items.len();
            let numbers = numbers(vector / own, more);
            let part = vector % own;
            let next = UnitIndex {
                first: numbers.first + (part + self.prefetch_distance()) / own,
                walk: numbers.walk.clone(),
            };
            let next = below(&body, &next, units);
            let next = |_: u32| next.clone();
            let how: (_, &dyn Fn(u32) -> Vec<Guards>, _) = (part..part + 1, &next, &phase);
            self.load_column_range(&mut body, &around, &numbers, how);
            for item in &mut body.items[begin..] {
                item.when
                    .push(guard(INNER, Test::Is(vector * LOOP / (PARTS * own))));
            }
        }
        self.emit_products(&mut body, &numbers(0, [LOOP, 1]), &phase);
        body
    }

    /// Builds the second loop: row tiles, with the rest of the depth.
    /// `iterations` are those of its epilogue.
    pub fn build_row_loop(
        &self,
        iterations: u32,
        (results, buffer): (&TensorVectors, StreamBuffer),
    ) -> Body {
        let mut body = Body::new(&[], &[self.distribution.tiles]);
        let first = self.iterations() - iterations;
        let mut number = 0;
        for turn in 0..self.turns {
            for unit in first..self.iterations() {
                self.multiply_row_tile(&mut body, number, (unit, turn));
                number += 1;
            }
        }
        self.store_results(&mut body, results, buffer);
        body
    }

    /// Multiplies by an iteration's tile of a turn, which is loaded together with its neighbour.
    fn multiply_row_tile(&self, body: &mut Body, number: u32, (unit, turn): (u32, u32)) {
        let distribution = &self.distribution;
        let of_tile = self.arithmetic.tile_words(true);
        let numbers = UnitIndex::along(body, unit, 0);
        let l1 = Address::fixed(TILES.start + number % PAIRS * DOWN);
        // The address of the first iteration's tile, and the increment.
        let at = self.rows.block_address(&numbers).eval(&[]) + turn * distribution.tiles * of_tile;
        let op = Op::L2bm {
            op: L2bmOp::new(L2bmKind::Broadcast),
            l2: Address::affine(at, &body.innermost_steps(of_tile)),
            l1: l1.clone(),
        };
        body.push(op, Vec::new(), Vec::new());
        let (bank, vectors) = self.turn_columns(&numbers, turn, &self.single_phase());
        let along = body.innermost_steps(1);
        let tile = Tile {
            number,
            l1: &[l1],
            walk: &body.innermost_steps(0),
            vectors: &|_| vectors.clone(),
            sums: &|words| {
                Address::affine(
                    0,
                    &along
                        .iter()
                        .map(|by| by * distribution.steps * words)
                        .collect::<Vec<_>>(),
                )
            },
            steps: distribution.steps,
            form: TileForm::BlockFloats,
            bank,
        };
        self.arithmetic.multiply_by_tile(body, &tile);
    }

    /// Emits the items that store an iteration's results: the outputs of its last items.
    fn store_results(&self, body: &mut Body, results: &TensorVectors, buffer: StreamBuffer) {
        let steps = self.distribution.steps;
        let last = body.items.len() - steps as usize;
        for (item, number) in body.items[last..].iter_mut().zip(0..) {
            item.outputs = vec![sum_place(number).into()];
        }
        let of = steps / results.parts;
        for number in 0..of {
            let up = buffer.collect(&body.innermost_steps(of), number);
            if results.parts == 2 {
                self.pack(body, number, up);
            } else {
                body.push(up, vec![sum_place(number).into()], Vec::new());
            }
            results.store_from_l1bm(
                body,
                buffer,
                &OuterLoops::default(),
                VectorIndex { number, count: of },
            );
        }
    }

    /// Packs two sums into one bf16 vector and sends it to L1BM.
    fn pack(&self, body: &mut Body, number: u32, up: Op) {
        let constant = |number| Operand::from(ConstantTable::in_memory(Bank::Lm0).place(number));
        let upper = sum_place(self.distribution.steps);
        for part in 0..2 {
            let sum = sum_place(2 * number + part);
            let mut chain = ForwardingChain { body, last: None };
            chain.then(copy(), vec![sum.clone().into()]);
            chain.int(AluKind::Lsr, constant(SHIFT));
            chain.int(AluKind::And, constant(ODD));
            chain.int(AluKind::Add, sum.into());
            chain.int(AluKind::Add, constant(ROUND));
            if part == 0 {
                chain.int(AluKind::And, constant(MASK));
                // LM0 is either read or written in a step.
                chain.then(copy(), Vec::new());
                chain.to(upper.clone());
            } else {
                chain.int(AluKind::Lsr, constant(SHIFT));
                chain.int(AluKind::Or, upper.clone().into());
                chain.then(up.clone(), Vec::new());
            }
        }
    }
}

/// Returns the place of a complete sum, or that of one of two while the other is converted.
fn sum_place(number: u32) -> Place {
    let address = Address::fixed(BY_ROWS_SUMS.start + number * VECTOR_WORDS);
    Place::consecutive(Bank::Lm0, Width::Long, address)
}

/// A chain of items, each of which reads the forwarded result of the previous one.
struct ForwardingChain<'b> {
    body: &'b mut Body,
    last: Option<usize>,
}

impl ForwardingChain<'_> {
    /// Appends an item that reads the previous result, if there is one, and other operands.
    fn then(&mut self, op: Op, others: Vec<Operand>) {
        let mut inputs = Vec::new();
        if let Some(last) = self.last {
            let value = self.body.value(Width::Long, Home::Forward);
            self.body.items[last].outputs = vec![value.into()];
            inputs.push(value.into());
        }
        inputs.extend(others);
        self.last = Some(self.body.items.len());
        self.body.push(op, inputs, Vec::new());
    }

    /// Appends an integer operation; shifts are unsigned.
    fn int(&mut self, kind: AluKind, other: Operand) {
        let op = AluOp {
            unsigned: kind == AluKind::Lsr,
            ..AluOp::new(kind, Some(Precision::Int))
        };
        self.then(Op::Alu(op, 0), vec![other]);
    }

    /// Sets the target of the last result.
    fn to(self, place: Place) {
        if let Some(last) = self.last {
            let target = Target::Memory(place);
            self.body.items[last].outputs = vec![Dest { target, mask: None }];
        }
    }
}
