//! Small products whose depth goes over the MABs of an L1B.
//!
//! | rows over | columns over | depth over |
//! |---|---|---|
//! | L2Bs, word, PE, tiles | L1Bs, cycle, vectors, blocks in time | word, PE, MAB, tiles in time |
//!
//! Where MABs have columns of their own, each needs all of the depth, and of a small product there are too few results for a tile to be used as long as it takes
//! to load: 64 for each MAB of 256x256. Here a MAB has a part of the depth and sixteen times as many results; nothing comes to two MABs of an L1B. The
//! price are its partial sums, which `l1bmr` adds on the way out: in so many steps as they are long words of a PE, two at once.
//!
//! All of the row side comes first ([`Rows`]), and stays in LM1 as block floats. Then one loop goes over blocks of columns: it brings the vectors of one, makes
//! block floats of them, multiplies all tiles by them, joins the sums, and takes them away. Its MV instructions are issued as far ahead as L2BM has places. The
//! results of a block leave behind all of the column side that is issued already, while the last blocks are multiplied; so only what is done with the last of
//! them is done while no MV instruction moves anything.
//!
//! Results of bf16 come to the PEs once more, where two are made one: those of the first half of the tiles with those of the second.
//!
//! A `wait` holds up all that stands behind it, what is left of blocks before, too. So iterations are as long as the MV instructions of a block
//! ([`Body::pace`](crate::body::Body::pace)), not as short as they could be, and their results do not wait for column sides that come later.
//!
//! Only one matrix, whose rows are one block, and a product of two tensors with nothing behind it; others have other ways.

use tessera_isa_mncore::ast::MatrixRows;
use tessera_isa_mncore::layout::Place::{Address as Word, Group, Part};
use tessera_isa_mncore::memory::{Bank, Precision, Side as Registers, Width};
use tessera_isa_mncore::table::l1bm::L1bmKind;
use tessera_isa_mncore::table::l2bm::L2bmKind;
use tessera_isa_mncore::table::{L1bmOp, L2bmOp, MauKind, MauOp, MvMode};

use super::arguments::Arguments;
use super::arithmetic::Arithmetic;
use super::digits::Stated;
use super::product::Builder;
use super::rows::{side_in_dram, Side, DOWN, L1BM, L2BM, TAG};
use super::shape::{Shape, CYCLES, VECTOR_WORDS};
use super::split::ADD;
use super::streams::{Direction, Lane, L1BM_VECTOR, TRANSFER};
use super::vectors::{Outer, Role, Use, Vectors, SAME_STEPS};
use super::{unsupported, CompileError, Kernel, Stage};
use crate::address::Address;
use crate::body::{Body, Home};
use crate::functions::to_bf16;
use crate::item::{Guard, Move, MoveMemory, MovePlace, Op, Operand, Place, Test, Value};
use crate::whole::{ExprKind, Spread};

/// How many vectors of the row side there are at most, each with its own place in L2BM: all behind the lanes. And how many L1BM has places for.
pub(super) const MOST_VECTORS: u32 = 32;
const L1BM_SLOTS: u32 = 4;
/// How many vectors of the column side L2BM has places for.
pub(super) const SLOTS: u32 = 8;
/// How many sums of eight rows and four columns a block has at most.
pub(super) const MOST_SUMS: u32 = 16;
/// Long words of such a sum behind `l1bmr`.
const SUM: u32 = 4 * CYCLES;
/// Where the sums of a block lie in L1BM, and behind them what is read beyond them; and of how many blocks.
const SUMS: u32 = 2048;
const SUMS_SLOT: u32 = 512;
const SUMS_SLOTS: u32 = 2;
/// Where results lie in L1BM that two are made of, in L2BM, and how many blocks.
const PACKED: u32 = 4096;
const RESULTS: u32 = 16384;
const RESULTS_SLOT: u32 = 2048;
const RESULTS_SLOTS: u32 = 4;
/// The first tag of results.
const RESULTS_TAG: u32 = 64;

/// Long words of the results of a block, as they leave, in an L1BM.
pub(super) fn leaving(shape: &Shape) -> u32 {
    let words = shape.vectors() * SUM;
    if shape.halves.result {
        words / 2
    } else {
        words
    }
}

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

/// Vectors of the row side.
pub(super) fn row_vectors(shape: &Shape) -> u32 {
    // A tile of 8x8 is two, four of its rows each.
    2 * shape.tiles * shape.k_blocks / shape.row_parts()
}

/// A row side of which each MAB has its own depth.
struct Rows {
    base: u32,
    /// Long words between the parts of the two L2B of a group.
    side: u32,
    /// How many vectors there are, and how many the rows of an `mwrite` are, twice in pseudo-single precision.
    count: u32,
    each: u32,
}

impl Rows {
    /// Gives it a place. A vector has four rows of a tile in its cycles, and in half precision every other one of eight.
    fn place(
        arguments: &mut Arguments,
        shape: &Shape,
        of: &Side,
        arithmetic: Arithmetic,
    ) -> Result<Self, CompileError> {
        let (parts, span) = (shape.row_parts(), shape.span);
        let count = row_vectors(shape);
        let side = (u64::from(count) * u64::from(L1BM_VECTOR)).next_power_of_two();
        let mut left = (parts, u64::from(L1BM_VECTOR));
        // In the order of time: the first of those that there are tells two of an element's word apart.
        let mut next = |extent: u32| {
            let (parts, stride) = left;
            let own = parts.min(extent);
            left = (parts / own, stride * u64::from(extent / own));
            [(Part, own, 1), (Word, extent / own, stride)]
        };
        let neighbours = next(span);
        let (every_other, of_tile) = (next(span), next(2));
        let (tiles, depth) = (next(shape.tiles / span), next(shape.k_blocks / span));
        let cycles = [(Word, CYCLES, 64)];
        let l2bs = [(Word, 2, side), (Group, 4, 1)];
        let rows = [&every_other[..], &cycles, &of_tile, &tiles, &l2bs].concat();
        let inner = [(Part, 2, parts.into()), (Word, 4, 1)];
        let mabs = [(Word, 16, 4)];
        let depth = [&inner[..], &neighbours, &mabs, &depth].concat();
        let (base, _) = side_in_dram(arguments, of, [&rows, &depth], (2 * side, parts))?;
        let (vectors, blocks) = arithmetic.unit(shape.halves.rows);
        Ok(Rows {
            base,
            side: side as u32,
            count,
            each: 2 * vectors / blocks,
        })
    }

    /// The tag of the MV instruction for a side of the vector `ahead`.
    fn tag(walk: &[u32], side: u32, ahead: u32) -> Address {
        Address::moving(ahead, walk).around(TAG + MOST_VECTORS * side, MOST_VECTORS)
    }

    /// Where a vector lies in L2BM.
    fn l2bm(walk: &[u32], ahead: u32) -> Address {
        let steps: Vec<u32> = walk.iter().map(|step| step * L1BM_VECTOR).collect();
        Address::moving(ahead * L1BM_VECTOR, &steps).around(L2BM, MOST_VECTORS * L1BM_VECTOR)
    }

    /// Fetches all of it.
    fn fetch(&self, body: &mut Body) {
        for vector in 0..self.count {
            for side in 0..2 {
                let dram = Address::fixed(self.base + side * self.side + vector * L1BM_VECTOR);
                let op = Op::Mv(Move {
                    mode: MvMode::DramToL2bmEach,
                    rrn: None,
                    words: L1BM_VECTOR,
                    tag: Rows::tag(&[], side, vector),
                    source: place(MoveMemory::Dram, dram, None),
                    target: place(MoveMemory::L2bm, Rows::l2bm(&[], vector), Some(side)),
                });
                body.push(op, Vec::new(), Vec::new());
            }
        }
    }

    /// The loop that makes block floats of it, those of two vectors in each iteration: in half precision every other row, in pseudo-single the rows of two
    /// `mwrite`s.
    fn make(&self, arithmetic: Arithmetic, halves: bool) -> Body {
        let mut body = Body::new(&[], &[self.count / self.each]);
        let walk = body.along(self.each);
        let mut values: Vec<Operand> = Vec::new();
        for vector in 0..self.each {
            for side in 0..2 {
                let wait = Op::Wait(Rows::tag(&walk, side, vector));
                body.push(wait, Vec::new(), Vec::new());
            }
            let slot = body.along(self.each * L1BM_VECTOR);
            let l1 = Address::moving(vector * L1BM_VECTOR, &slot);
            let l1 = l1.around(L1BM, L1BM_SLOTS * L1BM_VECTOR);
            for part in 0..L1BM_VECTOR / DOWN {
                let op = Op::L2bm {
                    op: L2bmOp::plain(L2bmKind::Broadcast),
                    l2: Rows::l2bm(&walk, vector).beyond(part * DOWN),
                    l1: l1.clone().beyond(part * DOWN),
                };
                body.push(op, Vec::new(), Vec::new());
            }
            let down = Op::L1bm(L1bmOp::plain(L1bmKind::Distribute, false), l1);
            if halves {
                let first = vector * 2 / self.each;
                let mut put = |body: &mut Body, own: u32, op: Op, input: Operand| {
                    let to = Rows::made(body, arithmetic, first + own);
                    body.push(op, vec![input], vec![to.into()]);
                };
                arithmetic.unpacked_block(&mut body, &down, vector, &mut put);
                continue;
            }
            let value = body.value(Width::Long, Home::Any);
            body.push(down, Vec::new(), vec![value.into()]);
            values.push(value.into());
        }
        let mut put = |body: &mut Body, number: u32, op: Op, input: Operand| {
            let to = Rows::made(body, arithmetic, number);
            body.push(op, vec![input], vec![to.into()]);
        };
        arithmetic.blocks(&mut body, values, &mut put);
        body
    }

    /// Where the block floats of one of an iteration's vectors go.
    fn made(body: &Body, arithmetic: Arithmetic, number: u32) -> Place {
        let steps = body.along(2 * VECTOR_WORDS);
        if arithmetic.precision() != Precision::Half {
            let address = Address::moving(number * VECTOR_WORDS, &steps);
            return Place::consecutive(Bank::Lm1, Width::Long, address);
        }
        // Of each cycle the first and the second of two long words.
        Place {
            bank: Bank::Lm1,
            width: Width::Long,
            address: Address::moving(number * u32::from(Width::Long.words()), &steps),
            stride: Width::Double.words(),
        }
    }

    /// Which rows of a tile an `mwrite` writes, and where they lie: that of a number, of two.
    fn part(arithmetic: Arithmetic, tile: u32, number: u32) -> (u8, Place) {
        let vector = 2 * VECTOR_WORDS;
        if arithmetic.precision() != Precision::Half {
            let address = tile * vector + number * VECTOR_WORDS;
            let place = Place::consecutive(Bank::Lm1, Width::Long, Address::fixed(address));
            return (4 * number as u8, place);
        }
        let address = Address::fixed((2 * tile + number) * vector);
        let place = Place::consecutive(Bank::Lm1, Width::Double, address);
        (8 * number as u8, place)
    }
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

/// The results.
struct Results {
    base: u32,
    side: u32,
    /// Long words of a block in an L1BM.
    words: u32,
    halves: bool,
}

impl Results {
    /// Gives them a place: as they lie in L2BM, block behind block.
    fn place(arguments: &mut Arguments, shape: &Shape, of: &Side) -> Result<Self, CompileError> {
        let (halves, span) = (shape.halves.result, shape.span);
        let parts = if halves { 2 } else { 1 };
        let words = leaving(shape);
        let block = u64::from(words * 8);
        let side = block * u64::from(shape.j_blocks.next_power_of_two());
        let sum = u64::from(SUM * span);
        let tiles = shape.tiles / span;
        let cycle = u64::from(SUM * span / CYCLES);
        let word = [(Part, 2, parts.into())];
        let of_tile: &[Stated] = if span == 2 {
            &[(Word, 2, 4), (Word, 4, 1)]
        } else {
            &[(Word, 4, 1)]
        };
        let tiles = over_l1bs((Word, tiles / parts, u64::from(shape.steps) * sum));
        let both = [(Part, parts, 1)];
        let l2bs = [(Word, 2, side), (Group, 4, 1)];
        let rows = [&word[..], of_tile, &tiles, &both, &l2bs].concat();
        let columns = [
            over_l1bs((Word, CYCLES, cycle)),
            vec![(Word, 8, 8)],
            over_l1bs((Word, shape.steps, sum)),
            vec![(Word, shape.j_blocks, block)],
        ]
        .concat();
        let (base, _) = side_in_dram(arguments, of, [&rows, &columns], (2 * side, parts))?;
        Ok(Results {
            base,
            side: side as u32,
            words,
            halves,
        })
    }

    /// The tag of the MV instruction for a side of a block.
    fn tag(side: u32, block: Address) -> Address {
        block.around(RESULTS_TAG + RESULTS_SLOTS * side, RESULTS_SLOTS)
    }

    /// Where sums lie in L1BM.
    fn sums(body: &Body) -> Address {
        Address::moving(0, &body.along(SUMS_SLOT)).around(SUMS, SUMS_SLOTS * SUMS_SLOT)
    }

    /// The items that take the joined sums of a block away.
    fn take(&self, body: &mut Body) {
        let from = if self.halves {
            self.pack(body)
        } else {
            Results::sums(body)
        };
        let time = body.dimensions() - 1;
        let walk = body.along(1);
        for side in 0..2 {
            let wait = Op::Wait(Results::tag(side, Address::moving(0, &walk)));
            body.push(wait, Vec::new(), Vec::new()).when.push(Guard {
                dimension: time,
                test: Test::From(RESULTS_SLOTS),
            });
        }
        let slot = body.along(RESULTS_SLOT);
        let l2 = Address::moving(0, &slot).around(RESULTS, RESULTS_SLOTS * RESULTS_SLOT);
        for part in 0..self.words / TRANSFER.1 {
            let op = Op::L2bm {
                op: L2bmOp::plain(L2bmKind::Collect),
                l2: l2.clone().beyond(part * TRANSFER.0),
                l1: from.clone().beyond(part * TRANSFER.1),
            };
            body.push(op, Vec::new(), Vec::new());
        }
        let words = 8 * self.words;
        for side in 0..2 {
            let dram = Address::moving(self.base + side * self.side, &body.along(words));
            let op = Op::Mv(Move {
                mode: MvMode::L2bmToDramEach,
                rrn: None,
                words,
                tag: Results::tag(side, Address::moving(0, &walk)),
                source: place(MoveMemory::L2bm, l2.clone(), Some(side)),
                target: place(MoveMemory::Dram, dram, None),
            });
            body.push(op, Vec::new(), Vec::new());
        }
    }

    /// The items that make one of two results: what is behind those of a block is worked on, too, and does not leave.
    fn pack(&self, body: &mut Body) -> Address {
        let both = [0, self.words].map(|first| {
            let value = body.value(Width::Long, Home::Any);
            let down = L1bmOp::plain(L1bmKind::Distribute, false);
            let from = Results::sums(body).beyond(first);
            body.push(Op::L1bm(down, from), Vec::new(), vec![value.into()]);
            Operand::from(value)
        });
        let packed = to_bf16(body, &both[0], &both[1]);
        let slot = body.along(L1BM_VECTOR);
        let to = Address::moving(0, &slot).around(PACKED, RESULTS_SLOTS * L1BM_VECTOR);
        let up = L1bmOp::plain(L1bmKind::Collect, false);
        let packed = packed.into_iter().map(Operand::from).collect();
        body.push(Op::L1bm(up, to.clone()), packed, Vec::new());
        to
    }

    /// Waits for the last of so many blocks.
    fn wait(blocks: u32) -> Body {
        let mut body = Body::new(&[], &[]);
        for block in blocks.saturating_sub(RESULTS_SLOTS)..blocks {
            for side in 0..2 {
                let wait = Op::Wait(Results::tag(side, Address::fixed(block)));
                body.push(wait, Vec::new(), Vec::new());
            }
        }
        body
    }
}

/// The digits of long words in L2BM of what lies in L1BM, each L1B having its own: eight of each in turn.
fn over_l1bs((place, extent, stride): Stated) -> Vec<Stated> {
    const EIGHT: u64 = 8;
    let below = (EIGHT / stride).clamp(1, extent.into()) as u32;
    let above = (stride * u64::from(below)).max(EIGHT) * EIGHT;
    let first = if stride < EIGHT {
        stride
    } else {
        stride * EIGHT
    };
    if below == extent || stride >= EIGHT {
        return vec![(place, extent, first)];
    }
    vec![
        (place, below, first),
        (place, extent.div_ceil(below), above),
    ]
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

    /// The MV instruction for a vector of a block, counted from that of an iteration, which goes to the place of this number.
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

    /// The items that multiply a block by all tiles, and join the sums of all MABs, those of a tile one behind the other.
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
                    self.join(body, sum, at);
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

    /// Multiplies a vector by a tile, and adds a sum if there is one; what is the last of it goes on at once.
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

    /// Joins a sum of this number.
    fn join(&self, body: &mut Body, sum: Value, number: u32) {
        let wide = body.kind(sum).width == Width::Double;
        let op = L1bmOp {
            rrn: Some(ADD),
            ..L1bmOp::plain(L1bmKind::Reduce, wide)
        };
        let to = Results::sums(body).beyond(number * SUM * self.shape.span);
        body.push(Op::L1bm(op, to), vec![sum.into()], Vec::new());
    }
}
