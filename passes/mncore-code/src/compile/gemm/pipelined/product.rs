//! A product as one software-pipelined loop over the depth, which loads both sides while it
//! multiplies.
//!
//! An iteration handles some turns (tiles of the depth) with all row tiles; each has its own items
//! in the loop. It converts its column vectors to block floats and multiplies them. Of the row
//! side, which has the longer path, it converts the unit of the next iteration
//! ([`BlockFloatRows`]). Modulo scheduling overlaps iterations. As the depth has no chunks, nothing
//! interrupts the steady state.
//!
//! A step either reads or writes LM0, and likewise LM1; a read must follow a write by at least two
//! steps. Therefore the column side of the first half of the turns is stored in LM0, that of the
//! second half in LM1: one is read while the other is written.
//!
//! In double precision the MAU widens each vector of singles into two vectors of doubles, of its
//! even and its odd columns: those of the row side once for all MABs of an L2B, those of the column
//! side in each MAB. Its tiles are in two parts, one in each of these vectors. A small product has
//! few multiplications to hide this: one of 256x256x256 elements widens for 96 of 608 steps, waits
//! 40 for its first operands, and stores for 128 after its last product.
//!
//! MV instructions for column vectors are issued as far ahead as L2BM has slots, but not ahead of
//! the row side. A prologue issues those for the first iterations, in order of use, and converts
//! the first unit of the row side.
//!
//! Results are stored at the end. Draining all of them after the last multiplication would
//! serialise the two. The epilogue can therefore run in two passes over half of the row tiles each
//! ([`Phase`]): the first half drains while the second is computed. The second pass reuses what the
//! first one loaded into LM0, LM1 and L2BM. As a pass is shorter, the iterations before convert two
//! row-side units each, and those of the passes none.
//!
//! If several blocks of rows share their columns, and these fit, the column side is loaded with the
//! first block and stays resident. Later blocks have a loop of their own, without column loads.
//! During it the results of the previous block are stored.
//!
//! The column side must be a plain tensor: fused element-wise functions would take ports and steps
//! from the product.

use std::ops::Range;

use tessera_isa_mncore::memory::{Bank, Width};
use tessera_isa_mncore::table::l2bm::{L1bSet, L2bmKind};
use tessera_isa_mncore::table::L2bmOp;

use super::plan::Pipelined;
use super::plan::TILES;
use crate::compile::data::arguments::Arguments;
use crate::compile::data::distribution::{Distribution, Mapping};
use crate::compile::data::geometry::{DOWN, L1BS, VECTOR_WORDS};
use crate::compile::data::guards::Guards;
use crate::compile::data::outer_loops::{scaled, OuterLoops};
use crate::compile::data::streams::{Direction, StreamBuffer};
use crate::compile::data::tensor_use::TensorUse;
use crate::compile::data::vectors::TensorVectors;
use crate::compile::error::CompileError;
use crate::compile::gemm::arithmetic::Arithmetic;
use crate::compile::gemm::block_float_rows::{BlockFloatRows, Conversion, UnitIndex, UnitRange};
use crate::compile::gemm::constants::ConstantTable;
use crate::compile::gemm::drain::Drain;
use crate::compile::gemm::streamed_rows::Side;
use crate::compile::gemm::tile::{Tile, TileForm};
use crate::compile::scratchpad;
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::{Guard, Op, Operand, Place, Test};
use tessera_mncore_ir::kernel::Stage;

/// Restricts the items from `begin` on to some blocks of rows, if there are several.
pub(crate) fn restrict_to_blocks(body: &mut Body, begin: usize, blocks: Option<usize>, test: Test) {
    let Some(dimension) = blocks else { return };
    for item in &mut body.items[begin..] {
        item.when.push(Guard { dimension, test });
    }
}

/// Iterations of the depth that form one loop.
#[derive(Clone, Debug)]
pub(crate) struct Phase {
    /// The first iteration, and the number of iterations.
    first: u32,
    count: u32,
    /// The row tiles that are multiplied.
    tiles: Range<u32>,
    residency: ColumnResidency,
    /// The row-side units that it converts.
    units: UnitRange,
}

impl Phase {
    /// Returns whether results of the previous block are stored meanwhile.
    pub fn stores_previous_block(&self) -> bool {
        self.residency == ColumnResidency::ResidentFromEarlierBlock
    }

    /// Returns which half of the results is complete afterwards.
    pub fn completed_half(&self) -> Option<u32> {
        match self.residency {
            ColumnResidency::Transient
            | ColumnResidency::LoadedForAllBlocks
            | ColumnResidency::ResidentFromEarlierBlock => None,
            ColumnResidency::LoadedForSecondPass => Some(0),
            ColumnResidency::KeptByFirstPass => Some(1),
        }
    }
}

/// Where a phase finds its column side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ColumnResidency {
    /// It is loaded and discarded.
    Transient,
    /// It is loaded and kept for the second pass of a split epilogue.
    LoadedForSecondPass,
    /// It was kept by the first pass.
    KeptByFirstPass,
    /// It is loaded and kept for all later blocks.
    LoadedForAllBlocks,
    /// It was loaded for an earlier block.
    ResidentFromEarlierBlock,
}

/// A software-pipelined product.
pub(crate) struct PipelinedProduct {
    plan: Pipelined,
    pub(crate) distribution: Distribution,
    pub(crate) arithmetic: Arithmetic,
    /// Turns per iteration.
    pub(crate) turns: u32,
    pub(crate) rows: BlockFloatRows,
    columns: TensorVectors,
    buffer: StreamBuffer,
}

impl PipelinedProduct {
    /// Places both sides. `r#use` is that of the column side.
    pub fn place(
        arguments: &mut Arguments,
        plan: &Pipelined,
        side: &Side,
        (column, r#use): (usize, &TensorUse),
        arithmetic: Arithmetic,
    ) -> Result<Self, CompileError> {
        let distribution = &plan.blocking.distribution;
        let conversion = Conversion {
            vector: plan.vector,
            pipeline: Some((plan.turns, plan.drain)),
        };
        let how = (arithmetic, conversion);
        let rows = BlockFloatRows::place(arguments, &plan.blocking, side, how)?;
        let halves = plan.column_parts() == 2;
        let columns = arguments.place(column, r#use, distribution.columns_layout(), halves)?;
        Ok(PipelinedProduct {
            plan: *plan,
            distribution: *distribution,
            arithmetic,
            turns: plan.turns,
            rows,
            columns,
            buffer: plan.stream_buffer(),
        })
    }

    /// Returns the column vectors per iteration.
    pub(crate) fn vectors(&self) -> u32 {
        self.turns * self.distribution.span * self.distribution.steps / self.columns.parts
    }

    /// Returns how many vectors ahead MV instructions are issued.
    pub(crate) fn prefetch_distance(&self) -> u32 {
        let units = self.rows.prefetched_units();
        let most = self.plan.prefetched_vectors(self.vectors(), units);
        most.min(self.columns.count)
    }

    /// Returns the stage that fetches the first row-side unit, before all loops.
    pub fn first(&self) -> Stage {
        self.rows.first()
    }

    /// Builds the prologue: fetches the operands of the first iterations in order, converts the
    /// first row-side unit meanwhile, loads constants and clears unused cycles.
    pub fn build_prologue(&self, around: &OuterLoops) -> Body {
        let mut body = Body::new(&around.counts(&self.distribution), &[1]);
        let last = self.fetch_first(&mut body, around);
        if self.has_packed_operands() {
            let tables = [
                ConstantTable::in_memory(Bank::Lm0),
                ConstantTable::in_memory(Bank::Lm1),
                self.constants_in_registers(),
            ];
            let own = if self.distribution.keeps_rows_in_l1bm() {
                &tables[..]
            } else {
                &tables[..2]
            };
            for table in own {
                table.load(&mut body);
            }
        }
        let units = UnitRange { first: 0, each: 1 };
        self.rows
            .convert_units(&mut body, around, self.arithmetic, units);
        for vector in last {
            self.fetch(&mut body, around, vector);
        }
        if self.columns.has_empty_cycles() {
            self.buffer.clear(&mut body);
        }
        body
    }

    fn constants_in_registers(&self) -> ConstantTable {
        let sums = self.arithmetic.sum_words(self.distribution.vectors());
        ConstantTable::in_registers(sums)
    }

    /// Fetches the operands of the first iterations, each of which converts the next one's rows.
    /// Returns the vectors that must follow the unit for the first slot.
    fn fetch_first(&self, body: &mut Body, around: &OuterLoops) -> Range<u32> {
        let mut vectors = 0..self.prefetch_distance();
        for unit in 1..self.rows.prefetched_units() {
            let begin = body.items.len();
            self.rows.fetch_unit(body, around, unit);
            self.only_first(body, begin, around);
            for vector in vectors.by_ref().take(self.vectors() as usize) {
                self.fetch(body, around, vector);
            }
        }
        vectors
    }

    /// Fetches a column vector before the loop.
    fn fetch(&self, body: &mut Body, around: &OuterLoops, vector: u32) {
        let begin = body.items.len();
        self.columns.prefetch(body, self.buffer, around, vector);
        self.only_first(body, begin, around);
    }

    /// Restricts the items from `begin` on to the first block of rows if later blocks find the
    /// column side resident.
    fn only_first(&self, body: &mut Body, begin: usize, around: &OuterLoops) {
        let blocks = around.i.filter(|_| self.plan.drain.keeps_columns());
        restrict_to_blocks(body, begin, blocks, Test::Is(0));
    }

    /// Makes the stages after the product use the resident constants.
    pub fn with_resident_constants(&self, mut stages: Vec<Stage>) -> Vec<Stage> {
        if self.has_packed_operands() {
            for stage in &mut stages {
                if let Stage::Loop("finish", body) = stage {
                    ConstantTable::in_memory(Bank::Lm0).replace(body);
                }
            }
        }
        stages
    }

    /// Returns whether operands are packed bf16.
    fn has_packed_operands(&self) -> bool {
        self.columns.parts == 2 || self.rows.is_packed()
    }

    /// Returns the stage that fetches the first row-side unit of the next block.
    pub fn next(&self, around: &OuterLoops) -> Option<Stage> {
        self.rows.next(around, &self.distribution)
    }

    /// Returns all iterations as one phase that keeps its column side.
    pub(crate) fn single_phase(&self) -> Phase {
        Phase {
            first: 0,
            count: self.iterations(),
            tiles: 0..self.distribution.tiles / self.distribution.span,
            residency: ColumnResidency::LoadedForAllBlocks,
            units: UnitRange { first: 1, each: 1 },
        }
    }

    /// Returns the phases of a block, in order.
    pub fn phases(&self) -> Vec<Phase> {
        let tiles = self.distribution.tiles / self.distribution.span;
        let all = self.iterations();
        // `each` is the number of units converted per iteration.
        let phase = |first, count, each, tiles, side| Phase {
            first,
            count,
            tiles,
            residency: side,
            units: UnitRange {
                first: first + 1,
                each,
            },
        };
        let whole = |side| phase(0, all, 1, 0..tiles, side);
        let twice = match self.plan.drain {
            Drain::SplitEpilogue { iterations } => iterations,
            Drain::DuringNextBlock => {
                return vec![
                    whole(ColumnResidency::LoadedForAllBlocks),
                    whole(ColumnResidency::ResidentFromEarlierBlock),
                ]
            }
            Drain::AtEnd | Drain::RowOrdered { .. } => {
                return vec![whole(ColumnResidency::Transient)]
            }
        };
        let (first, half) = (all - twice, tiles / 2);
        let before = first + 1 - twice;
        vec![
            phase(0, before, 1, 0..tiles, ColumnResidency::Transient),
            phase(before, twice - 1, 2, 0..tiles, ColumnResidency::Transient),
            phase(
                first,
                twice,
                0,
                0..half,
                ColumnResidency::LoadedForSecondPass,
            ),
            phase(
                first,
                twice,
                0,
                half..tiles,
                ColumnResidency::KeptByFirstPass,
            ),
        ]
    }

    /// Returns the iterations of a block.
    pub fn iterations(&self) -> u32 {
        self.distribution.k_blocks / self.distribution.span / self.turns
    }

    /// Builds the loop of a phase.
    pub fn build_phase(&self, around: &OuterLoops, phase: &Phase) -> Body {
        let outer = around.counts(&self.distribution);
        let mut body = Body::new(&outer, &[phase.count]);
        let numbers = UnitIndex::along(&body, phase.first, 1);
        if phase.residency != ColumnResidency::KeptByFirstPass {
            let units = phase.units;
            self.rows
                .convert_units(&mut body, around, self.arithmetic, units);
            if phase.residency != ColumnResidency::ResidentFromEarlierBlock {
                self.load_columns(&mut body, around, phase);
            }
        }
        self.emit_products(&mut body, &numbers, phase);
        match phase.residency {
            ColumnResidency::LoadedForAllBlocks => {
                restrict_to_blocks(&mut body, 0, around.i, Test::Is(0))
            }
            ColumnResidency::ResidentFromEarlierBlock => {
                restrict_to_blocks(&mut body, 0, around.i, Test::From(1))
            }
            ColumnResidency::Transient
            | ColumnResidency::LoadedForSecondPass
            | ColumnResidency::KeptByFirstPass => {}
        }
        body
    }

    /// Emits the items that multiply a unit's column vectors by its tiles.
    pub(crate) fn emit_products(&self, body: &mut Body, numbers: &UnitIndex, phase: &Phase) {
        if !self.distribution.keeps_rows_in_l1bm() {
            self.load_tiles(body, numbers, phase);
        }
        for turn in 0..self.turns {
            for tile in phase.tiles.clone() {
                self.multiply_tile(body, (turn, tile), numbers, phase);
            }
        }
    }

    /// Emits the items that load the column vectors of an iteration and fetch those for their
    /// slots.
    fn load_columns(&self, body: &mut Body, around: &OuterLoops, phase: &Phase) {
        let time = body.dimensions() - 1;
        let numbers = UnitIndex::along(body, phase.first, 1);
        let (own, left) = (self.vectors(), self.iterations() - phase.first);
        let next = |part: u32| {
            let ahead = part + self.prefetch_distance();
            let guard = Guard {
                dimension: time,
                test: Test::Below(left.saturating_sub(ahead / own)),
            };
            (ahead < own * left)
                .then(|| vec![guard])
                .into_iter()
                .collect()
        };
        self.load_column_range(body, around, &numbers, (0..own, &next, phase));
    }

    /// Does the same for some vectors of a unit. `next` returns the guards, in disjunction, for the
    /// fetch into a vector's slot.
    pub(crate) fn load_column_range(
        &self,
        body: &mut Body,
        around: &OuterLoops,
        numbers: &UnitIndex,
        (parts, next, phase): (Range<u32>, &dyn Fn(u32) -> Vec<Guards>, &Phase),
    ) {
        let (own, depth) = (self.vectors(), self.prefetch_distance());
        let walk = scaled(&numbers.walk, own);
        let mut values: Vec<Operand> = Vec::new();
        let span = self.distribution.span;
        // The target of a vector's block floats.
        let blocks = self.arithmetic.blocks_per_vector();
        let to = |number: u32| {
            let of_turn = blocks * self.distribution.steps;
            let (turn, block) = (number / of_turn, number % of_turn);
            self.column_place(numbers, turn, block, phase)
        };
        let first = parts.start * blocks / span;
        for part in parts {
            let number = numbers.first * own + part;
            for when in next(part) {
                let later = number + depth;
                let fetch =
                    self.columns
                        .transfer(self.buffer, around, &walk, 0, Direction::In, later);
                body.push(fetch, Vec::new(), Vec::new()).when = when;
            }
            body.push(self.buffer.wait(0, &walk, number), Vec::new(), Vec::new());
            for transfer in 0..self.columns.transfers() {
                let down = self.columns.down(self.buffer, &walk, number, transfer);
                body.push(down, Vec::new(), Vec::new());
            }
            let down = self.buffer.to_pes(&walk, number);
            if self.columns.parts == 2 {
                let first = part * 2 / span;
                let constants = match self.distribution.keeps_rows_in_l1bm() {
                    true => self.constants_in_registers(),
                    false => ConstantTable::in_memory(to(first).bank),
                };
                let mut put = |body: &mut Body, own: u32, op: Op, input: Operand| {
                    body.push(op, vec![input], vec![to(first + own).into()]);
                };
                self.arithmetic
                    .convert_packed_vector(body, &down, &constants, part, &mut put);
                continue;
            }
            let value = body.value(Width::Long, Home::Any);
            body.push(down, Vec::new(), vec![value.into()]);
            values.push(value.into());
        }
        let mut put = |body: &mut Body, number: u32, op: Op, input: Operand| {
            body.push(op, vec![input], vec![to(first + number).into()]);
        };
        self.arithmetic.convert_to_blocks(body, values, &mut put);
    }

    /// Returns the place of a vector of block floats of a turn's column side.
    fn column_place(&self, numbers: &UnitIndex, turn: u32, block: u32, phase: &Phase) -> Place {
        let (bank, address) = self.turn_columns(numbers, turn, phase);
        Place::consecutive(bank, Width::Long, address.advanced_by(block * VECTOR_WORDS))
    }

    /// Returns the place of a turn's column side.
    pub(crate) fn turn_columns(
        &self,
        numbers: &UnitIndex,
        turn: u32,
        phase: &Phase,
    ) -> (Bank, Address) {
        let half = self.turns / 2;
        let (bank, region) = if turn < half {
            (Bank::Lm0, scratchpad::PIPELINED_COLUMNS_LM0)
        } else {
            (Bank::Lm1, scratchpad::PIPELINED_COLUMNS_LM1)
        };
        let of_turn = self.distribution.steps * self.arithmetic.columns_of_tile();
        let size = half * of_turn;
        let first = turn % half * of_turn;
        let address = numbers.address(size).advanced_by(first);
        let address = match phase.residency {
            ColumnResidency::Transient => address.with_ring(region.start, 2 * size),
            ColumnResidency::LoadedForSecondPass | ColumnResidency::KeptByFirstPass => {
                address.with_ring(region.start + 2 * size, phase.count * size)
            }
            ColumnResidency::LoadedForAllBlocks | ColumnResidency::ResidentFromEarlierBlock => {
                address.offset_by(region.start)
            }
        };
        (bank, address)
    }

    /// Emits the items that load the tiles of an iteration to L1BM.
    fn load_tiles(&self, body: &mut Body, numbers: &UnitIndex, phase: &Phase) {
        let tile = self.arithmetic.contiguous_tile_words(true);
        let turn = self.distribution.tiles / self.distribution.span * tile;
        let of_turn = phase.tiles.len() as u32 * tile;
        let sets = self.sets();
        let numbered = (0..self.arithmetic.blocks_per_vector()).flat_map(|block| {
            let of_block = (0..self.turns * of_turn).step_by(DOWN as usize);
            of_block.map(move |number| (block, number))
        });
        for (block, number) in numbered {
            let l2 = self.rows.block_address(numbers);
            let l2 = l2.offset_by(block * self.rows.vector_words());
            let l1 = self.l1bm(numbers);
            let l1 = l1.offset_by(block * self.rows.vector_words() / sets.len() as u32);
            let in_turn = phase.tiles.start * tile + number % of_turn;
            let first = number / of_turn * turn;
            for (&set, own) in sets.iter().zip(0..) {
                let of_set = first * sets.len() as u32 + own * turn;
                let down = Op::L2bm {
                    op: L2bmOp {
                        set,
                        ..L2bmOp::new(L2bmKind::Broadcast)
                    },
                    l2: l2.clone().offset_by(of_set + in_turn),
                    l1: l1.clone().offset_by(first + in_turn),
                };
                body.push(down, Vec::new(), Vec::new());
            }
        }
    }

    /// Returns the sets of L1Bs with the same tiles; tiles of a turn are contiguous per set.
    fn sets(&self) -> &'static [L1bSet] {
        /// The first L1Bs of all pairs, and the second.
        const OF_PAIRS: [L1bSet; 2] = [L1bSet::new(0, 6), L1bSet::new(1, 6)];
        if self.distribution.mapping == Mapping::RowsOverL1bPairs {
            &OF_PAIRS
        } else {
            &[L1bSet::ALL]
        }
    }

    /// Returns the address of a unit's tiles in L1BM.
    fn l1bm(&self, numbers: &UnitIndex) -> Address {
        let size = self.rows.block_words() / self.sets().len() as u32;
        numbers
            .address(size)
            .with_ring(scratchpad::TILES.start, TILES)
    }

    /// Emits the items that multiply by a tile of a turn.
    fn multiply_tile(
        &self,
        body: &mut Body,
        (turn, tile): (u32, u32),
        numbers: &UnitIndex,
        phase: &Phase,
    ) {
        let steps = self.distribution.steps;
        let of_turn = self.distribution.tiles / self.distribution.span;
        let (bank, vectors) = self.turn_columns(numbers, turn, phase);
        let number = turn * of_turn + tile;
        let of_tile = self.arithmetic.contiguous_tile_words(true);
        let first = |block: u32| {
            if self.distribution.keeps_rows_in_l1bm() {
                let number = self.rows.tile_number(&self.distribution, turn, tile);
                let of_block = self.rows.vector_words() / L1BS;
                let words = number * of_tile + block * of_block;
                return self.rows.resident_address(numbers, words);
            }
            let of_block = self.rows.vector_words() / self.sets().len() as u32;
            self.l1bm(numbers)
                .offset_by(number * of_tile + block * of_block)
        };
        let form = TileForm::BlockFloats;
        let transfers = |block| self.arithmetic.contiguous_transfers(&first(block), form);
        let blocks = 0..self.arithmetic.blocks_per_vector();
        let l1: Vec<Address> = blocks.flat_map(transfers).collect();
        let tile = Tile {
            number,
            l1: &l1,
            walk: &body.innermost_steps(0),
            vectors: &|_| vectors.clone(),
            sums: &|words| Address::fixed(tile * steps * words),
            steps,
            form,
            bank,
        };
        self.arithmetic.multiply_by_tile(body, &tile);
    }
}
