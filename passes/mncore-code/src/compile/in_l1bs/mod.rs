//! Small products whose depth goes over the MABs of an L1B.
//!
//! | rows over | columns over | depth over |
//! |---|---|---|
//! | L2Bs, word, PE, tiles | L1Bs, cycle, vectors, blocks in time | word, PE, MAB, tiles in time |
//!
//! Where MABs have columns of their own, each needs all of the depth, and of a small product there
//! are too few results for a tile to be used as long as it takes to load: 64 for each MAB of
//! 256x256. Here a MAB has a part of the depth and sixteen times as many results; nothing comes to
//! two MABs of an L1B. The price are its partial sums, which `l1bmr` adds on the way out: in so
//! many steps as they are long words of a PE, two at once.
//!
//! All of the row side comes first ([`Rows`]), and stays in LM1 as block floats. Then one loop goes
//! over blocks of columns: it brings the vectors of one, makes block floats of them, multiplies all
//! tiles by them, joins the sums, and takes them away. Its MV instructions are issued as far ahead
//! as L2BM has places. The results of a block leave behind all of the column side that is issued
//! already, while the last blocks are multiplied; so only what is done with the last of them is
//! done while no MV instruction moves anything.
//!
//! Results of bf16 come to the PEs once more, where two are made one: those of the first half of
//! the tiles with those of the second.
//!
//! A `wait` holds up all that stands behind it, what is left of blocks before, too. So iterations
//! are as long as the MV instructions of a block
//! ([`Body::pace`](tessera_mncore_ir::body::Body::pace)), not as short as they could be, and their
//! results do not wait for column sides that come later.
//!
//! Only one matrix, whose rows are one block, and a product of two tensors with nothing behind it;
//! others have other ways.

mod results;
mod rows;

use tessera_isa_mncore::ast::MatrixRows;
use tessera_isa_mncore::memory::{Bank, Precision, Side as Registers, Width};
use tessera_isa_mncore::table::{MauKind, MauOp};

use super::arithmetic::Arithmetic;
use super::product::Builder;
use super::rows::Side;
use super::shape::{Shape, VECTOR_WORDS};
use super::streams::{Direction, Lane};
use super::vectors::{Outer, Role, Use, Vectors, SAME_STEPS};
use super::{unsupported, CompileError, Kernel};
use crate::whole::{ExprKind, Spread};
use results::Results;
use rows::Rows;
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::{Guard, MoveMemory, MovePlace, Op, Operand, Place, Test, Value};
use tessera_mncore_ir::kernel::Stage;

pub(super) use results::{fits, leaving, MOST_SUMS};
pub(super) use rows::{row_vectors, MOST_VECTORS};

/// How many vectors of the column side L2BM has places for.
pub(super) const SLOTS: u32 = 8;

/// Vectors of the column side of a block.
pub(super) fn own(shape: &Shape) -> u32 {
    shape.k_blocks * shape.steps / shape.column_parts()
}

/// Steps of their MV instructions.
pub(super) fn pace(shape: &Shape) -> u32 {
    own(shape) * shape.cycles * SAME_STEPS as u32
}

/// How many blocks ahead those are fetched.
pub(super) fn ahead(shape: &Shape) -> u32 {
    (SLOTS / own(shape)).min(shape.j_blocks)
}

/// A place of an MV instruction.
fn place(memory: MoveMemory, address: Address, side: Option<u32>) -> MovePlace {
    MovePlace {
        memory,
        address,
        group: None,
        l2b: side.map(|side| side as u8),
    }
}

impl Builder<'_> {
    /// A product whose depth goes over the MABs of an L1B.
    pub(super) fn build_in_l1bs(mut self, side: &Side) -> Result<Kernel, CompileError> {
        let (shape, arithmetic) = (self.shape, self.arithmetic);
        let ExprKind::Tensor(tensor, spread) = self.sides.columns.kind else {
            return Err(unsupported(
                self.sides.columns.location,
                "internal error: only tensors have a depth over the MABs of an L1B",
            ));
        };
        let roles = self.sides.roles(Role::K, Role::J);
        let r#use = Use::of(self.arguments.tensor(tensor), roles, spread);
        let result = Side {
            tensor: self.store.tensor,
            spread: Spread::default(),
            roles: self.sides.roles(Role::I, Role::J),
        };
        let arguments = &mut self.arguments;
        let rows = Rows::place(arguments, &shape, side, arithmetic)?;
        let halves = shape.column_parts() == 2;
        let vectors = arguments.place(tensor, &r#use, shape.columns_form(), halves)?;
        let columns = Columns {
            shape,
            arithmetic,
            vectors,
        };
        let results = Results::place(arguments, &shape, &result)?;
        let mut fetch = Body::new(&[], &[]);
        rows.fetch(&mut fetch);
        columns.fetch_first(&mut fetch);
        let mut clear = Body::new(&[], &[]);
        if columns.vectors.leaves_cycles() {
            Columns::LANE.clear(&mut clear);
        }
        let multiply = columns.multiply(&results);
        let wait = Results::wait(shape.j_blocks);
        let mut stages = vec![
            self.product_loop("fetch", fetch),
            self.product_loop("clear", clear),
            self.product_loop("prepare", rows.make(arithmetic, shape.halves.rows)),
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
    shape: Shape,
    arithmetic: Arithmetic,
    vectors: Vectors,
}

impl Columns {
    /// Its lane.
    const LANE: Lane = Lane::wide(SLOTS);

    /// Fetches its first blocks.
    fn fetch_first(&self, body: &mut Body) {
        let own = own(&self.shape);
        for number in 0..own * ahead(&self.shape) {
            let (block, vector) = (number / own, number % own);
            let op = self.fetch(body, number, (block, vector));
            body.push(op, Vec::new(), Vec::new());
        }
    }

    /// The MV instruction for a vector of a block, counted from that of an iteration, which goes to
    /// the place of this number.
    fn fetch(&self, body: &Body, number: u32, (block, vector): (u32, u32)) -> Op {
        let walk = body.along(own(&self.shape));
        let [_, j_block, _] = self.vectors.block_strides();
        let lane = Columns::LANE;
        let mut op = self
            .vectors
            .r#move(lane, &Outer::default(), &walk, 0, Direction::In, number);
        if let Op::Mv(transfer) = &mut op {
            let still = vec![0; body.dimensions()];
            let address = self.vectors.dram(&Outer::default(), &still, vector, 0);
            transfer.source.address = address.plus(block * j_block);
            if body.dimensions() > 0 {
                transfer.source.address.steps = body.along(j_block);
            }
        }
        op
    }

    /// The loop that multiplies.
    fn multiply(&self, results: &Results) -> Body {
        let mut body = Body::new(&[], &[self.shape.j_blocks]);
        body.pace = pace(&self.shape);
        self.bring(&mut body);
        self.products(&mut body);
        results.take(&mut body);
        body
    }

    /// The items that bring the vectors of a block, as block floats.
    fn bring(&self, body: &mut Body) {
        let shape = &self.shape;
        let (own, ahead) = (own(shape), ahead(shape));
        let (lane, walk) = (Columns::LANE, body.along(own));
        let mut values: Vec<Operand> = Vec::new();
        for vector in 0..own {
            body.push(lane.wait(0, &walk, vector), Vec::new(), Vec::new());
            for transfer in 0..self.vectors.transfers() {
                let down = self.vectors.down(lane, &walk, vector, transfer);
                body.push(down, Vec::new(), Vec::new());
            }
            if shape.j_blocks > ahead {
                let op = self.fetch(body, vector + own * ahead, (ahead, vector));
                body.push(op, Vec::new(), Vec::new()).when.push(Guard {
                    dimension: 0,
                    test: Test::Below(shape.j_blocks - ahead),
                });
            }
            let down = lane.to_pes(&walk, vector);
            if self.vectors.parts == 2 {
                let first = vector * 2 / shape.span;
                let mut put = |body: &mut Body, own: u32, op: Op, input: Operand| {
                    let to = self.vector(body, first + own);
                    body.push(op, vec![input], vec![to.into()]);
                };
                self.arithmetic
                    .unpacked_block(body, &down, vector, &mut put);
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
        self.arithmetic.blocks(body, values, &mut put);
    }

    /// Where a vector of block floats lies: those of two blocks take turns.
    fn vector(&self, body: &Body, number: u32) -> Place {
        let size = self.shape.k_blocks / self.shape.span * self.shape.steps * VECTOR_WORDS;
        let address = Address::moving(0, &body.along(size)).around(0, 2 * size);
        let address = address.beyond(number * VECTOR_WORDS);
        Place::consecutive(Bank::Lm0, Width::Long, address)
    }

    /// The items that multiply a block by all tiles, and join the sums of all MABs, those of a tile
    /// one behind the other.
    fn products(&self, body: &mut Body) {
        let shape = &self.shape;
        let [tiles, depth] = [shape.tiles, shape.k_blocks].map(|count| count / shape.span);
        let mut sums = vec![None; (tiles * shape.steps) as usize];
        for number in 0..tiles * depth {
            let (tile, block) = (number % tiles, number / tiles);
            let registers = match number % 2 {
                0 => Registers::X,
                _ => Registers::Y,
            };
            self.load(body, number, registers);
            for step in 0..shape.steps {
                let at = tile * shape.steps + step;
                let vector = self.vector(body, block * shape.steps + step);
                let sum = &mut sums[at as usize];
                *sum = Some(self.multiply_by(body, (vector, *sum), registers, block + 1 == depth));
                if let (true, Some(sum)) = (block + 1 == depth, *sum) {
                    Results::join(body, sum, (at, shape.span));
                }
            }
        }
    }

    /// Brings a tile to a side of the matrix registers.
    fn load(&self, body: &mut Body, tile: u32, side: Registers) {
        let precision = self.arithmetic.precision();
        for part in 0..2 {
            let (first, place) = Rows::part(self.arithmetic, tile, part);
            let rows = MatrixRows {
                side,
                first,
                wide: precision == Precision::Half,
            };
            let write = Op::Mwrite(precision, rows);
            body.push(write, vec![place.into()], Vec::new());
        }
    }

    /// Multiplies a vector by a tile, and adds a sum if there is one; what is the last of it goes
    /// on at once.
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
