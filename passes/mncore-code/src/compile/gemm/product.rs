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
//! A pipelined product ([`super::pipelined`]) loads both sides within its loop; a `prepare` before
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
use super::row_side::RowSide;
use super::sharing::{Factor, Sharing};
use super::sides::Sides;
use super::streamed_rows::Side;
use super::tile::{Tile, TileForm};
use crate::compile::data::arguments::Arguments;
use crate::compile::data::distribution::{vectors_per_iteration, Distribution, Extents};
use crate::compile::data::geometry::VECTOR_WORDS;
use crate::compile::data::outer_loops::{scaled, OuterLoops};
use crate::compile::data::streams::StreamBuffer;
use crate::compile::data::tensor_use::{Role, TensorUse};
use crate::compile::data::vector_layout::VectorLayout;
use crate::compile::data::vectors::TensorVectors;
use crate::compile::elementwise::apply::as_value;
use crate::compile::elementwise::elements::Elements;
use crate::compile::error::{unsupported, CompileError};
use crate::compile::kernel::{Kernel, ResourceBound};
use crate::compile::scratchpad;
use crate::compile::stages::line;
use crate::raise::{BroadcastView, Expr, ExprKind, Store};
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::item::{Op, Operand, Place};
use tessera_mncore_ir::kernel::Stage;

/// The stream buffer of results.
pub(crate) const BUFFER: StreamBuffer = StreamBuffer::separate().with_two_pieces();

/// Builds the loops that products have in common.
pub(crate) struct ProductBuilder<'a> {
    pub store: &'a Store,
    pub product: &'a Expr,
    pub sides: Sides<'a>,
    pub distribution: Distribution,
    /// The layouts of the column side's vectors, and of results.
    pub columns_layout: VectorLayout,
    pub results_layout: VectorLayout,
    pub arithmetic: Arithmetic,
    pub arguments: Arguments<'a>,
}

impl<'a> ProductBuilder<'a> {
    /// Creates the builder of a product with the layouts of its distribution's mapping.
    pub fn new(
        (store, product): (&'a Store, &'a Expr),
        sides: Sides<'a>,
        (distribution, arithmetic): (Distribution, Arithmetic),
        arguments: Arguments<'a>,
    ) -> Self {
        ProductBuilder {
            store,
            product,
            sides,
            distribution,
            columns_layout: distribution.columns_layout(),
            results_layout: distribution.results_layout(),
            arithmetic,
            arguments,
        }
    }

    /// Returns the tensor of the row side.
    pub fn row_side(&self) -> Side {
        Side {
            tensor: self.sides.rows,
            broadcast: self.sides.row_broadcast,
            roles: self.sides.roles(Role::I, Role::K),
        }
    }

    /// Returns the tensor of the column side, without operations on it, and its use.
    ///
    /// # Errors
    /// `expected`, if the side is computed: an internal error, since no such plan is legal.
    pub fn column_tensor(&self, expected: &str) -> Result<(usize, TensorUse), CompileError> {
        let columns = &self.sides.columns;
        let ExprKind::Tensor(tensor, broadcast) = columns.kind else {
            return Err(unsupported(columns.location, expected));
        };
        let roles = self.sides.roles(Role::K, Role::J);
        let r#use = TensorUse::new(self.arguments.tensor(tensor), roles, broadcast);
        Ok((tensor, r#use))
    }

    /// Assembles the kernel.
    pub fn kernel(self, stages: Vec<Stage>, sharing: &Sharing) -> Result<Kernel, CompileError> {
        let product = (self.arithmetic.precision(), self.bound(sharing));
        self.arguments
            .kernel(self.store.tensor, stages, Some(product))
    }

    /// Gives items the product's source line.
    pub fn set_lines(&self, body: &mut Body) {
        for item in &mut body.items {
            item.line = line(self.product.location);
        }
    }

    /// Returns a stage whose items carry the product's source line.
    pub fn product_loop(&self, name: &'static str, mut body: Body) -> Stage {
        self.set_lines(&mut body);
        Stage::Loop(name, body)
    }

    /// Returns lower bounds of the steps per resource. They assume that all bf16 tensors are
    /// packed, and ideal outer loops, with the traffic of the chosen distribution.
    pub fn bound(&self, sharing: &Sharing) -> ResourceBound {
        let Extents {
            matrices, i, j, k, ..
        } = self.sides.extents;
        let [x, i, j, k] = [matrices, i, j, k].map(u64::from);
        let words = |count: u64, halves: bool| count.div_ceil(if halves { 4 } else { 2 });
        let arguments = &self.arguments;
        let rows = words(x * i * k, arguments.is_bf16(self.sides.rows));
        let columns = words(x * k * j, arguments.bf16_reads(self.sides.columns) > 0);
        let result = words(x * i * j, arguments.is_bf16(self.store.tensor));
        let same = match sharing.broadcast {
            None => 0,
            Some(Factor::Rows) => rows,
            Some(Factor::Columns) => columns,
        };
        let [of_rows, of_columns] = sharing.parts;
        let [in_rows, in_columns] = [rows / of_rows, columns / of_columns];
        let [l1bm, l2bm] = [0, 1].map(|resource| {
            in_rows / sharing.row_rates[resource] + in_columns / sharing.column_rates[resource]
        });
        ResourceBound {
            mau: (x * i * j * k).div_ceil(self.arithmetic.multiply_adds_per_step()),
            l1bm,
            l2bm,
            mv: (rows + columns + same + result) / 256,
        }
    }

    /// Returns the vectors per iteration of the loop that loads the column side.
    pub fn columns_width(&self) -> u32 {
        let count = self.distribution.k_blocks * self.distribution.steps;
        let halves = self.arguments.bf16_reads(self.sides.columns) > 0;
        vectors_per_iteration(halves, count)
    }

    /// Returns the stages that load the column side. `begin` emits further items at the beginning
    /// of their loop.
    pub fn load_columns(
        &mut self,
        around: &OuterLoops,
        begin: &dyn Fn(&mut Body),
    ) -> Result<Vec<Stage>, CompileError> {
        self.load_columns_through(around, begin, None)
    }

    /// Returns the same for a column side that is in this stream buffer, if other loops fetch it.
    pub fn load_columns_through(
        &mut self,
        around: &OuterLoops,
        begin: &dyn Fn(&mut Body),
        fetched: Option<StreamBuffer>,
    ) -> Result<Vec<Stage>, CompileError> {
        let [rows, columns] = self.sides.roles(Role::K, Role::J);
        let count = self.distribution.k_blocks * self.distribution.steps;
        let width = self.columns_width();
        let (roles, vector_layout) = ([rows, columns], self.columns_layout);
        let mut elements = Elements::new(&mut self.arguments, *around, vector_layout, roles, width);
        if let Some(buffer) = fetched {
            elements.set_fetched(buffer);
        }
        let mut body = elements.body(count);
        begin(&mut body);
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
    pub fn convert_columns(
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

    /// Returns the stage that zeroes the sums.
    pub fn clear(&self, around: &OuterLoops) -> Stage {
        let count = self.sums_to_clear();
        let mut body = Body::new(&around.counts(&self.distribution), &[count]);
        self.clear_in(&mut body, count);
        self.product_loop("clear", body)
    }

    /// Emits the items that zero the sums, in a loop of `iterations`.
    pub fn clear_in(&self, body: &mut Body, iterations: u32) {
        let each = 2 * VECTOR_WORDS;
        for number in 0..self.sums_to_clear() / iterations {
            let zero = AluOp::new(AluKind::Zero, None);
            let first = scratchpad::SUMS.start + number * each;
            let address = Address::affine(first, &body.innermost_steps(each));
            let place = Place::consecutive(Bank::Grf0, Width::Double, address);
            body.push(Op::Alu(zero, 0), Vec::new(), vec![place.into()]);
        }
    }

    /// Returns the number of writes that zero all sums, two long words per cycle each.
    fn sums_to_clear(&self) -> u32 {
        let words = self.arithmetic.sum_words(self.distribution.vectors());
        words.div_ceil(2 * VECTOR_WORDS)
    }

    /// Returns the loop that multiplies.
    pub fn multiply(
        &self,
        rows: &dyn RowSide,
        levels: &LoopLevels,
        prefetch: Option<&ColumnPrefetch>,
        deferred: Option<&DeferredStore>,
    ) -> Stage {
        let mut body = Body::new(&levels.around, &levels.trip);
        let l1 = rows.load_pair(&mut body, levels);
        for tile in 0..self.distribution.tiles_at_once() {
            self.multiply_tile(&mut body, (tile, rows.form()), &l1, levels);
        }
        self.set_lines(&mut body);
        if let Some(prefetch) = prefetch {
            prefetch.load_next_chunk(&mut body, levels);
        }
        if let Some(deferred) = deferred {
            deferred.store_during_product(&mut body, levels, &self.distribution);
        }
        Stage::Loop("multiply", body)
    }

    /// Emits the items that multiply by a tile of an iteration.
    fn multiply_tile(
        &self,
        body: &mut Body,
        (number, form): (u32, TileForm),
        l1: &Address,
        levels: &LoopLevels,
    ) {
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
        let first = l1
            .clone()
            .offset_by(number * self.arithmetic.words_of_form(form));
        let tile = Tile {
            number,
            l1: &self.arithmetic.contiguous_transfers(&first, form),
            walk: &levels.index_in_chunk(PAIR),
            vectors: &|words| {
                moving(of_depth, levels.index_in_chunk(TURN), per_turn, words)
                    .offset_by(scratchpad::COLUMN_BLOCKS.start)
            },
            sums: &|words| moving(of_rows, levels.index_in_turn(PAIR), per_pair, words),
            steps,
            form,
            bank: Bank::Lm0,
        };
        self.arithmetic.multiply_by_tile(body, &tile);
    }

    /// Returns the stage that rounds `count` vectors of sums, from the word `first` of GRF0 on, to
    /// singles, if they are doubles.
    pub fn round(&self, around: &OuterLoops, (first, count): (u32, u32)) -> Option<Stage> {
        let mut body = Body::new(&around.counts(&self.distribution), &[count]);
        let any = self.arithmetic.round(&mut body, first);
        self.set_lines(&mut body);
        any.then_some(Stage::Loop("round", body))
    }

    /// Returns the result vectors per iteration of `finish`.
    pub fn finish_width(&self) -> u32 {
        let (arguments, store) = (&self.arguments, self.store);
        let besides = arguments.bf16_reads(&store.value) > arguments.bf16_reads(self.product);
        let halves = arguments.is_bf16(store.tensor) || besides;
        let is_reduced = matches!(self.results_layout, VectorLayout::ReducedSums(..));
        self.distribution
            .vectors_per_iteration(halves && !is_reduced)
    }

    /// Returns the results as placed in DRAM.
    pub fn results(&mut self) -> Result<TensorVectors, CompileError> {
        let kind = self.arguments.tensor(self.store.tensor);
        let roles = self.sides.roles(Role::I, Role::J);
        let r#use = TensorUse::new(kind, roles, BroadcastView::default());
        let halves = self.finish_width() == 2;
        let vector_layout = self.results_layout;
        self.arguments
            .place(self.store.tensor, &r#use, vector_layout, halves)
    }

    /// Returns the store of results while the next block is multiplied, in a product with this many
    /// chunks whose column side takes this many vectors of LM1.
    pub fn deferred_store(&mut self, how: (u32, u32)) -> Result<DeferredStore, CompileError> {
        let vectors = self.results()?;
        Ok(DeferredStore::new(vectors, how, line(self.store.location)))
    }

    /// Returns the stage that waits for the last results, after all loops.
    pub fn wait(&mut self) -> Result<Stage, CompileError> {
        let mut body = Body::new(&[], &[]);
        self.results()?.wait_for_last(&mut body, BUFFER);
        Ok(Stage::Loop("wait", body))
    }

    /// Returns the stages after the product.
    pub fn finish(
        &mut self,
        around: &OuterLoops,
        deferred: Option<&DeferredStore>,
    ) -> Result<Vec<Stage>, CompileError> {
        let [rows, columns] = self.sides.roles(Role::I, Role::J);
        let count = self.distribution.vectors();
        let rounded = self.round(around, (0, count));
        let width = self.finish_width();
        let (roles, vector_layout) = ([rows, columns], self.results_layout);
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
