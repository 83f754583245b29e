//! A product as one loop over the depth, into which both sides flow while it multiplies.
//!
//! An iteration takes some turns, tiles of the depth, with all tiles of rows: each stands in the
//! loop by itself. It makes block floats of its vectors of the column side, and multiplies them; of
//! the row side it makes those of the next iteration ([`Prepared`]), whose way is longer. The
//! schedule lets iterations overlap: while the tiles of one are multiplied, what the next needs is
//! on its way. There is nothing between chunks of the depth, as there are none.
//!
//! LM0 or LM1 is read or written in a step, and not read until two steps after it was written. So
//! the column side of the first half of the turns lies in LM0, that of the second in LM1: while one
//! is read, the other is written.
//!
//! MV instructions for vectors of the column side are issued as many ahead as L2BM has places for,
//! but not before what comes ahead of the row side; those of both sides that come before the loop,
//! in the order in which it takes them, beside the first block floats of the row side.
//!
//! Results leave at the end. That they do not all leave behind the last product, the last
//! iterations may be gone through twice, with half of the tiles of rows each ([`Phase`]): the
//! results of the first half leave beside the product of the second, which finds in LM0, LM1 and
//! L2BM what came for the first. Half of the tiles leave less time for what goes on beside them: so
//! the iterations before make two units of the row side each, and these none.
//!
//! Of one block after the other with the same columns, the column side comes while the first is
//! multiplied, and stays, if there is room for it. The loop of the later ones, without it, is one
//! of its own, and beside it the results of the block before leave.
//!
//! Only a tensor flows: functions of the column side's elements would take the ports and the steps
//! of the product.

use std::ops::Range;

use tessera_isa_mncore::memory::{Bank, Precision, Width};
use tessera_isa_mncore::table::l2bm::{L1bSet, L2bmKind};
use tessera_isa_mncore::table::{AluKind, AluOp, L2bmOp};

use super::apply::copy;
use super::arguments::Arguments;
use super::arithmetic::Arithmetic;
use super::prepare::{Numbers, Prepared, Units};
use super::rows::{Side, DOWN, L1BM};
use super::shape::{Shape, L1BS, VECTOR_WORDS};
use super::streams::{Direction, Lane};
use super::tile::Tile;
use super::times::Guards;
use super::vectors::{scaled, Outer, Use, Vectors};
use super::CompileError;
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::{Guard, Op, Operand, Place, Source, Test};
use tessera_mncore_ir::kernel::Stage;

/// How many vectors of the column side L2BM has places for; and where no results leave before all
/// that is there is done with.
pub(super) const SLOTS: u32 = 8;
const SLOTS_ALONE: u32 = 12;
/// The same where both L1Bs of a pair get the same: such a vector is half as long. And where all
/// L1Bs do.
const SLOTS_OF_PAIRS: u32 = 2 * SLOTS;
const SLOTS_OF_L1BS: u32 = L1BS * SLOTS;
/// The same where all block floats of the row side are to have places, too.
pub(super) const SLOTS_BY_ROWS: u32 = 6;
/// Single words of LM1 that constants leave to others.
pub(super) const RESIDENTS: u32 = Bank::Lm1.words() as u32 - HALVES.len() as u32 * 2;
/// Long words of the ring of tiles in L1BM.
pub(super) const TILES: u32 = 1024;

/// The mask of the upper half of a word, and the bits of a half.
pub(super) const HALVES: [(AluKind, u32); 2] = [(AluKind::And, 0xffff_0000), (AluKind::Lsl, 16)];
/// What else rounding to bf16 takes.
const ROUNDING: [u32; 2] = [1, 0x7fff];

/// The numbers of constants: the mask of the upper half, the bits of a half, and what else rounding
/// to bf16 takes, for odd and for all.
pub(super) const MASK: usize = 0;
pub(super) const SHIFT: usize = 1;
pub(super) const ODD: usize = 2;
pub(super) const ROUND: usize = 3;

/// What takes the halves of words apart, in LM0 or LM1: at their ends. In LM0 there is also what
/// results of bf16 are made with, so that it need not be loaded between the last product and them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Constants(pub Bank);

impl Constants {
    /// What makes each of two vectors of one, and with which constant.
    pub fn parts(self) -> [(Op, Operand); 2] {
        [0, 1].map(|number| {
            let (kind, _) = HALVES[number];
            let op = Op::Alu(AluOp::new(kind, Some(Precision::Int)), 0);
            (op, self.place(number).into())
        })
    }

    /// Where one of them lies: its number as it is in [`HALVES`], then in what else rounding takes.
    pub fn place(self, number: usize) -> Place {
        let behind = u32::from(Width::Long.words()) * (number as u32 + 1);
        Place {
            bank: self.0,
            width: Width::Long,
            address: Address::fixed(u32::from(self.0.words()) - behind),
            stride: 0,
        }
    }

    fn words(self) -> impl Iterator<Item = u32> {
        let rounding = ROUNDING.into_iter().filter(move |_| self.0 == Bank::Lm0);
        HALVES.into_iter().map(|(_, word)| word).chain(rounding)
    }

    /// Puts them there.
    fn load(self, body: &mut Body) {
        for (number, word) in self.words().enumerate() {
            let word = Source::Constant(word).into();
            body.push(copy(), vec![word], vec![self.place(number).into()]);
        }
    }

    /// Lets a body read them there.
    pub fn replace(self, body: &mut Body) {
        let inputs = body.items.iter_mut().flat_map(|item| &mut item.inputs);
        for input in inputs {
            let found = self
                .words()
                .position(|word| matches!(input.source, Source::Constant(own) if own == word));
            if let Some(number) = found {
                *input = self.place(number).into();
            }
        }
    }
}

/// The lane of the column side.
const fn lane(shape: &Shape) -> Lane {
    match (shape.pairs, shape.l1bs) {
        _ if shape.by_rows > 0 => Lane::wide(SLOTS_BY_ROWS),
        (true, _) => Lane::wide_of_pairs(SLOTS_OF_PAIRS),
        (_, true) => Lane::wide_of_l1bs(SLOTS_OF_L1BS),
        _ if is_alone(shape) => Lane::wide(SLOTS_ALONE),
        _ => Lane::wide(SLOTS),
    }
}

/// Whether no results leave before all of the column side has come.
const fn is_alone(shape: &Shape) -> bool {
    let is_one = shape.matrices * shape.j_blocks * shape.i_blocks == 1;
    (is_one || shape.stays) && shape.twice == 0
}

/// How many vectors of the column side an iteration takes at most.
pub(super) fn most_vectors(shape: &Shape) -> u32 {
    match (shape.pairs, shape.l1bs) {
        (false, true) => SLOTS_OF_L1BS / 2,
        (false, false) if is_alone(shape) => SLOTS,
        _ => SLOTS - 1,
    }
}

/// How many vectors of the column side are fetched ahead, of so many in an iteration: not before
/// units of the row side that come ahead, too, of which there is one in an iteration.
pub(super) fn ahead(shape: &Shape, own: u32, units: u32) -> u32 {
    let most = lane(shape).slots() - own;
    if shape.by_rows > 0 {
        // Whole units.
        return most / own * own;
    }
    most.min(own * units)
}

/// Lets the items from one on issue in some blocks of rows only, if there are several.
pub(super) fn only(body: &mut Body, begin: usize, blocks: Option<usize>, test: Test) {
    let Some(dimension) = blocks else { return };
    for item in &mut body.items[begin..] {
        item.when.push(Guard { dimension, test });
    }
}

/// Iterations that are one loop.
#[derive(Clone, Debug)]
pub(super) struct Phase {
    /// The first, and how many.
    first: u32,
    count: u32,
    /// The tiles of rows that are multiplied.
    tiles: Range<u32>,
    side: Columns,
    /// The units of the row side that it makes block floats of.
    units: Units,
}

impl Phase {
    /// Whether results of the block before leave beside it.
    pub fn has_before(&self) -> bool {
        self.side == Columns::Stayed
    }

    /// Which half of the results is complete behind it.
    pub fn half(&self) -> Option<u32> {
        match self.side {
            Columns::Pass | Columns::Stay | Columns::Stayed => None,
            Columns::Keep => Some(0),
            Columns::Kept => Some(1),
        }
    }
}

/// How a phase has its column side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Columns {
    /// It comes, and goes.
    Pass,
    /// It comes and stays.
    Keep,
    /// It is there.
    Kept,
    /// It comes and stays for all later blocks.
    Stay,
    /// It has come for an earlier block.
    Stayed,
}

/// A product as one loop.
pub(super) struct Flow {
    pub(super) shape: Shape,
    pub(super) arithmetic: Arithmetic,
    /// Turns of an iteration.
    pub(super) turns: u32,
    pub(super) rows: Prepared,
    columns: Vectors,
    lane: Lane,
}

impl Flow {
    /// Gives both sides their places: the row side, and the column side, of this use.
    pub fn place(
        arguments: &mut Arguments,
        shape: &Shape,
        side: &Side,
        (column, r#use): (usize, &Use),
        (arithmetic, turns): (Arithmetic, u32),
    ) -> Result<Self, CompileError> {
        let vector = shape.prepared.unwrap_or_default();
        let rows = Prepared::place(arguments, shape, side, (arithmetic, vector))?;
        let halves = shape.column_parts() == 2;
        let columns = arguments.place(column, r#use, shape.columns_form(), halves)?;
        Ok(Flow {
            shape: *shape,
            arithmetic,
            turns,
            rows,
            columns,
            lane: lane(shape),
        })
    }

    /// Vectors of the column side of an iteration.
    pub(super) fn vectors(&self) -> u32 {
        self.turns * self.shape.span * self.shape.steps / self.columns.parts
    }

    /// How many vectors ahead their MV instructions are issued.
    fn depth(&self) -> u32 {
        ahead(&self.shape, self.vectors(), self.rows.before()).min(self.columns.count)
    }

    /// Fetches the first of the row side, before all loops.
    pub fn first(&self) -> Stage {
        self.rows.first()
    }

    /// What comes before the loop: fetches what its first iterations take, in their order, and
    /// makes block floats of the first part of the row side meanwhile; puts constants where they
    /// lie, and zeros where the column side leaves cycles, if it does.
    pub fn begin(&self, around: &Outer) -> Body {
        let mut body = Body::new(&around.counts(&self.shape), &[1]);
        let last = self.fetch_first(&mut body, around);
        if self.has_constants() {
            let banks = [Bank::Lm0, Bank::Lm1, Bank::Grf1];
            let own = if self.shape.l1bs {
                &banks[..]
            } else {
                &banks[..2]
            };
            for &bank in own {
                Constants(bank).load(&mut body);
            }
        }
        let units = Units { first: 0, each: 1 };
        self.rows.make(&mut body, around, self.arithmetic, units);
        for vector in last {
            self.fetch(&mut body, around, vector);
        }
        if self.columns.leaves_cycles() {
            self.lane.clear(&mut body);
        }
        body
    }

    /// Fetches what the first iterations take: each makes block floats of the next one's rows. What
    /// is left is taken behind the unit that comes into the place of the first.
    fn fetch_first(&self, body: &mut Body, around: &Outer) -> Range<u32> {
        let mut vectors = 0..self.depth();
        for unit in 1..self.rows.before() {
            let begin = body.items.len();
            self.rows.fetch_one(body, around, unit);
            self.only_first(body, begin, around);
            for vector in vectors.by_ref().take(self.vectors() as usize) {
                self.fetch(body, around, vector);
            }
        }
        vectors
    }

    /// Fetches a vector of the column side before the loop.
    fn fetch(&self, body: &mut Body, around: &Outer, vector: u32) {
        let begin = body.items.len();
        self.columns.fetch(body, self.lane, around, vector);
        self.only_first(body, begin, around);
    }

    /// Lets the items from one on issue in the first block of rows only, if later ones find there
    /// what they fetch.
    fn only_first(&self, body: &mut Body, begin: usize, around: &Outer) {
        let blocks = around.i.filter(|_| self.shape.stays);
        only(body, begin, blocks, Test::Is(0));
    }

    /// What follows the product, with constants that are there.
    pub fn with_constants(&self, mut stages: Vec<Stage>) -> Vec<Stage> {
        if self.has_constants() {
            for stage in &mut stages {
                if let Stage::Loop("finish", body) = stage {
                    Constants(Bank::Lm0).replace(body);
                }
            }
        }
        stages
    }

    /// Whether there are elements of 16 bits.
    fn has_constants(&self) -> bool {
        self.columns.parts == 2 || self.rows.is_of_halves()
    }

    /// Fetches the first of the row side of the next block.
    pub fn next(&self, around: &Outer) -> Option<Stage> {
        self.rows.next(around, &self.shape)
    }

    /// How many units ahead vectors of the column side are fetched.
    pub(super) fn ahead(&self) -> u32 {
        self.depth() / self.vectors()
    }

    /// All iterations as one loop, whose column side stays.
    pub(super) fn whole(&self) -> Phase {
        Phase {
            first: 0,
            count: self.iterations(),
            tiles: 0..self.shape.tiles / self.shape.span,
            side: Columns::Stay,
            units: Units { first: 1, each: 1 },
        }
    }

    /// The loops that multiply.
    pub fn phases(&self) -> Vec<Phase> {
        let tiles = self.shape.tiles / self.shape.span;
        let (all, twice) = (self.iterations(), self.shape.twice);
        // With so many units in each iteration.
        let phase = |first, count, each, tiles, side| Phase {
            first,
            count,
            tiles,
            side,
            units: Units {
                first: first + 1,
                each,
            },
        };
        if twice == 0 {
            let sides: &[Columns] = if self.shape.stays {
                &[Columns::Stay, Columns::Stayed]
            } else {
                &[Columns::Pass]
            };
            let whole = |&side| phase(0, all, 1, 0..tiles, side);
            return sides.iter().map(whole).collect();
        }
        let (first, half) = (all - twice, tiles / 2);
        let before = first + 1 - twice;
        vec![
            phase(0, before, 1, 0..tiles, Columns::Pass),
            phase(before, twice - 1, 2, 0..tiles, Columns::Pass),
            phase(first, twice, 0, 0..half, Columns::Keep),
            phase(first, twice, 0, half..tiles, Columns::Kept),
        ]
    }

    /// Iterations of a block.
    pub fn iterations(&self) -> u32 {
        self.shape.k_blocks / self.shape.span / self.turns
    }

    /// A loop that multiplies.
    pub fn multiply(&self, around: &Outer, phase: &Phase) -> Body {
        let outer = around.counts(&self.shape);
        let mut body = Body::new(&outer, &[phase.count]);
        let numbers = Numbers::along(&body, phase.first, 1);
        if phase.side != Columns::Kept {
            let units = phase.units;
            self.rows.make(&mut body, around, self.arithmetic, units);
            if phase.side != Columns::Stayed {
                self.columns(&mut body, around, phase);
            }
        }
        self.products(&mut body, &numbers, phase);
        match phase.side {
            Columns::Stay => only(&mut body, 0, around.i, Test::Is(0)),
            Columns::Stayed => only(&mut body, 0, around.i, Test::From(1)),
            Columns::Pass | Columns::Keep | Columns::Kept => {}
        }
        body
    }

    /// The items that multiply a unit's vectors of the column side by its tiles.
    pub(super) fn products(&self, body: &mut Body, numbers: &Numbers, phase: &Phase) {
        if !self.shape.keeps_blocks() {
            self.down(body, numbers, phase);
        }
        for turn in 0..self.turns {
            for tile in phase.tiles.clone() {
                self.tile(body, (turn, tile), numbers, phase);
            }
        }
    }

    /// The items that bring the vectors of the column side of an iteration, and fetch those that
    /// take their places.
    fn columns(&self, body: &mut Body, around: &Outer, phase: &Phase) {
        let time = body.dimensions() - 1;
        let numbers = Numbers::along(body, phase.first, 1);
        let (own, left) = (self.vectors(), self.iterations() - phase.first);
        let next = |part: u32| {
            let ahead = part + self.depth();
            let guard = Guard {
                dimension: time,
                test: Test::Below(left.saturating_sub(ahead / own)),
            };
            (ahead < own * left)
                .then(|| vec![guard])
                .into_iter()
                .collect()
        };
        self.columns_of(body, around, &numbers, (0..own, &next, phase));
    }

    /// The same of some of the vectors of a number: those that are fetched come in any of the cases
    /// that are given for them.
    pub(super) fn columns_of(
        &self,
        body: &mut Body,
        around: &Outer,
        numbers: &Numbers,
        (parts, next, phase): (Range<u32>, &dyn Fn(u32) -> Vec<Guards>, &Phase),
    ) {
        let (own, depth) = (self.vectors(), self.depth());
        let walk = scaled(&numbers.walk, own);
        let mut values: Vec<Operand> = Vec::new();
        let span = self.shape.span;
        // Where the block floats of a vector of so many neighbours go.
        let to = |number: u32| {
            let (turn, step) = (number / self.shape.steps, number % self.shape.steps);
            self.vector(numbers, turn, step, phase)
        };
        for part in parts {
            let number = numbers.first * own + part;
            for when in next(part) {
                let later = number + depth;
                let fetch = self
                    .columns
                    .r#move(self.lane, around, &walk, 0, Direction::In, later);
                body.push(fetch, Vec::new(), Vec::new()).when = when;
            }
            body.push(self.lane.wait(0, &walk, number), Vec::new(), Vec::new());
            for transfer in 0..self.columns.transfers() {
                let down = self.columns.down(self.lane, &walk, number, transfer);
                body.push(down, Vec::new(), Vec::new());
            }
            let down = self.lane.to_pes(&walk, number);
            if self.columns.parts == 2 {
                let first = part * 2 / span;
                let constants = match self.shape.l1bs {
                    true => Constants(Bank::Grf1),
                    false => Constants(to(first).bank),
                };
                let mut put = |body: &mut Body, own: u32, op: Op, input: Operand| {
                    body.push(op, vec![input], vec![to(first + own).into()]);
                };
                self.arithmetic
                    .block_of_halves(body, &down, &constants, part, &mut put);
                continue;
            }
            let value = body.value(Width::Long, Home::Any);
            body.push(down, Vec::new(), vec![value.into()]);
            values.push(value.into());
        }
        let mut put = |body: &mut Body, number: u32, op: Op, input: Operand| {
            body.push(op, vec![input], vec![to(number).into()]);
        };
        self.arithmetic.blocks(body, values, &mut put);
    }

    /// Where a vector of a turn's column side lies.
    fn vector(&self, numbers: &Numbers, turn: u32, step: u32, phase: &Phase) -> Place {
        let (bank, address) = self.of_turn(numbers, turn, phase);
        Place::consecutive(bank, Width::Long, address.plus(step * VECTOR_WORDS))
    }

    /// Where a turn's column side lies.
    pub(super) fn of_turn(&self, numbers: &Numbers, turn: u32, phase: &Phase) -> (Bank, Address) {
        let half = self.turns / 2;
        let bank = if turn < half { Bank::Lm0 } else { Bank::Lm1 };
        let size = half * self.shape.steps * VECTOR_WORDS;
        let first = turn % half * self.shape.steps * VECTOR_WORDS;
        let address = numbers.at(size).plus(first);
        let address = match phase.side {
            Columns::Pass => address.around(0, 2 * size),
            Columns::Keep | Columns::Kept => address.around(2 * size, phase.count * size),
            Columns::Stay | Columns::Stayed => address,
        };
        (bank, address)
    }

    /// The items that bring the tiles of an iteration to L1BM.
    fn down(&self, body: &mut Body, numbers: &Numbers, phase: &Phase) {
        let (l1, l2) = (self.l1bm(numbers), self.rows.made(numbers));
        let tile = self.arithmetic.tile_words(true);
        let turn = self.shape.tiles / self.shape.span * tile;
        let of_turn = phase.tiles.len() as u32 * tile;
        let sets = self.sets();
        for number in (0..self.turns * of_turn).step_by(DOWN as usize) {
            let in_turn = phase.tiles.start * tile + number % of_turn;
            let first = number / of_turn * turn;
            for (&set, own) in sets.iter().zip(0..) {
                let of_set = first * sets.len() as u32 + own * turn;
                let down = Op::L2bm {
                    op: L2bmOp {
                        set,
                        ..L2bmOp::new(L2bmKind::Broadcast)
                    },
                    l2: l2.clone().beyond(of_set + in_turn),
                    l1: l1.clone().beyond(first + in_turn),
                };
                body.push(down, Vec::new(), Vec::new());
            }
        }
    }

    /// The L1Bs that get the same tiles: those of a turn come one behind the other.
    fn sets(&self) -> &'static [L1bSet] {
        /// The first, and the second of each pair.
        const OF_PAIRS: [L1bSet; 2] = [L1bSet::new(0, 6), L1bSet::new(1, 6)];
        if self.shape.pairs {
            &OF_PAIRS
        } else {
            &[L1bSet::ALL]
        }
    }

    /// Where the tiles of a unit lie in L1BM.
    fn l1bm(&self, numbers: &Numbers) -> Address {
        let size = self.rows.made_words() / self.sets().len() as u32;
        numbers.at(size).around(L1BM, TILES)
    }

    /// The items that multiply by a tile of a turn.
    fn tile(&self, body: &mut Body, (turn, tile): (u32, u32), numbers: &Numbers, phase: &Phase) {
        let steps = self.shape.steps;
        let of_turn = self.shape.tiles / self.shape.span;
        let (bank, vectors) = self.of_turn(numbers, turn, phase);
        let number = turn * of_turn + tile;
        let words = number * self.arithmetic.tile_words(true);
        let l1 = if self.shape.keeps_blocks() {
            self.rows.kept(numbers, words)
        } else {
            self.l1bm(numbers).beyond(words)
        };
        let tile = Tile {
            number,
            l1: &l1,
            walk: &body.along(0),
            vectors: &|_| vectors.clone(),
            sums: &|words| Address::fixed(tile * steps * words),
            steps,
            prepared: true,
            own: None,
            bank,
        };
        self.arithmetic.tile(body, &tile);
    }
}
