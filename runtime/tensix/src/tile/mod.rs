//! A tile: five RISC-V cores, the coprocessor, and what lies between them.
//!
//! The cores execute what stands in L1, or for NC in its instruction memory. There are two users of
//! this: launches of our own images, which must end and leave the tile clean ([`Launch`]), and
//! hosts that write firmware and kernels into tiles and let them run ([`Device`]).
//!
//! Parties are the cores, data movement, the front ends, the units, TDMA-RISC and the NoCs; the
//! schedule says who is next. A core's turn ends when it touches what others see. Polling cores
//! park ([`tessera_riscv`]), so a tile whose cores wait for each other is known to be at rest.

mod auto_sync;
mod breaks;
mod bus;
mod chip;
mod control;
mod device;
mod devices;
mod dst;
mod dump;
mod elf;
mod fifo;
mod launch;
mod local;
pub mod map;
mod niu;
mod pic;
mod programs;
mod rounds;
mod status;
mod tdma;
#[cfg(test)]
mod tests;
mod timestamp;
mod turns;

use tessera_isa_tensix::Arch;
use tessera_riscv::{Core, Step, Width};

use crate::changes::{Changes, Counts};
use crate::coprocessor::{Advanced, Coprocessor};
use crate::dram::Dram;
use crate::flight::UNITS;
use crate::model::Model;
use crate::request::{self, Request};
use crate::scheduler::{Schedule, Scheduler};
use crate::stats::Stats;
use crate::trap::{Fault, Place, Reason, Source, Trap};
use bus::View;
use control::ResetChange;
use devices::{parts_of_origin, Devices, OUTSIDE};
use launch::Lists;
use map::{Region, CORES};
use niu::{Delivery, Names};

pub use breaks::{Break, NoBreak};
pub use chip::{ChipTrap, Ring};
pub use device::{Device, Stop};
pub use dump::{Dump, NoDump};
pub use elf::{ElfError, Executable};
pub(crate) use launch::run as run_chip;
pub use launch::{ChipLaunch, Launch, TileLaunch};

/// What is looked for beside what no program may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Care {
    /// Everything that makes a kernel of ours depend on what the hardware only does as a rule: what
    /// nothing has written is not read, and configuration does not change while something that uses
    /// it is at work, or may not have arrived.
    All,
    /// What the vendor's programs keep to. Memories and registers start as zeros or as reset leaves
    /// them; an instruction uses the configuration that stands when it starts, to which they trust,
    /// and a core's store to it stands when it was made; what units read and write in L1 at a time
    /// they do in the order in which they started. How often that has mattered is counted.
    Vendor,
}

/// What kind of tile it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// With five cores and a coprocessor.
    Tensix,
    /// With one core, which takes the place of B.
    Ethernet,
}

impl Kind {
    /// The cores that there are, one bit each.
    fn cores(self) -> u32 {
        match self {
            Kind::Tensix => (1 << CORES.len()) - 1,
            Kind::Ethernet => 1 << map::B,
        }
    }
}

/// How a tile is made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Making {
    pub(crate) kind: Kind,
    /// Where it is on NoC 0.
    pub(crate) at: map::Coordinate,
    /// Whether what the NoC carries arrives in units.
    pub(crate) split: bool,
    pub(crate) names: Names,
    pub(crate) care: Care,
    pub(crate) model: Model,
    /// Cores that are not held in reset, one bit each.
    pub(crate) running: u32,
    pub(crate) schedule: Schedule,
}

/// Parties of the scheduler: five cores, data movement, three front ends, the units, TDMA-RISC, the
/// NoCs.
const DM: usize = 5;
const FRONTEND: usize = 6;
const UNIT: usize = 9;
const TDMA: usize = UNIT + UNITS;
const NOC: usize = TDMA + 1;
const PARTIES: usize = NOC + 2;
/// Instructions of a core after which time passes, if it touches nothing that others must see at
/// once.
const TURN: u64 = 64;

/// What a party has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Done {
    steps: u32,
    /// Whether it is not known that it cannot do more before something changes.
    goes_on: bool,
}

impl From<Advanced> for Done {
    fn from(advanced: Advanced) -> Self {
        Done {
            steps: advanced.into(),
            goes_on: advanced,
        }
    }
}

pub(crate) struct Tile<'a> {
    cores: [Core; 5],
    /// How each core's last turn ended, and the address of its last access that was refused for
    /// now.
    last: [Step; 5],
    refused: [u32; 5],
    devices: Devices,
    /// Data movement in the cores' stead, if a launch has that.
    lists: Option<Lists<'a>>,
    is_weak: bool,
    /// How many instructions a core may execute.
    limit: u64,
    scheduler: Scheduler<PARTIES>,
    /// Changes up to when someone last looked who can go on.
    seen: Counts,
    breaks: Vec<Break>,
    /// What each NoC delivers at the end of the round.
    deliveries: [Option<Delivery>; 2],
    /// What a NoC brings, in a place that is used again.
    carried: Vec<u8>,
    /// A break has been met, which is now over.
    broke: bool,
}

fn source(core: usize) -> Source {
    match core {
        map::B => Source::B,
        map::NC => Source::Nc,
        _ => Source::of_thread(core - 1),
    }
}

fn trap(source: Option<Source>, reason: impl Into<Reason>) -> Trap {
    Trap {
        source,
        place: None,
        instruction: None,
        reason: reason.into(),
    }
}

impl<'a> Tile<'a> {
    /// A tile with nothing in it.
    pub(crate) fn new(arch: Arch, making: Making) -> Self {
        let mut coprocessor = Coprocessor::with_care(arch, making.care);
        coprocessor.core.model = making.model;
        let devices = Devices::new(coprocessor, &making);
        Tile {
            cores: std::array::from_fn(|k| Core::new(map::isa(arch, k), map::IMAGES[k].start)),
            last: [Step::Ran; 5],
            refused: [0; 5],
            devices,
            lists: None,
            is_weak: false,
            limit: u64::MAX,
            scheduler: Scheduler::new(making.schedule),
            seen: [0; Changes::KINDS],
            breaks: Vec::new(),
            deliveries: [None, None],
            carried: Vec::new(),
            broke: false,
        }
    }

    /// Makes the tile stop somewhere, once.
    pub(crate) fn stop_at(&mut self, at: Break) {
        self.breaks.push(at);
    }

    /// Forgets a break that is met now; says whether there was one.
    fn meet(&mut self, is_met: impl Fn(&Self, Break) -> bool) -> bool {
        let met = self.breaks.iter().position(|&at| is_met(self, at));
        if let Some(k) = met {
            self.breaks.swap_remove(k);
            self.broke = true;
        }
        met.is_some()
    }

    /// Finds out, in debug builds, whether someone could go on whom nothing has woken.
    fn check_rest(&mut self, mut dram: Option<&mut Dram>) -> Result<(), Trap> {
        if !cfg!(debug_assertions) || self.is_weak {
            return Ok(());
        }
        for party in 0..NOC {
            let done = self.advance(party, 1, dram.as_deref_mut())?;
            debug_assert!(done.steps == 0, "party {party} waited for something else");
        }
        Ok(())
    }

    /// Something has changed that has no kind of its own.
    fn changed(&mut self) {
        self.devices.note_changes(Changes::ANY);
        self.devices.coprocessor.forget_satisfied_waits();
    }

    /// Whether data movement by a list can still do something, for which it needs DRAM.
    fn has_lists(&self) -> bool {
        self.lists.as_ref().is_some_and(|lists| !lists.have_ended())
    }

    fn stats(mut self) -> Stats {
        self.note_retired();
        self.devices.coprocessor.into_stats()
    }

    fn note_retired(&mut self) {
        let worked = self.cores.each_ref().map(Core::worked);
        self.devices.coprocessor.stats.set_retired(worked);
    }

    /// Lets a party other than the NoCs advance, a core or a front end by so many steps at most.
    fn advance(&mut self, party: usize, steps: u32, dram: Option<&mut Dram>) -> Result<Done, Trap> {
        match party {
            FRONTEND..UNIT => self.run_front_end(party - FRONTEND, steps),
            DM.. => self.advance_device(party, dram).map(Done::from),
            core => self.run_core(core, steps),
        }
    }

    /// Lets a front end do so many steps, or up to a break, or until it cannot go on.
    fn run_front_end(&mut self, thread: usize, steps: u32) -> Result<Done, Trap> {
        let coprocessor = &mut self.devices.coprocessor;
        let steps = if self.breaks.is_empty() { steps } else { 1 };
        let issued = coprocessor.issue(thread, steps);
        let (steps, goes_on) = issued.map_err(at_program_counter)?;
        if steps > 0 {
            self.meet(|tile, at| {
                let stats = &tile.devices.coprocessor.stats;
                matches!(at, Break::Instruction(opcode, count) if stats.count(opcode) >= count)
            });
        }
        Ok(Done { steps, goes_on })
    }

    /// Lets a party advance that is no core, no front end and no NoC.
    fn advance_device(&mut self, party: usize, dram: Option<&mut Dram>) -> Result<Advanced, Trap> {
        let coprocessor = &mut self.devices.coprocessor;
        match party {
            // Tiles with lists are given DRAM.
            DM => match (&mut self.lists, dram) {
                (Some(lists), Some(dram)) if !self.devices.control.is_in_reset(map::NC) => {
                    lists.advance(dram, coprocessor)
                }
                _ => Ok(false),
            },
            UNIT..TDMA => self.finish_oldest(party - UNIT),
            _ => {
                let advanced = self.devices.tdma.advance(coprocessor);
                self.devices.other_changes += u64::from(advanced == Ok(true));
                advanced.map_err(|fault| trap(Some(Source::Mover), fault))
            }
        }
    }

    /// Lets the oldest instruction of a unit finish, and does what it asks of the tile.
    fn finish_oldest(&mut self, unit: usize) -> Result<Advanced, Trap> {
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
                at_program_counter(request::trap(arch, thread, sent.maker, fault))
            })?;
        }
        Ok(true)
    }

    /// Does what the coprocessor asks of the tile, which it sees like someone outside.
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

    /// Runs a core until it has touched something so many times, or once what others must see at
    /// once, or cannot go on. A step is each time, and one at least if it has done anything.
    #[inline(never)]
    fn run_core(&mut self, k: usize, steps: u32) -> Result<Done, Trap> {
        if self.devices.control.is_in_reset(k) {
            return Ok(Done::from(false));
        }
        self.interrupt(k);
        let arch = self.devices.arch();
        let mut advanced = false;
        // What a weakly ordered core pushes may be on its way at any instruction.
        let is_watched = |at: &Break| matches!(at, Break::Pc(core, _) if *core == k);
        let (turns, instructions, accesses) =
            match self.is_weak || self.breaks.iter().any(is_watched) {
                true => (TURN, 1, 1),
                false => (1, TURN, steps),
            };
        let mut left = accesses;
        let before = self.cores[k].retired();
        for _ in 0..turns {
            if self.meet(|tile, at| at == Break::Pc(k, tile.cores[k].pc())) {
                return Ok(Done::from(true));
            }
            let core = &mut self.cores[k];
            let mut view = View {
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
                place: Some(Place::Pc(e.pc)),
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
                place: Some(Place::Pc(self.cores[k].pc())),
                ..trap(Some(source(k)), Reason::Endless(self.limit))
            });
        }
        Ok(Done {
            steps: match advanced {
                true => (accesses - left).max(1),
                false => 0,
            },
            goes_on: self.last[k] == Step::Ran,
        })
    }

    /// Interrupts a core if the interrupt controller wants to.
    fn interrupt(&mut self, k: usize) {
        if !self.cores[k].can_be_interrupted() {
            return;
        }
        let raised = self.devices.nius.each_ref().map(niu::Niu::interrupts);
        self.devices.pic.set_nocs(raised);
        if let Some(handler) = self.devices.pic.take(k) {
            self.cores[k].interrupt(handler);
        }
    }

    /// Tells the coprocessor whether the core of a thread has stores on their way that C13 waits
    /// for.
    fn note_stores(&mut self, k: usize) {
        if (map::B + 1..map::NC).contains(&k) {
            let arch = self.devices.arch();
            let waited_for =
                |addr| matches!(map::region(arch, addr), Region::Gprs | Region::Config);
            self.devices.coprocessor.storing[k - 1] = self.cores[k].sent_stores().any(waited_for);
        }
    }

    /// Resets the cores that the soft reset has let go.
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

    /// Writes bytes that come from outside into L1, or a word into a device.
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
                    "brings {length} bytes to {addr:#x}, into the image of core {}; images cannot change",
                    CORES[core]
                )));
            }
        }
        let coprocessor = &mut self.devices.coprocessor;
        coprocessor.core.l1.write(addr, bytes)?;
        coprocessor.check_l1()
    }

    /// Checks that an address has so many bytes: those of L1 up to its end, or a device's word.
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

    /// Returns how many bytes there are from an address on: up to the end of L1, or a device's
    /// word.
    pub(crate) fn room(&self, addr: u32) -> u32 {
        match self.devices.region_of(addr) {
            Region::L1 => {
                let arch = self.devices.coprocessor.core.arch;
                arch.l1_bytes().saturating_sub(addr)
            }
            _ => 4,
        }
    }

    /// Reads bytes of L1, or a device's word, for someone outside.
    pub(crate) fn read(&mut self, addr: u32, length: u32) -> Result<Vec<u8>, Fault> {
        self.check_range(addr, length)?;
        let mut bytes = vec![0; length as usize];
        self.read_into(addr, &mut bytes)?;
        Ok(bytes)
    }

    /// The same, into a place.
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

    fn word(&mut self, addr: u32) -> Result<u32, Fault> {
        Ok(local::little_endian(&self.read(addr, 4)?))
    }

    /// What each core, front end and data movement that has not ended waits for.
    /// `name` says more about an address that is polled; `loaded` whether a core has code.
    fn waiting(&self, name: impl Fn(u32) -> String, loaded: [bool; 5]) -> Vec<String> {
        let mut out = Vec::new();
        for (k, core) in self.cores.iter().enumerate() {
            let (core_name, pc) = (CORES[k], core.pc());
            if self.devices.control.is_in_reset(k) {
                if loaded[k] {
                    out.push(format!("core {core_name} was never released from reset"));
                }
                continue;
            }
            let instruction = core
                .next_instruction()
                .map_or(String::new(), |i| format!(", `{i}`,"));
            match self.last[k] {
                Step::Halted => {}
                Step::Parked { addr } => out.push(format!(
                    "core {core_name} polls {addr:#x}{} in the loop at pc {pc:#x}",
                    name(addr)
                )),
                Step::Busy | Step::Ran => out.push(format!(
                    "core {core_name} at pc {pc:#x}{instruction} is kept waiting"
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

/// A refusal of something that comes from outside, for which nobody waits.
fn refused(refusal: tessera_riscv::Refusal<Fault>, addr: u32) -> Fault {
    match refusal {
        tessera_riscv::Refusal::Fault(fault) => fault,
        tessera_riscv::Refusal::Busy => Fault::unmodelled(format!(
            "waiting for {addr:#x} from outside the tile; let a core do that"
        )),
    }
}

/// The front ends' origins are program counters here.
fn at_program_counter(trap: Trap) -> Trap {
    let place = match trap.place {
        Some(Place::Entry(origin)) => Some(Place::Pc(parts_of_origin(origin).1)),
        place => place,
    };
    Trap { place, ..trap }
}
