//! Reasons why a kernel cannot be translated to groups.

use std::fmt;

use tessera_dialects::mlir::{Op, Reported, Type, Value};
use tessera_dialects::pto;
use tessera_pto::liveness::MAX_SLOTS;

use crate::verified::UNVERIFIED;

/// The first operation that cannot be expressed in a group. Targets may report it with a more
/// specific message.
#[derive(Clone, Debug)]
pub struct Refused<'a> {
    /// The operation, or the kernel.
    pub op: Op<'a>,
    /// The reason.
    pub why: Why<'a>,
}

/// Reason why an operation cannot be translated.
#[derive(Clone, Debug)]
pub enum Why<'a> {
    /// The kernel has an argument that is not a tensor of a group.
    Argument(Value<'a>),
    /// A value has a type that a group does not have.
    Value(Type<'a>),
    /// A constant is neither an index nor a boolean.
    Number,
    /// Groups have no such operation.
    Operation,
    /// Groups have no such arithmetic.
    Arithmetic,
    /// Booleans are compared as signed numbers.
    SignedBooleans,
    /// A tensor or a pipe is used as a tile or a number.
    NoTile,
    /// The operation of an orchestration is neither a launch nor what one needs.
    NoLaunch,
    /// A ring has too many slots.
    Slots(pto::Pipe),
    /// Kernels are started without the kernel at the other end of a pipe.
    OneEnd {
        /// The kernels.
        kernels: String,
        /// The pipe.
        pipe: String,
    },
    /// The operation is not verified.
    Unverified,
}

impl<'a> Refused<'a> {
    /// Refuses an operation.
    pub fn new(op: Op<'a>, why: Why<'a>) -> Self {
        Refused { op, why }
    }

    /// Reports the refusal as an error of the operation.
    pub fn report(&self) -> Reported {
        self.op.error(self.why.to_string())
    }
}

impl fmt::Display for Why<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::Argument(argument) => write!(
                f,
                "has argument {}; a group has matrices of f32, bf16 or i32, with extents of 32 bits",
                argument.r#type()
            ),
            Why::Value(r#type) if pto::tile(*r#type).is_some() => write!(
                f,
                "has a value of type {type}; a group has tiles of two dimensions, of f32, bf16 or i32"
            ),
            Why::Value(r#type) => write!(
                f,
                "has a value of type {type}; kernels compute with tiles, index and i1"
            ),
            Why::Slots(pipe) => write!(
                f,
                "makes a ring of {} slots; the interpreter has at most {MAX_SLOTS}",
                pipe.slot_num
            ),
            Why::OneEnd { kernels, pipe } => write!(
                f,
                "starts {kernels} alone, but pipe {pipe} has another end; start the kernels of a group together with pto.launch"
            ),
            _ => f.write_str(self.text()),
        }
    }
}

impl Why<'_> {
    /// Returns the text of reasons without parameters.
    fn text(&self) -> &'static str {
        match self {
            Why::Number => "is not a value of a group; kernels compute with tiles, index and i1",
            Why::Arithmetic => {
                "is not supported in a group of kernels; supported are signed operations on index, \
                 and and, or and xor on i1"
            }
            Why::SignedBooleans => {
                "compares booleans as signed numbers; use eq, ne or an unsigned predicate"
            }
            Why::NoTile => "reads a tensor or a pipe; expects a tile or a number",
            Why::NoLaunch => {
                "is not supported in an orchestration, whose launches execute in order, each once"
            }
            Why::Unverified => UNVERIFIED,
            _ => "is not supported in a group of kernels",
        }
    }
}

/// Unwraps a property that every verified operation of its kind has.
///
/// # Errors
/// The operation lacks it.
pub fn expect_verified<'a, T>(op: Op<'a>, what: Option<T>) -> Result<T, Refused<'a>> {
    what.ok_or_else(|| Refused::new(op, Why::Unverified))
}
