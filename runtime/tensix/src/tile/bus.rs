//! What one RISC-V core of a tile reads and writes: the tile's devices, seen from there.

use tessera_riscv::{Bus, Width};

use super::devices::{Devices, Loaded, Stored};
use super::map::{self, Region};
use crate::trap::Fault;

/// The view of core `who`.
pub(crate) struct View<'a> {
    pub(crate) who: usize,
    pub(crate) devices: &'a mut Devices,
    /// Whether something that the core pushes is on its way.
    pub(crate) pushing: bool,
    /// Whether the core has touched what others see.
    pub(crate) touched: bool,
}

impl Bus for View<'_> {
    type Fault = Fault;

    fn fetch(&mut self, pc: u32) -> Result<u32, Fault> {
        self.devices.fetch(self.who, pc)
    }

    fn code_version(&self, pc: u32) -> u32 {
        self.devices.code_version(pc)
    }

    fn load(&mut self, addr: u32, width: Width) -> Loaded {
        self.touched |= map::region(addr) != Region::Local;
        self.devices.load(self.who, addr, width, self.pushing)
    }

    fn store(&mut self, pc: u32, addr: u32, width: Width, value: u32) -> Stored {
        self.touched |= map::region(addr) != Region::Local;
        self.devices.store((self.who, pc), addr, width, value)
    }

    fn region(&self, addr: u32) -> u8 {
        map::region(addr) as u8
    }

    fn reading_changes(&self, addr: u32) -> bool {
        Devices::reading_changes(addr)
    }

    fn wants_a_break(&self) -> bool {
        self.touched
    }
}
