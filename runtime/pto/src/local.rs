//! Tensors in the memory of a core, which only the agent that runs there accesses.
//!
//! Such a tensor holds tiles rather than elements. A tile is loaded in the shape in which it was
//! stored, at the position where it was. A store of another shape makes the tiles that it overlaps
//! undefined. Tiles are identified without their elements, so a launch without numbers finds the
//! loads of undefined tiles, too.

use std::collections::{HashMap, HashSet};

use crate::kernel::{TensorType, TileType};
use crate::semantics::Semantics;

/// A tensor in the memory of a core.
pub struct LocalTensor<S: Semantics> {
    r#type: TensorType,
    content: S::Tensor,
    /// The tiles whose content is defined: for each shape, their rows and columns.
    defined: HashMap<[u32; 2], HashSet<[u64; 2]>>,
}

// A derived implementation would require that `S` can be cloned.
impl<S: Semantics> Clone for LocalTensor<S> {
    fn clone(&self) -> Self {
        LocalTensor {
            r#type: self.r#type,
            content: self.content.clone(),
            defined: self.defined.clone(),
        }
    }
}

impl<S: Semantics> LocalTensor<S> {
    /// Creates a tensor without content.
    pub fn new(r#type: TensorType) -> Self {
        LocalTensor {
            r#type,
            content: S::zeros(r#type),
            defined: HashMap::new(),
        }
    }

    /// Loads a tile, given its row and column. Returns `None` if its content is undefined.
    pub fn load(&self, place: [u64; 2], tile: TileType) -> Option<S::Tile> {
        let stored = self.defined.get(&tile.shape())?;
        let is_defined = stored.contains(&place);
        is_defined.then(|| S::load(&self.content, place, tile))
    }

    /// Stores a tile at a row and column.
    pub fn store(&mut self, place: [u64; 2], tile: &S::Tile, r#type: TileType) {
        let (tensor, shape) = (self.r#type, r#type.shape());
        let stored = tensor.window(place, shape);
        for (other, places) in &mut self.defined {
            if *other != shape {
                places.retain(|at| !tensor.window(*at, *other).overlaps(&stored));
            }
        }
        self.defined.entry(shape).or_default().insert(place);
        S::store(&mut self.content, place, tile, r#type);
    }
}

#[cfg(test)]
mod tests;
