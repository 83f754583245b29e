//! L1, the memory of one tile.
//!
//! Checked: addresses are inside; bytes are written before they are read (in granules of 16 bytes),
//! because a kernel must not depend on data left by another one. Reads and writes are recorded for
//! the hazard checks.

use std::ops::Range;

use tessera_isa_tensix::Arch;
use tessera_riscv::{Width, CODE_PAGE};

use crate::state::access::RangeSet;
use crate::trap::Fault;

/// Granularity in which writes are tracked; also L1's access width.
const GRANULE: u32 = 16;

/// A set of granules, one bit each.
#[derive(Clone, Debug, Default)]
struct GranuleSet {
    words: Vec<u64>,
    /// The words beyond the end of the vector, which is empty if all granules are in the set.
    rest: u64,
}

impl GranuleSet {
    /// Returns the words of a range of granules, with the bits in each.
    fn words(pieces: Range<usize>) -> impl Iterator<Item = (usize, u64)> {
        let words = pieces.start / 64..pieces.end.div_ceil(64);
        words.map(move |word| {
            let from = pieces.start.saturating_sub(64 * word);
            let to = (pieces.end - 64 * word).min(64);
            (word, u64::MAX << from & u64::MAX >> (64 - to))
        })
    }

    fn word(&self, word: usize) -> u64 {
        self.words.get(word).copied().unwrap_or(self.rest)
    }

    fn insert(&mut self, pieces: Range<usize>) {
        if self.rest != 0 {
            return;
        }
        let words = pieces.end.div_ceil(64);
        if words > self.words.len() {
            self.words.resize(words, 0);
        }
        Self::words(pieces).for_each(|(word, bits)| self.words[word] |= bits);
    }

    fn insert_all(&mut self) {
        self.words.clear();
        self.rest = u64::MAX;
    }

    fn clear(&mut self) {
        self.words.clear();
        self.rest = 0;
    }

    /// Returns the first granule of a range that is not in the set.
    fn first_missing(&self, pieces: Range<usize>) -> Option<usize> {
        Self::words(pieces).find_map(|(word, bits)| {
            let missing = bits & !self.word(word);
            (missing != 0).then(|| 64 * word + missing.trailing_zeros() as usize)
        })
    }

    /// Returns whether a granule is in the set.
    #[inline]
    fn contains(&self, piece: u32) -> bool {
        self.word(piece as usize / 64) >> (piece % 64) & 1 != 0
    }

    /// Returns whether a granule of a range is in the set.
    fn contains_any(&self, pieces: Range<usize>) -> bool {
        Self::words(pieces).any(|(word, bits)| bits & self.word(word) != 0)
    }
}

/// The memory, with records of its use.
#[derive(Clone, Debug)]
pub struct L1 {
    /// The bytes up to the highest written one. Bytes of unwritten granules are arbitrary. The
    /// other vectors grow with use.
    bytes: Vec<u8>,
    size: usize,
    written: GranuleSet,
    reads: RangeSet,
    writes: RangeSet,
    /// Number of writes to each page that may contain RISC-V code.
    versions: Vec<u32>,
    /// Watched granules, and the range from the first to the last one.
    watched: GranuleSet,
    all_watched: Range<usize>,
    /// Number of writes to watched granules.
    changes: u64,
}

impl L1 {
    /// Creates the L1 of `arch`, unwritten.
    pub fn new(arch: Arch) -> Self {
        L1 {
            bytes: Vec::new(),
            size: arch.l1_bytes() as usize,
            written: GranuleSet::default(),
            reads: RangeSet::default(),
            writes: RangeSet::default(),
            versions: Vec::new(),
            watched: GranuleSet::default(),
            all_watched: 0..0,
            changes: 0,
        }
    }

    /// Returns L1 as [`L1::new`] creates it, with the allocations of this one.
    pub(crate) fn cleared(mut self) -> Self {
        self.written.clear();
        self.versions.clear();
        self.watched.clear();
        self.clear_recorded();
        L1 {
            all_watched: 0..0,
            changes: 0,
            ..self
        }
    }

    /// Reserves memory for all of L1. The host provides pages when they are used; clearing all of
    /// them would take longer than a small kernel.
    pub(crate) fn reserve(&mut self) {
        self.bytes.reserve_exact(self.size - self.bytes.len());
    }

    /// Fills L1 with zeros that count as written. They are allocated rather than stored, so that
    /// the host provides only the pages that are used. [`L1::new`] therefore allocates nothing:
    /// once memory of this size has been freed, glibc takes it from its heap and clears it.
    pub(crate) fn fill_with_zeros(&mut self) {
        self.bytes = vec![0; self.size];
        self.written.insert_all();
    }

    /// Checks that a byte range exists.
    #[inline]
    pub(crate) fn check(&self, addr: u32, len: usize) -> Result<Range<usize>, Fault> {
        let range = addr as usize..addr as usize + len;
        match range.end > self.size {
            true => Err(self.beyond(range)),
            false => Ok(range),
        }
    }

    #[cold]
    fn beyond(&self, range: Range<usize>) -> Fault {
        Fault::undefined(format!(
            "L1 bytes {:#x} to {:#x} are beyond its end {:#x}",
            range.start, range.end, self.size
        ))
    }

    /// Returns `len` bytes from `addr` on.
    ///
    /// # Errors
    /// Undefined beyond the end and for unwritten bytes.
    pub fn read(&mut self, addr: u32, len: usize) -> Result<&[u8], Fault> {
        let range = self.check_written(addr, len)?;
        self.reads.insert(addr, len as u32);
        Ok(self.written_bytes(range))
    }

    /// Returns a range of written bytes.
    fn written_bytes(&self, range: Range<usize>) -> &[u8] {
        // Only an empty range can be missing.
        self.bytes.get(range).unwrap_or_default()
    }

    fn check_written(&self, addr: u32, len: usize) -> Result<Range<usize>, Fault> {
        let range = self.check(addr, len)?;
        let pieces = range.start / GRANULE as usize..range.end.div_ceil(GRANULE as usize);
        if let Some(k) = self.written.first_missing(pieces) {
            return Err(Fault::undefined(format!(
                "reads L1 {:#x}, which nothing has written",
                k * GRANULE as usize
            )));
        }
        Ok(range)
    }

    /// Returns `len` bytes from `addr` on without recording the read.
    ///
    /// # Errors
    /// Those of [`read`](Self::read).
    pub(crate) fn peek(&self, addr: u32, len: usize) -> Result<&[u8], Fault> {
        let range = self.check_written(addr, len)?;
        Ok(self.written_bytes(range))
    }

    /// Returns the word at `addr` without recording the read, for RISC-V code.
    ///
    /// # Errors
    /// Those of [`read`](Self::read).
    pub(crate) fn peek_word(&self, addr: u32) -> Result<u32, Fault> {
        Ok(self
            .peek(addr, 4)?
            .iter()
            .rev()
            .fold(0, |word, &byte| word << 8 | u32::from(byte)))
    }

    /// Returns the word at `addr` without recording the read, and watches it for changes.
    ///
    /// # Errors
    /// Those of [`read`](Self::read).
    pub(crate) fn poll_word(&mut self, addr: u32) -> Result<u32, Fault> {
        self.watch(addr, 4);
        self.peek_word(addr)
    }

    /// Returns the aligned value at an address without recording the read, or `None` where
    /// [`read`](Self::read) has to check more.
    #[inline]
    pub(crate) fn load_unrecorded(&self, addr: u32, width: Width) -> Option<u32> {
        let is_written = self.written.contains(addr / GRANULE);
        is_written.then(|| load(&self.bytes, addr as usize, width))?
    }

    /// Stores an aligned value without recording the write. Returns whether it has done so: if not,
    /// [`write`](Self::write) has to do more.
    #[inline]
    pub(crate) fn store_unrecorded(&mut self, addr: u32, width: Width, value: u32) -> bool {
        let piece = addr / GRANULE;
        if !self.written.contains(piece) || self.all_watched.contains(&(piece as usize)) {
            return false;
        }
        let Some(version) = self.versions.get_mut((addr / CODE_PAGE) as usize) else {
            return false;
        };
        *version = version.wrapping_add(1);
        store(&mut self.bytes, addr as usize, width, value).is_some()
    }

    /// Returns a version that changes whenever the code around an address may have changed.
    pub(crate) fn code_version(&self, addr: u32) -> u32 {
        let page = (addr / CODE_PAGE) as usize;
        self.versions.get(page).copied().unwrap_or_default()
    }

    /// Returns the bytes of a page of code, if all of them are written.
    pub(crate) fn code_bytes(&self, page: u32) -> Option<&[u8]> {
        let range = self.check_written(page, CODE_PAGE as usize).ok()?;
        self.bytes.get(range)
    }

    /// Checks a read whose bytes are dropped, so they may be unwritten.
    ///
    /// # Errors
    /// Undefined beyond the end.
    pub fn drop_read(&self, addr: u32, len: usize) -> Result<(), Fault> {
        self.check(addr, len).map(|_| ())
    }

    /// Writes `data` from `addr` on.
    ///
    /// # Errors
    /// Undefined beyond the end.
    pub fn write(&mut self, addr: u32, data: &[u8]) -> Result<(), Fault> {
        self.writable(addr, data.len())?.copy_from_slice(data);
        Ok(())
    }

    /// Returns `len` bytes from `addr` on, recorded as written, for the caller to replace.
    ///
    /// # Errors
    /// Undefined beyond the end.
    #[inline]
    pub(crate) fn writable(&mut self, addr: u32, len: usize) -> Result<&mut [u8], Fault> {
        let range = self.check(addr, len)?;
        let pieces = range.start / GRANULE as usize..range.end.div_ceil(GRANULE as usize);
        self.changes += u64::from(self.is_watched(&pieces));
        self.complete(&range);
        self.written.insert(pieces);
        let pages = range.start / CODE_PAGE as usize..range.end.div_ceil(CODE_PAGE as usize);
        if pages.end > self.versions.len() {
            self.versions.resize(pages.end, 0);
        }
        for version in &mut self.versions[pages] {
            *version = version.wrapping_add(1);
        }
        self.writes.insert(addr, len as u32);
        Ok(&mut self.bytes[range])
    }

    /// Clears the other bytes of unwritten granules of which a range contains a part, so that a
    /// written granule is always complete.
    fn complete(&mut self, range: &Range<usize>) {
        let size = GRANULE as usize;
        let end = range.end.next_multiple_of(size);
        if end > self.bytes.len() {
            self.reserve();
            self.bytes.resize(end, 0);
        }
        for edge in [range.start, range.end] {
            let first = edge - edge % size;
            if first < edge && !self.written.contains_any(edge / size..edge / size + 1) {
                self.bytes[first..first + size].fill(0);
            }
        }
    }

    /// Returns the byte ranges read and written since the records were cleared.
    pub fn recorded(&mut self) -> (&mut RangeSet, &mut RangeSet) {
        (&mut self.reads, &mut self.writes)
    }

    /// Watches a byte range: writes to it count as changes from now on.
    pub(crate) fn watch(&mut self, addr: u32, len: u32) {
        let end = (addr.saturating_add(len)).div_ceil(GRANULE) as usize;
        let pieces = (addr / GRANULE) as usize..end.min(self.size / GRANULE as usize);
        if pieces.is_empty() {
            return;
        }
        let all = &self.all_watched;
        self.all_watched = match all.is_empty() {
            true => pieces.clone(),
            false => all.start.min(pieces.start)..all.end.max(pieces.end),
        };
        self.watched.insert(pieces);
    }

    fn is_watched(&self, pieces: &Range<usize>) -> bool {
        let all = &self.all_watched;
        let both = pieces.start.max(all.start)..pieces.end.min(all.end);
        !both.is_empty() && self.watched.contains_any(both)
    }

    /// Returns the number of writes to watched bytes.
    pub(crate) fn changes(&self) -> u64 {
        self.changes
    }

    /// Clears the records of reads and writes.
    pub fn clear_recorded(&mut self) {
        self.reads.clear();
        self.writes.clear();
    }
}

/// Returns little-endian bytes as a word.
pub(crate) fn little_endian(bytes: &[u8]) -> u32 {
    bytes
        .iter()
        .rev()
        .fold(0, |word, &byte| word << 8 | u32::from(byte))
}

/// Returns the little-endian value of a width at a position, if it is inside.
#[inline]
pub(crate) fn load(bytes: &[u8], at: usize, width: Width) -> Option<u32> {
    let bytes = bytes.get(at..)?;
    Some(match width {
        Width::Byte => u32::from(*bytes.first()?),
        Width::Half => u32::from(u16::from_le_bytes(*bytes.first_chunk()?)),
        Width::Word => u32::from_le_bytes(*bytes.first_chunk()?),
    })
}

/// Replaces the little-endian value of a width at a position, if it is inside.
#[inline]
pub(crate) fn store(bytes: &mut [u8], at: usize, width: Width, value: u32) -> Option<()> {
    let bytes = bytes.get_mut(at..)?;
    match width {
        Width::Byte => *bytes.first_mut()? = value as u8,
        Width::Half => *bytes.first_chunk_mut()? = (value as u16).to_le_bytes(),
        Width::Word => *bytes.first_chunk_mut()? = value.to_le_bytes(),
    }
    Some(())
}

#[cfg(test)]
mod tests;
