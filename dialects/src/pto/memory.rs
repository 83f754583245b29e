//! Verifiers of moves: to and from global memory, and between the memories of a core.

use super::enums::Space;
use super::kernel::{require_matrices, require_tiles};
use super::types::{tile_of, Tile};
use super::{declared, operand, result, TLoadOp, TPopOp, TStoreOp};
use crate::mlir::{Op, TensorType, Value};

/// Verifies `pto.tload`.
pub(super) fn verify_load(load: TLoadOp) -> Result<(), String> {
    let tile = tile_of(declared(load.result())?)?;
    require_element(&tile, declared(load.source())?)?;
    match tile.space {
        Space::Mat | Space::Vec => require_tiles(*load),
        space => Err(format!("loads into mat or vec, not into {space}")),
    }
}

/// Verifies `pto.tstore`.
pub(super) fn verify_store(store: TStoreOp) -> Result<(), String> {
    let tile = tile_of(declared(store.tile())?)?;
    require_element(&tile, declared(store.target())?)?;
    match tile.space {
        Space::Mat | Space::Acc | Space::Vec => require_tiles(*store),
        space => Err(format!("stores from mat, acc or vec, not from {space}")),
    }
}

/// Checks that a tensor in global memory has the elements of a tile.
fn require_element(tile: &Tile, memory: Value) -> Result<(), String> {
    require_matrices(memory.r#type())?;
    if memory.r#type().element_type() != Some(tile.element) {
        return Err(format!(
            "element type of the tile, {}, is not that of {}; convert it with pto.tcvt",
            tile.element,
            memory.r#type()
        ));
    }
    Ok(())
}

/// Verifies `pto.tmove`.
pub(super) fn verify_move(op: Op) -> Result<(), String> {
    let (source, target) = (operand(op, 0)?, result(op)?);
    let (from, to) = (tile_of(source)?, tile_of(target)?);
    if (&from.shape, &from.valid, from.element) != (&to.shape, &to.valid, to.element) {
        return Err(format!(
            "moves {} to {}; a move keeps shape, valid part and elements (pto.tcvt converts)",
            source.r#type(),
            target.r#type()
        ));
    }
    if (from.space, from.layout) == (to.space, to.layout) && !may_be_popped(source) {
        return Err(format!(
            "moves a tile to its own memory space: {}, {}; only popped tiles can be copied within \
             a space",
            from.space, from.layout
        ));
    }
    if matches!(from.space, Space::Left | Space::Right | Space::Bias) {
        return Err(format!(
            "moves a tile from {}, which only the matrix unit reads; move the tile it was made of",
            from.space
        ));
    }
    require_tiles(op)
}

/// Returns whether a tile may be in a slot of a ring: it was popped, or its definition is control
/// flow.
fn may_be_popped(tile: Value) -> bool {
    tile.defining_op()
        .is_none_or(|op| op.isa::<TPopOp>() || !op.name().starts_with("pto."))
}
