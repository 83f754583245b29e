//! `stablehlo-flatten-control-flow`: unrolls loops and converts branches to selections.
//!
//! TTIR has no control flow. A `stablehlo.while` is unrolled if the number of its iterations
//! follows from constants, as for JAX's `scan`, `map` and `fori_loop`. Integers that consist of
//! one element are evaluated on the way ([`integers`]), so that an iteration knows its number:
//! what a loop reads and writes at that number then has a constant position.
//!
//! Of a `stablehlo.case` or `stablehlo.if` with a known index only that branch stays. Otherwise
//! all branches are computed, and `stablehlo.select` chooses between their results.
//!
//! Invariant: no `while`, `case` or `if` is left, and the module has grown by at most
//! [`MAX_CLONED`] operations. `stablehlo-inline-calls` ran before, so that regions have no calls.

mod integers;

use std::collections::{HashMap, HashSet};

use tessera_dialects::builtin;
use tessera_dialects::func::FuncOp;
use tessera_dialects::mlir::{
    At, Block, Location, NewOp, Op, Pass, Reported, Rewriter, Scalar, ScalarType, TensorType, Type,
    Value, WalkOrder,
};

use super::cloner::{Cloner, MAX_CLONED};
use super::source::Source;
use crate::driver::registry::PassInfo;
use crate::functions::only_block;
use crate::verified::{expect_result, expect_verified};

/// `stablehlo-flatten-control-flow`
pub const INFO: PassInfo = PassInfo {
    name: "stablehlo-flatten-control-flow",
    description: "Unrolls StableHLO's loops and converts its branches to selections",
    anchor: Some(builtin::ModuleOp::NAME),
    options: &[],
    make: |_| Ok(Box::new(FlattenControlFlow)),
};

struct FlattenControlFlow;

impl Pass for FlattenControlFlow {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, module: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        let mut flattener = Flattener {
            rewriter,
            cloner: Cloner::new(rewriter),
            known: HashMap::new(),
        };
        for function in module.find_all::<FuncOp>() {
            let block = only_block(*function)?;
            for op in block.map_or_else(Vec::new, |block| block.ops()) {
                if let Some(number) = flattener.evaluate(op, &op.operands()) {
                    flattener
                        .known
                        .extend(op.result(0).map(|value| (value, number)));
                } else if let Some(results) = flattener.flatten(op)? {
                    rewriter.replace(op, &results);
                }
            }
        }
        Ok(())
    }
}

struct Flattener<'a, 'r> {
    rewriter: &'r Rewriter<'a>,
    cloner: Cloner<'a, 'r>,
    /// The integers that values of the functions are.
    known: HashMap<Value<'a>, i128>,
}

impl<'a> Flattener<'a, '_> {
    /// Returns the only element of the result of an operation on known integers.
    fn evaluate(&self, op: Op, operands: &[Value<'a>]) -> Option<i128> {
        let operands = operands.iter().map(|value| self.known.get(value).copied());
        integers::evaluate(op, &operands.collect::<Option<Vec<_>>>()?)
    }

    /// Inserts the operations that a loop or branch stands for in front of it. Returns the values
    /// of its results, or `None` if the operation is neither.
    fn flatten(&mut self, op: Op<'a>) -> Result<Option<Vec<Value<'a>>>, Reported> {
        match op.name() {
            "stablehlo.while" => self.unroll(op).map(Some),
            "stablehlo.if" => self.branch(op, IF).map(Some),
            "stablehlo.case" => self.branch(op, CASE).map(Some),
            _ => Ok(None),
        }
    }

    /// Unrolls a loop.
    fn unroll(&mut self, op: Op<'a>) -> Result<Vec<Value<'a>>, Reported> {
        let [condition, body] = Source::new(op).bodies()?;
        let mut values = op.operands();
        let types = types(&values);
        if types != self::types(&op.results()) {
            return Err(op.error("has results of other types than its operands"));
        }
        let boolean = self.scalar(1);
        let decision = check_region(op, condition, &types, &[boolean])?;
        check_region(op, body, &types, &types)?;
        while self.continues(op, condition, decision, &values)? {
            self.cloner.count(1).ok_or_else(|| exceeded(op))?;
            values = self.splice(op, body, &values)?;
        }
        Ok(values)
    }

    /// Returns whether a loop with these values has another iteration.
    fn continues(
        &self,
        op: Op,
        condition: Block<'a>,
        decision: Op<'a>,
        values: &[Value<'a>],
    ) -> Result<bool, Reported> {
        let mut known = HashMap::new();
        for (argument, value) in condition.arguments().into_iter().zip(values) {
            known.extend(self.known.get(value).map(|number| (argument, *number)));
        }
        let find = |known: &HashMap<_, _>, value| {
            let local = known.get(&value);
            local.or_else(|| self.known.get(&value)).copied()
        };
        for op in condition.ops() {
            let operands = op.operands().into_iter();
            let operands = operands.map(|value| find(&known, value));
            let operands = operands.collect::<Option<Vec<i128>>>();
            let number = operands.and_then(|operands| integers::evaluate(op, &operands));
            known.extend(op.result(0).zip(number));
        }
        let decided = decision.operand(0).and_then(|value| find(&known, value));
        decided.map(|number| number != 0).ok_or_else(|| {
            op.error(
                "has a number of iterations that does not follow from constants, which is not \
                 supported; loop over a constant range, and select between values inside",
            )
        })
    }

    /// Replaces a branch by the selected one, or by a selection between all.
    fn branch(&mut self, op: Op<'a>, kind: Kind) -> Result<Vec<Value<'a>>, Reported> {
        let selector = self.scalar(kind.width);
        let operands = op.operands();
        let index = match operands[..] {
            [index] if index.r#type() == selector => index,
            _ => return Err(op.error(format!("needs one operand of type '{selector}'"))),
        };
        let results = types(&op.results());
        let blocks = Source::new(op).all_bodies();
        let blocks = blocks.filter(|blocks| (kind.count)(blocks.len()));
        let blocks = blocks.ok_or_else(|| op.error(kind.regions))?;
        for block in &blocks {
            check_region(op, *block, &[], &results)?;
        }
        let last = blocks.len() - 1;
        if let Some(&number) = self.known.get(&index) {
            let chosen = (kind.region)(number).filter(|region| *region < last);
            return self.splice(op, blocks[chosen.unwrap_or(last)], &[]);
        }
        let mut selected = self.splice(op, blocks[last], &[])?;
        for (number, block) in blocks[..last].iter().enumerate().rev() {
            let values = self.splice(op, *block, &[])?;
            let condition = match kind.width {
                1 => index, // true selects the first region
                _ => self.equals(op, index, number as i128)?,
            };
            let pairs = values.into_iter().zip(&mut selected);
            for (then, otherwise) in pairs.filter(|(then, otherwise)| then != *otherwise) {
                let select = NewOp::new("stablehlo.select", op.location())
                    .operands([condition, then, *otherwise])
                    .results([then.r#type()]);
                *otherwise = self.insert(op, select)?;
            }
        }
        Ok(selected)
    }

    /// Clones the operations of a region in front of an operation, with values in place of the
    /// arguments. Returns what the region returns.
    fn splice(
        &mut self,
        at: Op<'a>,
        block: Block<'a>,
        arguments: &[Value<'a>],
    ) -> Result<Vec<Value<'a>>, Reported> {
        let pairs = block.arguments().into_iter().zip(arguments.iter().copied());
        let mut values: HashMap<_, _> = pairs.collect();
        let mut ops = block.ops();
        let end = expect_verified(at, ops.pop())?;
        let mut later: HashSet<_> = ops.iter().flat_map(|op| op.results()).collect();
        for op in ops {
            check_order(op, &later)?;
            let operands = op.operands().into_iter();
            let operands = operands.map(|value| *values.get(&value).unwrap_or(&value));
            let results = match self.evaluate(op, &operands.collect::<Vec<_>>()) {
                Some(number) => {
                    let r#type = expect_result(op)?.r#type();
                    vec![self.constant(at, op.location(), r#type, number)?]
                }
                None => {
                    let clone = self.cloner.clone_before(at, op, &values);
                    let clone = clone.ok_or_else(|| exceeded(at))?;
                    let results = self.flatten(clone)?;
                    if results.is_some() {
                        self.rewriter.erase(clone);
                    }
                    results.unwrap_or_else(|| clone.results())
                }
            };
            for (old, new) in op.results().into_iter().zip(results) {
                values.insert(old, new);
                later.remove(&old);
            }
        }
        check_order(end, &later)?;
        let returned = end.operands().into_iter();
        Ok(returned
            .map(|value| *values.get(&value).unwrap_or(&value))
            .collect())
    }

    /// Inserts whether an index is a number.
    fn equals(
        &mut self,
        at: Op<'a>,
        index: Value<'a>,
        number: i128,
    ) -> Result<Value<'a>, Reported> {
        let constant = self.constant(at, at.location(), index.r#type(), number)?;
        let direction = "#stablehlo<comparison_direction EQ>";
        let direction = self.rewriter.context().parse_attribute(direction);
        let compare = NewOp::new("stablehlo.compare", at.location())
            .operands([index, constant])
            .attribute("comparison_direction", expect_verified(at, direction)?)
            .results([self.scalar(1)]);
        self.insert(at, compare)
    }

    /// Inserts a known integer.
    fn constant(
        &mut self,
        at: Op<'a>,
        location: Location<'a>,
        r#type: Type<'a>,
        number: i128,
    ) -> Result<Value<'a>, Reported> {
        let text = match r#type.element_type().and_then(|element| element.scalar()) {
            Some(Scalar::Integer { width: 1, .. }) => format!("dense<{}> : {type}", number != 0),
            _ => format!("dense<{number}> : {type}"),
        };
        let attribute = self.rewriter.context().parse_attribute(&text);
        let constant = NewOp::new("stablehlo.constant", location)
            .attribute("value", expect_verified(at, attribute)?)
            .results([r#type]);
        let value = self.insert(at, constant)?;
        self.known.insert(value, number);
        Ok(value)
    }

    /// Inserts an operation of one result in front of another one.
    fn insert(&mut self, at: Op<'a>, new: NewOp<'a>) -> Result<Value<'a>, Reported> {
        self.cloner.count(1).ok_or_else(|| exceeded(at))?;
        expect_result(self.rewriter.insert(At::Before(at), new))
    }

    /// Returns the type of a tensor of rank 0 of signless integers.
    fn scalar(&self, width: u32) -> Type<'a> {
        let context = self.rewriter.context();
        context.tensor(&[], context.integer(width), None)
    }
}

/// A kind of branch.
struct Kind {
    /// The width of the operand that selects the region.
    width: u32,
    /// Which number of regions is valid.
    count: fn(usize) -> bool,
    /// The error if there is another number.
    regions: &'static str,
    /// The region that a known operand selects; the last one if that is out of range.
    region: fn(i128) -> Option<usize>,
}

const IF: Kind = Kind {
    width: 1,
    count: |count| count == 2,
    regions: "needs two regions of one block",
    region: |number| Some(usize::from(number == 0)),
};

const CASE: Kind = Kind {
    width: 32,
    count: |count| count > 0,
    regions: "needs at least one region, and one block in each",
    region: |number| usize::try_from(number).ok(),
};

fn types<'a>(values: &[Value<'a>]) -> Vec<Type<'a>> {
    values.iter().map(|value| value.r#type()).collect()
}

/// Returns the terminator of a region after checking the types of what it takes and returns.
fn check_region<'a>(
    op: Op,
    block: Block<'a>,
    arguments: &[Type],
    results: &[Type],
) -> Result<Op<'a>, Reported> {
    if types(&block.arguments()) != arguments {
        return Err(op.error(format!(
            "has a region whose arguments are not of types ({})",
            joined(arguments)
        )));
    }
    let end = block.ops().pop().filter(|op| op.is("stablehlo.return"));
    let end =
        end.ok_or_else(|| op.error("has a region that does not end with 'stablehlo.return'"))?;
    if types(&end.operands()) != results {
        return Err(end.error(format!("needs operands of types ({})", joined(results))));
    }
    Ok(end)
}

fn joined(types: &[Type]) -> String {
    let types = types.iter().map(|r#type| format!("'{type}'"));
    types.collect::<Vec<_>>().join(", ")
}

/// Checks that an operation uses no value that its region defines later, which MLIR allows in
/// regions of unregistered operations.
fn check_order(op: Op, later: &HashSet<Value>) -> Result<(), Reported> {
    let ops = op.walk(WalkOrder::Pre).into_iter();
    let mut operands = ops.flat_map(|op| op.operands());
    match operands.any(|operand| later.contains(&operand)) {
        false => Ok(()),
        true => Err(op.error("uses a value before its definition")),
    }
}

fn exceeded(op: Op) -> Reported {
    op.error(format!(
        "makes the program exceed {MAX_CLONED} operations when loops are unrolled; divide the \
         program"
    ))
}
