//! Target data: properties of a group that only code generators read.
//!
//! Examples are the unit that executes an operation, the precision of its code, the fidelity of
//! matrix products, addresses of rings, and kernels that share a core. Target data does not change
//! what a group computes, but a chip's error may depend on it. The interpreter ignores it, and
//! program files do not contain it ([`Group::without_target_data`]). Everything has a default.

use crate::kernel::{Group, OpKind, Region};

/// The unit of a core that executes an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// The matrix unit.
    Fpu,
    /// The vector unit.
    Sfpu,
    /// The packers, while a tile is stored.
    Pack,
}

impl Unit {
    /// Returns the name of the unit in the IR.
    pub const fn name(self) -> &'static str {
        match self {
            Unit::Fpu => "fpu",
            Unit::Sfpu => "sfpu",
            Unit::Pack => "pack",
        }
    }
}

/// The precision of the code of an element-wise function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Precision {
    /// For tensors of f32.
    #[default]
    F32,
    /// For tensors of bf16. The code is shorter if the function has a form of its own.
    Bf16,
}

impl Precision {
    /// All precisions.
    pub const ALL: &'static [Self] = &[Precision::F32, Precision::Bf16];

    /// Returns the name of the element type.
    pub const fn name(self) -> &'static str {
        match self {
            Precision::F32 => "f32",
            Precision::Bf16 => "bf16",
        }
    }
}

/// The precision of the accumulators of the matrix unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Accumulators {
    /// 32-bit floats.
    #[default]
    F32,
    /// 16-bit floats.
    B16,
}

/// The greatest number of fidelity phases of a product.
pub const MAX_PHASES: u32 = 4;

/// The precision of the matrix products of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Numerics {
    /// Number of fidelity phases, 1 to [`MAX_PHASES`].
    pub phases: u32,
    /// The precision of the accumulators.
    pub accumulators: Accumulators,
}

impl Default for Numerics {
    fn default() -> Self {
        Numerics {
            phases: MAX_PHASES,
            accumulators: Accumulators::default(),
        }
    }
}

/// Where the kernels of a group run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Placement {
    /// On threads of one core.
    #[default]
    SameCore,
    /// Each on a core of its own.
    Cluster,
}

/// The memory of a pipe's ring, as the kernels at its ends describe it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ring {
    /// Size of a slot in bytes.
    pub slot_bytes: u64,
    /// The ends that a kernel initializes.
    pub ends: Vec<RingEnd>,
}

impl Ring {
    /// Returns the end of a kernel.
    pub fn end(&self, kernel: usize) -> Option<&RingEnd> {
        self.ends.iter().find(|end| end.kernel == kernel)
    }
}

/// The description of a ring by one kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RingEnd {
    /// The kernel.
    pub kernel: usize,
    /// The buffer in the memory of the consumer's core; `None` if the slots are in global memory.
    pub buffer: Option<Buffer>,
    /// Where the kernel initializes the pipe, an index of [`Group::locations`].
    pub location: usize,
}

/// A buffer in the memory of a core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// Address of the first byte; `None` if it is not assigned yet.
    pub address: Option<u64>,
    /// Where the buffer is reserved or imported, an index of [`Group::locations`].
    pub location: usize,
}

impl Group {
    /// Returns the group without its target data, as in program files. Groups that compute the same
    /// are then equal.
    pub fn without_target_data(mut self) -> Self {
        self.placement = Placement::default();
        for pipe in &mut self.pipes {
            pipe.ring = Ring::default();
        }
        for kernel in &mut self.kernels {
            kernel.numerics = Numerics::default();
            clear_target_data(&mut kernel.body);
        }
        self
    }
}

fn clear_target_data(region: &mut Region) {
    for op in &mut region.ops {
        op.unit = None;
        op.precision = Precision::default();
        match &mut op.kind {
            OpKind::For(body) => clear_target_data(body),
            OpKind::If(branches) => branches.iter_mut().for_each(clear_target_data),
            _ => {}
        }
    }
}
