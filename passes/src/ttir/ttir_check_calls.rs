//! `ttir-check-calls`: rejects calls that cannot be inlined.
//!
//! A program file has no calls, so the pipelines inline them. This requires direct calls to
//! functions with a body, and an acyclic call graph. A depth-first search over the call graph finds
//! recursion; the error is reported at the call that closes a cycle.

use std::collections::{HashMap, HashSet};

use crate::driver::registry::PassInfo;
use tessera_dialects::mlir::{Op, Pass, Reported, Rewriter};
use tessera_dialects::{builtin, func};

/// `ttir-check-calls`
pub const INFO: PassInfo = PassInfo {
    name: "ttir-check-calls",
    description: "Rejects calls that cannot be inlined: recursion, declarations, indirect calls",
    anchor: Some(builtin::ModuleOp::NAME),
    options: &[],
    make: |_| Ok(Box::new(CheckCalls)),
};

struct CheckCalls;

impl Pass for CheckCalls {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, op: Op<'a>, _: &Rewriter<'a>) -> Result<(), Reported> {
        if let Some(call) = op.find_all::<func::CallIndirectOp>().first() {
            return Err(call.error("calls a function indirectly; call it by its name"));
        }
        let functions = op.find_all::<func::FuncOp>().into_iter();
        let functions: Vec<_> = functions
            .filter_map(|function| Some((function.symbol()?, function)))
            .collect();
        let mut graph = Graph {
            functions: functions.iter().copied().collect(),
            finished: HashSet::new(),
        };
        functions.iter().try_for_each(|(name, _)| graph.visit(name))
    }
}

/// The call graph of a module.
struct Graph<'a> {
    functions: HashMap<&'a str, func::FuncOp<'a>>,
    /// Functions from which no cycle can be reached.
    finished: HashSet<&'a str>,
}

impl<'a> Graph<'a> {
    /// Checks all functions reachable from `root`. Iterative, since call chains may be long.
    fn visit(&mut self, root: &'a str) -> Result<(), Reported> {
        let mut path = vec![(root, self.calls(root)?)];
        while let Some((name, calls)) = path.last_mut() {
            let Some((call, callee)) = calls.pop() else {
                self.finished.insert(*name);
                path.pop();
                continue;
            };
            if self.finished.contains(callee) {
                continue;
            }
            if let Some(start) = path.iter().position(|(on_path, _)| *on_path == callee) {
                let cycle: Vec<_> = path[start..].iter().map(|(name, _)| *name).collect();
                return Err(recursion(call, &cycle));
            }
            path.push((callee, self.calls(callee)?));
        }
        Ok(())
    }

    /// Returns the calls in a function with their callees, in reverse order.
    fn calls(&self, name: &str) -> Result<Vec<(func::CallOp<'a>, &'a str)>, Reported> {
        let calls = self
            .functions
            .get(name)
            .map(|function| function.find_all::<func::CallOp>());
        let mut found = Vec::new();
        for call in calls.unwrap_or_default().into_iter().rev() {
            let callee = call.callee().unwrap_or_default();
            let Some((callee, function)) = self.functions.get_key_value(callee) else {
                return Err(call.error(format!("calls '{callee}', which is in another module")));
            };
            if function.body().is_none() {
                let note = "declared here".to_owned();
                return Err(call.error_with_notes(
                    format!("calls '{callee}', which has no body; define it in this module"),
                    &[(**function, note)],
                ));
            }
            found.push((call, *callee));
        }
        Ok(found)
    }
}

fn recursion(call: func::CallOp, cycle: &[&str]) -> Reported {
    let message = match cycle {
        [only] => {
            format!("calls '{only}' from itself; recursion is not supported, repeat its operations")
        }
        _ => {
            let names: Vec<_> = cycle.iter().map(|name| format!("'{name}'")).collect();
            format!(
                "closes a cycle of calls through {}; recursion is not supported, repeat the \
                 operations",
                names.join(", ")
            )
        }
    };
    call.error(message)
}
