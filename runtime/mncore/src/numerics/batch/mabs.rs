//! The long words of the PEs of MABs, as elements and together.

use bytemuck::{AnyBitPattern, NoUninit};

use crate::geometry::PES;

/// A long word of each PE of a MAB.
pub type Longs = [u64; PES];

/// The elements of the long words of a MAB, each from its low end.
#[inline(always)]
pub fn elements<T: AnyBitPattern>(longs: &Longs) -> T {
    if cfg!(target_endian = "little") {
        bytemuck::cast(*longs)
    } else {
        bytemuck::cast(longs.map(u64::to_le))
    }
}

/// Elements as the long words of a MAB.
#[inline(always)]
pub fn store<T: NoUninit>(elements: T, longs: &mut Longs) {
    *longs = bytemuck::cast(elements);
    if cfg!(target_endian = "big") {
        *longs = longs.map(u64::from_le);
    }
}

/// The long words of every MAB of a block, if all have the same, as after a broadcast.
#[inline(always)]
pub fn common_value(mabs: &[Longs]) -> Option<Longs> {
    let first = *mabs.first()?;
    // All at once, as compilers vectorise that.
    let mut different = [0; PES];
    for longs in mabs {
        for (different, (long, first)) in different.iter_mut().zip(longs.iter().zip(&first)) {
            *different |= long ^ first;
        }
    }
    (different == [0; PES]).then_some(first)
}
