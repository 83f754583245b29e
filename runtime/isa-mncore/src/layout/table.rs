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
    /// The number of indices.
    extent: usize,
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
            Column {
                low: entries(layout, dim, 0, extent.min(1 << LOW_BITS)),
                high: entries(layout, dim, LOW_BITS as u8, extent.div_ceil(1 << LOW_BITS)),
                extent: extent as usize,
            }
        };
        LocationTable {
            columns: (0..layout.dims().len()).map(column).collect(),
            origin: layout.ones(),
            base: u64::from(layout.base()) << Place::Address.slots().0,
        }
    }

    /// Returns the location of an element. The index must be inside the tensor.
    pub fn location(&self, index: &[u64]) -> Location {
        let offsets = self.columns.iter().zip(index);
        let offsets = offsets.fold(self.origin, |all, (column, &index)| {
            let low = column.low[index as usize & ((1 << LOW_BITS) - 1)];
            all | low | column.high[index as usize >> LOW_BITS]
        });
        Location(offsets + self.base)
    }

    /// Calls `tell` with the locations of all elements in row-major order, with addresses relative
    /// to the layout's base.
    pub fn for_each_location(&self, mut tell: impl FnMut(Location)) {
        let columns = self.columns.iter().filter(|column| column.extent > 1);
        let columns: Vec<_> = columns.collect();
        for_each_offset(&columns, self.origin, &mut |offsets| {
            tell(Location(offsets))
        });
    }
}

/// Returns the place bits of the first `count` multiples of `1 << first` as indices of a dimension.
fn entries(layout: &Layout, dim: usize, first: u8, count: u64) -> Vec<u64> {
    let count = count as usize;
    let mut entries = Vec::with_capacity(count.next_power_of_two());
    entries.push(0);
    for bit in first.. {
        if entries.len() >= count {
            break;
        }
        let mask = layout.slot_of(dim, bit).map_or(0, |slot| slot.mask());
        entries.extend_from_within(..);
        let half = entries.len() / 2;
        entries[half..].iter_mut().for_each(|entry| *entry |= mask);
    }
    entries.truncate(count);
    entries
}

/// Calls `tell` with the place bits of all indices of some dimensions in row-major order, combined
/// with `outer`.
fn for_each_offset(columns: &[&Column], outer: u64, tell: &mut impl FnMut(u64)) {
    let Some((column, inner)) = columns.split_first() else {
        return tell(outer);
    };
    let mut rest = column.extent;
    for high in &column.high {
        let lows = &column.low[..rest.min(column.low.len())];
        rest -= lows.len();
        let outer = outer | high;
        if inner.is_empty() {
            lows.iter().for_each(|low| tell(outer | low));
        } else {
            lows.iter()
                .for_each(|low| for_each_offset(inner, outer | low, tell));
        }
    }
}

#[cfg(test)]
mod tests;
