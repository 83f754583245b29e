//! The cache of kernels: each is built once, however many groups it computes.
//!
//! A kernel is a function of its tensors, steps and precision. Two groups share one if these are
//! equal, if what their operations ask of the code generator is, and if locations that are equal in
//! one group are in the other: then the location of an operation of one use tells that of the same
//! operation in any other.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use tessera_dialects::func::FuncOp;
use tessera_dialects::mlir::Op;

use super::kernel::Parts;
use crate::locations::first_with_location;
use crate::ttnn::fusion::steps::Step;

/// The kernels by what they compute, and the symbols that are taken.
pub struct KernelCache<'a> {
    taken: HashSet<String>,
    names: HashMap<(Option<Op<'a>>, String), String>,
}

impl<'a> KernelCache<'a> {
    /// No kernels yet, beside functions.
    pub fn new(functions: &[FuncOp<'a>]) -> Self {
        let symbols = functions.iter().filter_map(|func| func.symbol());
        KernelCache {
            taken: symbols.map(str::to_owned).collect(),
            names: HashMap::new(),
        }
    }

    /// The name of the kernel for operations of a function, all that it depends on being `content`,
    /// and whether the kernel is still to be made. A new name
    /// holds the number of the group in its function.
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

    /// `<function>_<operations>_<number>`, with underscores behind it until no symbol has that
    /// name.
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

/// All that the kernel of a group depends on, as text.
pub fn content(parts: &Parts, steps: &[Step]) -> String {
    let Parts {
        func: _,
        ops,
        inputs,
        depth,
        result,
        block,
        fidelity,
        dst,
        placement,
    } = parts;
    let numbers = (depth, block, fidelity, dst, placement);
    let mut text = format!("{inputs:?} {result:?} {numbers:?} {steps:?}");
    for (op, first) in ops.iter().zip(first_with_location(ops)) {
        let _ = write!(text, " {} {first}", op.name());
        // What targets are asked for at an operation is in attributes of their dialects.
        let attributes = op.attributes().into_iter();
        for (name, value) in attributes.filter(|(name, _)| name.contains('.')) {
            let _ = write!(text, " {name} {value}");
        }
    }
    text
}
