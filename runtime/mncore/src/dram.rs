//! The DRAM of one group: 4 GiB, stored sparsely as the pages that were written.
//!
//! Manual, sections 1.5 and 3.5.2.2: 512 Mi long words; addresses wrap around. The content after
//! power-on is undocumented. Reading a page that was never written is an error unless the machine
//! starts with zeroed DRAM. Unwritten words of a written page read as zero.
//!
//! A table maps the number of each page to its storage. It takes 256 KiB per group, of which the
//! operating system provides what is used.

/// Size of a group's DRAM in long words.
pub const DRAM_WORDS: u64 = 512 << 20;

/// Size of a page in long words: 64 KiB.
const PAGE_WORDS: u64 = 8 << 10;

/// The long word address of a read from a page that was never written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NeverWritten(pub u64);

/// The number of pages.
const PAGES: usize = (DRAM_WORDS / PAGE_WORDS) as usize;

/// The DRAM of one group.
#[derive(Clone, Debug)]
pub struct Dram {
    /// For each page, the index of its storage plus one; 0 if it was never written.
    table: Box<[u32]>,
    /// The numbers of the written pages, in the order of their storage.
    written: Vec<usize>,
    /// The storage of the written pages, then pages of any content, for reuse.
    storage: Vec<Box<[u64]>>,
    zero: bool,
}

impl Dram {
    /// Creates an empty DRAM; `zero` makes unwritten pages read as zero.
    pub fn new(zero: bool) -> Self {
        Dram {
            table: vec![0; PAGES].into(),
            written: Vec::new(),
            storage: Vec::new(),
            zero,
        }
    }

    /// Returns the DRAM to the state after [`Dram::new`].
    pub fn clear(&mut self) {
        for page in self.written.drain(..) {
            self.table[page] = 0;
        }
    }

    /// Returns the content of a page, if it was written.
    fn page(&self, number: usize) -> Option<&[u64]> {
        let index = self.table[number].checked_sub(1)?;
        Some(&self.storage[index as usize])
    }

    /// Reads long words starting at `address`, wrapping around the end of the memory.
    pub fn read(&self, address: u64, words: &mut [u64]) -> Result<(), NeverWritten> {
        let mut at = address % DRAM_WORDS;
        let mut rest = words;
        while !rest.is_empty() {
            let offset = (at % PAGE_WORDS) as usize;
            let count = rest.len().min(PAGE_WORDS as usize - offset);
            let (now, later) = rest.split_at_mut(count);
            match self.page((at / PAGE_WORDS) as usize) {
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
            let number = (at / PAGE_WORDS) as usize;
            match self.table[number].checked_sub(1) {
                Some(index) => {
                    self.storage[index as usize][offset..offset + count].copy_from_slice(now);
                }
                None => self.add_page(number, offset, now),
            }
            at = (at + count as u64) % DRAM_WORDS;
            rest = later;
        }
    }

    /// Adds a page that holds `words` at `offset` and zeros elsewhere.
    fn add_page(&mut self, number: usize, offset: usize, words: &[u64]) {
        let index = self.written.len();
        self.written.push(number);
        self.table[number] = index as u32 + 1;
        let end = offset + words.len();
        match self.storage.get_mut(index) {
            Some(page) => {
                page[..offset].fill(0);
                page[end..].fill(0);
            }
            None => self.storage.push(vec![0; PAGE_WORDS as usize].into()),
        }
        self.storage[index][offset..end].copy_from_slice(words);
    }
}

impl Default for Dram {
    fn default() -> Self {
        Dram::new(false)
    }
}

impl PartialEq for Dram {
    fn eq(&self, other: &Dram) -> bool {
        let mut written = self.written.iter();
        self.zero == other.zero
            && self.written.len() == other.written.len()
            && written.all(|&page| self.page(page) == other.page(page))
    }
}

impl Eq for Dram {}

#[cfg(test)]
mod tests;
