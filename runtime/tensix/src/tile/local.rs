//! Memories private to a core: the local memory of each, and the instruction memory of NC.
//!
//! Checked: addresses are inside; words are written before they are read, unless the memory is
//! initially zero.

use tessera_riscv::{Width, CODE_PAGE};

use crate::map;
use crate::state::check_policy::CheckPolicy;
use crate::state::l1::{self, little_endian};
use crate::trap::Fault;

/// The local memory of one core.
#[derive(Clone, Debug)]
pub(crate) struct Local {
    size: usize,
    /// The bytes, and whether each is written; empty before the first store. The second vector
    /// stays empty if all bytes count as written.
    bytes: Vec<u8>,
    written: Vec<bool>,
    /// Whether bytes that have not been stored are zeros that count as written.
    is_zeroed: bool,
}

impl Local {
    pub(crate) fn new(size: usize, check_policy: CheckPolicy) -> Self {
        Local {
            size,
            bytes: Vec::new(),
            written: Vec::new(),
            is_zeroed: check_policy == CheckPolicy::Vendor,
        }
    }

    fn range(&self, addr: u32, width: Width) -> Result<std::ops::Range<usize>, Fault> {
        let at = (addr - map::LOCAL) as usize;
        let range = at..at + width.bytes() as usize;
        if range.end > self.size {
            return Err(Fault::undefined(format!(
                "{addr:#x} is beyond this core's {} bytes of local memory",
                self.size
            )));
        }
        Ok(range)
    }

    #[inline]
    pub(crate) fn load(&self, addr: u32, width: Width) -> Result<u32, Fault> {
        match self.written_value(addr, width) {
            Some(value) => Ok(value),
            None => self.load_unstored(addr, width),
        }
    }

    /// Returns the value at any address, if it is in this memory and written.
    #[inline]
    pub(crate) fn written_value(&self, addr: u32, width: Width) -> Option<u32> {
        let at = addr.wrapping_sub(map::LOCAL) as usize;
        if !self.is_zeroed {
            let written = self.written.get(at..)?;
            let is_written = match width {
                Width::Byte => *written.first()?,
                Width::Half => *written.first_chunk()? == [true; 2],
                Width::Word => *written.first_chunk()? == [true; 4],
            };
            if !is_written {
                return None;
            }
        }
        l1::load(&self.bytes, at, width)
    }

    /// Returns the value at an address to which nothing has been stored.
    #[cold]
    fn load_unstored(&self, addr: u32, width: Width) -> Result<u32, Fault> {
        self.range(addr, width)?;
        match self.is_zeroed {
            true => Ok(0),
            false => Err(Fault::undefined(format!(
                "reads local memory {addr:#x}, which nothing has written"
            ))),
        }
    }

    /// Fills the memory with zeros.
    pub(crate) fn reset(&mut self) {
        *self = Local::new(self.size, CheckPolicy::Vendor);
    }

    #[inline]
    pub(crate) fn store(&mut self, addr: u32, width: Width, value: u32) -> Result<(), Fault> {
        if self.replace(addr, width, value).is_none() {
            self.range(addr, width)?;
            self.bytes = vec![0; self.size];
            if !self.is_zeroed {
                self.written = vec![false; self.size];
            }
            self.replace(addr, width, value);
        }
        Ok(())
    }

    /// Stores a value at any address, if it is in this memory, which is not empty.
    #[inline]
    pub(crate) fn replace(&mut self, addr: u32, width: Width, value: u32) -> Option<()> {
        let at = addr.wrapping_sub(map::LOCAL) as usize;
        l1::store(&mut self.bytes, at, width, value)?;
        if self.is_zeroed {
            return Some(());
        }
        let written = self.written.get_mut(at..)?;
        match width {
            Width::Byte => *written.first_mut()? = true,
            Width::Half => *written.first_chunk_mut()? = [true; 2],
            Width::Word => *written.first_chunk_mut()? = [true; 4],
        }
        Some(())
    }
}

/// The instruction memory of core NC (ISA documentation, `BabyRISCV/InstructionRAM.md`): written by
/// the mover, executed by NC, and not readable.
#[derive(Clone, Debug)]
pub(crate) struct CodeMemory {
    /// The bytes, and whether each is written; empty before the first write.
    bytes: Vec<u8>,
    written: Vec<bool>,
    version: u32,
}

impl CodeMemory {
    pub(crate) fn new() -> Self {
        CodeMemory {
            bytes: Vec::new(),
            written: Vec::new(),
            version: 0,
        }
    }

    /// Returns the word at an address from [`map::NC_CODE`] on.
    pub(crate) fn fetch(&self, pc: u32) -> Result<u32, Fault> {
        let at = (pc - map::NC_CODE) as usize;
        match self.written.get(at..at + 4) {
            Some([true, true, true, true]) => Ok(little_endian(&self.bytes[at..at + 4])),
            _ => Err(Fault::undefined(
                "there is no code here; nothing has been moved to this place of NC's instruction \
                 memory",
            )),
        }
    }

    /// Returns the bytes of a page at an address from [`map::NC_CODE`] on, if all are written.
    pub(crate) fn page(&self, page: u32) -> Option<&[u8]> {
        let at = (page - map::NC_CODE) as usize;
        let range = at..at + CODE_PAGE as usize;
        let is_written = self.written.get(range.clone())?.iter().all(|&is| is);
        is_written.then(|| self.bytes.get(range))?
    }

    /// Returns a version that changes whenever a word may have changed.
    pub(crate) fn version(&self) -> u32 {
        self.version
    }

    /// Writes bytes at an offset.
    pub(crate) fn write(&mut self, at: usize, bytes: &[u8]) -> Result<(), Fault> {
        let range = at..at + bytes.len();
        self.bytes.resize(map::NC_CODE_BYTES, 0);
        self.written.resize(map::NC_CODE_BYTES, false);
        let Some(place) = self.bytes.get_mut(range.clone()) else {
            return Err(Fault::undefined(format!(
                "moves {} bytes to {at:#x} of NC's instruction memory, which has {:#x}",
                bytes.len(),
                map::NC_CODE_BYTES
            )));
        };
        place.copy_from_slice(bytes);
        self.written[range].fill(true);
        self.version = self.version.wrapping_add(1);
        Ok(())
    }
}

const _: () = assert!(map::NC_CODE % CODE_PAGE == 0);

#[cfg(test)]
mod tests;
