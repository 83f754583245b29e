//! Operations of a program, on whole tensors, by the names of the `ttnn` dialect.
//!
//! The operation table of [`tessera_ops`] defines all operations. An operation of a program is an
//! entry of the table applied to tensors. A kernel group is a sequence of operations that a device
//! runs as one kernel.

use serde::Serialize;
use tessera_ops::{table, AttributeValue, Attributes, Call, Class, ComputeConfig, MathFidelity};
use tessera_ops::{OpInfo, TensorType};

use crate::{GlobalId, Program};

/// One step of a program.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Operation {
    /// What it does.
    #[serde(flatten)]
    pub op: Op,
    /// The operation as MLIR prints it; may be empty.
    pub debug_info: String,
    /// The source location as MLIR prints it; may be empty.
    pub loc: String,
}

/// A kind of operation.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Op {
    /// An operation of the operation table.
    Tensor(TensorOp),
    /// A group of operations that a device runs as one kernel.
    Kernel(KernelOp),
}

/// An operation of the operation table, applied to tensors of a program.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TensorOp {
    /// The entry of the table.
    #[serde(serialize_with = "crate::json::displayed")]
    pub op: &'static OpInfo,
    /// Tensors that it reads, in the order of its operands, without absent optional operands.
    pub inputs: Vec<GlobalId>,
    /// Its attributes.
    pub attributes: Attributes,
    /// Tensors that it defines.
    pub outputs: Vec<GlobalId>,
}

/// A group of operations that a device runs as one kernel.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "op", rename = "kernel")]
pub struct KernelOp {
    /// The operations of the group. Tensors defined here are local unless they are in `outputs`.
    pub operations: Vec<Operation>,
    /// Tensors the group defines for the operations after it.
    pub outputs: Vec<GlobalId>,
    /// The kernels of the group, at most one per target and architecture.
    pub kernels: Vec<KernelRef>,
}

/// A use of a kernel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KernelRef {
    /// Index in [`crate::Binary::kernels`].
    pub kernel: u32,
    /// Tensors that the kernel reads, then those that it writes, in the order of its arguments.
    pub args: Vec<GlobalId>,
}

/// An operation name that is not in the operation table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no operation '{0}'")]
pub struct UnknownOp(pub String);

impl TensorOp {
    /// Returns the operation of this name, without attributes.
    ///
    /// # Errors
    /// If the operation table has no such operation of the `ttnn` dialect.
    pub fn new(name: &str, inputs: &[GlobalId], outputs: &[GlobalId]) -> Result<Self, UnknownOp> {
        let found = table::from_name(name).filter(|op| op.in_ttnn);
        let op = found.ok_or_else(|| UnknownOp(name.to_owned()))?;
        Ok(Self::from_info(op, inputs, outputs))
    }

    /// Returns an operation of the table, without attributes.
    pub fn from_info(op: &'static OpInfo, inputs: &[GlobalId], outputs: &[GlobalId]) -> Self {
        TensorOp {
            op,
            inputs: inputs.to_vec(),
            attributes: Attributes::none(),
            outputs: outputs.to_vec(),
        }
    }

    /// Returns the same operation with one more attribute.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: AttributeValue) -> Self {
        self.attributes.set(name, value);
        self
    }

    /// Returns the same operation with a flag that is true.
    #[must_use]
    pub fn with_flag(self, name: &'static str) -> Self {
        self.with(name, AttributeValue::Bool(true))
    }

    /// Returns the types of the operands.
    ///
    /// # Errors
    /// The first operand that `program` does not declare.
    pub fn operand_types(&self, program: &Program) -> Result<Vec<TensorType>, GlobalId> {
        let types = self.inputs.iter().map(|&id| program.tensor_type(id));
        types.collect()
    }

    /// Returns the operation applied to operands of the given types.
    pub fn call<'a>(&'a self, operands: &'a [TensorType]) -> Call<'a> {
        Call {
            op: self.op,
            operands,
            attributes: &self.attributes,
        }
    }

    /// Returns the operation as a matrix product, if it is one.
    pub fn product(&self) -> Option<Product> {
        let (Class::Contraction, &[a, b, ref bias @ ..]) = (self.op.class, &self.inputs[..]) else {
            return None;
        };
        let transposed = ["transpose_a", "transpose_b"].map(|flag| self.attributes.flag(flag));
        Some(Product {
            factors: [a, b],
            bias: bias.first().copied(),
            transposed,
            compute_config: self.attributes.compute_config("compute_config"),
        })
    }
}

/// A matrix product: `op(a) @ op(b) + bias`, where `op` swaps the inner two dimensions of a
/// transposed factor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Product {
    /// The left factor, `[.., M, K]` or `[K]`, and the right one, `[.., K, N]` or `[K]`.
    pub factors: [GlobalId; 2],
    /// What is added to the product, broadcast to the result.
    pub bias: Option<GlobalId>,
    /// Whether the inner two dimensions of each factor are swapped; without effect on a vector.
    pub transposed: [bool; 2],
    /// The precision that a device must use, if the compiler set it.
    pub compute_config: Option<ComputeConfig>,
}

impl Product {
    /// Returns the math fidelity; all phases by default.
    pub fn math_fidelity(&self) -> MathFidelity {
        let config = self.compute_config;
        config.map_or(MathFidelity::HiFi4, |config| config.math_fidelity)
    }
}

impl From<TensorOp> for Op {
    fn from(op: TensorOp) -> Self {
        Op::Tensor(op)
    }
}

impl From<KernelOp> for Op {
    fn from(op: KernelOp) -> Self {
        Op::Kernel(op)
    }
}

impl Op {
    /// Returns the name of the operation in the `ttnn` dialect; that of a kernel group is `kernel`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Tensor(op) => op.op.name,
            Self::Kernel(_) => "kernel",
        }
    }

    /// Returns the operation of the table, or `None` for a kernel group.
    pub fn as_tensor(&self) -> Option<&TensorOp> {
        match self {
            Self::Tensor(op) => Some(op),
            Self::Kernel(_) => None,
        }
    }

    /// Returns the kernel group, or `None` for an operation of the table.
    pub fn as_kernel(&self) -> Option<&KernelOp> {
        match self {
            Self::Tensor(_) => None,
            Self::Kernel(group) => Some(group),
        }
    }

    /// Returns the operation as a matrix product, if it is one.
    pub fn product(&self) -> Option<Product> {
        self.as_tensor()?.product()
    }

    /// Returns whether it computes: its result is rounded from its operands' elements. Kernel
    /// groups and placements are not arithmetic.
    pub fn is_arithmetic(&self) -> bool {
        self.as_tensor().is_some_and(|op| op.op.is_arithmetic())
    }

    /// Tensors the operation reads, in the order of its operands. For a kernel group: what its
    /// operations read from outside the group, each once.
    pub fn inputs(&self) -> Vec<GlobalId> {
        match self {
            Self::Tensor(op) => op.inputs.clone(),
            Self::Kernel(group) => captured(&group.operations),
        }
    }

    /// Tensors the operation defines.
    pub fn outputs(&self) -> &[GlobalId] {
        match self {
            Self::Tensor(op) => &op.outputs,
            Self::Kernel(group) => &group.outputs,
        }
    }
}

/// Returns the tensors that `operations` read without having defined them, without duplicates, in
/// the order of first use.
fn captured(operations: &[Operation]) -> Vec<GlobalId> {
    let mut defined = std::collections::HashSet::<GlobalId>::new();
    let mut captured = Vec::new();
    for operation in operations {
        for id in operation.op.inputs() {
            if !defined.contains(&id) && !captured.contains(&id) {
                captured.push(id);
            }
        }
        defined.extend(operation.op.outputs());
    }
    captured
}
