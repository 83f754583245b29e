//! The steps of a reduction.
//!
//! Adjacent dimensions that are all reduced, or all kept, form a run. Any tensor can be reshaped to
//! one dimension for each run, and permuted to one run of each kind.
//!
//! * If one kernel can reduce all dimensions, it does.
//! * If partial results are exact, or f32, a kernel first reduces the dimensions that it can. That
//!   needs no movement of the whole tensor, and the rest is smaller.
//! * Sums of bf16 are rounded once only. The tensor is moved, and a single kernel reduces it.

use crate::ttnn::fusion::matrix_view::{can_reduce, runs, Run};

/// A reduction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request<'a> {
    /// The shape of the operand.
    pub shape: &'a [u64],
    /// The reduced dimensions, ascending.
    pub dims: &'a [usize],
    /// The shape of the result.
    pub result: &'a [u64],
    /// Whether partial results are exact, or f32.
    pub is_exact: bool,
    /// Whether kernels may collapse dimensions.
    pub may_collapse_dims: bool,
}

/// An operation on the result of the previous step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Another shape.
    Reshape(Vec<u64>),
    /// Another order of dimensions.
    Permute(Vec<usize>),
    /// A reduction along dimensions, which stay with extent 1.
    Reduce(Vec<usize>),
}

/// Returns the steps of a reduction, or `None` if one kernel computes it unchanged.
pub(super) fn plan(request: Request) -> Option<Vec<Step>> {
    let Request {
        shape,
        dims,
        result,
        is_exact,
        may_collapse_dims,
    } = request;
    if can_reduce(shape, dims, result, may_collapse_dims) {
        return None;
    }
    let mut planned = Planned {
        steps: Vec::new(),
        shape: shape.to_vec(),
    };
    let mut dims: Vec<usize> = dims.to_vec();
    dims.retain(|&dim| shape[dim] != 1);
    while !dims.is_empty() {
        let is_native = |dims: &[usize], shape: &[u64]| {
            can_reduce(shape, dims, &kept(shape, dims), may_collapse_dims)
        };
        let part = match is_native(&dims, &planned.shape) {
            true => Some(dims.clone()),
            false if is_exact => {
                let mut parts = (1..dims.len()).map(|first| dims[first..].to_vec());
                parts.find(|part| is_native(part, &planned.shape))
            }
            false => None,
        };
        match part {
            Some(part) => {
                dims.retain(|dim| !part.contains(dim));
                planned.reduce(part);
            }
            None => {
                planned.reduce_matrices(&dims);
                break;
            }
        }
    }
    planned.reshape(result.to_vec());
    Some(planned.steps)
}

/// Returns the shape with extent 1 for some dimensions.
fn kept(shape: &[u64], dims: &[usize]) -> Vec<u64> {
    let extents = shape.iter().enumerate();
    extents
        .map(|(dim, &extent)| if dims.contains(&dim) { 1 } else { extent })
        .collect()
}

/// Steps, and the shape after them.
struct Planned {
    steps: Vec<Step>,
    shape: Vec<u64>,
}

impl Planned {
    fn reshape(&mut self, shape: Vec<u64>) {
        if self.shape != shape {
            self.shape.clone_from(&shape);
            self.steps.push(Step::Reshape(shape));
        }
    }

    fn reduce(&mut self, dims: Vec<usize>) {
        self.shape = kept(&self.shape, &dims);
        self.steps.push(Step::Reduce(dims));
    }

    /// Moves the tensor such that one kernel reduces all dimensions, and reduces it.
    fn reduce_matrices(&mut self, dims: &[usize]) {
        let kinds = |shape: &[u64]| runs(shape, |dim| dims.contains(&dim));
        let mut found = kinds(&self.shape);
        let is_split = found.iter().filter(|run| run.kind).count() > 1;
        if is_split {
            // The innermost run stays where it is, so that rows stay contiguous.
            let ends_reduced = found.last().is_some_and(|run| run.kind);
            let rank = self.shape.len();
            let (first, last): (Vec<usize>, Vec<usize>) =
                (0..rank).partition(|dim| dims.contains(dim) != ends_reduced);
            let order = [first, last].concat();
            let permuted: Vec<u64> = order.iter().map(|&dim| self.shape[dim]).collect();
            found = runs(&permuted, |at| dims.contains(&order[at]));
            self.shape = permuted;
            self.steps.push(Step::Permute(order));
        }
        let innermost = self.shape.iter().rfind(|extent| **extent != 1);
        let innermost = innermost.copied().unwrap_or(1);
        let extents: Vec<u64> = found.iter().map(|run: &Run<bool>| run.extent).collect();
        let ends_reduced = found.last().is_some_and(|run| run.kind);
        let (shape, dims) = match extents[..] {
            [all] if ends_reduced => (vec![all / innermost, innermost], vec![0, 1]),
            [kept, all] if ends_reduced && all != innermost => {
                (vec![kept, all / innermost, innermost], vec![1, 2])
            }
            // Without a reduced run there is nothing to do.
            [_] | [] => return,
            _ => {
                let reduced = found.iter().position(|run| run.kind);
                (extents, reduced.into_iter().collect())
            }
        };
        self.reshape(shape);
        self.reduce(dims);
    }
}

#[cfg(test)]
mod tests;
