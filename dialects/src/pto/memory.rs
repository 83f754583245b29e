//! Verifiers of tensors in the memory of a core, and of moves: between tensors and tiles, and
//! between the memories of a core.

use tessera_pto::kernel::Element;
use tessera_pto::validate::MAX_LOCAL_ELEMENTS;

use super::enums::{Kind, Space};
use super::kernel::{name, require, require_matrices, require_tiles};
use super::types::{tile_of, Tile};
use super::{declared, operand, result, TLoadOp, TPopOp, TStoreOp};
use crate::mlir::{Op, TensorType, Type, Value};

/// Verifies `pto.alloc_tensor`.
pub(super) fn verify_alloc(op: Op) -> Result<(), String> {
    let (kernel, kind) = require(op)?;
    if !matches!(kind, Kind::Mixed | Kind::Cube | Kind::Vector) {
        return Err(format!(
            "makes a tensor in the memory of a core, but is in {}, a kernel of kind {kind}; \
             expects one of kind mixed, cube or vector",
            name(kernel)
        ));
    }
    if op.parent() != Some(*kernel) {
        return Err(format!(
            "is inside of control flow; a tensor lasts as long as its kernel, so make it at the top \
             level of {}",
            name(kernel)
        ));
    }
    let tensor = result(op)?;
    require_local_type(tensor.r#type())?;
    require_accesses(tensor)
}

/// Checks the type of a tensor in the memory of a core.
fn require_local_type(r#type: Type) -> Result<(), String> {
    require_matrices(r#type)?;
    let element = r#type.element_type().map(|element| element.to_string());
    if element.as_deref().and_then(Element::from_name).is_none() {
        return Err(format!(
            "makes {type}; expects elements of type f32, bf16 or i32"
        ));
    }
    let shape = r#type.static_shape().unwrap_or_default();
    let mut extents = shape.iter();
    match extents.try_fold(1u64, |all, extent| all.checked_mul(*extent)) {
        Some(..=MAX_LOCAL_ELEMENTS) => Ok(()),
        _ => Err(format!(
            "makes {type}, which is larger than the memory of any core; expects at most \
             {MAX_LOCAL_ELEMENTS} elements"
        )),
    }
}

/// Checks that a tensor in the memory of a core is only loaded and stored.
fn require_accesses(tensor: Value) -> Result<(), String> {
    let mut users = tensor.uses().into_iter().map(|it| it.op);
    let is_access = |op: &Op| op.isa::<TLoadOp>() || op.isa::<TStoreOp>();
    match users.find(|op| !is_access(op)) {
        None => Ok(()),
        Some(user) => Err(format!(
            "makes a tensor that '{}' uses; only pto.tload and pto.tstore take a tensor in the \
             memory of a core",
            user.name()
        )),
    }
}

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

/// Checks that a tensor has the elements of a tile.
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
