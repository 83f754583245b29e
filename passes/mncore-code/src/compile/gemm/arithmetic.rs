//! The arithmetic of a product: the effect of its precision on tiles, vectors and sums. Only this
//! module and `tile.rs` depend on the precision.
//!
//! | precision | a tile of the row side | parts | sums of eight rows | eight of the depth in LM0 |
//! |---|---|---|---|---|
//! | half | 16x16: four transfers, narrowed on conversion to block floats; two if converted in advance | 1 | half of two long words per cycle | half of a long word |
//! | pseudo-single | 8x8 | 1 | a long word | a long word |
//! | single | 8x8 | its even and its odd columns | a long word | a long word, of two blocks |
//! | double | 8x8 | even and odd columns of even and odd rows, widened by the MAU | two long words | two long words |
//!
//! A *part* is what one side of the matrix registers holds; parts alternate between the sides.
//! Tensors are counted in vectors and 8x8 tiles regardless of precision
//! ([`Distribution`](super::distribution::Distribution)); `span` of them in each direction make a
//! tile of the precision.
//!
//! In single and double precision a block of the depth holds four even or four odd indices: a PE
//! has two neighbours in its long word, and the matrix unit takes one of them. The order of rows is
//! chosen such that the matrix unit yields result vectors.
//!
//! Half precision narrows singles. Values beyond its range, 2^32, are no longer numbers, and values
//! below 2^-30 become zero. Sums are singles; in double precision they are doubles, rounded once
//! after the product.

use tessera_isa_mncore::ast::Convert;
use tessera_isa_mncore::layout::Place as Part;
use tessera_isa_mncore::memory::{Bank, Precision, Width};
use tessera_isa_mncore::table::{AluKind, AluOp, MauKind, MauOp};

use super::constants::{ConstantTable, HALVES};
use crate::compile::data::geometry::{DOWN, L1BM_VECTOR, VECTOR_WORDS};
use crate::compile::data::mixed_radix::DigitSpec;
use crate::compile::scratchpad::{COLUMN_BLOCKS, NEIGHBOURS, SUMS, TILE_RING};
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::{Guard, Op, Operand, Place, Source, Test, Value};

/// Long words of eight rows of eight singles.
pub(crate) const TILE: u32 = 32;
/// Single words in each PE per transfer: two long words in each cycle.
pub(crate) const TRANSFER_WORDS: u32 = 16;
/// Single words of the ring of transfers in GRF1.
pub(crate) const RING: u32 = TILE_RING.words;
/// The number of places in GRF1 where column vectors wait for their neighbours in the depth.
const PAIRS: u32 = NEIGHBOURS.slots(TRANSFER_WORDS);
/// Mantissa bits of half precision.
const HALF_MANTISSA: u8 = 9;
/// Bits of a single word.
const WORD: u32 = 32;

/// The arithmetic of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Arithmetic {
    precision: Precision,
}

impl Arithmetic {
    pub const fn new(precision: Precision) -> Self {
        Arithmetic { precision }
    }

    pub const fn precision(self) -> Precision {
        self.precision
    }

    /// Returns the vectors of rows, and of depth, per tile.
    pub const fn span(self) -> u32 {
        match self.precision {
            Precision::Half => 2,
            _ => 1,
        }
    }

    /// Returns whether the row side can be converted to block floats in advance: these are narrower
    /// than their sources.
    pub const fn converts_in_advance(self) -> bool {
        matches!(self.precision, Precision::Half)
    }

    /// Returns whether small products with the depth over MABs support the precision.
    pub const fn supports_k_over_mabs(self) -> bool {
        matches!(self.precision, Precision::Half | Precision::Pseudo)
    }

    /// Returns how many row-side vectors in DRAM, packed or not, are converted at once, and to how
    /// many vectors of block floats.
    pub const fn unit(self, halves: bool) -> (u32, u32) {
        match (self.precision, halves) {
            (Precision::Half, false) => (2, 1),
            (Precision::Half, true) => (1, 1),
            (_, false) => (1, self.blocks_per_vector()),
            (_, true) => (1, 2 * self.blocks_per_vector()),
        }
    }

    /// Returns the vectors of block floats that a vector of singles yields: doubles of its even and
    /// of its odd columns.
    pub const fn blocks_per_vector(self) -> u32 {
        match self.precision {
            Precision::Double => 2,
            _ => 1,
        }
    }

    /// Returns whether a pipelined product can load packed bf16. Doubles would have to be unpacked
    /// twice; their transfers take so little time that single words cost nothing.
    pub const fn pipelines_packed(self) -> bool {
        !matches!(self.precision, Precision::Double)
    }

    /// Returns the steps of the MAU to widen this many vectors of singles.
    pub fn widening_steps(self, vectors: u32) -> u64 {
        match self.precision {
            Precision::Double => 2 * u64::from(vectors),
            _ => 0,
        }
    }

    /// Returns whether split-K supports the precision. Doubles would be rounded before reduction
    /// and lose their purpose.
    pub const fn supports_split_k(self) -> bool {
        !matches!(self.precision, Precision::Double)
    }

    /// Returns the long words of a tile in L2BM and L1BM.
    pub const fn tile_words(self, prepared: bool) -> u32 {
        self.transfers(prepared) * TILE
    }

    /// Returns how many of them are contiguous: block floats of doubles are in two vectors.
    pub const fn contiguous_tile_words(self, prepared: bool) -> u32 {
        match (self.precision, prepared) {
            (Precision::Double, true) => self.tile_words(true) / self.blocks_per_vector(),
            _ => self.tile_words(prepared),
        }
    }

    /// Returns the long words in L1BM of a tile of each MAB's own, as vectors with `parts` packed
    /// into one.
    pub const fn own_tile_words(self, parts: u32) -> u32 {
        self.transfers(false) * 2 / parts * L1BM_VECTOR
    }

    /// Returns the transfers that load a tile to PEs.
    pub const fn transfers(self, prepared: bool) -> u32 {
        match (self.precision, prepared) {
            (Precision::Half, false) => 4,
            (Precision::Half | Precision::Double, true) => 2,
            _ => 1,
        }
    }

    /// Returns the transfers that load a tile of block floats to PEs in a pipelined product.
    pub fn transfers_of_tile(self) -> u64 {
        self.transfers(true).into()
    }

    /// Returns how often a packed vector is loaded to PEs in a pipelined product.
    pub const fn loads_per_vector(self) -> u32 {
        match self.precision {
            Precision::Half => 1,
            _ => 2,
        }
    }

    /// Returns the steps in which LM0 or LM1 is unavailable to the matrix unit while packed
    /// vectors, and one row-side unit, are converted. For each of two parts: the read of a
    /// constant, if it is there, the write, and two more steps before a read. Adjacent writes share
    /// these.
    pub fn steps_of_halves(self, vectors: u32, has_constants: bool) -> u64 {
        match (self.precision, has_constants) {
            (Precision::Half, _) => 0,
            (_, true) => u64::from(2 * 4 * (vectors + 1)),
            (_, false) => u64::from(2 * 2 * vectors),
        }
    }

    /// Returns the single words per PE of the sums of a tile's rows with one column vector.
    pub const fn sums_of_tile(self) -> u32 {
        match self.precision {
            Precision::Half | Precision::Double => 2 * VECTOR_WORDS,
            _ => VECTOR_WORDS,
        }
    }

    /// Returns the single words per PE of a column vector, as deep as a tile, in LM0.
    pub const fn columns_of_tile(self) -> u32 {
        match self.precision {
            Precision::Double => 2 * VECTOR_WORDS,
            _ => VECTOR_WORDS,
        }
    }

    /// Returns the vectors of sums that GRF0 holds.
    pub fn max_sums(self) -> u32 {
        u32::from(Bank::Grf0.words()) / self.sums_of_tile() * self.span()
    }

    /// Returns the column vectors that LM0 holds, as block floats, and LM1, as singles.
    pub fn max_columns(self) -> u32 {
        let of_blocks = u32::from(Bank::Lm0.words()) / self.columns_of_tile() * self.span();
        of_blocks.min(u32::from(Bank::Lm1.words()) / VECTOR_WORDS)
    }

    /// Returns the words of GRF0 that vectors of sums take.
    pub fn sum_words(self, vectors: u32) -> u32 {
        vectors / self.span() * self.sums_of_tile()
    }

    /// Returns the multiply-adds of one step of the matrix unit on the whole chip.
    pub const fn multiply_adds_per_step(self) -> u64 {
        match self.precision {
            Precision::Half => 1 << 20,
            Precision::Single => 1 << 17,
            Precision::Double => 1 << 15,
            _ => 1 << 18,
        }
    }

    /// Returns the steps of a product of 8x8 tiles and column vectors: those of the MAU, or those
    /// that load tiles if more.
    pub fn steps(self, tiles: u64, vectors: u64, prepared: bool) -> u64 {
        let of_tile = match self.precision {
            Precision::Half => vectors.max(self.transfers(prepared).into()),
            Precision::Single => (2 * vectors).max(4),
            Precision::Double if prepared => 8 * vectors,
            Precision::Double => 8 * vectors + 4,
            _ => vectors.max(2),
        };
        (tiles * of_tile).div_ceil(u64::from(self.span() * self.span()))
    }

    /// Returns the transfers from L2BM that load 8x8 tiles.
    pub fn row_transfers(self, tiles: u64, prepared: bool) -> u64 {
        let square = u64::from(self.span() * self.span());
        tiles * u64::from(self.tile_words(prepared)) / square / u64::from(DOWN)
    }

    /// Returns the steps to convert column vectors, in loops over one or two at once. One at a
    /// time, a half-precision vector waits for the next.
    pub fn conversion_steps(self, vectors: u64, at_once: u64) -> u64 {
        match self.precision {
            Precision::Half => 3 * vectors / at_once,
            _ => vectors,
        }
    }

    /// Returns the steps to round vectors of sums.
    pub fn rounding_steps(self, vectors: u64) -> u64 {
        match self.precision {
            Precision::Double => 2 * vectors,
            _ => 0,
        }
    }

    /// Returns the digits of eight rows, or of a tile's rows, on the row side, and of `tiles`
    /// contiguous 8x8 tiles.
    pub fn row_digits(self, tiles: u32, prepared: bool) -> Vec<DigitSpec> {
        use Part::Address;
        let tile = u64::from(self.contiguous_tile_words(prepared));
        match self.precision {
            // As below; a transfer brings eight rows, two to each cycle.
            Precision::Half if prepared => vec![
                (Address, 2, 4),
                (Address, 4, 16),
                (Address, tiles / 2, tile),
                (Address, 2, 8),
            ],
            // A result in four long words has rows in word, PE and long word; the last digit
            // separates the halves of all tiles.
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

    /// Returns the digits of the depth on the row side: `blocks` of 8, with `turn` long words
    /// between tiles.
    pub fn depth_digits(self, blocks: u32, turn: u64) -> Vec<DigitSpec> {
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

/// Conversion of the column side.
impl Arithmetic {
    /// Emits the conversion of an iteration's column vectors to block floats in LM0, in a loop over
    /// `count` of them.
    pub fn to_lm0(self, body: &mut Body, values: Vec<Operand>, count: u32) {
        if self.precision == Precision::Half {
            return self.pairs_to_lm0(body, values, count);
        }
        let (own, width) = (self.columns_of_tile(), values.len() as u32);
        let steps = body.innermost_steps(width * own);
        for (value, part) in values.into_iter().zip(0..) {
            let place = |number| lm0(Address::affine(part * own + number * VECTOR_WORDS, &steps));
            if self.precision != Precision::Double {
                self.block_float(body, value, place(0));
                continue;
            }
            for (single, word) in columns_of(body, value).into_iter().zip(0..) {
                let double = widen(body, single);
                self.block_float(body, double.into(), place(word));
            }
        }
    }

    /// Does the same in half precision for neighbours in the depth. With one vector per iteration
    /// the first waits for the second.
    fn pairs_to_lm0(self, body: &mut Body, values: Vec<Operand>, count: u32) {
        let width = values.len() as u32;
        let both = self.store_neighbours(body, values, 0);
        let size = count / 2 * VECTOR_WORDS;
        let steps = body.innermost_steps(width * VECTOR_WORDS / 2);
        let behind = Address::affine(size - (2 - width) * VECTOR_WORDS / 2, &steps);
        let op = Op::Alu(self.bfn(), 0);
        let dimension = body.dimensions() - 1;
        let target = lm0(behind.with_ring(0, size));
        let item = body.push(op, vec![both], vec![target.into()]);
        if width == 1 {
            item.when.push(Guard {
                dimension,
                test: Test::Every(2, 1),
            });
        }
    }

    /// Stores neighbours in the depth side by side, as four halves, in one of [`PAIRS`] places.
    fn store_neighbours(self, body: &mut Body, values: Vec<Operand>, number: u32) -> Operand {
        let width = values.len() as u32;
        for (value, part) in values.into_iter().zip(0..) {
            let mut waits = Arithmetic::waiting(number, part);
            waits.address = Address::affine(2 * part, &body.innermost_steps(2 * width))
                .with_ring(Arithmetic::pair_address(number), 4);
            let copy = AluOp::new(AluKind::Passa, Some(Precision::Long));
            body.push(Op::Alu(copy, 0), vec![value], vec![waits.into()]);
        }
        narrowed(Arithmetic::pair(number))
    }

    /// Returns the place of one of two neighbours.
    fn waiting(number: u32, part: u32) -> Place {
        let address = Address::fixed(Arithmetic::pair_address(number) + 2 * part);
        Place {
            bank: Bank::Grf1,
            width: Width::Long,
            address,
            stride: 4,
        }
    }

    /// Returns the operand with both neighbours.
    fn pair(number: u32) -> Place {
        let address = Arithmetic::pair_address(number);
        Place::consecutive(Bank::Grf1, Width::Double, address)
    }

    const fn pair_address(number: u32) -> u32 {
        NEIGHBOURS.start + number % PAIRS * TRANSFER_WORDS
    }

    /// Converts vectors, in groups as deep as a tile, to block floats. `put` receives each one's
    /// number, operation and operand. Those of a widened vector are numbered in turn.
    pub fn convert_to_blocks(
        self,
        body: &mut Body,
        values: Vec<Operand>,
        put: &mut dyn FnMut(&mut Body, u32, Op, Operand),
    ) {
        if self.precision == Precision::Double {
            for (value, number) in values.into_iter().zip(0..) {
                for (single, part) in columns_of(body, value).into_iter().zip(0..) {
                    let double = widen(body, single);
                    put(
                        body,
                        2 * number + part,
                        Op::Alu(self.bfn(), 0),
                        double.into(),
                    );
                }
            }
            return;
        }
        for (neighbours, number) in values.chunks(self.span() as usize).zip(0..) {
            let source = if self.precision == Precision::Half {
                self.store_neighbours(body, neighbours.to_vec(), number)
            } else {
                neighbours[0].clone()
            };
            put(body, number, Op::Alu(self.bfn(), 0), source);
        }
    }

    /// Converts packed bf16 vectors, loaded by `transfer`, to block floats. `put` receives each
    /// one's number, operation and operand.
    ///
    /// In pseudo-single precision a full loop uses every register file port. The conversion
    /// therefore uses no registers: the vector is loaded twice, and constants are placed in the
    /// memory that does not hold the column side at that time.
    pub fn convert_packed_vector(
        self,
        body: &mut Body,
        transfer: &Op,
        constants: &ConstantTable,
        number: u32,
        put: &mut dyn FnMut(&mut Body, u32, Op, Operand),
    ) {
        self.convert_halves(body, transfer, constants.parts(), number, put);
    }

    /// Does the same with constants in registers.
    pub fn convert_packed_vector_in_registers(
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
        self.convert_halves(body, transfer, parts, number, put);
    }

    /// Does the same with given operations and constants for the two halves.
    fn convert_halves(
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

    /// Returns the operation that makes block floats.
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

/// The sums after the product.
impl Arithmetic {
    /// Emits the rounding of double sums from the word `first` of GRF0 on to singles in place, one
    /// vector per iteration of a loop; returns whether it is needed. A vector is written over
    /// others that are already rounded.
    pub fn round(self, body: &mut Body, first: u32) -> bool {
        if self.precision != Precision::Double {
            return false;
        }
        for row in 0..2 {
            let steps = body.innermost_steps(2 * VECTOR_WORDS);
            let doubles = grf0(Address::affine(first + row * VECTOR_WORDS, &steps));
            let singles = Place {
                bank: Bank::Grf0,
                width: Width::Single,
                address: Address::affine(
                    SUMS.start + first + row,
                    &body.innermost_steps(VECTOR_WORDS),
                ),
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

    /// Returns the sums of `width` vectors of an iteration, in a loop over `count` vectors.
    ///
    /// In half precision they are two long words per cycle: the first words of all tiles are the
    /// first half of the vectors. The address of the second half results from a ring that ends two
    /// words early.
    pub fn sum_places(self, body: &Body, count: u32, width: u32) -> Vec<Place> {
        let place = |part: u32| match self.precision {
            Precision::Half => Place {
                bank: Bank::Grf0,
                width: Width::Long,
                address: Address::affine(
                    part * 2 * VECTOR_WORDS,
                    &body.innermost_steps(width * 2 * VECTOR_WORDS),
                )
                .with_ring(SUMS.start, count * VECTOR_WORDS - 2),
                stride: 4,
            },
            _ => grf0(Address::affine(
                part * VECTOR_WORDS,
                &body.innermost_steps(width * VECTOR_WORDS),
            )),
        };
        (0..width).map(place).collect()
    }
}

/// Returns an operand in LM0 of consecutive long words, one per cycle.
fn lm0(address: Address) -> Place {
    let address = address.offset_by(COLUMN_BLOCKS.start);
    Place::consecutive(Bank::Lm0, Width::Long, address)
}

pub(crate) fn grf0(address: Address) -> Place {
    let address = address.offset_by(SUMS.start);
    Place::consecutive(Bank::Grf0, Width::Long, address)
}

/// Returns four singles of two long words as four halves.
pub(crate) fn narrowed(place: Place) -> Operand {
    Operand {
        convert: Convert::Narrow,
        ..place.into()
    }
}

/// Returns the two columns of a vector of singles, each in the upper word.
fn columns_of(body: &mut Body, value: Operand) -> [Operand; 2] {
    let lower = body.value(Width::Long, Home::Any);
    let shift = AluOp::new(AluKind::Lsl, Some(Precision::Long));
    let inputs = vec![value.clone(), Source::Constant(WORD).into()];
    body.push(Op::Alu(shift, 0), inputs, vec![lower.into()]);
    [value, lower.into()]
}

/// Emits the widening of the upper single of a long word to a double.
pub(crate) fn widen(body: &mut Body, single: Operand) -> Value {
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
