//! Dimensions of tensors as lists of axes, so that dimensions can be compared across permutations
//! and reshapes.
//!
//! An axis is a range of indices. A dimension consists of axes, outermost first: none if its extent
//! is 1, several if a reshape has collapsed them. A reshape that splits a dimension splits its axis
//! in all tensors.

/// The axes of a dimension.
pub type Dim = Vec<usize>;

/// The number of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tensor(usize);

/// Axes, and the tensors that have them.
#[derive(Clone, Debug, Default)]
pub struct Axes {
    /// The extent of each axis, greater than 1.
    extents: Vec<u64>,
    /// The dimensions of each tensor.
    tensors: Vec<Vec<Dim>>,
}

impl Axes {
    /// Adds an axis. Returns a dimension with it, which is empty if the extent is 1.
    pub fn add_axis(&mut self, extent: u64) -> Dim {
        if extent == 1 {
            return Vec::new();
        }
        self.extents.push(extent);
        vec![self.extents.len() - 1]
    }

    /// Adds a tensor with these dimensions.
    pub fn add(&mut self, dims: Vec<Dim>) -> Tensor {
        self.tensors.push(dims);
        Tensor(self.tensors.len() - 1)
    }

    /// Returns the dimensions of a tensor.
    pub fn dims(&self, tensor: Tensor) -> &[Dim] {
        &self.tensors[tensor.0]
    }

    /// Returns the extent of a dimension.
    pub fn extent(&self, dim: &[usize]) -> u64 {
        dim.iter().map(|axis| self.extents[*axis]).product()
    }

    /// Adds a tensor with the elements of another one, in the same order, and other extents.
    /// Returns `None` if a new dimension has parts of axes that are no ranges of their own.
    pub fn reshape(&mut self, from: Tensor, shape: &[u64]) -> Option<Tensor> {
        let mut dims: Vec<Dim> = vec![Vec::new(); shape.len()];
        let mut position = 0;
        for (number, &extent) in shape.iter().enumerate() {
            loop {
                let missing = extent / self.extent(&dims[number]);
                if missing == 1 {
                    break;
                }
                let axes: Dim = self.dims(from).concat();
                let axis = *axes.get(position)?;
                let found = self.extents[axis];
                if missing % found != 0 {
                    (found % missing == 0).then_some(())?;
                    self.split(axis, missing);
                }
                dims[number].push(axis);
                position += 1;
            }
            (self.extent(&dims[number]) == extent).then_some(())?;
        }
        Some(self.add(dims))
    }

    /// Splits an axis into one of extent `outer`, which keeps its number, and one inside of it.
    fn split(&mut self, axis: usize, outer: u64) {
        let inner = self.extents.len();
        self.extents.push(self.extents[axis] / outer);
        self.extents[axis] = outer;
        for dim in self.tensors.iter_mut().flatten() {
            if let Some(at) = dim.iter().position(|other| *other == axis) {
                dim.insert(at + 1, inner);
            }
        }
    }
}

#[cfg(test)]
mod tests;
