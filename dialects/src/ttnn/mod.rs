//! The ttnn dialect.

mod attributes;
mod ops;

use crate::words::words;

pub use crate::mlir::{ComputeConfig, Layout, LayoutParts, Shape};
pub(crate) use attributes::{
    verify_core_range, verify_core_ranges, verify_layout, verify_memory_config,
};
pub(crate) use ops::verifier;

words! {
    /// The order of elements in a page.
    PageLayout = "ttnn.layout" {
        /// A page is a row.
        RowMajor = "row_major",
        /// A page is a tile.
        Tile = "tile",
        /// None of them.
        Invalid = "invalid",
    }
}

words! {
    /// How pages are distributed over banks or cores.
    TensorMemoryLayout = "ttnn.tensor_memory_layout" {
        /// Page by page, round-robin.
        Interleaved = "interleaved",
        /// Groups of rows.
        HeightSharded = "height_sharded",
        /// Groups of columns.
        WidthSharded = "width_sharded",
        /// Rectangles.
        BlockSharded = "block_sharded",
        /// Boxes of any rank.
        NdSharded = "nd_sharded",
    }
}

words! {
    /// The memory a tensor lives in.
    BufferType = "ttnn.buffer_type" {
        /// The banks of the device.
        Dram = "dram",
        /// The memories of the cores.
        L1 = "l1",
        /// The memory of the host.
        SystemMemory = "system_memory",
        /// A small part of L1.
        L1Small = "l1_small",
        /// The part of DRAM that holds traces.
        Trace = "trace",
    }
}

words! {
    /// The order in which cores get shards.
    ShardOrientation = "ttnn.shard_orientation" {
        /// Row by row.
        RowMajor = "row_major",
        /// Column by column.
        ColMajor = "col_major",
    }
}

/// How many phases a multiplication takes; more phases use more bits of the mantissas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MathFidelity {
    /// One phase.
    LoFi,
    /// Two phases.
    HiFi2,
    /// Three phases.
    HiFi3,
    /// Four phases: every bit.
    HiFi4,
}

impl MathFidelity {
    /// Every case.
    pub const ALL: &'static [Self] = &[Self::LoFi, Self::HiFi2, Self::HiFi3, Self::HiFi4];

    /// The word for it in MLIR text.
    pub fn word(self) -> &'static str {
        match self {
            Self::LoFi => "lofi",
            Self::HiFi2 => "hifi2",
            Self::HiFi3 => "hifi3",
            Self::HiFi4 => "hifi4",
        }
    }

    /// The case with that word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|case| case.word() == word)
    }
}

impl BufferType {
    /// Whether it is a memory of the device.
    pub fn is_device(self) -> bool {
        self != BufferType::SystemMemory
    }
}
