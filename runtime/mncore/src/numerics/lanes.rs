//! Elements of long words (section 1.3) and replication of mask flags (sections 3.6.2, 3.6.12.1).
//!
//! Lane 0 is the most significant element. Two long words are `[u64; 2]`, the most significant one
//! first. Four singles occupy lanes 0 and 1 of the first long word, then lanes 0 and 1 of the
//! second.

use super::format::{Double, Format, Half, Single};

/// The width of an element, integer or floating point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Width {
    /// 16 bits: `h` and `s`.
    Half,
    /// 32 bits: `f` and `i`.
    Single,
    /// 64 bits: `d` and `l`.
    Long,
}

impl Width {
    /// Returns the size of an element in bits.
    pub const fn bits(self) -> u32 {
        match self {
            Width::Half => Half::BITS,
            Width::Single => Single::BITS,
            Width::Long => Double::BITS,
        }
    }

    /// Returns the number of elements in a long word.
    pub const fn lanes(self) -> u32 {
        64 / self.bits()
    }
}

/// Returns element `index` of a long word of `BITS`-bit elements.
pub const fn lane<const BITS: u32>(long: u64, index: u32) -> u64 {
    (long >> (64 - BITS * (index + 1))) & (u64::MAX >> (64 - BITS))
}

/// Returns a long word with `element` in lane `index` and zeros elsewhere. `element` must have no
/// bits above `BITS`.
pub const fn place_lane<const BITS: u32>(element: u64, index: u32) -> u64 {
    element << (64 - BITS * (index + 1))
}

/// Applies `operation` to corresponding lanes of two long words.
#[inline]
pub fn zip<const BITS: u32>(x: u64, y: u64, mut operation: impl FnMut(u64, u64) -> u64) -> u64 {
    let mut result = 0;
    for index in 0..64 / BITS {
        let element = operation(lane::<BITS>(x, index), lane::<BITS>(y, index));
        result |= place_lane::<BITS>(element, index);
    }
    result
}

/// Evaluates one flag per lane, lane 0 first, and returns the four bits that the mask register
/// receives in a cycle. With fewer than four lanes, each flag is repeated.
///
/// Inlined, so that flags that are not used are not computed, and loops around it are vectorised.
#[inline(always)]
pub fn flags<const BITS: u32>(mut flag: impl FnMut(u32) -> bool) -> u8 {
    let copies = BITS / 16;
    let mut result = 0;
    for index in 0..64 / BITS {
        let set = u8::from(flag(index));
        for _ in 0..copies {
            result = result << 1 | set;
        }
    }
    result
}

/// Returns the MAU's mask flags of one long word of results (section 3.6.9.26): set where the sign
/// bit is clear.
pub fn non_negative(width: Width, long: u64) -> u8 {
    match width {
        Width::Half => flags::<16>(|index| lane::<16>(long, index) & Half::SIGN == 0),
        Width::Single => flags::<32>(|index| lane::<32>(long, index) & Single::SIGN == 0),
        Width::Long => flags::<64>(|index| lane::<64>(long, index) & Double::SIGN == 0),
    }
}

/// Returns the MAU's mask flags of four singles in two long words, the results of half precision
/// operations.
pub fn non_negative_singles(longs: [u64; 2]) -> u8 {
    let [first, second] = longs.map(|long| non_negative(Width::Single, long));
    // Each flag of a long word appears twice; keep one of each pair.
    let halve = |flags: u8| (flags >> 2 & 0b10) | (flags & 1);
    halve(first) << 2 | halve(second)
}

#[cfg(test)]
mod tests;
