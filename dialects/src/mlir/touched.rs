//! Tracking of changes, so that only changed operations are verified after a pass.
//!
//! The granularity is an operation that is isolated from above, such as a function or a kernel. It
//! uses no values from outside, so a change in it cannot invalidate other operations except through
//! symbols. Symbols are verified once, at the end of a pipeline.

use std::collections::HashSet;

use super::ffi;
use super::op::Op;
use super::structure::{Block, Definition, Value};

/// The isolated operations in which a pass changed something.
#[derive(Debug, Default)]
pub(super) struct Touched<'a> {
    roots: Vec<Op<'a>>,
    seen: HashSet<Op<'a>>,
    /// The last looked-up block and its isolated ancestor. Passes usually change one block after
    /// the other.
    last: Option<(Block<'a>, Op<'a>)>,
    /// Whether an operation with a symbol was created, erased, moved, or has changed attributes.
    symbols: bool,
}

impl<'a> Touched<'a> {
    /// Records that an operation was created, or that its attributes or operands changed.
    pub fn op(&mut self, op: Op<'a>) {
        if is_isolated(op) {
            self.root(op);
        }
        self.around(op);
    }

    /// Records that an operation is created, erased or moved, which changes its parent.
    pub fn around(&mut self, op: Op<'a>) {
        if is_isolated(op) && op.symbol().is_some() {
            self.symbols = true;
            return;
        }
        let Some(block) = op.block() else {
            return self.root(op);
        };
        self.block(block);
    }

    /// Records that the type or the uses of a value changed, which are in the same isolated
    /// operation.
    pub fn value(&mut self, value: Value<'a>) {
        match value.definition() {
            Definition::Result(op, _) => self.around(op),
            Definition::Argument(block, _) => self.block(block),
        }
    }

    fn block(&mut self, block: Block<'a>) {
        if let Some((last, root)) = self.last {
            if last == block {
                return self.root(root);
            }
        }
        let Some(mut root) = block.parent() else {
            return;
        };
        while let Some(parent) = root.parent().filter(|_| !is_isolated(root)) {
            root = parent;
        }
        self.last = Some((block, root));
        self.root(root);
    }

    fn root(&mut self, root: Op<'a>) {
        if self.seen.insert(root) {
            self.roots.push(root);
        }
    }

    /// Records that an operation moved, which may change the isolated ancestors of blocks.
    pub fn forget_blocks(&mut self) {
        self.last = None;
    }

    /// Returns the changed isolated operations that are still nested in `op`, or are `op`, in the
    /// order of their first change.
    pub fn roots_inside(&self, op: Op<'a>) -> Vec<Op<'a>> {
        let is_inside = |root: &Op<'a>| {
            let mut ancestors = std::iter::successors(Some(*root), |op| op.parent());
            ancestors.any(|ancestor| ancestor == op)
        };
        self.roots.iter().copied().filter(is_inside).collect()
    }

    /// Returns whether symbols have to be verified.
    pub fn has_symbols(&self) -> bool {
        self.symbols
    }
}

fn is_isolated(op: Op) -> bool {
    // SAFETY: the operation is alive.
    unsafe { ffi::tesseraOperationIsIsolated(op.to_raw()) }
}
