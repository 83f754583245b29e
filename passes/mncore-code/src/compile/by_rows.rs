//! The last quarter of a product's depth, one tile of rows after the other.
//!
//! Of a product with one block of results, all of them are complete behind its last iteration only,
//! and leave when there is nothing left to multiply. Of a square of 1024 in bf16, for which the
//! matrix unit and MV instructions need the same time, that would be a fifth of it. So three
//! quarters of the depth are gone through with all tiles of rows, and the last with one tile after
//! the other ([`Flow::rows_by_rows`]): a tile's results leave while the next tiles are multiplied.
//! MV instructions take as long for them as the matrix unit for a quarter of a tile's depth, so
//! only those of the last tile are left at the end.
//!
//! By then all of both sides must be there, as block floats: the column side in LM0 and LM1, the
//! row side in L2BM. So three iterations of the first loop ([`Flow::gathering`]) bring the column
//! sides of four units, and make the block floats of four: it is as long for MV instructions as for
//! the matrix unit.
//!
//! While products are summed, every port of the register files is taken. Complete sums go from the
//! MAU to LM0, while it reads LM1; and what makes one vector of bf16 of two needs nothing but LM0
//! and forwarding, while the matrix unit reads LM1 for the next tile. As they come from the matrix
//! unit, no infinity among them has a mantissa that rounding could carry from.
//!
//! The depth is summed in another order than elsewhere: of the last quarter first what lies in LM0.

use tessera_isa_mncore::memory::{Bank, Precision, Width};
use tessera_isa_mncore::table::l2bm::L2bmKind;
use tessera_isa_mncore::table::{AluKind, AluOp, L2bmOp};

use super::apply::copy;
use super::flow::{Constants, Flow, MASK, ODD, ROUND, SHIFT};
use super::prepare::{Numbers, Unit};
use super::rows::{DOWN, L1BM};
use super::shape::VECTOR_WORDS;
use super::streams::{Lane, Turn};
use super::tile::Tile;
use super::times::Guards;
use super::vectors::{Outer, Vectors};
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::{Dest, Guard, Op, Operand, Place, Target, Test};

/// Units that come in the iterations of the first loop's inner dimension, and how many these are.
pub(super) const PARTS: u32 = 4;
const LOOP: u32 = PARTS - 1;
/// Places of pairs of tiles in L1BM.
const PAIRS: u32 = 16;
/// Words of LM0 with the constants and, before them, complete sums, and one of two while the other
/// is made.
pub(super) const WORDS: u32 = 64;

/// The dimensions of the first loop.
const OUTER: usize = 0;
const INNER: usize = 1;

fn guard(dimension: usize, test: Test) -> Guard {
    Guard { dimension, test }
}

/// That numbers of the first loop are below a bound: cases of which one holds at most.
fn below(body: &Body, numbers: &Numbers, bound: u32) -> Vec<Guards> {
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

impl Flow {
    /// The first loop: three quarters of the depth.
    pub fn gathering(&self) -> Body {
        let units = self.iterations();
        let mut body = Body::new(&[], &[units / PARTS, LOOP]);
        let around = Outer::default();
        let numbers = |first, walk: [u32; 2]| Numbers {
            first,
            walk: walk.to_vec(),
        };
        let (each, more) = ([PARTS, 1], [PARTS, 0]);
        // The first unit of the row side is made before.
        let last = vec![
            guard(INNER, Test::Is(LOOP - 1)),
            guard(OUTER, Test::Below(units / PARTS - 1)),
        ];
        for (own, when) in [(numbers(1, each), Vec::new()), (numbers(PARTS, more), last)] {
            let slots = self.rows.before();
            let next = Numbers {
                first: own.first + slots,
                walk: own.walk.clone(),
            };
            let unit = Unit {
                next: below(&body, &next, units),
                numbers: own,
                when,
            };
            self.rows
                .make_one(&mut body, &around, self.arithmetic, &unit);
        }
        let phase = self.whole();
        // The vectors of four units, as evenly as can be.
        let own = self.vectors();
        for vector in 0..PARTS * own {
            let begin = body.items.len();
            let numbers = numbers(vector / own, more);
            let next = Numbers {
                first: numbers.first + self.ahead(),
                walk: numbers.walk.clone(),
            };
            let next = below(&body, &next, units);
            let part = vector % own;
            let next = |_: u32| next.clone();
            let how: (_, &dyn Fn(u32) -> Vec<Guards>, _) = (part..part + 1, &next, &phase);
            self.columns_of(&mut body, &around, &numbers, how);
            for item in &mut body.items[begin..] {
                item.when
                    .push(guard(INNER, Test::Is(vector * LOOP / (PARTS * own))));
            }
        }
        self.products(&mut body, &numbers(0, [LOOP, 1]), &phase);
        body
    }

    /// The second: the tiles of rows, with what is left of the depth.
    pub fn rows_by_rows(&self, results: &Vectors, lane: Lane) -> Body {
        let mut body = Body::new(&[], &[self.shape.tiles]);
        let first = self.iterations() - self.shape.by_rows;
        let mut number = 0;
        for turn in 0..self.turns {
            for unit in first..self.iterations() {
                self.tile_of_row(&mut body, number, (unit, turn));
                number += 1;
            }
        }
        self.leave(&mut body, results, lane);
        body
    }

    /// Multiplies by an iteration's tile of a turn, which comes with its neighbour.
    fn tile_of_row(&self, body: &mut Body, number: u32, (unit, turn): (u32, u32)) {
        let shape = &self.shape;
        let of_tile = self.arithmetic.tile_words(true);
        let numbers = Numbers::along(body, unit, 0);
        let l1 = Address::fixed(L1BM + number % PAIRS * DOWN);
        // It lies where the first iteration's does, and goes on from there.
        let at = self.rows.made(&numbers).at(&[]) + turn * shape.tiles * of_tile;
        let op = Op::L2bm {
            op: L2bmOp::new(L2bmKind::Broadcast),
            l2: Address::moving(at, &body.along(of_tile)),
            l1: l1.clone(),
        };
        body.push(op, Vec::new(), Vec::new());
        let (bank, vectors) = self.of_turn(&numbers, turn, &self.whole());
        let along = body.along(1);
        let tile = Tile {
            number,
            l1: &l1,
            walk: &body.along(0),
            vectors: &|_| vectors.clone(),
            sums: &|words| {
                Address::moving(
                    0,
                    &along
                        .iter()
                        .map(|by| by * shape.steps * words)
                        .collect::<Vec<_>>(),
                )
            },
            steps: shape.steps,
            prepared: true,
            own: None,
            bank,
        };
        self.arithmetic.tile(body, &tile);
    }

    /// Takes the results of an iteration away: what its last items give.
    fn leave(&self, body: &mut Body, results: &Vectors, lane: Lane) {
        let steps = self.shape.steps;
        let last = body.items.len() - steps as usize;
        for (item, number) in body.items[last..].iter_mut().zip(0..) {
            item.outputs = vec![lm0(number).into()];
        }
        let of = steps / 2;
        for number in 0..of {
            self.pack(body, number, lane.collect(&body.along(of), number));
            results.take_up(body, lane, &Outer::default(), Turn { number, of });
        }
    }

    /// Makes one vector of bf16 of two sums, and takes it up.
    fn pack(&self, body: &mut Body, number: u32, up: Op) {
        let constant = |number| Operand::from(Constants(Bank::Lm0).place(number));
        let upper = lm0(self.shape.steps);
        for part in 0..2 {
            let sum = lm0(2 * number + part);
            let mut chain = Chain { body, last: None };
            chain.then(copy(), vec![sum.clone().into()]);
            chain.int(AluKind::Lsr, constant(SHIFT));
            chain.int(AluKind::And, constant(ODD));
            chain.int(AluKind::Add, sum.into());
            chain.int(AluKind::Add, constant(ROUND));
            if part == 0 {
                chain.int(AluKind::And, constant(MASK));
                // LM0 is read or written.
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

/// Where a complete sum lies, or one of two while the other is made.
fn lm0(number: u32) -> Place {
    let first = u32::from(Bank::Lm0.words()) - WORDS;
    let address = Address::fixed(first + number * VECTOR_WORDS);
    Place::consecutive(Bank::Lm0, Width::Long, address)
}

/// Items each of which reads what that before it forwards.
struct Chain<'b> {
    body: &'b mut Body,
    last: Option<usize>,
}

impl Chain<'_> {
    /// An item of what the last one gives, if there is one, and other operands.
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

    /// An operation on integers, shifts unsigned.
    fn int(&mut self, kind: AluKind, other: Operand) {
        let op = AluOp {
            unsigned: kind == AluKind::Lsr,
            ..AluOp::new(kind, Some(Precision::Int))
        };
        self.then(Op::Alu(op, 0), vec![other]);
    }

    /// Where the last result goes.
    fn to(self, place: Place) {
        if let Some(last) = self.last {
            let target = Target::Memory(place);
            self.body.items[last].outputs = vec![Dest { target, mask: None }];
        }
    }
}
