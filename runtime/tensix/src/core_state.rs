//! The state of one Tensix core that instructions act on.
//!
//! A unit is a module with one entry point, `execute(instruction: &Instruction, thread: usize,
//! core: &mut CoreState) -> Result<(), Fault>`, called once when the instruction passes its
//! thread's wait gate. It performs the whole effect at once: results, counters, bank handover. What
//! the hardware does later than that is covered by the machine, which lets the instruction occupy
//! its unit and traps every conflicting access meanwhile; for that, a unit
//! * reads configuration through [`Config::get`], which notes the words,
//! * accesses L1 through [`L1::read`] and [`L1::write`], which note the bytes,
//! * notes in [`CoreState::access`] the Dst rows (as 1024 rows of 16 bits, physical numbers) and
//!   the LRegs.
//!
//! The machine has already waited for what the documentation says the gate waits for (bank
//! ownership, unit free); a unit need not check that.

use tessera_isa_tensix::{cfg, Arch};

use crate::access::AccessLog;
use crate::adc::ThreadAdcs;
use crate::banks::Banks;
use crate::config::Config;
use crate::gpr::Gprs;
use crate::l1::L1;
use crate::matrix::{Factors, Known};
use crate::model::Model;
use crate::regs::Registers;
use crate::request::Request;
use crate::streams::Streams;
use crate::tile::Care;
use crate::unpack::RowStarts;

/// The state of one core.
#[derive(Clone, Debug)]
pub struct CoreState {
    /// Which chip.
    pub arch: Arch,
    /// What is looked for.
    pub(crate) care: Care,
    /// How its units compute.
    pub model: Model,
    /// Backend configuration.
    pub config: Config,
    /// Address counters, per thread.
    pub adcs: [ThreadAdcs; 3],
    /// General-purpose registers of the scalar unit, per thread.
    pub gprs: [Gprs; 3],
    /// The tile's memory.
    pub l1: L1,
    /// Bank ownership of SrcA and SrcB.
    pub banks: Banks,
    /// Registers of the NoC overlay's streams.
    pub streams: Streams,
    /// `Unpackers[u].ContextCounter[thread]`, 0 to 7.
    pub context_counter: [[u32; 3]; 2],
    /// Unpacker 0's last UNPACR went to Dst.
    pub unpacked_to_dst: bool,
    /// Row starts of compressed tiles that each unpacker may hold.
    pub row_starts: [RowStarts; 2],
    /// SrcA, SrcB, Dst, LRegs, row counters: what the matrix and vector units, unpackers and
    /// packers work on.
    pub regs: Registers,
    /// What each thread's configuration said about arithmetic.
    pub(crate) known: [Option<Known>; 3],
    /// The rows of SrcA that products have read, as the fast model has them.
    pub(crate) factors: Factors,
    /// What the instruction being executed touches.
    pub access: AccessLog,
    /// What the instruction being executed asks of the tile.
    pub request: Option<Request>,
    /// Which one that is.
    pub(crate) slot: Slot,
}

/// An instruction among those of its thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Slot {
    /// How many the thread has issued before.
    pub(crate) issued: u64,
    /// The entry of its list, or the number of the word, that it came from.
    pub(crate) entry: usize,
}

impl CoreState {
    /// A core of `arch` after reset, which computes fast.
    pub fn new(arch: Arch) -> Self {
        CoreState::with_model(arch, Model::fast())
    }

    /// A core of `arch` after reset.
    pub fn with_model(arch: Arch, model: Model) -> Self {
        CoreState {
            arch,
            care: Care::All,
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
            regs: Registers::default(),
            known: Default::default(),
            factors: Factors::default(),
            access: AccessLog::default(),
            request: None,
            slot: Slot::default(),
        }
    }

    /// The stream that a thread has given one of four numbers (Blackhole).
    pub(crate) fn stream(&self, thread: usize, number: u32) -> usize {
        let field = cfg::STREAM_ID_SYNC_BankSel.at(number);
        self.config.thread(thread, field) as usize
    }
}
