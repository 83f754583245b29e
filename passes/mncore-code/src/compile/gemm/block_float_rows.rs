//! The row side of a product converted to block floats once, before it is needed.
//!
//! Otherwise every block of columns, and every MAB, would repeat the conversion tile by tile. The
//! vectors of a chunk of the depth are distributed over the PEs as in an element-wise loop. The PEs
//! convert them and store the block floats to L2BM, from where tiles are broadcast to all L1BMs
//! during multiplication.
//!
//! A *unit* is the group of vectors that is loaded together. In half precision it yields one vector
//! of block floats, from two vectors adjacent in the depth or one packed bf16 vector. In
//! pseudo-single precision a vector of singles yields one, and a packed bf16 vector yields two. The
//! MV instructions of a unit are issued two units ahead. Those of the first units of a chunk are
//! issued while the previous chunk is multiplied.
//!
//! With columns over groups, `mvb4` brings each L2B its rows: DRAMs of all groups hold a quarter of
//! a unit, the two L2Bs of a group side by side in every 32 long words.
//!
//! A number of row tiles that is not a power of two lies tile by tile in DRAM, so that addresses
//! are still digits. Then each tile has its own MV instruction.
//!
//! If L1Bs have their own rows, no other L1B needs their block floats. These then stay in L1BM,
//! which has slots for more units.
//!
//! In a pipelined product ([`super::pipelined`]) an iteration converts the unit of the next one,
//! and up to four units are in flight.

use tessera_isa_mncore::layout::Place::{self as Digit, Address as Word, Group};
use tessera_isa_mncore::memory::{Bank, Width};
use tessera_isa_mncore::table::l1bm::L1bmKind;
use tessera_isa_mncore::table::l2bm::L2bmKind;
use tessera_isa_mncore::table::{L1bmOp, L2bmOp, MvMode};

use super::arithmetic::Arithmetic;
use super::constants::ConstantTable;
use super::drain::Drain;
use super::loop_levels::{LoopLevels, PAIR};
use super::problem::Blocking;
use super::row_side::{ChunkedRows, RowSide, RowStages};
use super::streamed_rows::{fetch_next, load_tile_pair, place_side, Side};
use super::tile::TileForm;
use crate::compile::data::arguments::Arguments;
use crate::compile::data::distribution::{Distribution, Mapping};
use crate::compile::data::geometry::{L1BM_VECTOR, L1BS, TRANSFER};
use crate::compile::data::guards::Guards;
use crate::compile::data::mixed_radix::{
    distribute_over_l1bs, join_groups_and_sides, DigitSpec, MatrixDigits,
};
use crate::compile::data::outer_loops::{add_loops, scaled, OuterLoops};
use crate::compile::error::CompileError;
use crate::compile::scratchpad::{
    self, BLOCK_FLOATS, BY_ROWS_BLOCK_FLOATS, TWICE_BLOCK_FLOATS, UNITS,
};
use crate::compile::stages::line;
use crate::functions::from_bf16;
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::{Guard, Move, MoveMemory, MovePlace, Op, Operand, Test};
use tessera_mncore_ir::kernel::Stage;

/// The long words of a chunk's block floats in L2BM.
pub(crate) const ROOM: u32 = BLOCK_FLOATS.words;
/// The number of units among the converted vectors of an iteration, following those of columns.
const UNIT: u32 = 3;
/// The long words of block floats with a split epilogue, which needs them twice. They take the
/// space of units and of other blocks' results.
pub(crate) const TWICE_ROOM: u32 = TWICE_BLOCK_FLOATS.words;
/// The same with a row-ordered drain, whose epilogue needs block floats of a quarter of the depth.
pub(crate) const BY_ROWS_ROOM: u32 = BY_ROWS_BLOCK_FLOATS.words;
/// The slots of units in L2BM, and the long words of each. Pipelined units have no more slots than
/// there are tags.
const SLOTS: u32 = 2;
pub(crate) const SLOT: u32 = UNITS.words / SLOTS;
const FLOW_SLOTS: u32 = 4;
/// The tags of units.
const TAGS: u32 = scratchpad::UNIT_TAGS.words;

/// Returns the range of block floats in L2BM: first long word and number.
fn block_range(drain: Drain) -> (u32, u32) {
    match drain {
        Drain::RowOrdered { .. } => BY_ROWS_BLOCK_FLOATS.range(),
        Drain::SplitEpilogue { .. } => TWICE_BLOCK_FLOATS.range(),
        Drain::AtEnd | Drain::DuringNextBlock => BLOCK_FLOATS.range(),
    }
}

/// Returns the range of loaded units in L2BM. It includes the range of block floats if these stay
/// in L1BM.
fn unit_range(distribution: &Distribution, drain: Drain) -> (u32, u32) {
    match drain {
        Drain::RowOrdered { .. } => scratchpad::BY_ROWS_UNITS.range(),
        Drain::SplitEpilogue { .. } => scratchpad::TWICE_UNITS.range(),
        Drain::AtEnd | Drain::DuringNextBlock if distribution.keeps_rows_in_l1bm() => {
            scratchpad::UNITS_OF_L1BS.range()
        }
        Drain::AtEnd | Drain::DuringNextBlock => UNITS.range(),
    }
}

/// Returns the long words of L2BM that hold units.
pub(crate) fn unit_words(distribution: &Distribution, drain: Drain) -> u32 {
    let (_, room) = unit_range(distribution, drain);
    room
}

/// Returns the number of slots for pipelined units of a size in long words.
pub(crate) fn pipelined_unit_slots(distribution: &Distribution, drain: Drain, words: u32) -> u32 {
    // Each tile with MV instructions of its own has its own tags.
    let tagged = TAGS / tiles_apart(distribution).next_power_of_two();
    let slots = FLOW_SLOTS.min(unit_words(distribution, drain) / words);
    slots.min(tagged)
}

/// The index of a unit, affine in the iteration: its value in the first iteration, and the
/// increment per iteration of each dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnitIndex {
    pub first: u32,
    pub walk: Vec<u32>,
}

impl UnitIndex {
    /// Creates an index that advances by `each` per iteration of a one-dimensional loop.
    pub fn along(body: &Body, first: u32, each: u32) -> Self {
        let walk = body.innermost_steps(each);
        UnitIndex { first, walk }
    }

    /// Returns the address of the unit, given the size of each.
    pub fn address(&self, size: u32) -> Address {
        Address::affine(self.first * size, &scaled(&self.walk, size))
    }
}

/// A unit to convert in an iteration: under which guards it is converted, and under which the next
/// unit for its slot is fetched.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    pub numbers: UnitIndex,
    pub when: Guards,
    pub next: Vec<Guards>,
}

/// The units that a loop converts: `each` per iteration, from `first` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UnitRange {
    pub first: u32,
    pub each: u32,
}

/// How a row side is converted to block floats.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conversion {
    /// Long words of the vectors that are converted.
    pub vector: u32,
    /// If the loop that multiplies converts them: turns per iteration, and when results leave.
    pub pipeline: Option<(u32, Drain)>,
}

/// A row side that is converted to block floats before it is needed.
pub(crate) struct BlockFloatRows {
    base: u32,
    /// Offsets in long words: between what the MV instructions of a unit load, between blocks of
    /// rows, between matrices.
    part: u32,
    block: u32,
    matrix: u32,
    /// Whether its elements are packed bf16.
    halves: bool,
    /// The vectors of a unit in DRAM, and the vectors of block floats that it yields.
    vectors: u32,
    blocks: u32,
    /// Long words per vector.
    vector: u32,
    /// Units per chunk.
    units: u32,
    /// Slots of units in L2BM.
    slots: u32,
    /// Long words of a pair of tiles.
    pair: u32,
    /// The ranges in L2BM of block floats and of loaded units: first long word and number.
    made_room: (u32, u32),
    fetched: (u32, u32),
    /// Turns per iteration of the pipelined loop that multiplies, if that loads units.
    turns: Option<u32>,
    /// Whether L1Bs have their own rows, so that block floats stay in L1BM.
    keeps_rows_in_l1bm: bool,
    /// Whether all groups have the same rows, and the L2Bs of a group their own.
    is_same_in_groups: bool,
    /// Row tiles with MV instructions of their own, or 1.
    tiles_apart: u32,
    /// Words of GRF0 that the product's sums take.
    sum_words: u32,
    /// The last block of rows, if the first units of a block are fetched while the previous block
    /// is multiplied.
    last_block: Option<u32>,
}

impl BlockFloatRows {
    /// Places the tensor.
    pub fn place(
        arguments: &mut Arguments,
        blocking: &Blocking,
        of: &Side,
        (arithmetic, conversion): (Arithmetic, Conversion),
    ) -> Result<Self, CompileError> {
        let (distribution, vector) = (&blocking.distribution, conversion.vector);
        let drain = conversion.pipeline.map_or(Drain::AtEnd, |(_, drain)| drain);
        let halves = blocking.bf16.rows;
        let tile = arithmetic.tile_words(true);
        let (vectors, blocks) = arithmetic.unit(halves);
        let turn = distribution.row_tiles() / distribution.span * tile;
        let chunk = distribution.k_blocks / distribution.span * turn;
        let units = chunk / (blocks * vector);
        let is_same_in_groups = distribution.mapping == Mapping::ColumnsOverGroups;
        let words = units * distribution.chunks * vectors * vector;
        let tiles_apart = tiles_apart(distribution);
        let of_part = if is_same_in_groups {
            words / tiles_apart / 2
        } else {
            words
        };
        let part = u64::from(of_part).next_power_of_two();
        let keeps_rows_in_l1bm = distribution.keeps_rows_in_l1bm();
        let block = match keeps_rows_in_l1bm {
            true => part * u64::from(tiles_apart.next_power_of_two()),
            false => 2 * part,
        };
        let matrix = block * u64::from(distribution.i_blocks.next_power_of_two());
        let [k, mut i] = unit_digits(distribution, halves, (arithmetic, vector));
        if !keeps_rows_in_l1bm {
            i.push((Word, 2, part));
        }
        if !is_same_in_groups {
            i.push((Group, 4, 1));
        }
        i.push((Word, tiles_apart, part));
        i.push((Word, distribution.i_blocks, block));
        let parts = if halves { 2 } else { 1 };
        let matrices = MatrixDigits::of(matrix);
        let (base, matrix) = place_side(arguments, of, [&i, &k], (&matrices, parts))?;
        Ok(BlockFloatRows {
            base,
            part: part as u32,
            block: block as u32,
            matrix,
            halves,
            vectors,
            blocks,
            vector,
            units,
            made_room: block_range(drain),
            fetched: unit_range(distribution, drain),
            slots: conversion.pipeline.map_or(SLOTS, |_| {
                pipelined_unit_slots(distribution, drain, vectors * vector)
            }),
            pair: 2 * tile,
            turns: conversion.pipeline.map(|(turns, _)| turns),
            keeps_rows_in_l1bm,
            is_same_in_groups,
            tiles_apart,
            sum_words: arithmetic.sum_words(distribution.vectors()),
            last_block: drain.keeps_columns().then_some(distribution.i_blocks - 1),
        })
    }

    /// Returns whether its elements are packed bf16.
    pub fn is_packed(&self) -> bool {
        self.halves
    }

    /// Returns the numbers of a unit's MV instructions: one for each side of a group, or for both,
    /// or for each tile.
    fn parts(&self) -> std::ops::Range<u32> {
        0..if self.keeps_rows_in_l1bm {
            self.tiles_apart
        } else {
            2
        }
    }

    /// Returns the position of a tile among those of a unit in L1BM, where block floats stay there.
    pub fn tile_number(&self, distribution: &Distribution, turn: u32, tile: u32) -> u32 {
        if self.tiles_apart == 1 {
            return turn * (distribution.tiles / distribution.span) + tile;
        }
        // The block floats of a vector come from a part of the turns of each tile.
        let of_block = self.turns.unwrap_or(1) / self.blocks;
        let (block, within) = (turn / of_block, turn % of_block);
        (block * distribution.tiles + tile) * of_block + within
    }

    /// Returns the long words of a unit in a group's DRAM, for each MV instruction.
    fn unit(&self) -> u32 {
        let words = self.unit_words() / self.tiles_apart;
        if self.is_same_in_groups {
            words / 2
        } else {
            words
        }
    }

    /// Returns the long words of a unit in L2BM.
    fn unit_words(&self) -> u32 {
        self.vectors * self.vector
    }

    /// Returns the long words of a unit's slot in L2BM.
    fn slot(&self) -> u32 {
        self.fetched.1 / self.slots
    }

    /// Returns the tag of an MV instruction of a unit.
    fn tag(&self, walk: &[u32], part: u32, unit: u32) -> Address {
        Address::affine(unit, walk)
            .with_ring(scratchpad::UNIT_TAGS.start + self.slots * part, self.slots)
    }

    /// Returns the MV instruction that fetches a part of a unit. `address` is relative to the first
    /// unit in DRAM; `walk` gives the increment of the slot number per dimension.
    fn fetch(&self, address: Address, walk: &[u32], part: u32, unit: u32) -> Op {
        let place = |memory, address, l2b| MovePlace {
            memory,
            address,
            group: None,
            l2b,
        };
        let words = self.unit_words() / self.tiles_apart;
        let dram = address.advanced_by(self.base + part * self.part + unit * self.unit());
        let l2bm = Address::affine(unit * self.slot(), &scaled(walk, self.slot()));
        let (first, room) = self.fetched;
        let mut l2bm = l2bm.with_ring(first, room);
        if self.tiles_apart > 1 {
            l2bm = l2bm.offset_by(part * words);
        }
        let (mode, l2b) = if self.is_same_in_groups {
            (MvMode::DramBroadcast4, None)
        } else if self.keeps_rows_in_l1bm {
            (MvMode::DramBroadcast2, None)
        } else {
            (MvMode::DramToL2bmEach, Some(part as u8))
        };
        Op::Mv(Move {
            mode,
            rrn: None,
            words,
            tag: self.tag(walk, part, unit),
            source: place(MoveMemory::Dram, dram, None),
            target: place(MoveMemory::L2bm, l2bm, l2b),
        })
    }

    /// Returns how many units are fetched before their chunk is converted, or before the pipelined
    /// loop.
    pub fn prefetched_units(&self) -> u32 {
        self.units.min(self.slots)
    }

    /// Returns the stage that fetches the first units of the first chunk.
    pub fn first(&self) -> Stage {
        let mut body = Body::new(&[], &[]);
        self.fetch_first(&mut body, &Address::fixed(0), &[]);
        Stage::Loop("rows", body)
    }

    fn fetch_first(&self, body: &mut Body, address: &Address, when: &[Guard]) {
        let before = if self.turns.is_some() {
            1
        } else {
            self.prefetched_units()
        };
        for unit in 0..before {
            for part in self.parts() {
                let op = self.fetch(address.clone(), &[], part, unit);
                body.push(op, Vec::new(), Vec::new()).when = when.to_vec();
            }
        }
    }

    /// Fetches a unit before the pipelined loop; the first is fetched already.
    pub fn fetch_unit(&self, body: &mut Body, outer: &OuterLoops, unit: u32) {
        let mut steps = vec![0; body.dimensions()];
        add_loops(&mut steps, &self.loops(outer));
        for part in self.parts() {
            let op = self.fetch(Address::affine(0, &steps), &[], part, unit);
            body.push(op, Vec::new(), Vec::new());
        }
    }

    /// Returns the increments of the DRAM address in the outer loops.
    fn loops(&self, outer: &OuterLoops) -> [(Option<usize>, u32); 3] {
        [
            (outer.matrices, self.matrix),
            (outer.i, self.block),
            (outer.chunk, self.units * self.unit()),
        ]
    }

    /// Returns the stage that fetches the first units of the next chunk, unless the loop itself
    /// does.
    pub fn next(&self, outer: &OuterLoops, distribution: &Distribution) -> Option<Stage> {
        if self.last_block.is_some() {
            return None;
        }
        let fetch = |body: &mut Body, chunk: &Address, when: &[Guard]| {
            self.fetch_first(body, chunk, when);
        };
        fetch_next(outer, distribution, &self.loops(outer), &fetch)
    }

    /// Builds the loop that converts a chunk.
    fn build_conversion_loop(
        &self,
        outer: &OuterLoops,
        distribution: &Distribution,
        arithmetic: Arithmetic,
    ) -> Body {
        let mut body = Body::new(&outer.counts(distribution), &[self.units]);
        self.convert_units(
            &mut body,
            outer,
            arithmetic,
            UnitRange { first: 0, each: 1 },
        );
        body
    }

    /// Emits the items that convert the units of an iteration.
    pub fn convert_units(
        &self,
        body: &mut Body,
        outer: &OuterLoops,
        arithmetic: Arithmetic,
        units: UnitRange,
    ) {
        let (each, time) = (units.each, body.dimensions() - 1);
        let iterations = body.trip[body.trip.len() - 1];
        // The iterations that have a unit at this distance from the first, and the guard for it.
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
                numbers: UnitIndex::along(body, number, each),
                when: while_there(number),
                next: (left(next) > 0)
                    .then(|| while_there(next))
                    .into_iter()
                    .collect(),
            };
            self.convert_unit(body, outer, arithmetic, &unit);
        }
    }

    /// Emits the items that convert one unit.
    pub fn convert_unit(
        &self,
        body: &mut Body,
        outer: &OuterLoops,
        arithmetic: Arithmetic,
        unit: &Unit,
    ) {
        let begin = body.items.len();
        let numbers = &unit.numbers;
        for part in self.parts() {
            let wait = Op::Wait(self.tag(&numbers.walk, part, numbers.first));
            body.push(wait, Vec::new(), Vec::new());
        }
        self.convert_vectors(body, arithmetic, numbers);
        // The next unit for this slot.
        let later = numbers.first + self.slots;
        let mut steps = scaled(&numbers.walk, self.unit());
        add_loops(&mut steps, &self.loops(outer));
        for when in &unit.next {
            for part in self.parts() {
                let address = Address::affine(0, &steps);
                let op = self.fetch(address, &numbers.walk, part, later);
                body.push(op, Vec::new(), Vec::new()).when.clone_from(when);
            }
        }
        let collected = if self.keeps_rows_in_l1bm {
            0
        } else {
            self.blocks
        };
        if let Some(last) = self.last_block {
            self.fetch_next_block(body, outer, (numbers.first, last));
        }
        for block in 0..collected {
            let l1 = self
                .l1bm(numbers)
                .offset_by(self.l1bm_slot(block) * L1BM_VECTOR);
            let l2 = self.block_address(numbers).offset_by(block * self.vector);
            self.transfer(body, L2bmKind::Collect, &l2, &l1);
        }
        for item in &mut body.items[begin..] {
            item.when.extend(&unit.when);
        }
    }

    /// Fetches the first units of the next block into the slots of the last iterations; an
    /// iteration converts one unit.
    fn fetch_next_block(&self, body: &mut Body, outer: &OuterLoops, (first, last): (u32, u32)) {
        let (Some(blocks), time) = (outer.i, body.dimensions() - 1) else {
            return;
        };
        let walk = body.innermost_steps(1);
        let mut steps = vec![0; body.dimensions()];
        add_loops(&mut steps, &self.loops(outer));
        steps[time] = self.unit();
        for part in self.parts() {
            let address = Address::affine(self.block - self.units * self.unit(), &steps);
            let op = self.fetch(address, &walk, part, first + self.slots);
            let from = Test::From(self.units - first - self.slots);
            let item = body.push(op, Vec::new(), Vec::new());
            item.when = [(time, from), (blocks, Test::Below(last))]
                .map(|(dimension, test)| Guard { dimension, test })
                .to_vec();
        }
    }

    /// Returns the slot of a block float within its unit in L1BM. The order is reversed: the first
    /// is written while the second vector is still needed.
    fn l1bm_slot(&self, number: u32) -> u32 {
        self.blocks - 1 - number
    }

    /// Returns the address of a unit's block floats in L2BM.
    pub fn block_address(&self, numbers: &UnitIndex) -> Address {
        let (first, room) = self.made_room;
        let words = self.block_words();
        numbers
            .address(words)
            .with_ring(first, room / words * words)
    }

    /// Returns the long words of a unit's block floats.
    pub fn block_words(&self) -> u32 {
        self.blocks * self.vector
    }

    /// Returns the long words of L2BM in one of them.
    pub fn vector_words(&self) -> u32 {
        self.vector
    }

    /// Emits the items that load a unit's vectors to the PEs, convert them and store the result
    /// over the vectors in L1BM.
    fn convert_vectors(&self, body: &mut Body, arithmetic: Arithmetic, numbers: &UnitIndex) {
        let (first, room) = self.fetched;
        let l2 = numbers.address(self.slot()).with_ring(first, room);
        let l1 = |number: u32| self.l1bm(numbers).offset_by(number * L1BM_VECTOR);
        let mut put = |body: &mut Body, number: u32, op: Op, input: Operand| {
            let block = body.value(Width::Long, Home::Any);
            body.push(op, vec![input], vec![block.into()]);
            let up = L1bmOp::new(L1bmKind::Collect, false);
            let up = Op::L1bm(up, l1(self.l1bm_slot(number)));
            body.push(up, vec![block.into()], Vec::new());
        };
        let mut values = Vec::new();
        for number in 0..self.vectors {
            let l1 = l1(number);
            let l2 = l2.clone().offset_by(number * self.vector);
            self.transfer(body, L2bmKind::Distribute, &l2, &l1);
            let down = L1bmOp::new(L1bmKind::Distribute, false);
            let down = Op::L1bm(down, l1);
            if self.turns.is_some() && self.halves {
                let constants = if self.keeps_rows_in_l1bm {
                    ConstantTable::in_registers(self.sum_words)
                } else {
                    ConstantTable::in_memory(Bank::Lm1)
                };
                return arithmetic.convert_packed_vector(body, &down, &constants, UNIT, &mut put);
            }
            let value = body.value(Width::Long, Home::Any);
            body.push(down, Vec::new(), vec![value.into()]);
            values.push(value);
        }
        if self.halves {
            values = from_bf16(body, values[0]);
        }
        let values = values.into_iter().map(Operand::from).collect();
        arithmetic.convert_to_blocks(body, values, &mut put);
    }

    /// Returns the address of a unit in L1BM, of its vectors and then of its block floats.
    fn l1bm(&self, numbers: &UnitIndex) -> Address {
        let region = match (self.keeps_rows_in_l1bm, self.turns.is_some()) {
            (true, _) => scratchpad::UNITS_OF_L1BS_L1BM,
            (false, true) => scratchpad::PIPELINED_UNITS_L1BM,
            (false, false) => scratchpad::UNITS_L1BM,
        };
        let size = 2 * L1BM_VECTOR;
        numbers.address(size).with_ring(region.start, region.words)
    }

    /// Returns the address of block floats that stay in L1BM, from an offset in long words of an
    /// L1B on.
    pub fn resident_address(&self, numbers: &UnitIndex, words: u32) -> Address {
        let of_block = self.vector / L1BS;
        let (block, within) = (words / of_block, words % of_block);
        self.l1bm(numbers)
            .offset_by(self.l1bm_slot(block) * L1BM_VECTOR + within)
    }

    /// Emits the transfers of a vector between L2BM and L1BM.
    fn transfer(&self, body: &mut Body, kind: L2bmKind, l2: &Address, l1: &Address) {
        for part in 0..self.vector / TRANSFER.0 {
            let op = Op::L2bm {
                op: L2bmOp::new(kind),
                l2: l2.clone().offset_by(part * TRANSFER.0),
                l1: l1.clone().offset_by(part * TRANSFER.1),
            };
            body.push(op, Vec::new(), Vec::new());
        }
    }
}

impl RowSide for BlockFloatRows {
    fn form(&self) -> TileForm {
        TileForm::BlockFloats
    }

    fn load_pair(&self, body: &mut Body, levels: &LoopLevels) -> Address {
        let l2 = Address::affine(
            BLOCK_FLOATS.start,
            &scaled(&levels.index_in_chunk(PAIR), self.pair),
        );
        load_tile_pair(body, levels, l2, self.pair)
    }
}

impl ChunkedRows for BlockFloatRows {
    fn stages(
        &self,
        levels: &LoopLevels,
        distribution: &Distribution,
        (arithmetic, location): (Arithmetic, usize),
    ) -> RowStages {
        let outer = &levels.outer;
        let mut prepare = self.build_conversion_loop(outer, distribution, arithmetic);
        for item in &mut prepare.items {
            item.line = line(location);
        }
        let prepare = Stage::Loop("prepare", prepare);
        let next = self.next(outer, distribution);
        RowStages {
            first: Some(self.first()),
            before_block: None,
            of_chunk: [prepare].into_iter().chain(next).collect(),
            of_block: None,
        }
    }
}

/// Returns how many row tiles lie apart in DRAM: all, unless their number is a power of two.
fn tiles_apart(distribution: &Distribution) -> u32 {
    match distribution.tiles.is_power_of_two() {
        true => 1,
        false => distribution.tiles,
    }
}

/// Returns the digits of the depth, and of an L2B's rows, for units of vectors with this many long
/// words.
fn unit_digits(
    distribution: &Distribution,
    halves: bool,
    (arithmetic, vector): (Arithmetic, u32),
) -> [Vec<DigitSpec>; 2] {
    let apart = tiles_apart(distribution);
    let tile = arithmetic.contiguous_tile_words(true);
    let turn = distribution.row_tiles() / apart / distribution.span * tile;
    let depth = distribution.k_blocks * distribution.chunks / distribution.span;
    let turns = vec![(Word, depth, u64::from(turn))];
    let mut rows = arithmetic.row_digits(distribution.tiles / apart, true);
    // The eight rows of a tile, and the tiles.
    let mut tiles = rows.split_off(2);
    if distribution.mapping == Mapping::RowsOverL1bPairs {
        tiles.push((Word, 2, u64::from(turn / 2)));
    }
    if distribution.keeps_rows_in_l1bm() {
        [rows, tiles] = [rows, tiles].map(|list| distribute_over_l1bs(&list));
        let l1bs = match distribution.mapping {
            Mapping::ColumnsOverGroups => &mut rows,
            _ => &mut tiles,
        };
        l1bs.push((Word, L1BS, u64::from(L1BS)));
    }
    let (mut neighbours, mut lists) = match arithmetic.unit(halves) {
        (2, _) => {
            let lists = [turns, rows, tiles].map(|list| interleaved_digits(&list, vector));
            (vec![(Word, 2, vector.into())], lists)
        }
        (_, 2) if halves => {
            let lists = [turns, rows, tiles].map(|list| packed_digits(&list, vector / apart));
            (Vec::new(), lists)
        }
        _ if halves => (vec![(Digit::Part, 2, 1)], [turns, rows, tiles]),
        _ => (Vec::new(), [turns, rows, tiles]),
    };
    if distribution.mapping == Mapping::ColumnsOverGroups {
        neighbours = join_groups_and_sides(&neighbours);
        lists = lists.map(|list| join_groups_and_sides(&list));
        // The L2Bs of a group.
        lists[1].push((Word, 2, 16));
    }
    let word = if halves { 2 } else { 1 };
    let inner = [(Digit::Part, 2, word), (Word, 4, 1)];
    let [turns, rows, tiles] = lists;
    [
        [&inner[..], &neighbours, &turns].concat(),
        [rows, tiles].concat(),
    ]
}

/// Returns the digits of block floats if pairs of them are one packed vector in DRAM.
fn packed_digits(list: &[DigitSpec], vector: u32) -> Vec<DigitSpec> {
    let vector = u64::from(vector);
    let split = |&(place, extent, stride): &DigitSpec| {
        let below = (vector / stride).clamp(1, extent.into()) as u32;
        let left = extent.div_ceil(below);
        // The digit that distinguishes the two.
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

/// Returns the digits of vectors if every second vector belongs to another sequence.
fn interleaved_digits(list: &[DigitSpec], vector: u32) -> Vec<DigitSpec> {
    let vector = u64::from(vector);
    let split = |&(place, extent, stride): &DigitSpec| {
        let below = (vector / stride).clamp(1, extent.into()) as u32;
        let above = (stride * u64::from(below)).max(vector) * 2;
        [
            (place, below, stride),
            (place, extent.div_ceil(below), above),
        ]
    };
    list.iter().flat_map(split).collect()
}
