//! Kernels before scheduling: their tensors and their loops.

use tessera_isa_mncore::layout::Layout;
use tessera_ops::View;
use tessera_pto::kernel::TensorType;

use crate::body::Body;

/// A tensor in DRAM.
#[derive(Clone, Debug)]
pub struct Tensor {
    /// The argument of the kernel. An argument that is read in two layouts has two tensors.
    pub argument: usize,
    /// The type.
    pub kind: TensorType,
    /// The layout; dimensions `x`, `r`, `c` are matrices, rows, columns.
    pub layout: Layout,
    /// The elements that it holds, unless these are all elements in order.
    pub view: Option<View>,
}

/// A stage of a kernel.
#[derive(Clone, Debug)]
pub enum Stage {
    /// A loop that is not scheduled yet, with its name.
    Loop(&'static str, Body),
    /// Stages that are repeated in sequence.
    Repeat(u32, Vec<Stage>),
}
