//! The pto dialect: kernels over tiles, and the pipes between a cube kernel and its vector kernels.
//!
//! | module | holds |
//! |---|---|
//! | [`words`] | the enumerations |
//! | [`types`] | tiles, buffers, pipes |
//! | [`kernel`] | kernels, what each kind may contain, launches of groups |
//! | [`address`] | where pto-allocate-memory-addr puts things |
//! | `memory`, `compute`, `pipes`, `group` | the rules of the operations |
//!
//! A pipe is a value made by `pto.aic_initialize_pipe` or `pto.aiv_initialize_pipe`: one end of one ring. Its type says all
//! about the ring, so that both ends can be compared. A ring has one direction; which other kernel has the other end is what its
//! buffer says: the kernel it is imported from, or the slot buffer that both are given.
//!
//! Checked here, operation by operation: types, spaces, which side a tile and an operation are on, sizes of slots and rings,
//! that what symbols name is there and fits; and for each launch, that its kernels have the two ends of the same pipes. Not
//! checked: the order of pushes, pops and frees, that those of two kernels match, and addresses. Nor which parts of a result are valid, but for moves and reductions: what a
//! type says is valid is computed, the rest is +0.

pub mod address;
mod compute;
mod group;
pub mod kernel;
mod memory;
mod pipes;
pub mod types;
pub mod words;

use crate::verify::{declared, operand, result, Verifier};
pub use crate::views::pto::*;
pub use group::ring;
pub use kernel::{enclosing, kind, launched, platform, shares_core};
pub use pipes::initialized_by;
use tessera_ops::{Binary, Unary};
pub use types::{buffer, pipe, slot_buffer, tile, Buffer, Pipe, Side, Tile};
pub(crate) use types::{verify_buffer_type, verify_pipe_type, verify_tile_type};
pub use words::{
    Broadcast, Direction, Dst, Fidelity, Kind, Layout, Placement, Platform, Space, Split, Unit,
};

/// The verifier of an operation.
pub(crate) fn verifier(name: &str) -> Option<Verifier> {
    Some(match name.strip_prefix("pto.")? {
        "func" => kernel::verify,
        "launch" => kernel::verify_launch,
        "alloc_slot_buffer" => kernel::verify_slot_buffer,
        "subblock_index" => kernel::verify_subblock_index,
        "tload" | "tstore" => memory::verify,
        "tmove" => memory::verify_move,
        "tmatmul" | "tmatmul_acc" => compute::verify_matmul,
        "tcvt" => compute::verify_conversion,
        "tsel" => compute::verify_selection,
        "trowsum" | "trowmax" | "trowmin" => compute::verify_reduction::<1>,
        "tcolsum" | "tcolmax" | "tcolmin" => compute::verify_reduction::<0>,
        "ttrans" => compute::verify_transpose,
        "tfill" => compute::verify_fill,
        "reserve_buffer" => pipes::verify_reserve,
        "import_peer_buffer" => pipes::verify_import,
        "aic_initialize_pipe" | "aiv_initialize_pipe" => pipes::verify_initialize,
        "tpush" => pipes::verify_push,
        "tpop" => pipes::verify_pop,
        "tfree" => pipes::verify_free,
        name => match name.strip_prefix('t')? {
            name if Unary::from_mnemonic(name).is_some() => compute::verify_unary,
            name if Binary::from_mnemonic(name).is_some() => compute::verify_binary,
            _ => return None,
        },
    })
}
