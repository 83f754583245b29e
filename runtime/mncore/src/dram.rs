//! The DRAM of one group: 4 GiB, stored sparsely as the pages that were written.
//!
//! Manual, sections 1.5 and 3.5.2.2: 512 Mi long words; addresses wrap around. The content after
//! power-on is undocumented. Reading a page that was never written is an error unless the machine
//! starts with zeroed DRAM. Unwritten words of a written page read as zero.
//!
//! A table maps the number of each page to its storage. It takes 256 KiB per group, of which the
//! operating system provides what is used. The parts of a page are zeroed when they are first
//! needed, as kernels write most of them whole.

use std::ops::Range;

/// Size of a group's DRAM in long words.
pub const DRAM_WORDS: u64 = 512 << 20;

/// Size of a page in long words: 64 KiB.
const PAGE_WORDS: u64 = 8 << 10;

/// The long word address of a read from a page that was never written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NeverWritten(pub u64);

/// The number of parts of a page.
const PARTS: usize = u64::BITS as usize;

/// Size of a part of a page in long words: 1 KiB.
const PART_WORDS: usize = PAGE_WORDS as usize / PARTS;

/// A page.
#[derive(Clone, Debug)]
struct Page {
    words: Box<[u64]>,
    /// The parts whose content is valid, one bit each. The others are zero, whatever `words` holds.
    valid: u64,
}

impl Page {
    /// Creates a page of zeros.
    fn new() -> Self {
        Page {
            words: vec![0; PAGE_WORDS as usize].into(),
            valid: 0,
        }
    }

    /// Returns the parts that a range of words touches, one bit each.
    fn parts(range: &Range<usize>) -> u64 {
        let (first, last) = (range.start / PART_WORDS, (range.end - 1) / PART_WORDS);
        u64::MAX << first & u64::MAX >> (PARTS - 1 - last)
    }

    /// Reads a range of words that is not empty.
    fn read(&self, range: Range<usize>, words: &mut [u64]) {
        let parts = Page::parts(&range);
        if parts & !self.valid == 0 {
            return words.copy_from_slice(&self.words[range]);
        }
        for (at, word) in range.zip(words) {
            *word = match self.valid >> (at / PART_WORDS) & 1 {
                1 => self.words[at],
                _ => 0,
            };
        }
    }

    /// Writes a range of words that is not empty.
    fn write(&mut self, range: Range<usize>, words: &[u64]) {
        // Only the first and the last part can be written in part.
        for part in [range.start / PART_WORDS, (range.end - 1) / PART_WORDS] {
            let whole = part * PART_WORDS..(part + 1) * PART_WORDS;
            let is_covered = range.start <= whole.start && whole.end <= range.end;
            if !is_covered && self.valid >> part & 1 == 0 {
                self.words[whole].fill(0);
                self.valid |= 1 << part;
            }
        }
        self.valid |= Page::parts(&range);
        self.words[range].copy_from_slice(words);
    }
}

impl PartialEq for Page {
    fn eq(&self, other: &Page) -> bool {
        (0..PARTS).all(|part| {
            let part = part * PART_WORDS..(part + 1) * PART_WORDS;
            let words = |page: &Page| {
                let mut words = [0; PART_WORDS];
                page.read(part.clone(), &mut words);
                words
            };
            words(self) == words(other)
        })
    }
}

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
    storage: Vec<Page>,
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

    /// Returns a page, if it was written.
    fn page(&self, number: usize) -> Option<&Page> {
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
                Some(page) => page.read(offset..offset + count, now),
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
            let page = self.page_mut((at / PAGE_WORDS) as usize);
            page.write(offset..offset + count, now);
            at = (at + count as u64) % DRAM_WORDS;
            rest = later;
        }
    }

    /// Returns a page to write to. If it was never written, it is zero.
    fn page_mut(&mut self, number: usize) -> &mut Page {
        let index = match self.table[number].checked_sub(1) {
            Some(index) => index as usize,
            None => self.add_page(number),
        };
        &mut self.storage[index]
    }

    /// Adds a page of zeros and returns the index of its storage.
    fn add_page(&mut self, number: usize) -> usize {
        let index = self.written.len();
        self.written.push(number);
        self.table[number] = index as u32 + 1;
        match self.storage.get_mut(index) {
            Some(page) => page.valid = 0,
            None => self.storage.push(Page::new()),
        }
        index
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
