//! Checks that a cached call fits the program that it names.

use std::collections::HashSet;

use tessera_ops::Class;

use super::{Problem, Scope};
use crate::{CachedCall, GlobalId, Program, TensorDesc};

/// Largest number of operations and tensors that the calls of one program add to it.
const MAX_ADDED: usize = 1 << 20;

impl Scope<'_> {
    /// Checks a call and defines its results.
    pub(super) fn check_call(
        &mut self,
        call: &CachedCall,
        programs: &[Program],
    ) -> Result<(), Problem> {
        let program = self.program;
        let callee = programs.iter().find(|one| one.name == call.program);
        let callee = callee.ok_or(Problem::NoProgram)?;
        self.added += callee.operations.len() + callee.tensors.len();
        if self.added > MAX_ADDED {
            return Err(Problem::TooManyCalls(MAX_ADDED));
        }
        check_callee(callee)?;
        if let Some(id) = call.inputs.iter().find(|id| !program.inputs.contains(id)) {
            return Err(Problem::NoInput(*id));
        }
        check_tensors("inputs", (program, &call.inputs), (callee, &callee.inputs))?;
        let outputs = (callee, &callee.outputs[..]);
        check_tensors("results", (program, &call.outputs), outputs)?;
        call.outputs
            .iter()
            .try_for_each(|id| self.define(*id).map(|_| ()))
    }
}

/// Checks that a program can be called: it is private, makes no calls, keeps its inputs, and
/// computes each of its results.
fn check_callee(callee: &Program) -> Result<(), Problem> {
    if !callee.private {
        return Err(Problem::CallOfPublic);
    }
    if !callee.cached.is_empty() {
        return Err(Problem::NestedCall);
    }
    let ops = callee
        .operations
        .iter()
        .filter_map(|one| one.op.as_tensor());
    let mut freed = ops
        .filter(|op| matches!(op.op.class, Class::Deallocate))
        .flat_map(|op| &op.inputs);
    if let Some(id) = freed.find(|id| callee.inputs.contains(id)) {
        return Err(Problem::FreedInput(*id));
    }
    let mut known: HashSet<GlobalId> = callee.inputs.iter().copied().collect();
    match callee.outputs.iter().find(|id| !known.insert(**id)) {
        Some(id) => Err(Problem::RepeatedResult(*id)),
        None => Ok(()),
    }
}

/// Checks that tensors of both programs agree in everything but their names.
fn check_tensors(
    what: &'static str,
    (caller, given): (&Program, &[GlobalId]),
    (callee, expected): (&Program, &[GlobalId]),
) -> Result<(), Problem> {
    if given.len() != expected.len() {
        return Err(Problem::CallCount {
            what,
            found: given.len(),
            expected: expected.len(),
        });
    }
    for (&given, &expected) in given.iter().zip(expected) {
        let found = caller.tensor(given).ok_or(Problem::Undeclared(given))?;
        let wanted = callee
            .tensor(expected)
            .ok_or(Problem::Undeclared(expected))?;
        if nameless(found) != nameless(wanted) {
            return Err(Problem::CallTensor {
                id: given,
                of_callee: expected,
            });
        }
    }
    Ok(())
}

fn nameless(desc: &TensorDesc) -> TensorDesc {
    TensorDesc {
        name: None,
        ..desc.clone()
    }
}
