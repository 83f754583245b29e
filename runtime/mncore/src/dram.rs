//! The DRAM of one group: 4 GiB, stored sparsely as the pages that were written.
//!
//! Manual, sections 1.5 and 3.5.2.2: 512 Mi long words; addresses wrap around. The content after
//! power-on is undocumented. Reading a page that was never written is an error unless the machine
//! starts with zeroed DRAM. Unwritten words of a written page read as zero.

use std::collections::hash_map::{Entry, HashMap};

/// Size of a group's DRAM in long words.
pub const DRAM_WORDS: u64 = 512 << 20;

/// Size of a page in long words: 64 KiB.
const PAGE_WORDS: u64 = 8 << 10;

/// The long word address of a read from a page that was never written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NeverWritten(pub u64);

/// The DRAM of one group.
#[derive(Clone, Debug, Default)]
pub struct Dram {
    pages: HashMap<u64, Box<[u64]>>,
    /// Pages without an address, of any content, for reuse.
    spare: Vec<Box<[u64]>>,
    zero: bool,
}

impl Dram {
    /// Creates an empty DRAM; `zero` makes unwritten pages read as zero.
    pub fn new(zero: bool) -> Self {
        Dram {
            pages: HashMap::new(),
            spare: Vec::new(),
            zero,
        }
    }

    /// Returns the DRAM to the state after [`Dram::new`].
    pub fn clear(&mut self) {
        self.spare.extend(self.pages.drain().map(|(_, page)| page));
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
            match self.pages.entry(at / PAGE_WORDS) {
                Entry::Occupied(page) => {
                    page.into_mut()[offset..offset + count].copy_from_slice(now);
                }
                Entry::Vacant(place) => {
                    place.insert(page_around(self.spare.pop(), offset, now));
                }
            }
            at = (at + count as u64) % DRAM_WORDS;
            rest = later;
        }
    }
}

impl PartialEq for Dram {
    fn eq(&self, other: &Dram) -> bool {
        (&self.pages, self.zero) == (&other.pages, other.zero)
    }
}

impl Eq for Dram {}

/// Returns a page that holds `words` at `offset` and zeros elsewhere, in the memory of a spare page
/// if there is one.
fn page_around(spare: Option<Box<[u64]>>, offset: usize, words: &[u64]) -> Box<[u64]> {
    let mut page = spare.unwrap_or_else(|| vec![0; PAGE_WORDS as usize].into());
    page[..offset].fill(0);
    page[offset..offset + words.len()].copy_from_slice(words);
    page[offset + words.len()..].fill(0);
    page
}

#[cfg(test)]
mod tests;
