//! Data movement as an index map: which element of which operand each element of the result is.
//!
//! A movement is a set of strided copies between row-major arrays. That covers permutations,
//! reshapes, slices with steps, reversals (negative strides), broadcasts and repetitions (stride
//! 0), concatenation (one copy per operand) and padding (one copy amid a fill value). Copies of one
//! map never overlap in the result.

/// A copy of a box of elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StridedCopy {
    /// The operand that is read.
    pub operand: usize,
    /// The extents of the box.
    pub extents: Vec<u64>,
    /// The first element of the operand.
    pub source_offset: u64,
    /// The distance in the operand of neighbours along each dimension of the box.
    pub source_strides: Vec<i64>,
    /// The first element of the result.
    pub result_offset: u64,
    /// The distance in the result of neighbours along each dimension of the box.
    pub result_strides: Vec<u64>,
}

/// Where the elements of a result come from.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexMap {
    /// The copies.
    pub copies: Vec<StridedCopy>,
    /// What the elements are that no copy writes.
    pub fill: f64,
}

/// The distances of neighbours along each dimension of a row-major array.
pub fn row_major_strides(shape: &[u64]) -> Vec<u64> {
    let mut strides = vec![1; shape.len()];
    for axis in (1..shape.len()).rev() {
        strides[axis - 1] = strides[axis] * shape[axis];
    }
    strides
}

impl IndexMap {
    /// A map that writes the whole result, of this shape, from one operand, read with these
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

    /// The result that the map makes of the elements of operands.
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
    /// Calls `function` with the index in the operand and the index in the result of every element.
    pub fn for_each(&self, mut function: impl FnMut(usize, usize)) {
        let rank = self.extents.len();
        if self.extents.contains(&0) {
            return;
        }
        let mut index = vec![0u64; rank];
        let mut from = self.source_offset as i64;
        let mut to = self.result_offset;
        loop {
            function(from as usize, to as usize);
            // Count up like an odometer.
            let mut axis = rank;
            loop {
                if axis == 0 {
                    return;
                }
                axis -= 1;
                index[axis] += 1;
                from += self.source_strides[axis];
                to += self.result_strides[axis];
                if index[axis] < self.extents[axis] {
                    break;
                }
                from -= self.source_strides[axis] * self.extents[axis] as i64;
                to -= self.result_strides[axis] * self.extents[axis];
                index[axis] = 0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_go_by_their_strides() {
        let elements: Vec<u32> = (0..6).collect();
        for (shape, offset, strides, expected) in [
            (&[3, 2][..], 0, vec![1, 3], vec![0, 3, 1, 4, 2, 5]),
            (&[2, 2], 4, vec![-3, 1], vec![4, 5, 1, 2]),
            (&[2, 3], 1, vec![0, 1], vec![1, 2, 3, 1, 2, 3]),
            (&[], 5, vec![], vec![5]),
            (&[0], 0, vec![1], vec![]),
        ] {
            let map = IndexMap::view(shape, offset, strides);
            let found = map.apply(&[&elements], 9, expected.len());
            assert_eq!(found, expected, "{shape:?}");
        }
    }

    #[test]
    fn copies_may_leave_elements_to_the_fill_value() {
        let map = IndexMap {
            copies: vec![StridedCopy {
                operand: 1,
                extents: vec![2],
                source_offset: 0,
                source_strides: vec![1],
                result_offset: 1,
                result_strides: vec![2],
            }],
            fill: 0.0,
        };
        assert_eq!(map.apply(&[&[7], &[1, 2]], 0, 5), [0, 1, 0, 2, 0]);
    }
}
