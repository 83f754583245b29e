//! Copies of operations for inlining and unrolling.

use std::collections::HashMap;

use tessera_dialects::mlir::{At, Op, Rewriter, Value, WalkOrder};

/// The most operations that a pass may add to a module. A chain of functions that call the next
/// one twice would add exponentially many, and so would nested loops.
pub const MAX_CLONED: usize = 100_000;

/// Clones operations until there are [`MAX_CLONED`].
pub struct Cloner<'a, 'r> {
    rewriter: &'r Rewriter<'a>,
    /// How many more operations may be added.
    budget: usize,
}

impl<'a, 'r> Cloner<'a, 'r> {
    /// Returns a cloner that has added nothing yet.
    pub fn new(rewriter: &'r Rewriter<'a>) -> Self {
        Cloner {
            rewriter,
            budget: MAX_CLONED,
        }
    }

    /// Counts operations that are about to be added. Returns `None` if there are too many.
    pub fn count(&mut self, added: usize) -> Option<()> {
        self.budget = self.budget.checked_sub(added)?;
        Some(())
    }

    /// Clones an operation in front of another one, with values in place of those that its
    /// operands and the operands of nested operations are. Returns `None` if there are too many.
    pub fn clone_before(
        &mut self,
        before: Op<'a>,
        op: Op<'a>,
        values: &HashMap<Value<'a>, Value<'a>>,
    ) -> Option<Op<'a>> {
        self.count(op.walk(WalkOrder::Pre).len())?;
        let clone = self.rewriter.clone_to(op, At::Before(before));
        for nested in clone.walk(WalkOrder::Pre) {
            let operands = nested.operands().into_iter();
            let operands = operands.map(|value| *values.get(&value).unwrap_or(&value));
            let operands: Vec<_> = operands.collect();
            self.rewriter.set_operands(nested, &operands);
        }
        Some(clone)
    }
}
