//! Why a group is not lowered to Tensix.

use std::fmt::Display;

use tessera_isa_tensix::Arch;
use tessera_pto::kernel::Op;

use super::plan::LocationId;
use crate::ttnn::layout::TILE;

/// A reason why a group is not lowered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What it is about.
    pub subject: Subject,
    /// What is wrong with that.
    pub message: Message,
}

/// What a refusal is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The whole group.
    Group,
    /// A kernel, by its number in the group.
    Kernel(usize),
    /// An operation, by its location.
    Operation(LocationId),
    /// What the body of a loop yields, by the location of the loop.
    Yield(LocationId),
}

/// What is wrong with the subject of a refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// What the text says.
    Text(String),
    /// The operation makes a tile that this lowering does not have.
    Tile {
        /// The result that is the tile.
        result: usize,
    },
    /// The operation accesses a tensor that is larger than the DRAM of the chip.
    Tensor {
        /// The chip.
        arch: Arch,
        /// Which of the tensors that are operands of the operation.
        operand: usize,
    },
}

impl Message {
    /// The text of the message. `type` is the type of the tile or the tensor that it is about, if
    /// there is one.
    pub fn text(&self, r#type: impl Display) -> String {
        match self {
            Message::Text(text) => text.clone(),
            Message::Tile { .. } => tile_is_not_whole(r#type),
            Message::Tensor { arch, .. } => dram_is_smaller(r#type, *arch),
        }
    }
}

/// What is said of an operation that makes a tile of a type that this lowering does not have.
pub fn tile_is_not_whole(r#type: impl Display) -> String {
    format!(
        "makes {type}, which is not lowered to Tensix; tiles of multiples of {TILE}x{TILE} elements are, row by row and valid \
         everywhere"
    )
}

/// What is said of an operation that accesses a tensor of a type that is larger than DRAM.
pub fn dram_is_smaller(r#type: impl Display, arch: Arch) -> String {
    format!(
        "moves tiles of '{type}', but the DRAM of {arch} has only {} banks of {} bytes",
        arch.dram_banks(),
        arch.dram_bank_bytes()
    )
}

impl Refusal {
    /// A refusal with a text.
    pub fn new(subject: Subject, text: impl Into<String>) -> Self {
        Refusal {
            subject,
            message: Message::Text(text.into()),
        }
    }

    /// Refuses an operation.
    pub fn for_op(location: LocationId, text: impl Into<String>) -> Self {
        Refusal::new(Subject::Operation(location), text)
    }
}

/// Returns what an operation of every valid group has.
///
/// # Errors
/// The operation lacks it, so the group is not valid.
pub fn expect_valid<T>(op: &Op, what: Option<T>) -> Result<T, Refusal> {
    what.ok_or_else(|| {
        Refusal::for_op(
            op.location,
            "internal error: lacks what every valid operation of its kind has",
        )
    })
}
