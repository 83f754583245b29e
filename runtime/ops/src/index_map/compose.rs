//! Composition of index maps: one data movement instead of two.
//!
//! The algorithm is that of layout composition in CuTe (NVIDIA, CUTLASS documentation, "CuTe Layout
//! Algebra", 2023), with offsets and negative strides.
//!
//! The result indices of a copy that covers its result are numbers in a mixed radix system, whose
//! digits are the copy's dimensions. A dimension that reads this result is a progression of such
//! numbers. If it varies whole digits, or leading and trailing factors of them, without a carry,
//! the composition is a strided copy, too.

use super::{IndexMap, StridedCopy};

/// A dimension of a copy: extent, source stride, result stride.
type Dimension = (u64, i64, u64);

impl IndexMap {
    /// Returns the map whose operand `operand` is replaced by the operands of `inner`, the map
    /// that computes it. The operands of `inner` have the numbers that `renumber` returns.
    ///
    /// Returns `None` if the composition is no map of strided copies: if either has a lookup, if
    /// `inner` has several copies or a fill value, or if a copy is not regular.
    pub fn compose(
        &self,
        operand: usize,
        inner: &IndexMap,
        renumber: impl Fn(usize) -> usize,
    ) -> Option<IndexMap> {
        let [source] = &inner.copies[..] else {
            return None;
        };
        if self.lookup.is_some() || inner.lookup.is_some() {
            return None;
        }
        let copies = self
            .copies
            .iter()
            .map(|copy| match copy.operand == operand {
                false => Some(copy.clone()),
                true => {
                    let composed = copy.compose(&source.simplified())?;
                    Some(StridedCopy {
                        operand: renumber(source.operand),
                        ..composed
                    })
                }
            });
        let map = IndexMap {
            copies: copies.collect::<Option<_>>()?,
            fill: self.fill,
            lookup: None,
        };
        Some(map.simplified())
    }
}

impl StridedCopy {
    /// Returns the copy that reads the operand of `inner` instead of its result. `inner` has no
    /// dimensions of extent 1.
    fn compose(&self, inner: &StridedCopy) -> Option<StridedCopy> {
        let is_dense = inner.result_strides == super::row_major_strides(&inner.extents);
        if !is_dense || inner.result_offset > 0 || self.extents.contains(&0) {
            return None;
        }
        let mut digits = Digits::new(inner, self.source_offset)?;
        let mut dimensions: Vec<Dimension> = Vec::new();
        let strides = self.source_strides.iter().zip(&self.result_strides);
        for (&extent, (&source, &result)) in self.extents.iter().zip(strides) {
            let mut parts = digits.split((extent, source, result))?;
            // The parts of a dimension are found from the innermost outwards.
            parts.reverse();
            dimensions.extend(parts);
        }
        Some(StridedCopy {
            operand: self.operand,
            extents: dimensions.iter().map(|(extent, _, _)| *extent).collect(),
            source_offset: digits.first,
            source_strides: dimensions.iter().map(|(_, source, _)| *source).collect(),
            result_offset: self.result_offset,
            result_strides: dimensions.iter().map(|(_, _, result)| *result).collect(),
        })
    }
}

/// The digits of the result indices of a copy.
struct Digits<'a> {
    inner: &'a StridedCopy,
    /// The least and the greatest value of each digit so far.
    ranges: Vec<[i64; 2]>,
    /// The index in the operand of the first element.
    first: u64,
}

impl<'a> Digits<'a> {
    /// Creates the digits of a single index.
    fn new(inner: &'a StridedCopy, index: u64) -> Option<Self> {
        let mut first = i64::try_from(inner.source_offset).ok()?;
        let mut ranges = Vec::new();
        let mut rest = index;
        let dimensions = inner.extents.iter().zip(&inner.result_strides);
        for ((&extent, &weight), stride) in dimensions.zip(&inner.source_strides) {
            if rest / weight >= extent {
                return None;
            }
            let digit = i64::try_from(rest / weight).ok()?;
            rest %= weight;
            first += digit * stride;
            ranges.push([digit; 2]);
        }
        if rest > 0 {
            return None;
        }
        Some(Digits {
            inner,
            ranges,
            first: u64::try_from(first).ok()?,
        })
    }

    /// Splits a dimension into parts that vary one digit each, innermost first, and widens the
    /// ranges of these digits. Returns `None` if a part is not regular or a digit may carry.
    fn split(&mut self, (mut extent, stride, mut result): Dimension) -> Option<Vec<Dimension>> {
        if extent == 1 || stride == 0 {
            return Some(vec![(extent, 0, result)]);
        }
        let mut step = stride.unsigned_abs();
        let mut parts = Vec::new();
        while extent > 1 {
            let weights = self.inner.result_strides.iter();
            let digit = weights.clone().position(|&weight| weight <= step)?;
            let (weight, radix) = (self.inner.result_strides[digit], self.inner.extents[digit]);
            if step % weight > 0 {
                return None;
            }
            let own = step / weight;
            let count = match radix % own {
                0 => extent.min(radix / own),
                _ => extent,
            };
            if extent % count > 0 || count == 1 {
                return None;
            }
            let own = i64::try_from(own).ok()? * stride.signum();
            let span = own * i64::try_from(count - 1).ok()?;
            let [least, greatest] = &mut self.ranges[digit];
            *least += span.min(0);
            *greatest += span.max(0);
            if *least < 0 || *greatest >= i64::try_from(radix).ok()? {
                return None;
            }
            parts.push((count, own * self.inner.source_strides[digit], result));
            (extent, result) = (extent / count, result * count);
            step = weight * radix;
        }
        Some(parts)
    }
}

#[cfg(test)]
mod tests;
