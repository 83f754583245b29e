//! Small products with the depth distributed over the MABs of an L1B.
//!
//! | rows over | columns over | depth over |
//! |---|---|---|
//! | L2Bs, word, PE, tiles | L1Bs, cycle, vectors, blocks in time | word, PE, MAB, tiles in time |
//!
//! If MABs had their own columns, each would need the whole depth. A small product has too few
//! results per MAB to amortise the loading of a tile: 64 in a product of 256x256. Here a MAB has
//! part of the depth and sixteen times as many results, and no two MABs of an L1B load the same
//! data. The price is the reduction of partial sums by `l1bmr`, which takes as many steps as a PE
//! has long words of them, two at once.
//!
//! The whole row side is loaded first ([`ResidentRows`]) and stays in LM1 as block floats. One loop
//! then runs over blocks of columns: it loads and converts the vectors of a block, multiplies them
//! by all tiles, reduces the sums and stores them. MV instructions are issued as far ahead as L2BM
//! has slots. Results are stored after all column loads that are already issued, while the last
//! blocks are multiplied. Only the processing of the very last block is exposed.
//!
//! bf16 results pass through the PEs once more for packing: those of the first half of the tiles
//! with those of the second.
//!
//! A `wait` stalls all that follows it in the instruction stream, including items of earlier
//! blocks. Iterations are therefore at least as long as the MV instructions of a block
//! ([`Body::min_ii`](tessera_mncore_ir::body::Body::min_ii)), so that results do not wait for
//! column loads issued later.
//!
//! Restrictions: a single matrix whose rows are one block, and a plain product of two tensors.

mod resident_rows;
mod results;

use tessera_isa_mncore::ast::MatrixRows;
use tessera_isa_mncore::memory::{Bank, Precision, Side as Registers, Width};
use tessera_isa_mncore::table::{MauKind, MauOp};

use super::arithmetic::Arithmetic;
use super::product::ProductBuilder;
use super::streamed_rows::Side;
use crate::compile::data::distribution::Distribution;
use crate::compile::data::geometry::{SAME_STEPS, VECTOR_WORDS};
use crate::compile::data::outer_loops::OuterLoops;
use crate::compile::data::streams::{Direction, StreamBuffer};
use crate::compile::data::tensor_use::{Role, TensorUse};
use crate::compile::data::vectors::TensorVectors;
use crate::compile::error::{unsupported, CompileError};
use crate::compile::kernel::Kernel;
use crate::raise::{BroadcastView, ExprKind};
use resident_rows::ResidentRows;
use results::Results;
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::{Guard, MoveMemory, MovePlace, Op, Operand, Place, Test, Value};
use tessera_mncore_ir::kernel::Stage;

pub(crate) use resident_rows::{row_vectors, MAX_ROW_VECTORS};
pub(crate) use results::{halves_are_aligned, stored_words, MAX_SUMS};

/// Slots of the column side in L2BM.
pub(crate) const SLOTS: u32 = 8;

/// Returns the column vectors of a block.
pub(crate) fn column_vectors(distribution: &Distribution) -> u32 {
    distribution.k_blocks * distribution.steps / distribution.column_parts()
}

/// Returns the steps of their MV instructions.
pub(crate) fn column_transfer_steps(distribution: &Distribution) -> u32 {
    column_vectors(distribution) * distribution.cycles * SAME_STEPS as u32
}

/// Returns how many blocks ahead they are fetched.
pub(crate) fn prefetched_blocks(distribution: &Distribution) -> u32 {
    (SLOTS / column_vectors(distribution)).min(distribution.j_blocks)
}

/// Returns an operand of an MV instruction.
fn place(memory: MoveMemory, address: Address, side: Option<u32>) -> MovePlace {
    MovePlace {
        memory,
        address,
        group: None,
        l2b: side.map(|side| side as u8),
    }
}

impl ProductBuilder<'_> {
    /// Builds a product with the depth over the MABs of an L1B.
    pub(crate) fn build_k_over_mabs(mut self, side: &Side) -> Result<Kernel, CompileError> {
        let (distribution, arithmetic) = (self.distribution, self.arithmetic);
        let ExprKind::Tensor(tensor, broadcast) = self.sides.columns.kind else {
            return Err(unsupported(
                self.sides.columns.location,
                "internal error: only tensors have a depth over the MABs of an L1B",
            ));
        };
        let roles = self.sides.roles(Role::K, Role::J);
        let r#use = TensorUse::new(self.arguments.tensor(tensor), roles, broadcast);
        let result = Side {
            tensor: self.store.tensor,
            broadcast: BroadcastView::default(),
            roles: self.sides.roles(Role::I, Role::J),
        };
        let arguments = &mut self.arguments;
        let rows = ResidentRows::place(arguments, &distribution, side, arithmetic)?;
        let halves = distribution.column_parts() == 2;
        let vectors = arguments.place(tensor, &r#use, distribution.columns_layout(), halves)?;
        let columns = Columns {
            distribution,
            arithmetic,
            vectors,
        };
        let results = Results::place(arguments, &distribution, &result)?;
        let mut fetch = Body::new(&[], &[]);
        rows.fetch(&mut fetch);
        columns.fetch_first(&mut fetch);
        let mut clear = Body::new(&[], &[]);
        if columns.vectors.has_empty_cycles() {
            Columns::BUFFER.clear(&mut clear);
        }
        let multiply = columns.multiply(&results);
        let wait = Results::wait(distribution.j_blocks);
        let mut stages = vec![
            self.product_loop("fetch", fetch),
            self.product_loop("clear", clear),
            self.product_loop("prepare", rows.make(arithmetic, distribution.bf16.rows)),
            self.product_loop("multiply", multiply),
            self.product_loop("wait", wait),
        ];
        stages.retain(|stage| !matches!(stage, Stage::Loop(_, body) if body.items.is_empty()));
        let product = (arithmetic.precision(), self.bound());
        self.arguments
            .kernel(self.store.tensor, stages, Some(product))
    }
}

/// The column side, and the loop that multiplies it.
struct Columns {
    distribution: Distribution,
    arithmetic: Arithmetic,
    vectors: TensorVectors,
}

impl Columns {
    /// Its stream buffer.
    const BUFFER: StreamBuffer = StreamBuffer::wide(SLOTS);

    /// Emits the MV instructions for its first blocks.
    fn fetch_first(&self, body: &mut Body) {
        let own = column_vectors(&self.distribution);
        for number in 0..own * prefetched_blocks(&self.distribution) {
            let (block, vector) = (number / own, number % own);
            let op = self.fetch(body, number, (block, vector));
            body.push(op, Vec::new(), Vec::new());
        }
    }

    /// Returns the MV instruction for a vector of a block, counted from that of the iteration, into
    /// the slot `number`.
    fn fetch(&self, body: &Body, number: u32, (block, vector): (u32, u32)) -> Op {
        let walk = body.innermost_steps(column_vectors(&self.distribution));
        let [_, j_block, _] = self.vectors.block_strides();
        let buffer = Columns::BUFFER;
        let mut op = self.vectors.transfer(
            buffer,
            &OuterLoops::default(),
            &walk,
            0,
            Direction::In,
            number,
        );
        if let Op::Mv(transfer) = &mut op {
            let still = vec![0; body.dimensions()];
            let address = self.vectors.dram(&OuterLoops::default(), &still, vector, 0);
            transfer.source.address = address.advanced_by(block * j_block);
            if body.dimensions() > 0 {
                transfer.source.address.steps = body.innermost_steps(j_block);
            }
        }
        op
    }

    /// Builds the loop that multiplies.
    fn multiply(&self, results: &Results) -> Body {
        let mut body = Body::new(&[], &[self.distribution.j_blocks]);
        body.min_ii = column_transfer_steps(&self.distribution);
        self.load_block(&mut body);
        self.products(&mut body);
        results.store(&mut body);
        body
    }

    /// Emits the items that load the vectors of a block and convert them to block floats.
    fn load_block(&self, body: &mut Body) {
        let distribution = &self.distribution;
        let (own, ahead) = (
            column_vectors(distribution),
            prefetched_blocks(distribution),
        );
        let (buffer, walk) = (Columns::BUFFER, body.innermost_steps(own));
        let mut values: Vec<Operand> = Vec::new();
        for vector in 0..own {
            body.push(buffer.wait(0, &walk, vector), Vec::new(), Vec::new());
            for transfer in 0..self.vectors.transfers() {
                let down = self.vectors.down(buffer, &walk, vector, transfer);
                body.push(down, Vec::new(), Vec::new());
            }
            if distribution.j_blocks > ahead {
                let op = self.fetch(body, vector + own * ahead, (ahead, vector));
                body.push(op, Vec::new(), Vec::new()).when.push(Guard {
                    dimension: 0,
                    test: Test::Below(distribution.j_blocks - ahead),
                });
            }
            let down = buffer.to_pes(&walk, vector);
            if self.vectors.parts == 2 {
                let first = vector * 2 / distribution.span;
                let mut put = |body: &mut Body, own: u32, op: Op, input: Operand| {
                    let to = self.vector(body, first + own);
                    body.push(op, vec![input], vec![to.into()]);
                };
                self.arithmetic
                    .convert_packed_vector_in_registers(body, &down, vector, &mut put);
                continue;
            }
            let value = body.value(Width::Long, Home::Any);
            body.push(down, Vec::new(), vec![value.into()]);
            values.push(value.into());
        }
        let mut put = |body: &mut Body, number: u32, op: Op, input: Operand| {
            let to = self.vector(body, number);
            body.push(op, vec![input], vec![to.into()]);
        };
        self.arithmetic.convert_to_blocks(body, values, &mut put);
    }

    /// Returns the place of a vector of block floats, double-buffered.
    fn vector(&self, body: &Body, number: u32) -> Place {
        let size = self.distribution.k_blocks / self.distribution.span
            * self.distribution.steps
            * VECTOR_WORDS;
        let address = Address::affine(0, &body.innermost_steps(size)).with_ring(0, 2 * size);
        let address = address.offset_by(number * VECTOR_WORDS);
        Place::consecutive(Bank::Lm0, Width::Long, address)
    }

    /// Emits the items that multiply a block by all tiles and reduce the sums of all MABs,
    /// contiguously per tile.
    fn products(&self, body: &mut Body) {
        let distribution = &self.distribution;
        let [tiles, depth] =
            [distribution.tiles, distribution.k_blocks].map(|count| count / distribution.span);
        let mut sums = vec![None; (tiles * distribution.steps) as usize];
        for number in 0..tiles * depth {
            let (tile, block) = (number % tiles, number / tiles);
            let registers = match number % 2 {
                0 => Registers::X,
                _ => Registers::Y,
            };
            self.load(body, number, registers);
            for step in 0..distribution.steps {
                let at = tile * distribution.steps + step;
                let vector = self.vector(body, block * distribution.steps + step);
                let sum = &mut sums[at as usize];
                *sum = Some(self.multiply_by(body, (vector, *sum), registers, block + 1 == depth));
                if let (true, Some(sum)) = (block + 1 == depth, *sum) {
                    Results::reduce_sum(body, sum, (at, distribution.span));
                }
            }
        }
    }

    /// Loads a tile into one side of the matrix registers.
    fn load(&self, body: &mut Body, tile: u32, side: Registers) {
        let precision = self.arithmetic.precision();
        for part in 0..2 {
            let (first, place) = ResidentRows::part(self.arithmetic, tile, part);
            let rows = MatrixRows {
                side,
                first,
                wide: precision == Precision::Half,
            };
            let write = Op::Mwrite(precision, rows);
            body.push(write, vec![place.into()], Vec::new());
        }
    }

    /// Multiplies a vector by a tile, accumulating if there is a sum. The last product of a sum is
    /// forwarded.
    fn multiply_by(
        &self,
        body: &mut Body,
        (vector, before): (Place, Option<Value>),
        side: Registers,
        is_last: bool,
    ) -> Value {
        let op = MauOp {
            kind: match before {
                None => MauKind::Mmul,
                Some(_) => MauKind::Mfma,
            },
            precision: self.arithmetic.precision(),
            half: None,
            narrow: false,
        };
        let width = match op.precision {
            Precision::Half => Width::Double,
            _ => Width::Long,
        };
        let home = if is_last { Home::Forward } else { Home::Any };
        let sum = body.value(width, home);
        let before = before.map(Operand::from);
        let inputs = [vector.into()].into_iter().chain(before).collect();
        body.push(Op::Mau(op, Some(side)), inputs, vec![sum.into()]);
        sum
    }
}
