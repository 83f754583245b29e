//! Refusals: the reasons why a group is not lowered to Tensix.

use std::fmt::Display;

use tessera_isa_tensix::Arch;
use tessera_pto::kernel::Op;

use super::plan::LocationId;
use crate::ttnn::layout::TILE;

/// A reason why a group is not lowered, and its subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The subject.
    pub subject: Subject,
    /// The problem.
    pub message: Message,
}

/// The subject of a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The whole group.
    Group,
    /// A kernel, by its number in the group.
    Kernel(usize),
    /// An operation, by its location.
    Operation(LocationId),
    /// The yield of a loop, by the location of the loop.
    Yield(LocationId),
}

/// The problem that a refusal states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// A text.
    Text(String),
    /// The operation makes a tile of an unsupported type.
    Tile {
        /// Number of the result that is the tile.
        result: usize,
    },
    /// The operation accesses a tensor that is larger than the DRAM of the chip.
    Tensor {
        /// The chip.
        arch: Arch,
        /// Number of the tensor among the operation's tensor operands.
        operand: usize,
    },
}

impl Message {
    /// Returns the text of the message. `type` is the type of the tile or tensor concerned, if
    /// there is one.
    pub fn text(&self, r#type: impl Display) -> String {
        match self {
            Message::Text(text) => text.clone(),
            Message::Tile { .. } => describe_unsupported_tile(r#type),
            Message::Tensor { arch, .. } => describe_dram_overflow(r#type, *arch),
        }
    }
}

/// Returns the diagnostic for a tile of an unsupported type.
pub fn describe_unsupported_tile(r#type: impl Display) -> String {
    format!(
        "makes {type}, which is not lowered to Tensix; use a row-major, fully valid tile whose \
         extents are multiples of {TILE}"
    )
}

/// Returns the diagnostic for a tensor that is larger than DRAM.
pub fn describe_dram_overflow(r#type: impl Display, arch: Arch) -> String {
    format!(
        "moves tiles of '{type}', but the DRAM of {arch} has only {} banks of {} bytes",
        arch.dram_banks(),
        arch.dram_bank_bytes()
    )
}

impl Refusal {
    /// Creates a refusal with a text.
    pub fn new(subject: Subject, text: impl Into<String>) -> Self {
        Refusal {
            subject,
            message: Message::Text(text.into()),
        }
    }

    /// Creates a refusal of the operation at `location`.
    pub fn for_op(location: LocationId, text: impl Into<String>) -> Self {
        Refusal::new(Subject::Operation(location), text)
    }
}

/// Unwraps a property that every operation of a valid group has.
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
