//! Places of many elements: the bits of each part of an index, permuted once.
//!
//! Place bits of different index bits are disjoint, so the place of an element is the `or` of one
//! table entry for the low bits of each dimension's index and one for the high bits. The tables of
//! a dimension of n elements have about 4,096 and n / 4,096 entries.

use super::place::{Location, Place};
use super::Layout;

/// Bits of an index that the first table of a dimension takes.
const LOW_BITS: u32 = 12;

/// The permuted indices of a dimension.
#[derive(Clone, Debug)]
struct Column {
    low: Vec<u64>,
    high: Vec<u64>,
}

/// The places of a layout's elements.
#[derive(Clone, Debug)]
pub struct Table {
    columns: Vec<Column>,
    /// The place bits of no index bit, and the base address.
    origin: u64,
    /// The base, as an addend: it is no multiple of anything.
    base: u64,
}

impl Table {
    /// The tables of a layout.
    pub fn new(layout: &Layout) -> Table {
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
        Table {
            columns: (0..layout.dims().len()).map(column).collect(),
            origin: layout.ones(),
            base: u64::from(layout.base()) << Place::Address.slots().0,
        }
    }

    /// The place bits of a part of an index. An index beyond the dimension's extent has none.
    #[inline]
    pub fn offset(&self, dim: usize, index: u64) -> u64 {
        let column = &self.columns[dim];
        column.low[index as usize & ((1 << LOW_BITS) - 1)] | column.high[index as usize >> LOW_BITS]
    }

    /// The place with these offsets.
    #[inline]
    pub fn location(&self, offsets: u64) -> Location {
        Location((offsets | self.origin) + self.base)
    }

    /// Where an element of the tensor lies.
    pub fn place(&self, index: &[u64]) -> Location {
        let offsets = index.iter().enumerate();
        self.location(offsets.fold(0, |all, (dim, index)| all | self.offset(dim, *index)))
    }

    /// The offsets of the rows of a row-major tensor, in order: the indices of all dimensions but
    /// the last.
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

/// The next index of a row-major tensor.
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
