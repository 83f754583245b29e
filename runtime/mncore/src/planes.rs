//! The planes of a PE memory: one long word of every lane each.
//!
//! A kernel writes few of them, and most of these as a whole. Filling the memory with a word
//! therefore marks planes instead of writing them: a marked plane is read as a plane of that word,
//! and becomes one when it is first written in part.

use tessera_isa_mncore::memory::Width;

/// The planes of a PE memory.
#[derive(Clone, Debug, Default)]
pub struct Planes {
    /// The words, plane by plane. Those of unwritten planes mean nothing.
    words: Box<[u64]>,
    /// For each plane, whether it was written since the memory was last filled. Their number is a
    /// power of two so that addresses wrap without a division.
    is_written: Box<[bool]>,
    /// The content of an unwritten plane: the same word in all lanes.
    filling: Box<[u64]>,
}

impl Planes {
    /// Creates `count` zeroed planes of `lanes` lanes; `count` must be a power of two.
    pub fn new(count: usize, lanes: usize) -> Self {
        debug_assert!(count.is_power_of_two());
        Planes {
            words: vec![0; count * lanes].into(),
            is_written: vec![false; count].into(),
            filling: vec![0; lanes].into(),
        }
    }

    /// Wraps a single word address to the size of the memory.
    fn around(&self, address: usize) -> usize {
        address & (2 * self.count() - 1)
    }

    /// Returns the number of planes.
    pub fn count(&self) -> usize {
        self.is_written.len()
    }

    /// Returns the number of lanes.
    pub fn lanes(&self) -> usize {
        self.filling.len()
    }

    /// Returns the plane of a long word address.
    #[inline]
    pub fn plane(&self, index: usize) -> &[u64] {
        match self.is_written[index] {
            true => &self.words[index * self.lanes()..][..self.lanes()],
            false => &self.filling,
        }
    }

    /// Returns the plane of a long word address, mutably.
    #[inline]
    pub fn plane_mut(&mut self, index: usize) -> &mut [u64] {
        let is_written = self.is_written[index];
        let word = self.filling[0];
        let plane = self.overwritten_plane(index);
        if !is_written {
            plane.fill(word);
        }
        plane
    }

    /// Returns the plane of a long word address, to be written as a whole. Its content is
    /// unspecified.
    #[inline]
    fn overwritten_plane(&mut self, index: usize) -> &mut [u64] {
        self.is_written[index] = true;
        let lanes = self.lanes();
        &mut self.words[index * lanes..][..lanes]
    }

    /// Fills all planes with a word.
    pub fn fill(&mut self, word: u64) {
        self.is_written.fill(false);
        self.filling.fill(word);
    }

    /// Copies the content of a memory of the same size.
    pub fn copy_from(&mut self, other: &Planes) {
        let planes = self.words.chunks_exact_mut(other.lanes());
        let others = other.words.chunks_exact(other.lanes());
        for ((to, from), is_written) in planes.zip(others).zip(&other.is_written) {
            if *is_written {
                to.copy_from_slice(from);
            }
        }
        self.is_written.copy_from_slice(&other.is_written);
        self.filling.copy_from_slice(&other.filling);
    }

    /// Reads the words at a single word address in data path format.
    pub fn get(&self, lane: usize, address: usize, width: Width) -> (u64, u64) {
        let address = self.around(address);
        let long = |index: usize| self.plane(index)[lane];
        match width {
            Width::Single if address % 2 == 1 => (long(address / 2) << 32, 0),
            Width::Single => (long(address / 2) & 0xffff_ffff << 32, 0),
            Width::Long => (long(address / 2), 0),
            Width::Double => (long(address / 4 * 2), long(address / 4 * 2 + 1)),
        }
    }

    /// Writes the bits of `value` that `mask` selects; both are in data path format.
    pub fn write_masked(
        &mut self,
        lane: usize,
        address: usize,
        width: Width,
        value: (u64, u64),
        mask: (u64, u64),
    ) {
        let address = self.around(address);
        let mut long = |index: usize, value: u64, mask: u64| {
            let word = &mut self.plane_mut(index)[lane];
            *word = *word & !mask | value & mask;
        };
        let high = mask.0 & 0xffff_ffff << 32;
        match width {
            Width::Single if address % 2 == 1 => long(address / 2, value.0 >> 32, high >> 32),
            Width::Single => long(address / 2, value.0, high),
            Width::Long => long(address / 2, value.0, mask.0),
            Width::Double => {
                long(address / 4 * 2, value.0, mask.0);
                long(address / 4 * 2 + 1, value.1, mask.1);
            }
        }
    }

    /// Returns the plane of a single word address.
    pub fn plane_at(&self, address: usize) -> &[u64] {
        self.plane(self.around(address) / 2)
    }

    /// Reads the single word at one address in all lanes.
    pub fn read_singles(&self, address: usize, high: &mut [u64]) {
        for (to, from) in high.iter_mut().zip(self.plane_at(address)) {
            *to = if address % 2 == 1 {
                from << 32
            } else {
                from & 0xffff_ffff << 32
            };
        }
    }

    /// Writes one address in all lanes.
    pub fn write_all(&mut self, address: usize, width: Width, high: &[u64], low: &[u64]) {
        let address = self.around(address);
        match width {
            Width::Single => {
                for (to, from) in self.plane_mut(address / 2).iter_mut().zip(high) {
                    *to = if address % 2 == 1 {
                        *to & 0xffff_ffff << 32 | from >> 32
                    } else {
                        *to & 0xffff_ffff | from & 0xffff_ffff << 32
                    };
                }
            }
            Width::Long => self.overwritten_plane(address / 2).copy_from_slice(high),
            Width::Double => {
                let first = address / 4 * 2;
                self.overwritten_plane(first).copy_from_slice(high);
                self.overwritten_plane(first + 1).copy_from_slice(low);
            }
        }
    }
}

#[cfg(test)]
mod tests;
