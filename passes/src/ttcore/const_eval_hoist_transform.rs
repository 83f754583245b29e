//! `const-eval-hoist-transform`: outlines what depends only on constants and weights.
//!
//! An operation is constant if each operand is a constant or an argument marked as `parameter` or
//! `constant`. Constant operations that use each other's results form a subgraph. Each subgraph
//! becomes a private function of type `const_eval`, which `ttcore.load_cached` calls first in the
//! block. A host evaluates the function once for each set of weights.
//!
//! * Operations that only create a tensor are cheap: they are copied into each subgraph that needs
//!   them, and are no subgraph by themselves.
//! * Private functions are left as they are; their arguments are those of their callers.
//! * A kernel region moves as a whole. The pipelines run the pass after kernels are outlined, so
//!   that the same kernels run with and without it, and results have the same bits.
//! * Deallocations of a changed function are dropped; `ttnn-deallocate` inserts them again.
//! * Calls of `ttcore.load_cached` stay as they are, so the pass is idempotent.

use std::collections::{BTreeMap, HashMap, HashSet};

use tessera_dialects::builtin;
use tessera_dialects::func::{FuncOp, ReturnOp};
use tessera_dialects::mlir::{At, Block, NamedOp, Op, Pass, Reported, Rewriter, Value};
use tessera_dialects::ttcore::LoadCachedOp;
use tessera_dialects::ttnn::KernelRegionOp;
use tessera_dialects::verify::call;
use tessera_ops::{Class, Creation};

use crate::driver::registry::PassInfo;
use crate::functions::{erase_deallocations, is_private, only_block, weights};
use crate::ttcore::ttcore_mark_functions_as_forward::{CONST_EVAL, FUNCTION_TYPE};

/// `const-eval-hoist-transform`
pub const INFO: PassInfo = PassInfo {
    name: "const-eval-hoist-transform",
    description: "Outlines what depends only on constants and weights, to be evaluated once",
    anchor: Some(builtin::ModuleOp::NAME),
    options: &[],
    make: |_| Ok(Box::new(ConstEvalHoistTransform)),
};

struct ConstEvalHoistTransform;

impl Pass for ConstEvalHoistTransform {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, op: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        for function in op.find_all::<FuncOp>() {
            if is_private(function) {
                continue;
            }
            let Some(body) = only_block(*function)? else {
                continue;
            };
            let constants = Constants::find(function, body);
            if !constants.computations.is_empty() {
                erase_deallocations(body, rewriter);
                hoist(function, body, &constants, rewriter);
            }
        }
        Ok(())
    }
}

/// What an operation is to the pass.
enum Kind {
    /// Creates a tensor from nothing, or opens the device.
    Source,
    /// Computes or moves tensors.
    Computation,
    /// Is not hoisted.
    Other,
}

/// Returns the kind of an operation. `empty` has no value, so nothing that reads it is constant.
fn kind(op: Op) -> Kind {
    match call::class(op) {
        Some(Class::Creation(Creation::Empty) | Class::Deallocate) => Kind::Other,
        Some(Class::Creation(_) | Class::GetDevice) => Kind::Source,
        Some(_) => Kind::Computation,
        None if op.isa::<KernelRegionOp>() => Kind::Computation,
        None => Kind::Other,
    }
}

/// What is constant in a function.
struct Constants<'a> {
    /// The arguments that hold weights, with their indices.
    weights: HashMap<Value<'a>, usize>,
    /// The constant operations, with their positions.
    positions: HashMap<Op<'a>, usize>,
    /// The sources among them, in order.
    sources: Vec<Op<'a>>,
    /// The computations among them, in order.
    computations: Vec<Op<'a>>,
}

impl<'a> Constants<'a> {
    /// Finds the constant operations of a function with one block.
    fn find(function: FuncOp<'a>, body: Block<'a>) -> Self {
        let weights = weights(function, body);
        let mut values: HashSet<_> = weights.keys().copied().collect();
        let mut positions = HashMap::new();
        let (mut sources, mut computations) = (Vec::new(), Vec::new());
        for (position, op) in body.ops().into_iter().enumerate() {
            let ops = match kind(op) {
                Kind::Source => &mut sources,
                Kind::Computation => &mut computations,
                Kind::Other => continue,
            };
            if op.operands().iter().all(|value| values.contains(value)) {
                values.extend(op.results());
                positions.insert(op, position);
                ops.push(op);
            }
        }
        Constants {
            weights,
            positions,
            sources,
            computations,
        }
    }
}

/// Partitions operations into groups that use each other's results, by a union-find whose roots are
/// the first operations.
fn connected<'a>(ops: &[Op<'a>]) -> Vec<Vec<Op<'a>>> {
    let number: HashMap<Op, usize> = ops.iter().copied().zip(0..).collect();
    let mut parents: Vec<usize> = (0..ops.len()).collect();
    for (user, op) in ops.iter().enumerate() {
        let operands = op.operands().into_iter().filter_map(Value::defining_op);
        for used in operands.filter_map(|op| number.get(&op)) {
            let roots = [root(&mut parents, user), root(&mut parents, *used)];
            parents[roots[0].max(roots[1])] = roots[0].min(roots[1]);
        }
    }
    let mut groups: BTreeMap<usize, Vec<Op>> = BTreeMap::new();
    for (number, op) in ops.iter().enumerate() {
        let root = root(&mut parents, number);
        groups.entry(root).or_default().push(*op);
    }
    groups.into_values().collect()
}

/// Returns the root of a node, and shortens its path there.
fn root(parents: &mut [usize], mut node: usize) -> usize {
    while parents[node] != node {
        parents[node] = parents[parents[node]];
        node = parents[node];
    }
    node
}

/// Outlines the subgraphs of a function that other operations read.
fn hoist<'a>(
    function: FuncOp<'a>,
    body: Block<'a>,
    constants: &Constants<'a>,
    rewriter: &Rewriter<'a>,
) {
    let first = body.ops().first().copied();
    let at = first.map_or(At::Start(body), At::Before);
    let mut names = Names::new(function);
    let mut hoisted = Vec::new();
    for computations in connected(&constants.computations) {
        let subgraph = Subgraph::new(&computations, constants);
        if subgraph.outputs.is_empty() {
            continue;
        }
        let name = names.next_free();
        subgraph.outline(function, &name, rewriter);
        let call = LoadCachedOp::build(computations[0].location())
            .with(rewriter.context(), LoadCachedOp::CALLEE, &name)
            .operands(subgraph.inputs.iter().map(|(value, _)| *value))
            .results(subgraph.outputs.iter().map(|value| value.r#type()));
        let call = rewriter.insert(at, call);
        for (value, cached) in subgraph.outputs.iter().zip(call.results()) {
            rewriter.replace_all_uses(*value, cached);
        }
        hoisted.extend(computations);
    }
    hoisted.sort_by_key(|op| constants.positions[op]);
    hoisted.into_iter().rev().for_each(|op| rewriter.erase(op));
    for source in constants.sources.iter().rev() {
        if source.results().iter().all(|value| !value.has_uses()) {
            rewriter.erase(*source);
        }
    }
}

/// Free names for the functions that are outlined from a function.
struct Names<'a> {
    function: &'a str,
    taken: HashSet<&'a str>,
    number: usize,
}

impl<'a> Names<'a> {
    fn new(function: FuncOp<'a>) -> Self {
        let siblings = function.parent().map(Op::children).unwrap_or_default();
        Names {
            function: function.symbol().unwrap_or_default(),
            taken: siblings.into_iter().filter_map(Op::symbol).collect(),
            number: 0,
        }
    }

    /// Returns the next name that no symbol of the module has.
    fn next_free(&mut self) -> String {
        loop {
            let name = format!("{}_const_eval_{}", self.function, self.number);
            self.number += 1;
            if !self.taken.contains(&*name) {
                return name;
            }
        }
    }
}

/// A subgraph with its border.
struct Subgraph<'a> {
    /// Its operations in order, with the sources that it needs.
    ops: Vec<Op<'a>>,
    /// The arguments that it reads, with their indices.
    inputs: Vec<(Value<'a>, usize)>,
    /// Its results that other operations read.
    outputs: Vec<Value<'a>>,
}

impl<'a> Subgraph<'a> {
    /// Adds the sources that connected computations need, and finds the border.
    fn new(computations: &[Op<'a>], constants: &Constants<'a>) -> Self {
        let mut members: HashSet<Op> = computations.iter().copied().collect();
        let mut inputs: HashMap<Value, usize> = HashMap::new();
        let mut pending = computations.to_vec();
        while let Some(op) = pending.pop() {
            for value in op.operands() {
                match value.defining_op() {
                    Some(source) if members.insert(source) => pending.push(source),
                    Some(_) => {}
                    None => inputs.extend([(value, constants.weights[&value])]),
                }
            }
        }
        let is_read_outside = |value: &Value<'a>| {
            let mut uses = value.uses().into_iter();
            uses.any(|one| !members.contains(&one.op))
        };
        let results = computations.iter().flat_map(|op| op.results());
        let outputs = results.filter(is_read_outside).collect();
        let mut ops: Vec<_> = members.into_iter().collect();
        ops.sort_by_key(|op| constants.positions[op]);
        let mut inputs: Vec<_> = inputs.into_iter().collect();
        inputs.sort_by_key(|(_, index)| *index);
        Subgraph {
            ops,
            inputs,
            outputs,
        }
    }

    /// Builds the function that evaluates the subgraph, in front of another function.
    fn outline(&self, function: FuncOp<'a>, name: &str, rewriter: &Rewriter<'a>) {
        let context = rewriter.context();
        let location = self.ops[0].location();
        let types = |values: &mut dyn Iterator<Item = Value<'a>>| {
            values.map(|value| value.r#type()).collect::<Vec<_>>()
        };
        let inputs = types(&mut self.inputs.iter().map(|(value, _)| *value));
        let results = types(&mut self.outputs.iter().copied());
        let mut new = FuncOp::build(location)
            .with(context, FuncOp::SYM_NAME, name)
            .with(context, FuncOp::SYM_VISIBILITY, "private")
            .with(
                context,
                FuncOp::FUNCTION_TYPE,
                context.function(&inputs, &results),
            )
            .with(context, FUNCTION_TYPE, CONST_EVAL)
            .region(inputs.iter().map(|input| (*input, location)));
        if !inputs.is_empty() {
            let attributes = function.arg_attrs().unwrap_or_default();
            let own = self.inputs.iter().map(|(_, index)| attributes[*index]);
            new = new.with(context, FuncOp::ARG_ATTRS, &own.collect::<Vec<_>>());
        }
        let new = rewriter.insert(At::Before(*function), new);
        let body = new.body().expect("the region was made with a block");
        let inputs = self.inputs.iter().map(|(value, _)| *value);
        let mut values: HashMap<_, _> = inputs.zip(body.arguments()).collect();
        for op in &self.ops {
            let copy = rewriter.clone_to(*op, At::End(body));
            let operands = op.operands().into_iter().map(|value| values[&value]);
            rewriter.set_operands(copy, &operands.collect::<Vec<_>>());
            values.extend(op.results().into_iter().zip(copy.results()));
        }
        let results = self.outputs.iter().map(|value| values[value]);
        let r#return = ReturnOp::build(location).operands(results);
        rewriter.insert(At::End(body), r#return);
    }
}
