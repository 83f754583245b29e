//! Long words of the PEs of a MAB, viewed as elements.

use bytemuck::{AnyBitPattern, NoUninit};

use crate::geometry::PES;

/// One long word of each PE of a MAB.
pub type Longs = [u64; PES];

/// Returns the elements of the long words of a MAB, in memory order: from the low end of each long
/// word.
#[inline(always)]
pub fn elements<T: AnyBitPattern>(longs: &Longs) -> T {
    if cfg!(target_endian = "little") {
        bytemuck::cast(*longs)
    } else {
        bytemuck::cast(longs.map(u64::to_le))
    }
}

/// Stores elements as the long words of a MAB.
#[inline(always)]
pub fn store<T: NoUninit>(elements: T, longs: &mut Longs) {
    *longs = bytemuck::cast(elements);
    if cfg!(target_endian = "big") {
        *longs = longs.map(u64::from_le);
    }
}

/// Returns the long words that all MABs of a block share, as after a broadcast, or `None` if they
/// differ.
#[inline(always)]
pub fn common_value(mabs: &[Longs]) -> Option<Longs> {
    let first = *mabs.first()?;
    // Without an early exit, so that compilers vectorise the loop.
    let mut different = [0; PES];
    for longs in mabs {
        for (different, (long, first)) in different.iter_mut().zip(longs.iter().zip(&first)) {
            *different |= long ^ first;
        }
    }
    (different == [0; PES]).then_some(first)
}
