//! The row side of a product as block floats, made once: each block of columns, and each MAB, would
//! make them again of tiles.
//!
//! Vectors of a chunk of the depth come to the PEs as those of an element-wise loop do, a part of
//! them to each; block floats are made of them, and go back to L2BM, to the same long words of
//! another place. From there tiles come to all L1BMs while they are multiplied.
//!
//! A unit is what comes together. In half precision one vector of block floats is made of it: of
//! two vectors that are neighbours in the depth, or of one of bf16, which holds both. In
//! pseudo-single precision a vector of singles makes one of block floats, and one of bf16 two. Its
//! MV instructions are issued two units ahead; those of the first units of a chunk while the chunk
//! before is multiplied.
//!
//! Where L1Bs have their own rows, block floats need not go up to L2BM, as no other L1B needs them.
//! They stay where they are put in L1BM, which then has places for more units.
//!
//! Where both sides flow into the loop that multiplies ([`super::flow`]), an iteration makes the
//! unit of the next one, and up to four are ahead.

use tessera_isa_mncore::layout::Place::{self as Digit, Address as Word, Group};
use tessera_isa_mncore::memory::{Bank, Width, L2BM_WORDS};
use tessera_isa_mncore::table::l1bm::L1bmKind;
use tessera_isa_mncore::table::l2bm::L2bmKind;
use tessera_isa_mncore::table::{L1bmOp, L2bmOp, MvMode};

use super::arguments::Arguments;
use super::arithmetic::Arithmetic;
use super::digits::{over_l1bs, Stated};
use super::flow::Constants;
use super::rows::{bring_pair, fetch_next, side_in_dram, Side, L1BM, L2BM, TAG};
use super::shape::{Shape, L1BS};
use super::streams::{L1BM_VECTOR, TRANSFER};
use super::times::{Guards, Times, PAIR};
use super::vectors::{add_loops, scaled, Outer};
use super::CompileError;
use crate::functions::from_bf16;
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::{Guard, Move, MoveMemory, MovePlace, Op, Operand, Test};
use tessera_mncore_ir::kernel::Stage;

/// Where block floats of a chunk lie in L2BM, behind all that others have there, and how many long
/// words.
const BLOCKS: u32 = 28672;
pub(super) const ROOM: u32 = 4096;
/// Where vectors of units lie in L1BM beside tiles and the column side.
const FLOW_L1BM: u32 = 2048;
/// The number of what is made block floats of a unit, beside those of columns.
const UNIT: u32 = 3;
/// The same where some are used twice: where results of other blocks and batches of tiles would
/// lie, and units in their place.
const TWICE_BLOCKS: u32 = 16384;
pub(super) const TWICE_ROOM: u32 = BLOCKS - TWICE_BLOCKS;
/// The same where those of the last part of the depth wait for one tile of rows after the other:
/// behind the lane of the column side.
const BY_ROWS_BLOCKS: u32 = 12288;
pub(super) const BY_ROWS_ROOM: u32 = 18432;
/// How many units L2BM has places for, and their long words, where batches of tiles have theirs
/// otherwise: no more for those that flow than there are tags.
const SLOTS: u32 = 2;
pub(super) const SLOT: u32 = 2048;
const FLOW_SLOTS: u32 = 4;
/// How many L1BM has places for, and how many where block floats stay there.
const L1BM_SLOTS: u32 = 2;
const L1BM_SLOTS_OF_BLOCKS: u32 = 4;

/// Where block floats lie in L2BM: the first long word, and how many they have.
pub(super) fn made_room(shape: &Shape) -> (u32, u32) {
    if shape.by_rows > 0 {
        (BY_ROWS_BLOCKS, BY_ROWS_ROOM)
    } else if shape.twice > 0 {
        (TWICE_BLOCKS, TWICE_ROOM)
    } else {
        (BLOCKS, ROOM)
    }
}

/// The same of units before: where block floats are not in L2BM, their place, too.
fn fetched(shape: &Shape) -> (u32, u32) {
    if shape.by_rows > 0 {
        let first = BY_ROWS_BLOCKS + BY_ROWS_ROOM;
        (first, L2BM_WORDS - first)
    } else if shape.twice > 0 {
        (BLOCKS, ROOM)
    } else if shape.keeps_blocks() {
        (L2BM, SLOTS * SLOT + ROOM)
    } else {
        (L2BM, SLOTS * SLOT)
    }
}

/// The long words of L2BM that have places of units.
pub(super) fn units_room(shape: &Shape) -> u32 {
    let (_, room) = fetched(shape);
    room
}

/// How many units of so many long words L2BM has places for, where they flow into the loop that
/// multiplies.
pub(super) fn flow_slots(shape: &Shape, words: u32) -> u32 {
    FLOW_SLOTS.min(units_room(shape) / words)
}

/// The number of a unit, or of what else there is one of in each iteration of a body: that in the
/// first, and what each dimension adds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    pub first: u32,
    pub walk: Vec<u32>,
}

impl Numbers {
    /// That goes on by so many in each iteration of a loop of one dimension.
    pub fn along(body: &Body, first: u32, each: u32) -> Self {
        let walk = body.along(each);
        Numbers { first, walk }
    }

    /// Where it lies, if each takes so much.
    pub fn at(&self, size: u32) -> Address {
        Address::moving(self.first * size, &scaled(&self.walk, size))
    }
}

/// A unit of an iteration: when block floats are made of it, and when the one comes that takes its
/// place, in any of these cases.
#[derive(Clone, Debug)]
pub(super) struct Unit {
    pub numbers: Numbers,
    pub when: Guards,
    pub next: Vec<Guards>,
}

/// Which units a loop makes block floats of: in each iteration so many, from one on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Units {
    pub first: u32,
    pub each: u32,
}

/// A row side of which block floats are made before.
pub(super) struct Prepared {
    base: u32,
    /// Long words between the parts of the two L2B of a group, between blocks of rows, between
    /// matrices.
    side: u32,
    block: u32,
    matrix: u32,
    /// Whether its elements have 16 bits.
    halves: bool,
    /// Vectors of a unit in DRAM, and those of block floats made of them.
    vectors: u32,
    blocks: u32,
    /// Long words of a vector.
    vector: u32,
    /// Units of a chunk.
    units: u32,
    /// How many L2BM has places for.
    slots: u32,
    /// Long words of a pair of tiles.
    pair: u32,
    /// Where block floats lie in L2BM, and where units do before: their first long word, and how
    /// many they have.
    made_room: (u32, u32),
    fetched: (u32, u32),
    /// Whether units flow into the loop that multiplies.
    is_flow: bool,
    /// Whether both L2Bs of a group have the same rows, and L1Bs their own, so that block floats
    /// stay in L1BM.
    keeps_blocks: bool,
    /// If the first units of a block are fetched while the block before is multiplied: the last
    /// block.
    last_block: Option<u32>,
}

impl Prepared {
    /// Gives it a place, if its block floats are made of vectors of so many long words.
    pub fn place(
        arguments: &mut Arguments,
        shape: &Shape,
        of: &Side,
        (arithmetic, vector): (Arithmetic, u32),
    ) -> Result<Self, CompileError> {
        let halves = shape.halves.rows;
        let tile = arithmetic.tile_words(true);
        let (vectors, blocks) = arithmetic.unit(halves);
        let turn = shape.row_tiles() / shape.span * tile;
        let chunk = shape.k_blocks / shape.span * turn;
        let units = chunk / (blocks * vector);
        let side = u64::from(units * shape.chunks * vectors * vector).next_power_of_two();
        let keeps_blocks = shape.keeps_blocks();
        let block = if keeps_blocks { side } else { 2 * side };
        let matrix = block * u64::from(shape.i_blocks.next_power_of_two());
        let [k, mut i] = in_units(shape, (arithmetic, vector));
        if !keeps_blocks {
            i.push((Word, 2, side));
        }
        i.extend([(Group, 4, 1), (Word, shape.i_blocks, block)]);
        let parts = if halves { 2 } else { 1 };
        let (base, matrix) = side_in_dram(arguments, of, [&i, &k], (matrix, parts))?;
        Ok(Prepared {
            base,
            side: side as u32,
            block: block as u32,
            matrix,
            halves,
            vectors,
            blocks,
            vector,
            units,
            made_room: made_room(shape),
            fetched: fetched(shape),
            slots: shape
                .flow
                .map_or(SLOTS, |_| flow_slots(shape, vectors * vector)),
            pair: 2 * tile,
            is_flow: shape.flow.is_some(),
            keeps_blocks,
            last_block: shape.stays.then_some(shape.i_blocks - 1),
        })
    }

    /// Whether its elements have 16 bits.
    pub fn is_of_halves(&self) -> bool {
        self.halves
    }

    /// The sides that MV instructions go to one after the other.
    fn sides(&self) -> std::ops::Range<u32> {
        0..if self.keeps_blocks { 1 } else { 2 }
    }

    /// Long words of a unit in DRAM, for each side.
    fn unit(&self) -> u32 {
        self.vectors * self.vector
    }

    /// Those of its place in L2BM.
    fn slot(&self) -> u32 {
        self.fetched.1 / self.slots
    }

    /// The tag of the MV instruction for a side of a unit.
    fn tag(&self, walk: &[u32], side: u32, unit: u32) -> Address {
        Address::moving(unit, walk).around(TAG + self.slots * side, self.slots)
    }

    /// The MV instruction that brings a side of a unit: `address` is that in DRAM from the first
    /// unit on, `walk` what dimensions add to the number of the place.
    fn fetch(&self, address: Address, walk: &[u32], side: u32, unit: u32) -> Op {
        let place = |memory, address, l2b| MovePlace {
            memory,
            address,
            group: None,
            l2b,
        };
        let dram = address.plus(self.base + side * self.side + unit * self.unit());
        let l2bm = Address::moving(unit * self.slot(), &scaled(walk, self.slot()));
        let (first, room) = self.fetched;
        let l2bm = l2bm.around(first, room);
        let (mode, l2b) = if self.keeps_blocks {
            (MvMode::DramBroadcast2, None)
        } else {
            (MvMode::DramToL2bmEach, Some(side as u8))
        };
        Op::Mv(Move {
            mode,
            rrn: None,
            words: self.unit(),
            tag: self.tag(walk, side, unit),
            source: place(MoveMemory::Dram, dram, None),
            target: place(MoveMemory::L2bm, l2bm, l2b),
        })
    }

    /// How many units are fetched before their chunk is prepared, or before the loop into which
    /// they flow.
    pub fn before(&self) -> u32 {
        self.units.min(self.slots)
    }

    /// Fetches the first units of the first chunk.
    pub fn first(&self) -> Stage {
        let mut body = Body::new(&[], &[]);
        self.fetch_first(&mut body, &Address::fixed(0), &[]);
        Stage::Loop("rows", body)
    }

    fn fetch_first(&self, body: &mut Body, address: &Address, when: &[Guard]) {
        let before = if self.is_flow { 1 } else { self.before() };
        for unit in 0..before {
            for side in self.sides() {
                let op = self.fetch(address.clone(), &[], side, unit);
                body.push(op, Vec::new(), Vec::new()).when = when.to_vec();
            }
        }
    }

    /// Fetches a unit of a block into whose loop they flow, where the first is fetched already.
    pub fn fetch_one(&self, body: &mut Body, outer: &Outer, unit: u32) {
        let mut steps = vec![0; body.dimensions()];
        add_loops(&mut steps, &self.loops(outer));
        for side in self.sides() {
            let op = self.fetch(Address::moving(0, &steps), &[], side, unit);
            body.push(op, Vec::new(), Vec::new());
        }
    }

    /// What the loops around add in DRAM.
    fn loops(&self, outer: &Outer) -> [(Option<usize>, u32); 3] {
        [
            (outer.matrices, self.matrix),
            (outer.i, self.block),
            (outer.chunk, self.units * self.unit()),
        ]
    }

    /// Fetches the first units of the next chunk, if there is one, and they are not fetched yet.
    pub fn next(&self, outer: &Outer, shape: &Shape) -> Option<Stage> {
        if self.last_block.is_some() {
            return None;
        }
        let fetch = |body: &mut Body, chunk: &Address, when: &[Guard]| {
            self.fetch_first(body, chunk, when);
        };
        fetch_next(outer, shape, &self.loops(outer), &fetch)
    }

    /// Makes block floats of a chunk.
    pub fn prepare(&self, outer: &Outer, shape: &Shape, arithmetic: Arithmetic) -> Body {
        let mut body = Body::new(&outer.counts(shape), &[self.units]);
        self.make(&mut body, outer, arithmetic, Units { first: 0, each: 1 });
        body
    }

    /// The items that make block floats of the units of an iteration, as far as there are some.
    pub fn make(&self, body: &mut Body, outer: &Outer, arithmetic: Arithmetic, units: Units) {
        let (each, time) = (units.each, body.dimensions() - 1);
        let iterations = body.trip[body.trip.len() - 1];
        // In how many iterations there is a unit so many behind the first, and that there is.
        let left = |first: u32| self.units.saturating_sub(first).div_ceil(each);
        let while_there = |first: u32| -> Guards {
            let test = Test::Below(left(first));
            let guard = Guard {
                dimension: time,
                test,
            };
            let ends = left(first) < iterations;
            ends.then_some(guard).into_iter().collect()
        };
        for number in units.first..units.first + each {
            let next = number + self.slots;
            let unit = Unit {
                numbers: Numbers::along(body, number, each),
                when: while_there(number),
                next: (left(next) > 0)
                    .then(|| while_there(next))
                    .into_iter()
                    .collect(),
            };
            self.make_one(body, outer, arithmetic, &unit);
        }
    }

    /// The same of one of them.
    pub fn make_one(&self, body: &mut Body, outer: &Outer, arithmetic: Arithmetic, unit: &Unit) {
        let begin = body.items.len();
        let numbers = &unit.numbers;
        for side in self.sides() {
            let wait = Op::Wait(self.tag(&numbers.walk, side, numbers.first));
            body.push(wait, Vec::new(), Vec::new());
        }
        self.make_blocks(body, arithmetic, numbers);
        // Where that of this iteration was.
        let later = numbers.first + self.slots;
        let mut steps = scaled(&numbers.walk, self.unit());
        add_loops(&mut steps, &self.loops(outer));
        for when in &unit.next {
            for side in self.sides() {
                let address = Address::moving(0, &steps);
                let op = self.fetch(address, &numbers.walk, side, later);
                body.push(op, Vec::new(), Vec::new()).when.clone_from(when);
            }
        }
        let collected = if self.keeps_blocks { 0 } else { self.blocks };
        if let Some(last) = self.last_block {
            self.fetch_next_block(body, outer, (numbers.first, last));
        }
        for block in 0..collected {
            let l1 = self
                .l1bm(numbers)
                .beyond(self.place_of(block) * L1BM_VECTOR);
            let l2 = self.made(numbers).beyond(block * self.vector);
            self.transfer(body, L2bmKind::Collect, &l2, &l1);
        }
        for item in &mut body.items[begin..] {
            item.when.extend(&unit.when);
        }
    }

    /// Fetches the first units of the next block, where those of the last iterations were: an
    /// iteration makes one unit, the first this one.
    fn fetch_next_block(&self, body: &mut Body, outer: &Outer, (first, last): (u32, u32)) {
        let (Some(blocks), time) = (outer.i, body.dimensions() - 1) else {
            return;
        };
        let walk = body.along(1);
        let mut steps = vec![0; body.dimensions()];
        add_loops(&mut steps, &self.loops(outer));
        steps[time] = self.unit();
        for side in self.sides() {
            let address = Address::moving(self.block - self.units * self.unit(), &steps);
            let op = self.fetch(address, &walk, side, first + self.slots);
            let from = Test::From(self.units - first - self.slots);
            let item = body.push(op, Vec::new(), Vec::new());
            item.when = [(time, from), (blocks, Test::Below(last))]
                .map(|(dimension, test)| Guard { dimension, test })
                .to_vec();
        }
    }

    /// In which of a unit's places in L1BM block floats lie: the last where the vector was of which
    /// they are made, as the first are made while it is needed.
    fn place_of(&self, number: u32) -> u32 {
        self.blocks - 1 - number
    }

    /// Where the block floats of a unit lie in L2BM.
    pub fn made(&self, numbers: &Numbers) -> Address {
        let (first, room) = self.made_room;
        let words = self.made_words();
        numbers.at(words).around(first, room / words * words)
    }

    /// Long words of the block floats of a unit.
    pub fn made_words(&self) -> u32 {
        self.blocks * self.vector
    }

    /// The items that bring the vectors of a unit to PEs, make block floats of them, and put those
    /// where the vectors were in L1BM.
    fn make_blocks(&self, body: &mut Body, arithmetic: Arithmetic, numbers: &Numbers) {
        let (first, room) = self.fetched;
        let l2 = numbers.at(self.slot()).around(first, room);
        let l1 = |number: u32| self.l1bm(numbers).beyond(number * L1BM_VECTOR);
        let mut put = |body: &mut Body, number: u32, op: Op, input: Operand| {
            let block = body.value(Width::Long, Home::Any);
            body.push(op, vec![input], vec![block.into()]);
            let up = L1bmOp::new(L1bmKind::Collect, false);
            let up = Op::L1bm(up, l1(self.place_of(number)));
            body.push(up, vec![block.into()], Vec::new());
        };
        let mut values = Vec::new();
        for number in 0..self.vectors {
            let l1 = l1(number);
            let l2 = l2.clone().beyond(number * self.vector);
            self.transfer(body, L2bmKind::Distribute, &l2, &l1);
            let down = L1bmOp::new(L1bmKind::Distribute, false);
            let down = Op::L1bm(down, l1);
            if self.is_flow && self.halves {
                let bank = if self.keeps_blocks {
                    Bank::Grf1
                } else {
                    Bank::Lm1
                };
                let constants = Constants(bank);
                return arithmetic.block_of_halves(body, &down, &constants, UNIT, &mut put);
            }
            let value = body.value(Width::Long, Home::Any);
            body.push(down, Vec::new(), vec![value.into()]);
            values.push(value);
        }
        if self.halves {
            values = from_bf16(body, values[0]);
        }
        let values = values.into_iter().map(Operand::from).collect();
        arithmetic.blocks(body, values, &mut put);
    }

    /// Where the vectors of a unit lie in L1BM, and then its block floats.
    fn l1bm(&self, numbers: &Numbers) -> Address {
        let size = 2 * L1BM_VECTOR;
        let first = if self.is_flow { FLOW_L1BM } else { L1BM };
        let slots = if self.keeps_blocks {
            L1BM_SLOTS_OF_BLOCKS
        } else {
            L1BM_SLOTS
        };
        numbers.at(size).around(first, slots * size)
    }

    /// Where block floats that stay in L1BM lie there, those of a unit from so many long words of
    /// an L1B on.
    pub fn kept(&self, numbers: &Numbers, words: u32) -> Address {
        let of_block = self.vector / L1BS;
        let (block, within) = (words / of_block, words % of_block);
        self.l1bm(numbers)
            .beyond(self.place_of(block) * L1BM_VECTOR + within)
    }

    /// The transfers of a vector between L2BM and L1BM.
    fn transfer(&self, body: &mut Body, kind: L2bmKind, l2: &Address, l1: &Address) {
        for part in 0..self.vector / TRANSFER.0 {
            let op = Op::L2bm {
                op: L2bmOp::new(kind),
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

/// The digits of the depth, and of an L2B's rows, in units that are made of vectors of so many long
/// words.
fn in_units(shape: &Shape, (arithmetic, vector): (Arithmetic, u32)) -> [Vec<Stated>; 2] {
    let halves = shape.halves.rows;
    let turn = shape.row_tiles() / shape.span * arithmetic.tile_words(true);
    let depth = shape.k_blocks * shape.chunks / shape.span;
    let turns = vec![(Word, depth, u64::from(turn))];
    let mut rows = arithmetic.row_digits(shape.tiles, true);
    if shape.pairs {
        rows.push((Word, 2, u64::from(turn / 2)));
    }
    if shape.keeps_blocks() {
        rows = over_l1bs(&rows);
        rows.push((Word, L1BS, u64::from(L1BS)));
    }
    let (neighbours, [turns, rows]) = match arithmetic.unit(halves) {
        (2, _) => {
            let lists = [turns, rows].map(|list| apart(&list, vector));
            (vec![(Word, 2, vector.into())], lists)
        }
        (_, 2) => {
            let lists = [turns, rows].map(|list| together(&list, vector));
            (Vec::new(), lists)
        }
        _ if halves => (vec![(Digit::Part, 2, 1)], [turns, rows]),
        _ => (Vec::new(), [turns, rows]),
    };
    let word = if halves { 2 } else { 1 };
    let inner = [(Digit::Part, 2, word), (Word, 4, 1)];
    [[&inner[..], &neighbours, &turns].concat(), rows]
}

/// Digits of block floats where vectors of so many long words are, two by two, one in DRAM.
fn together(list: &[Stated], vector: u32) -> Vec<Stated> {
    let vector = u64::from(vector);
    let split = |&(place, extent, stride): &Stated| {
        let below = (vector / stride).clamp(1, extent.into()) as u32;
        let left = extent.div_ceil(below);
        // That which tells the two apart.
        let both = if stride * u64::from(below) == vector {
            left.min(2)
        } else {
            1
        };
        let above = (stride / 2).max(vector);
        let own = if stride > vector {
            (1, extent)
        } else {
            (below, left.div_ceil(both))
        };
        [
            (place, own.0, stride),
            (Digit::Part, both, 1),
            (place, own.1, above),
        ]
    };
    list.iter().flat_map(split).collect()
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
