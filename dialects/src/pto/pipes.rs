//! Verifiers of pipes, for each end separately.

use super::enums::{Kind, Platform, Space};
use super::kernel::{beside, name, platform, require, require_side, require_tiles};
use super::types::{buffer, pipe, slot_buffer, tile_of, Buffer, Pipe, Side, Tile};
use super::{
    declared, result, AicInitializePipeOp, AivInitializePipeOp, BufferOp, FuncOp,
    ImportPeerBufferOp, InitializePipeOp, ReserveBufferOp, TFreeOp, TPopOp, TPushOp,
};
use crate::mlir::{reaching_definitions, Op, OpView, Value};

/// Returns the operation that initializes a pipe and its side, or `None` if another operation
/// defines the value.
pub fn initialized_by<'a>(pipe: Value<'a>) -> Option<(Op<'a>, Side)> {
    let op = pipe.defining_op()?;
    Some((op, side(op)?))
}

fn side(initialize: Op) -> Option<Side> {
    match initialize.name() {
        AicInitializePipeOp::NAME => Some(Side::Cube),
        AivInitializePipeOp::NAME => Some(Side::Vector),
        _ => None,
    }
}

/// Returns the operations of a kernel that initialize pipes.
pub(super) fn initialize_ops(kernel: FuncOp) -> Vec<InitializePipeOp> {
    let ops = kernel.children().into_iter();
    ops.filter_map(Op::dyn_cast).collect()
}

fn buffer_of(value: Value) -> Result<Buffer, String> {
    declared(buffer(value.r#type()))
}

fn pipe_of(value: Value) -> Result<Pipe, String> {
    declared(pipe(value.r#type()))
}

fn require_base(buffer: BufferOp) -> Result<(), String> {
    match buffer.base() {
        Some(base) if base < 0 => Err(format!("base {base} is not an address")),
        _ => Ok(()),
    }
}

/// Verifies `pto.reserve_buffer`.
pub(super) fn verify_reserve(op: ReserveBufferOp) -> Result<(), String> {
    let space = buffer_of(result(*op)?)?.space;
    let (kernel, _) = require_side(*op, space.side())?;
    require_base(BufferOp::view(*op))?;
    require_local(kernel)?;
    let wanted = op.name_attribute();
    let same = |other: &ReserveBufferOp| *other != op && other.name_attribute() == wanted;
    if kernel.find_all().iter().any(same) {
        return Err(format!(
            "reserves {:?} a second time in {}",
            wanted.unwrap_or_default(),
            name(kernel)
        ));
    }
    Ok(())
}

/// Checks that the rings of a kernel are in core memory.
fn require_local(kernel: FuncOp) -> Result<(), String> {
    match platform(kernel) {
        Platform::A5 => Ok(()),
        Platform::A2A3 => Err(format!(
            "is for rings in the memory of the core that pops, but {} is for platform a2a3, whose \
             rings are in global memory; pass its pipes a slot buffer",
            name(kernel)
        )),
    }
}

/// Verifies `pto.import_peer_buffer`.
pub(super) fn verify_import(op: ImportPeerBufferOp) -> Result<(), String> {
    let (kernel, kind) = require(*op)?;
    let imported = result(*op)?;
    require_base(BufferOp::view(*op))?;
    require_local(kernel)?;
    let own = match kind {
        Kind::Cube => Space::Mat,
        Kind::Vector => Space::Vec,
        Kind::Mixed | Kind::Orchestration | Kind::Movement => {
            return Err(format!(
                "is in {}, a kernel of kind {kind}; only cube and vector kernels have peers",
                name(kernel)
            ))
        }
    };
    if buffer_of(imported)?.space == own {
        return Err(format!(
            "imports a buffer in {own}, which is on the own side; peers of {} are on the other",
            name(kernel)
        ));
    }
    let symbol = declared(op.peer_func())?;
    let wanted = op.name_attribute().unwrap_or_default();
    let reserved = beside(kernel, symbol)?.find_all::<ReserveBufferOp>();
    let reserved = reserved
        .into_iter()
        .find(|reserve| reserve.name_attribute() == Some(wanted))
        .ok_or_else(|| format!("names {wanted:?}, which @{symbol} does not reserve"))?;
    let reserved = result(*reserved)?.r#type();
    if reserved != imported.r#type() {
        return Err(format!(
            "imports {wanted:?} as {}, but @{symbol} reserves {reserved}",
            imported.r#type()
        ));
    }
    Ok(())
}

/// Verifies `pto.aic_initialize_pipe` and `pto.aiv_initialize_pipe`.
pub(super) fn verify_initialize(op: Op) -> Result<(), String> {
    let side = declared(side(op))?;
    let (kernel, kind) = require_side(op, side)?;
    if op.parent() != Some(*kernel) {
        return Err(format!(
            "is nested in control flow; a kernel initializes its pipes once, directly in {}",
            name(kernel)
        ));
    }
    let pipes = op.results().into_iter().map(pipe_of);
    let pipes = pipes.collect::<Result<Vec<_>, _>>()?;
    let directions: Vec<_> = pipes.iter().map(|pipe| pipe.direction.mask()).collect();
    if !matches!(directions[..], [_] | [1, 2]) {
        return Err(format!(
            "makes {} pipes; a kernel makes one, or one from cube to vector and then one from \
             vector to cube",
            pipes.len()
        ));
    }
    match platform(kernel) {
        Platform::A5 => verify_local(op, kind, side, &pipes),
        Platform::A2A3 => verify_global(op, kernel, &pipes),
    }
}

/// Checks that each ring has a buffer in the space that tiles are popped in.
fn verify_local(op: Op, kind: Kind, side: Side, pipes: &[Pipe]) -> Result<(), String> {
    let buffers = op.operands();
    if buffers.len() != pipes.len() {
        return Err(format!(
            "has {} buffers for {} pipes; on platform a5 each pipe has one",
            buffers.len(),
            pipes.len()
        ));
    }
    for (value, pipe) in buffers.into_iter().zip(pipes) {
        let buffer = buffer(value.r#type()).ok_or_else(|| {
            format!(
                "is given {}; on platform a5 rings are in a buffer of pto.reserve_buffer or \
                 pto.import_peer_buffer",
                value.r#type()
            )
        })?;
        let direction = pipe.direction;
        if buffer.space != direction.ring() {
            return Err(format!(
                "has the ring of a {direction} pipe in {}, but tiles are popped in {}",
                buffer.space,
                direction.ring()
            ));
        }
        if buffer.bytes != pipe.bytes() {
            return Err(format!(
                "ring of {} slots of {} bytes takes {} bytes, but its buffer has {}",
                pipe.slot_num,
                pipe.slot_size,
                pipe.bytes(),
                buffer.bytes
            ));
        }
        let pops = direction.consumer() == side;
        let needs = if pops || kind == Kind::Mixed {
            ReserveBufferOp::NAME
        } else {
            ImportPeerBufferOp::NAME
        };
        if !value.defining_op().is_some_and(|op| op.is(needs)) {
            return Err(format!(
                "{} tiles of its {direction} pipe, so the ring's buffer comes from {needs}",
                if pops { "pops" } else { "pushes" }
            ));
        }
    }
    Ok(())
}

/// Checks that all rings fit consecutively into one slot buffer.
fn verify_global(op: Op, kernel: FuncOp, pipes: &[Pipe]) -> Result<(), String> {
    let operands = op.operands();
    let slots = match operands[..] {
        [slots] => slot_buffer(slots.r#type()),
        _ => None,
    };
    let slots = slots.ok_or_else(|| {
        format!(
            "in {} is given no slot buffer; on platform a2a3 it takes one memref of i8, and nothing else",
            name(kernel)
        )
    })?;
    if operands[0].defining_op().is_some() {
        return Err(format!(
            "is given a slot buffer that is not an argument of {}; the orchestration makes it, and \
             gives it to both sides",
            name(kernel)
        ));
    }
    let bytes = pipes
        .iter()
        .fold(0, |sum: u64, pipe| sum.saturating_add(pipe.bytes()));
    if slots != bytes {
        return Err(format!(
            "rings take {bytes} bytes, but the slot buffer has {slots}"
        ));
    }
    Ok(())
}

/// Returns the pipe of an operation and the side of its end.
fn end(value: Value) -> Result<(Pipe, Side), String> {
    let (_, side) = initialized_by(value).ok_or(
        "its pipe is not a result of pto.aic_initialize_pipe or pto.aiv_initialize_pipe; control \
         flow carries no pipes",
    )?;
    Ok((pipe_of(value)?, side))
}

/// Checks that a tile fits into a slot, as far as one end determines it.
fn require_slot(op: Op, pipe: Pipe, side: Side, tile: &Tile) -> Result<(), String> {
    let bytes = tile
        .bytes()
        .ok_or_else(|| format!("elements of type {} have no size", tile.element))?;
    let (kernel, _) = require(op)?;
    let mut needs = bytes;
    if let (Some(axis), Side::Cube) = (pipe.split.axis(), side) {
        let extent = tile.shape.get(axis).copied().unwrap_or(1);
        if extent < 2 {
            return Err(format!(
                "splits a tile of shape {:?} {}; the second vector kernel would get nothing",
                tile.shape, pipe.split
            ));
        }
        // The ring is in the memory of the vector kernels. Each pops its part; the first part is
        // the larger one.
        if pipe.direction.consumer() == Side::Vector && platform(kernel) == Platform::A5 {
            needs = bytes / extent * extent.div_ceil(2);
        }
    }
    if needs > pipe.slot_size {
        return Err(format!(
            "a tile of {needs} bytes does not fit into a slot of {}",
            pipe.slot_size
        ));
    }
    Ok(())
}

/// Verifies `pto.tpush`.
pub(super) fn verify_push(push: TPushOp) -> Result<(), String> {
    let tile = tile_of(declared(push.tile())?)?;
    let (pipe, side) = end(declared(push.pipe())?)?;
    let direction = pipe.direction;
    if direction.producer() != side {
        return Err(format!(
            "pushes to a {direction} pipe on the {side} side, which pops from it"
        ));
    }
    let allowed: &[Space] = match side {
        Side::Cube => &[Space::Acc, Space::Mat],
        Side::Vector => &[Space::Vec],
    };
    if !allowed.contains(&tile.space) {
        return Err(format!(
            "pushes a tile in {} to a {direction} pipe, which takes tiles in {}",
            tile.space,
            allowed
                .iter()
                .map(|space| space.word())
                .collect::<Vec<_>>()
                .join(" or ")
        ));
    }
    require_slot(*push, pipe, side, &tile)?;
    require_tiles(*push)
}

/// Checks that an end is the popping one, and that its tiles have the type of a tile.
fn require_popped(pipe: Pipe, side: Side, tile: &Tile, does: &str) -> Result<(), String> {
    let direction = pipe.direction;
    if direction.consumer() != side {
        return Err(format!(
            "{does} a {direction} pipe on the {side} side, which pushes to it"
        ));
    }
    if tile.space != direction.ring() {
        return Err(format!(
            "has a tile in {}, but a {direction} pipe has them in {}",
            tile.space,
            direction.ring()
        ));
    }
    Ok(())
}

/// Verifies `pto.tpop`.
pub(super) fn verify_pop(pop: TPopOp) -> Result<(), String> {
    let tile = tile_of(declared(pop.tile())?)?;
    let (pipe, side) = end(declared(pop.pipe())?)?;
    require_popped(pipe, side, &tile, "pops from")?;
    require_slot(*pop, pipe, side, &tile)?;
    require_tiles(*pop)
}

/// Verifies `pto.tfree`: on every control flow path, the tile was popped from its pipe.
pub(super) fn verify_free(free: TFreeOp) -> Result<(), String> {
    let value = declared(free.tile())?;
    let tile = tile_of(value)?;
    let (pipe, side) = end(declared(free.pipe())?)?;
    require_popped(pipe, side, &tile, "frees a slot of")?;
    for from in reaching_definitions(value) {
        let Some(pop) = from.dyn_cast::<TPopOp>() else {
            return Err(format!(
                "frees a tile from '{}'; expects a tile from pto.tpop",
                from.name()
            ));
        };
        if pop.pipe() != free.pipe() {
            return Err("frees a tile that was popped from another pipe".into());
        }
    }
    require_tiles(*free)
}
