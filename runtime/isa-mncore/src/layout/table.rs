//! Lookup tables for the locations of many elements: the bit permutation of each index part,
//! precomputed.
//!
//! Different index bits have disjoint place bits. The location of an element is therefore the `or`
//! of two table entries per dimension, one for the low bits of its index and one for the high bits.
//! The tables of a dimension with n elements have about 4,096 and n / 4,096 entries.

use super::place::{Location, Place};
use super::Layout;

/// The number of index bits that the first table of a dimension covers.
const LOW_BITS: u32 = 12;

/// The permuted indices of one dimension.
#[derive(Clone, Debug)]
struct Column {
    low: Vec<u64>,
    high: Vec<u64>,
}

/// Lookup tables for the locations of a layout's elements.
#[derive(Clone, Debug)]
pub struct LocationTable {
    columns: Vec<Column>,
    /// The constant place bits.
    origin: u64,
    /// The base address as an addend, since it need not be aligned.
    base: u64,
}

impl LocationTable {
    /// Builds the tables of a layout.
    pub fn new(layout: &Layout) -> LocationTable {
        let column = |dim: usize| {
            let extent = layout.dims()[dim].extent;
            let low = extent.min(1 << LOW_BITS);
            let high = extent.div_ceil(1 << LOW_BITS);
            let entries = |count: u64, shift: u32| {
                (0..count).map(|i| layout.offset(dim, i << shift)).collect()
            };
            Column {
                low: entries(low, 0),
                high: entries(high, LOW_BITS),
            }
        };
        LocationTable {
            columns: (0..layout.dims().len()).map(column).collect(),
            origin: layout.ones(),
            base: u64::from(layout.base()) << Place::Address.slots().0,
        }
    }

    /// Returns the place bits of an index of one dimension. The index must be inside the
    /// dimension's padding.
    #[inline]
    pub fn offset(&self, dim: usize, index: u64) -> u64 {
        let column = &self.columns[dim];
        column.low[index as usize & ((1 << LOW_BITS) - 1)] | column.high[index as usize >> LOW_BITS]
    }

    /// Returns the location with these place bits.
    #[inline]
    pub fn location_at_offset(&self, offsets: u64) -> Location {
        Location((offsets | self.origin) + self.base)
    }

    /// Returns the location of an element.
    pub fn location(&self, index: &[u64]) -> Location {
        let offsets = index.iter().enumerate();
        self.location_at_offset(offsets.fold(0, |all, (dim, index)| all | self.offset(dim, *index)))
    }

    /// Returns the place bits of each row of a row-major tensor, in order: of the indices of all
    /// dimensions but the last.
    pub fn rows<'a>(&'a self, layout: &'a Layout) -> impl Iterator<Item = u64> + 'a {
        let outer = layout.dims().len().saturating_sub(1);
        let extents: Vec<u64> = layout.extents()[..outer].to_vec();
        let count: u64 = extents.iter().product();
        let mut index = vec![0; outer];
        (0..count).map(move |number| {
            if number > 0 {
                advance(&mut index, &extents);
            }
            let offsets = index.iter().enumerate();
            offsets.fold(0, |all, (dim, index)| all | self.offset(dim, *index))
        })
    }
}

/// Advances an index in row-major order.
fn advance(index: &mut [u64], extents: &[u64]) {
    for (value, extent) in index.iter_mut().zip(extents).rev() {
        *value += 1;
        if *value < *extent {
            return;
        }
        *value = 0;
    }
}

#[cfg(test)]
mod tests;
