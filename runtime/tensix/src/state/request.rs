//! Requests of the coprocessor to the tile: accesses to registers in the RISC-V cores' address
//! space, and to NC's instruction RAM.
//!
//! An instruction leaves its request in [`crate::state::core_state::CoreState::request`]. The
//! request is in flight until the instruction leaves its unit (`crate::issue::flight`). It is then
//! executed, in the unit's order of requests.
//!
//! Source: ISA documentation, `STOREREG.md`, `LOADREG.md`, `STOREIND_MMIO.md`, `PACR_SETREG.md`,
//! `Mover.md`.

use std::fmt;

use tessera_isa_tensix::{Arch, Instruction};

use crate::trap::{Fault, Source, Trap, TrapLocation};

/// The window of the address space that these instructions reach.
const WINDOW: u32 = 0xffb0_0000;
/// Addresses below are private to each RISC-V core.
const SHARED: u32 = 0xffb1_1000;

/// A request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Store a word to a register.
    Store {
        /// The address.
        address: u32,
        /// The value.
        value: u32,
    },
    /// Load a word from a register to a GPR ([`crate::state::gpr::Gprs::set`]).
    Load {
        /// The address.
        address: u32,
        /// The thread of the GPR.
        thread: usize,
        /// The GPR.
        register: u32,
    },
    /// Write to NC's instruction RAM.
    InstructionRam {
        /// Byte offset from its start.
        offset: u32,
        /// The bytes.
        bytes: Vec<u8>,
    },
}

/// The instruction that made a request, and its list entry or program counter; `None` for the
/// mover's tasks for TDMA-RISC.
pub(crate) type RequestOrigin = Option<(Instruction, usize)>;

/// A request in flight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sent {
    pub(crate) request: Request,
    pub(crate) origin: RequestOrigin,
}

/// Makes the trap of a request that cannot be executed.
pub(crate) fn trap(arch: Arch, thread: usize, origin: RequestOrigin, fault: Fault) -> Trap {
    Trap {
        source: Some(match thread {
            0..3 => Source::of_thread(thread),
            _ => Source::Mover,
        }),
        place: origin.map(|(_, entry)| TrapLocation::Entry(entry)),
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
