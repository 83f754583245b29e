//! `stablehlo-inline-calls`: inlines calls while the operations still belong to StableHLO.
//!
//! MLIR's `inline` does not inline operations of unregistered dialects. Inlining before the
//! conversion matters: frameworks put `where(condition, x, nan)` into a private function, and the
//! conversion only folds a selection whose condition is a constant of the same function.
//!
//! Inlined operations have call-site locations, as MLIR's `inline` makes them: frameworks share
//! functions between calls and leave out the locations inside them.
//!
//! Calls are inlined into public functions, level by level, until none is left. Private functions
//! that no public one refers to are then erased. Functions that composites name stay, since the
//! conversion may call them.
//!
//! Invariant: public functions contain no `func.call`. `ttir-check-calls` ran before, so that every
//! callee has a body and no call is recursive.

use std::collections::{HashMap, HashSet};

use tessera_dialects::builtin;
use tessera_dialects::func::{CallOp, FuncOp};
use tessera_dialects::mlir::{AttributeValue, Op, Pass, Reported, Rewriter, Value, WalkOrder};

use super::cloner::{Cloner, MAX_CLONED};
use crate::driver::registry::PassInfo;
use crate::functions::{is_private, only_block};
use crate::verified::expect_verified;

/// `stablehlo-inline-calls`
pub const INFO: PassInfo = PassInfo {
    name: "stablehlo-inline-calls",
    description: "Inlines calls in StableHLO programs and erases unreferenced private functions",
    anchor: Some(builtin::ModuleOp::NAME),
    options: &[],
    make: |_| Ok(Box::new(InlineCalls)),
};

struct InlineCalls;

impl Pass for InlineCalls {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, module: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        let functions = module.find_all::<FuncOp>();
        let by_name = functions.iter().copied();
        let by_name = by_name.filter_map(|function| Some((function.symbol()?, function)));
        let mut inliner = Inliner {
            rewriter,
            functions: by_name.collect(),
            cloner: Cloner::new(rewriter),
        };
        for function in functions.iter().filter(|function| !is_private(**function)) {
            inliner.inline_all(*function)?;
        }
        inliner.erase_unreferenced();
        Ok(())
    }
}

struct Inliner<'a, 'r> {
    rewriter: &'r Rewriter<'a>,
    functions: HashMap<&'a str, FuncOp<'a>>,
    cloner: Cloner<'a, 'r>,
}

impl<'a> Inliner<'a, '_> {
    /// Inlines the calls in a function, then those that this adds.
    fn inline_all(&mut self, function: FuncOp<'a>) -> Result<(), Reported> {
        let mut calls = function.find_all::<CallOp>();
        while !calls.is_empty() {
            let mut added = Vec::new();
            for call in calls {
                self.inline(call, &mut added)?;
            }
            calls = added;
        }
        Ok(())
    }

    /// Replaces a call by the operations of its callee; appends the calls among them to `added`.
    fn inline(&mut self, call: CallOp<'a>, added: &mut Vec<CallOp<'a>>) -> Result<(), Reported> {
        let callee = call.callee().and_then(|callee| self.functions.get(callee));
        let callee = **expect_verified(*call, callee)?;
        let block = expect_verified(*call, only_block(callee)?)?;
        let arguments = block.arguments().into_iter();
        let mut values: HashMap<Value<'a>, Value<'a>> = arguments.zip(call.operands()).collect();
        let (terminator, body) = {
            let mut ops = block.ops();
            (expect_verified(callee, ops.pop())?, ops)
        };
        for op in body {
            let clone = self
                .cloner
                .clone_before(*call, op, &values)
                .ok_or_else(|| {
                    call.error(format!(
                        "makes the program exceed {MAX_CLONED} operations when calls are inlined; \
                     divide the program"
                    ))
                })?;
            for nested in clone.walk(WalkOrder::Pre) {
                self.rewriter.set_caller(nested, *call);
            }
            values.extend(op.results().into_iter().zip(clone.results()));
            added.extend(clone.find_all::<CallOp>());
        }
        let results = terminator.operands().into_iter();
        let results: Vec<_> = results
            .map(|value| *values.get(&value).unwrap_or(&value))
            .collect();
        self.rewriter.replace(*call, &results);
        Ok(())
    }

    /// Erases the private functions that public ones do not refer to, directly or not.
    fn erase_unreferenced(&self) {
        let all = || self.functions.iter();
        let public = all().filter(|(_, function)| !is_private(**function));
        let mut worklist: Vec<_> = public.map(|(name, _)| *name).collect();
        let mut referenced: HashSet<_> = worklist.iter().copied().collect();
        while let Some(name) = worklist.pop() {
            let symbols = self.functions.get(name).into_iter();
            let symbols = symbols.flat_map(|function| symbols_in(**function));
            worklist.extend(symbols.filter(|symbol| referenced.insert(symbol)));
        }
        for (_, function) in all().filter(|(name, _)| !referenced.contains(*name)) {
            self.rewriter.erase(**function);
        }
    }
}

/// Returns the symbols to which the operations of a function refer.
fn symbols_in(function: Op<'_>) -> Vec<&str> {
    let ops = function.walk(WalkOrder::Pre).into_iter();
    let attributes = ops.flat_map(|op| op.attributes());
    let symbols = attributes.filter_map(|(_, attribute)| attribute.symbol_name());
    symbols.collect()
}
