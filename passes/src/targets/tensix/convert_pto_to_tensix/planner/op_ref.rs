//! Operations of a group, with the kernel that each belongs to.

use tessera_pto::kernel::{Op, Region, Value};

use super::super::plan::LocationId;
use super::super::refusal::{expect_valid, Refusal};

/// Operations of a kernel of the group, one after the other.
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

    /// Takes the first operation off the list.
    pub fn take_first(&mut self) -> Option<OpRef<'g>> {
        let (op, rest) = self.ops.split_first()?;
        self.ops = rest;
        Some(OpRef {
            kernel: self.kernel,
            op,
        })
    }
}

/// An operation of a kernel of the group.
#[derive(Clone, Copy)]
pub struct OpRef<'g> {
    /// The kernel.
    pub kernel: usize,
    /// The operation.
    pub op: &'g Op,
}

impl<'g> OpRef<'g> {
    /// The operations of one of its regions.
    pub fn region_ops(self, region: &'g Region) -> Ops<'g> {
        Ops {
            kernel: self.kernel,
            ops: &region.ops,
        }
    }

    /// Where the operation comes from.
    pub fn location(self) -> LocationId {
        self.op.location
    }

    /// Refuses the operation.
    pub fn refuse(self, text: impl Into<String>) -> Refusal {
        Refusal::for_op(self.location(), text)
    }

    /// Returns what an operation of every valid group has.
    ///
    /// # Errors
    /// The operation lacks it.
    pub fn expect<T>(self, what: Option<T>) -> Result<T, Refusal> {
        expect_valid(self.op, what)
    }

    /// The operand of a number.
    ///
    /// # Errors
    /// The operation has fewer operands.
    pub fn operand(self, operand: usize) -> Result<Value, Refusal> {
        self.expect(self.op.operands.get(operand).copied())
    }

    /// The first result.
    ///
    /// # Errors
    /// The operation has no results.
    pub fn result(self) -> Result<Value, Refusal> {
        self.expect(self.op.results.first().copied())
    }
}
