//! The state of the Vector Unit: LRegs, lane flags, configuration, random generators, scheduled
//! instructions. Its instructions are in [`crate::insn::vector`].

use tessera_isa_tensix::table::Sfpstore;
use tessera_isa_tensix::{Arch, Instruction, Opcode};

use crate::arith::{Lanes, LANES};
use crate::state::aligned::Aligned;
use crate::state::cached::Cached;
use crate::state::dst_layout::Layout;

/// Number of LRegs, including the staging register.
pub(crate) const LREGS: usize = 17;

/// Depth of the flag stack.
pub(crate) const STACK: usize = 8;

/// Number of columns of lanes.
pub(crate) const COLUMNS: usize = 8;

/// Values of LRegs 11 to 14 after reset and as SFPCONFIG's defaults: −1, 2^-16, −0.67487759,
/// −0.34484843.
pub(crate) const DEFAULTS: [u32; 4] = [0xBF80_0000, 0x3780_0000, 0xBF2C_C4C7, 0xBEB0_8FF9];

/// Lane flags and their use, one bit per lane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Predication {
    pub(crate) flags: u32,
    /// Lanes whose flag decides; the other lanes are enabled.
    pub(crate) in_use: u32,
}

/// The lanes of a register, and which of them are written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Content {
    pub(crate) values: Lanes,
    pub(crate) known: u32,
}

/// A write to an LReg.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Write {
    pub(crate) index: u32,
    pub(crate) lanes: u32,
    pub(crate) content: Content,
}

/// What SFPLOADs and SFPSTOREs of a thread take from the configuration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TransferSettings {
    /// The mode that mode 0 stands for, if it is read.
    pub(crate) mode_0: u32,
    /// Whether Dst has 32-bit rows.
    pub(crate) wide: bool,
    /// The thread's offset, added to rows of Dst.
    pub(crate) offset: u32,
    /// The base of all threads, added to rows of Dst.
    pub(crate) base: u32,
    /// The first row of the stack (Blackhole).
    pub(crate) stack_base: u32,
    pub(crate) layout: Layout,
}

/// The state of the Vector Unit, shared by the threads.
#[derive(Clone, Debug)]
pub struct Vector {
    /// The chip.
    pub(crate) arch: Arch,
    pub(crate) lregs: Box<Aligned<[Lanes; LREGS]>>,
    /// The written lanes of each LReg.
    pub(crate) known: [u32; LREGS],
    /// `None` until SFPENCC: all lanes are enabled, and flags are undefined.
    pub(crate) predication: Option<Predication>,
    pub(crate) stack: [Predication; STACK],
    pub(crate) depth: usize,
    pub(crate) config: Box<Configuration>,
    /// `None` until seeded: the state after reset is undocumented.
    pub(crate) generators: Option<Box<Generators>>,
    /// The source of the last rotation by SFPSHFT2.
    pub(crate) rotated: Option<Box<Content>>,
    pub(crate) schedule: Schedule,
    /// The LRegs that the current instruction accesses.
    pub(crate) access: AccessSet,
    /// The lanes of the scheduled instruction being executed; all lanes for issued instructions.
    pub(crate) scheduled: u32,
    /// Settings of the transfers of each thread, in other modes and in mode 0.
    pub(crate) transfer_cache: [[Option<Cached<TransferSettings, 0>>; 2]; 3],
}

/// The configuration of SFPLOADMACRO (`SFPLOADMACRO.md`, LoadMacroConfig).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Macros {
    /// Instruction templates, as words.
    pub(crate) templates: [u32; 4],
    /// For each macro, eight bits per sub-unit.
    pub(crate) sequences: [u32; 4],
    /// Twelve miscellaneous bits.
    pub(crate) misc: u32,
}

/// What SFPCONFIG sets, per column of lanes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Configuration {
    pub(crate) lanes: [u32; COLUMNS],
    pub(crate) macros: [Macros; COLUMNS],
    /// The bits that are set in any lane.
    pub(crate) any: u32,
    /// The lanes that ROW_MASK disables.
    pub(crate) masked: u32,
    /// Whether the last instruction has changed whether VD can name a template. The next
    /// instruction may see either state.
    pub(crate) backdoor_moves: bool,
    /// The columns of Src and Dst that moves between them skip, one bit each.
    pub(crate) skipped_columns: u16,
    /// Whether these columns have changed without a wait for the vector unit since.
    pub(crate) skipped_columns_unsettled: bool,
}

/// The states of the random generators.
#[derive(Clone, Debug)]
pub(crate) struct Generators(pub(crate) Lanes);

/// The register loaded by an SFPLOADMACRO, and its role in the scheduled instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Overlay {
    pub(crate) loaded: u32,
    /// Whether it is VB; otherwise it is VC.
    pub(crate) as_b: bool,
    /// Whether the result goes to the staging register; otherwise it goes to the loaded one.
    pub(crate) staged: bool,
}

/// An address in Dst: ten bits, of which the upper eight select four rows and the next one the
/// columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Address(pub(crate) usize);

/// The sub-units that execute scheduled instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SubUnit {
    Simple,
    Mad,
    Round,
    Store,
}

/// A scheduled operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// No operation.
    Idle,
    Compute(Instruction, Overlay),
    Store(Sfpstore, Address),
}

/// An instruction to be scheduled: its lanes, and its delay in cycles or instructions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) unit: SubUnit,
    pub(crate) action: Action,
    pub(crate) lanes: u32,
    pub(crate) delay: u32,
    pub(crate) by_instructions: bool,
}

/// The accesses of an instruction: LRegs, one bit each, and the bits below.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct AccessSet {
    pub(crate) read: u32,
    pub(crate) written: u32,
}

/// An instruction that is scheduled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScheduledInstruction {
    pub(crate) plan: Plan,
    /// The thread that has scheduled it, and its list entry or word number.
    pub(crate) thread: usize,
    pub(crate) entry: usize,
    /// Accesses of instructions that its thread might issue after its execution.
    pub(crate) overtaking: AccessSet,
}

/// The instruction that makes a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Writer {
    pub(crate) opcode: Opcode,
    pub(crate) scheduled: bool,
}

/// The instructions that SFPLOADMACRO has scheduled.
#[derive(Clone, Debug, Default)]
pub(crate) struct Schedule {
    pub(crate) items: Vec<ScheduledInstruction>,
    /// Writes of two-cycle instructions, which take effect at the end of the next cycle.
    pub(crate) late: Vec<(Writer, Write)>,
    /// The writes of the current cycle.
    pub(crate) writes: Vec<Write>,
    pub(crate) collects: bool,
    /// The instruction that occupies the unit for a second cycle.
    pub(crate) second: Option<Writer>,
    /// The thread and number of the last instruction issued.
    pub(crate) last: (usize, u64),
}

impl Vector {
    /// Creates the state after reset (ISA documentation, `SoftReset.md`).
    pub(crate) fn after_reset(arch: Arch) -> Self {
        let mut vector = Vector {
            known: [u32::MAX; LREGS],
            predication: Some(Predication::default()),
            ..Vector::new(arch)
        };
        for (index, word) in (11..).zip(DEFAULTS) {
            vector.lregs[index] = [word; LANES];
        }
        vector
    }
}

impl Vector {
    /// Creates the state at power-on: lanes are unwritten and flags undefined.
    pub(crate) fn new(arch: Arch) -> Self {
        let mut lregs = Box::new(Aligned([[0; LANES]; LREGS]));
        let mut known = [0; LREGS];
        // The constants: 0.8373 (rounded to FP32), 0, 1, twice the lane's number.
        for (index, lanes) in [
            (8, [0x3F56_594B; LANES]),
            (9, [0; LANES]),
            (10, [0x3F80_0000; LANES]),
            (15, std::array::from_fn(|lane| 2 * lane as u32)),
        ] {
            lregs[index] = lanes;
            known[index] = u32::MAX;
        }
        Vector {
            arch,
            lregs,
            known,
            predication: None,
            stack: Default::default(),
            depth: 0,
            config: Box::default(),
            generators: None,
            rotated: None,
            access: AccessSet::default(),
            schedule: Schedule::default(),
            scheduled: u32::MAX,
            transfer_cache: Default::default(),
        }
    }

    /// Returns the LRegs that the last instruction read and those that it wrote, one bit each.
    pub fn accessed_lregs(&self) -> [u32; 2] {
        [self.access.read, self.access.written]
    }

    /// Returns the enabled lanes, one bit each.
    pub fn enabled(&self) -> u32 {
        let by_flags = self.predication.map_or(u32::MAX, |p| p.flags | !p.in_use);
        by_flags & !self.config.masked & self.scheduled
    }

    /// Returns an LReg for inspection, if all its lanes are written.
    pub fn lreg(&self, index: usize) -> Option<&Lanes> {
        (self.known[index] == u32::MAX).then(|| &self.lregs[index])
    }

    pub(crate) fn content(&self, index: u32) -> Content {
        Content {
            values: self.lregs[index as usize],
            known: self.known[index as usize],
        }
    }

    pub(crate) fn apply(&mut self, write: &Write) {
        let (index, lanes) = (write.index as usize, write.lanes);
        let lreg = &mut self.lregs[index];
        for (lane, (own, new)) in lreg.iter_mut().zip(write.content.values).enumerate() {
            *own = if lanes >> lane & 1 != 0 { new } else { *own };
        }
        self.known[index] = self.known[index] & !lanes | write.content.known & lanes;
    }
}
