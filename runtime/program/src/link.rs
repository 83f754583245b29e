//! Linking: a program with the operations of the programs whose results it caches.
//!
//! A device that runs one program runs a linked one. Tensors of the calling program keep their ids;
//! those of the private programs get the ids behind them.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::{Deref, Range};

use crate::{Binary, CachedCall, GlobalId, Op, Operation, Program};

/// A program without cached calls: their operations come before its own.
#[derive(Debug, Clone)]
pub struct Linked<'a> {
    program: Cow<'a, Program>,
    calls: Vec<LinkedCall>,
}

/// A cached call of a linked program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkedCall {
    /// The call, as the program made it.
    pub call: CachedCall,
    /// The indices of its operations.
    pub operations: Range<usize>,
}

impl Linked<'_> {
    /// Returns the cached calls in the order of their operations, which come first.
    pub fn calls(&self) -> &[LinkedCall] {
        &self.calls
    }

    /// Returns the index of the first operation after those of cached calls.
    pub fn first_own_operation(&self) -> usize {
        self.calls.last().map_or(0, |call| call.operations.end)
    }

    /// Returns the linked program without borrowing from the file.
    pub fn into_owned(self) -> Linked<'static> {
        Linked {
            program: Cow::Owned(self.program.into_owned()),
            calls: self.calls,
        }
    }
}

impl Deref for Linked<'_> {
    type Target = Program;

    fn deref(&self) -> &Program {
        &self.program
    }
}

impl Binary {
    /// Links a program of this file.
    ///
    /// # Panics
    /// If the file is inconsistent; see [`Binary::validate`].
    pub fn link<'a>(&'a self, program: &'a Program) -> Linked<'a> {
        if program.cached.is_empty() {
            return Linked {
                program: Cow::Borrowed(program),
                calls: Vec::new(),
            };
        }
        let mut linked = Program {
            cached: Vec::new(),
            operations: Vec::new(),
            ..program.clone()
        };
        let mut calls = Vec::new();
        for call in &program.cached {
            let callee = self.programs.iter().find(|one| one.name == call.program);
            let callee = callee.expect("a validated file has the program of each call");
            let first = linked.operations.len();
            inline(&mut linked, call, callee);
            calls.push(LinkedCall {
                call: call.clone(),
                operations: first..linked.operations.len(),
            });
        }
        linked.operations.extend_from_slice(&program.operations);
        Linked {
            program: Cow::Owned(linked),
            calls,
        }
    }
}

/// Adds the tensors and operations of `callee` to a program.
fn inline(program: &mut Program, call: &CachedCall, callee: &Program) {
    let inputs = callee.inputs.iter().zip(&call.inputs);
    let outputs = callee.outputs.iter().zip(&call.outputs);
    let mut ids: HashMap<GlobalId, GlobalId> =
        inputs.chain(outputs).map(|(a, b)| (*a, *b)).collect();
    for (id, desc) in (0..).zip(&callee.tensors) {
        ids.entry(id)
            .or_insert_with(|| program.add_tensor(desc.clone()));
    }
    let mut operations = callee.operations.clone();
    renumber(&mut operations, &ids);
    program.operations.append(&mut operations);
}

/// Replaces the ids of all tensors of operations.
fn renumber(operations: &mut [Operation], ids: &HashMap<GlobalId, GlobalId>) {
    let replace = |list: &mut Vec<GlobalId>| list.iter_mut().for_each(|id| *id = ids[id]);
    for operation in operations {
        match &mut operation.op {
            Op::Tensor(op) => {
                replace(&mut op.inputs);
                replace(&mut op.outputs);
            }
            Op::Kernel(group) => {
                renumber(&mut group.operations, ids);
                replace(&mut group.outputs);
                for kernel in &mut group.kernels {
                    replace(&mut kernel.args);
                }
            }
        }
    }
}
