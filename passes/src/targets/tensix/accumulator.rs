//! The accumulators of a Tensix core.

/// Tiles in half of Dst, of 32-bit elements.
pub const HALF_TILES: u32 = 4;
/// Tiles in Dst, which a block has to itself if it computes more than half of it holds.
pub const DST_TILES: u32 = 2 * HALF_TILES;
