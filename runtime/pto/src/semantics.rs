//! What tiles are: numbers ([`crate::numerics::Numbers`]), or nothing at all ([`Tokens`]), which is
//! enough to see where agents wait.

use tessera_ops::IndexMap;

use crate::kernel::{Compute, Split, TensorType, TileType};

/// Tiles, and what is done with them. Groups were validated, so shapes fit.
pub trait Semantics {
    /// A tile.
    type Tile: Clone;
    /// A tensor in global memory.
    type Tensor: Clone;

    /// A tile of a tensor: row and column count tiles of its shape.
    fn load(tensor: &Self::Tensor, place: [u64; 2], tile: TileType) -> Self::Tile;
    /// Writes a tile to a tensor.
    fn store(tensor: &mut Self::Tensor, place: [u64; 2], tile: &Self::Tile, r#type: TileType);
    /// Tiles of these types to a tile.
    fn compute(
        compute: Compute,
        operands: &[(&Self::Tile, TileType)],
        result: TileType,
    ) -> Self::Tile;
    /// What a lane has of a tile.
    fn part(tile: &Self::Tile, r#type: TileType, split: Split, lane: usize) -> Self::Tile;
    /// Returns a tile of the parts of both lanes.
    fn join(parts: &[Self::Tile], r#type: TileType, split: Split) -> Self::Tile;
    /// What an index map makes of tensors.
    fn rearrange(sources: &[&Self::Tensor], map: &IndexMap, result: TensorType) -> Self::Tensor;
    /// Returns a tensor of zeros.
    fn zeros(r#type: TensorType) -> Self::Tensor;
}

/// Tiles without numbers.
#[derive(Clone, Copy, Debug)]
pub enum Tokens {}

impl Semantics for Tokens {
    type Tile = ();
    type Tensor = ();

    fn load((): &(), _: [u64; 2], _: TileType) {}
    fn store((): &mut (), _: [u64; 2], (): &(), _: TileType) {}
    fn compute(_: Compute, _: &[(&(), TileType)], _: TileType) {}
    fn part((): &(), _: TileType, _: Split, _: usize) {}
    fn join(_: &[()], _: TileType, _: Split) {}
    fn rearrange(_: &[&()], _: &IndexMap, _: TensorType) {}
    fn zeros(_: TensorType) {}
}
