//! Issue packets: what issues in one step of a loop.

use tessera_isa_mncore::ast::{self, Expression};
use thiserror::Error;

/// An issue packet: everything that issues in one step.
#[derive(Clone, Debug, Default)]
pub struct Issue {
    /// MV instructions, issued before the step.
    pub moves: Vec<ast::Mv>,
    /// The expressions of the step; an empty list is a `nop`.
    pub expressions: Vec<Expression>,
    /// The source lines they stand for, without 0, each once.
    pub lines: Vec<u32>,
}

/// Why a scheduled loop cannot be emitted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EmitError {
    /// A value is not read in the step after it is written, and has no register.
    #[error("value {value} has no register, but item {item} does not read it in the step after item {writer} writes it")]
    NoRegister {
        /// The value's number.
        value: u32,
        /// The writer.
        writer: usize,
        /// The reader.
        item: usize,
    },
    /// A constant has no register.
    #[error("constant {word:#010x} of item {item} has no register")]
    NoConstant {
        /// The constant.
        word: u32,
        /// The reader.
        item: usize,
    },
    /// An address is too large for its memory.
    #[error("item {item}: address {address} in {memory}, which has {size} words")]
    Address {
        /// The item.
        item: usize,
        /// The address.
        address: u32,
        /// The memory.
        memory: &'static str,
        /// Its size.
        size: u32,
    },
}
