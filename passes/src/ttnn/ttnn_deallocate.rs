//! `ttnn-deallocate`: inserts a deallocation after the last use of every tensor.
//!
//! Arguments belong to the function and are freed like intermediate results. Returned tensors are
//! not freed. Weights are not freed either, because the next run reads them again: arguments marked
//! as `parameter` or `constant`, and results of `ttcore.load_cached`. A tensor without uses is
//! freed at once: an argument after the first operation, a result after its definition. Existing
//! deallocations are replaced, so the pass can run after any pass that moves uses.

use crate::driver::registry::PassInfo;
use crate::functions::{erase_deallocations, only_block, weights};
use std::collections::HashMap;
use tessera_dialects::mlir::{
    At, Block, Definition, NamedOp, Op, Pass, Reported, Rewriter, TypeLike, Value,
};
use tessera_dialects::ttcore::LoadCachedOp;
use tessera_dialects::ttnn::DeallocateOp;
use tessera_dialects::{builtin, func};

/// `ttnn-deallocate`
pub const INFO: PassInfo = PassInfo {
    name: "ttnn-deallocate",
    description: "Deallocates every tensor after its last use",
    anchor: Some(builtin::ModuleOp::NAME),
    options: &[],
    make: |_| Ok(Box::new(Deallocate)),
};

struct Deallocate;

impl Pass for Deallocate {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, op: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        for function in op.find_all::<func::FuncOp>() {
            let Some(body) = only_block(*function)? else {
                continue;
            };
            let ops = erase_deallocations(body, rewriter);
            let position = ops.iter().copied().zip(0..).collect();
            let computed = ops.iter().filter(|op| !op.isa::<LoadCachedOp>());
            let weights = weights(function, body);
            let arguments = body.arguments().into_iter();
            let tensors = arguments
                .filter(|argument| !weights.contains_key(argument))
                .chain(computed.flat_map(|op| op.results()));
            // All last uses are found before the first operation is added, which would count as a
            // use.
            let last_uses: Vec<_> = tensors
                .filter(|value| value.r#type().is_ranked_tensor())
                .filter_map(|value| Some((value, last_use(body, &position, value)?)))
                .collect();
            for (value, last) in last_uses {
                if !last.isa::<func::ReturnOp>() {
                    let free = DeallocateOp::build(last.location()).operands([value]).with(
                        rewriter.context(),
                        DeallocateOp::FORCE,
                        false,
                    );
                    rewriter.insert(At::After(last), free);
                }
            }
        }
        Ok(())
    }
}

/// Returns the last operation of the block that reads a value, directly or in a region; without
/// uses, the operation that defines it.
fn last_use<'a>(
    body: Block<'a>,
    position: &HashMap<Op<'a>, usize>,
    value: Value<'a>,
) -> Option<Op<'a>> {
    let in_body = |reader: Op<'a>| {
        std::iter::successors(Some(reader), |op| op.parent()).find(|op| op.block() == Some(body))
    };
    let readers = value.uses().into_iter().filter_map(|read| in_body(read.op));
    readers
        .max_by_key(|reader| position.get(reader))
        .or_else(|| match value.definition() {
            Definition::Result(op, _) => Some(op),
            Definition::Argument(..) => body.ops().first().copied(),
        })
}
