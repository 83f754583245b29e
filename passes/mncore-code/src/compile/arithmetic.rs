//! The arithmetic of a product: what a precision makes of tiles, vectors and sums. Nothing but this
//! and `tile.rs` asks for the precision.
//!
//! | precision | a tile of the row side | parts | sums of eight rows | eight of the depth in LM0 |
//! |---|---|---|---|---|
//! | half | 16x16: four transfers, narrowed where block floats are made; two, of those that are made before | 1 | half of two long words in each cycle | half of a long word |
//! | pseudo-single | 8x8 | 1 | a long word | a long word |
//! | single | 8x8 | its even and its odd columns | a long word | a long word, of two blocks |
//! | double | 8x8 | even and odd columns of even and odd rows, widened by the MAU | two long words | two long words |
//!
//! A *part* is what a side of the matrix registers holds; parts take turns with the sides. Tensors
//! are counted in vectors and tiles of 8 by 8 whatever the precision is
//! ([`Shape`](super::shape::Shape)); `span` of them in each direction make a tile of the precision.
//!
//! Of a block in single or double precision the depths are four even or four odd ones, since a PE
//! has two neighbours in its long word, and the matrix unit takes one of them. The order of rows is
//! chosen for what leaves the matrix unit to be the vectors of results.
//!
//! Half precision takes singles and narrows them: what is beyond its range, 2^32, is no number any
//! more, and what is below 2^-30 is zero. Sums are singles, in double precision doubles, which are
//! rounded once when the product is done.

use tessera_isa_mncore::ast::Convert;
use tessera_isa_mncore::layout::Place as Part;
use tessera_isa_mncore::memory::{Bank, Precision, Width};
use tessera_isa_mncore::table::{AluKind, AluOp, MauKind, MauOp};

use super::digits::Stated;
use super::flow::{Constants, HALVES};
use super::rows::DOWN;
use super::shape::VECTOR_WORDS;
use super::streams::L1BM_VECTOR;
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::{Guard, Op, Operand, Place, Source, Test, Value};

/// Long words of eight rows of eight singles.
pub(super) const TILE: u32 = 32;
/// Single words in each PE of what a transfer brings: two long words in each cycle.
pub(super) const TRANSFER_WORDS: u32 = 16;
/// The ring of transfers in GRF1, in single words.
pub(super) const RING: u32 = 8 * TRANSFER_WORDS;
/// Where vectors of the column side wait in GRF1 for their neighbours in the depth, behind the
/// ring.
const PAIR: u32 = RING;
/// How many such places there are.
const PAIRS: u32 = 4;
/// Bits of the mantissas of half precision.
const HALF_MANTISSA: u8 = 9;
/// The bits of a single word.
const WORD: u32 = 32;

/// The arithmetic of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Arithmetic {
    precision: Precision,
}

impl Arithmetic {
    pub const fn of(precision: Precision) -> Self {
        Arithmetic { precision }
    }

    pub const fn precision(self) -> Precision {
        self.precision
    }

    /// Vectors of rows of a tile, and of its depth.
    pub const fn span(self) -> u32 {
        match self.precision {
            Precision::Half => 2,
            _ => 1,
        }
    }

    /// Whether the row side can be made block floats before it is needed: where these are narrower
    /// than what they are made of.
    pub const fn prepares(self) -> bool {
        matches!(self.precision, Precision::Half)
    }

    /// Whether both sides can flow into one loop.
    pub const fn flows(self) -> bool {
        matches!(self.precision, Precision::Half | Precision::Pseudo)
    }

    /// How many vectors of the row side in DRAM, of elements of 16 bits or of 32, are made how many
    /// vectors of block floats at once.
    pub const fn unit(self, halves: bool) -> (u32, u32) {
        match (self.precision, halves) {
            (Precision::Half, false) => (2, 1),
            (Precision::Half, true) | (_, false) => (1, 1),
            (_, true) => (1, 2),
        }
    }

    /// Whether sums can be made in parts that networks join: those of doubles would lose what they
    /// are doubles for, since they are rounded first.
    pub const fn splits(self) -> bool {
        !matches!(self.precision, Precision::Double)
    }

    /// Long words of a tile in L2BM and L1BM.
    pub const fn tile_words(self, prepared: bool) -> u32 {
        self.transfers(prepared) * TILE
    }

    /// Those of a tile in L1BM where each MAB has its own, as vectors of so many parts.
    pub const fn own_tile_words(self, parts: u32) -> u32 {
        self.transfers(false) * 2 / parts * L1BM_VECTOR
    }

    /// Transfers that bring a tile to PEs.
    pub const fn transfers(self, prepared: bool) -> u32 {
        let narrowed = match self.precision {
            Precision::Half if prepared => 2,
            _ => 1,
        };
        self.span() * self.span() / narrowed
    }

    /// Transfers that bring a tile of block floats to PEs, where it flows.
    pub fn transfers_of_tile(self) -> u64 {
        self.transfers(true).into()
    }

    /// How often a vector of elements of 16 bits comes to PEs there.
    pub const fn times_brought(self) -> u32 {
        match self.precision {
            Precision::Half => 1,
            _ => 2,
        }
    }

    /// Steps in which LM0 or LM1 is not free for the matrix unit while so many vectors of elements
    /// of 16 bits are made block floats there, and a unit of the row side: of each of two parts,
    /// what reads a constant, if it lies there, what writes, and two more until it may be read.
    /// Writes close together share these.
    pub fn steps_of_halves(self, vectors: u32, has_constants: bool) -> u64 {
        match (self.precision, has_constants) {
            (Precision::Pseudo, true) => u64::from(2 * 4 * (vectors + 1)),
            (Precision::Pseudo, false) => u64::from(2 * 2 * vectors),
            _ => 0,
        }
    }

    /// Single words in each PE of the sums of a tile's rows, with a vector of columns.
    pub const fn sums_of_tile(self) -> u32 {
        match self.precision {
            Precision::Half | Precision::Double => 2 * VECTOR_WORDS,
            _ => VECTOR_WORDS,
        }
    }

    /// The same of a vector of columns, as deep as a tile, in LM0.
    pub const fn columns_of_tile(self) -> u32 {
        match self.precision {
            Precision::Double => 2 * VECTOR_WORDS,
            _ => VECTOR_WORDS,
        }
    }

    /// How many vectors of sums GRF0 holds.
    pub fn most_sums(self) -> u32 {
        u32::from(Bank::Grf0.words()) / self.sums_of_tile() * self.span()
    }

    /// How many vectors of the column side LM0 holds, and LM1 singles of them.
    pub fn most_columns(self) -> u32 {
        let of_blocks = u32::from(Bank::Lm0.words()) / self.columns_of_tile() * self.span();
        of_blocks.min(u32::from(Bank::Lm1.words()) / VECTOR_WORDS)
    }

    /// Words of GRF0 that so many vectors of sums take.
    pub fn sum_words(self, vectors: u32) -> u32 {
        vectors / self.span() * self.sums_of_tile()
    }

    /// Multiplications and additions of a step of the matrix unit, on the whole chip.
    pub const fn rate(self) -> u64 {
        match self.precision {
            Precision::Half => 1 << 20,
            Precision::Single => 1 << 17,
            Precision::Double => 1 << 15,
            _ => 1 << 18,
        }
    }

    /// Steps of the product of so many tiles of 8x8 and so many vectors of columns: those of the
    /// MAU, and those that bring tiles.
    pub fn steps(self, tiles: u64, vectors: u64, prepared: bool) -> u64 {
        let of_tile = match self.precision {
            Precision::Half => vectors.max(self.transfers(prepared).into()),
            Precision::Single => (2 * vectors).max(4),
            Precision::Double => 8 * vectors + 4,
            _ => vectors.max(2),
        };
        (tiles * of_tile).div_ceil(u64::from(self.span() * self.span()))
    }

    /// Transfers from L2BM that bring so many tiles of 8x8.
    pub fn row_transfers(self, tiles: u64, prepared: bool) -> u64 {
        let square = u64::from(self.span() * self.span());
        tiles * u64::from(self.tile_words(prepared)) / square / u64::from(DOWN)
    }

    /// Steps to make block floats of so many vectors of the column side, in loops over one or two
    /// at once: with one at once, one of half precision waits for the next.
    pub fn conversion_steps(self, vectors: u64, at_once: u64) -> u64 {
        match self.precision {
            Precision::Half => 3 * vectors / at_once,
            _ => vectors,
        }
    }

    /// Steps to round so many vectors of sums.
    pub fn rounding_steps(self, vectors: u64) -> u64 {
        match self.precision {
            Precision::Double => 2 * vectors,
            _ => 0,
        }
    }

    /// Digits of eight rows, or of the rows of a tile, in the row side, and of `tiles` of 8x8 that
    /// lie one behind the other.
    pub fn row_digits(self, tiles: u32, prepared: bool) -> Vec<Stated> {
        use Part::Address;
        let tile = u64::from(self.tile_words(prepared));
        match self.precision {
            // As below; a transfer brings eight rows, two to each cycle.
            Precision::Half if prepared => vec![
                (Address, 2, 4),
                (Address, 4, 16),
                (Address, tiles / 2, tile),
                (Address, 2, 8),
            ],
            // Of a result in four long words, rows are in word, PE and long word; the last of them
            // parts the halves of all tiles.
            Precision::Half => vec![
                (Address, 2, 8),
                (Address, 4, 32),
                (Address, tiles / 2, tile),
                (Address, 2, 16),
            ],
            Precision::Double => vec![(Address, 2, 4), (Address, 4, 8), (Address, tiles, tile)],
            _ => vec![(Address, 4, 8), (Address, 2, 4), (Address, tiles, tile)],
        }
    }

    /// Digits of the depth in the row side: `blocks` of 8, those of the next tile so many long
    /// words behind.
    pub fn depth_digits(self, blocks: u32, turn: u64) -> Vec<Stated> {
        use Part::{Address, Part as Word};
        let span = self.span();
        vec![
            (Word, 2, 1),
            (Address, 4, 1),
            (Address, span, 4),
            (Address, blocks / span, turn),
        ]
    }
}

/// The column side.
impl Arithmetic {
    /// The vectors of the column side of an iteration as block float, to LM0, in a loop over
    /// `count` of them.
    pub fn to_lm0(self, body: &mut Body, values: Vec<Operand>, count: u32) {
        if self.precision == Precision::Half {
            return self.pairs_to_lm0(body, values, count);
        }
        let (own, width) = (self.columns_of_tile(), values.len() as u32);
        let steps = body.along(width * own);
        for (value, part) in values.into_iter().zip(0..) {
            let place = |number| lm0(Address::moving(part * own + number * VECTOR_WORDS, &steps));
            if self.precision != Precision::Double {
                self.block_float(body, value, place(0));
                continue;
            }
            let lower = body.value(Width::Long, Home::Any);
            let shift = AluOp::new(AluKind::Lsl, Some(Precision::Long));
            let bits = Source::Constant(WORD).into();
            body.push(
                Op::Alu(shift, 0),
                vec![value.clone(), bits],
                vec![lower.into()],
            );
            for (single, word) in [value, lower.into()].into_iter().zip(0..) {
                let double = widen(body, single);
                self.block_float(body, double.into(), place(word));
            }
        }
    }

    /// The same of vectors that are neighbours in the depth: the first waits for the second, for an
    /// iteration if each has one.
    fn pairs_to_lm0(self, body: &mut Body, values: Vec<Operand>, count: u32) {
        let width = values.len() as u32;
        let both = self.neighbours(body, values, 0);
        let size = count / 2 * VECTOR_WORDS;
        let steps = body.along(width * VECTOR_WORDS / 2);
        let behind = Address::moving(size - (2 - width) * VECTOR_WORDS / 2, &steps);
        let op = Op::Alu(self.bfn(), 0);
        let dimension = body.dimensions() - 1;
        let target = lm0(behind.around(0, size));
        let item = body.push(op, vec![both], vec![target.into()]);
        if width == 1 {
            item.when.push(Guard {
                dimension,
                test: Test::Every(2, 1),
            });
        }
    }

    /// Puts neighbours in the depth where both are four halves: in one of [`PAIRS`] places.
    fn neighbours(self, body: &mut Body, values: Vec<Operand>, number: u32) -> Operand {
        let width = values.len() as u32;
        for (value, part) in values.into_iter().zip(0..) {
            let mut waits = Arithmetic::waiting(number, part);
            waits.address = Address::moving(2 * part, &body.along(2 * width))
                .around(Arithmetic::pair_at(number), 4);
            let copy = AluOp::new(AluKind::Passa, Some(Precision::Long));
            body.push(Op::Alu(copy, 0), vec![value], vec![waits.into()]);
        }
        narrowed(Arithmetic::pair(number))
    }

    /// Where one of two neighbours in the depth waits, in one of the places for both.
    fn waiting(number: u32, part: u32) -> Place {
        let address = Address::fixed(Arithmetic::pair_at(number) + 2 * part);
        Place {
            bank: Bank::Grf1,
            width: Width::Long,
            address,
            stride: 4,
        }
    }

    /// Where both lie.
    fn pair(number: u32) -> Place {
        let address = Arithmetic::pair_at(number);
        Place::consecutive(Bank::Grf1, Width::Double, address)
    }

    const fn pair_at(number: u32) -> u32 {
        PAIR + number % PAIRS * TRANSFER_WORDS
    }

    /// Vectors of which as many as a tile is deep are neighbours, as block floats: `put` gets each,
    /// its number, and what makes it of an operand.
    pub fn blocks(
        self,
        body: &mut Body,
        values: Vec<Operand>,
        put: &mut dyn FnMut(&mut Body, u32, Op, Operand),
    ) {
        for (neighbours, number) in values.chunks(self.span() as usize).zip(0..) {
            let source = if self.precision == Precision::Half {
                self.neighbours(body, neighbours.to_vec(), number)
            } else {
                neighbours[0].clone()
            };
            put(body, number, Op::Alu(self.bfn(), 0), source);
        }
    }

    /// Vectors of two of bf16 each, which a transfer brings, as block floats: `put` gets each, its
    /// number, and what makes it of an operand. With its own number, of several in an iteration.
    ///
    /// In pseudo-single precision every port of the register files is taken in a full loop. So
    /// nothing lies in them: the vector comes twice, and the constants are where the column side of
    /// that time is not.
    pub fn block_of_halves(
        self,
        body: &mut Body,
        transfer: &Op,
        constants: &Constants,
        number: u32,
        put: &mut dyn FnMut(&mut Body, u32, Op, Operand),
    ) {
        self.block_of_parts(body, transfer, constants.parts(), number, put);
    }

    /// The same with constants in registers.
    pub fn unpacked_block(
        self,
        body: &mut Body,
        transfer: &Op,
        number: u32,
        put: &mut dyn FnMut(&mut Body, u32, Op, Operand),
    ) {
        let parts = HALVES.map(|(kind, word)| {
            let op = AluOp::new(kind, Some(Precision::Int));
            (Op::Alu(op, 0), Source::Constant(word).into())
        });
        self.block_of_parts(body, transfer, parts, number, put);
    }

    /// The same with what makes each of two vectors of one.
    fn block_of_parts(
        self,
        body: &mut Body,
        transfer: &Op,
        parts: [(Op, Operand); 2],
        number: u32,
        put: &mut dyn FnMut(&mut Body, u32, Op, Operand),
    ) {
        let block = Op::Alu(self.bfn(), 0);
        if self.precision == Precision::Half {
            let both = body.value(Width::Long, Home::Any);
            body.push(transfer.clone(), Vec::new(), vec![both.into()]);
            for (part, (op, constant)) in (0..).zip(parts) {
                let waits = Arithmetic::waiting(number, part).into();
                body.push(op, vec![both.into(), constant], vec![waits]);
            }
            put(body, 0, block, narrowed(Arithmetic::pair(number)));
            return;
        }
        for ((op, constant), part) in parts.into_iter().zip(0..) {
            let both = body.value(Width::Long, Home::Forward);
            body.push(transfer.clone(), Vec::new(), vec![both.into()]);
            let single = body.value(Width::Long, Home::Forward);
            body.push(op, vec![both.into(), constant], vec![single.into()]);
            put(body, part, block.clone(), single.into());
        }
    }

    fn block_float(self, body: &mut Body, value: Operand, to: Place) {
        body.push(Op::Alu(self.bfn(), 0), vec![value], vec![to.into()]);
    }

    /// What makes block floats.
    pub fn bfn(self) -> AluOp {
        let op = AluOp::new(AluKind::Bfn, Some(self.precision));
        AluOp {
            mantissa: if op.takes_mantissa() {
                HALF_MANTISSA
            } else {
                0
            },
            ..op
        }
    }
}

/// The sums when the product is done.
impl Arithmetic {
    /// Rounds sums that are doubles to singles, where they lie: a vector in each iteration of a
    /// loop. A vector lands where others were that are rounded already.
    pub fn round(self, body: &mut Body) -> bool {
        if self.precision != Precision::Double {
            return false;
        }
        for row in 0..2 {
            let steps = body.along(2 * VECTOR_WORDS);
            let doubles = grf0(Address::moving(row * VECTOR_WORDS, &steps));
            let singles = Place {
                bank: Bank::Grf0,
                width: Width::Single,
                address: Address::moving(row, &body.along(VECTOR_WORDS)),
                stride: 2,
            };
            let op = MauOp {
                kind: MauKind::Vpassa,
                precision: self.precision,
                half: None,
                narrow: true,
            };
            body.push(
                Op::Mau(op, None),
                vec![doubles.into()],
                vec![singles.into()],
            );
        }
        true
    }

    /// The sums of the vectors of an iteration, so many, in a loop over `count` vectors.
    ///
    /// Those of half precision lie in two long words of each cycle: the first of all tiles are the
    /// first half of the vectors. The address of the second half comes from going around a ring
    /// that ends two words, the first of two long words, too early.
    pub fn sums_of(self, body: &Body, count: u32, width: u32) -> Vec<Place> {
        let place = |part: u32| match self.precision {
            Precision::Half => Place {
                bank: Bank::Grf0,
                width: Width::Long,
                address: Address::moving(
                    part * 2 * VECTOR_WORDS,
                    &body.along(width * 2 * VECTOR_WORDS),
                )
                .around(0, count * VECTOR_WORDS - 2),
                stride: 4,
            },
            _ => grf0(Address::moving(
                part * VECTOR_WORDS,
                &body.along(width * VECTOR_WORDS),
            )),
        };
        (0..width).map(place).collect()
    }
}

/// A long word in each cycle, one behind the other.
fn lm0(address: Address) -> Place {
    Place::consecutive(Bank::Lm0, Width::Long, address)
}

pub(super) fn grf0(address: Address) -> Place {
    Place::consecutive(Bank::Grf0, Width::Long, address)
}

/// Four singles of two long words as four halves.
pub(super) fn narrowed(place: Place) -> Operand {
    Operand {
        convert: Convert::Narrow,
        ..place.into()
    }
}

/// The upper single of a long word as a double.
pub(super) fn widen(body: &mut Body, single: Operand) -> Value {
    let double = body.value(Width::Long, Home::Forward);
    let op = MauOp {
        kind: MauKind::Vpassa,
        precision: Precision::Double,
        half: None,
        narrow: false,
    };
    let single = Operand {
        convert: Convert::Widen,
        ..single
    };
    body.push(Op::Mau(op, None), vec![single], vec![double.into()]);
    double
}
