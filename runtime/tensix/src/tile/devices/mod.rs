//! The devices of a tile besides its cores, and the address space.
//!
//! Checked: the hazards of [`crate::issue::coprocessor`], including the cores' own accesses to L1
//! and configuration; B and a T core do not push to one thread concurrently (the hardware drops
//! instructions); the images of a launch do not change; local memory is written before it is read;
//! devices other than Dst ([`dst`]) are accessed by words. Unmodelled addresses are refused by
//! name.

mod cores;
mod outside;
mod registers;

use tessera_isa_tensix::Arch;
use tessera_riscv::{Refusal, Width};

use crate::issue::coprocessor::Coprocessor;
use crate::map::{self, ConfigWord, Region, B, CORES, NC};
use crate::noc::Niu;
use crate::state::changes::Changes;
use crate::state::l1::little_endian;
use crate::state::units::MOVER;
use crate::tile::access::{done_or_busy, fault, not_a_word, unmapped, Loaded, Stored};
use crate::tile::auto_sync;
use crate::tile::control::{Control, ResetChange};
use crate::tile::core_ids::{thread_of, OUTSIDE};
use crate::tile::dst;
use crate::tile::fifo::Fifos;
use crate::tile::local::{CodeMemory, Local};
use crate::tile::params::{TileKind, TileParams};
use crate::tile::pic::Pic;
use crate::tile::tdma::Tdma;
use crate::trap::Fault;
use cores::mailbox;

/// All devices of a tile except the cores.
#[derive(Clone)]
pub(crate) struct Devices {
    kind: TileKind,
    /// The reset address of an Ethernet tile's core.
    ethernet_pc: u32,
    pub(crate) coprocessor: Coprocessor,
    pub(crate) locals: [Local; 5],
    pub(crate) nc_code: CodeMemory,
    pub(crate) nius: [Niu; 2],
    pub(crate) fifos: Fifos,
    pub(crate) tdma: Tdma,
    pub(crate) control: Control,
    pub(crate) pic: Pic,
    /// The program counter of each core at the end of its last step (Blackhole).
    pub(crate) pcs: [u32; 5],
    /// Whether the memory of cores is weakly ordered.
    pub(crate) is_weak: bool,
    /// Cores that have entered or left reset and have not been processed.
    pub(crate) reset_change: ResetChange,
    /// Number of changes by NoCs or stores to their registers.
    pub(crate) noc_changes: u64,
    /// Number of changes that have no kind of their own.
    pub(crate) other_changes: u64,
    /// The number of words of each image of a launch. If present, images are the only code and do
    /// not change.
    pub(crate) images: Option<[usize; 5]>,
}

/// Returns the changes that a core polling an address waits for. An access by the core may have
/// made such changes, unless they are counted elsewhere.
pub(crate) fn changes_at(who: usize, region: Region, addr: u32) -> Changes {
    match region {
        Region::L1 => Changes::L1,
        // Changes of an NIU's registers are counted by the NIU.
        Region::Noc0 | Region::Noc1 => Changes::NOCS,
        Region::Local | Region::FrontEnd => Changes::NOTHING,
        Region::PcBuf if who != B && map::SEMAPHORES.contains(&(addr - map::PC_BUF)) => {
            Changes::SYNC
        }
        _ => Changes::ANY,
    }
}

impl Devices {
    /// Creates the devices in their reset state.
    pub(crate) fn new(coprocessor: Coprocessor, params: &TileParams) -> Self {
        let &TileParams {
            kind,
            at,
            split,
            names,
            check_policy,
            running,
            schedule,
            ..
        } = params;
        let arch = coprocessor.core.arch;
        let niu = |place| Niu::new(arch, place, at, (split, names), check_policy, schedule);
        Devices {
            kind,
            ethernet_pc: 0,
            coprocessor,
            locals: map::local_bytes(arch).map(|bytes| Local::new(bytes, check_policy)),
            nc_code: CodeMemory::new(),
            nius: [niu((0, map::NOC)), niu((1, map::NOC_1))],
            fifos: Fifos::default(),
            tdma: Tdma::default(),
            control: Control::new(arch, kind, running),
            pic: Pic::new(),
            pcs: [0; 5],
            is_weak: false,
            reset_change: ResetChange::default(),
            noc_changes: 0,
            other_changes: 0,
            images: None,
        }
    }

    /// Returns the chip.
    pub(crate) fn arch(&self) -> Arch {
        self.coprocessor.core.arch
    }

    /// Returns the kind of the tile.
    pub(crate) fn kind(&self) -> TileKind {
        self.kind
    }

    /// Returns the region of an address, whoever accesses it.
    pub(crate) fn region_of(&self, addr: u32) -> Region {
        map::region(self.arch(), addr)
    }

    /// Counts changes of kinds that are not counted where they are made.
    pub(crate) fn note_changes(&mut self, changes: Changes) {
        self.noc_changes += u64::from(changes.has(Changes::NOCS));
        self.other_changes += u64::from(changes.has(Changes::OTHER));
    }

    /// Returns the changes after which a core retries its access to an address.
    pub(crate) fn changes_before(&self, who: usize, addr: u32) -> Changes {
        match self.region_of(addr) {
            Region::FrontEnd if who != B => Changes::ROOM.or(Changes::OTHER),
            _ => Changes::FLIGHTS.or(Changes::FRONT_ENDS).or(Changes::OTHER),
        }
    }

    /// Fetches the instruction word of a core at an address.
    pub(crate) fn fetch(&self, who: usize, pc: u32) -> Result<u32, Fault> {
        if let Some(images) = &self.images {
            if map::image_at(images, pc, 4) != Some(who) {
                return Err(Fault::undefined(
                    "there is no code here; the image ends before",
                ));
            }
        }
        match pc {
            map::NC_CODE.. if who == NC && self.arch() == Arch::WormholeB0 => {
                self.nc_code.fetch(pc)
            }
            _ => self.coprocessor.core.l1.peek_word(pc),
        }
    }

    /// Returns the bytes of a page of code, if a core can fetch each of its words.
    pub(crate) fn code_bytes(&self, who: usize, page: u32) -> Option<&[u8]> {
        match page {
            // The pages of images contain other words, too.
            _ if self.images.is_some() => None,
            map::NC_CODE.. if who == NC && self.arch() == Arch::WormholeB0 => {
                self.nc_code.page(page)
            }
            _ => self.coprocessor.core.l1.code_bytes(page),
        }
    }

    /// Returns a version that changes whenever the code around an address may have changed.
    pub(crate) fn code_version(&self, pc: u32) -> u32 {
        match pc {
            map::NC_CODE.. => self.nc_code.version(),
            _ => self.coprocessor.core.l1.code_version(pc),
        }
    }

    /// Returns the region as seen by core `who`, which may not exist for it.
    #[inline]
    fn seen_by(&self, who: usize, region: Region) -> Region {
        let is_there = match (region, self.kind) {
            (Region::L1 | Region::Control | Region::Noc0 | Region::Noc1 | Region::Overlay, _) => {
                true
            }
            (Region::Interrupts | Region::LocalForOthers, _) => true,
            // Blackhole's exists for B and the T cores only.
            (Region::Tdma, kind) => {
                kind == TileKind::Tensix && (self.arch() == Arch::WormholeB0 || who < NC)
            }
            (Region::Dst, _) => thread_of(who).is_some(),
            (Region::Ethernet, kind) => kind == TileKind::Ethernet,
            (Region::Local, _) => who != OUTSIDE,
            (_, kind) => who != OUTSIDE && kind == TileKind::Tensix,
        };
        match is_there {
            true => region,
            false => Region::Other,
        }
    }

    /// Returns whether an access has to wait for instructions that its core has pushed.
    #[inline]
    fn waits_for_pushed(
        &self,
        region: Region,
        whose: (usize, u32),
        stores: bool,
    ) -> Result<bool, Refusal<Fault>> {
        // Only these regions may be tracked.
        let is_tracked = matches!(region, Region::Gprs | Region::Tdma | Region::Config);
        if !is_tracked {
            return Ok(false);
        }
        auto_sync::waits_for_pushed(&self.coprocessor, self.is_weak, whose, stores).map_err(fault)
    }

    /// Executes a load by core `who`, or by [`OUTSIDE`]. `pushing` tells whether the core has
    /// pushes in flight.
    pub(crate) fn load(&mut self, who: usize, addr: u32, width: Width, pushing: bool) -> Loaded {
        self.load_of(self.region_of(addr), (who, addr), width, pushing)
    }

    /// Executes a load from an address in a region.
    pub(crate) fn load_of(
        &mut self,
        region: Region,
        (who, addr): (usize, u32),
        width: Width,
        pushing: bool,
    ) -> Loaded {
        let region = self.seen_by(who, region);
        if self.waits_for_pushed(region, (who, addr), false)? {
            return Err(Refusal::Busy);
        }
        match region {
            Region::L1 => self.load_l1(addr, width).map_err(fault),
            Region::Local => self.locals[who].load(addr, width).map_err(fault),
            Region::LocalForOthers => match map::local_for_others(addr) {
                Some((core, at)) => self.locals[core].load(at, width).map_err(fault),
                None => unmapped(who, "reads", addr),
            },
            Region::Dst => match thread_of(who) {
                Some(thread) => {
                    dst::load(&mut self.coprocessor, thread, addr, width).map_err(fault)
                }
                None => unmapped(who, "reads", addr),
            },
            _ if width != Width::Word => not_a_word(addr),
            Region::Tdma => {
                let moves = self.coprocessor.flights.is_any_busy(1 << MOVER);
                self.tdma.load(addr, moves).map_err(fault)
            }
            Region::Control => self.load_control(addr).map_err(fault),
            Region::Interrupts => match self.load_interrupts(addr) {
                Some(value) => Ok(value),
                None => unmapped(who, "reads", addr),
            },
            Region::Gprs => {
                let (thread, register) = self.gpr(who, addr).map_err(fault)?;
                self.coprocessor.core.gprs[thread]
                    .get(register)
                    .map_err(fault)
            }
            Region::PcBuf => self.load_pc_buf(who, addr, pushing),
            Region::Mailboxes => self.load_mailbox(who, addr),
            Region::Config => {
                let word = self.config_word(who, addr).map_err(fault)?;
                let config = &self.coprocessor.core.config;
                let value = word.load(config);
                if let (Some(thread), ConfigWord::State(state, word)) = (thread_of(who), word) {
                    let storage_state = config.storage_state(state, word);
                    self.coprocessor.unguarded[thread].remove(storage_state, word);
                }
                Ok(value)
            }
            Region::Noc0 => self.nius[0].load(addr).map_err(fault),
            Region::Noc1 => self.nius[1].load(addr).map_err(fault),
            Region::Overlay => self.coprocessor.core.streams.load(addr).map_err(fault),
            Region::Ethernet if addr == map::ETHERNET_PC => Ok(self.ethernet_pc),
            Region::Ethernet => ethernet(addr),
            Region::FrontEnd | Region::Other => unmapped(who, "reads", addr),
        }
    }

    /// Executes a store by core `who` at `pc`, or by [`OUTSIDE`].
    pub(crate) fn store(
        &mut self,
        (who, pc): (usize, u32),
        addr: u32,
        width: Width,
        value: u32,
    ) -> Stored {
        self.store_of(self.region_of(addr), (who, pc), addr, width, value)
    }

    /// Executes a store to an address in a region.
    pub(crate) fn store_of(
        &mut self,
        region: Region,
        (who, pc): (usize, u32),
        addr: u32,
        width: Width,
        value: u32,
    ) -> Stored {
        let region = self.seen_by(who, region);
        if self.waits_for_pushed(region, (who, addr), true)? {
            return Err(Refusal::Busy);
        }
        match region {
            Region::L1 => self.store_l1(who, addr, width, value).map_err(fault),
            Region::Local => self.locals[who].store(addr, width, value).map_err(fault),
            Region::LocalForOthers => match map::local_for_others(addr) {
                Some((core, at)) => self.locals[core].store(at, width, value).map_err(fault),
                None => unmapped(who, "writes", addr),
            },
            Region::Dst => match thread_of(who) {
                Some(thread) => {
                    dst::store(&mut self.coprocessor, thread, addr, width, value).map_err(fault)
                }
                None => unmapped(who, "writes", addr),
            },
            _ if width != Width::Word => not_a_word(addr),
            Region::Tdma => {
                let stored = self.tdma.store(addr, value, &mut self.coprocessor);
                done_or_busy(stored.map_err(fault)?)
            }
            Region::Control if addr == map::SOFT_RESET => self.store_reset(value).map_err(fault),
            Region::Control => self.store_control(addr, value).map_err(fault),
            Region::Interrupts => match self.pic.store(addr, value) {
                true => Ok(()),
                false => unmapped(who, "writes", addr),
            },
            Region::FrontEnd if addr < map::GPRS => {
                self.store_mop_config(who, addr, value).map_err(fault)
            }
            Region::Gprs => {
                let (thread, register) = self.gpr(who, addr).map_err(fault)?;
                self.coprocessor.core.gprs[thread].set(register, value);
                Ok(())
            }
            Region::FrontEnd => self.push((who, pc), addr, value),
            Region::PcBuf => self.store_pc_buf(who, addr, value),
            Region::Mailboxes => match mailbox(who, addr) {
                Some(other) => done_or_busy(self.fifos.send(who, other, value)),
                None => unmapped(who, "writes", addr),
            },
            Region::Config => self.store_config(who, addr, value).map_err(fault),
            Region::Noc0 | Region::Noc1 => {
                let noc = usize::from(region == Region::Noc1);
                self.nius[noc]
                    .store((who, pc), addr, value, &mut self.coprocessor)
                    .map_err(fault)
            }
            Region::Overlay => {
                let streams = &mut self.coprocessor.core.streams;
                streams.store(addr, value).map_err(fault)
            }
            Region::Ethernet if addr == map::ETHERNET_PC => {
                self.ethernet_pc = value;
                Ok(())
            }
            Region::Ethernet => ethernet(addr),
            Region::Other => unmapped(who, "writes", addr),
        }
    }

    /// Returns whether a load of this address has side effects or returns different values.
    pub(crate) fn reading_changes(&self, addr: u32) -> bool {
        match self.region_of(addr) {
            Region::Interrupts => Pic::reading_changes(addr),
            Region::Noc0 => self.nius[0].reading_changes(addr),
            Region::Noc1 => self.nius[1].reading_changes(addr),
            Region::Mailboxes => addr & 4 == 0,
            Region::PcBuf => addr - map::PC_BUF < 4,
            Region::Control => Control::reading_changes(addr),
            _ => false,
        }
    }

    /// Loads from L1 if no instruction in flight can conflict and nothing else needs to be checked;
    /// `addr` may be anywhere. The result is that of [`Self::load`].
    #[inline]
    pub(crate) fn load_l1_at_once(&self, addr: u32, width: Width) -> Option<u32> {
        let Coprocessor { core, flights, .. } = &self.coprocessor;
        flights
            .is_empty()
            .then(|| core.l1.load_unrecorded(addr, width))?
    }

    /// Stores to L1 in the same way, and returns whether it has done so.
    #[inline]
    pub(crate) fn store_l1_at_once(&mut self, addr: u32, width: Width, value: u32) -> bool {
        let Coprocessor { core, flights, .. } = &mut self.coprocessor;
        // Images do not change, and cores are done when their requests are.
        let is_checked =
            self.images.is_some() && (addr < map::ARGS || (map::DONE..map::ERR).contains(&addr));
        flights.is_empty() && !is_checked && core.l1.store_unrecorded(addr, width, value)
    }

    fn load_l1(&mut self, addr: u32, width: Width) -> Result<u32, Fault> {
        let bytes = self
            .coprocessor
            .core
            .l1
            .read(addr, width.bytes() as usize)?;
        let value = little_endian(bytes);
        self.coprocessor.check_l1()?;
        Ok(value)
    }

    fn store_l1(&mut self, who: usize, addr: u32, width: Width, value: u32) -> Result<(), Fault> {
        if let Some(images) = &self.images {
            if let Some(k) = map::image_at(images, addr, width.bytes()) {
                return Err(Fault::undefined(format!(
                    "stores to {addr:#x}, which is in the image of core {}; images cannot change",
                    CORES[k]
                )));
            }
            let says_done = addr == map::DONE + 4 * who as u32;
            if says_done && self.nius.iter().any(|niu| niu.has_request_of(who)) {
                return Err(Fault::hazard(format!(
                    "core {} signals completion while its NoC requests are in flight; wait for \
                     them first",
                    CORES[who]
                )));
            }
        }
        let bytes = value.to_le_bytes();
        self.coprocessor
            .core
            .l1
            .write(addr, &bytes[..width.bytes() as usize])?;
        self.coprocessor.check_l1()
    }
}

fn ethernet<T>(addr: u32) -> Result<T, Refusal<Fault>> {
    Err(fault(Fault::unmodelled(format!(
        "the transmission and reception of Ethernet ({addr:#x})"
    ))))
}
