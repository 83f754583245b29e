//! Cache of kernels: groups that compute the same share one kernel.
//!
//! A kernel is a function of its tensors, steps and precision. Two groups share a kernel if these
//! are equal, if their operations carry equal requests to the code generator, and if equal
//! locations in one group are equal in the other. Then an operation's location in one use
//! determines that of the same operation in any other.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use tessera_dialects::func::FuncOp;
use tessera_dialects::mlir::Op;

use super::kernel::{Parts, Stage};
use crate::locations::first_with_location;

/// Kernels by content, and the symbols in use.
pub struct KernelCache<'a> {
    taken: HashSet<String>,
    names: HashMap<(Option<Op<'a>>, String), String>,
}

impl<'a> KernelCache<'a> {
    /// Creates an empty cache beside functions.
    pub fn new(functions: &[FuncOp<'a>]) -> Self {
        let symbols = functions.iter().filter_map(|func| func.symbol());
        KernelCache {
            taken: symbols.map(str::to_owned).collect(),
            names: HashMap::new(),
        }
    }

    /// Returns the name of the kernel with this content, and whether it is new and must be built. A
    /// new name contains `number`, the number of the group in its function.
    pub fn intern(
        &mut self,
        (func, ops): (Op<'a>, &[Op<'a>]),
        content: String,
        number: usize,
    ) -> (String, bool) {
        let key = (func.parent(), content);
        if let Some(name) = self.names.get(&key) {
            return (name.clone(), false);
        }
        let name = self.new_name(func, ops, number);
        self.names.insert(key, name.clone());
        (name, true)
    }

    /// Returns `<function>_<operations>_<number>`, with underscores appended until the name is
    /// free.
    fn new_name(&mut self, func: Op<'a>, ops: &[Op<'a>], number: usize) -> String {
        let operations: Vec<_> = ops
            .iter()
            .map(|op| op.name().trim_start_matches("ttnn."))
            .collect();
        let func = func.symbol().unwrap_or_default();
        let mut name = format!("{func}_{}_{number}", operations.join("_"));
        while !self.taken.insert(name.clone()) {
            name.push('_');
        }
        name
    }
}

/// Returns everything that the kernel of a group depends on, as text.
pub fn content(parts: &Parts) -> String {
    let Parts {
        func: _,
        inputs,
        stages,
        fidelity,
        dst,
        placement,
    } = parts;
    let mut text = format!("{inputs:?} {:?}", (fidelity, dst, placement));
    for stage in stages {
        let Stage {
            ops: _,
            steps,
            inputs,
            depth,
            result,
            block,
        } = stage;
        let _ = write!(
            text,
            " {inputs:?} {result:?} {:?} {steps:?}",
            (depth, block)
        );
    }
    let ops = parts.ops();
    for (op, first) in ops.iter().zip(first_with_location(&ops)) {
        let _ = write!(text, " {} {first}", op.name());
        // Requests to a target are attributes of the target's dialect.
        let attributes = op.attributes().into_iter();
        for (name, value) in attributes.filter(|(name, _)| name.contains('.')) {
            let _ = write!(text, " {name} {value}");
        }
    }
    text
}
