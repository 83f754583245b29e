//! The bus of one RISC-V core: the tile's devices as seen by the core.

use tessera_isa_tensix::Arch;
use tessera_riscv::{Bus, Refusal, Width};

use super::access::{Loaded, Stored};
use super::devices::{changes_at, Devices};
use super::status::coprocessor_status;
use crate::arith::spec::sfpu::mad_blackhole;
use crate::map::{self, Region};
use crate::state::changes::Changes;
use crate::trap::Fault;

/// The region numbers of mailbox ends.
const READ_MAILBOX: u8 = 0xc0;
const WRITE_MAILBOX: u8 = 0xe0;

/// Returns the mailbox of a core that an address belongs to.
fn mailbox(addr: u32) -> u8 {
    ((addr - map::MAILBOXES) >> 12) as u8
}

/// Bytes of a vector register.
const VECTOR_BYTES: u32 = 16;

/// The bus of core `who`.
pub(crate) struct CoreBus<'a> {
    pub(crate) who: usize,
    pub(crate) devices: &'a mut Devices,
    /// Whether the core has pushes in flight.
    pub(crate) pushing: bool,
    /// The number of accesses to shared state that the core may still make in its step.
    pub(crate) accesses: u32,
    /// Whether it has made an access that must become visible at once.
    pub(crate) touched: bool,
    /// The address of the last access that has to be retried.
    pub(crate) refused: u32,
}

impl CoreBus<'_> {
    /// Records a load, which may have side effects.
    fn touch_by_load(&mut self, region: Region, addr: u32) {
        self.touch(region, false);
        let is_counted = matches!(region, Region::L1 | Region::Noc0 | Region::Noc1);
        if !is_counted && self.devices.reading_changes(addr) {
            self.devices.note_changes(Changes::OTHER);
        }
    }

    /// Records a store.
    fn touch_by_store(&mut self, region: Region, addr: u32) {
        self.touch(region, true);
        let changes = changes_at(self.who, region, addr);
        self.devices.note_changes(changes);
    }

    fn note_refused<T>(&mut self, addr: u32, done: &Result<T, Refusal<Fault>>) {
        if matches!(done, Err(Refusal::Busy)) {
            self.refused = addr;
        }
    }

    /// Records an access to shared state, that is, not to the core's own memory. Accesses to L1,
    /// the NIUs and the FIFO of the core's thread end no wait of the coprocessor, so the core may
    /// continue.
    fn touch(&mut self, region: Region, stores: bool) {
        match region {
            Region::L1 | Region::Noc0 | Region::Noc1 => {}
            Region::FrontEnd if stores => {}
            _ => self.touched = true,
        }
        self.count_access();
    }

    /// Counts an access to shared state.
    #[inline]
    fn count_access(&mut self) {
        self.accesses = self.accesses.saturating_sub(1);
    }
}

impl Bus for CoreBus<'_> {
    type Fault = Fault;

    fn fetch(&mut self, pc: u32) -> Result<u32, Fault> {
        self.devices.fetch(self.who, pc)
    }

    fn code_version(&self, pc: u32) -> u32 {
        self.devices.code_version(pc)
    }

    fn code_bytes(&self, page: u32) -> Option<&[u8]> {
        self.devices.code_bytes(self.who, page)
    }

    fn load(&mut self, addr: u32, width: Width) -> Loaded {
        let region = self.devices.region_of(addr);
        if region == Region::Local {
            // This is private to the core.
            return self.devices.locals[self.who]
                .load(addr, width)
                .map_err(Refusal::Fault);
        }
        self.touch_by_load(region, addr);
        let whose = (self.who, addr);
        let loaded = self.devices.load_of(region, whose, width, self.pushing);
        self.note_refused(addr, &loaded);
        loaded
    }

    fn store(&mut self, pc: u32, addr: u32, width: Width, value: u32) -> Stored {
        let region = self.devices.region_of(addr);
        if region == Region::Local {
            return self.devices.locals[self.who]
                .store(addr, width, value)
                .map_err(Refusal::Fault);
        }
        self.touch_by_store(region, addr);
        let whose = (self.who, pc);
        let stored = self.devices.store_of(region, whose, addr, width, value);
        self.note_refused(addr, &stored);
        stored
    }

    /// Most accesses are to local memory and L1.
    #[inline(always)]
    fn load_at_once(&mut self, addr: u32, width: Width) -> Option<u32> {
        if addr >= map::LOCAL {
            return self.devices.locals[self.who].written_value(addr, width);
        }
        let value = self.devices.load_l1_at_once(addr, width)?;
        self.count_access();
        Some(value)
    }

    #[inline(always)]
    fn store_at_once(&mut self, addr: u32, width: Width, value: u32) -> bool {
        if addr >= map::LOCAL {
            return self.devices.locals[self.who]
                .replace(addr, width, value)
                .is_some();
        }
        let is_done = self.devices.store_l1_at_once(addr, width, value);
        if is_done {
            self.count_access();
        }
        is_done
    }

    /// Only L1 supports atomic operations.
    fn change(&mut self, pc: u32, addr: u32, change: impl Fn(u32) -> u32) -> Loaded {
        if self.devices.region_of(addr) != Region::L1 {
            return Err(Refusal::Fault(Fault::undefined(format!(
                "changes {addr:#x} with an atomic operation; only L1 has those"
            ))));
        }
        let old = self.load(addr, Width::Word)?;
        self.store(pc, addr, Width::Word, change(old))?;
        Ok(old)
    }

    /// Memory and Dst support vectors. In Dst the whole vector has to be aligned to its size, up to
    /// the size of a register (`Dst.md`). Vector accesses to other devices are undocumented.
    fn check_vector(&self, addr: u32, bytes: u32) -> Result<(), Fault> {
        match self.devices.region_of(addr) {
            Region::L1 | Region::Local | Region::LocalForOthers => Ok(()),
            Region::Dst => {
                let size = bytes.min(VECTOR_BYTES).next_power_of_two();
                match addr % size {
                    0 => Ok(()),
                    _ => Err(Fault::undefined(format!(
                        "accesses {bytes} bytes of Dst at {addr:#x}, which is not a multiple of \
                         {size}; align vectors in Dst to their size"
                    ))),
                }
            }
            _ => Err(Fault::unmodelled(format!(
                "a vector instruction at {addr:#x}, which is a device; access it word by word"
            ))),
        }
    }

    fn multiply_add(&self, a: u32, b: u32, c: u32) -> Option<u32> {
        (self.devices.arch() == Arch::Blackhole).then(|| mad_blackhole(a, b, c))
    }

    fn cycles(&self) -> Option<u64> {
        Some(self.devices.control.clock())
    }

    fn status(&mut self, which: usize) -> Option<u32> {
        self.touched = true;
        Some(coprocessor_status(
            &self.devices.coprocessor,
            self.who,
            which,
        ))
    }

    /// Each mapping of a local memory is a region, and so is each end of each mailbox.
    fn region(&self, addr: u32) -> u8 {
        let region = self.devices.region_of(addr);
        match map::local_for_others(addr) {
            Some((core, _)) if region == Region::LocalForOthers => 0x80 | core as u8,
            _ if region == Region::Mailboxes => READ_MAILBOX | mailbox(addr),
            _ => region as u8,
        }
    }

    fn region_of_stores(&self, addr: u32) -> u8 {
        match self.devices.region_of(addr) {
            Region::Mailboxes => WRITE_MAILBOX | mailbox(addr),
            _ => self.region(addr),
        }
    }

    fn reading_changes(&self, addr: u32) -> bool {
        self.devices.reading_changes(addr)
    }

    fn wants_a_break(&self) -> bool {
        self.touched || self.accesses == 0
    }
}
