//! The accumulators of a Tensix core.

/// Tiles of 32-bit elements in half of Dst.
pub const HALF_TILES: u32 = 4;
/// Tiles of 32-bit elements in Dst. A block that needs more than half of Dst uses all of it.
pub const DST_TILES: u32 = 2 * HALF_TILES;
