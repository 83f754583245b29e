//! Inserts frees of popped tiles: each after the last use of its tile, in the block of the pop, so
//! that it executes on every path.
//!
//! Aliases of a tile are followed: loop-carried values, yielded values and results of
//! `arith.select`. Slots are freed in the order of their pops, so a free follows the frees of
//! earlier pops. If a tile would have to be held across an operation that pops from the same pipe
//! inside, or leaves its block in a yield, it is copied first: a later pop could not be freed
//! before it. Tiles with a hand-written free are left alone.

use std::collections::{HashMap, HashSet};

use tessera_dialects::mlir::{At, Block, NamedOp, Op, Rewriter, Use, Value, WalkOrder};
use tessera_dialects::{arith, pto, scf};

/// Inserts frees of all popped tiles of a kernel that have none.
pub fn insert_frees<'a>(kernel: Op<'a>, rewriter: &Rewriter<'a>) {
    let mut blocks: Vec<Block<'a>> = Vec::new();
    for pop in kernel.walk(WalkOrder::Pre) {
        let block = pop.block().filter(|_| pop.isa::<pto::TPopOp>());
        blocks.extend(block.filter(|block| !blocks.contains(block)));
    }
    for block in blocks {
        insert_frees_in_block(block, rewriter);
    }
}

fn insert_frees_in_block<'a>(block: Block<'a>, rewriter: &Rewriter<'a>) {
    let pops: Vec<_> = block
        .ops()
        .into_iter()
        .filter(|op| op.isa::<pto::TPopOp>())
        .collect();
    // The last free of each pipe.
    let mut last: HashMap<Value<'a>, Op<'a>> = HashMap::new();
    for pop in pops {
        let (Some(tile), Some(pipe)) = (pop.result(0), pop.operand(0)) else {
            continue;
        };
        let names = aliases(tile);
        let by_hand = names
            .iter()
            .flat_map(|name| name.uses())
            .find(|it| it.op.isa::<pto::TFreeOp>());
        if let Some(by_hand) = by_hand {
            last.extend(statement(by_hand.op, block).map(|op| (pipe, op)));
            continue;
        }
        copy_out(block, pop, pipe, &names, rewriter);
        let ops = block.ops();
        let place = |op: Op<'a>| ops.iter().position(|other| *other == op);
        let used = aliases(tile).into_iter().flat_map(Value::uses);
        let after = used
            .filter_map(|it| statement(it.op, block))
            .chain([pop])
            .chain(last.get(&pipe).copied())
            .max_by_key(|op| place(*op));
        let free = pto::TFreeOp::build(pop.location()).operands([tile, pipe]);
        let free = rewriter.insert(At::After(after.unwrap_or(pop)), free);
        last.insert(pipe, free);
    }
}

/// Copies a popped tile before the first operation across which it cannot be held, and redirects
/// later uses to the copy.
fn copy_out<'a>(
    block: Block<'a>,
    pop: Op<'a>,
    pipe: Value<'a>,
    names: &[Value<'a>],
    rewriter: &Rewriter<'a>,
) {
    let ops = block.ops();
    let place = |op: Op<'a>| {
        ops.iter()
            .position(|other| *other == op)
            .unwrap_or_default()
    };
    let barrier = |op: &Op<'a>| {
        let inside = op
            .children()
            .into_iter()
            .flat_map(|op| op.walk(WalkOrder::Pre));
        let mut pops = inside.into_iter().filter(|op| op.isa::<pto::TPopOp>());
        pops.any(|pop| pop.operand(0) == Some(pipe)) || Some(*op) == block.terminator()
    };
    let Some(barrier) = ops[place(pop) + 1..].iter().copied().find(barrier) else {
        return;
    };
    let reads =
        |it: &Use<'a>| statement(it.op, block).is_some_and(|op| place(op) >= place(barrier));
    for name in names {
        // Aliases defined after the barrier are derived from the copy.
        let made = name
            .defining_op()
            .and_then(|op| statement(op, block).filter(|own| *own == op));
        let uses: Vec<_> = name.uses().into_iter().filter(reads).collect();
        if uses.is_empty() || made.is_none_or(|op| place(op) >= place(barrier)) {
            continue;
        }
        let copy = pto::TMoveOp::build(pop.location())
            .operands([*name])
            .results([name.r#type()]);
        let copy = rewriter.insert(At::Before(barrier), copy).result(0);
        for (it, copy) in uses.into_iter().zip(std::iter::repeat(copy)) {
            if let Some(copy) = copy {
                rewriter.set_operand(it.op, it.operand, copy);
            }
        }
    }
}

/// Returns the operation of `block` that is or contains `op`, if any.
fn statement<'a>(op: Op<'a>, block: Block<'a>) -> Option<Op<'a>> {
    std::iter::successors(Some(op), |op| op.parent()).find(|op| op.block() == Some(block))
}

/// Returns all values that may alias a tile.
fn aliases<'a>(tile: Value<'a>) -> Vec<Value<'a>> {
    let (mut found, mut seen) = (vec![tile], HashSet::from([tile]));
    let mut next = 0;
    while let Some(value) = found.get(next).copied() {
        next += 1;
        for it in value.uses() {
            found.extend(
                aliases_through(it)
                    .into_iter()
                    .filter(|name| seen.insert(*name)),
            );
        }
    }
    found
}

/// Returns the values that alias an operand through one use.
fn aliases_through<'a>(it: Use<'a>) -> Vec<Value<'a>> {
    let carried = |op: Op<'a>, number: usize| {
        let argument = op
            .body()
            .and_then(|body| body.arguments().get(number + 1).copied());
        [op.result(number), argument]
            .into_iter()
            .flatten()
            .collect()
    };
    match it.op.name() {
        arith::SelectOp::NAME => it.op.results(),
        scf::ForOp::NAME if it.operand >= 3 => carried(it.op, it.operand - 3),
        scf::YieldOp::NAME => match it.op.parent() {
            Some(parent) if parent.isa::<scf::ForOp>() => carried(parent, it.operand),
            Some(parent) => parent.result(it.operand).into_iter().collect(),
            None => Vec::new(),
        },
        _ => Vec::new(),
    }
}
