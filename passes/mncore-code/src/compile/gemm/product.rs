//! The loops of a matrix product.
//!
//! | loop | loads | computes |
//! |---|---|---|
//! | `columns` | the column side, vector by vector (to LM1 if the next chunk is prefetched) | fused operations on the factor; conversion to block floats in LM0 |
//! | `convert` | the prefetched column side from LM1 | the same |
//! | `prepare` | vectors of the row side | conversion to block floats in L2BM |
//! | `clear` | | zeroes the sums in GRF0 |
//! | `move_to_l1bm` | results of the previous block, from LM1 to L1BM | |
//! | `multiply` | tiles of the row side: MV to L2BM (unless converted in advance), `l2bmb`, `l1bmm` to a ring in GRF1 | conversion to block floats in the matrix registers, whose two sides alternate; one product per step |
//! | `round` | | rounds double-precision sums |
//! | `resident` | tensors that are the same for all rows, to LM1 | |
//! | `finish` | further operands, vector by vector | fused operations on the result; stores it, or parks it until the next block's product |
//! | `store_last_block` | parked results | stores them |
//!
//! Loops called `fetch` and `rows` issue transfers that later loops wait for; those called `wait`
//! complete transfers to DRAM.
//!
//! A pipelined product ([`PipelinedProduct`]) loads both sides within its loop; a `prepare` before
//! it issues the first transfers.
//!
//! An iteration of `multiply` handles two tiles, one for each side of the matrix registers, if
//! there are two. See `tile.rs`.

use tessera_isa_mncore::memory::{Bank, Width};
use tessera_isa_mncore::table::{AluKind, AluOp};

use super::arithmetic::Arithmetic;
use super::deferred_store::DeferredStore;
use super::loop_levels::{LoopLevels, PAIR, TURN};
use super::operand_prefetch::ColumnPrefetch;
use super::pipelined::product as pipelined_product;
use super::pipelined::product::PipelinedProduct;
use super::row_side::{RowSide, RowStages};
use super::sides::Sides;
use super::split_k::sums;
use super::streamed_rows::{Side, StreamedRows};
use super::tile::Tile;
use crate::compile::data::arguments::Arguments;
use crate::compile::data::distribution::{vectors_per_iteration, Distribution, Extents, Mapping};
use crate::compile::data::geometry::{L2BS, VECTOR_WORDS};
use crate::compile::data::outer_loops::{scaled, OuterLoops};
use crate::compile::data::streams::StreamBuffer;
use crate::compile::data::tensor_use::{Role, TensorUse};
use crate::compile::data::vector_layout::{SplitK, SumPadding, VectorLayout};
use crate::compile::data::vectors::TensorVectors;
use crate::compile::elementwise::apply::as_value;
use crate::compile::elementwise::elements::Elements;
use crate::compile::error::{unsupported, CompileError};
use crate::compile::kernel::{Kernel, ResourceBound};
use crate::compile::stages::{line, repeat};
use crate::raise::{BroadcastView, Expr, ExprKind, Store};
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::item::{Op, Operand, Place, Test};
use tessera_mncore_ir::kernel::Stage;

/// The stream buffer of results.
const BUFFER: StreamBuffer = StreamBuffer::separate().with_two_pieces();

/// The stream buffers of the two halves of results. The first has a slot for each vector, since it
/// is stored during the second pass.
const BUFFERS_OF_HALVES: [StreamBuffer; 2] = [StreamBuffer::wide(pipelined_product::SLOTS), BUFFER];

/// The stream buffer of results in a row-ordered drain, in the place of the column side's.
const BUFFER_OF_ROWS: StreamBuffer = StreamBuffer::wide(pipelined_product::SLOTS_BY_ROWS);

/// Builds the loops of a product.
pub(crate) struct ProductBuilder<'a> {
    pub store: &'a Store,
    pub product: &'a Expr,
    pub sides: Sides<'a>,
    pub distribution: Distribution,
    pub arithmetic: Arithmetic,
    pub arguments: Arguments<'a>,
}

impl ProductBuilder<'_> {
    pub fn build(mut self) -> Result<Kernel, CompileError> {
        let distribution = self.distribution;
        let side = Side {
            tensor: self.sides.rows,
            broadcast: self.sides.row_broadcast,
            roles: self.sides.roles(Role::I, Role::K),
        };
        if let Some(turns) = distribution.pipelined {
            return self.build_pipelined(&side, turns);
        }
        if distribution.k_over_mabs {
            return self.build_k_over_mabs(&side);
        }
        let rows = RowSide::place(&mut self.arguments, &distribution, &side, self.arithmetic)?;
        let around = OuterLoops::new(&distribution, true, true);
        let finish_around = OuterLoops::new(&distribution, true, false);
        let deferred = self.deferred_store()?;
        let deferred_results = deferred
            .as_ref()
            .map_or(0, DeferredStore::results_per_chunk);
        let levels = LoopLevels::new(&distribution, &around, deferred_results);
        let to_l1bm = deferred
            .as_ref()
            .and_then(|b| b.move_to_l1bm(&around, &distribution));
        let mut stages = Vec::new();
        let mut block = vec![self.clear(&finish_around)];
        let RowStages {
            first,
            before_block,
            of_chunk,
            of_block,
        } = rows.stages(
            &levels,
            &distribution,
            (self.arithmetic, self.product.location),
        );
        if distribution.prefetches_columns {
            let prefetch = ColumnPrefetch::new(
                &mut self.arguments,
                self.sides.columns,
                self.sides.roles(Role::K, Role::J),
                &distribution,
            )?;
            block.extend(prefetch.load_first_chunk(&finish_around, &distribution));
            block.extend(before_block);
            block.push(prefetch.fetch_second_chunk(&finish_around, &distribution));
            let mut chunk = vec![self.convert_columns(&prefetch, &around)?];
            chunk.extend(to_l1bm);
            chunk.extend(of_chunk);
            chunk.push(self.multiply(&rows, &levels, Some(&prefetch), deferred.as_ref()));
            block.extend(repeat(distribution.chunks, chunk));
        } else {
            // With one chunk, the column side stays for all blocks of rows.
            let once = distribution.chunks == 1;
            let columns =
                self.load_columns(&OuterLoops::new(&distribution, !once, !once), &rows)?;
            block.extend(before_block);
            let multiply = self.multiply(&rows, &levels, None, deferred.as_ref());
            if once {
                stages = columns;
                block.extend(of_chunk);
                block.push(multiply);
            } else {
                let chunk = columns.into_iter().chain(to_l1bm);
                let chunk = chunk.chain(of_chunk).chain([multiply]);
                block.extend(repeat(distribution.chunks, chunk.collect()));
            }
        }
        block.extend(of_block);
        block.extend(self.finish(&finish_around, deferred.as_ref())?);
        if let Some(deferred) = &deferred {
            block.push(deferred.wait(&finish_around, &distribution));
        }
        stages.extend(repeat(distribution.i_blocks, block));
        let blocks = repeat(distribution.matrices, repeat(distribution.j_blocks, stages));
        let mut stages: Vec<Stage> = first.into_iter().chain(blocks).collect();
        match &deferred {
            Some(deferred) => stages.extend(deferred.store_last_block(&distribution)),
            None => stages.push(self.wait()?),
        }
        let product = (self.arithmetic.precision(), self.bound());
        self.arguments
            .kernel(self.store.tensor, stages, Some(product))
    }

    /// Builds the loops of a product that is a stage of a kernel, for a block of matrices and
    /// columns.
    ///
    /// The first tiles are fetched as soon as no other product needs their buffers.
    pub fn stage(&mut self) -> Result<Vec<Stage>, CompileError> {
        let distribution = self.distribution;
        self.arguments.set_distribution(distribution);
        let side = Side {
            tensor: self.sides.rows,
            broadcast: self.sides.row_broadcast,
            roles: self.sides.roles(Role::I, Role::K),
        };
        let rows = StreamedRows::place(&mut self.arguments, &distribution, &side, self.arithmetic)?;
        let around = OuterLoops::new(&distribution, true, false);
        let levels = LoopLevels::new(&distribution, &around, 0);
        let fetch = rows.of_block(&levels, &around, &distribution);
        let rows = RowSide::Tiles(rows);
        let before = OuterLoops::new(&distribution, false, false);
        let columns = self.load_columns(&before, &rows)?;
        let mut block = vec![fetch, self.clear(&around)];
        block.push(self.multiply(&rows, &levels, None, None));
        block.extend(self.finish(&around, None)?);
        let blocks = repeat(distribution.i_blocks, block);
        Ok(columns.into_iter().chain(blocks).collect())
    }

    /// Builds a software-pipelined product.
    fn build_pipelined(mut self, side: &Side, turns: u32) -> Result<Kernel, CompileError> {
        let distribution = self.distribution;
        let ExprKind::Tensor(tensor, broadcast) = self.sides.columns.kind else {
            return Err(unsupported(
                self.sides.columns.location,
                "internal error: only a tensor flows into a product",
            ));
        };
        let roles = self.sides.roles(Role::K, Role::J);
        let r#use = TensorUse::new(self.arguments.tensor(tensor), roles, broadcast);
        let how = (self.arithmetic, turns);
        let pipeline = PipelinedProduct::place(
            &mut self.arguments,
            &distribution,
            side,
            (tensor, &r#use),
            how,
        )?;
        let around = OuterLoops::new(&distribution, true, false);
        let deferred = self.deferred_store()?;
        let mut begin = pipeline.build_prologue(&around);
        self.clear_in(&mut begin, 1);
        let mut block = vec![self.product_loop("prepare", begin)];
        if distribution.row_ordered > 0 {
            let results = self.results()?;
            let gathering = self.product_loop("multiply", pipeline.build_gathering_loop());
            let rows = self.product_loop(
                "multiply",
                pipeline.build_row_loop(&results, BUFFER_OF_ROWS),
            );
            let mut wait = Body::new(&[], &[]);
            results.wait_for_last(&mut wait, BUFFER_OF_ROWS);
            block.extend([gathering, rows, Stage::Loop("wait", wait)]);
            let stages = [pipeline.first()].into_iter().chain(block).collect();
            let product = (self.arithmetic.precision(), self.bound());
            return self
                .arguments
                .kernel(self.store.tensor, stages, Some(product));
        }
        for phase in pipeline.phases() {
            let multiply = pipeline.build_phase(&around, &phase);
            let mut multiply = self.product_loop("multiply", multiply);
            let before = deferred.as_ref().filter(|_| phase.stores_previous_block());
            if let (Some(deferred), Stage::Loop(_, body)) = (before, &mut multiply) {
                deferred.store_in_pieces(body, &around, &distribution);
            }
            block.push(multiply);
            if let Some(half) = phase.completed_half() {
                block.extend(pipeline.with_resident_constants(self.finish_half(&around, half)?));
            }
        }
        block.extend(pipeline.next(&around));
        if distribution.split_epilogue == 0 {
            let mut finish = self.finish(&around, deferred.as_ref())?;
            for stage in &mut finish {
                let blocks = around.i.filter(|_| distribution.resident_columns);
                if let Stage::Loop(_, body) = stage {
                    pipelined_product::restrict_to_blocks(
                        body,
                        0,
                        blocks,
                        Test::Below(distribution.i_blocks - 1),
                    );
                }
            }
            block.extend(pipeline.with_resident_constants(finish));
        }
        let blocks = repeat(distribution.j_blocks, repeat(distribution.i_blocks, block));
        let mut stages = vec![pipeline.first()];
        stages.extend(repeat(distribution.matrices, blocks));
        if distribution.resident_columns {
            let last = self.results()?.last_block(&distribution);
            let finish = self.finish_part(&OuterLoops::default(), (&last, BUFFER), 0)?;
            stages.extend(pipeline.with_resident_constants(finish));
        }
        stages.push(if distribution.split_epilogue > 0 {
            self.wait_for_halves()?
        } else {
            self.wait()?
        });
        let product = (self.arithmetic.precision(), self.bound());
        self.arguments
            .kernel(self.store.tensor, stages, Some(product))
    }

    /// Returns a stage whose items carry the product's source line.
    pub(crate) fn product_loop(&self, name: &'static str, mut body: Body) -> Stage {
        for item in &mut body.items {
            item.line = line(self.product.location);
        }
        Stage::Loop(name, body)
    }

    /// Returns the stages that store one half of the results.
    fn finish_half(
        &mut self,
        around: &OuterLoops,
        number: u32,
    ) -> Result<Vec<Stage>, CompileError> {
        let half = self.results()?.half(number);
        let first = number * self.distribution.vectors() / 2 * VECTOR_WORDS;
        self.finish_part(around, (&half, BUFFERS_OF_HALVES[number as usize]), first)
    }

    /// Returns the stages that store part of a block's results, whose sums start at the word
    /// `first` of GRF0.
    fn finish_part(
        &mut self,
        around: &OuterLoops,
        (results, buffer): (&TensorVectors, StreamBuffer),
        first: u32,
    ) -> Result<Vec<Stage>, CompileError> {
        let [rows, columns] = self.sides.roles(Role::I, Role::J);
        let (width, vector_layout) = (self.finish_width(), self.distribution.results_layout());
        let count = results.count * results.parts;
        let roles = [rows, columns];
        let mut elements = Elements::new(&mut self.arguments, *around, vector_layout, roles, width);
        let mut body = elements.body(count);
        let mut sums = self.arithmetic.sum_places(&body, count, width);
        for sum in &mut sums {
            sum.address.base += first;
        }
        let sums: Vec<Operand> = sums.into_iter().map(Operand::from).collect();
        elements.store_part(&mut body, self.store, &sums, (results, buffer))?;
        Ok(elements.stages("finish", body))
    }

    /// Returns the stage that waits for the last results of both halves.
    fn wait_for_halves(&mut self) -> Result<Stage, CompileError> {
        let mut body = Body::new(&[], &[]);
        let results = self.results()?;
        for (buffer, number) in BUFFERS_OF_HALVES.into_iter().zip(0..) {
            results.half(number).wait_for_last(&mut body, buffer);
        }
        Ok(Stage::Loop("wait", body))
    }

    /// Returns lower bounds of the steps per resource. They assume that all bf16 tensors are
    /// packed, and ideal outer loops, with the traffic of the chosen distribution.
    pub fn bound(&self) -> ResourceBound {
        let Extents {
            matrices, i, j, k, ..
        } = self.sides.extents;
        let [x, i, j, k] = [matrices, i, j, k].map(u64::from);
        let words = |count: u64, halves: bool| count.div_ceil(if halves { 4 } else { 2 });
        let arguments = &self.arguments;
        let rows = words(x * i * k, arguments.is_bf16(self.sides.rows));
        let columns = words(x * k * j, arguments.bf16_reads(self.sides.columns) > 0);
        let result = words(x * i * j, arguments.is_bf16(self.store.tensor));
        // All L2Bs receive one side, at half the rate; of the other each receives its share.
        let l2bs = u64::from(L2BS);
        let mapping = self.distribution.mapping;
        let (same, [of_rows, of_columns]) = match (self.distribution.split_k, mapping) {
            (Some(split), _) if split.has_l2bs() => (0, [l2bs, l2bs]),
            (None, Mapping::ColumnsOverL2bs) => (rows, [1, l2bs]),
            (None, Mapping::RowsOverL1bs) => (columns, [4, 2]),
            (None, Mapping::ColumnsOverGroups) => (rows, [2, 4]),
            (None, Mapping::MatricesOverL2bs) => (0, [l2bs, l2bs]),
            _ => (columns, [l2bs, 1]),
        };
        let [in_rows, in_columns] = [rows / of_rows, columns / of_columns];
        // Which data L1BMs and MABs share.
        let (of_l1bm, of_l2bm) = match (self.distribution.split_k, mapping) {
            (Some(_), _) => (in_rows / 8 / 256, in_rows / 256),
            (None, _) if self.distribution.k_over_mabs => (in_rows / 256, in_rows / 64),
            (None, Mapping::RowsOverL1bPairs) => (in_rows / 2 / 32, in_rows / 64),
            (None, Mapping::RowsOverL1bs | Mapping::ColumnsOverGroups) => {
                (in_rows / 8 / 32, in_rows / 256)
            }
            (None, _) => (in_rows / 32, in_rows / 64),
        };
        let (of_column, in_step) = match mapping {
            Mapping::RowsOverL1bPairs => (4, 256),
            Mapping::RowsOverL1bs | Mapping::ColumnsOverGroups => (1, 64),
            _ => (8, 256),
        };
        ResourceBound {
            mau: (x * i * j * k).div_ceil(self.arithmetic.multiply_adds_per_step()),
            l1bm: of_l1bm + in_columns / of_column / 256,
            l2bm: of_l2bm + in_columns / in_step,
            mv: (rows + columns + same + result) / 256,
        }
    }

    /// Returns the stages that load the column side.
    fn load_columns(
        &mut self,
        around: &OuterLoops,
        row_side: &RowSide,
    ) -> Result<Vec<Stage>, CompileError> {
        let [rows, columns] = self.sides.roles(Role::K, Role::J);
        let count = self.distribution.k_blocks * self.distribution.steps;
        let halves = self.arguments.bf16_reads(self.sides.columns) > 0;
        let width = vectors_per_iteration(halves, count);
        let (roles, vector_layout) = ([rows, columns], self.distribution.columns_layout());
        let mut elements = Elements::new(&mut self.arguments, *around, vector_layout, roles, width);
        let mut body = elements.body(count);
        row_side.prefetch_beside_columns(&mut body);
        let values = elements.values(&mut body, self.sides.columns, None)?;
        to_lm0(
            &mut body,
            values,
            (count, self.sides.columns.location),
            self.arithmetic,
        );
        Ok(elements.stages("columns", body))
    }

    /// Returns the stage that converts a prefetched column side to block floats.
    fn convert_columns(
        &mut self,
        prefetch: &ColumnPrefetch,
        around: &OuterLoops,
    ) -> Result<Stage, CompileError> {
        let roles = self.sides.roles(Role::K, Role::J);
        let width = prefetch.vectors.parts;
        let mut elements = Elements::new(
            &mut self.arguments,
            *around,
            VectorLayout::Replicated,
            roles,
            width,
        );
        let (count, location) = (prefetch.vectors.count * width, self.sides.columns.location);
        let mut body = elements.body(count);
        let landed = ColumnPrefetch::lm1_place(&body.innermost_steps(VECTOR_WORDS));
        let landed = prefetch.vectors.unpack(&mut body, landed);
        elements.bind_tensor(prefetch.tensor, prefetch.broadcast, landed);
        let values = elements.values(&mut body, self.sides.columns, None)?;
        to_lm0(&mut body, values, (count, location), self.arithmetic);
        Ok(Stage::Loop("convert", body))
    }

    fn clear(&self, around: &OuterLoops) -> Stage {
        let count = self.sums_to_clear();
        let mut body = Body::new(&around.counts(&self.distribution), &[count]);
        self.clear_in(&mut body, count);
        for item in &mut body.items {
            item.line = line(self.product.location);
        }
        Stage::Loop("clear", body)
    }

    /// Emits the items that zero the sums, in a loop of `iterations`.
    fn clear_in(&self, body: &mut Body, iterations: u32) {
        let each = 2 * VECTOR_WORDS;
        for number in 0..self.sums_to_clear() / iterations {
            let zero = AluOp::new(AluKind::Zero, None);
            let address = Address::affine(number * each, &body.innermost_steps(each));
            let place = Place::consecutive(Bank::Grf0, Width::Double, address);
            body.push(Op::Alu(zero, 0), Vec::new(), vec![place.into()]);
        }
    }

    /// Returns the number of writes that zero all sums, two long words per cycle each.
    fn sums_to_clear(&self) -> u32 {
        let words = self.arithmetic.sum_words(self.distribution.vectors());
        words.div_ceil(2 * VECTOR_WORDS)
    }

    fn multiply(
        &self,
        rows: &RowSide,
        levels: &LoopLevels,
        prefetch: Option<&ColumnPrefetch>,
        deferred: Option<&DeferredStore>,
    ) -> Stage {
        let mut body = Body::new(&levels.around, &levels.trip);
        let l1 = rows.load_pair(&mut body, levels);
        for tile in 0..self.distribution.tiles_at_once() {
            self.multiply_tile(&mut body, tile, &l1, levels);
        }
        for item in &mut body.items {
            item.line = line(self.product.location);
        }
        if let Some(prefetch) = prefetch {
            prefetch.load_next_chunk(&mut body, levels);
        }
        if let Some(deferred) = deferred {
            deferred.store_during_product(&mut body, levels, &self.distribution);
        }
        Stage::Loop("multiply", body)
    }

    /// Emits the items that multiply by a tile of an iteration.
    fn multiply_tile(&self, body: &mut Body, number: u32, l1: &Address, levels: &LoopLevels) {
        let steps = self.distribution.steps;
        // With one row tile, the two tiles of an iteration belong to two blocks of the depth.
        let alone = self.distribution.tiles == self.distribution.span;
        let (of_depth, of_rows) = if alone { (number, 0) } else { (0, number) };
        let (per_turn, per_pair) = if alone {
            (self.distribution.tiles_at_once(), 0)
        } else {
            (1, 2)
        };
        let moving = |first: u32, walk: Vec<u32>, by: u32, words: u32| {
            let block = steps * words;
            Address::affine(first * block, &scaled(&walk, by * block))
        };
        let words = match self.distribution.split_k {
            Some(_) => self
                .arithmetic
                .own_tile_words(self.distribution.row_parts()),
            None => self
                .arithmetic
                .tile_words(self.distribution.prepared.is_some()),
        };
        let tile = Tile {
            number,
            l1: &l1.clone().offset_by(number * words),
            walk: &levels.index_in_chunk(PAIR),
            vectors: &|words| moving(of_depth, levels.index_in_chunk(TURN), per_turn, words),
            sums: &|words| moving(of_rows, levels.index_in_turn(PAIR), per_pair, words),
            steps,
            prepared: self.distribution.prepared.is_some(),
            bank: Bank::Lm0,
            own: self
                .distribution
                .split_k
                .map(|_| self.distribution.row_parts()),
        };
        self.arithmetic.multiply_by_tile(body, &tile);
    }

    /// Returns the stage that rounds sums to singles, if they are doubles.
    fn round(&self, around: &OuterLoops) -> Option<Stage> {
        let mut body = Body::new(
            &around.counts(&self.distribution),
            &[self.distribution.vectors()],
        );
        let any = self.arithmetic.round(&mut body);
        for item in &mut body.items {
            item.line = line(self.product.location);
        }
        any.then_some(Stage::Loop("round", body))
    }

    /// Returns the result vectors per iteration of `finish`.
    fn finish_width(&self) -> u32 {
        let (arguments, store) = (&self.arguments, self.store);
        let besides = arguments.bf16_reads(&store.value) > arguments.bf16_reads(self.product);
        let halves = arguments.is_bf16(store.tensor) || besides;
        self.distribution
            .vectors_per_iteration(halves && self.distribution.split_k.is_none())
    }

    /// Returns the layout of results. Reduced sums are stored as they are if nothing follows.
    fn results_layout(&self) -> VectorLayout {
        let fill = if self.store.value == *self.product {
            SumPadding::Minimal
        } else {
            SumPadding::WholeCycles
        };
        let joined = self
            .distribution
            .split_k
            .map(|split| VectorLayout::ReducedSums(split, fill));
        joined.unwrap_or(self.distribution.results_layout())
    }

    /// Returns the results as placed in DRAM.
    fn results(&mut self) -> Result<TensorVectors, CompileError> {
        let kind = self.arguments.tensor(self.store.tensor);
        let roles = self.sides.roles(Role::I, Role::J);
        let r#use = TensorUse::new(kind, roles, BroadcastView::default());
        let halves = self.finish_width() == 2;
        let vector_layout = self.results_layout();
        self.arguments
            .place(self.store.tensor, &r#use, vector_layout, halves)
    }

    /// Returns the deferred store, if results are stored while the next block is multiplied.
    fn deferred_store(&mut self) -> Result<Option<DeferredStore>, CompileError> {
        if !self.distribution.defers_results {
            return Ok(None);
        }
        let vectors = self.results()?;
        let line = line(self.store.location);
        Ok(Some(DeferredStore::new(vectors, &self.distribution, line)))
    }

    /// Returns the stage that waits for the last results, after all loops.
    pub fn wait(&mut self) -> Result<Stage, CompileError> {
        let mut body = Body::new(&[], &[]);
        self.results()?.wait_for_last(&mut body, BUFFER);
        Ok(Stage::Loop("wait", body))
    }

    /// Returns the stages after the product.
    fn finish(
        &mut self,
        around: &OuterLoops,
        deferred: Option<&DeferredStore>,
    ) -> Result<Vec<Stage>, CompileError> {
        let [rows, columns] = self.sides.roles(Role::I, Role::J);
        let count = self.distribution.vectors();
        let rounded = self.round(around);
        if let Some(split) = self.distribution.split_k {
            let stages = self.finish_split(around, split)?;
            return Ok(rounded.into_iter().chain(stages).collect());
        }
        let width = self.finish_width();
        let (roles, vector_layout) = ([rows, columns], self.results_layout());
        let mut elements = Elements::new(&mut self.arguments, *around, vector_layout, roles, width);
        if let Some(deferred) = deferred {
            elements.reserve_lm1(deferred.parked_end());
        }
        let mut body = elements.body(count);
        let sums = self.arithmetic.sum_places(&body, count, width).into_iter();
        let sums: Vec<Operand> = sums.map(Operand::from).collect();
        match deferred {
            Some(deferred) => {
                elements.store_through(&mut body, self.store, &sums, &|body, values| {
                    deferred.store(body, values);
                })?;
            }
            None => {
                elements.defer_stores(BUFFER);
                elements.store(&mut body, self.store, Some(&sums))?;
            }
        }
        let stages = elements.stages("finish", body);
        Ok(rounded.into_iter().chain(stages).collect())
    }

    /// Returns the stages after a split-K product, whose sums are reduced first.
    fn finish_split(
        &mut self,
        around: &OuterLoops,
        split: SplitK,
    ) -> Result<Vec<Stage>, CompileError> {
        let count = self.distribution.vectors();
        let results = self.results()?;
        let mut body = Body::new(&around.counts(&self.distribution), &[1]);
        let sums = self.arithmetic.sum_places(&body, count, count);
        if results.vector_layout == VectorLayout::ReducedSums(split, SumPadding::Minimal) {
            sums::store_reduced(&mut body, &results, (BUFFER, around), &sums);
            for item in &mut body.items {
                item.line = line(self.product.location);
            }
            let mut wait = Body::new(&body.outer, &[]);
            results.wait_for_previous_block(&mut wait, BUFFER, around, &self.distribution);
            let wait = (!wait.items.is_empty()).then_some(Stage::Loop("wait", wait));
            return Ok(wait
                .into_iter()
                .chain([Stage::Loop("finish", body)])
                .collect());
        }
        let sum = sums::reload_reduced(&mut body, split, &sums, results.words);
        for item in &mut body.items {
            item.line = line(self.product.location);
        }
        let (roles, vector_layout) = (self.sides.roles(Role::I, Role::J), results.vector_layout);
        let mut elements = Elements::new(&mut self.arguments, *around, vector_layout, roles, 1);
        elements.defer_stores(BUFFER);
        elements.store(&mut body, self.store, Some(&[sum]))?;
        Ok(elements.stages("finish", body))
    }
}

/// Emits the conversion of an iteration's column vectors to block floats in LM0, with their source
/// line.
fn to_lm0(
    body: &mut Body,
    values: Vec<Operand>,
    (count, location): (u32, usize),
    arithmetic: Arithmetic,
) {
    let first = body.items.len();
    let values = values.into_iter().map(|value| {
        // An item either reads or writes a memory.
        match value.is_in(Bank::Lm0) {
            true => as_value(body, value),
            false => value,
        }
    });
    let values = values.collect();
    arithmetic.to_lm0(body, values, count);
    for item in &mut body.items[first..] {
        item.line = line(location);
    }
}
