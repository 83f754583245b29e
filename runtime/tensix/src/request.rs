//! What the coprocessor asks of the rest of the tile: registers of the address space that the
//! RISC-V cores have, too, and NC's instruction RAM.
//!
//! An instruction leaves its request in [`crate::core_state::CoreState::request`]. It is on its way
//! until the instruction has left its unit (`crate::flight`); who runs the coprocessor then carries
//! it out, in the order in which each unit has made its requests.
//!
//! Source: ISA documentation, `STOREREG.md`, `LOADREG.md`, `STOREIND_MMIO.md`, `PACR_SETREG.md`,
//! `Mover.md`.

use std::fmt;

use tessera_isa_tensix::{Arch, Instruction};

use crate::trap::{Fault, Place, Source, Trap};

/// The window of the address space that these instructions reach.
const WINDOW: u32 = 0xffb0_0000;
/// What is below belongs to each RISC-V core alone.
const SHARED: u32 = 0xffb1_1000;

/// A request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Store a word to a register.
    Store {
        /// Where.
        address: u32,
        /// What.
        value: u32,
    },
    /// Load a word from a register to a GPR: the answer goes to [`crate::gpr::Gprs::set`].
    Load {
        /// Where from.
        address: u32,
        /// Whose GPR.
        thread: usize,
        /// Which.
        register: u32,
    },
    /// Write to NC's instruction RAM.
    InstructionRam {
        /// Bytes from its start.
        offset: u32,
        /// What.
        bytes: Vec<u8>,
    },
}

/// What made a request, and the list entry or program counter that it came from; none for what the
/// mover does for TDMA-RISC.
pub(crate) type RequestOrigin = Option<(Instruction, usize)>;

/// A request on its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sent {
    pub(crate) request: Request,
    pub(crate) origin: RequestOrigin,
}

/// Says that a request of a thread cannot be carried out.
pub(crate) fn trap(arch: Arch, thread: usize, origin: RequestOrigin, fault: Fault) -> Trap {
    Trap {
        source: Some(match thread {
            0..3 => Source::of_thread(thread),
            _ => Source::Mover,
        }),
        place: origin.map(|(_, entry)| Place::Entry(entry)),
        instruction: origin.map(|(instruction, _)| (instruction, arch)),
        reason: fault.into(),
    }
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Request::Store { address, .. } => write!(f, "a store to the register {address:#x}"),
            Request::Load { address, .. } => write!(f, "a load of the register {address:#x}"),
            Request::InstructionRam { offset, bytes } => write!(
                f,
                "a move of {:#x} bytes to {offset:#x} in NC's instruction RAM",
                bytes.len()
            ),
        }
    }
}

/// Returns the address of the register `offset` bytes into the window.
///
/// # Errors
/// Undefined for what belongs to each RISC-V core alone.
pub(crate) fn register(offset: u32) -> Result<u32, Fault> {
    let address = WINDOW + offset;
    if address < SHARED {
        return Err(Fault::undefined(format!(
            "accesses the register {address:#x}; those from {SHARED:#x} on can be"
        )));
    }
    Ok(address)
}
