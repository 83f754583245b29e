//! Where tensors of a function are freed.

use std::collections::HashMap;

use tessera_dialects::mlir::{At, Op, Rewriter, Value};

/// The places of a function's operations, as they were before any was outlined.
pub struct Frees<'a> {
    position: HashMap<Op<'a>, usize>,
}

impl<'a> Frees<'a> {
    /// The places of these operations.
    pub fn of(ops: &[Op<'a>]) -> Self {
        Frees {
            position: ops.iter().copied().zip(0..).collect(),
        }
    }

    /// Frees inputs of a group behind it, and what its operations hand on to each other never.
    pub fn adapt(&self, ops: &[Op<'a>], inputs: &[Value<'a>], rewriter: &Rewriter<'a>) {
        let (last, inner) = match ops.split_last() {
            Some((last, inner)) => (*last, inner),
            None => return,
        };
        let of = |value: &Value<'a>| {
            let uses = value.uses().into_iter().map(|of| of.op);
            uses.filter(|op| op.is("ttnn.deallocate"))
                .collect::<Vec<_>>()
        };
        for op in inner
            .iter()
            .flat_map(|op| op.results())
            .flat_map(|value| of(&value))
        {
            rewriter.erase(op);
        }
        for free in inputs.iter().flat_map(of) {
            if self.position.get(&free) < self.position.get(&last) {
                rewriter.move_to(free, At::After(last));
            }
        }
    }
}
