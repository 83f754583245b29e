//! The shapes of a product: every way its result and its depth can be spread, each with what it
//! costs.

use tessera_isa_mncore::memory::{Bank, Precision};

use super::arithmetic::Arithmetic;
use super::behind;
use super::by_rows;
use super::cost::cost;
use super::flow;
use super::in_l1bs;
use super::prepare;
use super::rows::DOWN;
use super::shape::{
    of_vector, Extents, Halves, Over, Shape, Ways, CYCLES, L1BS, L2BS, MABS, ROW, VECTOR_WORDS,
};
use super::split::Split;
use super::streams::TRANSFER;
use super::vectors::{L2BM_CYCLE, L2BM_VECTOR};

/// Tiles of an iteration into which both sides flow, at most: each is there by itself in the loop.
const MOST_FLOWING: u32 = 32;

/// Whether a tile of a shape whose L1Bs have their own columns has one vector of them.
fn is_narrow(extents: &Extents) -> bool {
    let [_, columns] = of_vector(Over::Rows);
    extents.j <= columns
}

impl Shape {
    /// The shapes of a product, each with what it costs.
    pub fn of_product(extents: &Extents, ways: &Ways, arithmetic: Arithmetic) -> Vec<(Shape, u64)> {
        let mut shapes = Vec::new();
        let spread = |vectors, parts, most_tiles| {
            let shape = Shape::with_steps(extents, vectors, parts, most_tiles, arithmetic);
            Shape {
                halves: ways.halves,
                cycles: if ways.all_cycles {
                    CYCLES
                } else {
                    shape.cycles
                },
                ..shape
            }
        };
        for steps in [1, 2, 4, 8] {
            for most_tiles in [64, 32, 16, 8, 4, 2, 1] {
                let of = |parts| spread((steps, Over::Rows), parts, most_tiles);
                shapes.push(spread((steps, Over::Columns), 1, most_tiles));
                if ways.flow {
                    let of = |over| spread((steps, over), 1, most_tiles);
                    shapes.extend(Shape::all_flowing(extents, &of, ways, arithmetic));
                }
                for parts in [1, 2, 4, 8] {
                    let shape = of(parts);
                    let prepared = shape.preparing(arithmetic);
                    for shape in [Some(shape), prepared].into_iter().flatten() {
                        shapes.extend((parts == 1).then_some(shape));
                        shapes.extend(shape.going_ahead().filter(|_| ways.ahead));
                    }
                }
            }
        }
        let behind = shapes
            .iter()
            .filter_map(|shape| shape.leaving_behind(ways, arithmetic));
        let behind: Vec<Shape> = behind.collect();
        shapes.extend(behind);
        let splits = [Split::Mabs, Split::L2bs].into_iter();
        // Joined sums fill no whole cycles.
        for split in splits.filter(|_| !ways.all_cycles) {
            for steps in [1, 2, 4, 8, 16] {
                for most_tiles in [64, 32, 16, 8, 4, 2, 1] {
                    let shape = Shape::splitting(extents, (steps, split), most_tiles, arithmetic);
                    shapes.extend(shape.map(|shape| Shape {
                        halves: Halves {
                            result: false,
                            ..ways.halves
                        },
                        ..shape
                    }));
                }
            }
        }
        for steps in [2, 4, 8] {
            let shape = Shape::in_l1bs(extents, steps, ways, arithmetic);
            shapes.extend(shape);
        }
        let mut costs: Vec<(Shape, u64)> = Vec::new();
        for shape in shapes {
            if costs.iter().all(|(other, _)| *other != shape) {
                costs.push((shape, cost(&shape, arithmetic)));
            }
        }
        costs
    }

    /// The shapes into which both sides flow, given those of one tile over the rest.
    fn all_flowing(
        extents: &Extents,
        over: &dyn Fn(Over) -> Shape,
        ways: &Ways,
        arithmetic: Arithmetic,
    ) -> Vec<Shape> {
        let mut overs = vec![Over::Rows];
        if is_narrow(extents) {
            overs.extend([Over::Pairs, Over::L1bs]);
        }
        let mut shapes = Vec::new();
        for shape in overs.into_iter().map(over) {
            for turns in [2, 4, 8, 16] {
                let flowing = shape.flowing(turns, extents.k, ways, arithmetic);
                let twice = flowing.and_then(|shape| shape.going_twice(ways, arithmetic));
                let by_rows = shape.going_by_rows(turns, extents.k, ways, arithmetic);
                let stays = shape.staying(turns, extents.k, ways, arithmetic);
                shapes.extend([flowing, twice, by_rows, stays].into_iter().flatten());
            }
        }
        shapes
    }

    /// The shape whose sums are `steps` vectors wide and no more than so many high, and whose depth
    /// has at least so many chunks.
    fn with_steps(
        extents: &Extents,
        (steps, over): (u32, Over),
        parts: u32,
        most_tiles: u32,
        arithmetic: Arithmetic,
    ) -> Shape {
        let span = arithmetic.span();
        let most_tiles = most_tiles.min(arithmetic.most_sums() / steps);
        let [rows, _] = of_vector(over);
        let tiles = extents.i.div_ceil(rows).next_power_of_two();
        let tiles = tiles.min(most_tiles).max(span);
        let pair = 2 * span;
        let depth = extents.k.div_ceil(ROW).next_multiple_of(pair);
        let most_blocks = arithmetic.most_columns() / steps;
        let chunks = depth.div_ceil(most_blocks).max(parts.min(depth / pair));
        Shape {
            span,
            k_blocks: depth.div_ceil(chunks).next_multiple_of(pair),
            chunks,
            ..Shape::spread(extents, over, tiles, steps)
        }
    }

    /// The shape whose depth is split, and whose sums are `steps` vectors wide and no more than so
    /// many high; none if LM0 does not hold the column side.
    fn splitting(
        extents: &Extents,
        (steps, split): (u32, Split),
        most_tiles: u32,
        arithmetic: Arithmetic,
    ) -> Option<Shape> {
        if !arithmetic.splits() {
            return None;
        }
        let rows = if split.has_l2bs() { ROW } else { ROW * L2BS };
        let span = arithmetic.span();
        let tiles = extents.i.div_ceil(rows).next_power_of_two();
        let most_tiles = most_tiles.min(arithmetic.most_sums() / steps);
        let tiles = tiles.min(most_tiles).max(span);
        let k_blocks = extents.k.div_ceil(ROW * split.parts());
        let pair = if tiles == span && k_blocks > span {
            2 * span
        } else {
            span
        };
        let shape = Shape {
            matrices: extents.matrices,
            split: Some(split),
            tiles,
            steps,
            cycles: extents.j.min(CYCLES),
            i_blocks: extents.i.div_ceil(rows * tiles),
            j_blocks: extents.j.div_ceil(CYCLES * steps),
            span,
            k_blocks: k_blocks.next_multiple_of(pair),
            ..Shape::ONE
        };
        (shape.k_blocks * steps <= arithmetic.most_columns()).then_some(shape)
    }

    /// The shape whose depth goes over the MABs of an L1B, and whose blocks are so many vectors
    /// wide, if there is room for its row side.
    fn in_l1bs(
        extents: &Extents,
        steps: u32,
        ways: &Ways,
        arithmetic: Arithmetic,
    ) -> Option<Shape> {
        let span = arithmetic.span();
        let tiles = extents.i.div_ceil(ROW * L2BS).next_power_of_two();
        let k_blocks = extents.k.div_ceil(ROW * MABS / L1BS);
        let columns = L1BS * CYCLES * steps;
        let shape = Shape {
            in_l1bs: true,
            tiles: tiles.max(2 * span),
            steps,
            cycles: extents.j.min(CYCLES),
            j_blocks: extents.j.div_ceil(columns),
            span,
            k_blocks: k_blocks.next_multiple_of(span),
            halves: ways.halves,
            ..Shape::ONE
        };
        let of_rows = shape.tiles * shape.k_blocks / span * VECTOR_WORDS;
        let of_columns = 2 * shape.k_blocks / span * steps * VECTOR_WORDS;
        let possible = arithmetic.flows()
            && extents.matrices == 1
            && ways.plain
            && ways.flow
            && shape.vectors() <= in_l1bs::MOST_SUMS
            && in_l1bs::fits(&shape)
            && in_l1bs::row_vectors(&shape) <= in_l1bs::MOST_VECTORS
            && in_l1bs::own(&shape) <= in_l1bs::SLOTS
            && of_rows <= u32::from(Bank::Lm1.words())
            && of_columns <= u32::from(Bank::Lm0.words());
        possible.then_some(shape)
    }

    /// The same, with block floats of the row side made before, in chunks for which there is room.
    fn preparing(&self, arithmetic: Arithmetic) -> Option<Shape> {
        if !arithmetic.prepares() {
            return None;
        }
        let square = self.span * self.span;
        let tile = arithmetic.tile_words(true);
        let words = |blocks: u32| self.tiles * blocks / square * tile;
        // Of as many blocks are whole cycles.
        let least = (L2BM_CYCLE / words(square)).max(1) * square;
        let most = prepare::ROOM / words(least) * least;
        let depth = (self.k_blocks * self.chunks).next_multiple_of(least);
        let chunks = depth.div_ceil(most.min(self.k_blocks.next_multiple_of(least)).max(1));
        if most == 0 {
            return None;
        }
        let k_blocks = depth.div_ceil(chunks).next_multiple_of(least);
        let sizes = if self.halves.rows {
            [4, 2, 1]
        } else {
            [2, 2, 1]
        };
        let fits = |vector: &u32| words(k_blocks) % vector == 0;
        Some(Shape {
            prepared: sizes
                .map(|cycles| cycles * L2BM_CYCLE)
                .into_iter()
                .find(fits),
            k_blocks,
            chunks,
            ..*self
        })
    }

    /// The same, with both sides of so many turns at once flowing into one loop over the depth, if
    /// there is room for them.
    fn flowing(
        &self,
        turns: u32,
        depth: u32,
        ways: &Ways,
        arithmetic: Arithmetic,
    ) -> Option<Shape> {
        if !arithmetic.flows() {
            return None;
        }
        let tiles = turns * self.tiles / self.span;
        let words = tiles * arithmetic.tile_words(true);
        let (vectors, blocks) = arithmetic.unit(self.halves.rows);
        let of_l2bm = self.row_tiles() / self.tiles * words;
        let vector = of_l2bm / blocks;
        let shape = Shape {
            prepared: Some(vector),
            flow: Some(turns),
            k_blocks: depth.div_ceil(ROW).next_multiple_of(turns * self.span),
            chunks: 1,
            ..*self
        };
        let columns = turns * self.span * self.steps / shape.column_parts();
        let has_room = if shape.keeps_blocks() {
            // At least two of each are in L2BM, and a vector in L1BM.
            2 * vectors * vector <= prepare::units_room(&shape) && vector <= L2BM_VECTOR
        } else {
            words <= flow::TILES
                && of_l2bm <= prepare::ROOM / 2
                && vectors * vector <= prepare::SLOT
        };
        let fits = tiles <= MOST_FLOWING
            && vector % TRANSFER.0 == 0
            && has_room
            && columns <= flow::most_vectors(&shape)
            // Those of both L1Bs of a pair come by themselves.
            && (!self.pairs || words / turns % DOWN == 0)
            && ways.residents * self.steps * VECTOR_WORDS <= flow::RESIDENTS
            && shape.k_blocks >= 2 * turns * self.span;
        fits.then_some(shape)
    }

    /// The same, with the last iterations gone through twice, if there is one block of results that
    /// are nothing but the product, in pseudo-single precision, whose sums lie one behind the
    /// other. A quarter of the depth, if there is room for it in L2BM: that is about as long as the
    /// results of half of the tiles take to leave.
    fn going_twice(&self, ways: &Ways, arithmetic: Arithmetic) -> Option<Shape> {
        let turns = self.flow?;
        let iterations = self.k_blocks / turns;
        let words = turns * self.row_tiles() * arithmetic.tile_words(true);
        // The last unit is made while the iteration before them is multiplied.
        let twice = (iterations / 4).min((prepare::TWICE_ROOM / words).saturating_sub(1));
        let possible = ways.alone
            && !self.keeps_blocks()
            && arithmetic.precision() == Precision::Pseudo
            && self.blocks() == 1
            && self.tiles >= 4
            && self.results() % 2 == 0
            && self.results() / 2 <= flow::SLOTS
            && twice >= 2;
        possible.then_some(Shape { twice, ..*self })
    }

    /// The same, with the last quarter of the depth gone through tile by tile of the rows, if there
    /// is one block of results of bf16 that are nothing but the product of such, in pseudo-single
    /// precision, and room for all of the column side, and a quarter of the row side.
    fn going_by_rows(
        &self,
        turns: u32,
        depth: u32,
        ways: &Ways,
        arithmetic: Arithmetic,
    ) -> Option<Shape> {
        let units = depth.div_ceil(ROW).div_ceil(turns);
        let by_rows = units.div_ceil(by_rows::PARTS);
        let own = turns * self.steps / 2;
        let rows = Shape { by_rows, ..*self };
        let possible = ways.plain
            && arithmetic.precision() == Precision::Pseudo
            && self.halves
                == Halves {
                    rows: true,
                    columns: true,
                    result: true,
                }
            && !self.pairs
            && !self.l1bs
            && self.blocks() == 1
            && self.steps % 2 == 0
            && by_rows > 1
            && by_rows * turns <= MOST_FLOWING
            && own <= flow::SLOTS_BY_ROWS / 2
            && turns == 2;
        if !possible {
            return None;
        }
        let shape = rows.flowing(
            turns,
            by_rows * by_rows::PARTS * turns * ROW,
            ways,
            arithmetic,
        )?;
        let words = turns * shape.tiles * arithmetic.tile_words(true);
        let columns = shape.k_blocks / 2 * shape.steps * VECTOR_WORDS;
        let fits = (by_rows + 2) * words <= prepare::BY_ROWS_ROOM
            && shape
                .prepared
                .is_some_and(|vector| 2 * vector <= prepare::units_room(&shape))
            && columns + by_rows::WORDS <= flow::RESIDENTS;
        fits.then_some(shape)
    }

    /// The same, with a column side that stays for all blocks of rows, if there are some, of
    /// results that are nothing but the product, and room for both: for results in L1BM, from where
    /// they leave in pieces, no more than one in an iteration.
    fn staying(
        &self,
        turns: u32,
        depth: u32,
        ways: &Ways,
        arithmetic: Arithmetic,
    ) -> Option<Shape> {
        let stays = Shape {
            stays: true,
            behind: true,
            ..*self
        };
        let shape = stays.flowing(turns, depth, ways, arithmetic)?;
        let times = shape.k_blocks / shape.span;
        let (vectors, _) = arithmetic.unit(shape.halves.rows);
        let units = prepare::flow_slots(&shape, vectors * shape.prepared?);
        let landed = times * shape.steps * VECTOR_WORDS / 2;
        let possible = ways.alone
            && !shape.pairs
            && !shape.l1bs
            && shape.i_blocks > 1
            && shape.blocks() == shape.i_blocks
            && shape.cycles == CYCLES
            && landed <= flow::RESIDENTS
            // Those of the next block come to the places of their numbers.
            && times / turns % units == 0
            && behind::pieces(shape.results(), times / turns).is_some();
        possible.then_some(shape)
    }

    /// The same, with the next chunk brought while one is multiplied, if there is time and room in
    /// LM1 for that: a vector takes the time of a pair of tiles.
    fn going_ahead(&self) -> Option<Shape> {
        let shape = Shape {
            ahead: true,
            ..*self
        };
        let has_time = shape.tiles >= 2 * shape.span * shape.groups();
        let landed = shape.brought_vectors() * VECTOR_WORDS;
        let has_room = landed <= u32::from(Bank::Lm1.words());
        (shape.chunks > 1 && has_time && has_room).then_some(shape)
    }

    /// The same, with results that leave while the next block is multiplied, if there is one, and
    /// time and room for that.
    fn leaving_behind(&self, ways: &Ways, arithmetic: Arithmetic) -> Option<Shape> {
        if self.flow.is_some() {
            return None;
        }
        let tiles = 2 * self.span * self.span;
        let prepared = self.prepared.is_some();
        let length = arithmetic.steps(tiles.into(), self.steps.into(), prepared) as u32;
        let rows = arithmetic.row_transfers(tiles.into(), prepared) as u32;
        let period = behind::period(self, length, rows)?;
        let put_down = match self.chunks {
            1 => 0,
            _ => self.brought_vectors() + self.results(),
        };
        let room = u32::from(Bank::Lm1.words()) / VECTOR_WORDS;
        let possible = self.blocks() > 1 && put_down + ways.residents * self.steps <= room;
        possible.then_some(Shape {
            behind: true,
            period,
            ..*self
        })
    }
}
