//! The work of a kernel as its cores walk through it: blocks, dealt to workers, and the steps
//! inside.

use tessera_dialects::mlir::Value;
use tessera_dialects::tensix::program::Argument;

use super::code_builder::CodeBuilder;
use super::expr::{Arith, Expr, Var};
use super::plan::{
    collect_blocks, Block, BlockItem, Element, Loop, Node, Pipe, Plan, SlotEvent, Step, Target,
};
use super::resources::{L1Layout, DST_HALF_ROWS};

/// What a core on_events between blocks.
pub enum WalkEvent<'w> {
    /// A block.
    Block(&'w Block),
    /// A pop or a free.
    SlotEvent(&'w SlotEvent),
}

/// What a core on_events inside of a block.
pub enum BlockEvent<'w> {
    /// A step.
    Step(&'w Step),
    /// A pop or a free.
    SlotEvent(&'w SlotEvent),
}

/// A plan, and how it is dealt to workers.
pub struct Work<'p> {
    /// Loops whose turns are dealt, outermost first.
    distributed: Vec<&'p Loop<Node>>,
    /// What each of these turns does.
    nodes: &'p [Node],
    /// Buffers in L1.
    pub l1: L1Layout,
    /// Fidelity phases.
    pub phases: u32,
    /// The ends of rings between tiles.
    pub pipes: &'p [Pipe],
    /// Whether all blocks use the same part of Dst.
    stays_in_dst: bool,
}

impl<'p> Work<'p> {
    /// Deals the turns of the loops that stand one in the other around everything, if no two of
    /// them store to the same place and their bounds are known; else all is one worker's. What runs
    /// on several tiles is dealt alike on all of them.
    pub fn distribute(plans: &[&'p Plan]) -> Vec<Self> {
        let mut distributed = vec![Vec::new(); plans.len()];
        let mut rest: Vec<&'p [Node]> = plans.iter().map(|plan| &plan.nodes[..]).collect();
        if plans.iter().all(|plan| stores_are_disjoint(plan)) {
            while let Some(loops) = common_outer_loops(&rest) {
                for ((distributed, rest), of) in distributed.iter_mut().zip(&mut rest).zip(loops) {
                    distributed.push(of);
                    *rest = &of.body;
                }
            }
        }
        let parts = plans.iter().zip(distributed.into_iter().zip(rest));
        parts
            .map(|(plan, (distributed, nodes))| Work {
                l1: L1Layout::new(plan, &distributed, nodes),
                distributed,
                nodes,
                phases: plan.phases,
                pipes: &plan.pipes,
                stays_in_dst: plan.stays_in_dst(),
            })
            .collect()
    }

    /// The parts of Dst that blocks have in turn: both dst_parts, or the same one always.
    pub fn dst_parts(&self) -> u32 {
        if self.stays_in_dst {
            1
        } else {
            2
        }
    }

    /// The first row of the part of Dst behind the one that begins at a row.
    pub fn next_half<'a>(&self, code: &CodeBuilder<'_, 'a>, half: Value<'a>) -> Value<'a> {
        match self.dst_parts() {
            1 => half,
            _ => code.arith(Arith::Sub, code.constant(DST_HALF_ROWS.into()), half),
        }
    }

    /// The pipes that are popped from, with their numbers.
    pub fn popped_pipes(&self) -> impl Iterator<Item = (usize, &'p Pipe)> {
        let pipes = self.pipes.iter().enumerate();
        pipes.filter(|(_, pipe)| !pipe.pushes)
    }

    /// The pipes that are pushed to, with their numbers.
    pub fn pushed_pipes(&self) -> impl Iterator<Item = (usize, &'p Pipe)> {
        let pipes = self.pipes.iter().enumerate();
        pipes.filter(|(_, pipe)| pipe.pushes)
    }

    /// What results are rounded to.
    pub fn element(&self) -> Element {
        let blocks = self.piece_blocks();
        let mut stores = blocks.iter().flat_map(|block| &block.stores);
        stores.next().map_or(Element::Bf16, |store| store.element)
    }

    /// How many pieces there are to deal.
    pub fn pieces(&self) -> u64 {
        self.distributed
            .iter()
            .filter_map(|of| of.trip_count())
            .product()
    }

    /// What each piece does.
    pub fn nodes(&self) -> &'p [Node] {
        self.nodes
    }

    /// The blocks of a piece, each once.
    pub fn piece_blocks(&self) -> Vec<&'p Block> {
        collect_blocks(self.nodes)
    }

    /// Walks through a worker's pieces, and through every block of each.
    pub fn for_each_block<'r, 'a>(
        &self,
        code: &mut CodeBuilder<'r, 'a>,
        mut block: impl FnMut(&mut CodeBuilder<'r, 'a>, &Block),
    ) {
        self.walk(
            code,
            |_, _| (),
            |code, event| {
                if let WalkEvent::Block(of) = event {
                    block(code, of);
                }
            },
        );
    }

    /// Walks through a worker's pieces, and through everything in each; `start` says what is done
    /// at the start of a piece.
    pub fn walk<'r, 'a>(
        &self,
        code: &mut CodeBuilder<'r, 'a>,
        mut start: impl FnMut(&mut CodeBuilder<'r, 'a>, &PieceStart<'a>),
        mut on_event: impl FnMut(&mut CodeBuilder<'r, 'a>, WalkEvent),
    ) {
        let first = code.argument(Argument::First);
        let last = code.argument(Argument::Last);
        let one = code.constant(1);
        code.for_loop([first, last, one], |code, piece| {
            let [column, row] = self.bind_piece(code, piece);
            let piece_start = PieceStart {
                piece,
                first,
                column,
                row,
            };
            start(code, &piece_start);
            walk_nodes(code, self.nodes, &mut on_event);
        });
    }

    /// Gives the variables of the dealt loops their values in a piece. Tells which column it is of
    /// its strip, and which row.
    ///
    /// Pieces are counted along the rows of a strip, then down, then from strip to strip.
    fn bind_piece<'a>(&self, code: &mut CodeBuilder<'_, 'a>, piece: Value<'a>) -> [Value<'a>; 2] {
        let trips: Vec<u64> = self
            .distributed
            .iter()
            .filter_map(|of| of.trip_count())
            .collect();
        let Some((columns, around)) = trips.split_last() else {
            let zero = code.constant(0);
            return [zero, zero];
        };
        let strip = self.l1.rings.strip;
        let (rows, outer) = match around.split_last() {
            Some((rows, outer)) => (*rows, outer),
            None => (1, around),
        };
        let radices = [strip, rows, columns / strip].into_iter();
        let radices: Vec<u64> = radices.chain(outer.iter().rev().copied()).collect();
        let digits = mixed_radix_digits(code, piece, &radices);
        let [column, row, number, outer @ ..] = &digits[..] else {
            unreachable!("there are three digits at least")
        };
        let strips = code.arith_const(Arith::Mul, *number, strip as i64);
        let innermost = code.arith(Arith::Add, strips, *column);
        let turns = [innermost, *row].into_iter().chain(outer.iter().copied());
        for (of, turn) in self.distributed.iter().rev().zip(turns) {
            let value = code.arith_const(Arith::Mul, turn, of.step);
            let value = code.arith(Arith::Add, value, code.expr(&of.low));
            code.bind_var(of.var, value);
        }
        [*column, *row]
    }
}

/// A piece of work when it begins.
pub struct PieceStart<'a> {
    /// Its number.
    pub piece: Value<'a>,
    /// The number of the worker's first piece.
    pub first: Value<'a>,
    /// Turns of the innermost dealt loop, counted within the strip.
    pub column: Value<'a>,
    /// Turns of the loop around it.
    pub row: Value<'a>,
}

/// The digits of a number in a system of mixed radices, the least significant one first.
fn mixed_radix_digits<'a>(
    code: &CodeBuilder<'_, 'a>,
    number: Value<'a>,
    radices: &[u64],
) -> Vec<Value<'a>> {
    let mut rest = number;
    let mut digits = Vec::new();
    for (at, radix) in radices.iter().enumerate() {
        let is_last = radices[at + 1..].iter().all(|radix| *radix == 1);
        digits.push(match radix {
            1 => code.constant(0),
            _ if is_last => rest,
            radix => code.arith_const(Arith::Rem, rest, *radix as i64),
        });
        if !is_last && *radix != 1 {
            rest = code.arith_const(Arith::Div, rest, *radix as i64);
        }
    }
    digits
}

/// The loops around everything, one for each, if there are such, which turn a known number of times
/// and have the same bounds. A loop that never turns has nothing to deal.
fn common_outer_loops<'p>(all: &[&'p [Node]]) -> Option<Vec<&'p Loop<Node>>> {
    let around = |nodes: &&'p [Node]| match nodes {
        [Node::Loop(inner)] => inner
            .trip_count()
            .filter(|turns| *turns > 0)
            .and(Some(inner)),
        _ => None,
    };
    let loops: Vec<_> = all.iter().map(around).collect::<Option<_>>()?;
    let bounds = |of: &Loop<Node>| (of.low.constant(), of.high.constant(), of.step);
    let agree = loops
        .windows(2)
        .all(|pair| bounds(pair[0]) == bounds(pair[1]));
    (agree && !loops.is_empty()).then_some(loops)
}

fn walk_nodes<'r, 'a>(
    code: &mut CodeBuilder<'r, 'a>,
    of: &[Node],
    on_event: &mut impl FnMut(&mut CodeBuilder<'r, 'a>, WalkEvent),
) {
    for node in of {
        match node {
            Node::Loop(inner) => {
                code.emit_loop(inner, |code, body| walk_nodes(code, body, on_event))
            }
            Node::Block(of) => on_event(code, WalkEvent::Block(of)),
            Node::SlotEvent(hold) => on_event(code, WalkEvent::SlotEvent(hold)),
        }
    }
}

/// Walks through the steps of a block.
pub fn walk_steps<'r, 'a>(
    code: &mut CodeBuilder<'r, 'a>,
    items: &[BlockItem],
    step: &mut impl FnMut(&mut CodeBuilder<'r, 'a>, &Step),
) {
    walk_items(code, items, &mut |code, event| {
        if let BlockEvent::Step(of) = event {
            step(code, of);
        }
    });
}

/// Walks through everything in a block before its vector program.
pub fn walk_items<'r, 'a>(
    code: &mut CodeBuilder<'r, 'a>,
    items: &[BlockItem],
    on_event: &mut impl FnMut(&mut CodeBuilder<'r, 'a>, BlockEvent),
) {
    for item in items {
        match item {
            BlockItem::Loop(inner) => {
                code.emit_loop(inner, |code, body| walk_items(code, body, on_event))
            }
            BlockItem::Step(of) => on_event(code, BlockEvent::Step(of)),
            BlockItem::SlotEvent(hold) => on_event(code, BlockEvent::SlotEvent(hold)),
        }
    }
}

/// The most turns of loops that are looked at one by one.
const MAX_ITERATIONS: usize = 1 << 20;

/// Whether no two turns of the loops store to the same place; not if there are more turns than are
/// looked at.
fn stores_are_disjoint(plan: &Plan) -> bool {
    let mut seen = std::collections::HashSet::new();
    let mut left = MAX_ITERATIONS;
    for_each_iteration(
        &plan.nodes,
        &mut Vec::new(),
        &mut left,
        &mut |block, vars| {
            block.stores.iter().all(|store| {
                let value = |expr: &Expr| {
                    expr.value(&|var| {
                        vars.iter()
                            .find(|(v, _)| *v == var)
                            .map_or(0, |(_, value)| *value)
                    })
                };
                let Target::Memory(to) = &store.to else {
                    return true;
                };
                match (value(&to.row), value(&to.column)) {
                    (Some(row), Some(column)) => seen.insert((to.tensor.arg, row, column)),
                    _ => false,
                }
            })
        },
    )
}

/// Calls `block` for every turn of the loops around each block, with the values of their variables,
/// as long as it says so; stops when no turns are left, too.
fn for_each_iteration(
    of: &[Node],
    vars: &mut Vec<(Var, i64)>,
    left: &mut usize,
    block: &mut impl FnMut(&Block, &[(Var, i64)]) -> bool,
) -> bool {
    of.iter().all(|node| match node {
        Node::Block(of) => block(of, vars),
        Node::SlotEvent(_) => true,
        Node::Loop(inner) => {
            let (Some(low), Some(trip)) = (inner.low.constant(), inner.trip_count()) else {
                return false;
            };
            (0..trip as i64).all(|turn| {
                let Some(rest) = left.checked_sub(1) else {
                    return false;
                };
                *left = rest;
                vars.push((inner.var, low + turn * inner.step));
                let goes_on = for_each_iteration(&inner.body, vars, left, block);
                vars.pop();
                goes_on
            })
        }
    })
}

#[cfg(test)]
mod tests;
