//! A product as one loop over the depth, into which both sides flow while it multiplies.
//!
//! An iteration takes some turns, tiles of the depth, with all tiles of rows: each stands in the loop by itself. It makes block floats of its vectors of the
//! column side, and multiplies them; of the row side it makes those of the next iteration ([`Prepared`]), whose way is longer. The schedule
//! lets iterations overlap: while the tiles of one are multiplied, what the next needs is on its way. There is nothing between chunks of the depth, as
//! there are none.
//!
//! LM0 or LM1 is read or written in a step, and not read until two steps after it was written. So the column side of the first half of the turns lies
//! in LM0, that of the second in LM1: while one is read, the other is written.
//!
//! MV instructions for vectors of the column side are issued as many ahead as L2BM has places for; those of both sides that come before the loop, in the
//! order in which it takes them.
//!
//! Only a tensor flows: functions of the column side's elements would take the ports and the steps of the product.

use tessera_isa_mncore::memory::{Bank, Precision, Width};
use tessera_isa_mncore::table::l2bm::L2bmKind;
use tessera_isa_mncore::table::{AluKind, AluOp, L2bmOp};

use super::apply::copy;
use super::arguments::Arguments;
use super::arithmetic::{Arithmetic, Tile};
use super::prepare::Prepared;
use super::rows::{Side, DOWN, L1BM};
use super::shape::{Shape, VECTOR_WORDS};
use super::streams::{Direction, Lane};
use super::vectors::{scaled, Form, Outer, Use, Vectors};
use super::{CompileError, Stage};
use crate::address::Address;
use crate::body::{Body, Home};
use crate::item::{Guard, Op, Operand, Place, Source, Test};

/// How many vectors of the column side L2BM has places for.
pub(super) const SLOTS: u32 = 8;
/// Single words of LM1 that constants leave to others.
pub(super) const RESIDENTS: u32 = Bank::Lm1.words() as u32 - PARTS.len() as u32 * 2;
/// Long words of the ring of tiles in L1BM.
pub(super) const TILES: u32 = 1024;

/// The mask of the upper half of a word, and the bits of a half.
const PARTS: [(AluKind, u32); 2] = [(AluKind::And, 0xffff_0000), (AluKind::Lsl, 16)];

/// What takes the halves of words apart, in LM0 or LM1: at their ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Constants(pub Bank);

impl Constants {
    /// What makes each of two vectors of one, and with which constant.
    pub fn parts(self) -> [(Op, Operand); 2] {
        [0, 1].map(|number| {
            let (kind, _) = PARTS[number];
            let op = Op::Alu(AluOp::plain(kind, Some(Precision::Int)), 0);
            (op, self.place(number).into())
        })
    }

    fn place(self, number: usize) -> Place {
        let behind = u32::from(Width::Long.words()) * (number as u32 + 1);
        Place {
            bank: self.0,
            width: Width::Long,
            address: Address::fixed(u32::from(self.0.words()) - behind),
            stride: 0,
        }
    }

    /// Puts them there.
    fn load(self, body: &mut Body) {
        for (number, (_, word)) in PARTS.into_iter().enumerate() {
            let word = Source::Constant(word).into();
            body.push(copy(), vec![word], vec![self.place(number).into()]);
        }
    }
}

/// A product as one loop.
pub(super) struct Flow {
    shape: Shape,
    arithmetic: Arithmetic,
    /// Turns of an iteration.
    turns: u32,
    rows: Prepared,
    columns: Vectors,
    lane: Lane,
}

impl Flow {
    /// Gives both sides their places: the row side, and the column side, of this use.
    pub fn place(
        arguments: &mut Arguments,
        shape: &Shape,
        side: &Side,
        (column, r#use): (usize, &Use),
        (arithmetic, turns): (Arithmetic, u32),
    ) -> Result<Self, CompileError> {
        let vector = shape.prepared.unwrap_or_default();
        let rows = Prepared::place(arguments, shape, side, (arithmetic, vector))?;
        let halves = shape.column_parts() == 2;
        let columns = arguments.place(column, r#use, Form::Same, halves)?;
        Ok(Flow {
            shape: *shape,
            arithmetic,
            turns,
            rows,
            columns,
            lane: Lane::wide(SLOTS),
        })
    }

    /// Vectors of the column side of an iteration.
    fn vectors(&self) -> u32 {
        self.turns * self.shape.span * self.shape.steps / self.columns.parts
    }

    /// How many vectors ahead their MV instructions are issued.
    fn depth(&self) -> u32 {
        (SLOTS - self.vectors()).min(self.columns.count)
    }

    /// Fetches the first of the row side, before all loops.
    pub fn first(&self) -> Stage {
        self.rows.first()
    }

    /// Puts constants where they lie.
    pub fn constants(&self) -> Stage {
        let mut body = Body::new(&[], &[]);
        for bank in [Bank::Lm0, Bank::Lm1] {
            Constants(bank).load(&mut body);
        }
        Stage::Loop("constants", body)
    }

    /// Fetches what the first iterations take, in their order.
    pub fn fetch(&self, around: &Outer) -> Stage {
        let mut body = Body::new(&around.counts(&self.shape), &[]);
        let mut vectors = 0..self.depth();
        for unit in 0..self.rows.before().max(self.depth()) {
            if unit > 0 && unit < self.rows.before() {
                self.rows.fetch_one(&mut body, around, unit);
            }
            for vector in vectors.by_ref().take(self.vectors() as usize) {
                self.columns.fetch(&mut body, self.lane, around, vector);
            }
        }
        Stage::Loop("fetch", body)
    }

    /// Makes block floats of the first part of the row side.
    pub fn prepare(&self, around: &Outer) -> Body {
        self.rows.prepare(around, &self.shape, self.arithmetic)
    }

    /// Puts zeros where the column side leaves cycles, if it does.
    pub fn clear(&self, around: &Outer) -> Option<Stage> {
        let mut body = Body::new(&around.counts(&self.shape), &[]);
        if self.columns.leaves_cycles() {
            self.lane.clear(&mut body);
        }
        (!body.items.is_empty()).then_some(Stage::Loop("clear", body))
    }

    /// Fetches the first of the row side of the next block.
    pub fn next(&self, around: &Outer) -> Option<Stage> {
        self.rows.next(around, &self.shape)
    }

    /// The loop that multiplies.
    pub fn multiply(&self, around: &Outer) -> Body {
        let outer = around.counts(&self.shape);
        let iterations = self.shape.k_blocks / self.shape.span / self.turns;
        let mut body = Body::new(&outer, &[iterations]);
        self.rows.make(&mut body, around, self.arithmetic, 1);
        self.columns(&mut body, around, iterations);
        self.down(&mut body);
        for turn in 0..self.turns {
            for tile in 0..self.shape.tiles / self.shape.span {
                self.tile(&mut body, turn, tile);
            }
        }
        body
    }

    /// The items that bring the vectors of the column side of an iteration, as block floats.
    fn columns(&self, body: &mut Body, around: &Outer, iterations: u32) {
        let time = body.dimensions() - 1;
        let (own, depth) = (self.vectors(), self.depth());
        let walk = body.along(own);
        let mut values: Vec<Operand> = Vec::new();
        let span = self.shape.span;
        // Where the block floats of a vector of so many neighbours go.
        let to = |body: &Body, number: u32| {
            let (turn, step) = (number / self.shape.steps, number % self.shape.steps);
            self.vector(body, turn, step)
        };
        for number in 0..own {
            let ahead = number + depth;
            if ahead < own * iterations {
                let fetch = self
                    .columns
                    .r#move(self.lane, around, &walk, 0, Direction::In, ahead);
                body.push(fetch, Vec::new(), Vec::new()).when.push(Guard {
                    dimension: time,
                    test: Test::Below(iterations - ahead / own),
                });
            }
            body.push(self.lane.wait(0, &walk, number), Vec::new(), Vec::new());
            for part in 0..self.columns.transfers() {
                let down = self.lane.down(&walk, number, part);
                body.push(down, Vec::new(), Vec::new());
            }
            let down = self.lane.to_pes(&walk, number);
            if self.columns.parts == 2 {
                let first = number * 2 / span;
                let constants = Constants(to(body, first).bank);
                let mut put = |body: &mut Body, part: u32, op: Op, input: Operand| {
                    let to = to(body, first + part);
                    body.push(op, vec![input], vec![to.into()]);
                };
                self.arithmetic
                    .block_of_halves(body, &down, &constants, number, &mut put);
                continue;
            }
            let value = body.value(Width::Long, Home::Any);
            body.push(down, Vec::new(), vec![value.into()]);
            values.push(value.into());
        }
        let mut put = |body: &mut Body, number: u32, op: Op, input: Operand| {
            let to = to(body, number);
            body.push(op, vec![input], vec![to.into()]);
        };
        self.arithmetic.blocks(body, values, &mut put);
    }

    /// Where a vector of a turn's column side lies.
    fn vector(&self, body: &Body, turn: u32, step: u32) -> Place {
        let (bank, address) = self.of_turn(body, turn, VECTOR_WORDS);
        Place::consecutive(bank, Width::Long, address.plus(step * VECTOR_WORDS))
    }

    /// Where a turn's column side lies, if a vector takes so many words.
    fn of_turn(&self, body: &Body, turn: u32, words: u32) -> (Bank, Address) {
        let half = self.turns / 2;
        let bank = if turn < half { Bank::Lm0 } else { Bank::Lm1 };
        let size = half * self.shape.steps * words;
        let first = turn % half * self.shape.steps * words;
        let address = Address::moving(first, &body.along(size));
        (bank, address.around(0, 2 * size))
    }

    /// The items that bring the tiles of an iteration to L1BM.
    fn down(&self, body: &mut Body) {
        let l1 = self.l1bm(body);
        for part in 0..self.rows.made_words() / DOWN {
            let down = Op::L2bm {
                op: L2bmOp::plain(L2bmKind::Broadcast),
                l2: self.rows.made(body, 0).beyond(part * DOWN),
                l1: l1.clone().beyond(part * DOWN),
            };
            body.push(down, Vec::new(), Vec::new());
        }
    }

    /// Where the tiles of an iteration lie in L1BM.
    fn l1bm(&self, body: &Body) -> Address {
        let steps = body.along(self.rows.made_words());
        Address::moving(0, &steps).around(L1BM, TILES)
    }

    /// The items that multiply by a tile of a turn.
    fn tile(&self, body: &mut Body, turn: u32, tile: u32) {
        let steps = self.shape.steps;
        let of_turn = self.shape.tiles / self.shape.span;
        let (bank, vectors) = self.of_turn(body, turn, VECTOR_WORDS);
        let l1 = self.l1bm(body);
        let tile = Tile {
            number: turn * of_turn + tile,
            l1: &l1,
            walk: &scaled(&body.along(1), 0),
            vectors: &|_| vectors.clone(),
            sums: &|words| Address::fixed(tile * steps * words),
            steps,
            prepared: true,
            bank,
        };
        self.arithmetic.tile(body, &tile);
    }
}
