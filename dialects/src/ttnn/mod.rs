//! The ttnn dialect.

mod attributes;
mod ops;

use crate::string_enum::string_enum;
pub use crate::views::ttnn::*;

pub use crate::mlir::{ComputeConfig, Layout, LayoutParts, Shape};
pub(crate) use attributes::{
    verify_core_range, verify_core_ranges, verify_layout, verify_memory_config,
};
pub(crate) use ops::verifier;
pub use tessera_ops::MathFidelity;

string_enum! {
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

string_enum! {
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

string_enum! {
    /// The memory that holds a tensor.
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

string_enum! {
    /// The order in which cores get shards.
    ShardOrientation = "ttnn.shard_orientation" {
        /// Row by row.
        RowMajor = "row_major",
        /// Column by column.
        ColMajor = "col_major",
    }
}

impl BufferType {
    /// Returns whether it is device memory.
    pub fn is_device(self) -> bool {
        self != BufferType::SystemMemory
    }
}
