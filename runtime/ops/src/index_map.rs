//! Data movement as an index map: the source element of each element of the result.
//!
//! An index map is a set of strided copies between row-major arrays. It expresses permutations,
//! reshapes, slices with steps, reversals (negative strides), broadcasts and repetitions (stride
//! 0), concatenation (one copy per operand) and padding (one copy into a fill value).
//!
//! [`IndexMap::check`] ensures the following invariants, on which users rely:
//!
//! * No copy accesses elements outside of its arrays.
//! * The dimensions of a copy are nested in the result, the outermost first. The index of an
//!   element of the result therefore determines its index in the copy.
//! * All copies together have at most as many elements as the result.
//!
//! * A map with a [`Lookup`] has one copy, and every row that it may look up is inside of the
//!   operand.
//!
//! Copies of an operation never overlap in the result. If those of another map overlap, the last
//! one wins.

mod compose;

use thiserror::Error;

use crate::shape::count_elements;
use crate::view::{View, ViewError};

/// A copy of a rectangular set of elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StridedCopy {
    /// The operand that is read.
    pub operand: usize,
    /// The extents of the set.
    pub extents: Vec<u64>,
    /// Index of the first element in the operand.
    pub source_offset: u64,
    /// Distances in the operand of neighbours along each dimension.
    pub source_strides: Vec<i64>,
    /// Index of the first element in the result.
    pub result_offset: u64,
    /// Distances in the result of neighbours along each dimension.
    pub result_strides: Vec<u64>,
}

/// The source of each element of a result.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexMap {
    /// The copies.
    pub copies: Vec<StridedCopy>,
    /// The value of elements that no copy writes.
    pub fill: f64,
    /// Where the positions along the first dimension of the copy are read from, if they are not
    /// known to the compiler.
    pub lookup: Option<Lookup>,
}

/// Positions that an operand holds: element `i` of `indices` replaces index `i` along the first
/// dimension of the copy's source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lookup {
    /// The operand that holds the positions, as integers.
    pub indices: usize,
    /// The number of positions that there are; others are out of range.
    pub rows: u64,
}

/// Returns the strides of a row-major array.
pub fn row_major_strides(shape: &[u64]) -> Vec<u64> {
    let mut strides = vec![1; shape.len()];
    for axis in (1..shape.len()).rev() {
        strides[axis - 1] = strides[axis] * shape[axis];
    }
    strides
}

impl IndexMap {
    /// Returns a map that writes a whole result of this shape from one operand, read with these
    /// strides.
    pub fn view(shape: &[u64], source_offset: u64, source_strides: Vec<i64>) -> Self {
        IndexMap {
            copies: vec![StridedCopy {
                operand: 0,
                extents: shape.to_vec(),
                source_offset,
                source_strides,
                result_offset: 0,
                result_strides: row_major_strides(shape),
            }],
            fill: 0.0,
            lookup: None,
        }
    }

    /// Checks the map for operands and a result with these numbers of elements.
    ///
    /// # Errors
    /// If it breaks one of the module's invariants.
    pub fn check(&self, operands: &[u64], result: u64) -> Result<(), MapError> {
        if let Some(lookup) = self.lookup {
            self.check_lookup(lookup, operands)?;
        }
        let mut copied = 0u64;
        for copy in &self.copies {
            copy.check(operands, result, self.lookup.map(|lookup| lookup.rows))?;
            copied = copied.saturating_add(copy.elements().unwrap_or(u64::MAX));
        }
        if copied > result {
            return Err(MapError::Overlap {
                copied,
                elements: result,
            });
        }
        Ok(())
    }

    fn check_lookup(&self, lookup: Lookup, operands: &[u64]) -> Result<(), MapError> {
        let indices = operands.get(lookup.indices);
        let indices = indices.ok_or(MapError::Operand(lookup.indices))?;
        match &self.copies[..] {
            [copy] if copy.extents.first() == Some(indices) => Ok(()),
            _ => Err(MapError::Lookup),
        }
    }

    /// Returns the map with the positions of its lookup, or itself if it has no lookup. The result
    /// has a copy for each position. `indices` returns the elements of an operand.
    ///
    /// # Errors
    /// An index is out of range.
    pub fn resolve<I: IntoIterator<Item = i64>>(
        &self,
        indices: impl FnOnce(usize) -> I,
    ) -> Result<IndexMap, IndexError> {
        let (Some(lookup), [copy]) = (self.lookup, &self.copies[..]) else {
            return Ok(self.clone());
        };
        let indices = indices(lookup.indices).into_iter();
        let [stride, span] = [copy.source_strides[0], copy.result_strides[0] as i64];
        let copies = indices.zip(0i64..).map(|(index, number)| {
            lookup.check(index, number as usize)?;
            Ok(StridedCopy {
                operand: copy.operand,
                extents: copy.extents[1..].to_vec(),
                source_offset: (copy.source_offset as i64 + index * stride) as u64,
                source_strides: copy.source_strides[1..].to_vec(),
                result_offset: (copy.result_offset as i64 + number * span) as u64,
                result_strides: copy.result_strides[1..].to_vec(),
            })
        });
        Ok(IndexMap {
            copies: copies.collect::<Result<_, _>>()?,
            fill: self.fill,
            lookup: None,
        })
    }

    /// Returns whether the copies have `result` elements in total. They then write every element of
    /// such a result, unless they overlap.
    pub fn covers(&self, result: u64) -> bool {
        let copied = self.copies.iter().filter_map(StridedCopy::elements);
        copied.sum::<u64>() == result
    }

    /// Returns the same map with as few dimensions as possible in each copy.
    #[must_use]
    pub fn simplified(&self) -> Self {
        let copies = self.copies.iter().map(|copy| match self.lookup {
            None => copy.simplified(),
            Some(_) => copy.simplified_rows(),
        });
        IndexMap {
            copies: copies.collect(),
            ..*self
        }
    }

    /// Returns the result of the map, which has no lookup, for these operands.
    pub fn apply<T: Copy>(&self, operands: &[&[T]], fill: T, elements: usize) -> Vec<T> {
        let mut result = vec![fill; elements];
        for copy in &self.copies {
            let source = operands[copy.operand];
            copy.for_each(|from, to| result[to] = source[from]);
        }
        result
    }
}

impl Lookup {
    /// Checks an index.
    ///
    /// # Errors
    /// It is out of range.
    pub fn check(self, index: i64, position: usize) -> Result<(), IndexError> {
        let is_row = u64::try_from(index).is_ok_and(|index| index < self.rows);
        match is_row {
            true => Ok(()),
            false => Err(IndexError {
                index,
                position,
                rows: self.rows,
            }),
        }
    }
}

/// An index that is out of range.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("index {index}, element {position} of the indices, is not from 0 to below {rows}")]
pub struct IndexError {
    /// The index.
    pub index: i64,
    /// Its position among the indices.
    pub position: usize,
    /// The number of rows.
    pub rows: u64,
}

impl StridedCopy {
    /// Returns the view of the operand.
    pub fn source(&self) -> View {
        View {
            offset: self.source_offset,
            extents: self.extents.clone(),
            strides: self.source_strides.clone(),
        }
    }

    /// Returns the view of the result.
    pub fn target(&self) -> View {
        let strides = self.result_strides.iter();
        View {
            offset: self.result_offset,
            extents: self.extents.clone(),
            strides: strides
                .map(|&stride| i64::try_from(stride).unwrap_or(i64::MAX))
                .collect(),
        }
    }

    /// Returns the number of elements, or `None` if it overflows.
    pub fn elements(&self) -> Option<u64> {
        count_elements(&self.extents)
    }

    /// Calls `function` with the operand index and the result index of every element.
    pub fn for_each(&self, mut function: impl FnMut(usize, usize)) {
        let (source, target) = (self.source(), self.target());
        let pairs = source.indices().zip(target.indices());
        pairs.for_each(|(from, to)| function(from, to));
    }

    /// Returns the same copy with as few dimensions as possible. Dimensions of extent 1 are
    /// removed, and neighbouring dimensions that are contiguous in both arrays are merged.
    #[must_use]
    pub fn simplified(&self) -> Self {
        let mut simple = StridedCopy {
            extents: Vec::new(),
            source_strides: Vec::new(),
            result_strides: Vec::new(),
            ..*self
        };
        let strides = self.source_strides.iter().zip(&self.result_strides);
        for (&extent, (&source, &result)) in self.extents.iter().zip(strides) {
            if extent == 1 {
                continue;
            }
            let continues = |outer: (&i64, &u64)| {
                let inner = i64::try_from(extent).ok();
                inner.and_then(|inner| source.checked_mul(inner)) == Some(*outer.0)
                    && result.checked_mul(extent) == Some(*outer.1)
            };
            let outer = simple
                .source_strides
                .last()
                .zip(simple.result_strides.last());
            if outer.is_some_and(continues) {
                simple.extents.pop().into_iter().for_each(|outer| {
                    simple.extents.push(outer * extent);
                });
                simple.source_strides.pop();
                simple.result_strides.pop();
            } else {
                simple.extents.push(extent);
            }
            simple.source_strides.push(source);
            simple.result_strides.push(result);
        }
        simple
    }

    /// Merges dimensions as [`StridedCopy::simplified`] does, but keeps the first one as it is.
    fn simplified_rows(&self) -> Self {
        let first = self.extents.len().min(1);
        let rest = StridedCopy {
            extents: self.extents[first..].to_vec(),
            source_strides: self.source_strides[first..].to_vec(),
            result_strides: self.result_strides[first..].to_vec(),
            ..*self
        };
        let rest = rest.simplified();
        StridedCopy {
            extents: [&self.extents[..first], &rest.extents].concat(),
            source_strides: [&self.source_strides[..first], &rest.source_strides].concat(),
            result_strides: [&self.result_strides[..first], &rest.result_strides].concat(),
            ..rest
        }
    }

    /// Checks the copy. `rows` is the extent of the first dimension of the source if positions
    /// along it are looked up.
    fn check(&self, operands: &[u64], result: u64, rows: Option<u64>) -> Result<(), MapError> {
        let Some(&operand) = operands.get(self.operand) else {
            return Err(MapError::Operand(self.operand));
        };
        let mut source = self.source();
        if let (Some(rows), Some(first)) = (rows, source.extents.first_mut()) {
            *first = rows;
        }
        source.check(operand).map_err(MapError::Source)?;
        if self
            .result_strides
            .iter()
            .any(|stride| i64::try_from(*stride).is_err())
        {
            return Err(MapError::Nested);
        }
        self.target().check(result).map_err(MapError::Target)?;
        let mut inner = 1;
        for (&extent, &stride) in self.extents.iter().zip(&self.result_strides).rev() {
            if extent > 1 && stride < inner {
                return Err(MapError::Nested);
            }
            // The check of the target ensures that this does not overflow.
            inner = inner.max(extent.saturating_mul(stride));
        }
        Ok(())
    }
}

/// Why an index map is invalid.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum MapError {
    /// A copy of an operand that does not exist.
    #[error("there is no operand {0} to copy")]
    Operand(usize),
    /// A copy that reads what its operand does not have.
    #[error("a copy reads beyond its operand: {0}")]
    Source(ViewError),
    /// A copy that writes what the result does not have.
    #[error("a copy writes beyond the result: {0}")]
    Target(ViewError),
    /// A copy whose dimensions are not nested in the result.
    #[error("the dimensions of a copy are not nested in the result, the outermost first")]
    Nested,
    /// A lookup in a map of several copies, or of indices that are not one for each position along
    /// the first dimension.
    #[error("a lookup needs one copy, with an index for each position along its first dimension")]
    Lookup,
    /// Copies of more elements than the result has.
    #[error("{copied} elements are copied to a result of {elements}")]
    Overlap {
        /// How many are copied.
        copied: u64,
        /// How many there are.
        elements: u64,
    },
}

#[cfg(test)]
mod tests;
