//! A product to plan, and its blocking.

use super::arithmetic::Arithmetic;
use crate::compile::data::distribution::{vector_extent, Distribution, Extents, Mapping};
use crate::compile::data::geometry::{CYCLES, ROW};

/// Which tensors of a product have bf16 elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bf16Tensors {
    pub rows: bool,
    pub columns: bool,
    pub result: bool,
}

/// Properties of a kernel that restrict the plans of its product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ProductTraits {
    /// Whether the column side can be prefetched, and whether a pipelined loop can load it.
    pub can_prefetch: bool,
    pub can_pipeline: bool,
    /// Whether results need no other tensors, and whether they are nothing but the product, rounded
    /// at most.
    pub reads_no_others: bool,
    pub is_plain: bool,
    /// Maximum number of tensors that are resident in LM1 when results are stored.
    pub max_residents: u32,
    /// Whether empty cycles are transferred as well, because results would be undetermined
    /// otherwise.
    pub transfers_all_cycles: bool,
    pub bf16: Bf16Tensors,
}

/// A product: its extents, what restricts its plans, and its arithmetic.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Problem {
    pub extents: Extents,
    pub traits: ProductTraits,
    pub arithmetic: Arithmetic,
}

/// What every plan of a product states: the data distribution of its result, with the blocks of its
/// depth, and which of its tensors are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Blocking {
    pub distribution: Distribution,
    pub bf16: Bf16Tensors,
}

impl Blocking {
    /// Returns the blocking with sums of `steps` column vectors, at most `max_tiles` row tiles, and
    /// at least `parts` chunks.
    pub fn new(
        problem: &Problem,
        (steps, over): (u32, Mapping),
        (parts, max_tiles): (u32, u32),
    ) -> Blocking {
        let Problem {
            extents,
            traits,
            arithmetic,
        } = problem;
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
        let distribution = Distribution::new(extents, over, tiles, steps);
        Blocking {
            distribution: Distribution {
                span,
                k_blocks: depth.div_ceil(chunks).next_multiple_of(pair),
                chunks,
                cycles: if traits.transfers_all_cycles {
                    CYCLES
                } else {
                    distribution.cycles
                },
                ..distribution
            },
            bf16: traits.bf16,
        }
    }

    /// Returns the blocking with vectors of bf16 in single words, except those of the row side.
    pub fn unpacked(self) -> Blocking {
        Blocking {
            distribution: self.distribution.unpacked(),
            bf16: Bf16Tensors {
                rows: self.bf16.rows,
                ..Bf16Tensors::default()
            },
        }
    }

    /// Returns how many vectors of the row side are packed into one in DRAM, if it comes as
    /// vectors.
    pub fn row_parts(&self) -> u32 {
        parts(self.bf16.rows)
    }

    /// Returns the number of result vectors as stored.
    pub fn results(&self) -> u32 {
        let vectors = self.distribution.vectors();
        vectors / parts(self.bf16.result && vectors % 2 == 0)
    }
}

/// Returns how many vectors are packed into one in DRAM.
pub(crate) fn parts(is_packed: bool) -> u32 {
    if is_packed {
        2
    } else {
        1
    }
}
