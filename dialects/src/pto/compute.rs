//! Verifiers of operations that compute tiles.

use super::enums::{Broadcast, Space};
use super::kernel::require_tiles;
use super::types::{tile_of, Tile};
use super::{declared, function_name, operand, result, BinaryOp, TAddOp};
use crate::mlir::{Op, OpView};
use tessera_ops::{Binary, Domain, Unary};
use tessera_pto::kernel::Element;

fn tiles<'a>(op: Op<'a>) -> Result<(Vec<Tile<'a>>, Tile<'a>), String> {
    let operands = op.operands().into_iter().map(tile_of);
    Ok((operands.collect::<Result<_, _>>()?, tile_of(result(op)?)?))
}

/// Returns the rows and columns of a tile.
fn matrix(tile: &Tile) -> Result<[u64; 2], String> {
    <[u64; 2]>::try_from(&tile.shape[..]).map_err(|_| "a tile has two dimensions".into())
}

/// Verifies `pto.tmatmul` and `pto.tmatmul_acc`.
pub(super) fn verify_matmul(op: Op) -> Result<(), String> {
    let (operands, product) = tiles(op)?;
    let (accumulator, [a, b]) = declared(operands.split_last_chunk())?;
    if product.space != Space::Acc {
        return Err("its result is in acc".into());
    }
    let ([m, k], [k_b, n]) = (matrix(a)?, matrix(b)?);
    if k != k_b || matrix(&product)? != [m, n] {
        return Err(format!(
            "shapes {:?} and {:?} do not multiply to {:?}",
            a.shape, b.shape, product.shape
        ));
    }
    if accumulator
        .iter()
        .any(|accumulator| *accumulator != product)
    {
        return Err("requires the same type for accumulator and result".into());
    }
    for (factor, side, own) in [(a, "left", Space::Left), (b, "right", Space::Right)] {
        if factor.space != Space::Mat && factor.space != own {
            return Err(format!(
                "its {side} factor is in {}; expects mat or {own}",
                factor.space
            ));
        }
    }
    require_tiles(op)
}

/// Checks the memory spaces of an operation other than a product, all of which must be on one side.
fn require_one_side(op: Op) -> Result<(), String> {
    let (operands, result) = tiles(op)?;
    if matches!(result.space, Space::Left | Space::Right | Space::Bias) {
        return Err(format!(
            "its result is in {}, which only pto.tmove writes",
            result.space
        ));
    }
    for (number, tile) in operands.iter().enumerate() {
        let addend = tile.space == Space::Bias && op.isa::<TAddOp>() && number == 1;
        if matches!(tile.space, Space::Left | Space::Right | Space::Bias) && !addend {
            return Err(format!(
                "operand #{number} is in {}, which this operation does not read",
                tile.space
            ));
        }
        if tile.space.side() != result.space.side() {
            return Err(format!(
                "operand #{number} is in {}, on the {} side, but the result in {}, on the {} side; \
                 cross with pto.tmove",
                tile.space,
                tile.space.side(),
                result.space,
                result.space.side()
            ));
        }
    }
    require_tiles(op)
}

/// Checks that a function supports the element types of its operands.
fn require_domain(op: Op, takes: Domain, operands: &[Tile]) -> Result<(), String> {
    let element = |tile: &Tile| Element::from_name(&tile.element.to_string());
    let outside = |element: &Element| !takes.contains(*element);
    match operands.iter().filter_map(element).find(outside) {
        None => require_one_side(op),
        Some(element) => Err(format!(
            "does not support element type '{element}'; convert with pto.tcvt to '{}'",
            if element.is_integer() { "f32" } else { "i32" }
        )),
    }
}

/// Returns the function of an element-wise operation.
fn function<F>(op: Op, of: impl Fn(&str) -> Option<F>) -> Result<F, String> {
    let mnemonic = function_name(op.name()).unwrap_or_default();
    of(mnemonic).ok_or_else(|| "internal error: it is not a function".into())
}

/// Verifies element-wise operations on two tiles.
pub(super) fn verify_binary(op: Op) -> Result<(), String> {
    let (operands, result) = tiles(op)?;
    let binary = function(op, Binary::from_mnemonic)?;
    let [a, b] = declared(operands.first_chunk())?;
    let broadcast = BinaryOp::view(op).broadcast().unwrap_or(Broadcast::None);
    if a.shape != result.shape || (broadcast == Broadcast::None && b.shape != a.shape) {
        return Err(format!(
            "shapes {:?}, {:?} and {:?} are not the same",
            a.shape, b.shape, result.shape
        ));
    }
    let ([rows, columns], [b_rows, b_columns]) = (matrix(a)?, matrix(b)?);
    let fits = match broadcast {
        Broadcast::None | Broadcast::Scalar => true,
        Broadcast::Row => b_columns == columns,
        Broadcast::Column => b_rows == rows,
    };
    if !fits {
        return Err(format!(
            "a {broadcast} of shape {:?} does not broadcast to {:?}",
            b.shape, a.shape
        ));
    }
    require_domain(op, binary.domain(), &operands)
}

/// Verifies element-wise operations on one tile.
pub(super) fn verify_unary(op: Op) -> Result<(), String> {
    if tile_of(operand(op, 0)?)? != tile_of(result(op)?)? {
        return Err("requires the same type for operand and result".into());
    }
    let unary = function(op, Unary::from_mnemonic)?;
    require_domain(op, unary.domain(), &[tile_of(operand(op, 0)?)?])
}

/// Verifies `pto.tcvt`.
pub(super) fn verify_conversion(op: Op) -> Result<(), String> {
    let (from, to) = (tile_of(operand(op, 0)?)?, tile_of(result(op)?)?);
    if from.shape != to.shape {
        return Err(format!(
            "shapes {:?} and {:?} are not the same",
            from.shape, to.shape
        ));
    }
    if from.element == to.element {
        return Err(format!(
            "converts {} to itself; a move never converts",
            from.element
        ));
    }
    require_one_side(op)
}

/// Verifies `pto.tsel`.
pub(super) fn verify_selection(op: Op) -> Result<(), String> {
    let (operands, result) = tiles(op)?;
    let [condition, a, b] = declared(operands.first_chunk())?;
    if *a != result || *b != result {
        return Err("requires the same type for both choices and the result".into());
    }
    if condition.shape != result.shape {
        return Err(format!(
            "shapes {:?} and {:?} of condition and result are not the same",
            condition.shape, result.shape
        ));
    }
    require_one_side(op)
}

/// Verifies reductions along an axis, which leave one valid row or column.
pub(super) fn verify_reduction<const AXIS: usize>(op: Op) -> Result<(), String> {
    let (from, to) = (tile_of(operand(op, 0)?)?, tile_of(result(op)?)?);
    let (shape, _) = (matrix(&from)?, matrix(&to)?);
    let other = 1 - AXIS;
    let left = ["row", "column"][AXIS];
    if to.shape[other] != shape[other] || to.valid[other] != from.valid[other] {
        return Err(format!(
            "reduces {:?}, {:?} of them valid, to {:?}, {:?} of them valid; expects a {left} of \
             unchanged length",
            from.shape, from.valid, to.shape, to.valid
        ));
    }
    if to.valid[AXIS] != 1 {
        return Err(format!(
            "leaves {} valid {left}s; a reduction leaves 1, as {} or with its valid part given",
            to.valid[AXIS],
            ["tensor<1x...>", "tensor<...x1>"][AXIS]
        ));
    }
    if from.element != to.element {
        return Err(format!(
            "reduces {} to {}; convert with pto.tcvt",
            from.element, to.element
        ));
    }
    require_one_side(op)
}

/// Verifies `pto.ttrans`.
pub(super) fn verify_transpose(op: Op) -> Result<(), String> {
    let (from, to) = (tile_of(operand(op, 0)?)?, tile_of(result(op)?)?);
    let ([rows, columns], [to_rows, to_columns]) = (matrix(&from)?, matrix(&to)?);
    if [rows, columns] != [to_columns, to_rows] || from.element != to.element {
        return Err(format!(
            "transposes {:?} of {} to {:?} of {}",
            from.shape, from.element, to.shape, to.element
        ));
    }
    require_one_side(op)
}

/// Verifies `pto.tfill`.
pub(super) fn verify_fill(op: Op) -> Result<(), String> {
    matrix(&tile_of(result(op)?)?)?;
    require_one_side(op)
}
