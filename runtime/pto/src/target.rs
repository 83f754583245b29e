//! Target data: what code generators are told of a group beyond what it computes.
//!
//! Which unit computes an operation, in how many phases matrices are multiplied, where rings lie,
//! which kernels share a core: none of it changes a result. The interpreter does not read it, and
//! program files do not hold it ([`Group::without_target_data`]). What is not said has its default.

use crate::kernel::{Group, OpKind, Region};

/// The unit of a core that computes an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// The matrix unit.
    Fpu,
    /// The vector unit.
    Sfpu,
    /// The packers, on the way out.
    Pack,
}

impl Unit {
    /// Returns the name of the unit.
    pub const fn name(self) -> &'static str {
        match self {
            Unit::Fpu => "fpu",
            Unit::Sfpu => "sfpu",
            Unit::Pack => "pack",
        }
    }
}

/// What accumulators of the matrix unit hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Accumulators {
    /// Floats of 32 bits.
    #[default]
    F32,
    /// 16 bits.
    B16,
}

/// The most fidelity phases of a product.
pub const MAX_PHASES: u32 = 4;

/// The precision in which a kernel multiplies matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Numerics {
    /// Phases that a product takes over the bits of its factors, 1 to [`MAX_PHASES`].
    pub phases: u32,
    /// What products are accumulated in.
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
    /// On the threads of one core.
    #[default]
    SameCore,
    /// Each on a core of its own.
    Cluster,
}

/// The memory of a pipe's ring, as the kernels at its ends know it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ring {
    /// Bytes of a slot.
    pub slot_bytes: u64,
    /// The ends that were initialized.
    pub ends: Vec<RingEnd>,
}

impl Ring {
    /// Returns the end that a kernel has.
    pub fn end(&self, kernel: usize) -> Option<&RingEnd> {
        self.ends.iter().find(|end| end.kernel == kernel)
    }
}

/// What one kernel says of a ring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RingEnd {
    /// The kernel.
    pub kernel: usize,
    /// The buffer in the memory of the core that pops; none if the slots lie in global memory.
    pub buffer: Option<Buffer>,
    /// Where the kernel initializes the pipe, a number of [`Group::locations`].
    pub location: usize,
}

/// A buffer in the memory of a core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// Its first byte; none if nobody has decided it.
    pub address: Option<u64>,
    /// Where it is reserved or imported, a number of [`Group::locations`].
    pub location: usize,
}

impl Group {
    /// Returns the group without its target data, as program files hold it: groups that compute the
    /// same are equal.
    pub fn without_target_data(mut self) -> Self {
        self.placement = Placement::default();
        for pipe in &mut self.pipes {
            pipe.ring = Ring::default();
        }
        for kernel in &mut self.kernels {
            kernel.numerics = Numerics::default();
            clear_units(&mut kernel.body);
        }
        self
    }
}

fn clear_units(region: &mut Region) {
    for op in &mut region.ops {
        op.unit = None;
        match &mut op.kind {
            OpKind::For(body) => clear_units(body),
            OpKind::If(branches) => branches.iter_mut().for_each(clear_units),
            _ => {}
        }
    }
}
