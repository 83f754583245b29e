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
//! Copies of an operation never overlap in the result. If those of another map overlap, the last
//! one wins.

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
        }
    }

    /// Checks the map for operands and a result with these numbers of elements.
    ///
    /// # Errors
    /// If it breaks one of the module's invariants.
    pub fn check(&self, operands: &[u64], result: u64) -> Result<(), MapError> {
        let mut copied = 0u64;
        for copy in &self.copies {
            copy.check(operands, result)?;
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

    /// Returns whether the copies have `result` elements in total. They then write every element of
    /// such a result, unless they overlap.
    pub fn covers(&self, result: u64) -> bool {
        let copied = self.copies.iter().filter_map(StridedCopy::elements);
        copied.sum::<u64>() == result
    }

    /// Returns the result of the map for these operands.
    pub fn apply<T: Copy>(&self, operands: &[&[T]], fill: T, elements: usize) -> Vec<T> {
        let mut result = vec![fill; elements];
        for copy in &self.copies {
            let source = operands[copy.operand];
            copy.for_each(|from, to| result[to] = source[from]);
        }
        result
    }
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

    fn check(&self, operands: &[u64], result: u64) -> Result<(), MapError> {
        let Some(&operand) = operands.get(self.operand) else {
            return Err(MapError::Operand(self.operand));
        };
        self.source().check(operand).map_err(MapError::Source)?;
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
