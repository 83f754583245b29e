//! Functions of tensors that are more than an element-wise function by name: their parameters, the shapes of their results, and how
//! they lie in a file.

use flatbuffers::FlatBufferBuilder;
use serde::Serialize;
use tessera_ops::Reduce;

use crate::generated as fb;
use crate::shape::{broadcast, Extents};
use crate::{GlobalId, Op, ReadError};

/// A function of tensors.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "function", rename_all = "snake_case")]
pub enum Function {
    /// The second where the first is not zero, else the third; broadcast.
    Where,
    /// The first, or the second if that is larger, or the third if it is smaller; broadcast.
    ClampTensor,
    /// `x`, or `parameter * x` where that is negative.
    LeakyRelu {
        /// The factor.
        parameter: f64,
    },
    /// The element, or the limit that it is beyond.
    ClampScalar {
        /// The lower limit.
        min: f64,
        /// The upper one; it is what is left if it is below the lower one.
        max: f64,
    },
    /// What is kept of elements along dimensions.
    Reduce {
        /// What is.
        kind: ReduceKind,
        /// The dimensions, ascending.
        dims: Vec<u32>,
        /// Whether they stay, of extent 1.
        keep_dim: bool,
    },
    /// Exponentials as shares of their sum along a dimension.
    Softmax {
        /// The dimension.
        dimension: u32,
    },
    /// The dimensions in another order.
    Permute {
        /// For each dimension of the result the one of the operand.
        permutation: Vec<u32>,
    },
}

/// What is kept of elements along dimensions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ReduceKind {
    /// Their sum.
    Sum,
    /// The largest.
    Max,
    /// The smallest.
    Min,
    /// Their sum over their number.
    Mean,
}

impl ReduceKind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Sum, Self::Max, Self::Min, Self::Mean];

    /// The name of its operation.
    pub fn name(self) -> &'static str {
        match self {
            ReduceKind::Mean => "mean",
            _ => self.reduce().name(),
        }
    }

    /// The kind whose operation has a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// What goes from element to element; of a mean the sum.
    pub const fn reduce(self) -> Reduce {
        match self {
            ReduceKind::Sum | ReduceKind::Mean => Reduce::Sum,
            ReduceKind::Max => Reduce::Max,
            ReduceKind::Min => Reduce::Min,
        }
    }
}

/// Why there is no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FunctionError {
    /// Too few or too many operands.
    #[error("{function} takes {needs} operands, not {has}")]
    Operands {
        /// The function.
        function: &'static str,
        /// What it takes.
        needs: usize,
        /// What it is given.
        has: usize,
    },
    /// Shapes that do not fit.
    #[error("shapes {} and {} cannot be broadcast", Extents(.0), Extents(.1))]
    Broadcast(Vec<u64>, Vec<u64>),
    /// Dimensions that the operand does not have, or that come twice.
    #[error(
        "{function} is along dimensions {dims:?} of a tensor of {rank}; each can be named once"
    )]
    Dimensions {
        /// The function.
        function: &'static str,
        /// The dimensions.
        dims: Vec<u32>,
        /// Dimensions that there are.
        rank: usize,
    },
}

impl Function {
    /// The name of its operation.
    pub fn name(&self) -> &'static str {
        match self {
            Function::Where => "where",
            Function::ClampTensor => "clamp_tensor",
            Function::LeakyRelu { .. } => "leaky_relu",
            Function::ClampScalar { .. } => "clamp_scalar",
            Function::Reduce { kind, .. } => kind.name(),
            Function::Softmax { .. } => "softmax",
            Function::Permute { .. } => "permute",
        }
    }

    /// How many tensors it is of.
    pub fn operands(&self) -> usize {
        match self {
            Function::Where | Function::ClampTensor => 3,
            _ => 1,
        }
    }

    /// The operands whose elements the result has: all but the condition of a choice.
    pub fn values<'i>(&self, inputs: &'i [GlobalId]) -> &'i [GlobalId] {
        match self {
            Function::Where => inputs.get(1..).unwrap_or_default(),
            _ => inputs,
        }
    }

    /// The shape of its result.
    ///
    /// # Errors
    /// If it is no function of operands of these shapes.
    pub fn shape(&self, operands: &[&[u64]]) -> Result<Vec<u64>, FunctionError> {
        let function = self.name();
        if operands.len() != self.operands() {
            return Err(FunctionError::Operands {
                function,
                needs: self.operands(),
                has: operands.len(),
            });
        }
        let first = operands[0];
        match self {
            Function::Where | Function::ClampTensor => {
                let mut shape = first.to_vec();
                for operand in &operands[1..] {
                    shape = broadcast(&shape, operand)
                        .ok_or_else(|| FunctionError::Broadcast(shape, operand.to_vec()))?;
                }
                Ok(shape)
            }
            Function::LeakyRelu { .. } | Function::ClampScalar { .. } => Ok(first.to_vec()),
            Function::Reduce { dims, keep_dim, .. } => {
                self.require(dims, first.len(), dims.len())?;
                let reduced = |dim: usize| dims.contains(&(dim as u32));
                let kept = first.iter().enumerate().filter_map(|(dim, &extent)| {
                    match (reduced(dim), *keep_dim) {
                        (false, _) => Some(extent),
                        (true, true) => Some(1),
                        (true, false) => None,
                    }
                });
                Ok(kept.collect())
            }
            Function::Softmax { dimension } => {
                self.require(&[*dimension], first.len(), 1)?;
                Ok(first.to_vec())
            }
            Function::Permute { permutation } => {
                self.require(permutation, first.len(), first.len())?;
                let moved = permutation.iter().map(|&dim| first[dim as usize]);
                Ok(moved.collect())
            }
        }
    }

    /// Checks that so many dimensions are named, each once.
    fn require(&self, dims: &[u32], rank: usize, count: usize) -> Result<(), FunctionError> {
        let mut seen = dims.to_vec();
        seen.sort_unstable();
        seen.dedup();
        let outside = dims.iter().any(|&dim| dim as usize >= rank);
        if outside || seen.len() != dims.len() || dims.len() != count {
            return Err(FunctionError::Dimensions {
                function: self.name(),
                dims: dims.to_vec(),
                rank,
            });
        }
        Ok(())
    }

    /// What a file has beside its name.
    fn parameters(&self) -> (Vec<u32>, Vec<f64>, bool) {
        match self {
            Function::Where | Function::ClampTensor => (vec![], vec![], false),
            Function::LeakyRelu { parameter } => (vec![], vec![*parameter], false),
            Function::ClampScalar { min, max } => (vec![], vec![*min, *max], false),
            Function::Reduce { dims, keep_dim, .. } => (dims.clone(), vec![], *keep_dim),
            Function::Softmax { dimension } => (vec![*dimension], vec![], false),
            Function::Permute { permutation } => (permutation.clone(), vec![], false),
        }
    }

    /// The function that has this name and these parameters.
    fn of(name: &str, integers: Vec<u32>, numbers: &[f64], keep_dim: bool) -> Option<Self> {
        if let Some(kind) = ReduceKind::from_name(name) {
            return numbers.is_empty().then_some(Function::Reduce {
                kind,
                dims: integers,
                keep_dim,
            });
        }
        Some(match (name, &integers[..], numbers, keep_dim) {
            ("where", [], [], false) => Function::Where,
            ("clamp_tensor", [], [], false) => Function::ClampTensor,
            ("leaky_relu", [], &[parameter], false) => Function::LeakyRelu { parameter },
            ("clamp_scalar", [], &[min, max], false) => Function::ClampScalar { min, max },
            ("softmax", &[dimension], [], false) => Function::Softmax { dimension },
            ("permute", _, [], false) => Function::Permute {
                permutation: integers,
            },
            _ => return None,
        })
    }
}

/// Writes a function of tensors.
pub(crate) fn write<'f>(
    b: &mut FlatBufferBuilder<'f>,
    function: &Function,
    inputs: &[GlobalId],
    out: GlobalId,
) -> flatbuffers::WIPOffset<fb::FunctionOp<'f>> {
    let (integers, numbers, keep_dim) = function.parameters();
    let args = fb::FunctionOpArgs {
        function: Some(b.create_shared_string(function.name())),
        inputs: Some(b.create_vector(inputs)),
        integers: Some(b.create_vector(&integers)),
        numbers: Some(b.create_vector(&numbers)),
        keep_dim,
        out,
    };
    fb::FunctionOp::create(b, &args)
}

/// Reads a function of tensors.
pub(crate) fn read(op: fb::FunctionOp<'_>) -> Result<Op, ReadError> {
    let numbers: Vec<f64> = op.numbers().iter().collect();
    let integers = op.integers().iter().collect();
    let function = Function::of(op.function(), integers, &numbers, op.keep_dim());
    Ok(Op::Function {
        function: function.ok_or_else(|| ReadError::UnknownFunction(op.function().to_owned()))?,
        inputs: op.inputs().iter().collect(),
        out: op.out(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reduce(dims: &[u32], keep_dim: bool) -> Function {
        Function::Reduce {
            kind: ReduceKind::Mean,
            dims: dims.to_vec(),
            keep_dim,
        }
    }

    fn permute(permutation: &[u32]) -> Function {
        Function::Permute {
            permutation: permutation.to_vec(),
        }
    }

    #[test]
    fn shapes_of_results() {
        let softmax = Function::Softmax { dimension: 1 };
        let rows: [(Function, &[&[u64]], &[u64]); 7] = [
            (Function::Where, &[&[2, 1], &[3], &[]], &[2, 3]),
            (Function::LeakyRelu { parameter: 0.5 }, &[&[2, 3]], &[2, 3]),
            (reduce(&[0], true), &[&[2, 3]], &[1, 3]),
            (reduce(&[0, 2], false), &[&[2, 3, 4]], &[3]),
            (reduce(&[], false), &[&[2]], &[2]),
            (softmax, &[&[2, 3]], &[2, 3]),
            (permute(&[1, 2, 0]), &[&[2, 3, 4]], &[3, 4, 2]),
        ];
        for (function, operands, expect) in rows {
            assert_eq!(
                function.shape(operands).as_deref(),
                Ok(expect),
                "{function:?}"
            );
        }
    }

    #[test]
    fn what_has_no_shape_says_why() {
        let rows: [(Function, &[&[u64]], &str); 5] = [
            (Function::Where, &[&[2]], "where takes 3 operands, not 1"),
            (
                Function::ClampTensor,
                &[&[2], &[3], &[1]],
                "shapes 2 and 3 cannot be broadcast",
            ),
            (
                reduce(&[2], true),
                &[&[2, 3]],
                "mean is along dimensions [2] of a tensor of 2; each can be named once",
            ),
            (
                reduce(&[1, 1], true),
                &[&[2, 3]],
                "mean is along dimensions [1, 1] of a tensor of 2; each can be named once",
            ),
            (
                permute(&[0]),
                &[&[2, 3]],
                "permute is along dimensions [0] of a tensor of 2; each can be named once",
            ),
        ];
        for (function, operands, expect) in rows {
            let error = function.shape(operands).expect_err(expect);
            assert_eq!(error.to_string(), expect);
        }
    }

    #[test]
    fn parameters_make_the_function_again() {
        for function in [
            Function::Where,
            Function::ClampTensor,
            Function::LeakyRelu { parameter: 0.01 },
            Function::ClampScalar {
                min: -1.0,
                max: 6.0,
            },
            reduce(&[0, 1], true),
            Function::Softmax { dimension: 3 },
            permute(&[1, 0]),
        ] {
            let (integers, numbers, keep_dim) = function.parameters();
            let again = Function::of(function.name(), integers, &numbers, keep_dim);
            assert_eq!(again, Some(function));
        }
        assert_eq!(Function::of("where", vec![1], &[], false), None);
        assert_eq!(Function::of("sum", vec![1], &[1.0], false), None);
    }
}
