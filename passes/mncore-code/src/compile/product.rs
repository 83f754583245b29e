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
use tessera_isa_mncore::memory::{Bank, Precision, Side, Width};
use tessera_isa_mncore::table::l1bm::L1bmKind;
use tessera_isa_mncore::table::{AluKind, AluOp, L1bmOp, MauKind, MauOp};

use super::ahead::Ahead;
use super::arguments::Arguments;
use super::elements::Elements;
use super::rows::{self, Rows, TILE};
use super::shape::{Extents, Shape, VECTOR_WORDS};
use super::times::{Times, PAIR, TURN};
use super::vectors::{scaled, Form, Outer, Role};
use super::{unsupported, Bound, CompileError, Kernel, Stage};
use crate::address::Address;
use crate::body::{Body, Home};
use crate::item::{Op, Operand, Place, Source};
use crate::whole::{Expr, ExprKind, Spread, Store, Whole};

/// The ring of tiles in GRF1, in single words.
const TILE_WORDS: u32 = 16;
const TILE_RING: u32 = 4 * TILE_WORDS;

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

struct Builder<'a> {
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
            store,
            product,
            sides,
            shape,
            arguments: Arguments::new(whole, shape),
        }
    }

    fn build(mut self) -> Result<Kernel, CompileError> {
        let shape = self.shape;
        let side = rows::Side {
            tensor: self.sides.rows,
            spread: self.sides.row_spread,
            roles: self.sides.roles(Role::I, Role::K),
        };
        let rows = Rows::place(&mut self.arguments, &shape, &side)?;
        let around = Outer::new(&shape, true, true);
        let finish_around = Outer::new(&shape, true, false);
        let times = Times::new(&shape, &around);
        let mut stages = Vec::new();
        let mut block = vec![self.clear(&finish_around)];
        let first_rows = rows.first(&times, &finish_around, &shape);
        if shape.ahead {
            let ahead = Ahead::new(
                &mut self.arguments,
                self.sides.columns,
                self.sides.roles(Role::K, Role::J),
                &shape,
            )?;
            block.extend(ahead.first(&finish_around, &shape));
            block.push(first_rows);
            let chunk = vec![
                self.convert(&ahead, &around)?,
                self.multiply(&rows, &times, Some(&ahead)),
            ];
            block.extend(repeat(shape.chunks, chunk));
        } else {
            // With one chunk, the column side stays for all blocks of rows.
            let once = shape.chunks == 1;
            let columns = self.columns(&Outer::new(&shape, !once, !once))?;
            block.push(first_rows);
            let multiply = self.multiply(&rows, &times, None);
            if once {
                stages = columns;
                block.push(multiply);
            } else {
                block.extend(repeat(shape.chunks, [columns, vec![multiply]].concat()));
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

    fn multiply(&self, rows: &Rows, times: &Times, ahead: Option<&Ahead>) -> Stage {
        let mut body = Body::new(&times.around, &times.trip);
        let l1 = rows.bring(&mut body, times);
        let slot = scaled(&times.in_chunk(PAIR), 2 * TILE_WORDS);
        for (tile, side) in [Side::X, Side::Y].into_iter().enumerate() {
            self.load_tile(&mut body, tile as u32, side, &l1, &slot);
            self.products(&mut body, tile as u32, side, times);
        }
        for item in &mut body.items {
            item.line = line(self.product.location);
        }
        if let Some(ahead) = ahead {
            ahead.bring(&mut body, times);
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
    fn products(&self, body: &mut Body, tile: u32, side: Side, times: &Times) {
        let Shape { tiles, steps, .. } = self.shape;
        let block = VECTOR_WORDS * steps;
        // With one tile of rows the two of an iteration are of two blocks of the depth.
        let (of_depth, of_rows) = if tiles == 1 { (tile, 0) } else { (0, tile) };
        let (per_turn, per_pair) = if tiles == 1 { (2, 0) } else { (1, 2) };
        let turn = scaled(&times.in_chunk(TURN), per_turn * block);
        let pair = scaled(&times.in_turn(PAIR), per_pair * block);
        for step in 0..steps {
            let vector = Address::moving(of_depth * block + step * VECTOR_WORDS, &turn);
            let sum = Address::moving(of_rows * block + step * VECTOR_WORDS, &pair);
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
