//! The distributions of a matrix product: enumerates the design space, with the cost of each point.

use tessera_isa_mncore::memory::{Bank, Precision};

use super::arithmetic::Arithmetic;
use super::cost::cost;
use super::pipelined::product as pipelined_product;
use super::pipelined::row_ordered_drain;
use super::{block_float_rows, deferred_store, k_over_mabs};
use crate::compile::data::distribution::{
    vector_extent, Bf16Tensors, Distribution, Extents, Mapping, ProductTraits,
};
use crate::compile::data::geometry::{
    CYCLES, DOWN, L1BS, L2BM_CYCLE, L2BM_VECTOR, L2BS, MABS, ROW, TRANSFER, VECTOR_WORDS,
};
use crate::compile::data::vector_layout::SplitK;

/// Maximum number of tiles in an iteration of a pipelined product, each with its own items in the
/// loop.
const MAX_PIPELINED_TILES: u32 = 32;

/// Returns whether one vector holds all columns when L1Bs have their own.
fn is_narrow(extents: &Extents) -> bool {
    let [_, columns] = vector_extent(Mapping::RowsOverL2bs);
    extents.j <= columns
}

impl Distribution {
    /// Returns the distributions of a product, each with its cost.
    pub fn for_product(
        extents: &Extents,
        traits: &ProductTraits,
        arithmetic: Arithmetic,
    ) -> Vec<(Distribution, u64)> {
        let mut distributions = Vec::new();
        let distribute = |vectors, parts, max_tiles| {
            let limits = (parts, max_tiles);
            let distribution = Distribution::blocked(extents, vectors, limits, arithmetic);
            Distribution {
                bf16: traits.bf16,
                cycles: if traits.transfers_all_cycles {
                    CYCLES
                } else {
                    distribution.cycles
                },
                ..distribution
            }
        };
        for steps in [1, 2, 4, 8] {
            for max_tiles in [64, 32, 16, 8, 4, 2, 1] {
                let of = |parts| distribute((steps, Mapping::RowsOverL2bs), parts, max_tiles);
                distributions.push(distribute((steps, Mapping::ColumnsOverL2bs), 1, max_tiles));
                if traits.can_pipeline {
                    let of = |over| distribute((steps, over), 1, max_tiles);
                    distributions.extend(Distribution::pipelined_variants(
                        extents, &of, traits, arithmetic,
                    ));
                }
                for parts in [1, 2, 4, 8] {
                    let distribution = of(parts);
                    let prepared = distribution.with_conversion(arithmetic);
                    for distribution in [Some(distribution), prepared].into_iter().flatten() {
                        distributions.extend((parts == 1).then_some(distribution));
                        distributions
                            .extend(distribution.with_prefetch().filter(|_| traits.can_prefetch));
                    }
                }
            }
        }
        let behind = distributions
            .iter()
            .filter_map(|distribution| distribution.with_deferred_results(traits, arithmetic));
        let behind: Vec<Distribution> = behind.collect();
        distributions.extend(behind);
        let splits = [SplitK::Mabs, SplitK::L2bs].into_iter();
        // Reduced sums do not fill whole cycles.
        for split in splits.filter(|_| !traits.transfers_all_cycles) {
            for steps in [1, 2, 4, 8, 16] {
                for max_tiles in [64, 32, 16, 8, 4, 2, 1] {
                    let distribution =
                        Distribution::with_split_k(extents, (steps, split), max_tiles, arithmetic);
                    distributions.extend(distribution.map(|distribution| Distribution {
                        bf16: Bf16Tensors {
                            result: false,
                            ..traits.bf16
                        },
                        ..distribution
                    }));
                }
            }
        }
        for steps in [2, 4, 8] {
            let distribution = Distribution::with_k_over_mabs(extents, steps, traits, arithmetic);
            distributions.extend(distribution);
        }
        let mut costs: Vec<(Distribution, u64)> = Vec::new();
        for distribution in distributions {
            if costs.iter().all(|(other, _)| *other != distribution) {
                costs.push((distribution, cost(&distribution, arithmetic)));
            }
        }
        costs
    }

    /// Returns the pipelined variants of given distributions.
    fn pipelined_variants(
        extents: &Extents,
        over: &dyn Fn(Mapping) -> Distribution,
        traits: &ProductTraits,
        arithmetic: Arithmetic,
    ) -> Vec<Distribution> {
        let mut overs = vec![Mapping::RowsOverL2bs];
        if is_narrow(extents) {
            overs.extend([Mapping::RowsOverL1bPairs, Mapping::RowsOverL1bs]);
        }
        let mut blocked: Vec<Distribution> = overs.into_iter().map(over).collect();
        // With columns over groups, results are column sides of one vector each.
        let in_groups = over(Mapping::ColumnsOverGroups);
        if in_groups.steps == 1 {
            let packs = traits.bf16.columns || traits.bf16.result;
            blocked.extend(packs.then_some(in_groups));
            blocked.push(in_groups.unpacked());
        }
        let mut distributions = Vec::new();
        for distribution in blocked {
            for turns in [2, 4, 8, 16] {
                let flowing = distribution.with_pipelining(turns, extents.k, traits, arithmetic);
                let twice = flowing
                    .and_then(|distribution| distribution.with_split_epilogue(traits, arithmetic));
                let by_rows =
                    distribution.with_row_ordered_drain(turns, extents.k, traits, arithmetic);
                let stays =
                    distribution.with_resident_columns(turns, extents.k, traits, arithmetic);
                distributions.extend([flowing, twice, by_rows, stays].into_iter().flatten());
            }
        }
        distributions
    }

    /// Returns the distribution with sums of `steps` column vectors, at most `max_tiles` row
    /// tiles, and at least `parts` chunks.
    fn blocked(
        extents: &Extents,
        (steps, over): (u32, Mapping),
        (parts, max_tiles): (u32, u32),
        arithmetic: Arithmetic,
    ) -> Distribution {
        let span = arithmetic.span();
        let max_tiles = max_tiles.min(arithmetic.max_sums() / steps);
        let [rows, _] = vector_extent(over);
        let needed = extents.i.div_ceil(rows);
        let tiles = match over {
            // The tiles of a unit can lie apart if it is a single vector.
            Mapping::ColumnsOverGroups if needed <= max_tiles && span == 1 => needed,
            _ => needed.next_power_of_two(),
        };
        let tiles = tiles.min(max_tiles).max(span);
        let pair = 2 * span;
        let depth = extents.k.div_ceil(ROW).next_multiple_of(pair);
        let max_blocks = arithmetic.max_columns() / steps;
        let chunks = depth.div_ceil(max_blocks).max(parts.min(depth / pair));
        Distribution {
            span,
            k_blocks: depth.div_ceil(chunks).next_multiple_of(pair),
            chunks,
            ..Distribution::new(extents, over, tiles, steps)
        }
    }

    /// Returns the split-K distribution with sums of `steps` column vectors and at most
    /// `max_tiles` row tiles; `None` if LM0 cannot hold the column side.
    fn with_split_k(
        extents: &Extents,
        (steps, split): (u32, SplitK),
        max_tiles: u32,
        arithmetic: Arithmetic,
    ) -> Option<Distribution> {
        if !arithmetic.supports_split_k() {
            return None;
        }
        let rows = if split.has_l2bs() { ROW } else { ROW * L2BS };
        let span = arithmetic.span();
        let tiles = extents.i.div_ceil(rows).next_power_of_two();
        let max_tiles = max_tiles.min(arithmetic.max_sums() / steps);
        let tiles = tiles.min(max_tiles).max(span);
        let k_blocks = extents.k.div_ceil(ROW * split.parts());
        let pair = if tiles == span && k_blocks > span {
            2 * span
        } else {
            span
        };
        let distribution = Distribution {
            matrices: extents.matrices,
            split_k: Some(split),
            tiles,
            steps,
            cycles: extents.j.min(CYCLES),
            i_blocks: extents.i.div_ceil(rows * tiles),
            j_blocks: extents.j.div_ceil(CYCLES * steps),
            span,
            k_blocks: k_blocks.next_multiple_of(pair),
            ..Distribution::ONE
        };
        (distribution.k_blocks * steps <= arithmetic.max_columns()).then_some(distribution)
    }

    /// Returns the distribution with the depth over MABs and blocks of `steps` column vectors, if
    /// the row side fits.
    fn with_k_over_mabs(
        extents: &Extents,
        steps: u32,
        traits: &ProductTraits,
        arithmetic: Arithmetic,
    ) -> Option<Distribution> {
        let span = arithmetic.span();
        let tiles = extents.i.div_ceil(ROW * L2BS).next_power_of_two();
        let k_blocks = extents.k.div_ceil(ROW * MABS / L1BS);
        let columns = L1BS * CYCLES * steps;
        let distribution = Distribution {
            k_over_mabs: true,
            tiles: tiles.max(2 * span),
            steps,
            cycles: extents.j.min(CYCLES),
            j_blocks: extents.j.div_ceil(columns),
            span,
            k_blocks: k_blocks.next_multiple_of(span),
            bf16: traits.bf16,
            ..Distribution::ONE
        };
        let of_rows = distribution.tiles * distribution.k_blocks / span * VECTOR_WORDS;
        let of_columns = 2 * distribution.k_blocks / span * steps * VECTOR_WORDS;
        let possible = arithmetic.supports_pipelining()
            && extents.matrices == 1
            && traits.is_plain
            && traits.can_pipeline
            && distribution.vectors() <= k_over_mabs::MAX_SUMS
            && k_over_mabs::halves_are_aligned(&distribution)
            && k_over_mabs::row_vectors(&distribution) <= k_over_mabs::MAX_ROW_VECTORS
            && k_over_mabs::column_vectors(&distribution) <= k_over_mabs::SLOTS
            && of_rows <= u32::from(Bank::Lm1.words())
            && of_columns <= u32::from(Bank::Lm0.words());
        possible.then_some(distribution)
    }

    /// Returns the variant that converts the row side to block floats in advance, in chunks that
    /// fit.
    fn with_conversion(&self, arithmetic: Arithmetic) -> Option<Distribution> {
        if !arithmetic.converts_in_advance() {
            return None;
        }
        let square = self.span * self.span;
        let tile = arithmetic.tile_words(true);
        let words = |blocks: u32| self.tiles * blocks / square * tile;
        // The smallest number of blocks that fills whole cycles.
        let least = (L2BM_CYCLE / words(square)).max(1) * square;
        let most = block_float_rows::ROOM / words(least) * least;
        let depth = (self.k_blocks * self.chunks).next_multiple_of(least);
        let chunks = depth.div_ceil(most.min(self.k_blocks.next_multiple_of(least)).max(1));
        if most == 0 {
            return None;
        }
        let k_blocks = depth.div_ceil(chunks).next_multiple_of(least);
        let sizes = if self.bf16.rows { [4, 2, 1] } else { [2, 2, 1] };
        let fits = |vector: &u32| words(k_blocks) % vector == 0;
        Some(Distribution {
            prepared: sizes
                .map(|cycles| cycles * L2BM_CYCLE)
                .into_iter()
                .find(fits),
            k_blocks,
            chunks,
            ..*self
        })
    }

    /// Returns the pipelined variant: one loop over the depth loads both sides, `turns` turns per
    /// iteration, if they fit.
    fn with_pipelining(
        &self,
        turns: u32,
        depth: u32,
        traits: &ProductTraits,
        arithmetic: Arithmetic,
    ) -> Option<Distribution> {
        if !arithmetic.supports_pipelining() {
            return None;
        }
        let tiles = turns * self.tiles / self.span;
        let words = tiles * arithmetic.tile_words(true);
        let (vectors, blocks) = arithmetic.unit(self.bf16.rows);
        let of_l2bm = self.row_tiles() / self.tiles * words;
        let vector = of_l2bm / blocks;
        let distribution = Distribution {
            prepared: Some(vector),
            pipelined: Some(turns),
            k_blocks: depth.div_ceil(ROW).next_multiple_of(turns * self.span),
            chunks: 1,
            ..*self
        };
        let columns = turns * self.span * self.steps / distribution.column_parts();
        let has_room = if distribution.keeps_rows_in_l1bm() {
            // L2BM holds at least two of each, and L1BM a vector.
            2 * vectors * vector <= block_float_rows::unit_words(&distribution)
                && vector <= L2BM_VECTOR
        } else {
            words <= pipelined_product::TILES
                && of_l2bm <= block_float_rows::ROOM / 2
                && vectors * vector <= block_float_rows::SLOT
        };
        let fits = tiles <= MAX_PIPELINED_TILES
            && vector % TRANSFER.0 == 0
            && has_room
            && columns <= pipelined_product::max_column_vectors(&distribution)
            // The tiles of both L1Bs of a pair are transferred separately.
            && (self.mapping != Mapping::RowsOverL1bPairs || words / turns % DOWN == 0)
            && traits.max_residents * self.steps * VECTOR_WORDS <= pipelined_product::RESIDENTS
            && distribution.k_blocks >= 2 * turns * self.span;
        fits.then_some(distribution)
    }

    /// Returns the variant with a split epilogue. It requires one block of plain pseudo-single
    /// results with contiguous sums. The epilogue takes a quarter of the depth, if L2BM has room:
    /// about the time in which half of the results are stored.
    fn with_split_epilogue(
        &self,
        traits: &ProductTraits,
        arithmetic: Arithmetic,
    ) -> Option<Distribution> {
        let turns = self.pipelined?;
        let iterations = self.k_blocks / turns;
        let words = turns * self.row_tiles() * arithmetic.tile_words(true);
        // The last unit is converted in the iteration before the epilogue.
        let twice = (iterations / 4).min((block_float_rows::TWICE_ROOM / words).saturating_sub(1));
        let possible = traits.reads_no_others
            && !self.keeps_rows_in_l1bm()
            && arithmetic.precision() == Precision::Pseudo
            && self.blocks() == 1
            && self.tiles >= 4
            && self.results() % 2 == 0
            && self.results() / 2 <= pipelined_product::SLOTS
            && twice >= 2;
        possible.then_some(Distribution {
            split_epilogue: twice,
            ..*self
        })
    }

    /// Returns the variant with a row-ordered drain of the last quarter of the depth. It requires
    /// one block of a plain bf16 product in pseudo-single precision, with room for the column side
    /// and a quarter of the row side.
    fn with_row_ordered_drain(
        &self,
        turns: u32,
        depth: u32,
        traits: &ProductTraits,
        arithmetic: Arithmetic,
    ) -> Option<Distribution> {
        let units = depth.div_ceil(ROW).div_ceil(turns);
        let by_rows = units.div_ceil(row_ordered_drain::PARTS);
        let own = turns * self.steps / 2;
        let rows = Distribution {
            row_ordered: by_rows,
            ..*self
        };
        let possible = traits.is_plain
            && arithmetic.precision() == Precision::Pseudo
            && self.bf16
                == Bf16Tensors {
                    rows: true,
                    columns: true,
                    result: true,
                }
            && self.has_same_rows_in_l1bs()
            && self.blocks() == 1
            && self.steps % 2 == 0
            && by_rows > 1
            && by_rows * turns <= MAX_PIPELINED_TILES
            && own <= pipelined_product::SLOTS_BY_ROWS / 2
            && turns == 2;
        if !possible {
            return None;
        }
        let distribution = rows.with_pipelining(
            turns,
            by_rows * row_ordered_drain::PARTS * turns * ROW,
            traits,
            arithmetic,
        )?;
        let words = turns * distribution.tiles * arithmetic.tile_words(true);
        let columns = distribution.k_blocks / 2 * distribution.steps * VECTOR_WORDS;
        let fits = (by_rows + 2) * words <= block_float_rows::BY_ROWS_ROOM
            && distribution
                .prepared
                .is_some_and(|vector| 2 * vector <= block_float_rows::unit_words(&distribution))
            && columns + row_ordered_drain::RESERVED_LM0_WORDS <= pipelined_product::RESIDENTS;
        fits.then_some(distribution)
    }

    /// Returns the variant whose column side stays resident for all blocks of rows. It requires
    /// several blocks of plain results and room in L1BM, from where results leave in at most one
    /// piece per iteration.
    fn with_resident_columns(
        &self,
        turns: u32,
        depth: u32,
        traits: &ProductTraits,
        arithmetic: Arithmetic,
    ) -> Option<Distribution> {
        let stays = Distribution {
            resident_columns: true,
            defers_results: true,
            ..*self
        };
        let distribution = stays.with_pipelining(turns, depth, traits, arithmetic)?;
        let tiles_of_depth = distribution.k_blocks / distribution.span;
        let (vectors, _) = arithmetic.unit(distribution.bf16.rows);
        let units =
            block_float_rows::pipelined_unit_slots(&distribution, vectors * distribution.prepared?);
        let vectors_of_depth = u64::from(tiles_of_depth) * u64::from(distribution.steps);
        let landed = vectors_of_depth * u64::from(VECTOR_WORDS / 2);
        let possible = traits.reads_no_others
            && distribution.has_same_rows_in_l1bs()
            && distribution.i_blocks > 1
            && distribution.blocks() == distribution.i_blocks
            && distribution.cycles == CYCLES
            && landed <= pipelined_product::RESIDENTS.into()
            // The slots of the next block's units must match their numbers.
            && tiles_of_depth / turns % units == 0
            && deferred_store::pieces(distribution.results(), tiles_of_depth / turns).is_some();
        possible.then_some(distribution)
    }

    /// Returns the variant that prefetches the next chunk of the column side, if LM1 and time allow
    /// it. Loading a vector takes the time of a pair of tiles.
    fn with_prefetch(&self) -> Option<Distribution> {
        let distribution = Distribution {
            prefetches_columns: true,
            ..*self
        };
        let has_time = distribution.tiles >= 2 * distribution.span * distribution.groups();
        let landed = distribution.prefetched_lm1_vectors() * VECTOR_WORDS;
        let has_room = landed <= u32::from(Bank::Lm1.words());
        (distribution.chunks > 1 && has_time && has_room).then_some(distribution)
    }

    /// Returns the variant that stores results while the next block is multiplied, if there is one
    /// and LM1 and time allow it.
    fn with_deferred_results(
        &self,
        traits: &ProductTraits,
        arithmetic: Arithmetic,
    ) -> Option<Distribution> {
        if self.pipelined.is_some() {
            return None;
        }
        let tiles = 2 * self.span * self.span;
        let prepared = self.prepared.is_some();
        let length = arithmetic.steps(tiles.into(), self.steps.into(), prepared) as u32;
        let rows = arithmetic.row_transfers(tiles.into(), prepared) as u32;
        let period = deferred_store::transfer_period(self, length, rows)?;
        let put_down = match self.chunks {
            1 => 0,
            _ => self.prefetched_lm1_vectors() + self.results(),
        };
        let room = u32::from(Bank::Lm1.words()) / VECTOR_WORDS;
        let possible = self.blocks() > 1 && put_down + traits.max_residents * self.steps <= room;
        possible.then_some(Distribution {
            defers_results: true,
            transfer_period: period,
            ..*self
        })
    }
}
