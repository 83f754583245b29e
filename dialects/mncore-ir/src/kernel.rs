//! A kernel before its loops are scheduled: where its arguments lie, and what it does.

use tessera_isa_mncore::layout::Layout;
use tessera_ops::View;
use tessera_pto::kernel::TensorType;

use crate::body::Body;

/// A tensor in DRAM.
#[derive(Clone, Debug)]
pub struct Tensor {
    /// Which argument it is: an argument that is read in two ways lies there twice.
    pub argument: usize,
    /// What it is.
    pub kind: TensorType,
    /// Where its elements lie: dimensions `x`, `r`, `c` are matrices, rows, columns.
    pub layout: Layout,
    /// The elements that lie there, if these are not all in order.
    pub view: Option<View>,
}

/// A part of a kernel.
#[derive(Clone, Debug)]
pub enum Stage {
    /// A loop that is not scheduled yet.
    Loop(&'static str, Body),
    /// Parts one after the other, again and again.
    Repeat(u32, Vec<Stage>),
}
