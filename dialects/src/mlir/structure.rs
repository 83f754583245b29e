//! Handles of values, blocks and regions.
//!
//! They and [`Op`] are copyable handles with the lifetime `'a` of the borrow of their module. They
//! only read; every change goes through a [`Rewriter`](super::Rewriter). Nothing they point to is
//! freed during `'a`.

use super::module::Alive;
use super::op::Op;
use melior::ir::Type;
use mlir_sys::*;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

/// An SSA value: the result of an operation or the argument of a block.
#[derive(Clone, Copy)]
pub struct Value<'a> {
    raw: MlirValue,
    alive: Alive<'a>,
}

/// A block.
#[derive(Clone, Copy)]
pub struct Block<'a> {
    raw: MlirBlock,
    alive: Alive<'a>,
}

/// A region.
#[derive(Clone, Copy)]
pub struct Region<'a> {
    raw: MlirRegion,
    alive: Alive<'a>,
}

/// The definition of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Definition<'a> {
    /// A result of an operation, by index.
    Result(Op<'a>, usize),
    /// An argument of a block, by index.
    Argument(Block<'a>, usize),
}

/// A use of a value: one operand of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use<'a> {
    /// The using operation.
    pub op: Op<'a>,
    /// The operand index.
    pub operand: usize,
}

impl<'a> Value<'a> {
    /// # Safety
    /// What defines `raw` must stay allocated for `'a`.
    pub(super) unsafe fn from_raw(raw: MlirValue) -> Self {
        Self {
            raw,
            alive: PhantomData,
        }
    }

    pub(super) fn to_raw(self) -> MlirValue {
        self.raw
    }

    /// Returns its type.
    pub fn r#type(self) -> Type<'a> {
        // SAFETY: the value is alive; types live as long as the context.
        unsafe { Type::from_raw(mlirValueGetType(self.raw)) }
    }

    /// Returns its location.
    pub fn definition(self) -> Definition<'a> {
        // SAFETY: the value is alive, and each accessor is called for its own kind of value.
        unsafe {
            if mlirValueIsAOpResult(self.raw) {
                let index = count(mlirOpResultGetResultNumber(self.raw));
                Definition::Result(Op::from_raw(mlirOpResultGetOwner(self.raw)), index)
            } else {
                let index = count(mlirBlockArgumentGetArgNumber(self.raw));
                Definition::Argument(Block::from_raw(mlirBlockArgumentGetOwner(self.raw)), index)
            }
        }
    }

    /// Returns the defining operation, or `None` for a block argument.
    pub fn defining_op(self) -> Option<Op<'a>> {
        match self.definition() {
            Definition::Result(op, _) => Some(op),
            Definition::Argument(..) => None,
        }
    }

    /// Returns all uses, in the order of MLIR's use list: most recent first.
    pub fn uses(self) -> Vec<Use<'a>> {
        let mut uses = Vec::new();
        // SAFETY: the value is alive; the list is only read.
        unsafe {
            let mut at = mlirValueGetFirstUse(self.raw);
            while !mlirOpOperandIsNull(at) {
                uses.push(Use {
                    op: Op::from_raw(mlirOpOperandGetOwner(at)),
                    operand: mlirOpOperandGetOperandNumber(at) as usize,
                });
                at = mlirOpOperandGetNextUse(at);
            }
        }
        uses
    }

    /// Returns whether it has uses.
    pub fn has_uses(self) -> bool {
        // SAFETY: the value is alive.
        unsafe { !mlirOpOperandIsNull(mlirValueGetFirstUse(self.raw)) }
    }
}

impl<'a> Block<'a> {
    /// # Safety
    /// `raw` must be non-null and stay allocated for `'a`.
    pub(super) unsafe fn from_raw(raw: MlirBlock) -> Self {
        Self {
            raw,
            alive: PhantomData,
        }
    }

    /// # Safety
    /// `raw` must be null or stay allocated for `'a`.
    pub(super) unsafe fn from_option_raw(raw: MlirBlock) -> Option<Self> {
        // SAFETY: the caller's promise.
        (!raw.ptr.is_null()).then(|| unsafe { Self::from_raw(raw) })
    }

    pub(super) fn to_raw(self) -> MlirBlock {
        self.raw
    }

    /// Returns its operations, collected.
    pub fn ops(self) -> Vec<Op<'a>> {
        // SAFETY: the block is alive; the list is only read.
        let first = unsafe { Op::from_option_raw(mlirBlockGetFirstOperation(self.raw)) };
        // SAFETY: each operation of the list is alive and stands in the block.
        let next =
            |op: &Op<'a>| unsafe { Op::from_option_raw(mlirOperationGetNextInBlock(op.to_raw())) };
        std::iter::successors(first, next).collect()
    }

    /// Returns its arguments.
    pub fn arguments(self) -> Vec<Value<'a>> {
        // SAFETY: the block is alive and the indices are in range.
        unsafe {
            (0..mlirBlockGetNumArguments(self.raw))
                .map(|index| Value::from_raw(mlirBlockGetArgument(self.raw, index)))
                .collect()
        }
    }

    /// Returns its last operation if that is a terminator.
    pub fn terminator(self) -> Option<Op<'a>> {
        // SAFETY: the block is alive.
        unsafe { Op::from_option_raw(mlirBlockGetTerminator(self.raw)) }
    }

    /// Returns its parent operation.
    pub fn parent(self) -> Option<Op<'a>> {
        // SAFETY: the block is alive.
        unsafe { Op::from_option_raw(mlirBlockGetParentOperation(self.raw)) }
    }
}

impl<'a> Region<'a> {
    /// # Safety
    /// `raw` must be non-null and stay allocated for `'a`.
    pub(super) unsafe fn from_raw(raw: MlirRegion) -> Self {
        Self {
            raw,
            alive: PhantomData,
        }
    }

    pub(super) fn to_raw(self) -> MlirRegion {
        self.raw
    }

    /// Returns its blocks, the entry first.
    pub fn blocks(self) -> Vec<Block<'a>> {
        // SAFETY: the region is alive; the list is only read.
        unsafe {
            let first = Block::from_option_raw(mlirRegionGetFirstBlock(self.raw));
            std::iter::successors(first, |block| {
                Block::from_option_raw(mlirBlockGetNextInRegion(block.raw))
            })
            .collect()
        }
    }
}

/// Returns a count or index of MLIR, which is never negative.
pub(super) fn count(number: isize) -> usize {
    usize::try_from(number).unwrap_or(0)
}

macro_rules! identity {
    ($($handle:ident)*) => {$(
        impl PartialEq for $handle<'_> {
            fn eq(&self, other: &Self) -> bool {
                self.to_raw().ptr == other.to_raw().ptr
            }
        }

        impl Eq for $handle<'_> {}

        impl Hash for $handle<'_> {
            fn hash<H: Hasher>(&self, state: &mut H) {
                self.to_raw().ptr.hash(state);
            }
        }
    )*};
}

identity!(Op Value Block Region);

impl fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.definition() {
            Definition::Result(op, index) => write!(f, "result {index} of {op:?}"),
            Definition::Argument(_, index) => {
                write!(f, "block argument {index} : {}", self.r#type())
            }
        }
    }
}

impl fmt::Debug for Block<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_list().entries(self.ops()).finish()
    }
}

impl fmt::Debug for Region<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_list().entries(self.blocks()).finish()
    }
}
