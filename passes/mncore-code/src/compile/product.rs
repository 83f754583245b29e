//! The loops of a product of matrices (rulings on MN-Core 2, section 2.2, loop L3).
//!
//! | loop | brings | does |
//! |---|---|---|
//! | `columns` | the column side, vector by vector | what precedes the product; block float to LM0 |
//! | `clear` | | zeroes the sums in GRF0 |
//! | `multiply` | tiles of the row side: MV to L2BM, `l2bmb`, `l1bmm` to a ring in GRF1 | block float to the matrix registers, whose two sides take turns; a product in every step |
//! | `resident` | what is the same for all rows, to LM1 | |
//! | `finish` | further operands, vector by vector | what follows the product; takes the result away |
//!
//! An iteration of `multiply` takes two tiles, one for each side of the matrix registers. Of a tile's eight rows, those of the first
//! half come from the upper long words of the PEs, so rows of the matrix are rows of the tile.

use tessera_isa_mncore::ast::MatrixRows;
use tessera_isa_mncore::layout::Place as Part;
use tessera_isa_mncore::memory::{Bank, Precision, Side, Width};
use tessera_isa_mncore::table::l1bm::L1bmKind;
use tessera_isa_mncore::table::l2bm::L2bmKind;
use tessera_isa_mncore::table::{AluKind, AluOp, L1bmOp, L2bmOp, MauKind, MauOp, MvMode};
use tessera_pto::kernel::TensorType;

use super::ahead::{Ahead, Times};
use super::arguments::Arguments;
use super::elements::Elements;
use super::shape::{Extents, Shape, VECTOR_WORDS};
use super::vectors::{digits, dram, matrices, Form, Outer, Role};
use super::{unsupported, Bound, CompileError, Kernel, Stage};
use crate::address::Address;
use crate::body::{Body, Home};
use crate::item::{Guard, Move, MoveMemory, MovePlace, Op, Operand, Place, Source, Test};
use crate::whole::{Expr, ExprKind, Spread, Store, Whole};

/// Long words of a tile of the row side: eight rows of eight singles.
const TILE: u32 = 32;
/// Where the row side lies in L2BM: behind the lanes; and how much of it an MV instruction brings at most.
const ROWS_L2BM: u32 = 16384;
const MOST_BATCH: u32 = 1024;
/// The ring of the row side in L1BM.
const ROWS_L1BM: u32 = 4096;
const ROWS_L1BM_RING: u32 = 1024;
/// The ring of tiles in GRF1, in single words.
const TILE_WORDS: u32 = 16;
const TILE_RING: u32 = 4 * TILE_WORDS;
/// Tags of the row side: one for each place, for each side of a group.
const ROWS_TAG: u32 = 1;
/// How many batches ahead transfers are issued, and how many batches L2BM has places for.
const ROWS_AHEAD: u32 = 3;
const ROWS_SLOTS: u32 = 4;

/// A kernel with one product.
pub(super) fn kernel(whole: &Whole, store: &Store, product: &Expr) -> Result<Kernel, CompileError> {
    let ExprKind::Product(factors) = &product.kind else {
        return Err(unsupported(product.location, "is no product"));
    };
    let choices = [false, true].into_iter().filter_map(|flipped| {
        let sides = Sides::of(whole, store, factors, flipped)?;
        let (shape, cost) = Shape::of_product(&sides.extents, sides.is_plain());
        Some((sides, shape, cost))
    });
    let Some((sides, shape, _)) = choices.min_by_key(|(_, _, cost)| *cost) else {
        return Err(unsupported(
            product.location,
            "work on both factors of a product has no code for MN-Core 2; compile with fusion=epilogue",
        ));
    };
    Builder::new(whole, store, product, sides, shape).build()
}

/// Which factor goes which way.
struct Sides<'a> {
    /// Whether columns of the result are the rows of the chip.
    flipped: bool,
    extents: Extents,
    /// The tensor of the row side.
    rows: usize,
    row_spread: Spread,
    columns: &'a Expr,
}

impl<'a> Sides<'a> {
    /// The sides, if the row side is a tensor as it is.
    fn of(whole: &Whole, store: &Store, factors: &'a [Expr; 2], flipped: bool) -> Option<Self> {
        let [rows, columns] = if flipped {
            [&factors[1], &factors[0]]
        } else {
            [&factors[0], &factors[1]]
        };
        let ExprKind::Tensor(tensor, spread) = rows.kind else {
            return None;
        };
        let (result, own) = (whole.tensors[store.tensor], whole.tensors[tensor]);
        let [own_rows, own_columns] = spread.seen([own.rows, own.columns]);
        let (i, j, k) = if flipped {
            (result.columns, result.rows, own_rows)
        } else {
            (result.rows, result.columns, own_columns)
        };
        let extents = Extents {
            matrices: result.matrices,
            i,
            j,
            k,
        };
        (!spread.rows && !spread.columns).then_some(Sides {
            flipped,
            extents,
            rows: tensor,
            row_spread: spread,
            columns,
        })
    }

    /// Whether the column side is one tensor, with functions of its elements at most: then it can be brought ahead.
    fn is_plain(&self) -> bool {
        let mut leaves = 0;
        self.columns.visit(&mut |expr| match expr.kind {
            ExprKind::Tensor(_, spread) if spread.rows || spread.columns => leaves += 2,
            ExprKind::Tensor(..) => leaves += 1,
            _ => {}
        });
        leaves == 1
    }

    /// What a factor's or the result's rows and columns are.
    fn roles(&self, rows: Role, columns: Role) -> [Role; 2] {
        if self.flipped {
            [columns, rows]
        } else {
            [rows, columns]
        }
    }
}

/// The row side in DRAM.
struct Rows {
    base: u32,
    side: u32,
    block: u32,
    matrix: u32,
}

struct Builder<'a> {
    whole: &'a Whole,
    store: &'a Store,
    product: &'a Expr,
    sides: Sides<'a>,
    shape: Shape,
    arguments: Arguments<'a>,
}

impl<'a> Builder<'a> {
    fn new(
        whole: &'a Whole,
        store: &'a Store,
        product: &'a Expr,
        sides: Sides<'a>,
        shape: Shape,
    ) -> Self {
        Builder {
            whole,
            store,
            product,
            sides,
            shape,
            arguments: Arguments::new(whole, shape),
        }
    }

    fn build(mut self) -> Result<Kernel, CompileError> {
        let shape = self.shape;
        let rows = self.place_rows()?;
        let around = Outer::new(&shape, true, true);
        let finish_around = Outer::new(&shape, true, false);
        let mut stages = Vec::new();
        let mut block = vec![self.clear(&finish_around)];
        if shape.ahead {
            let ahead = Ahead::new(
                &mut self.arguments,
                self.sides.columns,
                self.sides.roles(Role::K, Role::J),
                &shape,
            )?;
            block.extend(ahead.first(&finish_around, &shape));
            let chunk = vec![
                self.convert(&ahead, &around)?,
                self.first_rows(&rows, &around),
                self.multiply(&rows, &around, Some(&ahead)),
            ];
            block.extend(repeat(shape.chunks, chunk));
        } else {
            // With one chunk, the column side stays for all blocks of rows.
            let once = shape.chunks == 1;
            let columns = self.columns(&Outer::new(&shape, !once, !once))?;
            let multiply = vec![
                self.first_rows(&rows, &around),
                self.multiply(&rows, &around, None),
            ];
            if once {
                stages = columns;
                block.extend(multiply);
            } else {
                block.extend(repeat(shape.chunks, [columns, multiply].concat()));
            }
        }
        block.extend(self.finish(&finish_around)?);
        stages.extend(repeat(shape.i_blocks, block));
        let stages = repeat(shape.matrices, repeat(shape.j_blocks, stages));
        let bound = self.bound();
        self.arguments
            .kernel(self.store.tensor, stages, Some(bound))
    }

    /// Steps of each resource, whatever the loops around them are.
    fn bound(&self) -> Bound {
        let Extents {
            matrices, i, j, k, ..
        } = self.sides.extents;
        let [x, i, j, k] = [matrices, i, j, k].map(u64::from);
        let singles = |count: u64| count.div_ceil(2);
        Bound {
            mau: (x * i * j * k).div_ceil(1 << 18),
            l1bm: singles(x * i * k) / 8 / 32 + singles(x * k * j) / 8 / 256,
            l2bm: singles(x * i * k) / 8 / 64 + singles(x * k * j) / 256,
            mv: singles(x * i * k) / 256 + singles(x * k * j) / 128 + singles(x * i * j) / 256,
        }
    }

    fn place_rows(&mut self) -> Result<Rows, CompileError> {
        use Part::{Address, Group, Part as Word};
        let shape = self.shape;
        let depth = shape.k_blocks * shape.chunks;
        let tensor: TensorType = self.whole.tensors[self.sides.rows];
        let tile = u64::from(TILE);
        let turn = u64::from(shape.tiles) * tile;
        let side = (u64::from(depth) * turn).next_power_of_two();
        let block = 2 * side;
        let matrix = block * u64::from(shape.i_blocks.next_power_of_two());
        let k = [(Word, 2, 1), (Address, 4, 1), (Address, depth, turn)];
        let i = [
            (Address, 4, 8),
            (Address, 2, 4),
            (Address, shape.tiles, tile),
            (Address, 2, side),
            (Group, 4, 1),
            (Address, shape.i_blocks, block),
        ];
        let own = !self.sides.row_spread.matrices && tensor.matrices > 1;
        let refuse = |error| self.arguments.refuse(self.sides.rows, error);
        let lists = self.sides.roles(Role::I, Role::K).map(|role| match role {
            Role::I => &i[..],
            Role::J | Role::K => &k[..],
        });
        let words = matrix * u64::from(if own { tensor.matrices } else { 1 });
        let spec = dram(self.arguments.next, words, lists).map_err(refuse)?;
        let mut spec = matrices(spec, tensor.matrices, own, matrix);
        let [rows, columns] = self.sides.row_spread.seen(lists);
        for (name, extent, list) in [("r", tensor.rows, rows), ("c", tensor.columns, columns)] {
            spec = spec.dim(name, extent.into(), &digits(list));
        }
        let layout = spec.build().map_err(refuse)?;
        let base = layout.base();
        self.arguments.add(self.sides.rows, layout)?;
        Ok(Rows {
            base,
            side: side as u32,
            block: block as u32,
            matrix: if own { matrix as u32 } else { 0 },
        })
    }

    /// Loads the column side.
    fn columns(&mut self, around: &Outer) -> Result<Vec<Stage>, CompileError> {
        let [rows, columns] = self.sides.roles(Role::K, Role::J);
        let mut elements = Elements::new(&mut self.arguments, *around, Form::Same, [rows, columns]);
        let count = self.shape.k_blocks * self.shape.steps;
        let mut body = elements.body(count);
        let value = elements.value(&mut body, self.sides.columns, None)?;
        to_lm0(&mut body, value, self.sides.columns.location);
        Ok(elements.stages("columns", body))
    }

    /// Makes block floats of a column side that was brought ahead.
    fn convert(&mut self, ahead: &Ahead, around: &Outer) -> Result<Stage, CompileError> {
        let roles = self.sides.roles(Role::K, Role::J);
        let mut elements = Elements::new(&mut self.arguments, *around, Form::Same, roles);
        let mut body = elements.body(ahead.vectors.count);
        let landed = Ahead::landed(&body.along(VECTOR_WORDS));
        elements.know(ahead.tensor, ahead.spread, landed.into());
        let value = elements.value(&mut body, self.sides.columns, None)?;
        to_lm0(&mut body, value, self.sides.columns.location);
        Ok(Stage::Loop("convert", body))
    }

    fn clear(&self, around: &Outer) -> Stage {
        let count = self.shape.vectors().div_ceil(2);
        let mut body = Body::new(&around.counts(&self.shape), &[count]);
        let zero = AluOp::plain(AluKind::Zero, None);
        let address = Address::moving(0, &body.along(2 * VECTOR_WORDS));
        let place = Place::consecutive(Bank::Grf0, Width::Double, address);
        body.push(Op::Alu(zero, 0), Vec::new(), vec![place.into()])
            .line = line(self.product.location);
        Stage::Loop("clear", body)
    }

    /// Batches of the row side that one MV instruction brings: how many, and of how many times `pairs` iterations.
    fn batches(&self) -> [u32; 3] {
        let Shape {
            tiles, k_blocks, ..
        } = self.shape;
        let (turns, pairs) = if tiles == 1 {
            (k_blocks / 2, 1)
        } else {
            (k_blocks, tiles / 2)
        };
        let most = MOST_BATCH / (pairs * 2 * TILE);
        let divides = |count: &u32| turns % count == 0;
        let turns_at_once = (1..=most.min(turns)).rev().find(divides).unwrap_or(1);
        [turns / turns_at_once, turns_at_once, pairs]
    }

    /// The MV instruction for a side of a batch of the row side, `ahead` of an iteration's.
    fn move_rows(
        &self,
        rows: &Rows,
        around: &Outer,
        batch: Option<usize>,
        side: u32,
        ahead: u32,
    ) -> Op {
        let [_, turns, pairs] = self.batches();
        let words = turns * pairs * 2 * TILE;
        let chunk = self.shape.k_blocks * self.shape.tiles * TILE;
        let mut steps = vec![0; around.len() + usize::from(batch.is_some())];
        let mut buffer = steps.clone();
        for (dimension, stride) in [
            (around.matrices, rows.matrix),
            (around.i, rows.block),
            (around.chunk, chunk),
            (batch, words),
        ] {
            if let Some(dimension) = dimension {
                steps[dimension] = stride;
            }
        }
        if let Some(batch) = batch {
            buffer[batch] = 1;
        }
        let scaled: Vec<u32> = buffer.iter().map(|step| step * words).collect();
        let place = |memory, address, l2b| MovePlace {
            memory,
            address,
            group: None,
            l2b,
        };
        Op::Mv(Move {
            mode: MvMode::DramToL2bmEach,
            rrn: None,
            words,
            tag: Address::moving(ahead, &buffer).around(ROWS_TAG + ROWS_SLOTS * side, ROWS_SLOTS),
            source: place(
                MoveMemory::Dram,
                Address::moving(rows.base + side * rows.side + ahead * words, &steps),
                None,
            ),
            target: place(
                MoveMemory::L2bm,
                Address::moving(ahead * words, &scaled).around(ROWS_L2BM, ROWS_SLOTS * words),
                Some(side as u8),
            ),
        })
    }

    /// Fetches the first batches of the row side.
    fn first_rows(&self, rows: &Rows, around: &Outer) -> Stage {
        let mut body = Body::new(&around.counts(&self.shape), &[]);
        let [batches, ..] = self.batches();
        for batch in 0..batches.min(ROWS_AHEAD) {
            for side in 0..2 {
                let op = self.move_rows(rows, around, None, side, batch);
                body.push(op, Vec::new(), Vec::new());
            }
        }
        Stage::Loop("rows", body)
    }

    fn multiply(&self, rows: &Rows, around: &Outer, ahead: Option<&Ahead>) -> Stage {
        let [batches, turns, pairs] = self.batches();
        let groups = if ahead.is_some() { self.shape.steps } else { 1 };
        let trip = [batches, turns, groups, pairs / groups];
        let outer = around.counts(&self.shape);
        let mut body = Body::new(&outer, &trip);
        let batch = outer.len();
        let at = |dimension, test| Guard { dimension, test };
        let first = [1, 2, 3].map(|own| at(outer.len() + own, Test::Is(0)));
        if batches > ROWS_AHEAD {
            for side in 0..2 {
                let op = self.move_rows(rows, around, Some(batch), side, ROWS_AHEAD);
                let item = body.push(op, Vec::new(), Vec::new());
                item.when = first.to_vec();
                item.when.push(at(batch, Test::Below(batches - ROWS_AHEAD)));
            }
        }
        for side in 0..2 {
            let Op::Mv(current) = self.move_rows(rows, around, Some(batch), side, 0) else {
                continue;
            };
            body.push(Op::Wait(current.tag), Vec::new(), Vec::new())
                .when = first.to_vec();
        }
        // The number of the pair, times something.
        let number = |factor: u32| {
            let mut steps = vec![0; outer.len()];
            steps.extend([turns * pairs, pairs, trip[3], 1].map(|step| step * factor));
            steps
        };
        let batch_words = turns * pairs * 2 * TILE;
        let l2 = Address::moving(0, &number(2 * TILE)).around(ROWS_L2BM, ROWS_SLOTS * batch_words);
        let l1 = Address::moving(0, &number(2 * TILE)).around(ROWS_L1BM, ROWS_L1BM_RING);
        let op = L2bmOp::plain(L2bmKind::Broadcast);
        let down = Op::L2bm {
            op,
            l2,
            l1: l1.clone(),
        };
        body.push(down, Vec::new(), Vec::new());
        for (tile, side) in [Side::X, Side::Y].into_iter().enumerate() {
            self.load_tile(&mut body, tile as u32, side, &l1, &number(2 * TILE_WORDS));
            self.products(&mut body, tile as u32, side, &outer, &trip);
        }
        for item in &mut body.items {
            item.line = line(self.product.location);
        }
        if let Some(ahead) = ahead {
            let times = Times {
                outer: around,
                shape: &self.shape,
                trip,
            };
            ahead.bring(&mut body, &times);
        }
        Stage::Loop("multiply", body)
    }

    /// Brings a tile to a side of the matrix registers.
    fn load_tile(&self, body: &mut Body, tile: u32, side: Side, l1: &Address, slot: &[u32]) {
        let slot = Address::moving(tile * TILE_WORDS, slot).around(0, TILE_RING);
        let down = L1bmOp::plain(L1bmKind::Broadcast, true);
        let ring = Place::consecutive(Bank::Grf1, Width::Double, slot.clone());
        body.push(
            Op::L1bm(down, l1.clone().beyond(tile * TILE)),
            Vec::new(),
            vec![ring.into()],
        );
        for half in 0..2 {
            let block = body.value(Width::Long, Home::Forward);
            let place = Place {
                bank: Bank::Grf1,
                width: Width::Long,
                address: slot.clone().beyond(2 * half),
                stride: 4,
            };
            body.push(
                Op::Alu(block_float(), 0),
                vec![place.into()],
                vec![block.into()],
            );
            let rows = MatrixRows {
                side,
                first: 4 * half as u8,
                wide: false,
            };
            body.push(
                Op::Mwrite(Precision::Pseudo, rows),
                vec![block.into()],
                Vec::new(),
            );
        }
    }

    /// Multiplies all columns by a tile.
    fn products(&self, body: &mut Body, tile: u32, side: Side, outer: &[u32], trip: &[u32; 4]) {
        let Shape { tiles, steps, .. } = self.shape;
        let block = VECTOR_WORDS * steps;
        // With one tile of rows the two of an iteration are of two blocks of the depth.
        let (of_depth, of_rows) = if tiles == 1 { (tile, 0) } else { (0, tile) };
        let (per_turn, per_pair) = if tiles == 1 { (2, 0) } else { (1, 2) };
        let moving = |base: u32, turn: u32, pair: u32| {
            let mut steps = vec![0; outer.len()];
            steps.extend([turn * trip[1], turn, pair * trip[3], pair].map(|step| step * block));
            Address::moving(base, &steps)
        };
        for step in 0..steps {
            let vector = moving(of_depth * block + step * VECTOR_WORDS, per_turn, 0);
            let sum = moving(of_rows * block + step * VECTOR_WORDS, 0, per_pair);
            let op = MauOp {
                kind: MauKind::Mfma,
                precision: Precision::Pseudo,
                half: None,
                narrow: false,
            };
            let sum = Place::consecutive(Bank::Grf0, Width::Long, sum);
            let vector = Place::consecutive(Bank::Lm0, Width::Long, vector);
            body.push(
                Op::Mau(op, Some(side)),
                vec![vector.into(), sum.clone().into()],
                vec![sum.into()],
            );
        }
    }

    /// What follows the product.
    fn finish(&mut self, around: &Outer) -> Result<Vec<Stage>, CompileError> {
        let [rows, columns] = self.sides.roles(Role::I, Role::J);
        let count = self.shape.vectors();
        let mut elements = Elements::new(&mut self.arguments, *around, Form::Own, [rows, columns]);
        let mut body = elements.body(count);
        let sums = Address::moving(0, &body.along(VECTOR_WORDS));
        let sums: Operand =
            Source::Memory(Place::consecutive(Bank::Grf0, Width::Long, sums)).into();
        let value = elements.value(&mut body, &self.store.value, Some((self.product, &sums)))?;
        elements.store(&mut body, self.store, value)?;
        Ok(elements.stages("finish", body))
    }
}

/// A vector of the column side as block float, to LM0.
fn to_lm0(body: &mut Body, value: Operand, location: usize) {
    let address = Address::moving(0, &body.along(VECTOR_WORDS));
    let place = Place::consecutive(Bank::Lm0, Width::Long, address);
    let op = Op::Alu(block_float(), 0);
    body.push(op, vec![value], vec![place.into()]).line = line(location);
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

/// Block float of pseudo-single precision.
fn block_float() -> AluOp {
    AluOp::plain(AluKind::Bfn, Some(Precision::Pseudo))
}
