//! How a result is spread over the chip.
//!
//! The rows of the result (or its columns, if the sides change places) are the index `i`, the
//! others `j`:
//!
//! | part of the index | of `i` | of `j` |
//! |---|---|---|
//! | least | word and PE: 8 | MAB: 16, L1B: 8, cycle: 4 |
//! | then, in time | `tiles`, vectors | `steps`, vectors |
//! | then | L2B and group: 8 | |
//! | then, outer loops | `i_blocks` | `j_blocks` |
//!
//! In a shape of *pairs* the two L1Bs of each pair have their own rows, and the four pairs their
//! own columns: `i` has the least bit of L1B, behind time, and `j` the two others. Of few columns,
//! all cycles of a vector have some. Both L1Bs of a pair get the same of the column side, and of
//! the row side the first ones of all pairs, or the second ones; only where both sides flow into
//! one loop ([`super::flow`]).
//!
//! In a shape of *L1Bs* groups and L1Bs have their own rows, the two L2Bs of a group and MABs their
//! own columns: `i` has L1B and group, behind time, `j` MAB, L2B of a group and cycle. All L1Bs of
//! an L2B get the same of the column side, and both L2Bs of a group of the row side. Of little on
//! both sides a tile is used for more vectors than where L1Bs have their own columns; only where
//! both sides flow into one loop, too.
//!
//! In a *wide* shape `j` has the L2Bs and groups, between MABs and L1Bs and time. A product then
//! gives all L2Bs the same rows, and each its own columns; its results lie as the next product's
//! column side does.
//!
//! What is reduced along `i` may be *tall*: wide, but with cycles in `i`, behind word and PE. Where
//! columns do not fill them, they would be idle.
//!
//! Of few columns, some cycles of vectors have nothing: they are worked on, but not moved.
//!
//! The depth `k` of a product goes through time in blocks of 8, those in word and PE. In a *split*
//! shape it has MABs and L1Bs, too, or all places: then columns have only cycles and time. *In
//! L1Bs* it has their MABs, and columns have L1Bs and cycles ([`super::in_l1bs`]).

use super::split::Split;
use super::vectors::Form;

/// Elements of `i` or `k` in the words and PEs of a MAB.
pub(super) const ROW: u32 = 8;
/// L2B of the chip.
pub(super) const L2BS: u32 = 8;
/// L1Bs of a pair.
const PAIR: u32 = 2;
/// Groups, L2Bs of one, L1Bs of an L2B.
const GROUPS: u32 = 4;
const L2BS_OF_GROUP: u32 = L2BS / GROUPS;
pub(super) const L1BS: u32 = 8;
/// MABs of an L2B.
pub(super) const MABS: u32 = 128;
/// Columns of a vector whose L2Bs have their own.
pub(super) const WIDE_STEP: u32 = L2BS * MABS * CYCLES;
/// Columns of a step: its cycles.
pub(super) const CYCLES: u32 = 4;
/// Single words of a vector in each PE.
pub(super) const VECTOR_WORDS: u32 = 8;

/// The extents of a product, or of element-wise work, which has no depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extents {
    pub matrices: u32,
    pub i: u32,
    pub j: u32,
    pub k: u32,
}

/// How a result is spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub matrices: u32,
    /// Whether L2Bs have their own columns, not their own rows.
    pub wide: bool,
    /// Whether the L1Bs of a pair have their own rows, and pairs their own columns.
    pub pairs: bool,
    /// Whether groups and L1Bs have their own rows, and the L2Bs of a group and MABs their own
    /// columns.
    pub l1bs: bool,
    /// Whether cycles hold rows, not columns; only of what is wide, and of no product.
    pub tall: bool,
    /// Over which places the depth goes, besides time.
    pub split: Option<Split>,
    /// Whether the depth goes over the MABs of an L1B: [`super::in_l1bs`].
    pub in_l1bs: bool,
    /// Row tiles of a block, a power of two.
    pub tiles: u32,
    /// Vectors of columns of a block, a power of two.
    pub steps: u32,
    /// Cycles of a vector that have columns, or rows if it is tall.
    pub cycles: u32,
    pub i_blocks: u32,
    pub j_blocks: u32,
    /// How many vectors of the depth, and of rows, the matrix unit takes at once.
    pub span: u32,
    /// Blocks of 8 of the depth in a chunk that LM0 holds: pairs of what the matrix unit takes.
    pub k_blocks: u32,
    /// Chunks of the depth.
    pub chunks: u32,
    /// Long words of the vectors of which block floats of the row side are made before they are
    /// needed, if they are.
    pub prepared: Option<u32>,
    /// Of how many turns an iteration is, if both sides flow into one loop.
    pub flow: Option<u32>,
    /// Its last iterations that are gone through twice, with half of the row tiles each.
    pub twice: u32,
    /// Those of its last iterations whose tiles of rows are gone through one after the other
    /// ([`super::by_rows`]).
    pub by_rows: u32,
    /// Whether its column side stays in LM0 and LM1 for all blocks of rows. Then results leave
    /// while the next block is multiplied.
    pub stays: bool,
    /// Which of its tensors lie in 16 bits where two vectors can be one in DRAM.
    pub halves: Halves,
    /// Whether the column side of the next chunk is brought while one is multiplied.
    pub ahead: bool,
    /// Whether results leave while the next block is multiplied.
    pub behind: bool,
    /// Of how many pairs of row tiles transfers to L1BM are gathered, that others have time.
    pub period: u32,
}

/// Which tensors of a product have elements of 16 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Halves {
    pub rows: bool,
    pub columns: bool,
    pub result: bool,
}

/// What a product does besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ways {
    /// Whether its column side can be brought ahead, and whether it can flow into the product's
    /// loop.
    pub ahead: bool,
    pub flow: bool,
    /// Whether no other tensors are read for its results, and whether these are nothing but the
    /// product, rounded at most.
    pub alone: bool,
    pub plain: bool,
    /// Tensors that are brought to LM1 before results leave, at most.
    pub residents: u32,
    /// Whether cycles that hold no columns are moved, too, as results are not determined otherwise.
    pub all_cycles: bool,
    pub halves: Halves,
}

impl Shape {
    /// Whether block floats of the row side stay in L1BM: each L1B has its own rows, and so all
    /// that there is to its tiles.
    pub fn keeps_blocks(&self) -> bool {
        self.l1bs
    }

    /// How vectors of results are spread, but for those of a split shape, which are joined.
    pub fn results_form(&self) -> Form {
        match (self.wide, self.tall) {
            (true, true) => Form::Tall,
            (true, false) => Form::Wide,
            (false, _) if self.pairs => Form::OwnPairs,
            (false, _) if self.l1bs => Form::OwnL1bs,
            (false, _) => Form::Own,
        }
    }

    /// Rows of a vector in each L2B.
    pub fn row(&self) -> u32 {
        if self.tall {
            ROW * CYCLES
        } else {
            ROW
        }
    }

    /// The vectors of so many rows, of what is reduced along them.
    pub fn along(&self, rows: u32) -> Shape {
        let cycles = if self.tall {
            rows.div_ceil(ROW).min(CYCLES)
        } else {
            self.cycles
        };
        Shape {
            tiles: rows.div_ceil(self.row()),
            cycles,
            ..*self
        }
    }

    /// How those of a product's column side are.
    pub fn columns_form(&self) -> Form {
        match self.split {
            Some(split) => Form::Parts(split),
            None if self.in_l1bs => Form::PartsInL1bs,
            None if self.wide => Form::Deep,
            None if self.pairs => Form::SamePairs,
            None if self.l1bs => Form::SameL1bs,
            None => Form::Same,
        }
    }

    /// Vectors of sums in GRF0, or of results without a product.
    pub fn vectors(&self) -> u32 {
        self.tiles * self.steps
    }

    /// Blocks of results.
    pub fn blocks(&self) -> u32 {
        self.matrices * self.j_blocks * self.i_blocks
    }

    /// Tiles of an iteration: one for each side of the matrix registers, but for a product of one.
    pub fn tiles_at_once(&self) -> u32 {
        let is_one = self.tiles == self.span && self.k_blocks == self.span;
        if is_one {
            1
        } else {
            2
        }
    }

    /// Turns of a chunk: tiles of the depth, two at a time with one row tile.
    pub fn turns(&self) -> u32 {
        let alone = self.tiles == self.span;
        self.k_blocks / self.span / if alone { self.tiles_at_once() } else { 1 }
    }

    /// Iterations of a turn, each of two tiles.
    pub fn pairs(&self) -> u32 {
        (self.tiles / self.span).div_ceil(2)
    }

    /// How many vectors of the column side are one in DRAM. What is brought ahead has one at least
    /// in each turn.
    pub fn column_parts(&self) -> u32 {
        let alone = self.ahead && self.span * self.steps == 1;
        let odd = self.split.is_some() && self.k_blocks * self.steps % 2 == 1;
        if self.halves.columns && !alone && !odd {
            2
        } else {
            1
        }
    }

    /// How many vectors of a split row side are one in DRAM.
    pub fn row_parts(&self) -> u32 {
        if self.halves.rows {
            2
        } else {
            1
        }
    }

    /// Results as they leave.
    pub fn results(&self) -> u32 {
        let halves = self.halves.result && self.vectors() % 2 == 0;
        self.vectors() / if halves { 2 } else { 1 }
    }

    /// Vectors of the column side that are brought in a turn.
    pub fn groups(&self) -> u32 {
        if self.ahead {
            self.span * self.steps / self.column_parts()
        } else {
            1
        }
    }

    /// Transfers between L2BM and L1BM for a vector of the column side.
    pub fn transfers(&self) -> u32 {
        self.columns_form().transfers(self.cycles)
    }

    /// Row tiles that come to an L2B: for all of its L1Bs, for those of a pair or for each.
    pub fn row_tiles(&self) -> u32 {
        let own = match (self.pairs, self.l1bs) {
            (true, _) => PAIR,
            (_, true) => L1BS,
            _ => 1,
        };
        self.tiles * own
    }

    /// Vectors that the column side of a chunk takes in LM1.
    pub fn brought_vectors(&self) -> u32 {
        if self.ahead {
            self.k_blocks * self.steps / self.column_parts()
        } else {
            0
        }
    }

    /// A result in blocks of so many row tiles and vectors of columns.
    pub fn spread(extents: &Extents, over: Over, tiles: u32, steps: u32) -> Shape {
        let [rows, columns] = of_vector(over);
        Shape {
            matrices: extents.matrices,
            wide: over == Over::Columns,
            pairs: over == Over::Pairs,
            l1bs: over == Over::L1bs,
            tiles,
            steps,
            cycles: extents.j.div_ceil(columns / CYCLES).min(CYCLES),
            i_blocks: extents.i.div_ceil(rows * tiles),
            j_blocks: extents.j.div_ceil(columns * steps),
            ..Shape::ONE
        }
    }

    /// The shapes of element-wise work: first that with as few blocks as there can be, then those
    /// of which products leave their results.
    pub fn of_elements(extents: &Extents) -> Vec<Shape> {
        const MOST_STEPS: u32 = 8;
        const MOST_TILES: u32 = 1024;
        let most_steps = |over| {
            let [_, columns] = of_vector(over);
            let vectors = extents.j.div_ceil(columns);
            vectors.next_power_of_two().min(MOST_STEPS)
        };
        let spread = |over, tiles, steps| Shape::spread(extents, over, tiles, steps);
        let tall = extents.i.div_ceil(ROW * L2BS).next_power_of_two();
        let tall = tall.min(MOST_TILES);
        let mut shapes = vec![spread(Over::Rows, tall, most_steps(Over::Rows))];
        for steps in [1, 2, 4, MOST_STEPS] {
            if steps <= most_steps(Over::Columns) {
                // As many rows as a product's depth is rounded up to.
                let tiles = extents.i.div_ceil(ROW).next_multiple_of(4);
                shapes.push(spread(Over::Columns, tiles.min(MOST_TILES), steps));
            }
            if steps <= most_steps(Over::Rows) {
                let tiles = (0..=tall.ilog2()).map(|bits| spread(Over::Rows, 1 << bits, steps));
                shapes.extend(tiles);
            }
        }
        shapes
    }

    /// A shape of what is reduced along `i`, which only words, PEs, time and, if it is tall, cycles
    /// have; `j` has the L2Bs, and at most so many vectors of a block.
    pub fn of_reduction(extents: &Extents, most_steps: u32, tall: bool) -> Shape {
        let step = if tall { L2BS * MABS } else { WIDE_STEP };
        let steps = extents.j.div_ceil(step).next_power_of_two();
        let steps = steps.min(most_steps);
        let shape = Shape {
            matrices: extents.matrices,
            wide: true,
            tall,
            steps,
            cycles: cycles(extents.j.div_ceil(L2BS)),
            j_blocks: extents.j.div_ceil(step * steps),
            ..Shape::ONE
        };
        shape.along(extents.i)
    }

    /// A vector without a product.
    pub const ONE: Shape = Shape {
        matrices: 1,
        wide: false,
        pairs: false,
        l1bs: false,
        tall: false,
        split: None,
        in_l1bs: false,
        tiles: 1,
        steps: 1,
        cycles: CYCLES,
        i_blocks: 1,
        j_blocks: 1,
        span: 1,
        k_blocks: 0,
        chunks: 1,
        prepared: None,
        flow: None,
        twice: 0,
        by_rows: 0,
        stays: false,
        halves: Halves {
            rows: false,
            columns: false,
            result: false,
        },
        ahead: false,
        behind: false,
        period: 1,
    };
}

/// Cycles of a vector that hold so many columns.
fn cycles(columns: u32) -> u32 {
    columns.div_ceil(MABS).min(CYCLES)
}

/// Whose index has L2Bs, and the L1Bs of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Over {
    /// That of rows has L2Bs.
    Rows,
    /// That of rows has both.
    Pairs,
    /// That of rows has groups and L1Bs, that of columns the L2Bs of a group.
    L1bs,
    /// That of columns has both.
    Columns,
}

/// Rows and columns of a vector in all L2Bs.
pub(super) fn of_vector(over: Over) -> [u32; 2] {
    match over {
        Over::Rows => [ROW * L2BS, MABS * CYCLES],
        Over::Pairs => [ROW * L2BS * PAIR, MABS / PAIR * CYCLES],
        Over::L1bs => [ROW * GROUPS * L1BS, MABS / L1BS * L2BS_OF_GROUP * CYCLES],
        Over::Columns => [ROW, WIDE_STEP],
    }
}
