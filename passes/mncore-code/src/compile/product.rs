//! The loops of a product of matrices (rulings on MN-Core 2, section 2.2, loop L3).
//!
//! | loop | brings | does |
//! |---|---|---|
//! | `columns` | the column side, vector by vector; to LM1, if the next chunk is to come beside the product | what precedes the product; block float to LM0 |
//! | `convert` | what lies in LM1 of it | the same |
//! | `prepare` | vectors of the row side | block float to L2BM |
//! | `clear` | | zeroes the sums in GRF0 |
//! | `raise` | results of the block before, from LM1 to L1BM | |
//! | `multiply` | tiles of the row side: MV to L2BM, but for what was prepared, `l2bmb`, `l1bmm` to a ring in GRF1 | block float to the matrix registers, whose two sides take turns; a product in every step |
//! | `round` | | rounds sums of double precision |
//! | `resident` | what is the same for all rows, to LM1 | |
//! | `finish` | further operands, vector by vector | what follows the product; takes the result away, or puts it where it waits for the next block's product |
//! | `leave` | results that wait | takes them away |
//!
//! Loops called `fetch` and `rows` issue transfers that others wait for, those called `wait` end
//! transfers to DRAM.
//!
//! Where both sides flow into one loop ([`Flow`]), it brings them, too, and before it comes a
//! `prepare` that issues what it takes first.
//!
//! An iteration of `multiply` takes two tiles, one for each side of the matrix registers, if there
//! are two. What is done with them, says `tile.rs`.

use tessera_isa_mncore::memory::{Bank, Width};
use tessera_isa_mncore::table::{AluKind, AluOp};

use super::ahead::Ahead;
use super::arguments::{width, Arguments};
use super::arithmetic::Arithmetic;
use super::behind::Behind;
use super::choices::Sides;
use super::elements::Elements;
use super::flow::{self, Flow};
use super::row_side::{RowSide, RowStages};
use super::rows::Side;
use super::shape::{Extents, Shape, L2BS, VECTOR_WORDS};
use super::split::{self, Fill, Split};
use super::streams::Lane;
use super::tile::Tile;
use super::times::{Times, PAIR, TURN};
use super::vectors::{scaled, Form, Outer, Role, Use, Vectors};
use super::{unsupported, Bound, CompileError, Kernel};
use crate::whole::{Expr, ExprKind, Spread, Store};
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::item::{Op, Operand, Place, Test};
use tessera_mncore_ir::kernel::Stage;

/// The lane of results.
const LANE: Lane = Lane::apart().in_pieces();

/// The lanes of two halves of results: the first has a place for each, as it leaves beside the
/// second's product.
const LANES_OF_HALVES: [Lane; 2] = [Lane::wide(flow::SLOTS), LANE];

/// The lane of results of one tile of rows after the other, where the column side was before.
const LANE_OF_ROWS: Lane = Lane::wide(flow::SLOTS_BY_ROWS);

/// A product whose loops are made.
pub(super) struct Builder<'a> {
    pub store: &'a Store,
    pub product: &'a Expr,
    pub sides: Sides<'a>,
    pub shape: Shape,
    pub arithmetic: Arithmetic,
    pub arguments: Arguments<'a>,
}

impl Builder<'_> {
    pub fn build(mut self) -> Result<Kernel, CompileError> {
        let shape = self.shape;
        let side = Side {
            tensor: self.sides.rows,
            spread: self.sides.row_spread,
            roles: self.sides.roles(Role::I, Role::K),
        };
        if let Some(turns) = shape.flow {
            return self.build_flow(&side, turns);
        }
        if shape.in_l1bs {
            return self.build_in_l1bs(&side);
        }
        let rows = RowSide::place(&mut self.arguments, &shape, &side, self.arithmetic)?;
        let around = Outer::new(&shape, true, true);
        let finish_around = Outer::new(&shape, true, false);
        let behind = self.behind()?;
        let leaving = behind.as_ref().map_or(0, Behind::of_chunk);
        let times = Times::new(&shape, &around, leaving);
        let raise = behind.as_ref().and_then(|b| b.raise(&around, &shape));
        let mut stages = Vec::new();
        let mut block = vec![self.clear(&finish_around)];
        let RowStages {
            first,
            before_block,
            of_chunk,
            of_block,
        } = rows.stages(&times, &shape, (self.arithmetic, self.product.location));
        if shape.ahead {
            let ahead = Ahead::new(
                &mut self.arguments,
                self.sides.columns,
                self.sides.roles(Role::K, Role::J),
                &shape,
            )?;
            block.extend(ahead.first(&finish_around, &shape));
            block.extend(before_block);
            block.push(ahead.second(&finish_around, &shape));
            let mut chunk = vec![self.convert(&ahead, &around)?];
            chunk.extend(raise);
            chunk.extend(of_chunk);
            chunk.push(self.multiply(&rows, &times, Some(&ahead), behind.as_ref()));
            block.extend(repeat(shape.chunks, chunk));
        } else {
            // With one chunk, the column side stays for all blocks of rows.
            let once = shape.chunks == 1;
            let columns = self.columns(&Outer::new(&shape, !once, !once), &rows)?;
            block.extend(before_block);
            let multiply = self.multiply(&rows, &times, None, behind.as_ref());
            if once {
                stages = columns;
                block.extend(of_chunk);
                block.push(multiply);
            } else {
                let chunk = columns.into_iter().chain(raise);
                let chunk = chunk.chain(of_chunk).chain([multiply]);
                block.extend(repeat(shape.chunks, chunk.collect()));
            }
        }
        block.extend(of_block);
        block.extend(self.finish(&finish_around, behind.as_ref())?);
        if let Some(behind) = &behind {
            block.push(behind.wait(&finish_around, &shape));
        }
        stages.extend(repeat(shape.i_blocks, block));
        let blocks = repeat(shape.matrices, repeat(shape.j_blocks, stages));
        let mut stages: Vec<Stage> = first.into_iter().chain(blocks).collect();
        match &behind {
            Some(behind) => stages.extend(behind.last(&shape)),
            None => stages.push(self.wait()?),
        }
        let product = (self.arithmetic.precision(), self.bound());
        self.arguments
            .kernel(self.store.tensor, stages, Some(product))
    }

    /// The same, where both sides flow into one loop.
    fn build_flow(mut self, side: &Side, turns: u32) -> Result<Kernel, CompileError> {
        let shape = self.shape;
        let ExprKind::Tensor(tensor, spread) = self.sides.columns.kind else {
            return Err(unsupported(
                self.sides.columns.location,
                "internal error: only a tensor flows into a product",
            ));
        };
        let roles = self.sides.roles(Role::K, Role::J);
        let r#use = Use::of(self.arguments.tensor(tensor), roles, spread);
        let how = (self.arithmetic, turns);
        let flow = Flow::place(&mut self.arguments, &shape, side, (tensor, &r#use), how)?;
        let around = Outer::new(&shape, true, false);
        let behind = self.behind()?;
        let mut begin = flow.begin(&around);
        self.clear_in(&mut begin, 1);
        let mut block = vec![self.product_loop("prepare", begin)];
        if shape.by_rows > 0 {
            let results = self.results()?;
            let gathering = self.product_loop("multiply", flow.gathering());
            let rows = self.product_loop("multiply", flow.rows_by_rows(&results, LANE_OF_ROWS));
            let mut wait = Body::new(&[], &[]);
            results.wait_last(&mut wait, LANE_OF_ROWS);
            block.extend([gathering, rows, Stage::Loop("wait", wait)]);
            let stages = [flow.first()].into_iter().chain(block).collect();
            let product = (self.arithmetic.precision(), self.bound());
            return self
                .arguments
                .kernel(self.store.tensor, stages, Some(product));
        }
        for phase in flow.phases() {
            let multiply = flow.multiply(&around, &phase);
            let mut multiply = self.product_loop("multiply", multiply);
            let before = behind.as_ref().filter(|_| phase.has_before());
            if let (Some(behind), Stage::Loop(_, body)) = (before, &mut multiply) {
                behind.leave_in_pieces(body, &around, &shape);
            }
            block.push(multiply);
            if let Some(half) = phase.half() {
                block.extend(flow.with_constants(self.finish_half(&around, half)?));
            }
        }
        block.extend(flow.next(&around));
        if shape.twice == 0 {
            let mut finish = self.finish(&around, behind.as_ref())?;
            for stage in &mut finish {
                let blocks = around.i.filter(|_| shape.stays);
                if let Stage::Loop(_, body) = stage {
                    flow::only(body, 0, blocks, Test::Below(shape.i_blocks - 1));
                }
            }
            block.extend(flow.with_constants(finish));
        }
        let blocks = repeat(shape.j_blocks, repeat(shape.i_blocks, block));
        let mut stages = vec![flow.first()];
        stages.extend(repeat(shape.matrices, blocks));
        if shape.stays {
            let last = self.results()?.of_last_block(&shape);
            let finish = self.finish_part(&Outer::default(), (&last, LANE), 0)?;
            stages.extend(flow.with_constants(finish));
        }
        stages.push(if shape.twice > 0 {
            self.wait_for_halves()?
        } else {
            self.wait()?
        });
        let product = (self.arithmetic.precision(), self.bound());
        self.arguments
            .kernel(self.store.tensor, stages, Some(product))
    }

    /// A loop of the product.
    pub(super) fn product_loop(&self, name: &'static str, mut body: Body) -> Stage {
        for item in &mut body.items {
            item.line = line(self.product.location);
        }
        Stage::Loop(name, body)
    }

    /// Takes one of two halves of the results away.
    fn finish_half(&mut self, around: &Outer, number: u32) -> Result<Vec<Stage>, CompileError> {
        let half = self.results()?.half(number);
        let first = number * self.shape.vectors() / 2 * VECTOR_WORDS;
        self.finish_part(around, (&half, LANES_OF_HALVES[number as usize]), first)
    }

    /// Takes some of a block's results away, those whose sums lie from a word of GRF0 on.
    fn finish_part(
        &mut self,
        around: &Outer,
        (results, lane): (&Vectors, Lane),
        first: u32,
    ) -> Result<Vec<Stage>, CompileError> {
        let [rows, columns] = self.sides.roles(Role::I, Role::J);
        let (width, form) = (self.finish_width(), self.shape.results_form());
        let count = results.count * results.parts;
        let roles = [rows, columns];
        let mut elements = Elements::new(&mut self.arguments, *around, form, roles, width);
        let mut body = elements.body(count);
        let mut sums = self.arithmetic.sums_of(&body, count, width);
        for sum in &mut sums {
            sum.address.base += first;
        }
        let sums: Vec<Operand> = sums.into_iter().map(Operand::from).collect();
        elements.take(&mut body, self.store, &sums, (results, lane))?;
        Ok(elements.stages("finish", body))
    }

    /// Waits for the last results of both halves.
    fn wait_for_halves(&mut self) -> Result<Stage, CompileError> {
        let mut body = Body::new(&[], &[]);
        let results = self.results()?;
        for (lane, number) in LANES_OF_HALVES.into_iter().zip(0..) {
            results.half(number).wait_last(&mut body, lane);
        }
        Ok(Stage::Loop("wait", body))
    }

    /// Steps of each resource, whatever the loops around them are, if bf16 has 16 bits everywhere;
    /// of a spread over L2Bs, its own.
    pub(super) fn bound(&self) -> Bound {
        let Extents {
            matrices, i, j, k, ..
        } = self.sides.extents;
        let [x, i, j, k] = [matrices, i, j, k].map(u64::from);
        let words = |count: u64, halves: bool| count.div_ceil(if halves { 4 } else { 2 });
        let arguments = &self.arguments;
        let rows = words(x * i * k, arguments.is_bf16(self.sides.rows));
        let columns = words(x * k * j, arguments.bf16_reads(self.sides.columns) > 0);
        let result = words(x * i * j, arguments.is_bf16(self.store.tensor));
        // Of one side all L2Bs get the same, at half the rate; of the other, each its share.
        let l2bs = u64::from(L2BS);
        let (same, [of_rows, of_columns]) = match self.shape.split {
            Some(split) if split.has_l2bs() => (0, [l2bs, l2bs]),
            None if self.shape.wide => (rows, [1, l2bs]),
            None if self.shape.l1bs => (columns, [4, 2]),
            _ => (columns, [l2bs, 1]),
        };
        let [in_rows, in_columns] = [rows / of_rows, columns / of_columns];
        // What L1BMs and MABs have the same of, or their own.
        let (of_l1bm, of_l2bm) = match self.shape.split {
            Some(_) => (in_rows / 8 / 256, in_rows / 256),
            None if self.shape.in_l1bs => (in_rows / 256, in_rows / 64),
            None if self.shape.pairs => (in_rows / 2 / 32, in_rows / 64),
            None if self.shape.l1bs => (in_rows / 8 / 32, in_rows / 256),
            None => (in_rows / 32, in_rows / 64),
        };
        let (of_column, in_step) = match (self.shape.pairs, self.shape.l1bs) {
            (true, _) => (4, 256),
            (_, true) => (1, 64),
            _ => (8, 256),
        };
        Bound {
            mau: (x * i * j * k).div_ceil(self.arithmetic.rate()),
            l1bm: of_l1bm + in_columns / of_column / 256,
            l2bm: of_l2bm + in_columns / in_step,
            mv: (rows + columns + same + result) / 256,
        }
    }

    /// Loads the column side.
    fn columns(&mut self, around: &Outer, row_side: &RowSide) -> Result<Vec<Stage>, CompileError> {
        let [rows, columns] = self.sides.roles(Role::K, Role::J);
        let count = self.shape.k_blocks * self.shape.steps;
        let halves = self.arguments.bf16_reads(self.sides.columns) > 0;
        let width = width(halves, count);
        let (roles, form) = ([rows, columns], self.shape.columns_form());
        let mut elements = Elements::new(&mut self.arguments, *around, form, roles, width);
        let mut body = elements.body(count);
        row_side.beside_columns(&mut body);
        let values = elements.values(&mut body, self.sides.columns, None)?;
        to_lm0(
            &mut body,
            values,
            (count, self.sides.columns.location),
            self.arithmetic,
        );
        Ok(elements.stages("columns", body))
    }

    /// Makes block floats of a column side that was brought ahead.
    fn convert(&mut self, ahead: &Ahead, around: &Outer) -> Result<Stage, CompileError> {
        let roles = self.sides.roles(Role::K, Role::J);
        let width = ahead.vectors.parts;
        let mut elements = Elements::new(&mut self.arguments, *around, Form::Same, roles, width);
        let (count, location) = (ahead.vectors.count * width, self.sides.columns.location);
        let mut body = elements.body(count);
        let landed = Ahead::landed(&body.along(VECTOR_WORDS));
        let landed = ahead.vectors.unpacked(&mut body, landed);
        elements.know(ahead.tensor, ahead.spread, landed);
        let values = elements.values(&mut body, self.sides.columns, None)?;
        to_lm0(&mut body, values, (count, location), self.arithmetic);
        Ok(Stage::Loop("convert", body))
    }

    fn clear(&self, around: &Outer) -> Stage {
        let count = self.sums_to_clear();
        let mut body = Body::new(&around.counts(&self.shape), &[count]);
        self.clear_in(&mut body, count);
        for item in &mut body.items {
            item.line = line(self.product.location);
        }
        Stage::Loop("clear", body)
    }

    /// The items that zero the sums, in a loop of so many iterations.
    fn clear_in(&self, body: &mut Body, iterations: u32) {
        let each = 2 * VECTOR_WORDS;
        for number in 0..self.sums_to_clear() / iterations {
            let zero = AluOp::new(AluKind::Zero, None);
            let address = Address::moving(number * each, &body.along(each));
            let place = Place::consecutive(Bank::Grf0, Width::Double, address);
            body.push(Op::Alu(zero, 0), Vec::new(), vec![place.into()]);
        }
    }

    /// Two long words in each cycle at once: how often that is for all sums.
    fn sums_to_clear(&self) -> u32 {
        let words = self.arithmetic.sum_words(self.shape.vectors());
        words.div_ceil(2 * VECTOR_WORDS)
    }

    fn multiply(
        &self,
        rows: &RowSide,
        times: &Times,
        ahead: Option<&Ahead>,
        behind: Option<&Behind>,
    ) -> Stage {
        let mut body = Body::new(&times.around, &times.trip);
        let l1 = rows.bring(&mut body, times);
        for tile in 0..self.shape.tiles_at_once() {
            self.tile(&mut body, tile, &l1, times);
        }
        for item in &mut body.items {
            item.line = line(self.product.location);
        }
        if let Some(ahead) = ahead {
            ahead.bring(&mut body, times);
        }
        if let Some(behind) = behind {
            behind.leave(&mut body, times, &self.shape);
        }
        Stage::Loop("multiply", body)
    }

    /// Multiplies by a tile of an iteration.
    fn tile(&self, body: &mut Body, number: u32, l1: &Address, times: &Times) {
        let steps = self.shape.steps;
        // With one tile of rows the two of an iteration are of two blocks of the depth.
        let alone = self.shape.tiles == self.shape.span;
        let (of_depth, of_rows) = if alone { (number, 0) } else { (0, number) };
        let (per_turn, per_pair) = if alone {
            (self.shape.tiles_at_once(), 0)
        } else {
            (1, 2)
        };
        let moving = |first: u32, walk: Vec<u32>, by: u32, words: u32| {
            let block = steps * words;
            Address::moving(first * block, &scaled(&walk, by * block))
        };
        let words = match self.shape.split {
            Some(_) => self.arithmetic.own_tile_words(self.shape.row_parts()),
            None => self.arithmetic.tile_words(self.shape.prepared.is_some()),
        };
        let tile = Tile {
            number,
            l1: &l1.clone().beyond(number * words),
            walk: &times.in_chunk(PAIR),
            vectors: &|words| moving(of_depth, times.in_chunk(TURN), per_turn, words),
            sums: &|words| moving(of_rows, times.in_turn(PAIR), per_pair, words),
            steps,
            prepared: self.shape.prepared.is_some(),
            bank: Bank::Lm0,
            own: self.shape.split.map(|_| self.shape.row_parts()),
        };
        self.arithmetic.tile(body, &tile);
    }

    /// Rounds sums that are no singles.
    fn round(&self, around: &Outer) -> Option<Stage> {
        let mut body = Body::new(&around.counts(&self.shape), &[self.shape.vectors()]);
        let any = self.arithmetic.round(&mut body);
        for item in &mut body.items {
            item.line = line(self.product.location);
        }
        any.then_some(Stage::Loop("round", body))
    }

    /// How many vectors are finished in an iteration.
    fn finish_width(&self) -> u32 {
        let (arguments, store) = (&self.arguments, self.store);
        let besides = arguments.bf16_reads(&store.value) > arguments.bf16_reads(self.product);
        let halves = arguments.is_bf16(store.tensor) || besides;
        width(halves && self.shape.split.is_none(), self.shape.vectors())
    }

    /// How results are spread: joined sums leave as they are if nothing follows.
    fn results_form(&self) -> Form {
        let fill = if self.store.value == *self.product {
            Fill::Least
        } else {
            Fill::Whole
        };
        let joined = self.shape.split.map(|split| Form::Joined(split, fill));
        joined.unwrap_or(self.shape.results_form())
    }

    /// The results as they lie in DRAM.
    fn results(&mut self) -> Result<Vectors, CompileError> {
        let kind = self.arguments.tensor(self.store.tensor);
        let roles = self.sides.roles(Role::I, Role::J);
        let r#use = Use::of(kind, roles, Spread::default());
        let halves = self.finish_width() == 2;
        let form = self.results_form();
        self.arguments
            .place(self.store.tensor, &r#use, form, halves)
    }

    /// The results, if they leave while the next block is multiplied.
    fn behind(&mut self) -> Result<Option<Behind>, CompileError> {
        if !self.shape.behind {
            return Ok(None);
        }
        let vectors = self.results()?;
        let line = line(self.store.location);
        Ok(Some(Behind::new(vectors, &self.shape, line)))
    }

    /// Waits for the last results, behind all loops.
    fn wait(&mut self) -> Result<Stage, CompileError> {
        let mut body = Body::new(&[], &[]);
        self.results()?.wait_last(&mut body, LANE);
        Ok(Stage::Loop("wait", body))
    }

    /// What follows the product.
    fn finish(
        &mut self,
        around: &Outer,
        behind: Option<&Behind>,
    ) -> Result<Vec<Stage>, CompileError> {
        let [rows, columns] = self.sides.roles(Role::I, Role::J);
        let count = self.shape.vectors();
        let rounded = self.round(around);
        if let Some(split) = self.shape.split {
            let stages = self.finish_split(around, split)?;
            return Ok(rounded.into_iter().chain(stages).collect());
        }
        let width = self.finish_width();
        let (roles, form) = ([rows, columns], self.results_form());
        let mut elements = Elements::new(&mut self.arguments, *around, form, roles, width);
        if let Some(behind) = behind {
            elements.keep(behind.words());
        }
        let mut body = elements.body(count);
        let sums = self.arithmetic.sums_of(&body, count, width).into_iter();
        let sums: Vec<Operand> = sums.map(Operand::from).collect();
        match behind {
            Some(behind) => elements.put(&mut body, self.store, &sums, behind)?,
            None => {
                elements.leave_late(LANE);
                elements.store(&mut body, self.store, Some(&sums))?;
            }
        }
        let stages = elements.stages("finish", body);
        Ok(rounded.into_iter().chain(stages).collect())
    }

    /// What follows a product whose depth is split: its sums are joined.
    fn finish_split(&mut self, around: &Outer, split: Split) -> Result<Vec<Stage>, CompileError> {
        let count = self.shape.vectors();
        let results = self.results()?;
        let mut body = Body::new(&around.counts(&self.shape), &[1]);
        let sums = self.arithmetic.sums_of(&body, count, count);
        if results.form == Form::Joined(split, Fill::Least) {
            split::leave(&mut body, &results, (LANE, around), &sums);
            for item in &mut body.items {
                item.line = line(self.product.location);
            }
            let mut wait = Body::new(&body.outer, &[]);
            results.wait_before(&mut wait, LANE, around, &self.shape);
            let wait = (!wait.items.is_empty()).then_some(Stage::Loop("wait", wait));
            return Ok(wait
                .into_iter()
                .chain([Stage::Loop("finish", body)])
                .collect());
        }
        let sum = split::joined(&mut body, split, &sums, results.words);
        for item in &mut body.items {
            item.line = line(self.product.location);
        }
        let (roles, form) = (self.sides.roles(Role::I, Role::J), results.form);
        let mut elements = Elements::new(&mut self.arguments, *around, form, roles, 1);
        elements.leave_late(LANE);
        elements.store(&mut body, self.store, Some(&[sum]))?;
        Ok(elements.stages("finish", body))
    }
}

/// The vectors of the column side of an iteration, of so many, as block float to LM0.
fn to_lm0(
    body: &mut Body,
    values: Vec<Operand>,
    (count, location): (u32, usize),
    arithmetic: Arithmetic,
) {
    let first = body.items.len();
    arithmetic.to_lm0(body, values, count);
    for item in &mut body.items[first..] {
        item.line = line(location);
    }
}

/// Parts that are gone through so often.
pub(super) fn repeat(count: u32, stages: Vec<Stage>) -> Vec<Stage> {
    match count {
        1 => stages,
        _ => vec![Stage::Repeat(count, stages)],
    }
}

/// The line of an operation: 0 is none.
pub(super) fn line(location: usize) -> u32 {
    location as u32 + 1
}
