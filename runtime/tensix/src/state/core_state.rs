//! The state of one Tensix core that instructions act on.
//!
//! A unit is a module with the entry point `execute`, a function of the instruction, the thread and
//! the state that the unit uses: a struct of references, such as [`crate::insn::pack::Packers`], or
//! a few parts as they are. It is called once, when the instruction passes its thread's wait gate,
//! and performs the whole effect at once: results, counters, bank handover. Hardware effects that
//! take place later are covered by `flight`: the instruction occupies its unit, and every
//! conflicting access meanwhile traps. For this, a unit
//!
//! * reads configuration through [`Config::get`], which records the words;
//! * accesses L1 through [`L1::read`] and [`L1::write`], which record the bytes;
//! * records in [`CoreState::access`] the LRegs and the Dst rows (physical numbers, as 1024 rows of
//!   16 bits).
//!
//! The wait gate has already checked bank ownership and whether the unit is free; a unit does not
//! check them again.

use tessera_isa_tensix::Arch;

use crate::state::access::AccessLog;
use crate::state::adc::ThreadAdcs;
use crate::state::banks::Banks;
use crate::state::check_policy::CheckPolicy;
use crate::state::config::Config;
use crate::state::gpr::Gprs;
use crate::state::l1::L1;
use crate::state::matrix::{CachedArithmetic, CachedMoves, OperandCache};
use crate::state::model::Model;
use crate::state::regs::Registers;
use crate::state::request::Request;
use crate::state::streams::Streams;
use crate::state::unpacker::RowStarts;

/// The state of one core.
#[derive(Clone, Debug)]
pub struct CoreState {
    /// The chip.
    pub arch: Arch,
    /// Which checks are made.
    pub(crate) check_policy: CheckPolicy,
    /// Which implementation of the arithmetic is used.
    pub model: Model,
    /// Backend configuration.
    pub config: Config,
    /// Address counters per thread.
    pub adcs: [ThreadAdcs; 3],
    /// General-purpose registers of the scalar unit per thread.
    pub gprs: [Gprs; 3],
    /// The tile's L1 memory.
    pub l1: L1,
    /// Bank ownership of SrcA and SrcB.
    pub banks: Banks,
    /// Registers of the NoC overlay's streams.
    pub streams: Streams,
    /// `Unpackers[u].ContextCounter[thread]`, 0 to 7.
    pub context_counter: [[u32; 3]; 2],
    /// Whether unpacker 0's last UNPACR wrote to Dst.
    pub unpacked_to_dst: bool,
    /// Row start tables of compressed tiles that each unpacker may hold.
    pub row_starts: [RowStarts; 2],
    /// The registers of the matrix and vector units, unpackers and packers: SrcA, SrcB, Dst, LRegs,
    /// row counters.
    pub regs: Registers,
    /// Arithmetic settings decoded from each thread's configuration.
    pub(crate) arithmetic_cache: [Option<CachedArithmetic>; 3],
    /// Settings of moves decoded from each thread's configuration.
    pub(crate) move_cache: [CachedMoves; 3],
    /// Decoded operands of MVMULs of the fast model.
    pub(crate) operand_cache: OperandCache,
    /// What the current instruction accesses.
    pub access: AccessLog,
    /// The request of the current instruction to the tile.
    pub request: Option<Request>,
    /// The position of the current instruction.
    pub(crate) slot: Slot,
}

/// The position of an instruction in its thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Slot {
    /// The number of instructions that the thread issued before.
    pub(crate) issued: u64,
    /// The list entry or the number of the pushed word that it came from.
    pub(crate) entry: usize,
}

impl CoreState {
    /// Creates a core of `arch` after reset with the fast model.
    pub fn new(arch: Arch) -> Self {
        CoreState::with_model(arch, Model::fast())
    }

    /// Creates a core of `arch` after reset.
    pub fn with_model(arch: Arch, model: Model) -> Self {
        CoreState {
            arch,
            check_policy: CheckPolicy::Strict,
            model,
            config: Config::new(arch),
            adcs: [ThreadAdcs::new(arch); 3],
            gprs: Default::default(),
            l1: L1::new(arch),
            banks: Banks::default(),
            streams: Streams::new(arch),
            context_counter: Default::default(),
            unpacked_to_dst: false,
            row_starts: Default::default(),
            regs: Registers::new(arch),
            arithmetic_cache: Default::default(),
            move_cache: Default::default(),
            operand_cache: OperandCache::default(),
            access: AccessLog::default(),
            request: None,
            slot: Slot::default(),
        }
    }
}
