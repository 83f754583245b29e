//! The product with one tile of the row side: load the tile into the matrix registers, multiply all
//! columns by it.
//!
//! Parts of a tile and their sums: see [`super::arithmetic`].

use tessera_isa_mncore::ast::MatrixRows;
use tessera_isa_mncore::memory::{Bank, Precision, Side, Width};
use tessera_isa_mncore::table::l1bm::L1bmKind;
use tessera_isa_mncore::table::mau::Half;
use tessera_isa_mncore::table::{AluOp, L1bmOp, MauKind, MauOp};

use super::arithmetic::{grf0, narrowed, widen, Arithmetic, RING, TILE, TRANSFER_WORDS};
use super::constants::HALVES;
use crate::compile::data::geometry::{L1BM_VECTOR, VECTOR_WORDS};
use crate::compile::data::outer_loops::scaled;
use crate::compile::scratchpad::{SUMS, TILE_RING};
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::{Op, Operand, Place, Source};

/// A tile in an iteration of the product.
pub(crate) struct Tile<'a> {
    /// Its number in the iteration.
    pub number: u32,
    /// The address in L1BM of each of its transfers, or of its vectors.
    pub l1: &'a [Address],
    /// The increment of the iteration's number per dimension.
    pub walk: &'a [u32],
    /// The first addresses of its column vectors and of its sums, given the words per vector in a
    /// PE.
    pub vectors: &'a dyn Fn(u32) -> Address,
    pub sums: &'a dyn Fn(u32) -> Address,
    /// Column vectors.
    pub steps: u32,
    pub form: TileForm,
    /// The memory of the column side.
    pub bank: Bank,
}

/// The form of a tile in L1BM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TileForm {
    /// Singles.
    Singles,
    /// Block floats.
    BlockFloats,
    /// Vectors with each MAB's own data.
    OwnVectors {
        /// How many of them are packed into one.
        parts: u32,
    },
}

impl TileForm {
    /// Returns whether the tile is converted to block floats already.
    pub fn is_converted(self) -> bool {
        self == TileForm::BlockFloats
    }
}

impl Tile<'_> {
    /// Returns the operand of a column vector.
    fn vector(&self, address: Address) -> Place {
        Place::consecutive(self.bank, Width::Long, address)
    }
}

/// A part of a tile that has only every other column or row: 0 for even, 1 for odd ones.
#[derive(Clone, Copy, Debug)]
struct Share {
    column: u32,
    row: u32,
}

const SHARES: [Share; 4] = [
    Share { column: 0, row: 0 },
    Share { column: 1, row: 0 },
    Share { column: 0, row: 1 },
    Share { column: 1, row: 1 },
];

impl Arithmetic {
    /// Loads a tile and multiplies the column side by it, part by part.
    pub fn multiply_by_tile(self, body: &mut Body, tile: &Tile) {
        for (number, from) in (0..self.transfers(tile.form.is_converted())).zip(tile.l1) {
            if let TileForm::OwnVectors { parts } = tile.form {
                self.load_own_parts(body, tile, (number, from), parts);
                continue;
            }
            let down = L1bmOp::new(L1bmKind::Broadcast, true);
            let ring = Place::consecutive(Bank::Grf1, Width::Double, self.slot(tile, number));
            body.push(Op::L1bm(down, from.clone()), Vec::new(), vec![ring.into()]);
        }
        let shares = self.shares();
        for (number, share) in (0..).zip(shares) {
            let turn = tile.number * shares.len() as u32 + number;
            let side = if turn % 2 == 0 { Side::X } else { Side::Y };
            self.load(body, tile, *share, side);
            self.multiply(body, tile, *share, side);
        }
    }

    /// Loads what one broadcast would load, but with each MAB's own data: a vector for every other
    /// long word.
    fn load_own_parts(
        self,
        body: &mut Body,
        tile: &Tile,
        (number, first): (u32, &Address),
        parts: u32,
    ) {
        let down = |vector: u32| {
            let from = first.clone().advanced_by(vector * L1BM_VECTOR);
            Op::L1bm(L1bmOp::new(L1bmKind::Distribute, false), from)
        };
        let ring = |vector: u32| Place {
            bank: Bank::Grf1,
            width: Width::Long,
            address: self.slot(tile, number).offset_by(2 * vector),
            stride: 4,
        };
        if parts == 2 {
            let both = body.value(Width::Long, Home::Any);
            body.push(down(0), Vec::new(), vec![both.into()]);
            for ((kind, word), vector) in HALVES.into_iter().zip(0..) {
                let op = Op::Alu(AluOp::new(kind, Some(Precision::Int)), 0);
                let inputs = vec![both.into(), Source::Constant(word).into()];
                body.push(op, inputs, vec![ring(vector).into()]);
            }
            return;
        }
        for vector in 0..2 {
            body.push(down(vector), Vec::new(), vec![ring(vector).into()]);
        }
    }

    /// Returns the addresses in L1BM of those transfers of a tile, or of those vectors, that are
    /// contiguous from the first on.
    pub fn contiguous_transfers(self, first: &Address, form: TileForm) -> Vec<Address> {
        let transfers = 0..self.contiguous_tile_words(form.is_converted()) / TILE;
        let address = |number| match form {
            TileForm::OwnVectors { parts } => {
                first.clone().advanced_by(number * 2 / parts * L1BM_VECTOR)
            }
            TileForm::Singles | TileForm::BlockFloats => first.clone().offset_by(number * TILE),
        };
        transfers.map(address).collect()
    }

    /// Returns the long words of a tile in L1BM.
    pub fn words_of_form(self, form: TileForm) -> u32 {
        match form {
            TileForm::OwnVectors { parts } => self.own_tile_words(parts),
            TileForm::Singles | TileForm::BlockFloats => self.tile_words(form.is_converted()),
        }
    }

    /// Returns the register ring slot of a tile's transfer.
    fn slot(self, tile: &Tile, number: u32) -> Address {
        let transfers = self.transfers(tile.form.is_converted());
        let own = tile.number * transfers + number;
        let steps = scaled(tile.walk, 2 * transfers * TRANSFER_WORDS);
        Address::affine(own * TRANSFER_WORDS, &steps).with_ring(TILE_RING.start, RING)
    }

    /// Returns the parts of a tile.
    fn shares(self) -> &'static [Share] {
        match self.precision() {
            Precision::Single => &SHARES[..2],
            Precision::Double => &SHARES,
            _ => &SHARES[..1],
        }
    }

    /// Loads a part into one side of the matrix registers, four rows at a time.
    fn load(self, body: &mut Body, tile: &Tile, share: Share, side: Side) {
        if tile.form.is_converted() {
            return self.load_prepared(body, tile, share, side);
        }
        let every_other = |number: u32, width: Width, offset: u32| {
            Arithmetic::quarter(self.slot(tile, number), width, offset)
        };
        let quarters = match self.precision() {
            Precision::Half => 4,
            Precision::Double => 1,
            _ => 2,
        };
        for quarter in 0..quarters {
            let rows: Operand = match self.precision() {
                Precision::Half => narrowed(every_other(quarter, Width::Double, 0)),
                Precision::Double => {
                    let single = every_other(0, Width::Single, 2 * share.row + share.column);
                    widen(body, single.into()).into()
                }
                Precision::Single => {
                    every_other(0, Width::Single, 2 * quarter + share.column).into()
                }
                _ => every_other(0, Width::Long, 2 * quarter).into(),
            };
            let block = body.value(Width::Long, Home::Forward);
            body.push(Op::Alu(self.bfn(), 0), vec![rows], vec![block.into()]);
            let rows = MatrixRows {
                side,
                first: 4 * quarter as u8,
                wide: false,
            };
            body.push(
                Op::Mwrite(self.precision(), rows),
                vec![block.into()],
                Vec::new(),
            );
        }
    }

    /// Returns every other long word of a transfer's slot.
    fn quarter(slot: Address, width: Width, offset: u32) -> Place {
        Place {
            bank: Bank::Grf1,
            width,
            address: slot.offset_by(offset),
            stride: 4,
        }
    }

    /// Loads a part of a tile of block floats into one side of the matrix registers: all four rows
    /// of doubles, else half of the rows at a time.
    fn load_prepared(self, body: &mut Body, tile: &Tile, share: Share, side: Side) {
        let four_rows = |number: u32, width: Width, offset: u32| {
            (
                4,
                Arithmetic::quarter(self.slot(tile, number), width, offset),
            )
        };
        let halves = match self.precision() {
            Precision::Double => 1,
            _ => 2,
        };
        for part in 0..halves {
            let (first, place) = match self.precision() {
                Precision::Half => {
                    let slot = self.slot(tile, part);
                    (8, Place::consecutive(Bank::Grf1, Width::Double, slot))
                }
                Precision::Single => four_rows(0, Width::Single, 2 * part + share.column),
                Precision::Double => four_rows(share.column, Width::Long, 2 * share.row),
                _ => four_rows(0, Width::Long, 2 * part),
            };
            let rows = MatrixRows {
                side,
                first: (first * part) as u8,
                wide: self.precision() == Precision::Half,
            };
            let write = Op::Mwrite(self.precision(), rows);
            body.push(write, vec![place.into()], Vec::new());
        }
    }

    /// Multiplies all column vectors by a part.
    fn multiply(self, body: &mut Body, tile: &Tile, share: Share, side: Side) {
        let (of_vector, of_sum) = (self.columns_of_tile(), self.sums_of_tile());
        for step in 0..tile.steps {
            let vector = (tile.vectors)(of_vector).advanced_by(step * of_vector);
            let vector = match self.precision() {
                Precision::Single => Place {
                    bank: tile.bank,
                    width: Width::Single,
                    address: vector.advanced_by(share.column),
                    stride: 2,
                },
                Precision::Double => tile.vector(vector.advanced_by(share.column * VECTOR_WORDS)),
                _ => tile.vector(vector),
            };
            let sum = (tile.sums)(of_sum).advanced_by(step * of_sum);
            let sum = match self.precision() {
                Precision::Half => {
                    let sum = sum.offset_by(SUMS.start);
                    Place::consecutive(Bank::Grf0, Width::Double, sum)
                }
                Precision::Double => grf0(sum.advanced_by(share.row * VECTOR_WORDS)),
                _ => grf0(sum),
            };
            self.accumulate(body, vector, sum, side);
        }
    }

    /// Accumulates products. In double precision an operation covers two of four rows, and the sums
    /// of the others pass through.
    fn accumulate(self, body: &mut Body, vector: Place, sum: Place, side: Side) {
        let op = |half| MauOp {
            kind: MauKind::Mfma,
            precision: self.precision(),
            half,
            narrow: false,
        };
        if self.precision() != Precision::Double {
            let inputs = vec![vector.into(), sum.clone().into()];
            body.push(Op::Mau(op(None), Some(side)), inputs, vec![sum.into()]);
            return;
        }
        let upper = body.value(Width::Long, Home::Forward);
        body.push(
            Op::Mau(op(Some(Half::Upper)), Some(side)),
            vec![vector.clone().into(), sum.clone().into()],
            vec![upper.into()],
        );
        body.push(
            Op::Mau(op(Some(Half::Lower)), Some(side)),
            vec![vector.into(), upper.into()],
            vec![sum.into()],
        );
    }
}
