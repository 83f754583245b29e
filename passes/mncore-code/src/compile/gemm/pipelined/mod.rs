//! Products as one software-pipelined loop that loads both sides.
//!
//! | file | holds |
//! |---|---|
//! | `row_ordered_drain.rs` | the epilogue in row order, so that rows drain early |
//! | `product.rs` | the loop |
//! | `cost.rs` | its cost |
//! | `plan.rs` | its parameters, and which are legal |
//!
//! A file imports only files below it in this table.

mod cost;
mod plan;
mod product;
mod row_ordered_drain;

use super::arithmetic::Arithmetic;
use super::deferred_store::DeferredStore;
use super::drain::Drain;
use super::problem::Blocking;
use super::product::{ProductBuilder, BUFFER};
use super::sharing::Sharing;
use super::strategy::ProductStrategy;
use crate::compile::data::outer_loops::OuterLoops;
use crate::compile::data::streams::StreamBuffer;
use crate::compile::data::tensor_use::Role;
use crate::compile::data::vectors::TensorVectors;
use crate::compile::elementwise::elements::Elements;
use crate::compile::error::CompileError;
use crate::compile::kernel::Kernel;
use crate::compile::scratchpad::{COLUMN_STREAM, COLUMN_STREAM_BY_ROWS};
use crate::compile::stages::repeat;
use product::{restrict_to_blocks, PipelinedProduct};
use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::item::{Operand, Test};
use tessera_mncore_ir::kernel::Stage;

pub(crate) use plan::Pipelined;

/// The stream buffers of the two halves of results. The first has a slot for each vector, since it
/// is stored during the second pass.
const BUFFERS_OF_HALVES: [StreamBuffer; 2] = [StreamBuffer::wide(COLUMN_STREAM), BUFFER];

/// The stream buffer of results in a row-ordered drain, in the place of the column side's.
const BUFFER_OF_ROWS: StreamBuffer = StreamBuffer::wide(COLUMN_STREAM_BY_ROWS);

impl ProductStrategy for Pipelined {
    fn blocking(&self) -> &Blocking {
        &self.blocking
    }

    fn converts_in_advance(&self) -> bool {
        true
    }

    fn cost(&self, arithmetic: Arithmetic) -> u64 {
        self.estimate(arithmetic)
    }

    fn emit(&self, mut product: ProductBuilder) -> Result<Kernel, CompileError> {
        let (tensor, r#use) =
            product.column_tensor("internal error: only a tensor flows into a product")?;
        let (side, arithmetic) = (product.row_side(), product.arithmetic);
        let arguments = &mut product.arguments;
        let columns = (tensor, &r#use);
        let pipeline = PipelinedProduct::place(arguments, self, &side, columns, arithmetic)?;
        match self.drain {
            Drain::RowOrdered { iterations } => {
                self.emit_row_ordered(product, &pipeline, iterations)
            }
            drain => self.emit_blocks(product, &pipeline, drain),
        }
    }
}

impl Pipelined {
    /// Returns the stage before the loop of a block.
    fn prologue(
        &self,
        product: &ProductBuilder,
        pipeline: &PipelinedProduct,
        around: &OuterLoops,
    ) -> Stage {
        let mut begin = pipeline.build_prologue(around);
        product.clear_in(&mut begin, 1);
        product.product_loop("prepare", begin)
    }

    /// Builds the kernel with a row-ordered drain.
    fn emit_row_ordered(
        &self,
        mut product: ProductBuilder,
        pipeline: &PipelinedProduct,
        iterations: u32,
    ) -> Result<Kernel, CompileError> {
        let distribution = &self.blocking.distribution;
        let around = OuterLoops::new(distribution, true, false);
        let prepare = self.prologue(&product, pipeline, &around);
        let results = product.results()?;
        let gathering = product.product_loop("multiply", pipeline.build_gathering_loop());
        let rows = pipeline.build_row_loop(iterations, (&results, BUFFER_OF_ROWS));
        let rows = product.product_loop("multiply", rows);
        let mut wait = Body::new(&[], &[]);
        results.wait_for_last(&mut wait, BUFFER_OF_ROWS);
        let wait = Stage::Loop("wait", wait);
        let stages = vec![pipeline.first(), prepare, gathering, rows, wait];
        product.kernel(stages, &Sharing::new(distribution.mapping))
    }

    /// Builds the kernel with loops over blocks.
    fn emit_blocks(
        &self,
        mut product: ProductBuilder,
        pipeline: &PipelinedProduct,
        drain: Drain,
    ) -> Result<Kernel, CompileError> {
        let distribution = &self.blocking.distribution;
        let around = OuterLoops::new(distribution, true, false);
        let is_split = matches!(drain, Drain::SplitEpilogue { .. });
        let deferred = match drain {
            Drain::DuringNextBlock => Some(product.deferred_store((1, 0))?),
            _ => None,
        };
        let mut block = vec![self.prologue(&product, pipeline, &around)];
        for phase in pipeline.phases() {
            let mut multiply = pipeline.build_phase(&around, &phase);
            product.set_lines(&mut multiply);
            let before = deferred.as_ref().filter(|_| phase.stores_previous_block());
            if let Some(deferred) = before {
                deferred.store_in_pieces(&mut multiply, &around, distribution);
            }
            block.push(Stage::Loop("multiply", multiply));
            if let Some(half) = phase.completed_half() {
                let finish = self.finish_half(&mut product, &around, half)?;
                block.extend(pipeline.with_resident_constants(finish));
            }
        }
        block.extend(pipeline.next(&around));
        if !is_split {
            let finish = self.finish(&mut product, &around, deferred.as_ref())?;
            block.extend(pipeline.with_resident_constants(finish));
        }
        let blocks = repeat(distribution.j_blocks, repeat(distribution.i_blocks, block));
        let mut stages = vec![pipeline.first()];
        stages.extend(repeat(distribution.matrices, blocks));
        if deferred.is_some() {
            let last = product.results()?.last_block(distribution);
            let around = OuterLoops::default();
            let finish = finish_part(&mut product, &around, (&last, BUFFER), 0)?;
            stages.extend(pipeline.with_resident_constants(finish));
        }
        stages.push(if is_split {
            wait_for_halves(&mut product)?
        } else {
            product.wait()?
        });
        product.kernel(stages, &Sharing::new(distribution.mapping))
    }

    /// Returns the stages after the product of a block. Results of the last block are stored after
    /// all loops if the others are stored while the next block is multiplied.
    fn finish(
        &self,
        product: &mut ProductBuilder,
        around: &OuterLoops,
        deferred: Option<&DeferredStore>,
    ) -> Result<Vec<Stage>, CompileError> {
        let mut finish = product.finish(around, deferred)?;
        let blocks = around.i.filter(|_| deferred.is_some());
        let last = self.blocking.distribution.i_blocks - 1;
        for stage in &mut finish {
            if let Stage::Loop(_, body) = stage {
                restrict_to_blocks(body, 0, blocks, Test::Below(last));
            }
        }
        Ok(finish)
    }

    /// Returns the stages that store one half of the results.
    fn finish_half(
        &self,
        product: &mut ProductBuilder,
        around: &OuterLoops,
        number: u32,
    ) -> Result<Vec<Stage>, CompileError> {
        let half = product.results()?.half(number);
        let first = product
            .arithmetic
            .sum_words(number * self.blocking.distribution.vectors() / 2);
        let part = (&half, BUFFERS_OF_HALVES[number as usize]);
        finish_part(product, around, part, first)
    }
}

/// Returns the stages that store part of a block's results, whose sums start at the word `first` of
/// GRF0.
fn finish_part(
    product: &mut ProductBuilder,
    around: &OuterLoops,
    (results, buffer): (&TensorVectors, StreamBuffer),
    first: u32,
) -> Result<Vec<Stage>, CompileError> {
    let roles = product.sides.roles(Role::I, Role::J);
    let width = product.finish_width();
    let (arithmetic, store) = (product.arithmetic, product.store);
    let vector_layout = product.distribution.results_layout();
    let count = results.count * results.parts;
    let rounded = product.round(around, (first, count));
    let mut elements = Elements::new(&mut product.arguments, *around, vector_layout, roles, width);
    let mut body = elements.body(count);
    let mut sums = arithmetic.sum_places(&body, count, width);
    for sum in &mut sums {
        sum.address.base += first;
    }
    let sums: Vec<Operand> = sums.into_iter().map(Operand::from).collect();
    elements.store_part(&mut body, store, &sums, (results, buffer))?;
    let stages = elements.stages("finish", body);
    Ok(rounded.into_iter().chain(stages).collect())
}

/// Returns the stage that waits for the last results of both halves.
fn wait_for_halves(product: &mut ProductBuilder) -> Result<Stage, CompileError> {
    let mut body = Body::new(&[], &[]);
    let results = product.results()?;
    for (buffer, number) in BUFFERS_OF_HALVES.into_iter().zip(0..) {
        results.half(number).wait_for_last(&mut body, buffer);
    }
    Ok(Stage::Loop("wait", body))
}
