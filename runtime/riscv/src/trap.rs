//! Why a core stops.

use std::fmt;

use crate::bus::Width;
use crate::csr::CsrError;
use crate::instruction::{IllegalInstruction, Instruction};
use crate::vector::VectorError;

/// Where a core stopped, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trap<F> {
    /// The program counter of the instruction; in weak order of the instruction that made the
    /// request.
    pub pc: u32,
    /// The instruction, unless there is none.
    pub instruction: Option<Instruction>,
    /// The reason.
    pub reason: Reason<F>,
}

/// Why a core stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason<F> {
    /// The word is no instruction.
    Illegal(IllegalInstruction),
    /// The bus has no code at the program counter.
    Fetch(F),
    /// A jump or taken branch to an address that is not a multiple of four.
    MisalignedJump(u32),
    /// An access whose address is not a multiple of its width.
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
    /// `mret` outside of an interrupt handler.
    NotInterrupted,
    /// Floating-point arithmetic, which the bus does not do.
    NoArithmetic,
    /// A fused operation of half precision, of whose product the chip keeps nobody knows how many
    /// bits, where that matters.
    UnknownRounding,
    /// A vector instruction.
    Vector(VectorError),
    /// A control register.
    Csr(CsrError),
    /// The bus refused.
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
            Reason::Ecall => f.write_str("there is nobody to call"),
            Reason::Ebreak => f.write_str("there is no debugger"),
            Reason::NotInterrupted => f.write_str("no interrupt is being handled"),
            Reason::NoArithmetic => f.write_str("there is no floating-point arithmetic here"),
            Reason::UnknownRounding => f.write_str(
                "no page says how many bits of the product are kept, on which the result depends; multiply and add in two instructions, or in single precision",
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
