//! Splits the vector side over two cores. Each has a half of every tile: upper and lower, or left
//! and right.
//!
//! Both cores run the same kernel, so the halves have the same type: a split extent is even, and
//! all of it is valid along the split. Operands that are broadcast along the split (such as the row
//! of a row broadcast in an up-down split) are read from the first half by both cores.

use tessera_dialects::mlir::{Op, Reported, Value, WalkOrder};
use tessera_dialects::pto::{self, Side, Tile};

use super::slice::{Piece, Slice};

/// Checks that both cores can compute their halves independently.
///
/// # Errors
/// Reported at the operation that needs both halves.
pub fn check<'a>(kernel: Op<'a>, vector: &Slice<'a>) -> Result<(), Reported> {
    let Some(axis) = vector.split.axis() else {
        return Ok(());
    };
    let kept = |op: &Op<'a>| vector.keeps(*op);
    for op in kernel.walk(WalkOrder::Pre).into_iter().filter(kept) {
        let needs_both = match op.name() {
            pto::TRowSumOp::NAME | pto::TRowMaxOp::NAME | pto::TRowMinOp::NAME => axis == 1,
            pto::TColSumOp::NAME | pto::TColMaxOp::NAME | pto::TColMinOp::NAME => axis == 0,
            pto::TTransOp::NAME => true,
            _ => false,
        };
        let on_vector = |value: Value| {
            pto::tile(value.r#type()).is_some_and(|tile| tile.space.side() == Side::Vector)
        };
        if needs_both && op.operand(0).is_some_and(on_vector) {
            return Err(op.error(format!(
                "needs both halves of a tile that is split {}; each vector kernel has one of them. Use another split",
                vector.split
            )));
        }
    }
    check_memory(kernel, vector)
}

/// Checks that neither core loads tiles that the other one stores. Of a local tensor, each core has
/// a copy with the halves that it stores, at their positions in the whole tensor.
fn check_memory<'a>(kernel: Op<'a>, vector: &Slice<'a>) -> Result<(), Reported> {
    let stores = kernel.find_all::<pto::TStoreOp>();
    let stores = stores.iter().filter(|op| vector.keeps(***op));
    for store in stores {
        let stored = store.tile().and_then(|tile| pto::tile(tile.r#type()));
        for load in kernel.find_all::<pto::TLoadOp>() {
            let Some(result) = load.result() else {
                continue;
            };
            if !vector.keeps(*load) || load.source() != store.target() {
                continue;
            }
            let alike = pto::tile(result.r#type()).map(|tile| tile.shape)
                == stored.as_ref().map(|tile| tile.shape.clone());
            let shared = vector.pieces(result).any(|piece| piece == Piece::First);
            if shared || !alike {
                return Err(load.error(format!(
                    "loads tiles that other vector kernels of the group store; split {}, each may load only what it stores itself",
                    vector.split
                )));
            }
        }
    }
    Ok(())
}

/// Returns the type of a piece of a tile that is split along `axis`.
///
/// # Errors
/// The reason why the tile cannot be split.
pub fn piece_of<'a>(tile: &Tile<'a>, piece: Piece, axis: usize) -> Result<Tile<'a>, String> {
    let mut half = tile.clone();
    if piece == Piece::Whole {
        return Ok(half);
    }
    let [rows, columns] = tile.shape[..] else {
        return Err(format!(
            "has {tile}; only tiles of two dimensions are split"
        ));
    };
    let extent = [rows, columns][axis];
    if piece == Piece::First && extent == 1 {
        return Ok(half);
    }
    if extent % 2 != 0 {
        return Err(format!(
            "has {tile}, whose extent {extent} does not split into two halves; both vector kernels run the same code"
        ));
    }
    half.shape[axis] = extent / 2;
    if piece == Piece::Own && tile.valid[axis] != extent {
        return Err(format!(
            "has {tile}, of which {} of {extent} are valid along the split; its halves would differ",
            tile.valid[axis]
        ));
    }
    half.valid[axis] = tile.valid[axis].min(extent / 2);
    Ok(half)
}
