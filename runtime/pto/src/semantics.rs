//! The contents of tiles: numbers ([`crate::numerics::Numbers`]), or nothing ([`Tokens`]), which is
//! enough to find deadlocks.

use tessera_ops::{IndexError, IndexMap};

use crate::kernel::{Compute, Split, TensorType, TileType};

/// Operations on tiles and tensors. Groups are validated, so all shapes fit.
pub trait Semantics {
    /// A tile.
    type Tile: Clone;
    /// A tensor in global memory or in a core's.
    type Tensor: Clone;

    /// Loads a tile from a tensor. `place` is its row and column in tiles of its shape.
    fn load(tensor: &Self::Tensor, place: [u64; 2], tile: TileType) -> Self::Tile;
    /// Stores a tile to a tensor.
    fn store(tensor: &mut Self::Tensor, place: [u64; 2], tile: &Self::Tile, r#type: TileType);
    /// Computes a tile from tiles of the given types.
    fn compute(
        compute: Compute,
        operands: &[(&Self::Tile, TileType)],
        result: TileType,
    ) -> Self::Tile;
    /// Returns the part of a tile that a lane gets.
    fn part(tile: &Self::Tile, r#type: TileType, split: Split, lane: usize) -> Self::Tile;
    /// Joins the parts of both lanes.
    fn join(parts: &[Self::Tile], r#type: TileType, split: Split) -> Self::Tile;
    /// Applies an index map to tensors.
    ///
    /// # Errors
    /// An index that the map looks up is out of range.
    fn rearrange(
        sources: &[&Self::Tensor],
        map: &IndexMap,
        result: TensorType,
    ) -> Result<Self::Tensor, IndexError>;
    /// Returns a tensor of zeros.
    fn zeros(r#type: TensorType) -> Self::Tensor;
}

/// Tiles without contents.
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
    fn rearrange(_: &[&()], _: &IndexMap, _: TensorType) -> Result<(), IndexError> {
        Ok(())
    }
    fn zeros(_: TensorType) {}
}
