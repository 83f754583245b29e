//! The column side of a product with the depth over the MABs of an L1B, and the loop that
//! multiplies it.

use tessera_isa_mncore::ast::MatrixRows;
use tessera_isa_mncore::memory::{Bank, Precision, Side as Registers, Width};
use tessera_isa_mncore::table::{MauKind, MauOp};

use super::plan::KOverMabs;
use super::resident_rows::ResidentRows;
use super::results::Results;
use crate::compile::data::distribution::Distribution;
use crate::compile::data::geometry::VECTOR_WORDS;
use crate::compile::data::outer_loops::OuterLoops;
use crate::compile::data::streams::{Direction, StreamBuffer};
use crate::compile::data::vectors::TensorVectors;
use crate::compile::gemm::arithmetic::Arithmetic;
use crate::compile::scratchpad::{COLUMN_STREAM, K_OVER_MABS_COLUMNS};
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::{Guard, Op, Operand, Place, Test, Value};

/// The column side, and the loop that multiplies it.
pub(crate) struct Columns {
    pub plan: KOverMabs,
    pub distribution: Distribution,
    pub arithmetic: Arithmetic,
    pub vectors: TensorVectors,
}

impl Columns {
    /// Its stream buffer.
    pub const BUFFER: StreamBuffer = StreamBuffer::wide(COLUMN_STREAM);

    /// Emits the MV instructions for its first blocks.
    pub fn fetch_first(&self, body: &mut Body) {
        let own = self.plan.column_vectors();
        for number in 0..own * self.plan.prefetched_blocks() {
            let (block, vector) = (number / own, number % own);
            let op = self.fetch(body, number, (block, vector));
            body.push(op, Vec::new(), Vec::new());
        }
    }

    /// Returns the MV instruction for a vector of a block, counted from that of the iteration, into
    /// the slot `number`.
    fn fetch(&self, body: &Body, number: u32, (block, vector): (u32, u32)) -> Op {
        let walk = body.innermost_steps(self.plan.column_vectors());
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
    pub fn multiply(&self, results: &Results) -> Body {
        let mut body = Body::new(&[], &[self.distribution.j_blocks]);
        body.min_ii = self.plan.column_transfer_steps();
        self.load_block(&mut body);
        self.products(&mut body);
        results.store(&mut body);
        body
    }

    /// Emits the items that load the vectors of a block and convert them to block floats.
    fn load_block(&self, body: &mut Body) {
        let distribution = &self.distribution;
        let (own, ahead) = (self.plan.column_vectors(), self.plan.prefetched_blocks());
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
        let address = Address::affine(0, &body.innermost_steps(size))
            .with_ring(K_OVER_MABS_COLUMNS.start, 2 * size);
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
