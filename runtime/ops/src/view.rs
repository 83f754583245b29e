//! Strided views: rectangular sets of elements of a row-major array.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use thiserror::Error;

use crate::shape::count_elements;

/// A strided view. The element at an index is at `offset` plus the dot product of the index and
/// `strides`. Strides may be negative or 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct View {
    /// Index of the first element.
    pub offset: u64,
    /// Number of elements along each dimension.
    pub extents: Vec<u64>,
    /// Distance of neighbours along each dimension.
    pub strides: Vec<i64>,
}

/// The greatest number of dimensions of a view.
pub const MAX_RANK: usize = 32;

/// Why a view is invalid.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ViewError {
    /// The numbers of strides and extents differ, or there are too many.
    #[error(
        "it has {extents} extents and {strides} strides; there are as many of each, {MAX_RANK} \
         at most"
    )]
    Rank {
        /// How many extents.
        extents: usize,
        /// How many strides.
        strides: usize,
    },
    /// There are no elements, or their number overflows.
    #[error("it has no elements, or too many")]
    Extent,
    /// Elements outside of the array.
    #[error("its elements are {first} to {last}, of an array of {elements}")]
    Outside {
        /// The least.
        first: i128,
        /// The greatest.
        last: i128,
        /// How many the array has.
        elements: u64,
    },
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let View {
            offset,
            extents,
            strides,
        } = self;
        write!(f, "{extents:?} from {offset} by {strides:?}")
    }
}

/// The text is not a view.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("'{0}' is not a view; expects '[<extents>] from <offset> by [<strides>]'")]
pub struct ParseViewError(String);

impl FromStr for View {
    type Err = ParseViewError;

    fn from_str(text: &str) -> Result<Self, ParseViewError> {
        parse(text).ok_or_else(|| ParseViewError(text.to_owned()))
    }
}

fn parse(text: &str) -> Option<View> {
    let (extents, rest) = text.split_once(" from ")?;
    let (offset, strides) = rest.split_once(" by ")?;
    Some(View {
        offset: offset.parse().ok()?,
        extents: list(extents)?,
        strides: list(strides)?,
    })
}

/// Parses the numbers between brackets.
fn list<T: FromStr>(text: &str) -> Option<Vec<T>> {
    match text.strip_prefix('[')?.strip_suffix(']')? {
        "" => Some(Vec::new()),
        numbers => numbers.split(", ").map(|one| one.parse().ok()).collect(),
    }
}

impl View {
    /// Checks that all elements are elements of an array of length `elements`.
    ///
    /// # Errors
    /// If one is not, if there is none, or if the view is malformed.
    pub fn check(&self, elements: u64) -> Result<(), ViewError> {
        let View {
            offset,
            extents,
            strides,
        } = self;
        if extents.len() != strides.len() || extents.len() > MAX_RANK {
            return Err(ViewError::Rank {
                extents: extents.len(),
                strides: strides.len(),
            });
        }
        let all = self.elements();
        if all.is_none_or(|all| all == 0 || i64::try_from(all).is_err()) {
            return Err(ViewError::Extent);
        }
        // Extents are below 2^63 and dimensions are few, so nothing overflows.
        let (mut first, mut last) = (i128::from(*offset), i128::from(*offset));
        for (&extent, &stride) in extents.iter().zip(strides) {
            let reach = i128::from(extent - 1) * i128::from(stride);
            first += reach.min(0);
            last += reach.max(0);
        }
        match first >= 0 && last < i128::from(elements) {
            true => Ok(()),
            false => Err(ViewError::Outside {
                first,
                last,
                elements,
            }),
        }
    }

    /// Returns a view of the same elements in the same order, with as few dimensions as possible.
    #[must_use]
    pub fn simplified(&self) -> Self {
        let mut simple = View {
            offset: self.offset,
            extents: Vec::new(),
            strides: Vec::new(),
        };
        let all = self.extents.iter().zip(&self.strides);
        for (&extent, &stride) in all.filter(|(extent, _)| **extent != 1) {
            let inner = i64::try_from(extent).ok();
            let reach = inner.and_then(|inner| stride.checked_mul(inner));
            match (simple.extents.last_mut(), simple.strides.last_mut()) {
                (Some(outer), Some(last)) if reach == Some(*last) => {
                    *outer *= extent;
                    *last = stride;
                }
                _ => {
                    simple.extents.push(extent);
                    simple.strides.push(stride);
                }
            }
        }
        simple
    }

    /// Returns the number of elements, or `None` if it overflows.
    pub fn elements(&self) -> Option<u64> {
        count_elements(&self.extents)
    }

    /// Calls `take` with all elements in order, in runs as long as possible.
    pub fn for_each_run(&self, mut take: impl FnMut(ViewRun)) {
        let mut outer = self.simplified();
        let count = outer.extents.pop().unwrap_or(1) as usize;
        let stride = outer.strides.pop().unwrap_or(1);
        for first in outer.indices() {
            take(ViewRun {
                first,
                count,
                stride,
            });
        }
    }

    /// Returns the indices of the elements in the array, the last dimension fastest.
    pub fn indices(&self) -> Indices<'_> {
        Indices {
            view: self,
            index: vec![0; self.extents.len()],
            next: match self.extents.contains(&0) {
                true => None,
                false => Some(self.offset as i64),
            },
        }
    }
}

/// Consecutive elements of a view at equal distances in the array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViewRun {
    /// The index of the first element in the array.
    pub first: usize,
    /// The number of elements.
    pub count: usize,
    /// The distance of neighbours.
    pub stride: i64,
}

impl ViewRun {
    /// Returns the range of the array that the run is, if its elements are adjacent.
    pub fn as_range(&self) -> Option<Range<usize>> {
        (self.stride == 1).then_some(self.first..self.first + self.count)
    }

    /// Returns the indices of the elements in the array.
    pub fn indices(self) -> impl Iterator<Item = usize> {
        (0..self.count as i64)
            .map(move |number| (self.first as i64 + number * self.stride) as usize)
    }
}

/// The indices of the elements of a view.
pub struct Indices<'v> {
    view: &'v View,
    /// The index in the view.
    index: Vec<u64>,
    /// The next index in the array; `None` after the last.
    next: Option<i64>,
}

impl Iterator for Indices<'_> {
    type Item = usize;

    /// Returns the next index in the array; `None` after the last.
    fn next(&mut self) -> Option<usize> {
        let found = self.next.take()?;
        let mut next = found;
        // Count up like an odometer.
        let dimensions = self.view.extents.iter().zip(&self.view.strides);
        for (index, (&extent, &stride)) in self.index.iter_mut().zip(dimensions).rev() {
            *index += 1;
            next += stride;
            if *index < extent {
                self.next = Some(next);
                break;
            }
            next -= stride * extent as i64;
            *index = 0;
        }
        Some(found as usize)
    }
}

#[cfg(test)]
mod tests;
