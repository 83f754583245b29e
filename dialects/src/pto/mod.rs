//! The pto dialect: kernels over tiles, and the pipes between a cube kernel and its vector kernels.
//!
//! | module | holds |
//! |---|---|
//! | [`enums`] | the enumerations |
//! | [`types`] | tiles, buffers, pipes |
//! | [`kernel`] | kernels, what each kind may contain, launches of groups |
//! | [`address`] | addresses that pto-allocate-memory-addr assigns |
//! | [`rearrange`] | the movement of elements between tensors |
//! | `memory`, `compute`, `pipes`, `group` | the verifiers of the operations |
//!
//! A pipe is a value made by `pto.aic_initialize_pipe` or `pto.aiv_initialize_pipe`: one end of a
//! ring. Its type describes the ring completely, so that both ends can be compared. A ring has one
//! direction. Its buffer identifies the other end: the kernel it is imported from, or the slot
//! buffer that both kernels get.
//!
//! Checked for each operation: types and spaces, the sides of tiles and operations, the sizes of
//! slots and rings, and that named symbols exist and match. Checked for each launch: its kernels
//! have the two ends of the same pipes. Not checked: the order of pushes, pops and frees, whether
//! those of two kernels match, and addresses. Valid extents are checked for moves and reductions
//! only: the valid part of a result is computed, the rest is +0.

pub mod address;
mod compute;
pub mod enums;
mod group;
pub mod kernel;
mod memory;
mod pipes;
pub mod rearrange;
pub mod types;

use crate::mlir::OpView;
use crate::verify::{declared, operand, result, Verifier};
pub use crate::views::pto::*;
pub use enums::{
    Broadcast, Direction, Dst, Fidelity, Kind, Layout, Placement, Platform, Precision, Space,
    Split, Unit,
};
pub use group::ring;
pub use kernel::{enclosing, launched, platform, shares_core};
pub use pipes::initialized_by;
use tessera_ops::{Binary, Unary};
pub use types::{buffer, pipe, slot_buffer, tile, Buffer, Pipe, Side, Tile};
pub(crate) use types::{verify_buffer_type, verify_pipe_type, verify_tile_type};

/// Returns the verifier of an operation.
pub(crate) fn verifier(name: &str) -> Option<Verifier> {
    Some(match name {
        FuncOp::NAME => |op| kernel::verify(FuncOp::view(op)),
        LaunchOp::NAME => |op| kernel::verify_launch(LaunchOp::view(op)),
        AllocSlotBufferOp::NAME => kernel::verify_slot_buffer,
        AllocTensorOp::NAME => memory::verify_alloc,
        SubblockIndexOp::NAME => kernel::verify_subblock_index,
        TLoadOp::NAME => |op| memory::verify_load(TLoadOp::view(op)),
        TStoreOp::NAME => |op| memory::verify_store(TStoreOp::view(op)),
        TMoveOp::NAME => memory::verify_move,
        RearrangeOp::NAME => |op| rearrange::verify(RearrangeOp::view(op)),
        TMatmulOp::NAME | TMatmulAccOp::NAME => compute::verify_matmul,
        TCvtOp::NAME => compute::verify_conversion,
        TSelOp::NAME => compute::verify_selection,
        TRowSumOp::NAME | TRowMaxOp::NAME | TRowMinOp::NAME => compute::verify_reduction::<1>,
        TColSumOp::NAME | TColMaxOp::NAME | TColMinOp::NAME => compute::verify_reduction::<0>,
        TTransOp::NAME => compute::verify_transpose,
        TFillOp::NAME => compute::verify_fill,
        ReserveBufferOp::NAME => |op| pipes::verify_reserve(ReserveBufferOp::view(op)),
        ImportPeerBufferOp::NAME => |op| pipes::verify_import(ImportPeerBufferOp::view(op)),
        AicInitializePipeOp::NAME | AivInitializePipeOp::NAME => pipes::verify_initialize,
        TPushOp::NAME => |op| pipes::verify_push(TPushOp::view(op)),
        TPopOp::NAME => |op| pipes::verify_pop(TPopOp::view(op)),
        TFreeOp::NAME => |op| pipes::verify_free(TFreeOp::view(op)),
        name => match function_name(name)? {
            name if Unary::from_mnemonic(name).is_some() => compute::verify_unary,
            name if Binary::from_mnemonic(name).is_some() => compute::verify_binary,
            _ => return None,
        },
    })
}

/// Returns the name of an element-wise operation in the operation table: its name without the
/// dialect and the letter `t`.
pub fn function_name(name: &str) -> Option<&str> {
    name.strip_prefix(TILE_OPS)
}

/// Returns the element-wise operation on tiles with a name of the operation table.
pub fn op_name(function: &str) -> String {
    format!("{TILE_OPS}{function}")
}

/// The prefix of the names of operations on tiles.
const TILE_OPS: &str = "pto.t";
