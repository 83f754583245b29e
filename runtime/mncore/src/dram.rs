//! The DRAM of one group: 4 GiB, stored sparsely as the pages that were written.
//!
//! Manual, sections 1.5 and 3.5.2.2: 512 Mi long words; addresses wrap around. The content after
//! power-on is undocumented. Reading a page that was never written is an error unless the machine
//! starts with zeroed DRAM. Unwritten words of a written page read as zero.

use std::collections::HashMap;

/// Size of a group's DRAM in long words.
pub const DRAM_WORDS: u64 = 512 << 20;

/// Size of a page in long words: 64 KiB.
const PAGE_WORDS: u64 = 8 << 10;

/// The long word address of a read from a page that was never written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NeverWritten(pub u64);

/// The DRAM of one group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dram {
    pages: HashMap<u64, Box<[u64]>>,
    zero: bool,
}

impl Dram {
    /// Creates an empty DRAM; `zero` makes unwritten pages read as zero.
    pub fn new(zero: bool) -> Self {
        Dram {
            pages: HashMap::new(),
            zero,
        }
    }

    /// Reads long words starting at `address`, wrapping around the end of the memory.
    pub fn read(&self, address: u64, words: &mut [u64]) -> Result<(), NeverWritten> {
        let mut at = address % DRAM_WORDS;
        let mut rest = words;
        while !rest.is_empty() {
            let offset = (at % PAGE_WORDS) as usize;
            let count = rest.len().min(PAGE_WORDS as usize - offset);
            let (now, later) = rest.split_at_mut(count);
            match self.pages.get(&(at / PAGE_WORDS)) {
                Some(page) => now.copy_from_slice(&page[offset..offset + count]),
                None if self.zero => now.fill(0),
                None => return Err(NeverWritten(at)),
            }
            at = (at + count as u64) % DRAM_WORDS;
            rest = later;
        }
        Ok(())
    }

    /// Writes long words starting at `address`, wrapping around the end of the memory.
    pub fn write(&mut self, address: u64, words: &[u64]) {
        let mut at = address % DRAM_WORDS;
        let mut rest = words;
        while !rest.is_empty() {
            let offset = (at % PAGE_WORDS) as usize;
            let count = rest.len().min(PAGE_WORDS as usize - offset);
            let (now, later) = rest.split_at(count);
            let page = self
                .pages
                .entry(at / PAGE_WORDS)
                .or_insert_with(|| vec![0; PAGE_WORDS as usize].into());
            page[offset..offset + count].copy_from_slice(now);
            at = (at + count as u64) % DRAM_WORDS;
            rest = later;
        }
    }
}

#[cfg(test)]
mod tests;
