//! Errors of the model.
//!
//! A unit reports a [`Fault`]: the category and a description. The machine adds the location:
//! thread, list entry, instruction. The result is a [`Trap`]. Nothing in this crate warns and
//! continues.

use std::borrow::Cow;
use std::fmt;

use tessera_isa_tensix::expand::ExpandError;
use tessera_isa_tensix::list::EntryProblem;
use tessera_isa_tensix::{Arch, DecodeError, Instruction};

type Text = Cow<'static, str>;

/// A refusal of a unit, by category.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The program does something that the documentation leaves undefined.
    #[error("undefined behaviour: {0}")]
    Undefined(Text),
    /// The hardware supports it, but the model does not.
    #[error("not modelled: {0}")]
    Unmodelled(Text),
    /// The program relies on an order that the hardware does not guarantee.
    #[error("hazard: {0}")]
    Hazard(Text),
}

impl Fault {
    /// Creates an [`Undefined`](Fault::Undefined) fault.
    pub fn undefined(text: impl Into<Text>) -> Self {
        Fault::Undefined(text.into())
    }

    /// Creates an [`Unmodelled`](Fault::Unmodelled) fault.
    pub fn unmodelled(text: impl Into<Text>) -> Self {
        Fault::Unmodelled(text.into())
    }

    /// Creates the fault of an instruction that the model does not support.
    pub fn unmodelled_instruction(instruction: &Instruction) -> Self {
        Fault::unmodelled(instruction.row().mnemonic)
    }

    /// Creates a [`Hazard`](Fault::Hazard) fault.
    pub fn hazard(text: impl Into<Text>) -> Self {
        Fault::Hazard(text.into())
    }
}

/// One of the four lists of a kernel, or a RISC-V core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Thread 0.
    Unpack,
    /// Thread 1.
    Math,
    /// Thread 2.
    Pack,
    /// Data movement.
    Dm,
    /// RISC-V core B.
    B,
    /// RISC-V core NC.
    Nc,
    /// The NoC, on behalf of a core.
    Noc,
    /// The mover, on behalf of a core.
    Mover,
}

impl Source {
    /// Returns the source of Tensix thread 0, 1 or 2.
    pub fn of_thread(thread: usize) -> Self {
        [Source::Unpack, Source::Math, Source::Pack][thread]
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Source::Unpack => "unpack (T0)",
            Source::Math => "math (T1)",
            Source::Pack => "pack (T2)",
            Source::Dm => "dm",
            Source::B => "B",
            Source::Nc => "NC",
            Source::Noc => "the NoC",
            Source::Mover => "the mover",
        })
    }
}

/// A place in a list or an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrapLocation {
    /// Index of a list entry.
    Entry(usize),
    /// Program counter of a RISC-V instruction.
    Pc(u32),
}

/// An error with its location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trap {
    /// The list, unless the trap concerns the whole core.
    pub source: Option<Source>,
    /// The location in the source.
    pub place: Option<TrapLocation>,
    /// The instruction and its chip, if one was decoded.
    pub instruction: Option<(Instruction, Arch)>,
    /// The reason.
    pub reason: Reason,
}

/// The reason of a trap.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// A fault of a unit.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// A list entry names something that no core has.
    #[error("the entry {0}")]
    Entry(#[from] EntryProblem),
    /// A pushed word is not an instruction.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// An error of an expander.
    #[error(transparent)]
    Expand(#[from] ExpandError),
    /// An error of a RISC-V core.
    #[error("{}", .0.reason)]
    Riscv(Box<tessera_riscv::Trap<Fault>>),
    /// A RISC-V core, or a thread of a list program, exceeded its instruction limit.
    #[error("has run {0} instructions, which is the limit of this launch")]
    Endless(u64),
    /// All agents are blocked; one line per waiting agent.
    #[error("deadlock: {}", .0.join("; "))]
    Deadlock(Vec<String>),
    /// The lists ended and left the core in a state that breaks the next kernel.
    #[error("the kernel ended uncleanly: {}", .0.join("; "))]
    Unclean(Vec<String>),
    /// The kernel or its arguments are invalid.
    #[error("{0}")]
    Setup(String),
}

impl Trap {
    /// Creates a trap without a place.
    pub(crate) fn new(source: Option<Source>, reason: impl Into<Reason>) -> Self {
        Trap {
            source,
            place: None,
            instruction: None,
            reason: reason.into(),
        }
    }
}

impl fmt::Display for Trap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(source) = self.source {
            write!(f, "{source}")?;
            match self.place {
                Some(TrapLocation::Entry(entry)) => write!(f, ", entry {entry}")?,
                Some(TrapLocation::Pc(pc)) => write!(f, ", pc {pc:#x}")?,
                None => {}
            }
            if let Some((instruction, arch)) = &self.instruction {
                write!(f, ", `{}`", instruction.text(*arch))?;
            }
            if let Reason::Riscv(trap) = &self.reason {
                if let Some(instruction) = trap.instruction {
                    write!(f, ", `{instruction}`")?;
                }
            }
            f.write_str(": ")?;
        }
        self.reason.fmt(f)
    }
}

impl std::error::Error for Trap {}
