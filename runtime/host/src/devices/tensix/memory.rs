//! The runtime's share of DRAM: which bytes belong to which tensor.
//!
//! A tensor has one base offset, the same in all banks and a multiple of 64; page p lies in bank `p
//! % banks` at `base + (p / banks) * page_bytes`. Live tensors never overlap.

use std::collections::BTreeMap;

/// Alignment of base offsets in bytes.
const ALIGNMENT: u64 = 64;

/// Stretches of every bank that are in use: base to size.
#[derive(Debug)]
pub struct Allocator {
    bank_bytes: u64,
    used: BTreeMap<u64, u64>,
}

impl Allocator {
    /// Nothing is used of banks of `bank_bytes` each.
    pub fn new(bank_bytes: u64) -> Self {
        Self {
            bank_bytes,
            used: BTreeMap::new(),
        }
    }

    /// Bytes of a bank.
    pub fn bank_bytes(&self) -> u64 {
        self.bank_bytes
    }

    /// Takes the lowest stretch of `size` bytes that is free, and gives its base; nothing if there
    /// is none.
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

    /// Gives back what `allocate` gave at `base`.
    pub fn free(&mut self, base: u64) {
        self.used.remove(&base);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lowest_free_stretch() {
        let mut allocator = Allocator::new(1024);
        assert_eq!(allocator.allocate(100), Some(0));
        assert_eq!(allocator.allocate(1), Some(128));
        assert_eq!(allocator.allocate(64), Some(192));
        allocator.free(128);
        assert_eq!(allocator.allocate(65), Some(256), "too large for the gap");
        assert_eq!(allocator.allocate(64), Some(128), "as large as the gap");
        assert_eq!(allocator.allocate(1024), None);
        assert_eq!(allocator.allocate(641), None);
        assert_eq!(allocator.allocate(640), Some(384));
        assert_eq!(allocator.allocate(u64::MAX), None);
    }

    proptest::proptest! {
        #[test]
        fn never_overlaps(steps in proptest::collection::vec((1..600_u64, 0..4_usize), 1..60)) {
            let mut allocator = Allocator::new(4096);
            let mut live: Vec<(u64, u64)> = Vec::new();
            for (size, free) in steps {
                if let Some(base) = allocator.allocate(size) {
                    proptest::prop_assert!(base % 64 == 0 && base + size <= 4096);
                    for &(other, other_size) in &live {
                        proptest::prop_assert!(base + size <= other || other + other_size <= base);
                    }
                    live.push((base, size));
                }
                if free < live.len() {
                    allocator.free(live.swap_remove(free).0);
                }
            }
        }
    }
}
