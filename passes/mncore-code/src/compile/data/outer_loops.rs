//! The loops over blocks of a result around the loops of a kernel, and address increments in them.

use super::distribution::Distribution;

/// The dimensions of the loops around a body, outermost first: matrices, blocks of columns, blocks
/// of rows, chunks of the depth. Loops with one iteration have no dimension.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct OuterLoops {
    pub matrices: Option<usize>,
    pub j: Option<usize>,
    pub i: Option<usize>,
    pub chunk: Option<usize>,
}

impl OuterLoops {
    /// Returns the loops of a distribution, with or without those of rows and chunks.
    pub fn new(distribution: &Distribution, rows: bool, chunks: bool) -> Self {
        let mut next = 0;
        let mut dimension = |is: bool, count: u32| {
            let found = (is && count > 1).then_some(next);
            next += usize::from(found.is_some());
            found
        };
        OuterLoops {
            matrices: dimension(true, distribution.matrices),
            j: dimension(true, distribution.j_blocks),
            i: dimension(rows, distribution.i_blocks),
            chunk: dimension(chunks, distribution.chunks),
        }
    }

    /// Returns the loops over blocks of the result with their trip counts, outermost first.
    pub fn blocks(&self, distribution: &Distribution) -> [(Option<usize>, u32); 3] {
        [
            (self.matrices, distribution.matrices),
            (self.j, distribution.j_blocks),
            (self.i, distribution.i_blocks),
        ]
    }

    /// Returns the trip counts of the loops that exist.
    pub fn counts(&self, distribution: &Distribution) -> Vec<u32> {
        let all = [
            (self.matrices, distribution.matrices),
            (self.j, distribution.j_blocks),
            (self.i, distribution.i_blocks),
            (self.chunk, distribution.chunks),
        ];
        all.into_iter()
            .filter(|(is, _)| is.is_some())
            .map(|(_, count)| count)
            .collect()
    }
}

/// Returns the increments of an address, multiplied by a factor.
pub(crate) fn scaled(steps: &[u32], factor: u32) -> Vec<u32> {
    steps.iter().map(|step| step * factor).collect()
}

/// Adds the address increments of outer loops in their dimensions.
pub(crate) fn add_loops(steps: &mut [u32], loops: &[(Option<usize>, u32)]) {
    for &(dimension, stride) in loops {
        if let Some(dimension) = dimension {
            steps[dimension] += stride;
        }
    }
}
