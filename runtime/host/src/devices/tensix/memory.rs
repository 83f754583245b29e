//! Allocation of DRAM to tensors.
//!
//! A tensor has one base offset, the same in all banks and a multiple of 64. Page p lies in bank `p
//! % banks` at `base + (p / banks) * page_bytes`. Live tensors never overlap.

use std::collections::BTreeMap;

/// Alignment of base offsets in bytes.
const ALIGNMENT: u64 = 64;

/// The ranges of every bank that are in use: base to size.
#[derive(Debug, Clone)]
pub struct Allocator {
    bank_bytes: u64,
    used: BTreeMap<u64, u64>,
}

impl Allocator {
    /// Creates an allocator for empty banks of `bank_bytes` each.
    pub fn new(bank_bytes: u64) -> Self {
        Self {
            bank_bytes,
            used: BTreeMap::new(),
        }
    }

    /// Returns the size of a bank in bytes.
    pub fn bank_bytes(&self) -> u64 {
        self.bank_bytes
    }

    /// Allocates the lowest free range of `size` bytes and returns its base, or `None` if there is
    /// none.
    pub fn allocate(&mut self, size: u64) -> Option<u64> {
        let size = size.checked_next_multiple_of(ALIGNMENT)?;
        let mut base = 0;
        for (&used, &used_size) in &self.used {
            if used - base >= size {
                break;
            }
            base = used + used_size;
        }
        if size > self.bank_bytes.saturating_sub(base) {
            return None;
        }
        self.used.insert(base, size);
        Some(base)
    }

    /// Frees the range that `allocate` returned.
    pub fn free(&mut self, base: u64) {
        self.used.remove(&base);
    }
}

#[cfg(test)]
mod tests;
