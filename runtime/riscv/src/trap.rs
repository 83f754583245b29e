//! Errors of a core.

use std::fmt;

use crate::bus::Width;
use crate::csr::CsrError;
use crate::instruction::{IllegalInstruction, Instruction};
use crate::vector::VectorError;

/// An error with its location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trap<F> {
    /// The program counter of the instruction; with weakly ordered memory, of the one that made the
    /// request.
    pub pc: u32,
    /// The instruction, if it was decoded.
    pub instruction: Option<Instruction>,
    /// The reason.
    pub reason: Reason<F>,
}

/// The reason of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason<F> {
    /// The word is not an instruction.
    Illegal(IllegalInstruction),
    /// The bus has no code at the program counter.
    Fetch(F),
    /// The target of a jump or taken branch is not a multiple of four.
    MisalignedJump(u32),
    /// The address of an access is not a multiple of its width.
    MisalignedAccess {
        /// The address.
        addr: u32,
        /// The width.
        width: Width,
    },
    /// `ecall`.
    Ecall,
    /// `ebreak`.
    Ebreak,
    /// `mret` outside an interrupt handler.
    NotInterrupted,
    /// The bus does not support floating-point arithmetic.
    NoArithmetic,
    /// The result of a fused half-precision operation depends on the unknown precision of the
    /// chip's product.
    UnknownRounding,
    /// An invalid vector instruction.
    Vector(VectorError),
    /// An invalid access to a control register.
    Csr(CsrError),
    /// A fault of the bus.
    Bus(F),
}

impl<F: fmt::Display> fmt::Display for Reason<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Illegal(illegal) => illegal.fmt(f),
            Reason::MisalignedJump(target) => {
                write!(f, "jumps to {target:#x}, which is not a multiple of 4")
            }
            Reason::MisalignedAccess { addr, width } => write!(
                f,
                "accesses {} bytes at {addr:#x}, which is not a multiple of that",
                width.bytes()
            ),
            Reason::Ecall => f.write_str("no environment handles calls"),
            Reason::Ebreak => f.write_str("there is no debugger"),
            Reason::NotInterrupted => f.write_str("no interrupt is being handled"),
            Reason::NoArithmetic => f.write_str("there is no floating-point arithmetic here"),
            Reason::UnknownRounding => f.write_str(
                "the result depends on how many bits of the product are kept, which is not \
                 documented; multiply and add in two instructions, or in single precision",
            ),
            Reason::Vector(error) => error.fmt(f),
            Reason::Csr(error) => error.fmt(f),
            Reason::Fetch(fault) | Reason::Bus(fault) => fault.fmt(f),
        }
    }
}

impl<F: fmt::Display> fmt::Display for Trap<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pc {:#x}", self.pc)?;
        if let Some(instruction) = &self.instruction {
            write!(f, ", `{instruction}`")?;
        }
        write!(f, ": {}", self.reason)
    }
}

impl<F: fmt::Debug + fmt::Display> std::error::Error for Trap<F> {}
