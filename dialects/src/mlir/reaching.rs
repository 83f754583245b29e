//! Reaching definitions of a value through structured control flow.

use std::collections::HashSet;

use super::{Definition, Op, Value};
use crate::scf::{ForOp, IfOp};

/// The number of operands of `scf.for` before the initial values: two bounds and a step.
const FOR_BOUNDS: usize = 3;

/// Returns the operations that may define a value. For results of `scf.if` and `scf.for`, and for
/// iteration arguments, these are the definitions of the yielded and initial values. Function
/// arguments have none. The enclosing operations need not be valid.
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

/// Returns the initial and the yielded value of an iteration argument, by index.
fn carried(r#for: Op<'_>, index: usize) -> impl Iterator<Item = Value<'_>> {
    r#for
        .operand(FOR_BOUNDS + index)
        .into_iter()
        .chain(yielded(r#for, index))
}

/// Returns the values that the regions of an operation yield for a result, by index.
fn yielded(op: Op<'_>, index: usize) -> impl Iterator<Item = Value<'_>> {
    let blocks = op.regions().into_iter().flat_map(|region| region.blocks());
    let terminators = blocks.filter_map(|block| block.terminator());
    terminators.filter_map(move |terminator| terminator.operand(index))
}
