//! The row side of a product as block floats, made once: each block of columns, and each MAB, would make them again of tiles.
//!
//! Vectors of a chunk of the depth come to the PEs as those of an element-wise loop do, a part of them to each; block floats are made of them, and go back to
//! L2BM, to the same long words of another place. From there tiles come to all L1BMs while they are multiplied.
//!
//! A unit is what one block float vector is made of: two vectors that are neighbours in the depth, or one of bf16, which holds both. Its MV
//! instructions are issued two units ahead; those of the first units of a chunk while the chunk before is multiplied.

use tessera_isa_mncore::layout::Place::{self as Digit, Address as Word, Group};
use tessera_isa_mncore::memory::Width;
use tessera_isa_mncore::table::l1bm::L1bmKind;
use tessera_isa_mncore::table::l2bm::L2bmKind;
use tessera_isa_mncore::table::{L1bmOp, L2bmOp, MvMode};

use super::arguments::Arguments;
use super::arithmetic::Arithmetic;
use super::rows::{bring_pair, following, side_in_dram, Side, L1BM, L2BM, TAG};
use super::shape::Shape;
use super::streams::{L1BM_VECTOR, TRANSFER};
use super::times::{Times, PAIR};
use super::vectors::{scaled, Outer, Stated, L2BM_CYCLE};
use super::{CompileError, Stage};
use crate::address::Address;
use crate::body::{Body, Home};
use crate::functions::from_bf16;
use crate::item::{Guard, Move, MoveMemory, MovePlace, Op, Operand, Test};

/// Where block floats of a chunk lie in L2BM, behind all that others have there, and how many long words.
const BLOCKS: u32 = 28672;
pub(super) const ROOM: u32 = 4096;
/// How many units L2BM has places for: the place of batches of tiles.
const SLOTS: u32 = 2;
/// Long words of such a place.
const SLOT: u32 = 2048;

/// A row side of which block floats are made before.
pub(super) struct Prepared {
    base: u32,
    /// Long words between the parts of the two L2B of a group, between blocks of rows, between matrices.
    side: u32,
    block: u32,
    matrix: u32,
    /// Whether one vector in DRAM is both that make one of block floats.
    halves: bool,
    /// Long words of a vector.
    vector: u32,
    /// Units of a chunk.
    units: u32,
    /// Long words of a pair of tiles.
    pair: u32,
}

impl Prepared {
    /// Gives it a place, if its block floats are made of vectors of so many cycles.
    pub fn place(
        arguments: &mut Arguments,
        shape: &Shape,
        of: &Side,
        (arithmetic, cycles): (Arithmetic, u32),
    ) -> Result<Self, CompileError> {
        let halves = shape.halves.rows;
        let tile = arithmetic.tile_words(true);
        let vector = cycles * L2BM_CYCLE;
        let of_unit = if halves { vector } else { 2 * vector };
        let turn = shape.tiles / shape.span * tile;
        let chunk = shape.k_blocks / shape.span * turn;
        let units = chunk / vector;
        let side = u64::from(units * shape.chunks * of_unit).next_power_of_two();
        let block = 2 * side;
        let matrix = block * u64::from(shape.i_blocks.next_power_of_two());
        let turns = shape.k_blocks * shape.chunks / shape.span;
        let [k, mut i] = if halves {
            let inner = [(Digit::Part, 2, 2), (Word, 4, 1), (Digit::Part, 2, 1)];
            let k = [&inner[..], &[(Word, turns, turn.into())]].concat();
            [k, arithmetic.row_digits(shape.tiles, true)]
        } else {
            let inner = [(Digit::Part, 2, 1), (Word, 4, 1), (Word, 2, vector.into())];
            let turns = apart(&[(Word, turns, turn.into())], vector);
            let i = apart(&arithmetic.row_digits(shape.tiles, true), vector);
            [[&inner[..], &turns].concat(), i]
        };
        i.extend([
            (Word, 2, side),
            (Group, 4, 1),
            (Word, shape.i_blocks, block),
        ]);
        let parts = if halves { 2 } else { 1 };
        let (base, matrix) = side_in_dram(arguments, of, [&i, &k], (matrix, parts))?;
        Ok(Prepared {
            base,
            side: side as u32,
            block: block as u32,
            matrix,
            halves,
            vector,
            units,
            pair: 2 * tile,
        })
    }

    /// Long words of a unit in DRAM, for each side.
    fn unit(&self) -> u32 {
        if self.halves {
            self.vector
        } else {
            2 * self.vector
        }
    }

    /// The MV instruction that brings a side of a unit: `address` is that in DRAM from the first unit on, `walk` what dimensions add to the number of
    /// the place.
    fn fetch(&self, address: Address, walk: &[u32], side: u32, unit: u32) -> Op {
        let place = |memory, address, l2b| MovePlace {
            memory,
            address,
            group: None,
            l2b,
        };
        let dram = address.plus(self.base + side * self.side + unit * self.unit());
        let l2bm = Address::moving(unit * SLOT, &scaled(walk, SLOT)).around(L2BM, SLOTS * SLOT);
        Op::Mv(Move {
            mode: MvMode::DramToL2bmEach,
            rrn: None,
            words: self.unit(),
            tag: tag(walk, side, unit),
            source: place(MoveMemory::Dram, dram, None),
            target: place(MoveMemory::L2bm, l2bm, Some(side as u8)),
        })
    }

    /// How many units are fetched before their chunk is prepared.
    fn before(&self) -> u32 {
        self.units.min(SLOTS)
    }

    /// Fetches the first units of the first chunk.
    pub fn first(&self) -> Stage {
        let mut body = Body::new(&[], &[]);
        self.fetch_first(&mut body, &Address::fixed(0), &[]);
        Stage::Loop("rows", body)
    }

    fn fetch_first(&self, body: &mut Body, address: &Address, when: &[Guard]) {
        for unit in 0..self.before() {
            for side in 0..2 {
                let op = self.fetch(address.clone(), &[], side, unit);
                body.push(op, Vec::new(), Vec::new()).when = when.to_vec();
            }
        }
    }

    /// What the loops around add in DRAM.
    fn steps(&self, outer: &Outer, dimensions: usize) -> Vec<u32> {
        let mut steps = vec![0; dimensions];
        for (dimension, stride) in [
            (outer.matrices, self.matrix),
            (outer.i, self.block),
            (outer.chunk, self.units * self.unit()),
        ] {
            if let Some(dimension) = dimension {
                steps[dimension] = stride;
            }
        }
        steps
    }

    /// Fetches the first units of the next chunk, if there is one.
    pub fn next(&self, outer: &Outer, shape: &Shape) -> Option<Stage> {
        let mut body = Body::new(&outer.counts(shape), &[]);
        let steps = self.steps(outer, body.dimensions());
        for (when, chunk) in following(outer, shape, &steps) {
            self.fetch_first(&mut body, &chunk, &when);
        }
        (!body.items.is_empty()).then_some(Stage::Loop("rows", body))
    }

    /// Makes block floats of a chunk.
    pub fn prepare(&self, outer: &Outer, shape: &Shape, arithmetic: Arithmetic) -> Body {
        let mut body = Body::new(&outer.counts(shape), &[self.units]);
        let time = body.dimensions() - 1;
        let walk = body.along(1);
        for side in 0..2 {
            let wait = Op::Wait(tag(&walk, side, 0));
            body.push(wait, Vec::new(), Vec::new());
        }
        let values = self.bring(&mut body);
        // Where that of this iteration was.
        if self.units > SLOTS {
            let mut steps = self.steps(outer, body.dimensions());
            steps[time] = self.unit();
            for side in 0..2 {
                let address = Address::moving(0, &steps);
                let op = self.fetch(address, &walk, side, SLOTS);
                body.push(op, Vec::new(), Vec::new()).when.push(Guard {
                    dimension: time,
                    test: Test::Below(self.units - SLOTS),
                });
            }
        }
        let block = arithmetic.prepared(&mut body, values);
        let l1 = self.l1bm(&body);
        let up = L1bmOp::plain(L1bmKind::Collect, false);
        body.push(Op::L1bm(up, l1.clone()), vec![block.into()], Vec::new());
        let l2 = Address::moving(BLOCKS, &body.along(self.vector));
        self.transfer(&mut body, L2bmKind::Collect, &l2, &l1);
        body
    }

    /// The items that bring both vectors of a unit to PEs.
    fn bring(&self, body: &mut Body) -> Vec<Operand> {
        let l2 = Address::moving(0, &body.along(SLOT)).around(L2BM, SLOTS * SLOT);
        let mut values = Vec::new();
        for number in 0..self.unit() / self.vector {
            let l1 = self.l1bm(body).beyond(number * L1BM_VECTOR);
            let l2 = l2.clone().beyond(number * self.vector);
            self.transfer(body, L2bmKind::Distribute, &l2, &l1);
            let value = body.value(Width::Long, Home::Any);
            let down = L1bmOp::plain(L1bmKind::Distribute, false);
            body.push(Op::L1bm(down, l1), Vec::new(), vec![value.into()]);
            values.push(value);
        }
        if self.halves {
            values = from_bf16(body, values[0]);
        }
        values.into_iter().map(Operand::from).collect()
    }

    /// Where the vectors of a unit lie in L1BM, and then its block floats.
    fn l1bm(&self, body: &Body) -> Address {
        let size = 2 * L1BM_VECTOR;
        Address::moving(0, &body.along(size)).around(L1BM, SLOTS * size)
    }

    /// The transfers of a vector between L2BM and L1BM.
    fn transfer(&self, body: &mut Body, kind: L2bmKind, l2: &Address, l1: &Address) {
        for part in 0..self.vector / TRANSFER.0 {
            let op = Op::L2bm {
                op: L2bmOp::plain(kind),
                l2: l2.clone().beyond(part * TRANSFER.0),
                l1: l1.clone().beyond(part * TRANSFER.1),
            };
            body.push(op, Vec::new(), Vec::new());
        }
    }

    /// The items that bring a pair of tiles to L1BM, where it lies at the address.
    pub fn bring_pair(&self, body: &mut Body, times: &Times) -> Address {
        let l2 = Address::moving(BLOCKS, &scaled(&times.in_chunk(PAIR), self.pair));
        bring_pair(body, times, l2, self.pair)
    }
}

/// The tag of the MV instruction for a side of a unit.
fn tag(walk: &[u32], side: u32, unit: u32) -> Address {
    Address::moving(unit, walk).around(TAG + SLOTS * side, SLOTS)
}

/// Digits among vectors of so many long words, if every other one is of others.
fn apart(list: &[Stated], vector: u32) -> Vec<Stated> {
    let vector = u64::from(vector);
    let split = |&(place, extent, stride): &Stated| {
        let below = (vector / stride).clamp(1, extent.into()) as u32;
        let above = (stride * u64::from(below)).max(vector) * 2;
        [
            (place, below, stride),
            (place, extent.div_ceil(below), above),
        ]
    };
    list.iter().flat_map(split).collect()
}
