//! A tile: five RISC-V cores, the coprocessor, and the devices between them.
//!
//! The cores execute code from L1; NC executes from its instruction memory.
//!
//! The scheduler's agents (`scheduler`) are the cores, data movement, the front ends, the
//! units, TDMA-RISC and the NoCs. A core's step ends when it accesses something that other agents
//! can observe. Polling cores park ([`tessera_riscv`]), so a tile whose cores all wait for each
//! other is recognised as blocked.

mod auto_sync;
mod breaks;
mod bus;
mod control;
pub(crate) mod devices;
mod dst;
mod fifo;
mod lists;
pub(crate) mod local;
mod pic;
mod scheduling;
mod status;
mod tdma;
mod timestamp;

use tessera_isa_tensix::Arch;
use tessera_riscv::{Core, Step, Width};

use crate::dram::Dram;
use crate::issue::coprocessor::{Advanced, Coprocessor};
use crate::issue::scheduler::{Schedule, Scheduler};
use crate::issue::stats::Stats;
use crate::map::{self, Region, CORES};
use crate::noc::{Delivery, Niu, TileNaming};
use crate::state::changes::{Changes, Counts};
use crate::state::check_policy::CheckPolicy;
use crate::state::l1::little_endian;
use crate::state::model::Model;
use crate::state::request::{self, Request};
use crate::state::units::UNITS;
use crate::trap::{Fault, Reason, Source, Trap, TrapLocation};
use bus::CoreBus;
use control::ResetChange;
use devices::{parts_of_origin, Devices, OUTSIDE};

pub use breaks::{Break, ParseBreakError};
pub(crate) use lists::Lists;

/// The kind of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TileKind {
    /// Five cores and a coprocessor.
    Tensix,
    /// One core, at the position of B.
    Ethernet,
}

impl TileKind {
    /// Returns the cores that exist, one bit each.
    fn cores(self) -> u32 {
        match self {
            TileKind::Tensix => (1 << CORES.len()) - 1,
            TileKind::Ethernet => 1 << map::B,
        }
    }
}

/// The parameters of a new tile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TileParams {
    pub(crate) kind: TileKind,
    /// Coordinates on NoC 0.
    pub(crate) at: map::Coordinate,
    /// Whether NoC packets arrive in several pieces, in any permitted order.
    pub(crate) split: bool,
    pub(crate) names: TileNaming,
    pub(crate) check_policy: CheckPolicy,
    pub(crate) model: Model,
    /// Cores that are not held in reset, one bit each.
    pub(crate) running: u32,
    pub(crate) schedule: Schedule,
}

/// Agents of the scheduler: five cores, data movement, three front ends, the units, TDMA-RISC, the
/// NoCs.
pub(crate) const DM: usize = 5;
pub(crate) const FRONTEND: usize = 6;
pub(crate) const UNIT: usize = 9;
pub(crate) const TDMA: usize = UNIT + UNITS;
pub(crate) const NOC: usize = TDMA + 1;
pub(crate) const AGENTS: usize = NOC + 2;
/// The instructions of a core's step, unless it ends earlier at an observable access.
const STEP_INSTRUCTIONS: u64 = 64;

/// How far an agent advanced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Advance {
    pub(crate) steps: u32,
    /// False only if the agent cannot advance before something changes.
    pub(crate) may_continue: bool,
}

impl From<Advanced> for Advance {
    fn from(advanced: Advanced) -> Self {
        Advance {
            steps: advanced.into(),
            may_continue: advanced,
        }
    }
}

pub(crate) struct Tile<'a> {
    pub(crate) cores: [Core; 5],
    /// The outcome of each core's last step, and the address of the access that it must retry.
    pub(crate) last: [Step; 5],
    pub(crate) refused: [u32; 5],
    pub(crate) devices: Devices,
    /// Data movement by a list in place of the cores, if the launch has one.
    pub(crate) lists: Option<Lists<'a>>,
    pub(crate) is_weak: bool,
    /// The maximum number of instructions of a core.
    pub(crate) limit: u64,
    pub(crate) scheduler: Scheduler<AGENTS>,
    /// The change counters when blocked agents were last woken.
    pub(crate) seen: Counts,
    pub(crate) breaks: Vec<Break>,
    /// The delivery of each NoC that waits for the end of the epoch.
    pub(crate) deliveries: [Option<Delivery>; 2],
    /// Buffer for NoC payloads.
    pub(crate) carried: Vec<u8>,
    /// Whether a break was hit that has not been reported yet.
    pub(crate) hit_break: bool,
}

pub(crate) fn source(core: usize) -> Source {
    match core {
        map::B => Source::B,
        map::NC => Source::Nc,
        _ => Source::of_thread(core - 1),
    }
}

pub(crate) fn trap(source: Option<Source>, reason: impl Into<Reason>) -> Trap {
    Trap {
        source,
        place: None,
        instruction: None,
        reason: reason.into(),
    }
}

impl<'a> Tile<'a> {
    /// Creates a tile with empty memories.
    pub(crate) fn new(arch: Arch, params: TileParams) -> Box<Self> {
        let mut coprocessor = Coprocessor::with_check_policy(arch, params.check_policy);
        coprocessor.core.model = params.model;
        let devices = Devices::new(coprocessor, &params);
        Box::new(Tile {
            cores: std::array::from_fn(|k| Core::new(map::isa(arch, k), map::IMAGES[k].start)),
            last: [Step::Ran; 5],
            refused: [0; 5],
            devices,
            lists: None,
            is_weak: false,
            limit: u64::MAX,
            scheduler: Scheduler::new(params.schedule),
            seen: [0; Changes::KINDS],
            breaks: Vec::new(),
            deliveries: [None, None],
            carried: Vec::new(),
            hit_break: false,
        })
    }

    /// Adds a break, which triggers once.
    pub(crate) fn stop_at(&mut self, at: Break) {
        self.breaks.push(at);
    }

    /// Removes the first break for which `is_met` holds; returns whether there was one.
    fn take_break(&mut self, is_met: impl Fn(&Self, Break) -> bool) -> bool {
        let met = self.breaks.iter().position(|&at| is_met(self, at));
        if let Some(k) = met {
            self.breaks.swap_remove(k);
            self.hit_break = true;
        }
        met.is_some()
    }

    /// Asserts in debug builds that no blocked agent could advance, that is, that no wake-up was
    /// missed.
    pub(crate) fn assert_blocked(&mut self, mut dram: Option<&mut Dram>) -> Result<(), Trap> {
        if !cfg!(debug_assertions) || self.is_weak {
            return Ok(());
        }
        for agent in 0..NOC {
            let done = self.advance(agent, 1, dram.as_deref_mut())?;
            debug_assert!(done.steps == 0, "agent {agent} waited for something else");
        }
        Ok(())
    }

    /// Notes a change that has no kind of its own.
    fn changed(&mut self) {
        self.devices.note_changes(Changes::ANY);
        self.devices.coprocessor.forget_satisfied_waits();
    }

    /// Returns whether a data movement list has entries left, for which it needs DRAM.
    pub(crate) fn has_lists(&self) -> bool {
        self.lists.as_ref().is_some_and(|lists| !lists.have_ended())
    }

    /// Takes the statistics of a tile that has ended.
    pub(crate) fn take_stats(&mut self) -> Stats {
        self.note_retired();
        self.devices.coprocessor.take_stats()
    }

    fn note_retired(&mut self) {
        let retired = self.cores.each_ref().map(Core::retired_outside_polling);
        self.devices.coprocessor.stats.set_retired(retired);
    }

    /// Lets an agent other than a NoC advance; cores and front ends by at most `steps` steps.
    pub(crate) fn advance(
        &mut self,
        agent: usize,
        steps: u32,
        dram: Option<&mut Dram>,
    ) -> Result<Advance, Trap> {
        match agent {
            FRONTEND..UNIT => self.run_front_end(agent - FRONTEND, steps),
            DM.. => self.advance_device(agent, dram).map(Advance::from),
            core => self.run_core(core, steps),
        }
    }

    /// Lets a front end do at most `steps` steps, up to a break or until it blocks.
    fn run_front_end(&mut self, thread: usize, steps: u32) -> Result<Advance, Trap> {
        let coprocessor = &mut self.devices.coprocessor;
        let steps = if self.breaks.is_empty() { steps } else { 1 };
        let issued = coprocessor.issue(thread, steps);
        let (steps, may_continue) = issued.map_err(at_program_counter)?;
        if steps > 0 {
            self.take_break(|tile, at| {
                let stats = &tile.devices.coprocessor.stats;
                matches!(at, Break::Instruction(opcode, count) if stats.count(opcode) >= count)
            });
        }
        Ok(Advance {
            steps,
            may_continue,
        })
    }

    /// Lets data movement, a unit or TDMA-RISC advance by one step.
    fn advance_device(&mut self, agent: usize, dram: Option<&mut Dram>) -> Result<Advanced, Trap> {
        let coprocessor = &mut self.devices.coprocessor;
        match agent {
            // Tiles with lists always get DRAM.
            DM => match (&mut self.lists, dram) {
                (Some(lists), Some(dram)) if !self.devices.control.is_in_reset(map::NC) => {
                    lists.advance(dram, coprocessor)
                }
                _ => Ok(false),
            },
            UNIT..TDMA => self.retire_oldest(agent - UNIT),
            _ => {
                let advanced = self.devices.tdma.advance(coprocessor);
                self.devices.other_changes += u64::from(advanced == Ok(true));
                advanced.map_err(|fault| trap(Some(Source::Mover), fault))
            }
        }
    }

    /// Retires the oldest instruction of a unit and executes its request to the tile, if it has
    /// one.
    fn retire_oldest(&mut self, unit: usize) -> Result<Advanced, Trap> {
        let Some((thread, sent)) = self
            .devices
            .coprocessor
            .finish(unit)
            .map_err(at_program_counter)?
        else {
            return Ok(false);
        };
        if let Some(sent) = sent {
            let arch = self.devices.coprocessor.core.arch;
            let done = self.carry_out(sent.request);
            done.map_err(|fault| {
                at_program_counter(request::trap(arch, thread, sent.origin, fault))
            })?;
        }
        Ok(true)
    }

    /// Executes a request of the coprocessor to the tile, as an access from outside.
    fn carry_out(&mut self, request: Request) -> Result<(), Fault> {
        match request {
            Request::Store { address, value } => self.write(address, &value.to_le_bytes()),
            Request::Load {
                address,
                thread,
                register,
            } => {
                let word = self.word(address)?;
                self.devices.coprocessor.core.gprs[thread].set(register, word);
                Ok(())
            }
            Request::InstructionRam { offset, bytes } => {
                self.devices.nc_code.write(offset as usize, &bytes)
            }
        }
    }

    /// Runs a core until it has made `steps` observable accesses, or one that takes effect at once,
    /// or blocks. Each access counts as one step; any other progress counts as one.
    #[inline(never)]
    fn run_core(&mut self, k: usize, steps: u32) -> Result<Advance, Trap> {
        if self.devices.control.is_in_reset(k) {
            return Ok(Advance::from(false));
        }
        self.interrupt(k);
        let arch = self.devices.arch();
        let mut advanced = false;
        // Stores of a weakly ordered core may leave its queue at any instruction.
        let is_watched = |at: &Break| matches!(at, Break::Pc(core, _) if *core == k);
        let (slices, instructions, accesses) =
            match self.is_weak || self.breaks.iter().any(is_watched) {
                true => (STEP_INSTRUCTIONS, 1, 1),
                false => (1, STEP_INSTRUCTIONS, steps),
            };
        let mut left = accesses;
        let before = self.cores[k].retired();
        for _ in 0..slices {
            if self.take_break(|tile, at| at == Break::Pc(k, tile.cores[k].pc())) {
                return Ok(Advance::from(true));
            }
            let core = &mut self.cores[k];
            let mut view = CoreBus {
                who: k,
                devices: &mut self.devices,
                pushing: core
                    .sent_stores()
                    .any(|addr| map::region(arch, addr) == Region::FrontEnd),
                accesses,
                touched: false,
                refused: self.refused[k],
            };
            let step = core.run(&mut view, instructions).map_err(|e| Trap {
                place: Some(TrapLocation::Pc(e.pc)),
                ..trap(Some(source(k)), Reason::Riscv(Box::new(e)))
            })?;
            left = view.accesses;
            self.refused[k] = view.refused;
            let stops = view.touched || left < accesses;
            self.last[k] = step;
            advanced |= step == Step::Ran || self.cores[k].retired() != before;
            if step != Step::Ran || stops {
                break;
            }
        }
        self.devices.control.tick(self.cores[k].retired() - before);
        self.devices.pcs[k] = self.cores[k].pc();
        self.note_stores(k);
        self.take_resets();
        if self.cores[k].retired() > self.limit {
            return Err(Trap {
                place: Some(TrapLocation::Pc(self.cores[k].pc())),
                ..trap(Some(source(k)), Reason::Endless(self.limit))
            });
        }
        Ok(Advance {
            steps: match advanced {
                true => (accesses - left).max(1),
                false => 0,
            },
            may_continue: self.last[k] == Step::Ran,
        })
    }

    /// Interrupts a core if its interrupt controller requests that.
    fn interrupt(&mut self, k: usize) {
        if !self.cores[k].can_be_interrupted() {
            return;
        }
        let raised = self.devices.nius.each_ref().map(Niu::interrupts);
        self.devices.pic.set_nocs(raised);
        if let Some(handler) = self.devices.pic.take_interrupt(k) {
            self.cores[k].interrupt(handler);
        }
    }

    /// Tells the coprocessor whether a thread's core has stores in flight that condition C13 of
    /// STALLWAIT waits for.
    fn note_stores(&mut self, k: usize) {
        if (map::B + 1..map::NC).contains(&k) {
            let arch = self.devices.arch();
            let waited_for =
                |addr| matches!(map::region(arch, addr), Region::Gprs | Region::Config);
            self.devices.coprocessor.storing[k - 1] = self.cores[k].sent_stores().any(waited_for);
        }
    }

    /// Resets the cores that the soft reset register has released.
    fn take_resets(&mut self) {
        if self.devices.reset_change == ResetChange::default() {
            return;
        }
        let ResetChange { left, .. } = std::mem::take(&mut self.devices.reset_change);
        for core in (0..CORES.len()).filter(|core| left >> core & 1 != 0) {
            let pc = self.devices.reset_pc(core);
            self.cores[core].reset(pc);
        }
    }

    /// Writes bytes from outside into L1, or a word into a device.
    pub(crate) fn write(&mut self, addr: u32, bytes: &[u8]) -> Result<(), Fault> {
        if self.devices.region_of(addr) != Region::L1 {
            let word = bytes.try_into().map(u32::from_le_bytes).map_err(|_| {
                Fault::undefined(format!(
                    "writes {} bytes to {addr:#x}; registers are written as words",
                    bytes.len()
                ))
            })?;
            let stored = self.devices.store((OUTSIDE, 0), addr, Width::Word, word);
            self.take_resets();
            self.changed();
            return stored.map_err(|refusal| refused(refusal, addr));
        }
        if let Some(images) = &self.devices.images {
            let length = bytes.len() as u32;
            if let Some(core) = map::image_at(images, addr, length) {
                return Err(Fault::undefined(format!(
                    "brings {length} bytes to {addr:#x}, into the image of core {}; images cannot \
                     change",
                    CORES[core]
                )));
            }
        }
        let coprocessor = &mut self.devices.coprocessor;
        coprocessor.core.l1.write(addr, bytes)?;
        coprocessor.check_l1()
    }

    /// Checks that `length` bytes exist at an address: up to the end of L1, or one word of a
    /// device.
    pub(crate) fn check_range(&self, addr: u32, length: u32) -> Result<(), Fault> {
        if self.devices.region_of(addr) == Region::L1 {
            let l1 = &self.devices.coprocessor.core.l1;
            return l1.check(addr, length as usize).map(|_| ());
        }
        match length {
            4 => Ok(()),
            _ => Err(Fault::undefined(format!(
                "reads {length} bytes of {addr:#x}; registers are read as words"
            ))),
        }
    }

    /// Returns how many bytes exist from an address on: up to the end of L1, or one word of a
    /// device.
    pub(crate) fn room(&self, addr: u32) -> u32 {
        match self.devices.region_of(addr) {
            Region::L1 => {
                let arch = self.devices.coprocessor.core.arch;
                arch.l1_bytes().saturating_sub(addr)
            }
            _ => 4,
        }
    }

    /// Reads bytes of L1, or a word of a device, for an access from outside.
    pub(crate) fn read(&mut self, addr: u32, length: u32) -> Result<Vec<u8>, Fault> {
        self.check_range(addr, length)?;
        let mut bytes = vec![0; length as usize];
        self.read_into(addr, &mut bytes)?;
        Ok(bytes)
    }

    /// Does the same into a buffer.
    pub(crate) fn read_into(&mut self, addr: u32, bytes: &mut [u8]) -> Result<(), Fault> {
        self.check_range(addr, bytes.len() as u32)?;
        if self.devices.region_of(addr) != Region::L1 {
            let word = self.devices.load(OUTSIDE, addr, Width::Word, false);
            let word = word.map_err(|refusal| refused(refusal, addr))?;
            bytes.copy_from_slice(&word.to_le_bytes());
            return Ok(());
        }
        let coprocessor = &mut self.devices.coprocessor;
        bytes.copy_from_slice(coprocessor.core.l1.read(addr, bytes.len())?);
        coprocessor.check_l1()
    }

    pub(crate) fn word(&mut self, addr: u32) -> Result<u32, Fault> {
        Ok(little_endian(&self.read(addr, 4)?))
    }

    /// Describes what each core, front end and data movement waits for that has not ended. `name`
    /// adds to the address of a polled word; `loaded` tells which cores have code.
    pub(crate) fn waiting(&self, name: impl Fn(u32) -> String, loaded: [bool; 5]) -> Vec<String> {
        let mut out = Vec::new();
        for (k, core) in self.cores.iter().enumerate() {
            let (core_name, pc) = (CORES[k], core.pc());
            if self.devices.control.is_in_reset(k) {
                if loaded[k] {
                    out.push(format!("core {core_name} was never released from reset"));
                }
                continue;
            }
            let instruction = || {
                let next = core.next_instruction();
                next.map_or(String::new(), |i| format!(", `{i}`,"))
            };
            match self.last[k] {
                Step::Halted => {}
                Step::Parked { addr } => out.push(format!(
                    "core {core_name} polls {addr:#x}{} in the loop at pc {pc:#x}",
                    name(addr)
                )),
                Step::Busy | Step::Ran => out.push(format!(
                    "core {core_name} at pc {pc:#x}{} is stalled",
                    instruction()
                )),
            }
        }
        for thread in 0..3 {
            if let Some((instruction, origin, why)) = self.devices.coprocessor.waiting(thread) {
                let (_, pc) = parts_of_origin(origin);
                out.push(format!(
                    "{}: `{}` of pc {pc:#x} waits for {why}",
                    Source::of_thread(thread),
                    instruction.text(self.devices.coprocessor.core.arch)
                ));
            }
        }
        out.extend(self.lists.as_ref().and_then(Lists::waiting));
        out
    }
}

/// Converts the refusal of an access from outside; such accesses are not retried.
fn refused(refusal: tessera_riscv::Refusal<Fault>, addr: u32) -> Fault {
    match refusal {
        tessera_riscv::Refusal::Fault(fault) => fault,
        tessera_riscv::Refusal::Busy => Fault::unmodelled(format!(
            "waiting for {addr:#x} from outside the tile; let a core do that"
        )),
    }
}

/// Replaces the origin of a front end's word by the program counter that it encodes.
fn at_program_counter(trap: Trap) -> Trap {
    let place = match trap.place {
        Some(TrapLocation::Entry(origin)) => Some(TrapLocation::Pc(parts_of_origin(origin).1)),
        place => place,
    };
    Trap { place, ..trap }
}
