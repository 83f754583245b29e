//! References to operations of a group, with the kernel that each belongs to.

use tessera_pto::kernel::{Op, Region, Value};

use super::super::plan::LocationId;
use super::super::refusal::{expect_valid, Refusal};

/// A list of consecutive operations of one kernel.
#[derive(Clone, Copy)]
pub struct Ops<'g> {
    /// The kernel.
    pub kernel: usize,
    /// The operations.
    pub ops: &'g [Op],
}

impl<'g> Ops<'g> {
    /// No operations.
    pub const NONE: Self = Ops {
        kernel: 0,
        ops: &[],
    };

    /// Removes and returns the first operation.
    pub fn take_first(&mut self) -> Option<OpRef<'g>> {
        let (op, rest) = self.ops.split_first()?;
        self.ops = rest;
        Some(OpRef {
            kernel: self.kernel,
            op,
        })
    }
}

/// A reference to an operation of a kernel.
#[derive(Clone, Copy)]
pub struct OpRef<'g> {
    /// The kernel.
    pub kernel: usize,
    /// The operation.
    pub op: &'g Op,
}

impl<'g> OpRef<'g> {
    /// Returns the operations of one of its regions.
    pub fn region_ops(self, region: &'g Region) -> Ops<'g> {
        Ops {
            kernel: self.kernel,
            ops: &region.ops,
        }
    }

    /// Returns the operation's source location.
    pub fn location(self) -> LocationId {
        self.op.location
    }

    /// Returns a refusal of this operation.
    pub fn refuse(self, text: impl Into<String>) -> Refusal {
        Refusal::for_op(self.location(), text)
    }

    /// Unwraps a property that every operation of a valid group has.
    ///
    /// # Errors
    /// The operation lacks it.
    pub fn expect<T>(self, what: Option<T>) -> Result<T, Refusal> {
        expect_valid(self.op, what)
    }

    /// Returns operand `operand`.
    ///
    /// # Errors
    /// The operation has fewer operands.
    pub fn operand(self, operand: usize) -> Result<Value, Refusal> {
        self.expect(self.op.operands.get(operand).copied())
    }

    /// Returns the first result.
    ///
    /// # Errors
    /// The operation has no results.
    pub fn result(self) -> Result<Value, Refusal> {
        self.expect(self.op.results.first().copied())
    }
}
