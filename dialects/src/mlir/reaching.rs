//! Reaching definitions of a value through structured control flow.

use std::collections::HashSet;

use super::{Definition, Op, Value};
use crate::scf::{ForOp, IfOp};

/// Operands of `scf.for` before the initial values of what it carries: two bounds and a step.
const FOR_BOUNDS: usize = 3;

/// Returns the operations that may have made a value: its own, or, if it is the result of an
/// `scf.if` or an `scf.for` or is carried by one, what these yield or begin with. Arguments of
/// functions have none. Neither need what is around be valid.
pub fn reaching_definitions(value: Value<'_>) -> Vec<Op<'_>> {
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        if !seen.insert(value) {
            continue;
        }
        match value.definition() {
            Definition::Result(op, index) => match op.name() {
                ForOp::NAME => open.extend(carried(op, index)),
                IfOp::NAME => open.extend(yielded(op, index)),
                _ => found.push(op),
            },
            Definition::Argument(block, index) => {
                let parent = block.parent().filter(|parent| parent.isa::<ForOp>());
                let index = index.checked_sub(1);
                if let Some((parent, index)) = parent.zip(index) {
                    open.extend(carried(parent, index));
                }
            }
        }
    }
    found
}

/// Returns what a loop begins with and what it yields for the value it carries with this number.
fn carried(r#for: Op<'_>, index: usize) -> impl Iterator<Item = Value<'_>> {
    r#for
        .operand(FOR_BOUNDS + index)
        .into_iter()
        .chain(yielded(r#for, index))
}

/// Returns what the regions of an operation yield for its result with this number.
fn yielded(op: Op<'_>, index: usize) -> impl Iterator<Item = Value<'_>> {
    let blocks = op.regions().into_iter().flat_map(|region| region.blocks());
    let terminators = blocks.filter_map(|block| block.terminator());
    terminators.filter_map(move |terminator| terminator.operand(index))
}
