//! Operations: a program as arithmetic on whole tensors, in the terms of the `ttnn` dialect.

use serde::Serialize;

use crate::types::vocabulary;
use crate::{Function, GlobalId};

pub use tessera_ops::{Binary as BinaryKind, Unary as UnaryKind};

/// One step of a program.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Operation {
    /// What it does.
    #[serde(flatten)]
    pub op: Op,
    /// The operation as MLIR prints it; may be empty.
    pub debug_info: String,
    /// Where in the source it comes from, as MLIR prints locations; may be empty.
    pub loc: String,
}

/// What an operation does. Fields named `out` are the tensor it defines, all other ids are tensors it reads.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum Op {
    /// Opens the device; has no effect on tensors.
    GetDevice,
    /// Defines a tensor whose elements nobody may rely on.
    Empty {
        /// Result.
        out: GlobalId,
    },
    /// Fills a tensor with one value (also `zeros` and `ones`).
    Full {
        /// The value, rounded once to the type of the result.
        value: f64,
        /// Result.
        out: GlobalId,
    },
    /// Defines a tensor by its elements.
    Constant {
        /// Little-endian elements of the result's type, row-major, without padding.
        #[serde(serialize_with = "hex")]
        data: Vec<u8>,
        /// Result.
        out: GlobalId,
    },
    /// `out = op(a) @ op(b)`, by the rules of NumPy's `matmul`; a dot product of vectors gives shape `[1]`.
    Matmul(Matmul),
    /// `out = op(a) @ op(b) + bias`.
    Linear {
        /// The product.
        #[serde(flatten)]
        matmul: Matmul,
        /// Added to every row; broadcast to the result.
        bias: Option<GlobalId>,
    },
    /// `out = lhs kind rhs`, broadcast by the rules of NumPy.
    EltwiseBinary {
        /// The function.
        #[serde(serialize_with = "name")]
        kind: BinaryKind,
        /// Left operand.
        lhs: GlobalId,
        /// Right operand.
        rhs: GlobalId,
        /// Result.
        out: GlobalId,
    },
    /// `out = kind(input)`.
    EltwiseUnary {
        /// The function.
        #[serde(serialize_with = "name")]
        kind: UnaryKind,
        /// Operand.
        input: GlobalId,
        /// Result.
        out: GlobalId,
    },
    /// `out = function(inputs…)`, for what is no element-wise function by name.
    Function {
        /// The function.
        #[serde(flatten)]
        function: Function,
        /// Operands.
        inputs: Vec<GlobalId>,
        /// Result.
        out: GlobalId,
    },
    /// Copies a tensor into another layout or memory; shape and data type stay.
    Move {
        /// The operation of `ttnn` that asks for it.
        kind: MoveKind,
        /// Operand.
        input: GlobalId,
        /// Result.
        out: GlobalId,
    },
    /// Rounds every element once to the type of the result.
    Typecast {
        /// Operand.
        input: GlobalId,
        /// Result.
        out: GlobalId,
    },
    /// Ends the life of a tensor.
    Deallocate {
        /// Operand.
        input: GlobalId,
    },
    /// A group of operations that a device runs as one kernel.
    Kernel {
        /// What the group means. Tensors defined here are local to it unless they are in `outputs`.
        operations: Vec<Operation>,
        /// Tensors the group defines for the operations after it.
        outputs: Vec<GlobalId>,
        /// How devices run it; at most one kernel per target and architecture.
        kernels: Vec<KernelRef>,
    },
}

/// Operands and options of a matrix product.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Matmul {
    /// Left operand, `[.., M, K]`, or `[K]`.
    pub a: GlobalId,
    /// Right operand, `[.., K, N]`, or `[K]`.
    pub b: GlobalId,
    /// Swap the inner two dimensions of `a` first; without effect on a vector.
    pub transpose_a: bool,
    /// Swap the inner two dimensions of `b` first; without effect on a vector.
    pub transpose_b: bool,
    /// Precision a device must use, if the compiler fixed it.
    pub compute_config: Option<ComputeConfig>,
    /// Result, `[.., M, N]`.
    pub out: GlobalId,
}

/// Precision of a device's matrix unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ComputeConfig {
    /// How many partial products of the mantissas are summed.
    pub math_fidelity: MathFidelity,
    /// Whether sums are kept in 32 bits.
    pub fp32_dest_acc: bool,
}

/// A use of a kernel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KernelRef {
    /// Index in [`crate::Binary::kernels`].
    pub kernel: u32,
    /// Tensors the kernel reads, then tensors it writes, in the order its lists number them.
    pub args: Vec<GlobalId>,
}

vocabulary! {
    /// How many partial products of the operands' mantissas the matrix unit sums.
    MathFidelity {
        /// One phase.
        LoFi = "lofi",
        /// Two phases.
        HiFi2 = "hifi2",
        /// Three phases.
        HiFi3 = "hifi3",
        /// Four phases: every bit of both bf16 mantissas.
        HiFi4 = "hifi4",
    }
}

impl MathFidelity {
    /// How many they are.
    pub fn phases(self) -> u32 {
        match self {
            MathFidelity::LoFi => 1,
            MathFidelity::HiFi2 => 2,
            MathFidelity::HiFi3 => 3,
            MathFidelity::HiFi4 => 4,
        }
    }
}

impl Matmul {
    /// The fidelity that it is computed with: all phases, if it does not say.
    pub fn math_fidelity(&self) -> MathFidelity {
        self.compute_config
            .map_or(MathFidelity::HiFi4, |config| config.math_fidelity)
    }
}

vocabulary! {
    /// The operation of `ttnn` a [`Op::Move`] stands for.
    MoveKind {
        /// Changes the layout.
        ToLayout = "to_layout",
        /// Copies from the host to a device.
        ToDevice = "to_device",
        /// Copies from a device to the host.
        FromDevice = "from_device",
        /// Changes the memory on a device.
        ToMemoryConfig = "to_memory_config",
    }
}

impl Op {
    /// Name of the operation, as the `ttnn` dialect spells it; a kernel group is `kernel`.
    pub fn name(&self) -> String {
        match self {
            Self::GetDevice => "get_device".into(),
            Self::Empty { .. } => "empty".into(),
            Self::Full { .. } => "full".into(),
            Self::Constant { .. } => "constant".into(),
            Self::Matmul(_) => "matmul".into(),
            Self::Linear { .. } => "linear".into(),
            Self::EltwiseBinary { kind, .. } => kind.to_string(),
            Self::EltwiseUnary { kind, .. } => kind.to_string(),
            Self::Function { function, .. } => function.name().into(),
            Self::Move { kind, .. } => kind.to_string(),
            Self::Typecast { .. } => "typecast".into(),
            Self::Deallocate { .. } => "deallocate".into(),
            Self::Kernel { .. } => "kernel".into(),
        }
    }

    /// Whether it computes: its result is rounded from its operands' elements. Groups and data movement are not.
    pub fn is_arithmetic(&self) -> bool {
        match self {
            Self::Matmul(_)
            | Self::Linear { .. }
            | Self::EltwiseBinary { .. }
            | Self::EltwiseUnary { .. }
            | Self::Function { .. }
            | Self::Typecast { .. } => true,
            Self::GetDevice
            | Self::Empty { .. }
            | Self::Full { .. }
            | Self::Constant { .. }
            | Self::Move { .. }
            | Self::Deallocate { .. }
            | Self::Kernel { .. } => false,
        }
    }

    /// Tensors the operation reads, in the order of its operands. For a kernel group: what its operations read
    /// from outside the group, each once.
    pub fn inputs(&self) -> Vec<GlobalId> {
        match self {
            Self::GetDevice | Self::Empty { .. } | Self::Full { .. } | Self::Constant { .. } => {
                vec![]
            }
            Self::Matmul(matmul) => vec![matmul.a, matmul.b],
            Self::Linear { matmul, bias } => {
                [matmul.a, matmul.b].into_iter().chain(*bias).collect()
            }
            Self::EltwiseBinary { lhs, rhs, .. } => vec![*lhs, *rhs],
            Self::Function { inputs, .. } => inputs.clone(),
            Self::EltwiseUnary { input, .. }
            | Self::Move { input, .. }
            | Self::Typecast { input, .. }
            | Self::Deallocate { input } => vec![*input],
            Self::Kernel { operations, .. } => captured(operations),
        }
    }

    /// Tensors the operation defines.
    pub fn outputs(&self) -> Vec<GlobalId> {
        match self {
            Self::GetDevice | Self::Deallocate { .. } => vec![],
            Self::Empty { out }
            | Self::Full { out, .. }
            | Self::Constant { out, .. }
            | Self::EltwiseBinary { out, .. }
            | Self::EltwiseUnary { out, .. }
            | Self::Function { out, .. }
            | Self::Move { out, .. }
            | Self::Typecast { out, .. } => vec![*out],
            Self::Matmul(matmul) | Self::Linear { matmul, .. } => vec![matmul.out],
            Self::Kernel { outputs, .. } => outputs.clone(),
        }
    }
}

/// Tensors that `operations` read without having defined them, each once, in the order of first use.
fn captured(operations: &[Operation]) -> Vec<GlobalId> {
    let mut defined = std::collections::HashSet::new();
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

/// Bytes as one string of hexadecimal digits.
fn hex<S: serde::Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&crate::hash::Hex(bytes))
}

/// What a function is called.
fn name<S: serde::Serializer>(
    function: &impl std::fmt::Display,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_str(function)
}
