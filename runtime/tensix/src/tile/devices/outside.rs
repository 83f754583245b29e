//! Accesses from outside the tile, by the NoC or a host: to L1, or to a device as a word.

use tessera_riscv::{Refusal, Width};

use super::Devices;
use crate::map::{self, Region, CORES};
use crate::state::changes::Changes;
use crate::tile::core_ids::OUTSIDE;
use crate::trap::Fault;

impl Devices {
    /// Notes a change that has no kind of its own.
    fn changed(&mut self) {
        self.note_changes(Changes::ANY);
        self.coprocessor.forget_satisfied_waits();
    }

    /// Writes bytes from outside into L1, or a word into a device.
    pub(in crate::tile) fn write(&mut self, addr: u32, bytes: &[u8]) -> Result<(), Fault> {
        if self.region_of(addr) != Region::L1 {
            let word = bytes.try_into().map(u32::from_le_bytes).map_err(|_| {
                Fault::undefined(format!(
                    "writes {} bytes to {addr:#x}; registers are written as words",
                    bytes.len()
                ))
            })?;
            let stored = self.store((OUTSIDE, 0), addr, Width::Word, word);
            self.changed();
            return stored.map_err(|refusal| refused(refusal, addr));
        }
        if let Some(images) = &self.images {
            let length = bytes.len() as u32;
            if let Some(core) = map::image_at(images, addr, length) {
                return Err(Fault::undefined(format!(
                    "brings {length} bytes to {addr:#x}, into the image of core {}; images cannot \
                     change",
                    CORES[core]
                )));
            }
        }
        let coprocessor = &mut self.coprocessor;
        coprocessor.core.l1.write(addr, bytes)?;
        coprocessor.check_l1()
    }

    /// Checks that `length` bytes exist at an address: up to the end of L1, or one word of a
    /// device.
    pub(in crate::tile) fn check_range(&self, addr: u32, length: u32) -> Result<(), Fault> {
        if self.region_of(addr) == Region::L1 {
            let l1 = &self.coprocessor.core.l1;
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
    pub(in crate::tile) fn room(&self, addr: u32) -> u32 {
        match self.region_of(addr) {
            Region::L1 => {
                let arch = self.coprocessor.core.arch;
                arch.l1_bytes().saturating_sub(addr)
            }
            _ => 4,
        }
    }

    /// Reads bytes of L1, or a word of a device, for an access from outside.
    pub(in crate::tile) fn read(&mut self, addr: u32, length: u32) -> Result<Vec<u8>, Fault> {
        self.check_range(addr, length)?;
        let mut bytes = vec![0; length as usize];
        self.read_into(addr, &mut bytes)?;
        Ok(bytes)
    }

    /// Does the same into a buffer.
    pub(in crate::tile) fn read_into(&mut self, addr: u32, bytes: &mut [u8]) -> Result<(), Fault> {
        self.check_range(addr, bytes.len() as u32)?;
        if self.region_of(addr) != Region::L1 {
            let word = self.load(OUTSIDE, addr, Width::Word, false);
            let word = word.map_err(|refusal| refused(refusal, addr))?;
            bytes.copy_from_slice(&word.to_le_bytes());
            return Ok(());
        }
        let coprocessor = &mut self.coprocessor;
        bytes.copy_from_slice(coprocessor.core.l1.read(addr, bytes.len())?);
        coprocessor.check_l1()
    }

    /// Reads a word for an access from outside.
    pub(in crate::tile) fn word(&mut self, addr: u32) -> Result<u32, Fault> {
        let mut bytes = [0; 4];
        self.read_into(addr, &mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }
}

/// Converts the refusal of an access from outside; such accesses are not retried.
fn refused(refusal: Refusal<Fault>, addr: u32) -> Fault {
    match refusal {
        Refusal::Fault(fault) => fault,
        Refusal::Busy => Fault::unmodelled(format!(
            "waiting for {addr:#x} from outside the tile; let a core do that"
        )),
    }
}
